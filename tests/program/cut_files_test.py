"""`somnus import` of every format, whole and cut off: with and without -o it ends alike and finds the same, and a
file that ends within a line is not taken for a whole one without a word."""

import json
from pathlib import Path

from somnus_program import FINE, MISTAKE, each, expect, expect_equal, somnus

TABLES = Path(__file__).resolve().parents[1] / "data/parquet"
SPARK = """\
{"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":5,"Stage Infos":[{"Stage ID":0,"Number of Tasks":1}]}
{"Event":"SparkListenerTaskEnd","Stage ID":0,"Task End Reason":{"Reason":"Success"},\
"Task Info":{"Index":0,"Launch Time":5,"Finish Time":7}}
{"Event":"SparkListenerJobEnd","Job ID":0,"Completion Time":7}
{"Event":"SparkListenerApplicationEnd","Timestamp":8}
"""
DECIMA = '{"query":%d,"size_gb":50,"num_stages":1,"stages":[{"stage":0,"num_tasks":1,"parents":[],\
"spark_stage_id":[0],"executors":{"2":{"fresh":[9],"first":[9],"rest":[1]}}}]}\n'
SAMPLES = {
    "alibaba2018": "M1,2,j_1,A,Terminated,10,20,100,0.5\nR2_1,2,j_1,A,Terminated,20,30,100,0.25\n",
    "carbyne-dags": "# 0\n2 0\nMap 5 0.2 0.2 0 0 0 0 3\nRed 5 0.2 0.2 0 0 0 0 3\n1\nMap Red ata\n",
    "csv": "submit,duration_s\n1,25\n2,35\n",
    "decima": DECIMA % 7 + DECIMA % 8,
    "google2011": "#Time stamp\n5,,1,0,,1,ann,3,9,0.1,0.1,0.1,0\n6,,1,0,,4,ann,3,9,0.1,0.1,0.1,0\n",
    "google-uwfq": "workflow_id,ts_submit,runtime,resource_amount_requested,user_id\n6,0,1000,1,u\n7,1,1000,1,uv\n",
    "native": '{"somnus_workload": 1}\n{"job": "a", "submit": 0, "durations": [1]}\n',
    "opendc": TABLES / "opendc_tasks.parquet",
    "parquet": TABLES / "instants.parquet",
    "sacct": "JobID|Submit|ElapsedRaw|NCPUS\n7|2024-05-01T12:30:59|9|2\n8|2024-05-01T12:31:59|9|12\n",
    "sls": '{"job.id": "a",\n"job.tasks": [{"duration.ms": 5}]}\n{"job.tasks":\n[{"duration.ms": 7}]}\n',
    "spark": SPARK,
    "swf": "; MaxProcs: 4\n1 0 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n2 5 0 9 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 12\n",
    "swim": "job0\t49\t49\t740773\t2339561\t627471\njob1\t59\t10\t740773\t2339561\t627471\n",
    "tr": "0 1 1 1\n5 2 15 12 18\n",
    "wfformat": '{"schemaVersion": "1.5", "workflow":\n{"tasks": [{"id": "a", "parents": [], '
                '"runtimeInSeconds": 1}]}}\n',
    "wta": TABLES / "wta.parquet",
}
FINDINGS = ("format", "config", "assumed", "unused", "left_out", "warnings", "choices", "workload")


def bytes_of(name: str) -> bytes:
    sample = SAMPLES[name]
    return sample.encode() if isinstance(sample, str) else sample.read_bytes()


def imported(folder, name: str, text: bytes):
    """Its exit code, mistakes and findings, the same with and without -o."""
    (folder / "trace").write_bytes(text)
    (folder / "w.jsonl").unlink(missing_ok=True)
    words = ["import", "trace", "--format", name, "--json"]
    dry, wet = somnus(folder, *words), somnus(folder, *words, "-o", "w.jsonl")
    found = [json.loads(ended.out) if ended.out else {} for ended in (dry, wet)]
    ends = [(ended.code, ended.err, {key: one.get(key) for key in FINDINGS}) for ended, one in zip((dry, wet), found)]
    expect_equal(ends[0], ends[1], f"{name} of {len(text)} bytes without and with -o")
    expect(dry.code in (FINE, MISTAKE), f"exit {dry.code}")
    expect_equal((folder / "w.jsonl").exists(), wet.code == FINE, "a file was written")
    return ends[0]


def test_all_formats_have_a_sample(folder):
    listed = json.loads(somnus(folder, "workload", "import", "--json").expect(FINE).out)
    expect_equal(sorted(SAMPLES), sorted(one["name"] for one in listed), "formats")


@each({name: name for name in SAMPLES})
def test_import_without_an_output_ends_as_with_one(folder, name):
    whole = bytes_of(name)
    code, said, found = imported(folder, name, whole)
    expect_equal((code, said, found["warnings"]), (FINE, "", []), "the whole file")
    for cut in (0, 1, len(whole) // 3, len(whole) // 2, len(whole) - 7):
        imported(folder, name, whole[:cut])


@each({name: name for name in SAMPLES if name not in ("sls", "wfformat")})
def test_a_file_that_ends_within_its_last_line_is_no_whole_one(folder, name):
    whole = bytes_of(name)
    code, _, found = imported(folder, name, whole[:-2])
    expect(code == MISTAKE or found["warnings"], f"{name}: {found}")
