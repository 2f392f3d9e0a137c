"""Where a command may write, and how: the same as src/output of the program, in the same sentences.

Never over a file that the command reads, over what is no plain file, or, unless the user says so, over
a file that is there. What is written appears whole or not at all.
"""

import errno
import fcntl
import os
import stat
import struct
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from somnus.analysis.base.errors import UserError


RIGHT_TO_WRITE = 1 << 62  # the byte on which a log's writer has a lock: src/output/file_lock.hpp
TIMEOUT_S = 30  # with a pipe that nobody reads from

_FLOCK = "hhqqi4x"  # struct flock: type, whence, start, length, pid


class OutputError(UserError):
    """Nothing may be written there; its text names the file and says why."""


def objection(path: Path, inputs: Iterable[Path] = (), force: bool = False,
              own: bytes | None = None) -> str:
    """Why nothing may be written there; empty: it may.

    A link stands for where it leads. An empty file is free, and so is one that holds the bytes `own`,
    by which files are known that this package has written and may write again.
    """
    try:
        facts = path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            return f"{path}: is a link that leads round in a circle; name another file"
        return ""
    if stat.S_ISDIR(facts.st_mode):
        return f"{path}: is a folder, expected a file; name a file in it"
    if not stat.S_ISCHR(facts.st_mode) and (read := _input_at(facts, inputs)):
        if read == path:
            return f"{path}: is read by this command and would be lost; name another file"
        return (f"{path}: is the same file as {read}, which this command reads and which would be "
                f"lost; name another file")
    if stat.S_ISREG(facts.st_mode):
        if force or facts.st_size == 0 or (own and own in path.read_bytes()):
            return ""
        return (f"{path}: is there already and would be lost; name another file, or say --force to "
                f"replace it")
    if stat.S_ISFIFO(facts.st_mode) or stat.S_ISCHR(facts.st_mode):
        return ""
    kind = "a socket" if stat.S_ISSOCK(facts.st_mode) else "a device"
    return f"{path}: is {kind}, expected a plain file; name a file that is not there yet"


def require_allowed(path: Path, inputs: Iterable[Path] = (), force: bool = False,
                    own: bytes | None = None) -> None:
    """Raises OutputError if there is an objection()."""
    if why := objection(path, inputs, force, own):
        raise OutputError(why)


def write(path: Path, content: bytes | str, inputs: Iterable[Path] = (), force: bool = False,
          own: bytes | None = None) -> Path:
    """Writes all of it, where it may, and returns the path. Raises OutputError, OSError.

    Links are followed, folders on the way are made. A pipe, terminal or other character device gets
    the bytes; a file is written under another name first, and keeps its permissions.
    """
    require_allowed(path, inputs, force, own)
    bytes_ = content.encode() if isinstance(content, str) else content
    if _is_stream(path):
        with os.fdopen(_open_stream(path), "wb") as file:
            file.write(bytes_)
        return path
    place = Path(os.path.realpath(path))
    place.parent.mkdir(parents=True, exist_ok=True)
    descriptor, fresh = tempfile.mkstemp(prefix=f".{place.name[:200]}.new-", dir=place.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            _set_permissions(place, descriptor)
            file.write(bytes_)
        require_allowed(path, inputs, force, own)  # what has come there meanwhile is no less dear
        os.replace(fresh, place)
    except BaseException:
        os.unlink(fresh)
        raise
    return path


def is_standard_output(path: Path) -> bool:
    """Whether that is what this process prints to. Its words would stand amid the output."""
    try:
        return os.path.samestat(path.stat(), os.fstat(1))
    except OSError:
        return False


def is_being_written(path: Path) -> bool:
    """Whether a process has the lock that it keeps on a log while it writes it."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        asked = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, RIGHT_TO_WRITE, 1, 0)
        kind, _, start, *_ = struct.unpack(_FLOCK, fcntl.fcntl(file, fcntl.F_GETLK, asked))
        return kind != fcntl.F_UNLCK and start == RIGHT_TO_WRITE
    except OSError:
        return False  # no locks there
    finally:
        os.close(file)


def _input_at(facts: os.stat_result, inputs: Iterable[Path]) -> Path | None:
    for each in inputs:
        try:
            if os.path.samestat(facts, each.stat()):
                return each
        except OSError:
            continue
    return None


def _is_stream(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISREG(mode) and not _has_a_name(path)


def _has_a_name(path: Path) -> bool:
    """/proc/self/fd/1 leads to a file also when that has been removed."""
    try:
        return os.path.samestat(path.stat(), os.stat(os.path.realpath(path)))
    except OSError:
        return False


def _open_stream(path: Path) -> int:
    """A pipe opens for writing once somebody reads from it; it is not waited for for ever."""
    until = time.monotonic() + TIMEOUT_S
    while True:
        try:
            file = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
            os.set_blocking(file, True)
            return file
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > until:
                raise OSError(f"{path}: cannot be written: nobody reads from it; start its reader "
                              f"first") from None
        time.sleep(0.01)


def _set_permissions(place: Path, descriptor: int) -> None:
    """Those of the file that is to be replaced; else as for any new file."""
    try:
        there = place.stat()
    except OSError:
        mask = os.umask(0o077)
        os.umask(mask)
        os.fchmod(descriptor, 0o666 & ~mask)
        return
    ours = os.fstat(descriptor)
    if (there.st_uid, there.st_gid) != (ours.st_uid, ours.st_gid):
        try:
            os.fchown(descriptor, there.st_uid, there.st_gid)
        except OSError:
            pass  # only root gives files away
    os.fchmod(descriptor, stat.S_IMODE(there.st_mode) & 0o777)
