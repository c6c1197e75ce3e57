"""Particle files of runs: .vtkhdf (with h5py), .ply, .geo, .usda.  Needs NumPy alone besides."""
import os
import re

import numpy as np

from .errors import FileError
from .particles import Particles

USD_SAMPLES = re.compile(r"^    [\w\[\]]+ ([\w:]+)\.timeSamples = \{\n        \d+: \[", re.M)
TYPES = {"float": "f4", "uint": "u4", "uchar": "u1", "int": "i4"}


def read_by_ending(path, readers, what):
    """What readers[ending](path) gives; FileError of a file that is not a `what` file."""
    reader = readers.get(os.path.splitext(path)[1])
    if not reader:
        raise FileError(f"'{path}' has none of the endings {', '.join(readers)}")
    try:
        return reader(path)
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"cannot read '{path}': {error.strerror or error}") from error
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise FileError(f"'{path}' is not a {what} file of freshet, or damaged ({error})") from error


def ply_elements(path):
    """{element: structured array} of a binary PLY file whose elements have fixed sizes; lists must be of three
    (faces)."""
    with open(path, "rb") as file:
        data = file.read()
    end = data.find(b"end_header\n")
    if not data.startswith(b"ply\nformat binary_") or end < 0:
        raise FileError(f"'{path}' is not a binary PLY file")
    order, elements, at = "<" if data.startswith(b"ply\nformat binary_little") else ">", [], end + 11
    for words in (line.split() for line in data[:end].decode("utf-8", "replace").splitlines()):
        if words[0] == "element":
            elements.append((words[1], int(words[2]), []))
        elif words[:2] == ["property", "list"]:
            elements[-1][2].extend([("count", TYPES[words[2]]), ("indices", order + TYPES[words[3]], 3)])
        elif words[0] == "property":
            elements[-1][2].append((words[2], order + TYPES[words[1]]))
    result = {}
    for name, count, fields in elements:
        kind = np.dtype(fields)
        if at + count * kind.itemsize > len(data):
            raise FileError(f"'{path}' is truncated")
        result[name] = np.frombuffer(data, kind, count, at).copy()
        at += count * kind.itemsize
    if at != len(data):
        raise FileError(f"'{path}' is longer than it should be")
    return result


def columns(rows, names, needed=True):
    """(n, len(names)) float32 of a structured array; None if they are not there and not needed."""
    if not needed and any(name not in rows.dtype.names for name in names):
        return None
    return np.stack([rows[name].astype(np.float32) for name in names], 1)


def _ply(path):
    rows = ply_elements(path)["vertex"]
    affine = columns(rows, [f"c{a}{b}" for a in "xyz" for b in "xyz"], False)
    return Particles(columns(rows, "xyz"), columns(rows, ["vx", "vy", "vz"]),
                     None if affine is None else affine.reshape(-1, 3, 3), rows["id"], rows["liquid"])


def _geo(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    head, _, body = text.partition("PointAttrib\n")
    count = re.match(r"PGEOMETRY V5\nNPoints (\d+) ", head)
    if not count or not body.endswith("beginExtra\nendExtra\n"):
        raise FileError(f"'{path}' is not a geometry file of freshet, or truncated")
    lines = body.split("\n")
    widths = {}
    while lines and re.match(r"[a-z]\w* \d+ (vector|float|int|index)", lines[0]):
        name, width = lines.pop(0).split()[:2]
        widths[name] = int(width)
    n = int(count[1])
    values = np.array(" ".join(lines[:n]).replace("(", " ").replace(")", " ").split(), np.float64)
    values = values.reshape(n, 4 + sum(widths.values())) if n else np.empty((0, 4 + sum(widths.values())))
    parts, at = {}, 4
    for name, width in widths.items():
        parts[name] = values[:, at:at + width]
        at += width
    affine = parts.get("affine")
    return Particles(values[:, :3].astype(np.float32), parts["v"].astype(np.float32),
                     None if affine is None else affine.astype(np.float32).reshape(n, 3, 3),
                     parts["id"][:, 0].astype(np.uint32), parts["liquid"][:, 0].astype(np.uint8))


def _vtkhdf(path):
    try:
        import h5py
    except ImportError as error:
        raise FileError(f"reading '{path}' needs h5py (Debian: python3-h5py)") from error
    with h5py.File(path, "r") as file:
        root = file["VTKHDF"]
        data = root["PointData"]
        return Particles(root["Points"][:], data["velocity"][:],
                         data["affine"][:].reshape(-1, 3, 3) if "affine" in data else None, data["id"][:],
                         data["liquid"][:])


def usda_samples(path):
    """{attribute: text of its value} of the one frame that an OpenUSD file of freshet holds."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not text.startswith('#usda 1.0\n(\n    doc = "freshet ') or not text.endswith("],\n    }\n}\n"):
        raise FileError(f"'{path}' is not an OpenUSD file of freshet, or truncated")
    found, at = {}, 0
    for match in iter(lambda: USD_SAMPLES.search(text, at), None):
        at = text.index("],\n    }\n", match.end())
        found[match[1]] = text[match.end():at]
    return found


def usda_numbers(text, width, kind):
    """(n, width) of the text between the brackets of an array; (n,) for width 1."""
    words = text.replace("(", " ").replace(")", " ").replace(",", " ").split()
    values = np.array(words, np.float64).astype(kind)
    return values.reshape(-1, width) if width > 1 else values


def _usda(path):
    samples = usda_samples(path)
    affine = [usda_numbers(samples[name], 3, np.float32) for name in samples if name.startswith("primvars:affine_")]
    return Particles(usda_numbers(samples["points"], 3, np.float32), usda_numbers(samples["velocities"], 3, np.float32),
                     np.stack(affine, 1) if affine else None, usda_numbers(samples["ids"], 1, np.uint32),
                     usda_numbers(samples["primvars:liquid"], 1, np.uint8))


READERS = {".vtkhdf": _vtkhdf, ".ply": _ply, ".geo": _geo, ".usda": _usda}


def read_particles(path):
    """Particles of a file of a run; positions and velocities are (n, 3), with z = 0 in 2D."""
    return read_by_ending(path, READERS, "particle")
