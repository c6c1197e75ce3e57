#!/usr/bin/env python3
"""Tests of field files, by independent readers.

usage: field_files.py PROGRAM SCENES_DIR [TEST...]

Values are checked against states that are known beforehand.  VTKHDF needs h5py (Debian:
python3-h5py), and is read with VTK too where that is installed (python3-vtk9); without them these
checks are skipped.
"""
import os
import sys

from files_support import near, rotation, run
from cli_support import check, run_tests, skip
from files_readers import Image, h5py, read_with_vtk, vtk_arrays, vtkHDFReader

TANK = """version: 1
domain: {size: [0.8, 1.2, 1.0], cells: 8}
time: {frames: 2, fps: 24}
liquid: {jitter: 0}
liquids: [{name: water, box: {min: [0, 0, 0], max: [0.8, 0.7, 1.0]}}]
solids: [{box: {min: [0.6, 0, 0.7], max: [0.8, 1.2, 1.0]}}]
output: {fields: {every: 2}}
"""


def check_vtk_image(path, image, what):
    """VTK reads the same as h5py did: values at the same places."""
    if not vtkHDFReader:
        return
    data = read_with_vtk(path)
    check(data.GetClassName() == "vtkImageData" and list(data.GetExtent()) == image.extent and
          near(data.GetOrigin(), image.origin, 0) and near(data.GetSpacing(), image.spacing, 0),
          f"{what}: VTK's geometry", str(data)[:800])
    arrays = vtk_arrays(data.GetPointData())
    check(set(arrays) == set(image.fields), f"{what}: VTK's arrays", arrays)
    x, y, z = (axis.ravel() for axis in image.places())
    check(all(near(data.GetPoint(i), (x[i], y[i], z[i]), 1e-12) for i in range(0, len(x), 7)),
          f"{what}: VTK's points")
    for name, array in arrays.items():
        check((array == image[name].reshape(array.shape)).all(), f"{what}: VTK's {name}")


def test_tank(work):
    """3D, no two axes alike: pressure by depth, level set by height, cells by place."""
    if not h5py:
        skip("no h5py here")
        return
    out = run(work, "tank", TANK)
    check(sorted(os.listdir(f"{out}/fields")) ==
          ["fields.vtkhdf.series", "fields_000000.vtkhdf", "fields_000002.vtkhdf"], "the files",
          os.listdir(f"{out}/fields"))
    path = f"{out}/fields/fields_000002.vtkhdf"
    image = Image(path)
    h, rho, g = 0.1, 1000.0, 9.81
    check(image.extent == [0, 7, 0, 11, 0, 9] and near(image.origin, [0.05] * 3, 1e-12) and
          near(image.spacing, [h] * 3, 1e-12) and image.time == 2 / 24, "geometry", image.extent,
          image.origin, image.spacing, image.time)
    check(set(image.fields) == {"velocity", "pressure", "levelset", "cells"}, "names",
          list(image.fields))
    x, y, z = image.places()
    solid = (x > 0.6) & (z > 0.7)
    water = (y < 0.7) & ~solid
    cells = image["cells"]
    check(((cells == 2) == solid).all(), "cells of the solid", cells)
    # at the surface a cell may be either
    clear = abs(y - 0.7) > 0.6 * h
    check(((cells == 1) == water)[clear & ~solid].all(), "cells of the water", cells)
    error = abs(image["pressure"] - rho * g * (0.7 - y))[water & clear]
    check(error.max() < 0.2 * rho * g * h, "hydrostatic pressure", error.max() / (rho * g * h))
    check((image["pressure"][cells != 1] == 0).all(), "no pressure elsewhere")
    error = abs(image["levelset"] - (y - 0.7))[(abs(y - 0.7) < h) & ~solid]
    check(error.max() < 0.25 * h, "level set", error.max() / h)
    check(abs(image["velocity"][water]).max() < 0.05, "at rest", image["velocity"][water].max())
    check_vtk_image(path, image, "tank")


def test_tank_2d(work):
    """A single layer of cells is written twice, half a cell before and behind it."""
    if not h5py:
        skip("no h5py here")
        return
    scene = """version: 1
domain: {size: [1, 0.5], cells: 16}
time: {frames: 1, fps: 24}
liquid: {jitter: 0}
liquids: [{name: water, box: {min: [0, 0], max: [1, 0.25]}}]
output: {fields: {every: 1, names: [pressure, cells]}}
"""
    out = run(work, "tank", scene)
    path = f"{out}/fields/fields_000001.vtkhdf"
    image = Image(path)
    h, weight = 1 / 16, 1000 * 9.81
    check(image.extent == [0, 15, 0, 7, 0, 1] and
          near(image.origin, [h / 2, h / 2, -h / 2], 1e-12), "geometry", image.extent,
          image.origin)
    check(set(image.fields) == {"pressure", "cells"}, "the names asked for", list(image.fields))
    for array in image.fields.values():
        check((array[0] == array[1]).all(), "two equal layers")
    _, y, _ = image.places()
    deep = y < 0.25 - 0.6 * h
    error = abs(image["pressure"] - weight * (0.25 - y))[deep]
    check(error.max() < 0.2 * weight * h, "hydrostatic pressure", error.max() / (weight * h))
    check((image["cells"] == 1)[deep].all() and (image["cells"] == 0)[y > 0.25 + 0.6 * h].all(),
          "cells", image["cells"])
    check_vtk_image(path, image, "2D")


def test_turning(work):
    """Velocity at cell centres: for a field that is linear the mean of two faces is exact."""
    if not h5py:
        skip("no h5py here")
        return
    scene = """version: 1
domain: {size: [1.0, 1.2, 0.9], cells: [20, 24, 18]}
gravity: [0, 0, 0]
time: {frames: 1, fps: 2000}
liquid: {jitter: 0}
liquids: [{name: ball, sphere: {center: [0.5, 0.65, 0.4], radius: 0.3}, velocity: [1, 2, 3],
           angular_velocity: [1, -2, 3]}]
output: {fields: {}}
"""
    out = run(work, "ball", scene, "--set", "output.fields.every=1")
    start, image = (Image(f"{out}/fields/fields_00000{frame}.vtkhdf") for frame in (0, 1))
    x, y, z = image.places()
    distance = ((x - 0.5) ** 2 + (y - 0.65) ** 2 + (z - 0.4) ** 2) ** 0.5
    inner = distance < 0.15
    spin = rotation((1, -2, 3), (0.5, 0.65, 0.4), (x, y, z))
    for axis in range(3):
        error = abs(image["velocity"][..., axis] - spin[axis] - (axis + 1))[inner]
        check(inner.sum() > 50 and error.max() < 0.06, f"velocity, axis {axis}", error.max())
    check((start["velocity"] == 0).all() and (start["pressure"] == 0).all(),
          "no projection at the start")
    near_surface = abs(distance - 0.3) < 0.05
    error = (start["levelset"] - (distance - 0.3))[near_surface] / 0.05
    check(abs(error.mean()) < 0.1 and abs(error).max() < 0.5, "level set of a ball",
          error.mean(), abs(error).max())
    check_vtk_image(f"{out}/fields/fields_000001.vtkhdf", image, "ball")

if __name__ == "__main__":
    sys.exit(run_tests(globals()))
