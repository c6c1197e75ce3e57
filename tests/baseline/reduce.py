"""Files and texts of the program, reduced to what must stay: without times, versions, devices and paths.

reduce() gives the bytes that are hashed.  Of what has a layout of its own (HDF5, JSON, tables) that is a
text that can be read and compared line by line; pictures and the like are taken as they are.
"""
import csv
import hashlib
import io
import json
import os
import re

import h5py

VERSION = re.compile(rb"freshet (validate |bench )?\d+\.\d+\.\d+( \([^)\n]*\))?")
# What to put for what; each where a line has it.
TEXT = [
    (r"  ETA [\d:]+", ""),
    (r"[\d.]+ ms/substep", "T ms/substep"),
    (r"substeps in [\d.]+ s \([\d.]+ ms per substep, (.*); [\d.]+ s for",
     r"substeps in T s (T ms per substep, \1; T s for"),
    (r"substeps in [\d.]+ s$", "substeps in T s"),
    (r"^(frame \d+ \(\d+/\d+\)  t [\d.]+ s)  [\d.]+ ms", r"\1  T ms"),
    (r"^(\w+: \d+ of \d+ \w+) in [\d.]+ s$", r"\1 in T s"),
    (r"^verified on .*: frames", "verified on DEVICE: frames"),
    (r"(passed|FAILED) in [\d.]+ s: ", r"\1 in T s: "),
    (r"^((?:Passed|\*\*Failed\*\*|Failed|FAILED)[^.]*?), [\d.]+ s\.", r"\1, T s."),
    (r"^(\| [\w-]+ \| \S+ \| \d+ of \d+) \| [\d.]+ \|$", r"\1 | T |"),
    (r"(freshet VERSION), [\dTZ:-]+, on .*, level", r"\1, DATE, on DEVICE, level"),
]
TEXT = [(re.compile(pattern), new) for pattern, new in TEXT]
# Lines that are left out: the device, kernels with their times, and what is said when something takes long.
LEFT_OUT = re.compile(r"^(device \d+:\d+ |on .* \(driver |[\w()]+ +\d+ +[\d.]+ +[\d.]+$|"
                      r"(freshet: )?(measuring the room that |compiling kernels))")
# At the top of every JSON file; `version` is a scene's, too, and stays there.
TOP = {"version", "git", "started", "date", "command", "device", "build", "seconds", "kernels"}
# Anywhere: times, what follows from them, and how the work is cut up for the device.
ANYWHERE = re.compile(r"(\w*seconds|ms|\w+_ms|\w*ms_per_iteration|\w*_us|gb_per_s\w*|share_of_copy|ns_per_\w+|"
                      r"copy|memory_bytes|device|build|launches|waits|kernels)$")
# In checkpoints: clock times and versions; the lengths of files that hold times.
UNSTEADY = re.compile(r"(\w*seconds|git|version|log_txt|stats_csv)$")


def plain(data):
    """As it is, but for the version in the header of a mesh or of particles."""
    return VERSION.sub(b"freshet VERSION", data[:400]) + data[400:]


def text(data, folder):
    """Lines of a log, a report or the terminal."""
    data = VERSION.sub(rb"freshet \1VERSION", data).decode("utf-8", "backslashreplace").replace(folder, "DIR")
    lines = []
    for line in data.split("\n"):
        if LEFT_OUT.match(line):
            continue
        for pattern, new in TEXT:
            line = pattern.sub(new, line)
        lines.append(line)
    return "\n".join(lines).encode()


def apart(data):
    """What `freshet check` prints, without and with the memory of the device: that may be laid out anew."""
    start = data.find(b"device memory\n")
    end = data.find(b"\n\n", start) + 2
    return (data[:start] + data[end:], data[start:end]) if 0 <= start < end - 1 else (data, b"")


def json_text(data, folder):
    """Numbers keep their digits: they are read as texts."""
    def drop(value):
        if isinstance(value, dict):
            return {key: drop(item) for key, item in value.items() if not ANYWHERE.match(key)}
        return [drop(item) for item in value] if isinstance(value, list) else value

    value = json.loads(data, parse_float=str, parse_int=str)
    for key in TOP:
        value.pop(key, None)
    return json.dumps(drop(value), indent=1, ensure_ascii=False).replace(folder, "DIR").encode()


def table(data):
    """stats.csv without its columns ms_*."""
    rows = list(csv.reader(io.StringIO(data.decode(), newline="")))
    keep = [i for i, name in enumerate(rows[0]) if not name.startswith("ms_")]
    lines = [",".join(row[i] if i < len(row) else "MISSING" for i in keep) for row in rows]
    return "\n".join(lines).encode()


def show(value, folder):
    """Type, shape and contents of a dataset or an attribute: itself if it is short, else a hash."""
    if isinstance(value, bytes):
        return "text " + value.decode("utf-8", "backslashreplace").replace(folder, "DIR").replace("\n", "\n  ")
    if value.dtype.hasobject or value.size <= 9:
        content = repr(value.tolist())
    else:
        content = hashlib.sha256(value.tobytes()).hexdigest()[:16]
    return f"{value.dtype.str} {list(value.shape)} {content}"


def hdf5(path, data, folder):
    """All groups, datasets and attributes by content; the text before a checkpoint and behind a VTKHDF file
    without lengths and checksums."""
    lines = []
    with h5py.File(path, "r") as file:
        if file.userblock_size:
            lines += data[:file.userblock_size].decode("ascii", "replace").split("\n")[:2]

        def visit(name, item):
            for key in sorted(item.attrs):
                if not UNSTEADY.match(key):
                    lines.append(f"{name} @{key} {show(item.attrs[key], folder)}")
            if isinstance(item, h5py.Dataset) and not UNSTEADY.match(name.split("/")[-1]):
                lines.append(f"{name} {item.compression} {show(item[()], folder)}")
            elif isinstance(item, h5py.Group):
                lines.append(f"{name} group")

        visit("/", file)
        file.visititems(visit)
    seal = data[-64:].split(b"\n", maxsplit=1)[0]
    if seal.startswith(b"freshet"):
        lines.append(seal.decode())
    return "\n".join(lines).encode()


def reduce(path, folder):
    """The bytes of a file that must stay; `folder` is what texts call DIR."""
    with open(path, "rb") as file:
        data = file.read()
    name = os.path.basename(path)
    try:
        if name.endswith((".h5", ".vtkhdf")):
            return hdf5(path, data, folder)
        if name.endswith(".json"):
            return json_text(data, folder)
        if name.startswith("stats") and name.endswith(".csv"):
            return table(data)
        if name.endswith((".txt", ".md")):
            return text(data, folder)
    except (ValueError, OSError, LookupError, AttributeError, TypeError, RuntimeError) as error:
        return f"cannot be read: {error!r}".encode()
    return plain(data)


def states(path):
    """Frame and state hash of every frame in a run.json; nothing if it is of something else."""
    try:
        with open(path, encoding="utf-8") as file:
            return [(frame["frame"], frame["hash"]) for frame in json.load(file)["frames"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def greatest(path, column):
    """Of a column of stats.csv; 0 if it is not there."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return max(float(row[column] or 0) for row in csv.DictReader(file))
    except (OSError, ValueError, KeyError):
        return 0.0
