"""A line that says how far the program is, where somebody sees it: at a terminal, or in a notebook."""

import re
import shutil
import sys
import threading
import time
from typing import Self, TextIO

AFTER_S = 2.0
AGAIN = "\r\x1b[K"  # to the beginning of an empty line
EVERY_S = 0.5
# "51 of 90 runs, 56 %, 0:01 left" or "cfq: 48.4 %, 2 s left; at ...": src/print/status_line.hpp.
STATUS = re.compile(r".*\d %, ([\d:]+( s)? left|rank \d+ silent|running)\b")


def tell(text: str, often: bool = False) -> None:
    """How far the command is: at a terminal one line, rewritten; "" removes it. Elsewhere a line, unless it comes often."""
    if sys.__stderr__.isatty():
        print(f"{AGAIN}{text}", end="", file=sys.stderr, flush=True)
    elif text and not often:
        print(text, file=sys.stderr)


def is_seen(stream: TextIO) -> bool:
    """A notebook's stream is no terminal, but shows what is written after a return in place of the line."""
    ipython = sys.modules.get("IPython")
    return stream.isatty() or ipython is not None and ipython.get_ipython() is not None


class Progress:
    """As a context: one line on standard error, rewritten, nothing in the first two seconds, gone at the end.

    `said`: what the program said there besides how far it is, sentence by sentence.
    """

    def __init__(self, title: str, stream: TextIO | None = None, after_s: float = AFTER_S,
                 every_s: float = EVERY_S):
        self.said: list[str] = []
        self._title = title
        self._stream = stream or sys.stderr
        self._after_s, self._every_s = after_s, every_s
        self._status = ""
        self._width = 0
        self._is_seen = is_seen(self._stream)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._rewrite, daemon=True)

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        if self._is_seen:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        if self._thread.is_alive():
            self._thread.join()
        self._write("")

    def hear(self, line: str) -> None:
        """Takes what the program says on standard error."""
        if STATUS.match(line):
            self._status = line
        elif line[:1].isspace() and self.said:  # of a sentence that goes on
            self.said[-1] += f" {line.strip()}"
        elif line.strip():
            self.said.append(line.rstrip())

    def _rewrite(self) -> None:
        wait_s = self._after_s
        while not self._is_over.wait(wait_s):
            self._write(f"{time.monotonic() - self._began:.0f} s: {self._status or self._title}")
            wait_s = self._every_s

    def _write(self, text: str) -> None:
        """One that goes on in the next line of a terminal would not be rewritten."""
        if not (text or self._width):
            return
        text = text[:shutil.get_terminal_size().columns - 1]
        self._stream.write(f"\r{text.ljust(self._width)}" + ("" if text else "\r"))
        self._stream.flush()
        self._width = len(text)
