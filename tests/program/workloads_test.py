"""workload make, import and show: files that people can read, again and again the same."""

import gzip
import json
import re

from logs import summary_of
from somnus_program import FINE, MISTAKE, each, expect_equal, somnus

GENERATORS = {"google": ["jobs=40", "max_task_s=200"],
              "fixed": ["jobs=4", "tasks=3", "stages=2", "duration_s=2", "interval_s=5"],
              "elephant-and-mice": ["mice=7"],
              "uwfq-scenario-1": ["work_s=4", "skew=5"],
              "uwfq-scenario-2": ["estimate_factor=0.127"],
              "multi-user": ["poisson_users=3", "burst_jobs=4", "weight_high=2"],
              "gridmix-fixed": ["jobs=9", "jobs_active=3", "task_s=2"],
              "gridmix-mixed": ["jobs=9", "tasks_per_job=20", "share_short=0.5"],
              "gridmix-ms": ["jobs=9", "tasks_per_job=20", "extra_s=500", "queue_b_share=0.5"],
              "hive-ms": ["jobs=9", "within=0.5", "jobs_active=2"],
              "dag-library": ["library=library.tr", "jobs=9", "arrivals=ceil-normal",
                              "interarrival_s=3", "draw=uniform"],
              "dags": ["jobs=9", "like=tpc-h", "max_tasks=4", "max_task_s=9"],
              "sparkbench": ["jobs=4", "tasks=6", "iterations=3", "closed=true"]}
SLOTS = 10


def made(folder, generator, output):
    if generator == "dag-library":
        (folder / "library.tr").write_text("0 3 2.0 1.0 2.0 3.0\n1 1 4 4\n")
    sets = [word for setting in GENERATORS[generator] for word in ("--set", setting)]
    somnus(folder, "workload", "make", generator, *sets, "-o", output).expect(FINE, output)
    raw = (folder / output).read_bytes()
    return gzip.decompress(raw) if output.endswith(".gz") else raw


def jobs_in(text: bytes) -> list[dict]:
    header, *jobs = map(json.loads, text.splitlines())
    expect_equal(header["somnus_workload"], 1, "version in the header")
    return jobs


def shown(folder, file) -> dict[str, str]:
    lines = somnus(folder, "workload", "show", file).expect(FINE).out.splitlines()
    pairs = (re.split(r"  +", line.strip(), maxsplit=1) for line in lines)
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


@each(list(GENERATORS))
def test_what_is_made_is_shown_and_summary_of(folder, generator):
    jobs = jobs_in(made(folder, generator, "w.jsonl.gz"))
    page = shown(folder, "w.jsonl.gz")
    expect_equal(int(page["jobs"]), len(jobs), "jobs shown")
    result = summary_of(folder, 'file = "w.jsonl.gz"')
    expect_equal(result["jobs_finished"], len(jobs), "jobs simulated")
    divisible = int(page.get("of them divisible", 0))
    tasks = int(page["tasks of the others" if divisible else "tasks"])
    expect_equal(result["tasks_finished"], tasks + SLOTS * divisible, "tasks simulated")


def test_generators_are_listed_with_their_parameters(folder):
    listed = somnus(folder, "workload", "make").expect(FINE, *GENERATORS)
    for settings in GENERATORS.values():
        listed.expect(FINE, *[setting.split("=")[0] for setting in settings])


def test_a_trace_of_sparrow_is_imported(folder):
    (folder / "t.tr").write_text("10.5 3 2.0 1.0 2.0 3.0\n11.5 1 4 4\n")
    somnus(folder, "workload", "import", "tr", "t.tr", "-o", "t.jsonl").expect(FINE)
    jobs = jobs_in((folder / "t.jsonl").read_bytes())
    expect_equal([job["submit"] for job in jobs], [0, 1], "submits, from the first on")
    expect_equal([job["durations"] for job in jobs], [[1, 2, 3], [4]], "durations")
    expect_equal(shown(folder, "t.tr")["slot-time"], "10 s", "slot-time of the trace")
    for file in ("t.tr", "t.jsonl"):
        expect_equal(summary_of(folder, f'file = "{file}"')["tasks_finished"], 4, f"tasks of {file}")


GOOGLE_ROWS = """workflow_id,ts_submit,runtime,resource_amount_requested,user_id
6,1000,8000,0.25,-7
7,2500,1000,0.5,12
7,2500,2000,0.5,12
8,2600,90000,1,12
"""


def test_a_config_has_the_parameters_of_its_workloads_format(folder):
    (folder / "g.csv").write_text(GOOGLE_ROWS)
    result = summary_of(folder, 'file = "g.csv"\nformat = "google-uwfq"\nchain = false')
    expect_equal(result["tasks_finished"], 3, "tasks")
    somnus(folder, "simulate", "config.toml", "--set", "workload.flter=0").expect(
        MISTAKE, "--set workload.flter=0: workload.flter: unknown key", "did you mean 'filter'?")


def test_a_library_is_found_from_the_configs_folder(folder):
    (folder / "deep").mkdir()
    (folder / "deep/library.tr").write_text("0 3 2.0 1.0 2.0 3.0\n1 1 4 4\n")
    result = summary_of(folder, 'generator = "dag-library"\nlibrary = "library.tr"\njobs = 4\n'
                        'draw = "round-robin"', config="deep/config.toml")
    expect_equal(result["tasks_finished"], 8, "tasks of two jobs of three and two of one")
    somnus(folder, "simulate", "deep/config.toml", "--set", "workload.library=none.tr").expect(
        MISTAKE, "deep/none.tr: cannot be opened")


def test_a_library_may_change_after_the_run(folder):
    (folder / "library.tr").write_text("0 3 2.0 1.0 2.0 3.0\n1 1 4 4\n")
    summary_of(folder, 'generator = "dag-library"\nlibrary = "library.tr"\njobs = 4', "--log", "log.h5")
    somnus(folder, "check", "log.h5").expect(FINE, "from the workload itself")
    (folder / "library.tr").write_text("0 3 2.0 1.0 2.0 3.5\n1 1 4 4\n")
    somnus(folder, "check", "log.h5").expect(
        FINE, "a file may have changed since", "the workload is another one by now")


def test_formats_are_listed_with_their_parameters(folder):
    somnus(folder, "workload", "import").expect(FINE, "native: ", "tr: ", "google-uwfq: ",
                                                "  filter ", "  chain ", "  name_users ",
                                                "alibaba2018: ", "  skip_broken ")


@each({
    "an unknown generator": (["make", "gogle"], "did you mean 'google'?"),
    "an unknown parameter": (["make", "google", "--set", "jbs=2"], "did you mean 'jobs'?"),
    "a parameter out of range": (["make", "google", "--set", "jobs=0"], "jobs"),
    "a parameter without value": (["make", "google", "--set", "jobs"], "NAME=VALUE"),
    "an unknown parameter of a format": (["import", "google-uwfq", "t.tr", "--set", "scal=2"],
                                         "did you mean 'scale'?"),
    "a parameter of a format without any": (["import", "tr", "t.tr", "--set", "scale=2"],
                                            "format tr has no parameters"),
    "no trace": (["import", "tr"], "the file to import is missing"),
    "an unknown format": (["import", "tx", "t.tr"], "did you mean 'tr'?"),
    "a bad line in a trace": (["import", "tr", "bad.tr"], "bad.tr:2:"),
    "a missing trace": (["import", "tr", "none.tr"], "none.tr"),
})
def test_a_mistake_leaves_no_file(folder, case):
    arguments, words = case
    (folder / "t.tr").write_text("0 1 4 4\n")
    (folder / "bad.tr").write_text("0 1 4 4\n1 2 4 4 x\n")
    somnus(folder, "workload", *arguments, "-o", "out.jsonl").expect(MISTAKE, words)
    left = sorted(path.name for path in folder.iterdir())
    expect_equal(left, ["bad.tr", "t.tr"], "files")
