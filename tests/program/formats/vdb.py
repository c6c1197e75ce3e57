#!/usr/bin/env python3
"""OpenVDB files, read by OpenVDB's own module (Debian: python3-openvdb) and compared with VTKHDF files of the same
run; what is refused.

usage: vdb.py PROGRAM SCENES_DIR [TEST...]
"""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from files_support import run
from cli_support import check, freshet, read, refused, rows, run_tests, skip, tree, write
from files_readers import h5py

try:
    import numpy
    import pyopenvdb
except ImportError:
    pyopenvdb = None

# Cells along each axis differ; a ball at rest, and a pool.
SCENE = """version: 1
name: ball and pool
%s
domain: {size: [0.9, 1.2, 0.6], cells: [12, 16, 8]}
time: {frames: 2, fps: 60}
liquids:
  - {box: {min: [0, 0, 0], max: [0.9, 0.4, 0.6]}}
  - {sphere: {center: [0.45, 0.8, 0.3], radius: 0.2}, velocity: [1, -1, 0.5]}
%s
output: {fields: {format: %s, every: 1}}
"""
SCENE_2D = """version: 1
domain: {size: [1, 1], cells: 8}
liquids: [{box: {min: [0, 0], max: [0.5, 0.5]}}]
output: {fields: {format: vdb}}
"""
BLOCK = "solids: [{box: {min: [0.6, 0, 0], max: [0.75, 0.3, 0.3]}}]"
H, CELLS = 0.075, (12, 16, 8)


def is_built(work):
    """Whether the program has OpenVDB.  Without it a scene that asks for it is refused, by name and place."""
    write(f"{work}/asks.yaml", SCENE % ("", BLOCK, "vdb"))
    result = freshet("check", "asks.yaml", cwd=work)
    if result.returncode == 0:
        return True
    refused(result, "asks.yaml:", "output.fields.format: vdb", "needs OpenVDB", "libopenvdb-dev", "vtkhdf")
    skip("the program is built without OpenVDB")
    return False


def dense(grid, more=0):
    """[x][y][z] from cell 0 on."""
    shape = tuple(n + more for n in CELLS)
    vector = isinstance(grid.background, tuple)
    array = numpy.empty(shape + (3,) if vector else shape, numpy.float32)
    grid.copyToArray(array)
    return array


def both(work, method):
    name = "flip" if not method else "grid"
    block = "" if method else BLOCK  # which the grid alone does not know
    vdb = run(work, name + "_vdb", SCENE % (method, block, "vdb"))
    vtk = run(work, name + "_vtk", SCENE % (method, block, "vtkhdf"))
    grids, meta = pyopenvdb.readAll(f"{vdb}/fields/fields_000002.vdb")
    with h5py.File(f"{vtk}/fields/fields_000002.vtkhdf", "r") as file:
        # [z][y][x] to [x][y][z]
        fields = {key: numpy.swapaxes(value[:], 0, 2) for key, value in file["VTKHDF/PointData"].items()}
    return vdb, {grid.name: grid for grid in grids}, meta, fields


def check_fields(grids, meta, fields):
    check(meta["frame"] == 2 and abs(meta["time"] - 2 / 60) < 1e-12, "metadata", meta)
    for name, grid in grids.items():
        middle = grid.transform.indexToWorld((0, 0, 0))
        check(all(abs(x - H / 2) < 1e-12 for x in middle) and
              all(abs(x - H) < 1e-12 for x in grid.transform.voxelSize()), f"{name}: its place", middle)
    surface = grids["surface"]
    check(surface.gridClass == "level set" and abs(surface.background - 3 * H) < 1e-7, "a level set", surface.gridClass)
    check(numpy.array_equal(dense(surface), numpy.clip(fields["levelset"], -numpy.float32(3 * H), numpy.float32(3 * H))),
          "its values, to three cells off")
    check(surface.activeVoxelCount() == numpy.count_nonzero(abs(fields["levelset"]) < numpy.float32(3 * H)), "its band")
    check(numpy.array_equal(dense(grids["pressure"]), fields["pressure"]), "pressure")
    check(numpy.array_equal(dense(grids["cells"]), fields["cells"]) and len(numpy.unique(fields["cells"])) > 1, "cells")
    velocity = grids["velocity"]
    u = dense(velocity, 1)
    check(velocity.gridClass == "staggered", "staggered", velocity.gridClass)
    # In the liquid both faces of a cell are known, and its velocity is their mean.
    inside = fields["cells"] == 1
    for a in range(3):
        low, high = (u[tuple(slice(i, n + i) if b == a else slice(n) for b, n in enumerate(CELLS))][..., a] for i in (0, 1))
        mean = numpy.float32(0.5) * (low + high)
        check(inside.any() and numpy.array_equal(mean[inside], fields["velocity"][inside][:, a]), f"velocity along {a}")
        check(not numpy.take(u[..., a], [0, CELLS[a]], a).any(), f"no flow through the box along {a}")


def test_particles_on_a_grid(work):
    if not is_built(work):
        return
    _, grids, meta, fields = both(work, "")
    check(sorted(grids) == ["cells", "pressure", "surface", "velocity"], "grids", list(grids))
    check_fields(grids, meta, fields)


def test_the_grid_alone(work):
    if not is_built(work):
        return
    out, grids, meta, fields = both(work, "method: grid")
    check(sorted(grids) == ["cells", "density", "pressure", "surface", "velocity"], "grids", list(grids))
    check_fields(grids, meta, fields)
    fog = dense(grids["density"]).astype(float)
    check(grids["density"].gridClass == "fog volume" and fog.min() >= 0 and fog.max() <= 1 + 1e-6, "fog", fog.max())
    # of the pool and of the ball: nothing leaves
    volume = 0.9 * 0.4 * 0.6 + 4 / 3 * math.pi * 0.2**3
    check(abs(fog.sum() * H**3 / volume - 1) < 0.02, "its volume", fog.sum() * H**3, volume)
    check(rows(f"{out}/stats.csv")[-1]["hash"] != "", "the run is one")


def test_same_bytes(work):
    if not is_built(work):
        return
    one, two = (run(work, name, SCENE % ("", BLOCK, "vdb")) for name in ("one", "two"))
    files = [name for name in tree(one) if name.endswith(".vdb")]
    check(len(files) == 3, "a file a frame", files)
    check(len({read(f"{one}/{name}") for name in files}) == 3, "frames differ")
    for name in files:
        check(read(f"{one}/{name}") == read(f"{two}/{name}"), f"{name}: the same bytes")
    result = freshet("run", "one.yaml", "-o", "one", "--overwrite", "-q", "--set", "output={stats: false}", cwd=work)
    check(result.returncode == 0 and tree(one) == ["log.txt", "run.json"], "--overwrite", tree(one), result)


def test_what_is_refused(work):
    write(f"{work}/flat.yaml", SCENE_2D)
    refused(freshet("check", "flat.yaml", cwd=work), "flat.yaml:4:27", "output.fields.format: vdb", "3D")
    refused(freshet("check", "flat.yaml", "--set", "output.fields.format=vbd", cwd=work), "did you mean 'vdb'")
    if not is_built(work):
        return
    out = run(work, "run", SCENE % ("", BLOCK, "vdb"))
    refused(freshet("render", out, "-o", f"{work}/new", "--set", "output.png.view=pressure", cwd=work), "fields_000000.vdb",
            "OpenVDB", "vtkhdf", code=1)


if __name__ == "__main__":
    if not pyopenvdb or not h5py:
        print("1 skipped: no pyopenvdb or h5py here")
        sys.exit(77)
    sys.exit(run_tests(globals()))
