"""Values of settings as a config has them."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def as_toml(value: Any) -> str:
    """Raises TypeError. Numbers and arrays of numpy are what they hold."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(key)} = {as_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(as_toml, value))}]"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # inf, nan
    if isinstance(value, str | Path):
        return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    raise TypeError(f"expected a number, a text, true or false, or a list or table of them, found {value!r}")
