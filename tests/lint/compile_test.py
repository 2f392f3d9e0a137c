"""Compiles one case of a file, or all, and holds it to its promise.

    compile_test.py FILE CASE|--all COMPILER [FLAG...]
    compile_test.py --self-test COMPILER [FLAG...]

A case begins with a comment `NAME: compiles` or `NAME: must not compile: REGEX` and goes on to the
next one. It is compiled behind what stands before the first case of its file. The regex must be
found in each error, and each must be one of the text itself, or a static assertion that it fails,
so that a broken header or a typing mistake does not pass for proof.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

CASE = re.compile(r"^// (\w+): (compiles|must not compile: .+(?:\n// .+)*)\n", re.MULTILINE)


def fault(text: str, wanted: str, command: list[str]) -> str:
    """What is wrong with that case; empty if nothing."""
    common, *rest = CASE.split(text)
    cases = {name: (promise, body) for name, promise, body in zip(*[iter(rest)] * 3)}
    if wanted not in cases:
        return f"no case {wanted}, cases are {sorted(cases)}"
    promise, body = cases[wanted]
    # In the C locale messages quote with plain apostrophes.
    done = subprocess.run([*command, "-x", "c++", "-"], input=common + body, capture_output=True,
                          text=True, env={**os.environ, "LC_ALL": "C"})
    print(done.stderr, end="")
    if promise == "compiles":
        return "" if done.returncode == 0 else "it should compile"
    refusal = promise.replace("\n//", "").removeprefix("must not compile: ")
    if done.returncode == 0:
        return "it compiles, and must not"
    errors = [line for line in done.stderr.splitlines() if re.search(r": (fatal )?error: ", line)]
    if not errors or any(": fatal error: " in line for line in errors):
        return "it is not compiled at all"
    for line in errors:
        own = line.startswith("<stdin>:") or "error: static assertion failed: " in line
        if not (own and re.search(refusal, line)):
            return f"expected an error like /{refusal}/ of the case, got {line}"
    return ""


def self_test(command: list[str]) -> bool:
    """Whether each planted case is found out, and the good ones are not."""
    planted = {
        "a good case": ("// it: compiles\nint y = x;\n", ""),
        "the promised error": ("// it: must not compile: conversion\nint y = \"a\";\n", ""),
        "a promise of two lines": ("// it: must not compile: invalid\n// conversion\nint y = \"a\";\n",
                                   ""),
        "an error in the control": ("// it: compiles\nint y = \"a\";\n", "it should compile"),
        "a leak": ("// it: must not compile: conversion\nint y = 1;\n", "it compiles"),
        "another error": ("// it: must not compile: no member\nint y = \"a\";\n",
                          "expected an error"),
        "a missing header": ('// it: must not compile: No such\n#include "no.hpp"\n',
                             "not compiled"),
        "no promise": ("// it\nint y = 1;\n", "no case it"),
    }
    good = True
    for name, (text, expected) in planted.items():
        found = fault(f"int x = 1;\n{text}// next: compiles\nint y = x;\n", "it", command)
        as_expected = expected in found if expected else not found
        print(f"{'ok' if as_expected else 'WRONG'}: {name}: {found or 'no fault'}")
        good &= as_expected
    return good


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    if what == "--self-test":
        sys.exit(0 if self_test(words) else 1)
    case, *compiler = words
    text = Path(what).read_text(encoding="utf-8")
    cases = CASE.findall(text) if case == "--all" else [(case, "")]
    for name, _ in cases:
        if found := fault(text, name, compiler):
            sys.exit(f"{name}: {found}")
