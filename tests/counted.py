"""How many tests passed, failed and were skipped, by ctest's JUnit file; and what was skipped, and why.

    counted.py FILE

A test of ctest may have many tests, which GoogleTest or pytest counts; any other counts for itself,
as does one that ended before it could count.
"""

import re
import sys
import xml.etree.ElementTree as xml

COUNTED = re.compile(r"^\[  (PASSED|SKIPPED) +\] (\d+) tests?[.,]", re.MULTILINE)
FAILED = re.compile(r"^\[  FAILED  \] \S+.* \(\d+ ms\)$", re.MULTILINE)
SKIPPED = re.compile(r"(?:Skipped\n|SKIPPED \[\d+\] \S+ )(.*)")
BY_PYTEST = re.compile(r"\b(\d+) (passed|failed|skipped)\b(?=.* in [\d.]+s)")


def main() -> None:
    counts = {"PASSED": 0, "FAILED": 0, "SKIPPED": 0}
    for case in xml.parse(sys.argv[1]).iter("testcase"):
        said = case.findtext("system-out") or ""
        status = {"run": "PASSED", "notrun": "SKIPPED"}.get(case.get("status"), "FAILED")
        counted = COUNTED.findall(said)
        counted += [(word.upper(), number) for number, word in BY_PYTEST.findall(said)]
        for word, number in counted:
            counts[word] += int(number)
        failed = len(FAILED.findall(said))
        if status == "FAILED" and "FAILED" not in dict(counted):
            counts["FAILED"] += max(failed, 1)
        elif not counted:
            counts[status] += 1
        for why in SKIPPED.findall(said) or [said] * (status == "SKIPPED"):
            print(f"skipped: {case.get('name')}: {why.strip()}")
    print("{PASSED} passed, {FAILED} failed, {SKIPPED} skipped".format(**counts))


if __name__ == "__main__":
    main()
