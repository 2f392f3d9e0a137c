"""Draws compositions: configs and workloads in which any parts of Somnus may meet.

Parts, keys, their types and ranges are those that the program lists (`somnus policies --json`, `somnus
config --json`, `somnus workload make --json`), so a new row takes part by itself. What the program does not
list stands in the tables below: the keys of a job, the shapes of clusters, and how large numbers should be
for a workload of a few minutes.
"""

import json
import random
import re
import subprocess
import sys
import tomllib
from copy import deepcopy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/program"))
from policies import FIRST_FIT  # noqa: E402

RUN_ENDS_S = 3000
QUEUES, ACCOUNTS, QOS = ("A", "B"), ("physics", "physics/theory", "math"), ("high", "normal")

# Tables that other functions draw, and keys that concern files, labels or the end of the run.
NOT_DRAWN = {"cluster", "cluster.group", "scheduler", "plugins", "log.file", "log.replay", "faults.event",
             "run.until_s", "workload.file", "workload.format", "workload.generator", "workload.ignore_kinds"}
CHANCE = {"faults": 0.6, "network": 0.5, "heartbeat": 0.8, "queue": 0.9, "jvm": 0.5, "limits": 0.5,
          "workload": 0.1, "log": 0.1}  # of a table to be there; of all others:
ELSE = 0.25
SHARES = (0.2, 0.5, 0.9)  # of a table's keys, and of the features of jobs
# Ranges for a number by its unit: the ends of a log-uniform draw.
SCALES = {"s": (0.01, 100), "ms": (1, 3000), "us": (1, 1000), "x": (1, 4), "": (0.1, 10), "tasks": (1, 8)}
REPEATED = re.compile("interval|period|poll"), 0.3  # what happens again and again, at least so many seconds apart
# Processes that decide: an order, and a whole policy.
EXTERNAL = ({"command": [sys.executable, str(ROOT / "examples/las/las.py")], "tiers": True,
             "parameters": {"threshold_s": 20}},
            {"command": [sys.executable, "-c", FIRST_FIT]})
# Free keys of tables: whatever name matches first.
NAMES = (("qos", QOS), ("account", ACCOUNTS), ("", QUEUES))


class Rows:
    """What the program says that there is."""

    def __init__(self, program: str):
        def listed(*words):
            return json.loads(subprocess.run([program, *words, "--json"], capture_output=True, check=True).stdout)

        self.presets = {preset["name"]: preset for preset in listed("policies")["presets"]}
        self.generators = {each["name"]: each["parameters"] for each in listed("workload", "make")}
        self.tables: dict[str, list[dict]] = {}
        self.only_with: dict[str, str] = {}
        for table in listed("config"):
            name = table["head"].strip("[]")
            self.tables.setdefault(name, []).extend(table["keys"])  # parts of two kinds may have one name
            self.only_with[name] = table["note"]

    def choices(self) -> set[tuple[str, str, str]]:
        """Each table, key and value of those keys of which the program lists all values."""
        return {(table, key["name"], choice) for table, keys in self.tables.items() for key in keys
                if table not in ("plugins", "scheduler.external") for choice in key.get("choices", ())}

    def kinds(self) -> list[dict]:
        """The keys of [scheduler] that choose a part."""
        return [key for key in self.tables["scheduler"] if "choices" in key and key["name"] != "policy"]


def default_of(key: dict):
    if key["default"] in ("-", "required"):
        return None
    return tomllib.loads(f"x = {key['default']}")["x"] if isinstance(key["default"], str) else key["default"]


class Draw:
    """One composition: `tables` of a config, and the `header` and `jobs` of its workload."""

    def __init__(self, rows: Rows, seed):
        self.rows, self.chance = rows, random.Random(seed)
        self.tables: dict[str, dict | list] = {}
        self.header: dict = {"somnus_workload": 1}
        self.draw_cluster()
        self.draw_scheduler()
        self.draw_keys()
        self.draw_faults()
        self.jobs = self.draw_jobs()
        self.draw_origin()

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    # --- one value ---

    def number(self, key: dict, whole: bool):
        low, high = SCALES.get(key.get("unit", ""), SCALES[""])
        least, most = key.get("least", key.get("above", float("-inf"))), key.get("most", float("inf"))
        default = default_of(key)
        if most <= 1:  # of what has to end 0.99 is the most: that would take long
            value = self.chance.choice([least, 1 if most == 1 else 0.5, self.chance.uniform(max(least, -1), 0.5)])
        elif self.often(0.15):
            value = least if abs(least) < 1e9 else 0
        elif isinstance(default, (int, float)) and 0 < default < 1e6 and self.often(0.3):
            value = default * self.chance.choice([0.1, 0.5, 1, 2, 10])
        else:
            often, apart = REPEATED
            low = max(low, 1 if whole else apart if often.search(key["name"]) else low)
            value = low * (high / low) ** self.chance.random()
        value = min(max(value, least), most)
        if whole:
            return max(round(value), -(-least // 1) if abs(least) < 1e9 else 0)
        return float(f"{value:.3g}") if value > key.get("above", float("-inf")) else high

    def value(self, key: dict, kind: str | None = None):
        """None: this key can have no drawn value."""
        kind = kind or key["type"]
        if "choices" in key:
            return self.chance.choice(key["choices"])
        if kind == "flag":
            return self.often(0.5)
        if key["name"] == "node":
            return self.chance.randrange(self.nodes)
        if kind in ("whole", "number"):
            return int(self.number(key, True)) if kind == "whole" else self.number(key, False)
        if kind == "free-table" and key["element"] in ("whole", "number"):
            names = next(names for word, names in NAMES if word in key["name"])
            return {name: self.value(key, key["element"]) for name in names}
        return None

    # --- tables ---

    def draw_cluster(self) -> None:
        self.kinds = self.chance.choice([(), (), (), ("cpu",), ("cpu", "mem")])
        groups, has_slots = [], not self.kinds or self.often(0.7)
        for _ in range(self.chance.choice([1, 1, 1, 2])):
            group: dict = {"count": self.chance.randint(1, 5)}
            if has_slots:
                group["slots_per_node"] = self.chance.randint(1, 4)
            if self.kinds:
                group["resources"] = {kind: self.chance.randint(3, 8) for kind in self.kinds}
            if self.often(0.3):
                group["slowdown"] = self.chance.choice([0.5, 1.5, 3])
            groups.append(group)
        self.nodes = sum(group["count"] for group in groups)
        if len(groups) == 1 and "slowdown" not in groups[0]:
            [group] = groups
            self.tables["cluster"] = {"nodes": group.pop("count"), **group}
        else:
            self.tables["cluster.group"] = groups
        if self.kinds:
            self.header["resources"] = list(self.kinds)

    def draw_scheduler(self) -> None:
        preset = self.chance.choice(sorted(self.rows.presets)) if self.often(0.5) else None
        chosen = {"policy": preset} if preset else {}
        for key in self.rows.kinds():
            is_needed = not preset and default_of(key) is None
            if is_needed or self.often(0.15 if preset else 0.4):
                chosen[key["name"]] = self.value(key)
        if self.often(0.15):
            chosen["cycle_s"] = round(self.chance.uniform(0, 5), 2)
        self.tables["scheduler"] = chosen

    def part(self, kind: str) -> str:
        """The part of that kind that the config comes to."""
        preset = self.rows.presets.get(self.tables["scheduler"].get("policy", ""), {})
        default = next((default_of(key) for key in self.rows.kinds() if key["name"] == kind), None)
        return self.tables["scheduler"].get(kind) or preset.get(kind) or default or ""

    def is_read(self, condition: str) -> bool:
        """Of a condition as the program words it: `a.b = "x" or "y", or c.d = more than 0`."""
        ways = re.findall(r'([\w.]+) = (.*?)(?=, or [\w.]+ = |\)?$)', condition)
        for path, needed in ways:
            table, _, key = path.rpartition(".")
            found = self.tables.get(table, {}).get(key) if table != "scheduler" else self.part(key)
            names = re.findall(r'"([^"]*)"', needed)
            if (found in names) if names else bool(found):
                return True
        return not ways

    def draw_keys(self) -> None:
        parts = {self.part(kind) for kind in [*(key["name"] for key in self.rows.kinds()), "whole"]}
        for name, keys in self.rows.tables.items():
            of_part = name.startswith("scheduler.")
            if name in NOT_DRAWN or (of_part and name.removeprefix("scheduler.") not in parts):
                continue
            if not of_part and not (self.is_read(self.rows.only_with[name]) and self.often(CHANCE.get(name, ELSE))):
                continue
            table = self.tables.setdefault(name, {})
            share = self.chance.choice(SHARES)
            for key in sorted(keys, key=lambda key: "only_with" in key):
                if f"{name}.{key['name']}" in NOT_DRAWN or not self.is_read(key.get("only_with", "")):
                    continue
                if self.often(share) and (value := self.value(key)) is not None:
                    table[key["name"]] = value
            if not table:
                del self.tables[name]
        self.tables.setdefault("run", {})["until_s"] = RUN_ENDS_S
        if "external" in parts:
            self.tables["scheduler.external"] = dict(EXTERNAL[self.part("whole") == "external"])

    def draw_faults(self) -> None:
        if not self.often(0.3):
            return
        keys = self.rows.tables["faults.event"]
        self.tables["faults.event"] = [
            {key["name"]: self.value(key) for key in keys if key["default"] == "required" or self.often(0.7)}
            for _ in range(self.chance.randint(1, 3))]

    # --- the workload ---

    def draw_jobs(self) -> list[dict]:
        """Each workload has some of these features, and then some of its jobs or stages have them."""
        nodes, chance = self.nodes, self.chance
        share = chance.choice(SHARES)
        features = {feature for feature in (
            "gang", "exclusive", "affinity", "dag", "work", "cold", "after", "user", "weight", "queue", "account",
            "qos", "nice", "app", "warmup", "estimate", "curve", "wide") if self.often(share)}
        has_limits = self.often(0.6)
        slots = max(1, sum(group.get("slots_per_node", 2) * group.get("count", nodes) for group in
                           self.tables.get("cluster.group", [self.tables.get("cluster", {})])))

        def has(feature: str) -> bool:
            return feature in features and self.often(0.5)

        def stage_of(label: int) -> dict:
            tasks = chance.randint(1, slots if "wide" in features else min(slots, 3))
            stage: dict = {"durations": [self.duration() for _ in range(tasks)]}
            if has("cold"):
                stage["fresh"] = [round(2 * each, 3) for each in stage["durations"]]
            elif has("work"):
                stage = {"work": self.duration()}
            if label:
                stage["parents"] = [parent for parent in range(label) if self.often(0.5)]
            if self.kinds and self.often(0.8):
                stage["demand"] = {kind: chance.randint(0, 3) for kind in self.kinds}
            if has("affinity"):
                stage["affinity"] = sorted(chance.sample(range(nodes), chance.randint(1, min(2, nodes))))
            if "work" not in stage and has("gang"):
                stage["gang"] = True
            if ("gang" in stage or len(stage.get("durations", ())) == 1) and has("exclusive"):
                stage["exclusive"] = True
            return stage

        jobs, submit = [], 0.0
        for at in range(chance.randint(1, chance.choice([3, 10, 30]))):
            job: dict = {"job": f"j{at}", "submit": round(submit, 3)}
            choices = {"user": ("ann", "bob"), "weight": (0.5, 2), "queue": QUEUES, "account": ACCOUNTS, "qos": QOS,
                       "nice": (-5, 10), "app": ("sort", "join"), "warmup": (1, 2.5), "estimate": (1, 50)}
            job |= {key: chance.choice(values) for key, values in choices.items() if has(key)}
            if has_limits:
                job["limit_s"] = round(chance.uniform(1, 100), 3)
            if at and has("after"):
                job |= {"after": f"j{chance.randrange(at)}", "think": chance.choice([0, 1.5])}
            count = chance.randint(2, 4) if has("dag") else 1
            job["stages"] = [stage_of(label) for label in range(count)]
            if has("curve"):
                job["progress"] = [round(1 - 0.5 ** slot, 3) for slot in range(1, slots + 1)]
            jobs.append(job)
            submit += chance.choice([0, 0, chance.expovariate(0.2)])
        return jobs

    def duration(self) -> float:
        return self.chance.choice([0.001, 1, 5, round(self.chance.uniform(0.1, 30), 3)])

    def draw_origin(self) -> None:
        """Mostly the jobs that were drawn, now and then a generator's."""
        table = self.tables.pop("workload", {})
        if self.kinds or self.often(0.93):
            self.tables["workload"] = {"file": "w.jsonl", **table}
            return
        name = self.chance.choice(sorted(self.rows.generators))
        few = {key["name"]: self.chance.randint(1, 4) for key in self.rows.generators[name]
               if re.search("jobs$|^tasks|tasks$|^mice", key["name"])}
        library = {"library": "w.jsonl"} if name == "dag-library" else {}
        self.tables["workload"] = {"generator": name, **few, **library}


def draw(rows: Rows, seed) -> dict:
    drawn = Draw(rows, seed)
    return {"tables": drawn.tables, "header": drawn.header, "jobs": drawn.jobs}


def chosen_in(composition: dict) -> set[tuple[str, str, str]]:
    """As Rows.choices() has them."""
    return {(name, key, value) for name, table in composition["tables"].items()
            for each in (table if isinstance(table, list) else [table]) for key, value in each.items()
            if isinstance(value, str)}


# --- what the program refuses ---


def leave_out(composition: dict, key: str, rows: Rows, chance: random.Random) -> None:
    """A key as a message has it, such as faults.event[0].for_s, or a table; of a part that is required another one
    is chosen."""
    tables = composition["tables"]
    tables.pop(key, None)
    found = re.fullmatch(r"(.+?)(?:\[(\d+)\])?\.([^.]+)", key)
    table = tables.get(found[1], {}) if found else {}
    if isinstance(table, list):
        table = dict(enumerate(table)).get(int(found[2] or 0), {})
    if not found:
        return
    table.pop(found[3], None)
    required = [part for part in rows.kinds() if default_of(part) is None]
    for part in required if found[1] == "scheduler" and "policy" not in table else []:
        table.setdefault(part["name"], chance.choice(part["choices"]))


def repair(composition: dict, lines: list[str], rows: Rows, chance: random.Random) -> None:
    """Changes what a refusal blames in one of the ways that are left: its hint is followed, what it blames is left
    out, or what stands in the way of that, in the cluster or the jobs."""
    tables = composition["tables"]
    for line in lines:
        blamed = re.match(r"\S+?: ([\w.+\[\]-]+): ", line)
        hinted = re.findall(r'([a-z]\w*\.\w+) = ((?:"[^"]+"(?:, | or )?)+)', line.partition("; ")[2])
        if "cluster has resources" in line and chance.random() < 0.5:
            composition["header"].pop("resources", None)
            for stage in stages_of(composition):
                stage.pop("demand", None)
            for group in tables.get("cluster.group", [tables.get("cluster")]):
                group.pop("resources", None)
                group.setdefault("slots_per_node", 2)
        elif re.search(r"gang|whole nodes|exclusive", line) and chance.random() < 0.4:
            for stage in stages_of(composition):
                stage.pop("exclusive", None)
                if "whole nodes" not in line:
                    stage.pop("gang", None)
        elif table := re.search(r"leave \[(\w+)\] out", line):
            tables.pop(table[1], None)
        elif hinted and ": ignored with" not in line and chance.random() < 0.6:
            for path, names in hinted:
                table, _, name = path.rpartition(".")
                tables.setdefault(table, {})[name] = chance.choice(re.findall(r'"([^"]+)"', names))
        elif "scheduler.external.command" in line:
            tables["scheduler.external"] = dict(EXTERNAL[0])
        elif blamed:
            leave_out(composition, blamed[1], rows, chance)


def stages_of(composition: dict) -> list[dict]:
    return [stage for job in composition["jobs"] for stage in job["stages"]]


# --- as files ---


def toml_value(value) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value)


def toml_of(tables: dict) -> str:
    text = ""
    for name, table in tables.items():
        for each in table if isinstance(table, list) else [table]:
            text += f"[[{name}]]\n" if isinstance(table, list) else f"[{name}]\n"
            text += "".join(f"{key} = {toml_value(value)}\n" for key, value in each.items())
    return text


def write(composition: dict, folder: Path, name: str) -> None:
    """NAME.toml, and the workload beside it."""
    tables = deepcopy(composition["tables"])
    workload = tables.get("workload", {})
    for key in ("file", "library"):
        if key in workload:
            workload[key] = f"{name}.jsonl"
    (folder / f"{name}.toml").write_text(toml_of(tables))
    lines = [composition["header"], *composition["jobs"]]
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
