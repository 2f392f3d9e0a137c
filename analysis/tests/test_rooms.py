"""Imports follow the arrows: a room of the package may import itself and what stands before its arrow."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "somnus/analysis"
ARROWS = {
    "base": set(),
    "reading": {"base"},
    "metrics": {"base", "reading"},
    "figures": {"base", "reading", "metrics"},
    "experiments": {"base", "reading", "metrics", "figures"},
    "report": {"base", "reading", "metrics", "figures"},
    "papers": {"base", "reading", "metrics", "figures", "report"},  # pages are made of the report's pieces
    "commands": {"base", "reading", "metrics", "figures", "experiments", "report", "papers"},
}

BELOW = {"somnus.toml.as_toml"}  # of the package around, which needs nothing itself


def imported(path: Path) -> set[str]:
    """Dotted names below the package, such as metrics.users; of the rest of somnus with all in front."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{each.name}" for each in node.names}
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        assert not getattr(node, "level", 0), f"{path}: an import by dots hides its room"
    return {name.removeprefix("somnus.analysis.") for name in found if name.split(".")[0] == "somnus"}


def test_every_file_is_in_a_room():
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py"}
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == set(ARROWS)


@pytest.mark.parametrize("room", ARROWS)
def test_a_room_imports_what_its_arrows_allow(room):
    wrong = {f"{path.relative_to(PACKAGE)}: {name}" for path in (PACKAGE / room).rglob("*.py")
             for name in imported(path) - BELOW if name.split(".")[0] not in ARROWS[room] | {room}}
    assert not wrong


def test_papers_share_their_common_room_alone():
    for path in (PACKAGE / "papers").glob("*/*.py"):
        own = {"common", path.parent.name}
        assert {name.split(".")[1] for name in imported(path) if name.startswith("papers.")} <= own, path
