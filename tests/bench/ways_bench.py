#!/usr/bin/python3
"""What an order costs beside the built-in one when it comes from outside: compiled as a plug-in, as a process of
its own, and in the Python of somnus.simulate. Each way orders the same jobs, in turn.

    ways_bench [--rounds N] [--source FOLDER]

It stands in the build folder (tests/bench), from where it finds somnus and what it installs.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUILD = Path(__file__).resolve().parents[2]
SOMNUS = BUILD / "emulator" / "somnus"

CONFIG = """
[cluster]
nodes = 1000
slots_per_node = 8
[scheduler]
policy = "fair"
order = "{order}"
{table}
[workload]
{workload}
"""
SRPT = """
import somnus
class Srpt(somnus.Order):
    events = ("ended",)
    def key(self, unit):
        return unit.slot_time * (unit.tasks - unit.completed) / unit.tasks
"""
FAIR = """
import somnus
class Fair(somnus.Order):
    each_launch = True
    def key(self, unit):
        return unit.running / unit.weight
"""
LAST = "\nif __name__ == '__main__':\n    somnus.serve({}())\n"


def done(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **more).stdout


def built_plugin(folder, source):
    """examples/plugin, as its user builds it."""
    done("cmake", "--install", BUILD, "--prefix", folder / "installed")
    done("cmake", "-G", "Ninja", "-S", source / "examples/plugin", "-B", folder / "plugin",
         f"-DCMAKE_PREFIX_PATH={folder / 'installed'}", "-DCMAKE_BUILD_TYPE=Release")
    done("cmake", "--build", folder / "plugin")
    return folder / "plugin" / "my_parts.so"


def simulated(folder, config, *words):
    """Tasks a second, as the program says."""
    said = done(SOMNUS, "simulate", config, *words, cwd=folder)
    tasks, took, unit = re.search(r"(\d+) tasks simulated in ([\d.]+) (ms|s|min)", said).groups()
    return int(tasks) / (float(took) * {"ms": 1e-3, "s": 1, "min": 60}[unit])


def in_python(folder, config, script, name, package):
    """Tasks a second of somnus.simulate, its start and the reading of its log apart."""
    code = (f"import time\n{script}\nbegan = time.monotonic()\n"
            f"log = somnus.simulate({str(config)!r}, policy={name}(), program={str(SOMNUS)!r})\n"
            f"print(log.summary['tasks_finished'] / (time.monotonic() - began))\n")
    return float(done(sys.executable, "-c", code, cwd=folder, env={**os.environ, "PYTHONPATH": str(package)}))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--source", type=Path, default=BUILD.parents[1], help="where examples/ is")
    options = parser.parse_args()
    trace = options.source.parent / "shared/traces/bench/w543k.tr.gz"
    workload = (f'format = "tr"\nfile = "{trace}"' if trace.exists() else
                'generator = "google"\njobs = 20000\nload = 0.9')
    with tempfile.TemporaryDirectory(prefix="somnus-bench-") as name:
        folder = Path(name)
        plugin = built_plugin(folder, options.source)

        def config(file, order, table=""):
            path = folder / f"{file}.toml"
            path.write_text(CONFIG.format(order=order, table=table, workload=workload))
            return path

        def process(script):
            return f"[scheduler.external]\ncommand = {json.dumps([sys.executable, str(script)])}"

        queues = "queues = 3\nthreshold_s = 600\n"
        (folder / "srpt.py").write_text(SRPT + LAST.format("Srpt"))
        (folder / "fair.py").write_text(FAIR + LAST.format("Fair"))
        las = options.source / "examples/las/las.py"
        las_table = process(las) + "\nparameters = { queues = 3, threshold_s = 600 }"
        ways = {
            "las, built in": lambda: simulated(folder, built_in),
            "las, plug-in": lambda: simulated(folder, as_plugin, "--plugin", plugin),
            "las, process": lambda: simulated(folder, as_process),
            "srpt, built in": lambda: simulated(folder, srpt),
            "srpt, process": lambda: simulated(folder, srpt_process),
            "srpt, somnus.simulate": lambda: in_python(folder, srpt, SRPT, "Srpt", options.source / "analysis"),
            "fair, built in": lambda: simulated(folder, fair),
            "fair, process": lambda: simulated(folder, fair_process),
        }
        built_in = config("las", "las", "[scheduler.las]\n" + queues)
        as_plugin = config("plugin", "least-attained", "[scheduler.least-attained]\n" + queues)
        as_process = config("process", "external", las_table)
        srpt, fair = config("srpt", "srpt"), config("fair", "fair")
        srpt_process = config("srpt_process", "external", process(folder / "srpt.py"))
        fair_process = config("fair_process", "external", process(folder / "fair.py"))
        figures = {way: [] for way in ways}
        for _ in range(options.rounds):
            for way, measure in ways.items():
                figures[way].append(measure())
    load = "load {:.1f}".format(os.getloadavg()[0])
    print(f"tasks a second, median of {options.rounds} rounds, {'w543k' if trace.exists() else 'generated'}, {load}")
    for way, found in figures.items():
        median = statistics.median(found)
        floor = statistics.median(figures[way.split(",")[0] + ", built in"])
        print(f"  {way:22} {median:12,.0f}   {median / floor:6.3f} of the built-in one")
    print(f"  FAIR as a process is asked at each start and at each round: at least "
          f"{statistics.median(figures['fair, process']):,.0f} answers a second", flush=True)


if __name__ == "__main__":
    main()
