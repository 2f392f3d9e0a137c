"""What the lints share: the tree's files, C++ without comments, and the two ways to run a lint."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED_FOLDERS = {".git", "build", "out", "__pycache__", ".cache"}


def files(root: Path) -> list[Path]:
    """All files of the project, tracked or about to be; sorted."""
    if (root / ".git").exists():
        command = ["git", "-c", "safe.directory=*", "-C", str(root)]
        command += ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = [root / name for name in names.split("\0") if name]
    else:
        found = []
        for folder, subfolders, names in os.walk(root):
            subfolders[:] = [name for name in subfolders if name not in SKIPPED_FOLDERS]
            found += [Path(folder) / name for name in names]
    return sorted(path for path in found if path.is_file())


def text_of(path: Path) -> str | None:
    """The file's text; None if it is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


_TOKENS = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<string>R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"
                 | "(?:\\.|[^"\\\n])*"
                 | (?<!\w)'(?:\\.|[^'\\\n])+')
    """,
    re.DOTALL | re.VERBOSE,
)


def code_of(text: str, *, strings: bool) -> str:
    """C++ without comments, and without the content of literals unless `strings`. Lines stay."""

    def blank(match: re.Match) -> str:
        if match["string"] and strings:
            return match[0]
        return "\n" * match[0].count("\n") or ('""' if match["string"] else " ")

    return _TOKENS.sub(blank, text)


def main(lint, planted: dict[str, tuple[dict[str, str], str]]) -> None:
    """Runs `lint(root) -> faults` on the tree given; with --self-test on each planted tree.

    planted: name -> ({path: content}, what the only fault must say; "" if there must be none).
    """
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(_self_test(lint, planted))
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} ROOT | --self-test")
    faults = lint(Path(sys.argv[1]).resolve())
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


def _self_test(lint, planted) -> int:
    wrong = 0
    for name, (tree, expected) in planted.items():
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder, "checkout")
            for path, content in tree.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content)
            faults = lint(root)
        good = len(faults) == 1 and expected in faults[0] if expected else not faults
        print(f"{'ok' if good else 'WRONG'}: {name}: {faults or 'no fault'}")
        wrong += not good
    return 1 if wrong else 0
