"""Somnus as others have it: what `cmake --install` leaves, and what is built of that alone."""

import subprocess
from pathlib import Path

import somnus_program
from somnus_program import expect


def done(*command) -> str:
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    expect(ended.returncode == 0, f"{command}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def installed_into(prefix: Path) -> Path:
    """Where the program is installed. What it needs of this source tree would be missing there."""
    done("cmake", "--install", somnus_program.BUILD, "--prefix", prefix)
    return prefix


def built(prefix: Path, source: Path, name: str) -> Path:
    """As its author builds it, of the installed tree."""
    build = source / "build"
    done("cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release")
    done("cmake", "--build", build)
    return build / name
