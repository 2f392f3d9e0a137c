"""A config from a site's slurm.conf: what it says, what it can't, and what is wrong with the file."""

import json
import pathlib
import re

from logs import rows
from somnus_program import FINE, MISTAKE, expect, expect_equal, somnus


def private_slurm(scheduler):
    """As tests/slurm/private_slurm.sh writes it, and the recordings of ../shared/traces/slurm_real were made with."""
    script = (pathlib.Path(__file__).parents[1] / "slurm/private_slurm.sh").read_text()
    text = re.search(r"<<CONF\n(.*?)\nCONF\n", script, re.DOTALL)[1]
    lines = f"SchedulerType=sched/{scheduler}\nSchedulerParameters=bf_interval=1,bf_resolution=1,sched_interval=1\nPriorityType=priority/basic"
    return re.sub(r"\$\{?(\w+)(\[\d\])?\}?", lambda name: {"cpus": "32", "lines": lines, "ports": "10001"}.get(name[1], "here"), text)


SITE = """
SchedulerParameters=bf_window=2880,bf_continue,default_queue_depth=200
selecttypeparameters=CR_Core_Memory
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=5000
PriorityWeightQOS=2000
PriorityMaxAge=14-0
PriorityDecayHalfLife=1-12
PriorityFlags=DEPTH_OBLIVIOUS
AccountingStorageType=accounting_storage/slurmdbd
OverTimeLimit=5
PreemptType=preempt/qos
NodeName=DEFAULT Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=192000
NodeName=n[001-100]
NodeName=fat[1-4] CPUs=64 Weight=10
NodeName=g[1-3] Gres=gpu:4
NodeName=n[101-110] State=DOWN Reason="being replaced"
PartitionName=DEFAULT MaxTime=3-0
PartitionName=batch Nodes=n[001-105],fat[1-2],lost1
PartitionName=gpu Nodes=g[1-3]
Licenses=matlab:5
SelectType=select/cons_tres
DownNodes=fat2 State=DOWN
DownNodes=g3 State=DOWN
"""
JOBS = """JobID|User|Submit|Start|End|ElapsedRaw|AllocCPUS|TimelimitRaw|State
1|ann|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:01:00|60|48|2|COMPLETED
2|bob|2026-01-01T00:00:10|2026-01-01T00:01:00|2026-01-01T00:01:30|30|32|1|COMPLETED
"""


def converted(folder, text, *words):
    (folder / "slurm.conf").write_text(text)
    return somnus(folder, "config", "--from-slurm", "slurm.conf", *words)


def keys_of(config):
    """What is set, without comments."""
    return [line for line in config.splitlines() if line and not line.startswith("#")]


def test_the_site_of_the_recordings(folder):
    for scheduler, backfill in (("builtin", "none"), ("backfill", "slurm")):
        made = converted(folder, private_slurm(scheduler)).expect(FINE)
        expect_equal(made.err, "", "warnings")
        cycles = [] if backfill == "none" else [
            "slurm.bf_interval_s = 1", "slurm.bf_resolution_s = 1", "slurm.sched_interval_s = 1"]
        expect_equal(keys_of(made.out), [
            "[[cluster.group]]", "name = \"n1\"", "count = 1", "slots_per_node = 32",
            "[[cluster.group]]", "name = \"n2\"", "count = 1", "slots_per_node = 32",
            "[scheduler]", "order = \"fifo\"", "placement = \"any-free\"", f"backfill = \"{backfill}\"", "cycle_s = 1  # Slurm's main loop", *cycles,
            "[workload]", "file = \"jobs.sacct\"", "format = \"sacct\""], "config")
        (folder / "site.toml").write_text(made.out)
        (folder / "jobs.sacct").write_text(JOBS)
        somnus(folder, "simulate", "site.toml", "-q", "--log", "log.h5", "--force").expect(FINE)
        somnus(folder, "check", "log.h5").expect(FINE)
        expect_equal(rows(folder / "log.h5", "jobs")["finish"].tolist(), [60, 90], "ends")


def test_what_a_site_says_and_what_no_config_can(folder):
    made = converted(folder, SITE, "--partition", "batch").expect(FINE)
    expect_equal(keys_of(made.out), [
        "[[cluster.group]]", "name = \"n[001-100]\"", "count = 100", "slots_per_node = 32",
        "[[cluster.group]]", "name = \"fat[1-4] of batch without DownNodes\"", "count = 1", "slots_per_node = 64",
        "[scheduler]", "order = \"priority\"", "placement = \"any-free\"", "backfill = \"slurm\"",
        "cycle_s = 1  # Slurm's main loop", "priority.weight_age = 1000", "priority.weight_fairshare = 5000", "priority.weight_job_size = 0",
        "priority.max_age_s = 1209600", "priority.decay_half_life_s = 129600", "priority.calc_period_s = 300",
        "priority.favor_small = false", "priority.fair_share = \"classic\"", "priority.weight_qos = 2000", "slurm.bf_window_s = 172800",
        "slurm.default_queue_depth = 200", "[limits]", "grace_s = 300",
        "[workload]", "file = \"jobs.sacct\"", "format = \"sacct\"", 'partition_limit_s = { "batch" = 259200 }'], "config")
    expect("JobID,User,Account,QOS,Partition,Submit" in made.out, made.out)
    missing = ["--partition", "SchedulerParameters=bf_continue", "selecttypeparameters=CR_Core_Memory",
               "selecttypeparameters=CR_Core_Memory", "PriorityWeightFairshare=5000", "PriorityWeightQOS=2000",
               "PriorityFlags=DEPTH_OBLIVIOUS", "PreemptType=preempt/qos", "Weight=10", "State=DOWN",
               "Nodes=n[001-105],fat[1-2],lost1", "Licenses=matlab:5", "DownNodes=fat2"]
    listed = re.findall(r"^#   (?:\d+: )?([^ ]+): ", made.out.split("# Its jobs")[0], re.MULTILINE)
    expect_equal(listed, missing, "not carried over")
    for each in missing:
        expect(each in made.err.replace("\n        ", " "), f"{each} is not in {made.err}")
    as_json = json.loads(converted(folder, SITE, "--partition", "batch", "--json", "-q").expect(FINE).out)
    expect_equal([one["setting"] for one in as_json["missing"]], missing, "missing")
    expect_equal([one["line"] for one in as_json["missing"][:3]], [0, 2, 3], "lines")
    (folder / "site.toml").write_text(made.out)
    (folder / "jobs.sacct").write_text(JOBS.replace("AllocCPUS", "AllocCPUS|Partition").replace("|48|2|", "|48|batch|Partition_Limit|")
                                       .replace("|32|1|", "|32|batch|1|"))
    somnus(folder, "simulate", "site.toml", "-q", "--log", "log.h5").expect(FINE)
    limits = rows(folder / "log.h5", "limits")["limit"].tolist()
    expect_equal(limits, [259200, 60], "limits: the partition's, the job's own")


def test_usage_counts_only_with_a_database(folder):
    made = converted(folder, "PriorityType=priority/multifactor\nPriorityWeightFairshare=7\nPriorityWeightAge=8\n"
                     "PriorityWeightJobSize=9\nNodeName=n Procs=2\n")
    made.expect(FINE, "PriorityWeightFairshare=7: Slurm has no such weight without slurmdbd",
                "PriorityWeightAge=8: Slurm has no such weight", "no SelectType: before 23.11 Slurm gives whole nodes",
                "no SelectTypeParameters: memory counts then")
    for line in ("weight_fairshare = 0", "weight_age = 0", "weight_job_size = 9"):
        expect(f"priority.{line}\n" in made.out, made.out)
    expect("slots_per_node = 2\n" in made.out, made.out)


def test_cycles_that_are_off_or_said_twice(folder):
    made = converted(folder, "SchedulerParameters=bf_interval=-1,bf_window=3\nNodeName=n CPUs=2\n").expect(FINE)
    expect("backfill = \"none\"\n" in made.out and "slurm." not in made.out.split("\n# Its jobs")[0].split("[scheduler]")[1], made.out)
    made = converted(folder, "SchedulerParameters=bf_interval=9,bf_interval=8\nNodeName=n CPUs=2\n").expect(FINE)
    expect("slurm.bf_interval_s = 9\n" in made.out and "= 8" not in made.out, made.out)


SHARED = """SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-4] CPUs=8
PartitionName=batch Nodes=n[1-4] Default=YES
PartitionName=debug Nodes=ALL PriorityTier=3 PriorityJobFactor=10
"""
OF_SHARED = """JobID|User|Partition|Submit|Start|End|ElapsedRaw|AllocCPUS|TimelimitRaw|State
1|ann|batch|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:01:00|60|32|2|COMPLETED
2|bob|debug|2026-01-01T00:00:10|2026-01-01T00:01:00|2026-01-01T00:01:30|30|32|1|COMPLETED
"""


def test_partitions_of_the_same_nodes_are_queues(folder):
    """First come, first served in tiers: the second job takes the slots of the first."""
    made = converted(folder, SHARED).expect(FINE)
    for line in ('order = "priority"', "priority.weight_age = 0", 'priority.tiers = { "batch" = 1, "debug" = 3 }', 'preemption = "requeue"'):
        expect(f"{line}\n" in made.out, made.out)
    expect("Not carried over" not in made.out and "partition_factors" not in made.out and "User,Account,QOS,Partition,Submit" in made.out, made.out)
    (folder / "site.toml").write_text(made.out)
    (folder / "jobs.sacct").write_text(OF_SHARED)
    somnus(folder, "simulate", "site.toml", "-q", "--log", "site.h5").expect(FINE)
    somnus(folder, "check", "site.h5").expect(FINE)
    expect_equal([int(row["stage"]) for row in rows(folder / "site.h5", "decisions/preemption")], [0], "preempted")
    with_weights = converted(folder, "PriorityType=priority/multifactor\nPriorityWeightPartition=50\n" + SHARED.replace("REQUEUE", "CANCEL"))
    with_weights.expect(FINE, "PreemptType=preempt/partition_prio: no job is preempted", "PreemptMode=CANCEL: no job is preempted")
    for line in ("priority.weight_partition = 50", 'priority.partition_factors = { "batch" = 1, "debug" = 10 }'):
        expect(f"{line}\n" in with_weights.out and 'preemption = "requeue"' not in with_weights.out, with_weights.out)
    for change in (("Default=YES", "PreemptMode=OFF"), ("PreemptMode=REQUEUE", "PreemptMode=OFF")):
        kept = converted(folder, SHARED.replace(*change)).expect(FINE, "not all partitions of lower tiers requeue")
        expect('preemption = "requeue"' not in kept.out, kept.out)
    only_there = SHARED.replace("PreemptMode=REQUEUE\n", "").replace("Default=YES", "PreemptMode=REQUEUE")
    expect('preemption = "requeue"' in converted(folder, only_there).expect(FINE).out, only_there)
    plain = converted(folder, SHARED.replace("PriorityTier=3 ", "")).expect(FINE, "no job is preempted")
    expect('order = "fifo"\n' in plain.out and "tiers" not in plain.out, plain.out)


def test_mistakes_are_said_with_their_places(folder):
    converted(folder, SITE).expect(
        MISTAKE, "slurm.conf:21:1: PartitionName: expected one partition, or several that have the same nodes, found \"batch\"",
        "choose one by --partition: batch, gpu")
    converted(folder, SITE, "--partition", "bath").expect(MISTAKE, "no partition \"bath\"; did you mean 'batch'?")
    converted(folder, "NodeName=n[1-3 CPUs=0\nBad\nSchedulerType=sched/foo\n").expect(
        MISTAKE, "slurm.conf:1:1: NodeName: expected nodes such as n[1-3,7], found \"n[1-3\"",
        "slurm.conf:2:1: Bad: expected KEY=VALUE", "slurm.conf:3:1: SchedulerType: expected sched/backfill or")
    converted(folder, "NodeName=n CPUs=0\nPriorityType=priority/multifactor\nPriorityMaxAge=0\nPriorityCalcPeriod=x\n"
              "PriorityWeightAge=-1\nSchedulerParameters=bf_interval=no\n").expect(
        MISTAKE, "slurm.conf:1:12: CPUs: expected a number from 1 to 65535", "slurm.conf:3:1: PriorityMaxAge: expected",
        "slurm.conf:4:1: PriorityCalcPeriod: expected a time", "slurm.conf:5:1: PriorityWeightAge: expected a number",
        "slurm.conf:6:1: SchedulerParameters: expected a number from 1 to 10000000, found \"bf_interval=no\"")
    for text, says in [
            ("NodeName=a CPUs=1\nNodeName=a,b CPUs=1\n", "slurm.conf:2:1: NodeName: expected each node once, not a"),
            ("NodeName=a Sockets=256 CoresPerSocket=256 Boards=256 ThreadsPerCore=256\n", "at most 65535 CPUs a node"),
            ("NodeName=n[0-999999] CPUs=65535\n", "expected at most 4294967294 CPUs in all"),
            ("NodeName=n[0-999999] CPUs=1\nNodeName=m CPUs=1\n", "at most 1000000 nodes in all"),
            ("OverTimeLimit=65534\nNodeName=a CPUs=1\n", "expected a number from 0 to 65533"),
            ("PriorityType=priority/multifactor\nFairShareDampeningFactor=0\nNodeName=a CPUs=1\n", "a number from 1 to"),
            ("NodeName=a CPUs=1\nPartitionName=p\n", "expected Nodes on its line"),
            ("NodeName=a CPUs=1 Gres=\x01\n", "slurm.conf:1: expected text in UTF-8")]:
        converted(folder, text).expect(MISTAKE, says)
    somnus(folder, "config", "--from-slurm", "").expect(MISTAKE)
    converted(folder, "ClusterName=a\n").expect(MISTAKE, "expected nodes that are up, found none")
    somnus(folder, "config", "--from-slurm", "nowhere.conf").expect(MISTAKE, "nowhere.conf")
    somnus(folder, "config", "--partition", "a").expect(MISTAKE, "--from-slurm")
