"""docs/tutorial.md, block by block as it stands there."""

import os
import re
import subprocess
from pathlib import Path

from somnus_program import expect, program

ROOT = Path(__file__).resolve().parents[2]


def blocks():
    return re.findall(r"^```sh\n(.*?)^```", (ROOT / "docs/tutorial.md").read_text(), re.M | re.S)


def test_every_block_of_the_tutorial_runs(folder):
    tools = folder / "tools"
    tools.mkdir()
    (tools / "somnus").symlink_to(program())
    (tools / "python3").symlink_to("/usr/bin/python3")  # the one with Debian's packages
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}",
                   "PYTHONPATH": str(ROOT / "analysis"),
                   "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    work = folder / "work"
    work.mkdir()
    said = []
    for block in blocks():
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=work, env=environment,
                              capture_output=True, text=True, timeout=120)
        expect(done.returncode == 0, f"{block}\nended with {done.returncode}:\n{done.stderr[-2000:]}")
        said.append(done.stdout)
    expect(len(said) == 6, f"{len(said)} blocks")
    expect("load of the cluster" in said[2] and "cfq" in said[2], said[2])
    expect("to the baseline" in said[3], said[3])
    expect("response_mean_s.png" in said[4], said[4])
