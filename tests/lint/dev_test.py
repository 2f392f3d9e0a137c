"""`./dev` itself: its help names all commands, what runs behind ends with it, and `fresh` refuses first.

    dev_test.py ROOT
"""

import os
import re
import subprocess
import sys
from pathlib import Path

NOBODY = 65534


def ran(command: list[str], root: Path, **more) -> tuple[int, str]:
    done = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=60, check=False, **more)
    return done.returncode, done.stdout


def with_functions(script: str, root: Path) -> tuple[int, str]:
    """Of ./dev, the script in place of the command."""
    return ran(["bash", "-c", f". ./dev; table=$(mktemp); trap closing_table EXIT; {script}"], root)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def help_names_all_commands(root: Path) -> str:
    known = re.findall(r"^  ([a-z]+)\)", (root / "dev").read_text().rpartition("case $command in")[2],
                       re.MULTILINE)
    code, text = ran(["./dev", "help"], root)
    missing = [name for name in known if not re.search(rf"^  {name}\b", text, re.MULTILINE)]
    return "" if code == 0 and len(known) > 8 and not missing else f"{missing} of {known}: {text}"


def what_failed_behind_is_reported_once(root: Path) -> str:
    code, text = with_functions("behind false; caught_up; echo beyond", root)
    fine = code == 1 and "beyond" not in text and "No such process" not in text and "passed" in text
    return "" if fine else f"{code}: {text}"


def what_ended_behind_unasked_is_no_mistake(root: Path) -> str:
    code, text = with_functions('behind true; wait "$behind"; exit 1', root)
    return "" if code == 1 and "No such process" not in text else f"{code}: {text}"


def what_still_runs_behind_ends(root: Path) -> str:
    code, text = with_functions('behind sleep 1000; echo "behind: $behind"; exit 1', root)
    pid = int(re.search(r"behind: (\d+)", text)[1])
    return "" if code == 1 and not alive(pid) else f"{code}: {text}, {pid} lives: {alive(pid)}"


def fresh_is_for_root(root: Path) -> str:
    more = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    if more and not all(each.stat().st_mode & 0o005 == 0o005 for each in (root, *root.parents)):
        return ""  # others may not even see this folder
    code, text = ran(["./dev", "fresh"], root, **more)
    return "" if code == 2 and "needs root" in text else f"{code}: {text}"


def fresh_knows_its_options(root: Path) -> str:
    for words, said in ((["--fast"], "unknown option '--fast'"), (["--with", "/no/such"], "--with")):
        code, text = ran([".ci/fresh", *words], root)
        if code != 2 or said not in text:
            return f"{words}: {code}: {text}"
    return ""


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    failed = 0
    for check in (help_names_all_commands, what_failed_behind_is_reported_once,
                  what_ended_behind_unasked_is_no_mistake, what_still_runs_behind_ends,
                  fresh_is_for_root, fresh_knows_its_options):
        fault = check(root)
        failed += bool(fault)
        print(f"{'FAIL' if fault else 'ok'}: {check.__name__.replace('_', ' ')} {fault}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
