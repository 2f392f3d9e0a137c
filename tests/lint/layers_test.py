"""Includes follow the arrows.

A folder's arrow is the LINKS of its somnus_layer(NAME ...): it may include itself and whatever it
links, directly or through others. emulator/commands is the highest layer, and main() belongs to it.
Beyond that only src/mpi knows MPI, only src/hdf5 and src/log know HDF5, the rooms in PURE are pure, and
only emulator/ ends the process.
"""

import re
from pathlib import Path

from source_tree import code_of, files, main, text_of

PURE = {"base", "queueing", "model", "warmup", "fluid", "packing", "scheduler", "policies", "parquet"}

# What a pure layer must not touch, and why that is so.
IMPURE_INCLUDES = {
    "thread": "threads",
    "mutex": "threads",
    "shared_mutex": "threads",
    "condition_variable": "threads",
    "future": "threads",
    "iostream": "I/O",
    "fstream": "I/O",
    "filesystem": "I/O",
    "cstdio": "I/O",
    "ctime": "a clock",
}
IMPURE_WORDS = {
    r"\b(?:steady|system|high_resolution)_clock\b": "a clock",
    r"\bclock_gettime\b": "a clock",
    r"\bspdlog\b": "logging",
    r"\bgetenv\b": "the environment",
}
# Not a member function, and not qualified by anything but std.
ENDS_PROCESS = re.compile(
    r"(?<![\w.>:])(?:std::|::)?(?:_?exit|_Exit|quick_exit|abort|terminate)\s*\("
)
STD_RANDOM = re.compile(r"\bstd::(?:\w+_distribution|mt19937\w*|random_device|rand)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.MULTILINE)
LAYER = re.compile(r"\bsomnus_layer\(\s*(\w+)([^)]*)\)")


def read_layers(root: Path) -> dict[str, tuple[Path, set[str]]]:
    """name -> (folder, names of the layers that it links)"""
    layers = {}
    listings = ["src/*/CMakeLists.txt", "workers/CMakeLists.txt", "emulator/*/CMakeLists.txt"]
    for listing in sorted(found for pattern in listings for found in root.glob(pattern)):
        for name, arguments in LAYER.findall(re.sub(r"#[^\n]*", "", listing.read_text())):
            links = re.split(r"\bLINKS\b", arguments, maxsplit=1)[1:]
            linked = re.findall(r"\bsomnus_(\w+)", " ".join(links))
            layers[name] = (listing.parent, set(linked))
    return layers


def reach(name: str, layers: dict[str, tuple[Path, set[str]]]) -> set[str]:
    """All layers below this one, through any number of arrows."""
    seen: set[str] = set()
    ahead = [name]
    while ahead:
        for below in layers.get(ahead.pop(), (None, set()))[1] - seen:
            seen.add(below)
            ahead.append(below)
    return seen


def folder_layer(path: Path, root: Path) -> str | None:
    """The layer that a file belongs to by its place; None if it lies outside all of them."""
    parts = path.relative_to(root).parts
    if parts[0] in {"src", "emulator"} and len(parts) > 2:
        return parts[1]
    return {"workers": "workers", "emulator": "commands"}.get(parts[0])


def layer_of_header(header: str) -> str:
    """What an include names: emulator/commands/closing.hpp is of the layer commands."""
    parts = header.split("/")
    return parts[1] if parts[0] == "emulator" and len(parts) > 2 else parts[0]


def third_party_fault(layer: str, header: str) -> str | None:
    if layer != "mpi" and (header == "mpi.h" or header.startswith("boost/mpi")):
        return f"<{header}>: only src/mpi knows MPI"
    if layer not in {"hdf5", "log"} and re.fullmatch(r"(hdf5|hdf5_hl|H5\w+)\.h(pp)?", header):
        return f"<{header}>: only src/hdf5 and src/log know HDF5"
    if layer in PURE and header in IMPURE_INCLUDES:
        return f"<{header}>: {IMPURE_INCLUDES[header]} in a pure layer"
    return None


def word_faults(layer: str, ends_process: bool, line: str) -> list[str]:
    faults = []
    if layer in PURE:
        for pattern, what in IMPURE_WORDS.items():
            if found := re.search(pattern, line):
                faults.append(f"{found[0]}: {what} in a pure layer")
    if not ends_process and (found := ENDS_PROCESS.search(line)):
        faults.append(f"{found[0].rstrip('( ')}: only emulator/ ends the process")
    if found := STD_RANDOM.search(line):
        faults.append(f"{found[0]}: random numbers come from base/random.hpp")
    return faults


def lint_file(path: Path, root: Path, layer: str, below: set[str], folders: set[str]) -> list[str]:
    text = text_of(path) or ""
    name = path.relative_to(root)
    faults = []
    with_strings = code_of(text, strings=True)
    for match in INCLUDE.finditer(with_strings):
        line = with_strings.count("\n", 0, match.start(2)) + 1
        bracket, header = match[1], match[2]
        target = layer_of_header(header)
        fault = third_party_fault(layer, header)
        if bracket == '"' and "/" not in header:
            fault = f'"{header}": name the folder too, as in "base/ids.hpp"'
        elif target in folders and target != layer and target not in below:
            fault = f'"{header}": layer {layer} has no arrow to {target}'
        if fault:
            faults.append(f"{name}:{line}: {fault}")
    for number, line in enumerate(code_of(text, strings=False).split("\n"), start=1):
        if not INCLUDE.match(line):
            ends_process = name.parts[0] == "emulator"
            faults += [f"{name}:{number}: {f}" for f in word_faults(layer, ends_process, line)]
    return faults


def lint(root: Path) -> list[str]:
    layers = read_layers(root)
    faults = []
    for name, (folder, links) in sorted(layers.items()):
        place = f"{(folder / 'CMakeLists.txt').relative_to(root)}"
        faults += [f"{place}: no layer {link}" for link in sorted(links - layers.keys())]
        if name in reach(name, layers):
            faults.append(f"{place}: layer {name} reaches itself; arrows must not go round")
    sources = [path for path in files(root) if path.suffix in {".cpp", ".hpp", ".h"}]
    owners = {path: folder_layer(path, root) for path in sources}
    folders = {owner for owner in owners.values() if owner} | layers.keys()
    for path, owner in owners.items():
        if owner:
            faults += lint_file(path, root, owner, reach(owner, layers), folders)
    return faults


LAYERS = {
    "src/base/CMakeLists.txt": "somnus_layer(base SOURCES ids.cpp LINKS fmt::fmt)",
    "src/model/CMakeLists.txt": "somnus_layer(model\n  SOURCES job.cpp\n  LINKS somnus_base)",
    "src/policies/CMakeLists.txt": "somnus_layer(policies SOURCES cfq.cpp LINKS somnus_model)",
    "src/mpi/CMakeLists.txt": "somnus_layer(mpi SOURCES link.cpp LINKS somnus_model MPI::MPI_CXX)",
    "emulator/run/CMakeLists.txt": "somnus_layer(run SOURCES run.cpp LINKS somnus_policies)",
    "emulator/commands/CMakeLists.txt": "somnus_layer(commands LINKS somnus_run)",
}


def planted(path: str, content: str, expected: str):
    return {**LAYERS, path: content}, expected


PLANTED = {
    "a clean tree": planted(
        "src/policies/cfq.cpp",
        '#include "policies/cfq.hpp"\n#include "base/ids.hpp"\n#include <vector>\n'
        "// exit() and <thread> in a comment\n"
        'auto s = "steady_clock exit(1)"; auto n = 1\'000\'000; void f() { pool.exit(); }\n',
        "",
    ),
    "an include upward": planted(
        "src/base/ids.cpp", '\n#include "model/job.hpp"\n', 'ids.cpp:2: "model/job.hpp": layer base'
    ),
    "an include upward in angle brackets": planted(
        "src/model/job.cpp", "#include <policies/cfq.hpp>", "no arrow to policies"
    ),
    "an include to the side": planted(
        "src/policies/cfq.hpp", '#include "mpi/link.hpp"', "layer policies has no arrow to mpi"
    ),
    "an include of the process from a layer": planted(
        "src/mpi/link.cpp", '#include "emulator/run/run.hpp"', "no arrow to run"
    ),
    "an include upward between rooms": planted(
        "emulator/run/run.cpp", '#include "emulator/commands/run.hpp"', "run has no arrow to commands"
    ),
    "an include downward between rooms": planted(
        "emulator/main.cpp", '#include "emulator/run/run.hpp"\n#include "policies/cfq.hpp"', ""
    ),
    "an include without its folder": planted(
        "src/model/job.cpp", '#include "stage.hpp"', "name the folder too"
    ),
    "arrows that go round": planted(
        "src/base/CMakeLists.txt", "somnus_layer(base LINKS somnus_base)", "reaches itself"
    ),
    "an arrow to nowhere": planted(
        "src/base/CMakeLists.txt", "somnus_layer(base LINKS somnus_util)", "no layer util"
    ),
    "MPI outside src/mpi": planted("emulator/run/run.cpp", "#include <mpi.h>", "only src/mpi"),
    "Boost.MPI outside src/mpi": planted(
        "src/policies/cfq.cpp", "#include <boost/mpi/environment.hpp>", "only src/mpi"
    ),
    "MPI in src/mpi": planted("src/mpi/link.cpp", "#include <mpi.h>", ""),
    "HDF5 outside src/hdf5": planted("emulator/run/run.cpp", "#include <hdf5.h>", "only src/hdf5"),
    "a thread in a policy": planted("src/policies/cfq.cpp", "#include <thread>", "threads in a pure"),
    "a clock in a policy": planted(
        "src/policies/cfq.cpp", "auto now = std::chrono::steady_clock::now();", "a clock in a pure"
    ),
    "logging in the model": planted("src/model/job.cpp", 'spdlog::info("x");', "logging in a pure"),
    "the environment in the model": planted(
        "src/model/job.cpp", 'auto home = std::getenv("HOME");', "the environment in a pure"
    ),
    "an exit in a layer": planted("src/mpi/link.cpp", " std::exit(1);", "std::exit: only emulator"),
    "an exit in the emulator": planted("emulator/run/run.cpp", "std::exit(1);", ""),
    "a distribution of the standard library": planted(
        "emulator/run/run.cpp", "std::uniform_real_distribution<> d;", "base/random.hpp"
    ),
}

if __name__ == "__main__":
    main(lint, PLANTED)
