"""Forges logs: changes cells, rows, tables, attributes and the config, and seals them again.

What a mutation does follows from the random stream it is given alone. So a forged log is known by
its seed (forged_logs_test.py).
"""

import ctypes
import re

import somnus_program  # noqa: F401, before h5py: it sets how HDF5 locks files

import h5py
import numpy


# --- seals, as src/log/seal.hpp has them ---

def _xxhash():
    function = ctypes.CDLL("libxxhash.so.0").XXH3_64bits_withSeed
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
    function.restype = ctypes.c_uint64
    return function


_hash = _xxhash()


def _hash64(data: bytes, seed: int = 0) -> int:
    return _hash(data, len(data), seed)


def _words_of(kind) -> str:
    words = f"{kind.get_class()}:{kind.get_size()}"
    if kind.get_class() != h5py.h5t.COMPOUND:
        return words
    for at in range(kind.get_nmembers()):
        name = kind.get_member_name(at).decode()
        words += f" {name}@{kind.get_member_offset(at)}={_words_of(kind.get_member_type(at))}"
    return words


def _raw_rows(dataset) -> numpy.ndarray:
    """Rows by bytes, with the gaps between the columns."""
    rows = numpy.zeros((dataset.shape[0], dataset.id.get_type().get_size()), numpy.uint8)
    if len(rows) > 0:
        dataset.id.read(h5py.h5s.ALL, h5py.h5s.ALL, rows, dataset.id.get_type())
    return rows


def _write_raw(dataset, rows: numpy.ndarray) -> None:
    rows = numpy.ascontiguousarray(rows)
    if len(rows) > 0:
        dataset.id.write(h5py.h5s.ALL, h5py.h5s.ALL, rows, dataset.id.get_type())


def _attribute_seal(node, name: str) -> int:
    attribute = node.attrs.get_id(name)
    value = numpy.zeros(attribute.shape, attribute.dtype)
    if value.size > 0:
        attribute.read(value)
    what = f"{node.name}\n{name}\n{_words_of(attribute.get_type())}"
    return _hash64(value.tobytes(), _hash64(what.encode()))


def _seal_attributes(node) -> None:
    names = sorted((name for name in node.attrs if name != "seal"), key=str.encode)
    seals = numpy.array([_attribute_seal(node, name) for name in names], numpy.uint64)
    if "seal" in node.attrs:
        del node.attrs["seal"]
    node.attrs.create("seal", seals)


def _seal_of(dataset, salt: int) -> int:
    """Of all its rows, as one block."""
    words = _words_of(dataset.id.get_type())
    seed = _hash64(bytes(8), _hash64(f"{dataset.name}\n{words}".encode(), salt))
    return _hash64(_raw_rows(dataset).tobytes(), seed)


def _bytes(text) -> bytes:
    return text if isinstance(text, bytes) else str(text).encode()


def seal(file: h5py.File) -> None:
    """All of the file, as somebody would who has read how."""
    mode, digest = (_bytes(file.attrs[name]) for name in ("mode", "workload_digest"))
    salt = _hash64(mode, _hash64(digest, int(file.attrs["seed"])))
    file.attrs["salt"] = numpy.uint64(salt)
    sealed = [one for one in datasets(file) if one.name != "/seals"]
    for dataset in sealed:
        _seal_attributes(dataset)
    if "seals" in file and file["seals"].dtype.names:
        blocks = [(at, len(one), 0, _seal_of(one, salt), _seal_of(one, salt))
                  for at, one in enumerate(sealed) if len(one) > 0]
        kind = [(name, file["seals"].dtype[name]) for name in ("table", "rows", "first", "seal", "next")]
        rows = numpy.array(blocks, kind)
        del file["seals"]
        made = file.create_dataset("seals", data=rows)
        made.attrs["tables"] = numpy.array([one.name.encode() for one in sealed])
        _seal_attributes(made)
        file.attrs["seals"] = numpy.uint64(_hash64(rows.tobytes(), salt) or 1)
    _seal_attributes(file)


# --- what a log consists of ---

def datasets(file: h5py.File) -> list[h5py.Dataset]:
    found = []
    file.visititems(lambda _, node: found.append(node) if isinstance(node, h5py.Dataset) else None)
    return sorted(found, key=lambda dataset: dataset.name)


def _tables(file: h5py.File) -> list[h5py.Dataset]:
    """With rows, and of columns."""
    return [one for one in datasets(file) if one.dtype.names and one.shape[0] > 0]


def _numbered(file: h5py.File, kind: str) -> list[h5py.Dataset]:
    return [one for one in _tables(file) if one.name.startswith(f"/{kind}/")]


def _put_rows(dataset: h5py.Dataset, rows: numpy.ndarray) -> h5py.Dataset:
    """The dataset with other rows, perhaps more or fewer."""
    if len(rows) == dataset.shape[0]:
        _write_raw(dataset, rows)
        return dataset
    file, name, kind = dataset.file, dataset.name, dataset.id.get_type()
    attributes = {key: dataset.attrs.get_id(key) for key in dataset.attrs}
    kept = {}
    for key, attribute in attributes.items():
        value = numpy.zeros(attribute.shape, attribute.dtype)
        if value.size > 0:
            attribute.read(value)
        kept[key] = (value, attribute.get_type())
    del attributes, dataset
    del file[name]
    space = h5py.h5s.create_simple((len(rows),))
    made = h5py.Dataset(h5py.h5d.create(file.id, name.encode(), kind, space))
    for key, (value, attribute_type) in kept.items():
        shape = h5py.h5s.create_simple(value.shape) if value.shape else h5py.h5s.create(
            h5py.h5s.SCALAR)
        h5py.h5a.create(made.id, key.encode(), attribute_type, shape).write(value)
    _write_raw(made, rows)
    return made


# --- mutations: each takes the file and the random stream ---

_REALS = [float("nan"), float("inf"), float("-inf"), -1.0, 0.0, -0.0, 1e-300, 0.5, 1.0, 3.0, 1e6,
          8.3e6, 9e9, 1e12, 9.3e9, 1e18, 1.7e308, -1e300]


def _other_value(chance, old, rows_of_column, count: int):
    """For a column: something special, something near, or what stands in another row."""
    if old.dtype.kind == "f":
        near = [float(old) + 0.001, float(old) * 2, -float(old), float(old) - 1]
        values = _REALS + near
    else:
        most = int(numpy.iinfo(old.dtype).max)
        values = [0, 1, 2, most, most - 1, most // 2, most // 2 + 1, count, max(count - 1, 0),
                  min(most, 10**9), min(most, 10**6), max(int(old) - 1, 0), min(int(old) + 1, most)]
        values = [min(value, most) for value in values]
    if chance.random() < 0.3:
        return chance.choice(list(rows_of_column))
    return chance.choice(values)


def another_cell(file, chance):
    dataset = chance.choice(_tables(file))
    rows = dataset[()]
    column = chance.choice(rows.dtype.names)
    many = chance.choice([1, 1, 1, 2, len(rows)])
    value = None
    for row in chance.sample(range(len(rows)), min(many, len(rows))):
        if value is None or chance.random() < 0.5:
            value = _other_value(chance, rows[column][row], rows[column], len(rows))
        rows[column][row] = value
    dataset[...] = rows


def _moved_rows(chance, rows):
    count = len(rows)
    one, two = chance.randrange(count), chance.randrange(count)
    kind = chance.randrange(7)
    if kind == 0:
        order = list(range(count))
        order[one], order[two] = order[two], order[one]
        return rows[order]
    if kind == 1:
        return numpy.delete(rows, one, 0)
    if kind == 2:
        return numpy.insert(rows, two, rows[one], 0)
    if kind == 3:
        return rows[:one]
    if kind == 4:
        return rows[::-1].copy()
    if kind == 5:
        return rows[:0]
    return numpy.concatenate([rows, rows])


def other_rows(file, chance):
    dataset = chance.choice(_tables(file))
    _put_rows(dataset, _moved_rows(chance, _raw_rows(dataset)))


def _renumber(file, tables: list[str], behind: int, by: int) -> None:
    for table in tables:
        rows = file[table][()]
        rows["number"] = numpy.where(rows["number"] > behind, rows["number"] + by, rows["number"])
        file[table][...] = rows


def doubled_event(file, chance):
    """As if it had happened twice: the numbers behind it are made good."""
    tables = [one.name for one in _numbered(file, chance.choice(["events", "decisions"]))]
    if not tables:
        return
    chosen = chance.choice(tables)
    row = chance.randrange(file[chosen].shape[0])
    number = int(file[chosen]["number"][row])
    _renumber(file, tables, number, +1)
    raw = _raw_rows(file[chosen])
    made = _put_rows(file[chosen], numpy.insert(raw, row + 1, raw[row], 0))
    rows = made[()]
    rows["number"][row + 1] = number + 1
    made[...] = rows


def dropped_event(file, chance):
    """As if it had never happened, alike."""
    tables = [one.name for one in _numbered(file, chance.choice(["events", "decisions"]))]
    if not tables:
        return
    chosen = chance.choice(tables)
    row = chance.randrange(file[chosen].shape[0])
    number = int(file[chosen]["number"][row])
    _put_rows(file[chosen], numpy.delete(_raw_rows(file[chosen]), row, 0))
    _renumber(file, tables, number, -1)


def exchanged_events(file, chance):
    """Two of one kind in each other's place, each at the other's time."""
    table = chance.choice(_numbered(file, chance.choice(["events", "decisions"])) or _tables(file))
    rows = table[()]
    one, two = chance.randrange(len(rows)), chance.randrange(len(rows))
    for column in rows.dtype.names:
        if column in ("time", "number", "round"):
            continue
        rows[column][one], rows[column][two] = rows[column][two], rows[column][one]
    table[...] = rows


_NUMBERS = ["0", "1", "2", "3", "-1", "0.5", "1e9", "4294967295", "4294967296", "1e18",
            "9223372036854775807", "1e300", "nan", "inf", "1e-9", "100000", '""', "true"]
_POLICIES = ["fifo", "fair", "srpt", "cfq", "ujf", "uwfq", "uwfq-p", "paf", "yarn", "yarn+q",
             "yaq-c", "mercury", "sparrow", "yaq-d", "drf", "drf-strict", "sjf", "carbyne",
             "tetris", "dagps"]


def other_config(file, chance):
    text = _bytes(file.attrs["config"]).decode()
    lines = text.splitlines()
    kind = chance.randrange(5)
    numbers = list(re.finditer(r"(?<![\w.])[0-9][0-9.e+-]*(?![\w\"])", text))
    if kind <= 1 and numbers:
        found = chance.choice(numbers)
        text = text[:found.start()] + chance.choice(_NUMBERS) + text[found.end():]
    elif kind == 2:
        policy = chance.choice(_POLICIES)
        text = re.sub(r"(?m)^(policy|order|preset) = .*$", f'\\1 = "{policy}"', text)
    elif kind == 3:
        del lines[chance.randrange(len(lines))]
        text = "\n".join(lines) + "\n"
    else:
        text = text[:chance.randrange(len(text))]
    file.attrs["config"] = numpy.bytes_(text or "\n")


def lose_workload(file):
    """The file that the config names is gone, so that the log itself is all there is."""
    text = _bytes(file.attrs["config"]).replace(b".jsonl", b".gone")
    file.attrs["config"] = numpy.bytes_(text)


def other_attribute(file, chance):
    node = chance.choice([file, file, file, *datasets(file)])
    names = [name for name in node.attrs if name != "seal"]
    if not names:
        return
    name = chance.choice(names)
    old = node.attrs[name]
    kind = chance.randrange(4)
    if kind == 0:
        del node.attrs[name]
    elif kind == 1:
        node.attrs[name] = chance.choice([0, 1, -1, 2**63, 2**32, 1e308, float("nan"), -0.5])
    elif kind == 2:
        node.attrs[name] = numpy.bytes_(chance.choice([b"run", b"simulate", b"x" * 5000, b"\xff"]))
    elif isinstance(old, numpy.ndarray) and old.size > 0:
        node.attrs[name] = old[:-1] if chance.random() < 0.5 else numpy.concatenate([old, old])
    else:
        node.attrs[name] = numpy.array([old, old])


def other_names(file, chance):
    dataset = chance.choice([one for one in datasets(file) if not one.dtype.names])
    rows = _raw_rows(dataset)
    if len(rows) > 0:
        _put_rows(dataset, _moved_rows(chance, rows))


def lost_table(file, chance):
    del file[chance.choice(datasets(file)).name]


def other_columns(file, chance):
    """One is gone, or all are reals, or there is none."""
    dataset = chance.choice(_tables(file))
    rows, name = dataset[()], dataset.name
    attributes = dict(dataset.attrs)
    columns = list(rows.dtype.names)
    kind = chance.randrange(3)
    if kind == 0:
        gone = chance.choice(columns)
        types = [(one, rows.dtype[one]) for one in columns if one != gone]
    elif kind == 1:
        types = [(one, "<f8") for one in columns]
    else:
        types = [(one, rows.dtype[one] if one == "seal" else "<i8") for one in columns]
    made = numpy.zeros(len(rows), types)
    with numpy.errstate(all="ignore"):
        for one in made.dtype.names:
            made[one] = rows[one].astype(made.dtype[one])
    if kind == 1 and len(made) > 0:
        made[chance.choice([one for one in columns if one != "seal"])][0] = chance.choice(_REALS)
    del file[name]
    file.create_dataset(name, data=made)
    for key, value in attributes.items():
        file[name].attrs[key] = value


_MUTATIONS = [another_cell] * 10 + [other_rows] * 4 + [doubled_event] * 2 + [dropped_event] * 2 + [
    exchanged_events, other_config, other_config, other_config, other_attribute, other_names,
    lost_table, other_columns]


def forge(path, chance) -> str:
    """Changes the log at `path`; says how."""
    chosen = [chance.choice(_MUTATIONS) for _ in range(chance.choice([1, 1, 1, 2, 3]))]
    sealed = chance.random() < 0.5
    done = []
    with h5py.File(path, "r+") as file:
        if chance.random() < 0.5:
            lose_workload(file)
            done.append("without its workload")
        for mutate in chosen:
            mutate(file, chance)
            done.append(mutate.__name__.replace("_", " "))
        if chance.random() < 0.3:
            file.attrs["complete"] = numpy.int64(0)
            done.append("not complete")
        if sealed and all(name in file.attrs for name in ("mode", "workload_digest", "seed")):
            try:
                seal(file)
                done.append("sealed again")
            except (ValueError, TypeError, OverflowError):
                done.append("cannot be sealed")  # an attribute of another kind
    return ", ".join(done)
