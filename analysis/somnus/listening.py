"""Orders and policies of this process, which Somnus reaches at a socket."""

import contextlib
import copy
import socket
import tempfile
import threading
from collections.abc import Iterator

from somnus.serving import Served, dialogue_of

LONGEST = 40  # letters of a name; the path of a socket has at most 107 bytes


def name_of(served: Served) -> str:
    """What tables and figures call it."""
    return served.name or type(served).__name__


@contextlib.contextmanager
def listening(served: Served) -> Iterator[str]:
    """A socket at which copies of it answer; what one of them raises is raised at the end.

    It is a file called as the order or policy, by which somnus.analysis knows whose it was.
    """
    raised: list[BaseException] = []

    def serve_one(connection: socket.socket) -> None:
        with connection:
            try:
                dialogue = dialogue_of(copy.deepcopy(served))
                for line in _lines_from(connection):
                    answer = dialogue.answer_to(line)
                    with contextlib.suppress(OSError):  # Somnus has ended, and says why
                        connection.sendall(answer)
            except BaseException as error:  # noqa: BLE001
                raised.append(error)

    def accept() -> None:
        with contextlib.suppress(OSError):  # until it is closed
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=serve_one, args=(connection,), daemon=True).start()

    with tempfile.TemporaryDirectory(prefix="somnus-order-") as folder:
        path = f"{folder}/{_file_name(name_of(served))}"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            listener.listen()
            threading.Thread(target=accept, daemon=True).start()
            try:
                yield path
            except Exception:
                if raised:
                    raise raised[0] from None  # by which the program failed
                raise
            finally:
                with contextlib.suppress(OSError):
                    listener.shutdown(socket.SHUT_RDWR)


def _file_name(name: str) -> str:
    printable = "".join(each if each.isascii() and each.isprintable() and each != "/" else "_" for each in name)
    return printable[:LONGEST]


def _lines_from(connection: socket.socket) -> Iterator[bytes]:
    """Until its other end is closed."""
    with connection.makefile("rb") as questions:
        while True:
            try:
                line = questions.readline()
            except OSError:
                return
            if not line:
                return
            yield line
