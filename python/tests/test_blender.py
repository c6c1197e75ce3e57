"""The Blender extension: its half that reads files, packed as Blender gets it; and, where there is one, in Blender
(the module bpy)."""
import importlib
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import freshet
from conftest import SOURCE


@pytest.fixture(scope="module")
def extension(tmp_path_factory):
    """The packed extension, imported from where it is unpacked, which does not have the package `freshet`."""
    folder = tmp_path_factory.mktemp("blender")
    subprocess.run([os.path.join(SOURCE, "tools", "blender", "pack"), str(folder / "x.zip")], check=True,
                   stdout=subprocess.DEVNULL)
    with zipfile.ZipFile(folder / "x.zip") as file:
        names = file.namelist()
        file.extractall(folder)
    assert "freshet_run/blender_manifest.toml" in names and "freshet_run/freshet_files/run.py" in names
    sys.path.insert(0, str(folder))
    yield importlib.import_module("freshet_run")
    sys.path.remove(str(folder))


@pytest.mark.parametrize("kind", ["ply", "usda", "geo"])
def test_frames(extension, runs, kind):
    frames = importlib.import_module("freshet_run.frames")
    assert frames.Run.__module__ == "freshet_run.freshet_files.run"
    particles, run = frames.Frames(runs[kind], "particles"), freshet.Run(runs[kind])
    assert particles.frames == [0, 1, 2] and particles.rate == 24
    assert (particles.nearest(-1), particles.nearest(1), particles.nearest(9)) == (None, 1, 2)
    data, there = particles.read(2), run.particles(2)
    # y up is z up: a quarter turn about x, which keeps x and lengths
    np.testing.assert_array_equal(data["position"][:, [0, 2]], there.positions[:, :2])
    np.testing.assert_array_equal(data["position"][:, 1], -there.positions[:, 2])
    np.testing.assert_array_equal(data["velocity"][:, 2], there.velocities[:, 1])
    assert data["Color"].shape == (len(there), 4) and data["Color"].dtype == np.float32
    # #e69f00, the drop's, in linear light (IEC 61966-2-1)
    np.testing.assert_allclose(data["Color"][there.liquids == 1][0], [0.7913, 0.3467, 0, 1], atol=1e-4)
    assert len(np.unique(data["Color"], axis=0)) == 2
    mesh, surface = frames.Frames(runs[kind], "mesh").read(2), run.mesh(2)
    np.testing.assert_array_equal(mesh["faces"], surface.faces)
    np.testing.assert_array_equal(mesh["position"][:, 2], surface.vertices[:, 1])


def test_in_blender(extension, runs):
    bpy = pytest.importorskip("bpy")
    extension.register()
    try:
        assert bpy.ops.import_scene.freshet_run(directory=runs["ply"]) == {"FINISHED"}
        run = freshet.Run(runs["ply"])
        for frame in (1, 2):
            bpy.context.scene.frame_set(frame)
            made = {target["freshet_kind"]: target.data for target in bpy.context.scene.objects
                    if target.get("freshet_run")}
            assert set(made) == {"particles", "mesh"}
            there = run.particles(frame)
            position = np.empty(3 * len(there), np.float32)
            made["particles"].vertices.foreach_get("co", position)
            np.testing.assert_array_equal(position.reshape(-1, 3)[:, [0, 2]], there.positions[:, :2])
            velocity = np.empty(3 * len(there), np.float32)
            made["particles"].attributes["velocity"].data.foreach_get("vector", velocity)
            np.testing.assert_array_equal(velocity.reshape(-1, 3)[:, 2], there.velocities[:, 1])
            colour = np.empty(4 * len(there), np.float32)
            made["particles"].attributes["Color"].data.foreach_get("color", colour)
            assert len(np.unique(colour.reshape(-1, 4), axis=0)) == 2
            assert len(made["mesh"].vertices) == len(run.mesh(frame).vertices)
    finally:
        extension.unregister()
