"""What the tests of the program share: which program, a fresh folder for each, and seeds."""

import signal
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "program"))
pytest.register_assert_rewrite("logs", "somnus_program")

import somnus_program  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--somnus", type=Path, required=True, help="the program")
    parser.addoption("--build", type=Path, help="its build folder")
    parser.addoption("--seeds", type=int, help="so many, instead of those that CI tries")
    parser.addoption("--first", type=int, default=0, help="the first of these")
    parser.addoption("--keep", action="store_true", help="leave the folders of tests, and print them")


def pytest_configure(config):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # nohup and a shell's & may ignore both
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    somnus_program.PROGRAM = str(config.option.somnus.resolve())
    somnus_program.BUILD = config.option.build


def pytest_generate_tests(metafunc):
    """A test with a `seed` runs with each that its module's seeds() has for CI."""
    if "seed" in metafunc.fixturenames and hasattr(metafunc.module, "seeds"):
        first, count = metafunc.config.option.first, metafunc.config.option.seeds
        metafunc.parametrize("seed", range(first, first + count) if count else metafunc.module.seeds())


@pytest.fixture
def folder(request):
    if request.config.option.keep:
        made = tempfile.mkdtemp(prefix="somnus-test-")
        print(f"kept: {made}")
        return Path(made)
    made = tempfile.TemporaryDirectory(prefix="somnus-test-")
    request.addfinalizer(made.cleanup)
    return Path(made.name)
