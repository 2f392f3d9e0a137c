"""Nothing unfinished stays in the tree, and no path of somebody's own machine."""

import re
from pathlib import Path

from source_tree import files, main, text_of

# Brackets keep the patterns from finding themselves.
UNFINISHED = re.compile(r"\b(?:T[O]DO|F[I]XME|X[X]X|H[A]CK)\b")
PRIVATE_PATH = re.compile(r"(?<![\w./-])/(?:home/\w|Users/\w|r[o]ot/)[\w./-]*")


def lint(root: Path) -> list[str]:
    patterns = {"unfinished work": UNFINISHED, "a path of one machine": PRIVATE_PATH}
    if len(root.parts) > 2:  # not for /src and the like
        patterns["this checkout's own path"] = re.compile(re.escape(str(root)) + r"\b")
    faults = []
    for path in files(root):
        for number, line in enumerate((text_of(path) or "").split("\n"), start=1):
            for what, pattern in patterns.items():
                if found := pattern.search(line):
                    faults.append(f"{path.relative_to(root)}:{number}: {what}: {found[0]}")
    return faults


PLANTED = {
    "a finished tree": ({"README.md": "Clone into ~/somnus; logs go to /tmp.\n"}, ""),
    "a note to oneself": ({"src/a.cpp": "\n// TO" + "DO: later\n"}, "src/a.cpp:2: unfinished"),
    "a doubt": ({"a.py": "x = 1  # X" + "XX\n"}, "unfinished work"),
    "a home path": ({"run.sh": "cd /ho" + "me/ann/somnus\n"}, "a path of one machine: /ho"),
    "the administrator's home": ({"a.md": "see /ro" + "ot/notes\n"}, "a path of one machine"),
}

if __name__ == "__main__":
    main(lint, PLANTED)
