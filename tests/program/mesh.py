#!/usr/bin/env python3
"""Tests the mesh files of runs with an independent reader (mesh_files_check.py).

usage: mesh.py PROGRAM SCENES_DIR

Every scene of SCENES_DIR is run on a small grid, and small scenes at the edges of what is
allowed.  FRESHET_TEST_FULL=1: finer grids, more frames, other work-groups.
"""
import math
import os
import re
import sys
import tempfile
from fractions import Fraction

from cli_support import FULL, SCENES, Count, check, freshet, refused, tree, write
from mesh_files_check import faults, outline_faults, read_obj, read_ply


def run(work, name, text, *more):
    path = os.path.join(work, name + ".yaml")
    write(path, text)
    out = os.path.join(work, name)
    result = freshet("run", path, "-o", out, "--quiet", *more)
    check(result.returncode == 0, f"{name} runs", result)
    return out


def check_mesh(mesh, what, spacing, size, volume=None, tolerance=0.03):
    if len(size) == 2:
        found, enclosed = outline_faults(mesh, 1e-12 * spacing)
    else:
        found, enclosed = faults(mesh, 1e-12 * spacing * spacing)
    check(not found, f"{what}: closed and two-manifold", found)
    outside = [p for p in mesh.places if not all(0 <= x <= s * (1 + 1e-6) for x, s in zip(p, size))]
    check(not outside, f"{what}: within the box", outside[:3])
    if volume is not None:
        check(abs(enclosed / volume - 1) <= tolerance, f"{what}: volume", enclosed, volume)


def coarse_grid(text, least):
    """The size of a scene's box, and cells for it: square ones, at least `least` along each axis."""
    words = re.search(r"size: \[([^]]*)\]", text).group(1).split(",")
    sides = [Fraction(word.strip()) for word in words]
    whole = math.lcm(*(s.denominator for s in sides))
    sides = [int(s * whole) for s in sides]
    sides = [s // math.gcd(*sides) for s in sides]
    return [float(word) for word in words], [s * -(-least // min(sides)) for s in sides]


def check_scene(work, path, least, frames):
    """Meshes of the first and the last frame."""
    name = os.path.relpath(path, SCENES)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    size, cells = coarse_grid(text, least)
    if len(size) == 2:
        cells = coarse_grid(text, 2 * least)[1]
    if len(size) == 3 and math.prod(cells) > 50000 and not FULL:
        check(name == "validation/kleefsman.yaml", f"{name}: small enough for the short form", cells)
        return
    if "method: grid" in text:
        return  # has no meshes: refused (grid.py)
    stem = name[:-5].replace("/", "_")
    text = text.replace("file: meshes/", f"file: {SCENES}/meshes/")
    out = run(work, stem, text, "--frames", str(frames), "--set", f"domain.cells={cells}",
              "--set", f"output={{mesh: {{every: {max(frames, 1)}}}}}")
    wanted = sorted({0, frames})
    check(tree(os.path.join(out, "mesh")) == [f"mesh_{frame:06d}.ply" for frame in wanted],
          f"{name}: files", tree(out))
    for frame in wanted:
        if "inflows:" in text:
            continue  # nothing has come in yet
        mesh = read_ply(os.path.join(out, "mesh", f"mesh_{frame:06d}.ply"))
        few = 10 if len(size) == 2 else 50 if "/" in name else 100
        check(len(mesh.triangles) > few, f"{name}: has a mesh",
              len(mesh.triangles))
        check_mesh(mesh, f"{name} frame {frame}", size[0] / cells[0], size)


def test_shipped_scenes(work):
    """On grids of a few cells, with the places and shapes of the scene; those of `freshet validate`
    as they begin, without the one whose proportions ask for many cells.  Long form: that one too, and
    12 frames of all."""
    for folder, frames in ((SCENES, 3), (os.path.join(SCENES, "validation"), 0)):
        for name in sorted(n for n in os.listdir(folder) if n.endswith(".yaml")):
            check_scene(work, os.path.join(folder, name), 16 if FULL else 8,
                        12 if FULL else frames)


def test_edges(work):
    head = "domain: {size: [1, 1, 1], cells: 8}\ntime: {frames: 0}\n"
    output = "output: {mesh: {format: %s}, surface: {resolution: %d}}\n"
    full = head + "liquids: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]\n"
    out = run(work, "full", full + output % ("ply", 2))
    # The edges of the box are cut off at 1/50 of an interval.
    check_mesh(read_ply(os.path.join(out, "mesh/mesh_000000.ply")), "full box", 1 / 16, (1, 1, 1),
               1.0, 1e-4)
    out = run(work, "none", head + output % ("ply", 1))
    mesh = read_ply(os.path.join(out, "mesh/mesh_000000.ply"))
    check(mesh.places == [] and mesh.triangles == [], "no liquid: an empty mesh", mesh)
    out = run(work, "none_obj", head + output % ("obj", 1))
    mesh = read_obj(os.path.join(out, "mesh/mesh_000000.obj"))
    check(mesh.places == [] and mesh.triangles == [], "no liquid: an empty OBJ", mesh)
    pool = head + "liquids: [{box: {min: [0, 0, 0], max: [1, 0.5, 1]}, velocity: [1, 0, -2]}]\n"
    ply = run(work, "pool", pool + output % ("ply", 1))
    obj = run(work, "pool_obj", pool + output % ("obj", 1))
    one = read_ply(os.path.join(ply, "mesh/mesh_000000.ply"))
    two = read_obj(os.path.join(obj, "mesh/mesh_000000.obj"))
    # The surface lies on nodes but for the particles' noise.
    check_mesh(one, "pool", 1 / 8, (1, 1, 1), 0.5, 0.02)
    check(one.triangles == [tuple(t) for t in two.triangles], "PLY and OBJ: the same triangles")
    apart = max(abs(a - b) for p, q in zip(one.places + one.normals, two.places + two.normals)
                for a, b in zip(p, q))
    check(len(one.places) == len(two.places) and apart <= 1e-7, "PLY and OBJ: the same places",
          apart)
    # Walls stop what is normal to them, over the two cells that the kernel reaches.
    inside = [v for v, p in zip(one.velocities, one.places)
              if all(0.3 < p[axis] < 0.7 for axis in (0, 2))]
    apart = max(abs(a - b) for v in inside for a, b in zip(v, (1, 0, -2)))
    check(len(inside) >= 9 and apart < 1e-5, "velocities are the liquid's, in frame 0 too", apart)
    for axis in (0, 1, 2):
        through = [abs(v[axis]) for v, p in zip(one.velocities, one.places)
                   if p[axis] in (0.0, 1.0)]
        check(len(through) > 20 and max(through) < 1e-5, "nothing moves through a wall", axis,
              max(through, default=None))


def test_work_groups(work):
    """The same bytes whatever the work-groups; every shape is compiled anew, so in the long form."""
    if not FULL:
        return
    text = ("domain: {size: [1, 1, 1], cells: 8, walls: {y+: open}}\ntime: {frames: 2, fps: 50}\n"
            "liquids: [{box: {min: [0, 0, 0], max: [0.4, 0.6, 0.5]}}]\n"
            "solids: [{sphere: {center: [0.6, 0.25, 0.5], radius: 0.12}}]\noutput: {mesh: {}}\n")
    files = []
    for size in ("1", "16", "256"):
        out = os.path.join(work, "groups" + size)
        write(out + ".yaml", text)
        result = freshet("run", out + ".yaml", "-o", out, "--quiet",
                         env={"FRESHET_WORK_GROUP": size})
        check(result.returncode == 0, f"work-groups of {size}", result)
        with open(os.path.join(out, "mesh", "mesh_000002.ply"), "rb") as file:
            files.append(file.read())
    check(len(files[0]) > 1000 and files[0] == files[1] == files[2], "the same bytes")


def test_outlines(work):
    """2D: the full box, none, a pool with a disc over it."""
    head = "domain: {size: [1, 0.75], cells: 16}\ntime: {frames: 0}\n"
    output = "output: {mesh: {format: %s}, surface: {resolution: %d}}\n"
    for resolution in (1, 2):
        full = head + "liquids: [{box: {min: [0, 0], max: [1, 1]}}]\n"
        out = run(work, f"full{resolution}", full + output % ("ply", resolution))
        check_mesh(read_ply(os.path.join(out, "mesh/mesh_000000.ply")), "full box", 1 / 32,
                   (1, 0.75), 0.75, 1e-4)
    for form, read in (("ply", read_ply), ("obj", read_obj)):
        out = run(work, "none_" + form, head + output % (form, 1))
        mesh = read(os.path.join(out, "mesh/mesh_000000." + form))
        check(mesh.places == [] and mesh.triangles == [], "no liquid: an empty " + form, mesh)
    pool = head + ("liquids: [{box: {min: [0, 0], max: [1, 0.25]}, velocity: [1, -2]},\n"
                   "  {sphere: {center: [0.5, 0.52], radius: 0.15}, velocity: [1, -2]}]\n")
    ply, obj = (read(os.path.join(run(work, "two_" + form, pool + output % (form, 2)),
                                  "mesh/mesh_000000." + form))
                for form, read in (("ply", read_ply), ("obj", read_obj)))
    check_mesh(ply, "pool and disc", 1 / 32, (1, 0.75), 0.25 + math.pi * 0.15 ** 2, 0.02)
    check(ply.triangles == obj.triangles, "PLY and OBJ: the same edges")
    apart = max(abs(a - b) for p, q in zip(ply.places, obj.places) for a, b in zip(p, q))
    check(len(ply.places) == len(obj.places) and apart <= 1e-7, "PLY and OBJ: the same places",
          apart)
    drop = [v for v, p in zip(ply.velocities, ply.places) if p[1] > 0.45]
    apart = max(abs(a - b) for v in drop for a, b in zip(v, (1, -2, 0)))
    check(len(drop) > 9 and apart < 1e-5, "velocities are the liquid's", apart)
    through = [abs(v[axis]) for v, p in zip(ply.velocities, ply.places) for axis, end in
               ((0, 1), (1, 0.75)) if p[axis] in (0, end)]
    check(len(through) > 20 and max(through) < 1e-5, "nothing moves through a wall", through)
    outward = min((b[1] - a[1]) * n[0] - (b[0] - a[0]) * n[1] for edge in ply.triangles
                  for a, b in [[ply.places[v] for v in edge]] for n in [ply.normals[edge[0]]])
    check(outward > 0, "normals point out of the liquid", outward)


def test_refusals(work):
    flat = os.path.join(work, "flat.yaml")
    write(flat, "domain: {size: [1, 1], cells: 8}\n")
    refused(freshet("check", flat, "--set", "output.surface={resolution: 3}"), "resolution")


def main():
    for test in (test_shipped_scenes, test_edges, test_outlines, test_work_groups, test_refusals):
        Count.section = test.__name__
        with tempfile.TemporaryDirectory() as work:
            test(work)
    print(f"{Count.passed} passed, {Count.failed} failed, {Count.skipped} skipped")
    return 1 if Count.failed else 0


sys.exit(main())
