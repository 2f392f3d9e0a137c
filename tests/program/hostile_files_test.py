"""An HDF5 file that means harm is refused: what leads out of it, what is larger than it could be,
what HDF5 would have to load code for."""

import resource
import shutil

from logs import mixed_jobs, simulated
from somnus_program import MISTAKE, each, expect_equal, somnus

import h5py
import numpy

MOST_BYTES = 1 << 30


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def soft_link(file, _):
    file.move("tasks", "elsewhere")
    file["tasks"] = h5py.SoftLink("/elsewhere")


def link_to_another_file(file, other):
    del file["tasks"]
    file["tasks"] = h5py.ExternalLink(str(other), "/tasks")


def linked_folder(file, _):
    file.move("events", "elsewhere")
    file["events"] = h5py.SoftLink("/elsewhere")


def rows_of_another_file(file, other):
    kind, rows = file["tasks"].dtype, file["tasks"].shape
    del file["tasks"]
    layout = h5py.VirtualLayout(rows, kind)
    layout[:] = h5py.VirtualSource(str(other), "tasks", rows)
    file.create_virtual_dataset("tasks", layout)


def rows_in_a_plain_file(file, other):
    kind, rows = file["tasks"].dtype, file["tasks"].shape
    del file["tasks"]
    file.create_dataset("tasks", shape=rows, dtype=kind,
                        external=[(str(other), 0, h5py.h5f.UNLIMITED)])


def other_compression(file, _):
    rows = file["tasks"][()]
    del file["tasks"]
    file.create_dataset("tasks", data=rows, chunks=True, compression="lzf")


def too_many_rows(file, _):
    kind = file["users"].dtype
    del file["users"]
    file.create_dataset("users", shape=(8_000_000_000,), dtype=kind)


def too_many_names(file, _):
    del file["names/jobs"]
    file.create_dataset("names/jobs", shape=(8_000_000_000,), dtype="S8", chunks=(1000,),
                        compression=1)


def too_long_names(file, _):
    del file["names/jobs"]
    file.create_dataset("names/jobs", shape=(8,), dtype="S1000000000", chunks=(4,))


def names_of_any_length(file, _):
    del file["names/jobs"]
    file.create_dataset("names/jobs", data=["x"] * 8, dtype=h5py.string_dtype())


def a_table_of_two_dimensions(file, _):
    rows = file["tasks"][()]
    del file["tasks"]
    file["tasks"] = rows.reshape(-1, 1)


def a_number_for_a_table(file, _):
    del file["users"]
    file["users"] = 5


def nothing_for_a_table(file, _):
    kind = file["users"].dtype
    del file["users"]
    file.create_dataset("users", data=h5py.Empty(kind))


def a_column_of_any_length(file, _):
    kind, rows = file["users"].dtype, file["users"].shape
    columns = [(name, kind[name]) for name in kind.names]
    del file["users"]
    file.create_dataset("users", shape=rows, dtype=[*columns, ("more", h5py.string_dtype())])


CASES = {
    "a soft link": (soft_link, "/tasks: is a link"),
    "a link to another file": (link_to_another_file, "/tasks: is a link"),
    "a linked folder": (linked_folder, "/events/task_ended: is a link"),
    "rows of another file": (rows_of_another_file, "/tasks: is kept outside of this file"),
    "rows in a plain file": (rows_in_a_plain_file, "/tasks: is kept outside of this file"),
    "another compression": (other_compression, "/tasks: is packed by filter"),
    "too many rows": (too_many_rows, "/users: says that it has 8000000000 rows"),
    "too many names": (too_many_names, "/names/jobs: says that it has 8000000000 rows"),
    "too long names": (too_long_names, "/names/jobs: has chunks of 4000000000 bytes"),
    "names of any length": (names_of_any_length, "/names/jobs: has cells of any length"),
    "two dimensions": (a_table_of_two_dimensions, "/tasks: is no list"),
    "a number for a table": (a_number_for_a_table, "/users: is no list"),
    "nothing for a table": (nothing_for_a_table, "/users: is no list"),
    "a column of any length": (a_column_of_any_length, "/users: has cells of any length"),
}


@each(CASES)
def test_is_refused(folder, case):
    harm, words = case
    log, other = simulated(folder, jobs=mixed_jobs(8)), folder / "other.h5"
    shutil.copy(log, other)
    before = other.read_bytes()
    with h5py.File(log, "r+") as file:
        harm(file, other)
        file.attrs["complete"] = numpy.int64(0)  # so that recover would write
    for command in ("check", "recover"):
        somnus(folder, command, log, preexec=limited).expect(MISTAKE, words)
    somnus(folder, "report", log).expect(MISTAKE, words)  # the Python package has its own reader
    expect_equal(other.read_bytes(), before, "the other file")
