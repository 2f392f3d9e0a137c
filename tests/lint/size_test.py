"""No file of code is over 400 lines: past that there is a second idea in it."""

from pathlib import Path

from source_tree import files, main, text_of

MOST_LINES = 400
SUFFIXES = {".cpp", ".hpp", ".h", ".py", ".sh", ".cmake", ".sbatch", ".js", ".css"}
NAMES = {"CMakeLists.txt", "dev", "run"}


def lint(root: Path) -> list[str]:
    faults = []
    for path in files(root):
        if path.suffix not in SUFFIXES and path.name not in NAMES:
            continue
        lines = (text_of(path) or "").count("\n")
        if lines > MOST_LINES:
            name = path.relative_to(root)
            faults.append(f"{name}: {lines} lines, at most {MOST_LINES}; what is its second idea?")
    return faults


PLANTED = {
    "a file at the limit": ({"src/base/long.cpp": "int x;\n" * MOST_LINES}, ""),
    "a file over it": ({"src/base/long.cpp": "int x;\n" * (MOST_LINES + 1)}, "long.cpp: 401 lines"),
    "a script over it": ({"dev": "echo\n" * 1000}, "dev: 1000 lines"),
    "a long trace": ({"configs/trace.jsonl": "{}\n" * 1000}, ""),
}

if __name__ == "__main__":
    main(lint, PLANTED)
