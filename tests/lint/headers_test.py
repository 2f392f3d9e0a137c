"""Headers for plug-ins: cmake/plugin_headers.txt lists what they need, all of it and no more, and the published
policies of src/policies are made of that, too. So whoever writes a policy outside has what we have. What the
author of a kind of part has to read stays within so many lines."""

import re
from pathlib import Path

from source_tree import code_of, main

LIST = "cmake/plugin_headers.txt"
ROOTS = ("plugins/plugin.hpp", "scheduler/presets.hpp",
         "model/workload_spec.hpp")  # the last for simulator.hpp
NOT_FROM_OUTSIDE = "backfills.hpp"  # stands on machinery of the scheduler that no plug-in can have
MADE = "somnus/abi.hpp"  # by the build
MOST_LINES = {"order": 1100, "placement": 1300, "policy": 1400, "other": 1400}  # of all that each one reads


def included_by(path: Path) -> list[str]:
    if not path.exists():
        return []
    return re.findall(r'^\s*#include "([^"]+)"', code_of(path.read_text(), strings=True), re.MULTILINE)


def closure(src: Path, roots: list[str]) -> set[str]:
    found: set[str] = set()
    left = list(roots)
    while left:
        header = left.pop()
        if header not in found and header != MADE:
            found.add(header)
            left += included_by(src / header)
    return found


def lint(root: Path) -> list[str]:
    src = root / "src"
    words = [line.split() for line in (root / LIST).read_text().splitlines() if line and not line.startswith("#")]
    faults = [f"{LIST}: expected whose author reads it ({', '.join(MOST_LINES)}) or 'compile', then a header, found "
              f"{' '.join(each)!r}" for each in words
              if len(each) != 2 or each[0] != "compile" and not set(each[0].split(",")) <= MOST_LINES.keys()]
    listed = {each[-1] for each in words}
    policies = [path for path in sorted((src / "policies").glob("*.?pp")) if path.name != NOT_FROM_OUTSIDE]
    used = [header for path in policies for header in included_by(path) if not header.startswith("policies/")]
    needed = closure(src, [*(each for each in ROOTS if (src / each).exists()), *used])
    faults += [f"{LIST} lacks {header}, which plug-ins or policies include" for header in sorted(needed - listed)]
    faults += [f"{LIST} lists {header}, which nobody includes" for header in sorted(listed - needed)]
    for kind, most in MOST_LINES.items():
        lines = sum(len((src / each[-1]).read_text().splitlines()) for each in words
                    if kind in each[0].split(",") and (src / each[-1]).exists())
        if lines > most:
            faults.append(f"{LIST}: the author of a part of the kind '{kind}' reads {lines} lines; at most {most}")
    return faults


PLUGIN = {"src/plugins/plugin.hpp": '#include "scheduler/rows.hpp"\n#include "somnus/abi.hpp"\n', "src/scheduler/rows.hpp": ""}
BOTH = "order,policy plugins/plugin.hpp\ncompile scheduler/rows.hpp\n"
PLANTED = {
    "all of them": ({**PLUGIN, LIST: BOTH}, ""),
    "one that is missing": ({**PLUGIN, LIST: "order plugins/plugin.hpp\n"}, "lacks scheduler/rows.hpp"),
    "one too many": ({**PLUGIN, LIST: BOTH + "order base/ids.hpp\n"}, "lists base/ids.hpp"),
    "of no kind": ({**PLUGIN, LIST: BOTH.replace("order", "odor")}, "expected whose author reads it"),
    "too much to read": ({**PLUGIN, LIST: BOTH, "src/plugins/plugin.hpp": PLUGIN["src/plugins/plugin.hpp"] + "\n" * 1100},
                         "of the kind 'order' reads 1102 lines"),
    "a policy that knows more": ({**PLUGIN, LIST: BOTH, "src/policies/peek.cpp": '#include "scheduler/engine.hpp"\n'},
                                 "lacks scheduler/engine.hpp"),
}

if __name__ == "__main__":
    main(lint, PLANTED)
