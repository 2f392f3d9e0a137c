"""What the precompiled headers hide: a file that joins with fmt includes fmt/ranges.h, where newer
versions of fmt have it, itself or in its own header. (A build without, preset tidy, finds the rest.)"""

import re
from pathlib import Path

from source_tree import code_of, files, main, text_of

JOINS = re.compile(r"\bfmt::join\(")
INCLUDED = "#include <fmt/ranges.h>"


def lint(root: Path) -> list[str]:
    faults = []
    for path in files(root):
        if path.suffix not in (".cpp", ".hpp"):
            continue
        text = text_of(path) or ""
        if not JOINS.search(code_of(text, strings=False)):
            continue
        own = path.with_suffix(".hpp")
        if INCLUDED not in text + ((text_of(own) or "") if own.exists() else ""):
            faults.append(f"{path.relative_to(root)}: joins, and does not {INCLUDED}")
    return faults


PLANTED = {
    "a file that includes what it needs": ({"src/a.cpp": f"{INCLUDED}\nauto x = fmt::join(y, z);\n"}, ""),
    "a header that does": ({"src/a.hpp": f"{INCLUDED}\n", "src/a.cpp": "auto x = fmt::join(y, z);\n"}, ""),
    "a word about it": ({"src/a.cpp": "// fmt::join(x)\n"}, ""),
    "a hidden include": ({"src/a.cpp": "#include <fmt/format.h>\nauto x = fmt::join(y, z);\n"},
                         "src/a.cpp: joins"),
}

if __name__ == "__main__":
    main(lint, PLANTED)
