"""Small worlds to run, and what their logs say."""

import json
import re
from contextlib import contextmanager
from pathlib import Path

import somnus_program  # before h5py: it sets how HDF5 locks files
from somnus_program import expect, expect_equal

import h5py
import numpy as np

FINISHED, FAILED, LOST, UNFINISHED, RETURNED, KILLED, SUSPENDED = range(7)  # outcomes in /tasks


SMALL_EXPERIMENT = """
[cluster]
nodes = 4
slots_per_node = 2
[scheduler]
policy = "fair"
[workload]
generator = "google"
jobs = 40
span_s = 400
median_task_s = 20
max_task_s = 60
"""


def write_config(folder: Path, name: str = "config.toml", nodes: int = 4, slots: int = 2,
                 policy: str = "fair", more: str = "", workload: str = "workload.jsonl",
                 scheduler: str = "") -> Path:
    """A cluster, a policy and a workload; `scheduler` and `more` are TOML as it stands."""
    path = folder / name
    path.write_text(f'[cluster]\nnodes = {nodes}\nslots_per_node = {slots}\n\n'
                    f'[scheduler]\npolicy = "{policy}"\n{scheduler}\n'
                    f'[workload]\nfile = "{workload}"\n\n{more}')
    return path


def write_workload(folder: Path, jobs: list[dict], name: str = "workload.jsonl",
                   resources: list[str] | None = None) -> Path:
    header = {"somnus_workload": 1, "name": Path(name).stem}
    if resources:
        header["resources"] = resources
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *jobs]))
    return path


def slow_node(slowdown: float) -> str:
    """A config of four nodes of one slot, first come, first served, the last of them so slow."""
    return f"""
[cluster]
[[cluster.group]]
count = 3
slots_per_node = 1
[[cluster.group]]
count = 1
slots_per_node = 1
slowdown = {slowdown}
[scheduler]
policy = "fifo"
[workload]
file = "workload.jsonl"
"""


def mixed_jobs(count: int = 12, gap_s: float = 0.1, task_s: float = 0.15) -> list[dict]:
    """Narrow and wide jobs, of one and of three stages, two users, two applications."""
    jobs = []
    for at in range(count):
        job = {"job": f"j{at}", "submit": round(at * gap_s, 6), "user": "ann" if at % 2 else "bob",
               "app": "sort" if at % 3 else "join"}
        if at % 4 == 3:
            job["stages"] = [
                {"stage": 0, "tasks": 5, "duration": task_s},
                {"stage": 1, "tasks": 3, "duration": task_s / 2},
                {"stage": 2, "parents": [0, 1], "durations": [task_s, task_s * 1.5]},
            ]
        else:
            job["durations"] = [round(task_s * (1 + 0.1 * k), 6) for k in range(1 + at % 5)]
        jobs.append(job)
    return jobs


def long_jobs(tasks: int = 20_000, task_s: float = 0.2) -> list[dict]:
    """More than any test waits for."""
    return [{"job": "long", "submit": 0, "stages": [{"tasks": tasks, "duration": task_s}]}]


def tasks_of(jobs: list[dict]) -> int:
    def width(stage: dict) -> int:
        return stage.get("tasks") or len(stage["durations"])

    return sum(width(stage) for job in jobs for stage in job.get("stages", [job]))


def rows_that_count(file: h5py.File, table: str) -> int:
    """Those that have a seal: a killed run may leave others behind them, which were not all written."""
    tables = [name.decode() for name in file["seals"].attrs["tables"]]
    if f"/{table}" not in tables:
        return file[table].shape[0]
    seals = file["seals"][...]
    own = seals[seals["table"] == tables.index(f"/{table}")]
    return int((own["first"] + own["rows"]).max(initial=0))


def row_count(log: Path, table: str = "tasks") -> int:
    """Rows that a reader of a growing log sees; 0 while it can't be opened yet."""
    try:
        with h5py.File(log, "r", libver="latest", swmr=True) as file:
            return rows_that_count(file, table)
    except (OSError, KeyError):
        return 0


def open_cut_off(log: Path) -> h5py.File:
    """The log of a run that ended badly: whole, or as a dead writer leaves it."""
    try:
        return h5py.File(log, "r")
    except OSError:
        return h5py.File(log, "r", libver="latest", swmr=True)


def rows(log: Path, table: str):
    """Of a table, as an array."""
    with h5py.File(log, "r") as file:
        return file[table][()]


def change(log: Path, table: str, column: str, row: int, to) -> None:
    """Forges a cell: `to` says what its number becomes."""
    with h5py.File(log, "r+") as file:
        cells = file[table][()]
        cells[column][row] = to(cells[column][row])
        file[table][...] = cells


def simulated(folder: Path, *options, jobs: list[dict] | None = None, log: str = "log.h5",
              **config) -> Path:
    """The log of a simulation of these jobs, else of mixed ones; `config` as write_config has it."""
    write_workload(folder, mixed_jobs() if jobs is None else jobs)
    somnus_program.somnus(folder, "simulate", write_config(folder, **config), "--log", log, "-q",
                          *options).expect(somnus_program.FINE)
    return folder / log


def summary_of(folder: Path, workload: str, *options, config: str = "config.toml") -> dict:
    """Of a simulation first come, first served, on ten slots; `workload` is TOML as it stands."""
    (folder / config).write_text('[cluster]\nnodes = 5\nslots_per_node = 2\n[scheduler]\npolicy = "fifo"\n'
                                 f"[workload]\n{workload}\n")
    ended = somnus_program.somnus(folder, "simulate", config, "--json", *options)
    [summary] = json.loads(ended.expect(somnus_program.FINE).out)
    return summary


def raw_datasets(log: Path) -> dict[str, bytes]:
    """Each dataset's bytes."""
    found = {}
    with h5py.File(log, "r") as file:
        def keep(name, node):
            if isinstance(node, h5py.Dataset):
                found[name] = node[()].tobytes()
        file.visititems(keep)
    expect("tasks" in found and "decisions/launch" in found, f"{log} has only {sorted(found)}")
    return found


def names(file: h5py.File, kind: str) -> list[str]:
    return [name.decode() for name in file[f"names/{kind}"][()]]


def finished_tasks(log: Path) -> set[tuple[str, int, int]]:
    """(job, stage of the log, index) of all tasks that have finished."""
    with h5py.File(log, "r") as file:
        jobs = names(file, "jobs")
        rows = file["tasks"][()]
        return {(jobs[row["job"]], int(row["stage"]), int(row["index"]))
                for row in rows if row["outcome"] == FINISHED}


def rows_of(path: Path) -> dict[str, np.ndarray]:
    """Each column by table.column, and the names by their dataset."""
    found = {}

    def visit(name: str, item: object) -> None:
        if not isinstance(item, h5py.Dataset) or name == "seals":
            return
        rows = item[()]
        if rows.dtype.names is None:
            found[name.replace("/", ".")] = rows
            return
        for column in rows.dtype.names:
            if column != "seal":
                found[f"{name.replace('/', '.')}.{column}"] = rows[column]

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


def differences(old: dict[str, np.ndarray], new: dict[str, np.ndarray]) -> list[str]:
    lines = [f"only the old log has {name}" for name in sorted(old.keys() - new.keys()) if len(old[name])]
    lines += [f"only the new log has {name}" for name in sorted(new.keys() - old.keys()) if len(new[name])]
    for name in sorted(old.keys() & new.keys()):
        a, b = old[name], new[name]
        if len(a) != len(b):
            lines.append(f"{name}: {len(a)} rows, now {len(b)}")
            continue
        equal = np.equal(a, b)
        if a.dtype.kind == "f":
            equal |= np.isnan(a) & np.isnan(b)
        if not equal.all():
            first = int(np.argmin(equal))
            lines.append(f"{name}: {int((~equal).sum())} of {len(a)} rows, the first at {first}: "
                        f"{a[first]}, now {b[first]}")
    return lines


def expect_clean(folder: Path, log: Path, complete: bool = True) -> None:
    """A plain open, check and replay find nothing wrong, and it has rows."""
    with h5py.File(log, "r") as file:
        expect_equal(int(file.attrs["complete"]), int(complete), "complete")
        expect(file["tasks"].shape[0] > 0, "no task in the log")
        expect(file["decisions/launch"].shape[0] > 0, "no launch in the log")
    checked = somnus_program.somnus(folder, "check", log)
    broken = [line for line in checked.out.splitlines() if line.startswith("BROKEN")]
    expect(not broken, "\n".join(broken))
    checked.expect(somnus_program.FINE, "holds")
    somnus_program.somnus(folder, "replay", log).expect(somnus_program.FINE, "every one equal")
    somnus_program.somnus(folder, "replay", "--recorded", log).expect(somnus_program.FINE, "could be made")


def emulated(folder: Path, jobs: list[dict], config: Path | str, ranks: int = 3,
             mpi_ranks: int = 0) -> Path:
    """The log of a run that has finished all tasks of these jobs, and is clean."""
    log = folder / "run.h5"
    more = [] if mpi_ranks else ["--ranks", ranks]
    somnus_program.somnus(folder, "run", config, "--log", log, "-q", *more,
                          mpi_ranks=mpi_ranks).expect(somnus_program.FINE)
    expect_equal(len(finished_tasks(log)), tasks_of(jobs), "tasks that finished")
    expect_clean(folder, log)
    return log


@contextmanager
def running(folder: Path, config: Path | str, rows: int, ranks: int = 3, mpi_ranks: int = 0,
            log: str = "run.h5"):
    """A run whose log has so many rows of tasks."""
    more = [] if mpi_ranks else ["--ranks", ranks]
    with somnus_program.start(folder, "run", config, "--log", log, "-q", *more,
                              mpi_ranks=mpi_ranks) as run:
        wait_for_rows(run, folder / log, rows)
        yield run


def long_run(folder: Path, rows: int = 20, **how):
    """The same of more tasks than any test waits for."""
    write_workload(folder, long_jobs())
    return running(folder, write_config(folder), rows, **how)


def wait_for_rows(run: somnus_program.Run, log: Path, rows: int) -> None:
    run.until(lambda: row_count(log) >= rows, f"{log.name} had {rows} tasks")


def expect_recoverable(folder: Path, log: Path, rows: int) -> None:
    """What was flushed is there, as it was left and after recovery; then all is clean."""
    with open_cut_off(log) as file:
        before = rows_that_count(file, "tasks")
        expect_equal(int(file.attrs["complete"]), 0, "complete")
    expect(before >= rows, f"{before} tasks in the log, {rows} had been seen in it")
    somnus_program.somnus(folder, "recover", log).expect(somnus_program.FINE)
    expect(not Path(f"{log}.journal").exists(), "recover left its journal")
    with h5py.File(log, "r") as file:
        expect(file["tasks"].shape[0] >= before, "recover lost rows")
    expect_clean(folder, log, complete=False)


def expect_narrow(text: str, what: str) -> None:
    """Each line fits a terminal of 80 columns. How far a command is, is cut to a terminal's width, and whole elsewhere."""
    for line in text.splitlines():
        expect(len(line) <= 80 or re.search(r"\d %, (\d+ s left|rank \d+ silent|running)", line),
               f"{what} prints {len(line)} columns: {line}")
