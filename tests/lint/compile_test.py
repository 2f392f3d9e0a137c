"""Compiles one snippet and holds it to its first line.

    compile_test.py SNIPPET COMPILER [FLAG...]
    compile_test.py --self-test COMPILER [FLAG...]

The first line is `// compiles` or `// must not compile: REGEX`. In the second case the regex must be
found in each error, and each must be one of the snippet itself, or a static assertion that the
snippet fails, so that a broken header or a typing mistake does not pass for proof.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def fault(snippet: Path, command: list[str]) -> str:
    """What is wrong; empty if nothing."""
    promise = snippet.read_text(encoding="utf-8").split("\n")[0]
    # In the C locale messages quote with plain apostrophes.
    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run([*command, snippet], capture_output=True, text=True, env=environment)
    print(done.stderr, end="")
    if promise == "// compiles":
        return "" if done.returncode == 0 else "it should compile"
    refusal = re.fullmatch(r"// must not compile: (.+)", promise)
    if not refusal:
        return f"first line: expected `// compiles` or `// must not compile: REGEX`, got {promise}"
    if done.returncode == 0:
        return "it compiles, and must not"
    errors = [line for line in done.stderr.splitlines() if re.search(r": (fatal )?error: ", line)]
    if not errors or any(": fatal error: " in line for line in errors):
        return "it is not compiled at all"
    for line in errors:
        own = line.startswith(f"{snippet}:") or "error: static assertion failed: " in line
        if not (own and re.search(refusal[1], line)):
            return f"expected an error like /{refusal[1]}/ of the snippet, got {line}"
    return ""


def self_test(command: list[str]) -> bool:
    """Whether each planted snippet is found out, and the good ones are not."""
    planted = {
        "a good snippet": ("// compiles\nint x = 1;\n", ""),
        "the promised error": ("// must not compile: conversion\nint x = \"a\";\n", ""),
        "an error in the control": ("// compiles\nint x = \"a\";\n", "it should compile"),
        "a leak": ("// must not compile: conversion\nint x = 1;\n", "it compiles"),
        "another error": ("// must not compile: no member\nint x = \"a\";\n", "expected an error"),
        "a missing header": ('// must not compile: No such\n#include "no.hpp"\n', "not compiled"),
        "no promise": ("int x = 1;\n", "first line"),
    }
    good = True
    for name, (text, expected) in planted.items():
        with tempfile.TemporaryDirectory() as folder:
            snippet = Path(folder, "snippet.cpp")
            snippet.write_text(text)
            found = fault(snippet, command)
        as_expected = expected in found if expected else not found
        print(f"{'ok' if as_expected else 'WRONG'}: {name}: {found or 'no fault'}")
        good &= as_expected
    return good


if __name__ == "__main__":
    what, *compiler = sys.argv[1:]
    if what == "--self-test":
        sys.exit(0 if self_test(compiler) else 1)
    sys.exit(fault(Path(what), compiler) or 0)
