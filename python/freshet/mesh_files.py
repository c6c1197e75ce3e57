"""Mesh files of runs: .ply, .obj, .usda.  Needs NumPy alone."""
from dataclasses import dataclass
from typing import Optional

import numpy as np

from .particle_files import columns, ply_elements, read_by_ending, usda_numbers, usda_samples


@dataclass
class Mesh:
    """The surface of the liquid: closed triangles, in 2D edges.  The arrays own their memory."""
    vertices: np.ndarray  #: (n, 3) float32, m; z = 0 in 2D
    faces: np.ndarray  #: (m, 3) int32, in 2D (m, 2): numbers of vertices; edges of USD files share none
    normals: Optional[np.ndarray] = None  #: (n, 3) float32, outwards, length 1
    velocities: Optional[np.ndarray] = None  #: (n, 3) float32, m/s


def _ply(path):
    elements = ply_elements(path)
    vertices = elements["vertex"]
    faces = elements["face"]["indices"] if "face" in elements else \
        np.stack([elements["edge"]["vertex1"], elements["edge"]["vertex2"]], 1)
    return Mesh(columns(vertices, "xyz"), np.ascontiguousarray(faces, np.int32),
                columns(vertices, ["nx", "ny", "nz"]), columns(vertices, ["vx", "vy", "vz"]))


def _obj(path):
    rows = {"v": [], "vn": [], "f": [], "l": []}
    with open(path, encoding="utf-8") as file:
        for key, *words in (line.split() for line in file if line.strip()):
            if key in rows:
                rows[key].append(words)
    faces = [[int(word.split("/")[0]) - 1 for word in words] for words in rows["f"] or rows["l"]]
    return Mesh(np.array(rows["v"], np.float32).reshape(-1, 3),
                np.array(faces, np.int32).reshape(len(faces), 2 if rows["l"] else 3),
                np.array(rows["vn"], np.float32) if rows["vn"] else None)


def _usda(path):
    samples = usda_samples(path)
    parts = {name: usda_numbers(samples[name], 3, np.float32) for name in ("points", "normals", "velocities")
             if name in samples}
    n = len(parts["points"])
    faces = usda_numbers(samples["faceVertexIndices"], 1, np.int32).reshape(-1, 3) if "faceVertexIndices" in samples \
        else np.arange(n, dtype=np.int32).reshape(-1, 2)
    return Mesh(parts["points"], faces, parts.get("normals"), parts["velocities"])


READERS = {".ply": _ply, ".obj": _obj, ".usda": _usda}


def read_mesh(path):
    """Mesh of a file of a run.  OBJ files hold no velocities."""
    return read_by_ending(path, READERS, "mesh")
