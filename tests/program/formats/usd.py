#!/usr/bin/env python3
"""OpenUSD files: what frames and the stage that joins them hold, by a reader of the text and, where it is
installed, by OpenUSD itself (usd-core); runs that go on; what is refused.

usage: usd.py PROGRAM SCENES_DIR [TEST...]
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from files_support import near, run
from cli_support import check, freshet, read, run_tests, skip, tree, write
from files_readers import UsdStage, numbered, read_ply, read_usda
from mesh_files_check import read_ply as read_mesh

try:
    from pxr import Usd, UsdGeom
except ImportError:
    Usd = None

SCENE = """version: 1
name: two
domain: {size: [1.0, 1.0], cells: 24}
time: {frames: 4, fps: 25}
liquid: {transfer: apic}
liquids:
  - {name: "a \\"pool\\" \\\\ 日本", box: {min: [0, 0], max: [1, 0.25]}, color: "#808080"}
  - {name: drop, sphere: {center: [0.5, 0.6], radius: 0.15}, velocity: [1, -1], color: "#ff0000"}
output: {particles: {format: %s, every: %d}, mesh: {format: %s, every: %d}}
"""
SCENE_3D = """version: 1
name: three
domain: {size: [1.0, 1.0, 1.0], cells: 10}
time: {frames: 2, fps: 24}
liquids:
  - {name: drop, sphere: {center: [0.5, 0.5, 0.4], radius: 0.25}, velocity: [1, -1, 0.5]}
output: {particles: {format: %s, every: %d}, mesh: {format: %s, every: %d}}
"""


def both(work, scene, every=1):
    return [run(work, form, scene % (form, every, form, every)) for form in ("ply", "usda")]


def test_particles_are_those_of_ply(work):
    ply, usda = both(work, SCENE)
    for frame in range(5):
        one = read_ply(f"{ply}/particles/{numbered('particles', frame, 'ply')}")
        path = f"{usda}/particles/{numbered('particles', frame, 'usda')}"
        two, stage = read_usda(path), UsdStage(path)
        for name in ("position", "velocity", "affine", "id", "liquid", "time"):
            check(getattr(one, name) == getattr(two, name), f"{name} of frame {frame}: the same bits")
        check(two.names == ['a "pool" \\ 日本', "drop"], "names", two.names)
        low, high = stage.values["extent"]
        width, = stage.values["widths"]
        # four in a cell: a quarter of its area each
        check(abs(width - 0.5 / 24) < 1e-7, "widths", width)
        check(all(abs(low[a] - min(p[a] for p in one.position) + width / 2) < 1e-6 and
                  abs(high[a] - max(p[a] for p in one.position) - width / 2) < 1e-6 for a in range(3)),
              "the extent holds all", low, high)
    # #808080 is 0.2159 in linear light (IEC 61966-2-1)
    check(stage.values["primvars:displayColor"] == [(0.216, 0.216, 0.216), (1, 0, 0)], "colours",
          stage.values["primvars:displayColor"])


def test_meshes_are_those_of_ply(work):
    for dim, scene in ((2, SCENE), (3, SCENE_3D)):
        os.mkdir(f"{work}/{dim}")
        ply, usda = both(f"{work}/{dim}", scene)
        one = read_mesh(f"{ply}/mesh/mesh_000002.ply")
        stage = UsdStage(f"{usda}/mesh/mesh.000002.usda")
        two = stage.values
        check(stage.type == ("Mesh" if dim == 3 else "BasisCurves") and len(one.places) > 20, "the prim", stage.type)
        if dim == 3:
            corners = [v for face in one.triangles for v in face]
            check(two["faceVertexIndices"] == corners and two["faceVertexCounts"] == [3] * len(one.triangles),
                  "triangles")
            order = range(len(one.places))
            check(all(near(one.normals[v], n, 1e-7) for v, n in zip(order, two["normals"])), "normals")
        else:
            order = [v for edge in one.triangles for v in edge]
            check(two["curveVertexCounts"] == [2] * len(one.triangles), "edges")
        check(len(two["points"]) == len(order) == len(two["velocities"]), "as many points", len(two["points"]))
        check(all(near(one.places[v], p, 1e-7) for v, p in zip(order, two["points"])), "places")
        check(all(near(one.velocities[v], u, 1e-6) for v, u in zip(order, two["velocities"])), "velocities")


def check_joined(folder, stem, frames, every):
    """The stage names the files of frames; OpenUSD finds in it what the frames' own stages have."""
    stage = UsdStage(f"{folder}/{stem}.usda")
    check(stage.metadata["startTimeCode"] == 0 and stage.metadata["endTimeCode"] == frames[-1], f"{stem}: frames",
          stage.metadata)
    check(stage.clips["templateAssetPath"] == f'"./{stem}.######.usda"' and
          [float(stage.clips["template" + word]) for word in ("StartTime", "EndTime", "Stride")] ==
          [0, frames[-1], every], f"{stem}: clips", stage.clips)
    if not Usd:
        return
    joined = Usd.Stage.Open(f"{folder}/{stem}.usda")
    prim = joined.GetDefaultPrim()
    points = UsdGeom.PointBased(prim)
    check(points.GetPointsAttr().GetTimeSamples() == frames, f"{stem}: OpenUSD's times",
          points.GetPointsAttr().GetTimeSamples())
    check(UsdGeom.GetStageUpAxis(joined) == "Y" and UsdGeom.GetStageMetersPerUnit(joined) == 1, "axes and units")
    for frame in frames:
        alone = Usd.Stage.Open(f"{folder}/{numbered(stem, frame, 'usda')}")
        for attribute in alone.GetDefaultPrim().GetAttributes():
            name = attribute.GetName()
            check(prim.GetAttribute(name).Get(frame) == attribute.Get(frame), f"{stem}: {name} of frame {frame}")
        count = len(points.GetPointsAttr().Get(frame))
        check(count > 0 and len(points.GetVelocitiesAttr().Get(frame)) == count, f"{stem}: velocities")
        if stem == "particles":
            check(len(UsdGeom.PrimvarsAPI(prim).GetPrimvar("displayColor").ComputeFlattened(frame)) == count,
                  "a colour each")


def test_the_stage_that_joins_frames(work):
    if not Usd:
        skip("OpenUSD is not installed (usd-core)")
    for dim, scene in ((2, SCENE), (3, SCENE_3D)):
        os.mkdir(f"{work}/{dim}")
        write(f"{work}/{dim}/usda.yaml", scene % ("usda", 2, "usda", 1))
        out = run(f"{work}/{dim}", "usda", scene % ("usda", 2, "usda", 1))
        check_joined(f"{out}/particles", "particles", [0, 2, 4] if dim == 2 else [0, 2], 2)
        check_joined(f"{out}/mesh", "mesh", list(range(5 if dim == 2 else 3)), 1)


def test_a_run_that_goes_on(work):
    """Interrupted after two frames, gone on with: the same bytes in the same files; --overwrite leaves none."""
    whole = run(work, "whole", SCENE % ("usda", 1, "usda", 1))
    part = run(work, "part", SCENE % ("usda", 1, "usda", 1), "--set", "time.frames=2", "--set",
               "output.checkpoint={every: 1}")
    result = freshet("run", "part.yaml", "-o", "part", "--resume", "-q", "--set", "output.checkpoint={every: 1}", cwd=work)
    check(result.returncode == 0, "it goes on", result)
    files = [name for name in tree(whole) if name.endswith(".usda")]
    check(len(files) == 12 and files == [name for name in tree(part) if name.endswith(".usda")], "the files", files)
    for name in files:
        check(read(f"{whole}/{name}") == read(f"{part}/{name}"), f"{name}: the same bytes")
    result = freshet("run", "whole.yaml", "-o", "whole", "--overwrite", "-q", "--set", "output={stats: false}", cwd=work)
    check(result.returncode == 0 and tree(whole) == ["log.txt", "run.json"], "--overwrite", tree(whole), result)


def test_meshes_afterwards(work):
    """`freshet mesh` reads particles from USD files and writes meshes as such."""
    out = run(work, "run", SCENE.replace(", mesh: {format: %s, every: %d}", "") % ("usda", 1))
    result = freshet("mesh", out, "-q", "-o", f"{work}/new", "--frames", "1:2", "--set", "output.mesh.format=usda")
    check(result.returncode == 0 and
          tree(f"{work}/new") == ["mesh/mesh.000001.usda", "mesh/mesh.000002.usda", "mesh/mesh.usda"], "the files",
          result, tree(f"{work}/new"))
    if Usd:
        joined = Usd.Stage.Open(f"{work}/new/mesh/mesh.usda")
        check(UsdGeom.PointBased(joined.GetDefaultPrim()).GetPointsAttr().GetTimeSamples() == [1, 2],
              "those that are there are joined")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
