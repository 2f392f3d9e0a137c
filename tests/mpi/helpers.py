"""Lets the scripts of this folder import the modules that all tests of the program share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "program"))
