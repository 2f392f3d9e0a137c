"""Gymnasium's environment and spaces where Gymnasium is installed, else those of somnus.plain."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from somnus.plain import Box, Dict, Discrete, Env, Space
else:
    try:
        from gymnasium import Env, register
        from gymnasium.spaces import Box, Dict, Discrete, Space

        register(id="somnus/Schedule-v0", entry_point="somnus.env:Env")
    except ImportError:
        from somnus.plain import Box, Dict, Discrete, Env, Space

__all__ = ["Box", "Dict", "Discrete", "Env", "Space"]
