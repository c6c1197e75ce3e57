#!/usr/bin/env python3
"""Tests of particle files, by independent readers.

usage: particle_files.py PROGRAM SCENES_DIR [TEST...]

Values are checked against states that are known beforehand.  VTKHDF needs h5py (Debian:
python3-h5py), and is read with VTK too where that is installed (python3-vtk9); without them these
checks are skipped.
"""
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import time

from files_support import near, rotation, run
from cli_support import (PROGRAM, SECONDS_WAIT, check, freshet, is_whole, read, refused, rows, run_tests, skip, tree,
                         write)
from files_readers import READERS, h5py, numbered, read_ply, read_with_vtk, vtk_arrays, vtkHDFReader

NAMES = ['left "one" \\ 日本', "right"]

# 2D: h = 0.125; cells 0..3 x 0..3 and 8..11 x 4..7; the second turns about (1.25, 0.75)
SEEDED = """version: 1
name: seeded
domain: {size: [2.0, 1.0], cells: 16}
gravity: [0, 0]
time: {frames: 0, fps: 24}
liquid: {jitter: 0}
liquids:
  - {name: 'left "one" \\ 日本', box: {min: [0, 0], max: [0.5, 0.5]}, velocity: [0.25, -1.5]}
  - {name: right, box: {min: [1.0, 0.5], max: [1.5, 1.0]}, angular_velocity: 2}
output:
  particles: {}
"""

# 3D: h = 0.1, 4 x 6 x 5 cells; a block of 2 x 3 x 2 cells turns about its centre
SEEDED_3D = """version: 1
name: seeded 3d
domain: {size: [0.4, 0.6, 0.5], cells: 4}
gravity: [0, 0, 0]
time: {frames: 0, fps: 24}
liquid: {jitter: 0, transfer: apic}
liquids:
  - {name: block, box: {min: [0.1, 0.2, 0.2], max: [0.3, 0.5, 0.4]}, angular_velocity: [1, 2, 3]}
output:
  particles: {}
"""


def usable_formats():
    if h5py:
        return list(READERS)
    skip("VTKHDF: no h5py here")
    return [name for name in READERS if name != "vtkhdf"]


def all_near(found, expected, tolerance):
    return len(found) == len(expected) and all(
        near(a, b, tolerance) for a, b in zip(sorted(found), sorted(expected)))


def sub_grid(h, low, high):
    """Centres of the 2 x 2 (x 2) parts of the cells low[a] .. high[a]-1."""
    axes = [[(i + part) * h for i in range(a, b) for part in (0.25, 0.75)]
            for a, b in zip(low, high)]
    if len(axes) == 2:
        return [(x, y, 0.0) for x in axes[0] for y in axes[1]]
    return [(x, y, z) for x in axes[0] for y in axes[1] for z in axes[2]]


def check_seeded_2d(particles, what):
    left = sub_grid(0.125, (0, 0), (4, 4))
    right = sub_grid(0.125, (8, 4), (12, 8))
    check(len(particles) == len(left) + len(right) == 128, f"{what}: number", len(particles))
    check(particles.id == list(range(128)), f"{what}: ids", particles.id)
    check(particles.names == NAMES, f"{what}: names of liquids", particles.names)
    for liquid, expected in enumerate((left, right)):
        mine = [i for i in range(len(particles)) if particles.liquid[i] == liquid]
        check(all_near([particles.position[i] for i in mine], expected, 1e-6),
              f"{what}: positions of liquid {liquid}", [particles.position[i] for i in mine])
        for i in mine:
            wanted = (rotation((0, 0, 2), (1.25, 0.75, 0), particles.position[i]) if liquid
                      else (0.25, -1.5, 0))
            if not near(particles.velocity[i], wanted, 1e-6):
                check(False, f"{what}: velocity of particle {i}", particles.velocity[i], wanted)
                return
    check(True, f"{what}: velocities")


def check_vtk_particles(path, particles, what):
    """VTK reads the same as h5py did."""
    if not vtkHDFReader:
        return
    grid = read_with_vtk(path)
    count = len(particles)
    check(grid.GetClassName() == "vtkUnstructuredGrid" and grid.GetNumberOfPoints() == count and
          grid.GetNumberOfCells() == count, f"{what}: VTK's points and cells", str(grid)[:800])
    points = [grid.GetPoint(i) for i in range(count)]
    check(all(near(a, b, 0) for a, b in zip(points, particles.position)), f"{what}: VTK's points")
    check(all(grid.GetCellType(i) == 1 and grid.GetCell(i).GetPointId(0) == i
              for i in range(count)), f"{what}: VTK's vertices")
    if count == 0:
        return
    arrays = vtk_arrays(grid.GetPointData())
    check(arrays["id"].tolist() == particles.id and
          arrays["liquid"].tolist() == particles.liquid and
          [tuple(row) for row in arrays["velocity"].tolist()] == particles.velocity,
          f"{what}: VTK's arrays", arrays)
    check("affine" not in arrays and not particles.affine or
          [tuple(row) for row in arrays["affine"].tolist()] == particles.affine,
          f"{what}: VTK's affine matrices", arrays)
    names = grid.GetFieldData().GetAbstractArray("liquid_names")
    check([names.GetValue(i) for i in range(names.GetNumberOfValues())] == particles.names,
          f"{what}: VTK's names")


def test_particles_2d(work):
    if h5py and not vtkHDFReader:
        skip("VTK is not installed")
    for name in usable_formats():
        out = run(work, name, SEEDED, "--set", f"output.particles.format={name}")
        path = f"{out}/particles/{numbered('particles', 0, name)}"
        particles = READERS[name](path)
        check_seeded_2d(particles, name)
        check(not particles.affine, f"{name}: no affine matrices")
        if name == "vtkhdf":
            check_vtk_particles(path, particles, name)
        else:
            more = ["particles.usda"] if name == "usda" else []
            check(sorted(os.listdir(f"{out}/particles")) == [os.path.basename(path), *more], f"{name}: one file")


def test_particles_3d(work):
    """All three components of the rotation, and the affine matrices, which are 0 at the start."""
    expected = sub_grid(0.1, (1, 2, 2), (3, 5, 4))
    for name in usable_formats():
        out = run(work, name, SEEDED_3D, "--set", f"output.particles.format={name}")
        path = f"{out}/particles/{numbered('particles', 0, name)}"
        particles = READERS[name](path)
        check(all_near(particles.position, expected, 1e-6), f"{name}: positions",
              particles.position)
        check(particles.id == list(range(96)) and particles.liquid == [0] * 96, f"{name}: ids")
        check(all(near(particles.velocity[i],
                       rotation((1, 2, 3), (0.2, 0.35, 0.3), particles.position[i]), 1e-6)
                  for i in range(96)), f"{name}: velocities", particles.velocity)
        check(particles.affine == [(0,) * 9] * 96, f"{name}: affine matrices")
        if name == "vtkhdf":
            check_vtk_particles(path, particles, name)


def test_affine(work):
    """A turning disc: inside it the affine matrix is the gradient of the velocity."""
    scene = """version: 1
domain: {size: [1, 1], cells: 32}
gravity: [0, 0]
time: {frames: 1, fps: 1000}
liquid: {jitter: 0, transfer: apic}
liquids: [{name: disc, sphere: {center: [0.5, 0.5], radius: 0.3}, angular_velocity: 2}]
output: {particles: {format: ply}}
"""
    out = run(work, "disc", scene)
    particles = read_ply(f"{out}/particles/particles_000001.ply")
    expected = (0, -2, 0, 2, 0, 0, 0, 0, 0)
    inner = [particles.affine[i] for i in range(len(particles))
             if math.dist(particles.position[i][:2], (0.5, 0.5)) < 0.2]
    mean = [sum(row[c] for row in inner) / len(inner) for c in range(9)]
    check(len(inner) > 400 and near(mean, expected, 0.05), "mean affine matrix", mean)


def test_open_floor(work):
    """Particles leave: each file holds those that stats.csv counts, under their ids."""
    scene = SEEDED.replace("gravity: [0, 0]", "gravity: [0, -9.81]").replace("frames: 0",
                                                                             "frames: 6")
    scene = scene.replace("cells: 16}", "cells: 16, walls: {y-: open}}")
    name = usable_formats()[0]
    out = run(work, "floor", scene, "--set", "output.particles.every=2",
              "--set", f"output.particles.format={name}")
    alive = {int(row["frame"]): int(row["particles"]) for row in rows(f"{out}/stats.csv")
             if row["hash"]}
    frames = [0, 2, 4, 6]
    expected = [numbered("particles", frame, name) for frame in frames]
    found = sorted(file for file in os.listdir(f"{out}/particles") if "series" not in file and file != "particles.vtkhdf")
    check(found == expected, "every second frame", found)
    check(alive[6] < alive[0], "particles leave", alive)
    before = set(range(128))
    for frame in frames:
        particles = READERS[name](f"{out}/particles/{numbered('particles', frame, name)}")
        check(len(particles) == alive[frame], f"particles of frame {frame}", len(particles))
        check(particles.id == sorted(set(particles.id)) and set(particles.id) <= before,
              f"ids of frame {frame}", particles.id)
        check(all((id >= 64) == liquid for id, liquid in zip(particles.id, particles.liquid)),
              f"liquids of frame {frame}", particles.liquid)
        check(all(0 <= x <= 2 and 0 <= y <= 1 and z == 0 for x, y, z in particles.position),
              f"positions of frame {frame}")
        before = set(particles.id)
        if name == "vtkhdf":
            check(particles.time == frame / 24, f"time of frame {frame}", particles.time)
    if name == "vtkhdf":
        series = json.loads(read(f"{out}/particles/particles.vtkhdf.series"))
        check(series["file-series-version"] == "1.0" and
              [(file["name"], file["time"]) for file in series["files"]] ==
              [(file, frame / 24) for file, frame in zip(expected, frames)], "the series", series)


def test_no_particles(work):
    """A liquid within a solid: no particle, files that are valid all the same."""
    scene = """version: 1
domain: {size: [2, 1], cells: 16}
time: {frames: 1, fps: 24}
liquids: [{name: a, box: {min: [0, 0], max: [0.5, 0.5]}}]
solids: [{box: {min: [0, 0], max: [0.5, 0.5]}}]
output: {particles: {}, fields: {every: 1}}
"""
    write(os.path.join(work, "s.yaml"), scene)
    for name in usable_formats():
        result = freshet("run", "s.yaml", "-o", name, "--set", f"output.particles.format={name}",
                         cwd=work)
        check(result.returncode == 0, "a run without particles", result)
        path = f"{work}/{name}/particles/{numbered('particles', 1, name)}"
        particles = READERS[name](path)
        check(len(particles) == 0 and particles.names == ["a"], f"{name}: empty", particles.names)
        if name == "vtkhdf":
            check_vtk_particles(path, particles, name)


# ---- the run around them ------------------------------------------------------------------------

def test_same_bytes(work):
    scene = SEEDED.replace("frames: 0", "frames: 1") + "  fields: {every: 1}\n"
    first, second = run(work, "first", scene), run(work, "second", scene)
    names = [name for name in tree(first) if name.startswith(("particles/", "fields/"))]
    check(len(names) == 7, "the files", names)
    for name in names:
        check(read(f"{first}/{name}") == read(f"{second}/{name}"), f"{name}: same bytes")


def test_scene_keys(work):
    write(os.path.join(work, "s.yaml"), SEEDED)
    cases = {
        "output.particles.format=pyl": ("did you mean 'ply'", f"one of {', '.join(READERS)}, not"),
        "output.particles.every=0": ("output.particles.every",),
        "output.particles.fromat=ply": ("fromat", "format"),
        "output.fields.names=[velocity, presure]": ("presure", "pressure"),
        "output.fields.names=[cells, cells]": ("twice",),
        "output.fields.names=[]": ("empty",),
        "output.fields.names=cells": ("a list",),
        "output.fields=true": ("mapping",),
    }
    for setting, words in cases.items():
        refused(freshet("check", "s.yaml", "--set", setting, cwd=work), *words)
    result = freshet("check", "s.yaml", "--set", "output.fields={}", cwd=work)
    check(result.returncode == 0 and "particles/*.vtkhdf" in result.stdout and
          "fields/*.vtkhdf" in result.stdout and "one frame in 10" in result.stdout,
          "check tells the disk", result)
    out = run(work, "out", SEEDED, "--set", "output.fields.names=[levelset]",
              "--set", "output.particles.format=geo")
    echo = json.loads(read(f"{out}/run.json"))["scene"]["output"]
    check(echo["particles"] == {"format": "geo", "every": 1} and
          echo["fields"] == {"format": "vtkhdf", "every": 10, "names": ["levelset"]}, "the echo", echo)


def test_bytes(work):
    """docs/output.md tells the bytes per particle and point, `freshet check` those per frame."""
    scene = SEEDED.replace("cells: 16", "cells: 128").replace("jitter: 0", "jitter: 1")
    scene = scene.replace("frames: 0, fps: 24", "frames: 1, fps: 1000")
    write(os.path.join(work, "s.yaml"), scene)
    count = 4 * 2 * 32 * 32
    # a file's own bytes, bytes per particle, and by how much both may be off
    formats = {"vtkhdf": (20480, 29.11, 0.02), "ply": (512, 29, 0.01), "geo": (512, 63, 0.1), "usda": (1700, 73, 0.1)}
    for name in usable_formats():
        settings = ["--set", f"output.particles.format={name}", "--set", "output.fields.every=1"]
        out = run(work, name, scene, *settings)
        size = os.path.getsize(f"{out}/particles/{numbered('particles', 1, name)}")
        own, each, off = formats[name]
        check(abs(size / (own + each * count) - 1) < off, f"{name}: bytes per particle",
              size / count)
        result = freshet("check", "s.yaml", *settings, cwd=work)
        told = {line.split()[0]: float(line.split()[2]) * 1048576
                for line in result.stdout.splitlines() if "one frame in" in line}
        check(abs(told[f"particles/*.{name}"] / size - 1) < off + 0.01, f"{name}: what check tells",
              told, size)
        fields = os.path.getsize(f"{out}/fields/fields_000001.vtkhdf")
        check(abs(fields / (8192 + 21 * 2 * 128 * 64) - 1) < 0.01, "bytes per point", fields)
        check(abs(told["fields/*.vtkhdf"] / fields - 1) < 0.02, "fields", told, fields)


def test_overwrite(work):
    out = run(work, "out", SEEDED, "--set", "output.fields={}")
    write(f"{out}/particles/notes.txt", "mine")
    write(f"{out}/particles/particles_000007.vtkhdf.tmp", "left behind by a killed run")
    os.remove(f"{out}/run.json")
    for name in ("log.txt", "stats.csv"):
        os.remove(f"{out}/{name}")
    refused(freshet("run", "out.yaml", "-o", "out", cwd=work), "out", "--overwrite")
    result = freshet("run", "out.yaml", "-o", "out", "--overwrite", "--set",
                     "output.particles.format=ply", cwd=work)
    check(result.returncode == 0, "--overwrite", result)
    check(tree(out) == ["log.txt", "particles/notes.txt", "particles/particles_000000.ply",
                        "run.json", "stats.csv"], "the old files are gone", tree(out))


def test_full_disk(work):
    """Files that are too large for their limit, as on a full disk."""
    scene = SEEDED.replace("cells: 16", "cells: 64").replace("frames: 0", "frames: 400")
    cases = [(f"output.particles.format={name}", f"particles{'.' if name == 'usda' else '_'}00.*{name}", 30000)
             for name in usable_formats()]
    if h5py:
        cases.append(("output.fields={every: 1}", "fields_00", 60500))
    for setting, name, limit in cases:
        out = os.path.join(work, "out")
        # fields alone: whichever file comes first would meet the limit
        write(os.path.join(work, "s.yaml"),
              scene.replace("particles: {}", "stats: true") if "fields" in setting else scene)
        process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", out, "--set", setting],
                                   cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True)
        # by then the driver has written its own files
        end = time.monotonic() + SECONDS_WAIT
        folder = f"{out}/{'fields' if 'fields' in setting else 'particles'}"
        while not (os.path.isdir(folder) and len(os.listdir(folder)) > 3):
            time.sleep(0.01)
            if time.monotonic() > end or process.poll() is not None:
                break
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limit, limit))
        _, errors = process.communicate(timeout=SECONDS_WAIT)
        result = subprocess.CompletedProcess(process.args, process.returncode, "", errors)
        refused(result, "cannot write", name.split(".*")[0], "File too large", code=1)
        check("HDF5" not in errors, "no word of the library", errors)
        check(not [file for file in tree(out) if "tmp" in file], "no temporary files", tree(out))
        check(not is_whole(out), "what is there is whole", is_whole(out))
        last = json.loads(read(f"{out}/run.json"))
        check(last["status"] == "failed" and "File too large" in last["error"], "run.json",
              last["error"])
        shutil.rmtree(out)

if __name__ == "__main__":
    sys.exit(run_tests(globals()))
