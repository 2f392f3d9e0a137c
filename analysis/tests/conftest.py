import sys
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent))

import fake_somnus

from somnus_analysis.base.program import Somnus

# pandas calculates some things otherwise where these happen to be installed: all machines agree.
for _library in ("bottleneck", "numexpr"):
    pd.set_option(f"compute.use_{_library}", False)


@pytest.fixture
def no_processes(monkeypatch):
    """The stand-in simulates in this process: half of a short run of it is Python's start."""
    call = Somnus._call

    def call_here(somnus, arguments, differs=False):
        if arguments[0] != "simulate":
            return call(somnus, arguments, differs)
        assert somnus.program.name == "fake_somnus.py"
        assert fake_somnus.main(arguments) == 0
        return ""

    monkeypatch.setattr(Somnus, "_call", call_here)
