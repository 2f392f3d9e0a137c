import signal
import sys
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parent))

import logs

# nohup and a shell's & may ignore both.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)

# pandas calculates some things otherwise where these happen to be installed: all machines agree.
for _library in ("bottleneck", "numexpr"):
    pd.set_option(f"compute.use_{_library}", False)


@pytest.fixture(scope="session")
def somnus() -> Path:
    """The program; without one, a test that asks for it is skipped."""
    return logs.program()


@pytest.fixture(scope="session")
def small_log(tmp_path_factory) -> Path:
    """A log of the program itself."""
    return logs.small_log(tmp_path_factory.mktemp("small"))
