"""Keys in the pages of this tree exist, as `somnus config` has them, and so do the values in quotes beside them.

A dotted name in code style, or before an equals sign, is taken for a key if it begins with what has keys (a
table, a part or preset, a command), or ends as a key does. Names of files and of Python are checked as such;
keys of other programs begin with the name of a format, or stand in its importer.
"""

import inspect
import json
import pkgutil
import re
import sys
from functools import cache
from pathlib import Path

from logs import write_config, write_workload
from somnus_program import FINE, expect, somnus

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "analysis"))

from somnus.analysis.reading.log import Log  # noqa: E402

OF_OTHERS = {"build", "out", "node_modules", "tests"}  # no pages for users
PAGES = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in sorted(ROOT.rglob("*.md"))
         if page.name != "CHANGELOG.md" and not OF_OTHERS & {*page.relative_to(ROOT).parts}}
NAME = r"[a-z_][\w-]*(?:\.[a-z_][\w-]*)+"
NAMES = re.compile(rf"`({NAME})(?=[`(]|\s*=)|(?<![\w./-])({NAME})(?=\s*=)")
VALUES = re.compile(rf"`({NAME}) = ([^`]*)`")
IMPORTERS = {path.stem.removeprefix("import_"): path.read_text(encoding="utf-8")
             for path in (ROOT / "src/formats").glob("import_*.cpp")}
ENDINGS = {path.suffix for path in ROOT.rglob("*.*") if "build" not in path.parts} | {".csv", ".h5"}


class Known:
    """What the program and this tree know."""

    def __init__(self, folder: Path):
        tables = json.loads(somnus(folder, "config", "--json").expect(FINE).out)
        self.keys = {f"{table['head'].strip('[]')}.{key['name']}": key.get("choices", [])
                     for table in tables for key in table["keys"]}
        generators = json.loads(somnus(folder, "workload", "make", "--json").expect(FINE).out)
        self.keys |= {f"workload.{key['name']}": [] for each in generators for key in each["parameters"]}
        policies = json.loads(somnus(folder, "policies", "--json").expect(FINE).out)
        commands = re.findall(r"^  ([a-z-]+) ", somnus(folder, "--help").expect(FINE).out, re.M)
        self.tables = {table["head"].strip("[]") for table in tables}
        self.have_keys = {part for key in self.keys for part in key.split(".")[:-1]} | {*commands} | {
            each["name"] for kind in ("presets", "parts") for each in policies[kind]}
        self.ends = {key.rpartition(".")[2] for key in self.keys}

    def fault(self, name: str) -> str:
        """Why there is no such thing; "" if there is, or if it is not ours."""
        first, last = name.split(".")[0], name.rpartition(".")[2]
        if name in self.keys or name in self.tables or f".{last}" in ENDINGS:
            return ""
        if first == "somnus":
            return "" if _is_python(name) else "there is no such name in Python"
        if first == "log" and (hasattr(Log, last) or f"self.{last} = " in inspect.getsource(Log)):
            return ""
        of_a_format = first in IMPORTERS.keys() - self.have_keys or any(
            f'"{name}"' in source for source in IMPORTERS.values())
        if of_a_format or _is_python(f"somnus.analysis.{name}"):
            return ""
        return "somnus config has no such key" if first in self.have_keys or last in self.ends else ""


@cache
def _is_python(name: str) -> bool:
    try:
        return bool(pkgutil.resolve_name(name))
    except (ImportError, AttributeError, ValueError):
        return False


def faults(known: Known, text: str) -> list[str]:
    found = [f"{name}: {why}" for match in NAMES.finditer(text)
             if (why := known.fault(name := match[1] or match[2]))]
    return found + [f'{key} = "{value}": it takes {", ".join(known.keys[key])}'
                    for key, given in VALUES.findall(text) if known.keys.get(key)
                    for value in re.findall(r'^"([\w-]+)"', given) if value not in known.keys[key]]


def test_keys_in_pages_exist(folder):
    known = Known(folder)
    found = [f"{page}: {each}" for page, text in PAGES.items() for each in faults(known, text)]
    expect(not found, "\n".join(found))
    expect(sum(len(NAMES.findall(text)) for text in PAGES.values()) > 200, "hardly a name is found in the pages")


def test_a_wrong_name_is_found(folder):
    known = Known(folder)
    right = ("`scheduler.cfq.level`", "`queue.bound = \"length\"`", "set run.speed = 2", "`workload.mice`", "`summary.csv`",
             "`somnus.analysis.base.output`", "`log.jobs`", "`log.targets = false`", "`spark.speculation.quantile`",
             "`job.queue.name`", "`place.rack`", "`heartbeat`")
    wrong = ("`cfq.level`", "profile.default_task_s = 1", "`scheduler.cfq.levle`", "`cluser.nodes`",
             "`queue.bound = \"lenght\"`", "carbyne.leftover = x", "`somnus.analysis.base.outptu`", "`log.jbos`", "`yarn.launch`")
    expect(not faults(known, " ".join(right)), str(faults(known, " ".join(right))))
    for each in wrong:
        expect(len(faults(known, f"of {each} it is said")) == 1, f"{each} is taken for right")


def test_the_page_of_the_log_has_the_version_of_a_log(folder):
    write_workload(folder, [{"job": "a", "submit": 0, "durations": [1]}])
    write_config(folder)
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    version = Log(folder / "a.h5").attributes["format_version"]
    said = re.findall(r"format version (\d+)|\"somnus-log\", (\d+)\.", PAGES["src/log/README.md"])
    expect([*map("".join, said)] == [str(version)] * 2, f"a log has version {version}, the page says {said}")
