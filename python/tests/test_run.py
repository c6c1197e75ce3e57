"""Directories of runs, read from Python."""
import os
import shutil

import numpy as np
import pytest

import freshet
from conftest import SPLASH
from freshet import tables


def simulation_of(device):
    return freshet.Simulation(freshet.Scene.read(SPLASH, ["liquid.transfer=apic"]), device)


@pytest.mark.parametrize("kind", ["vtkhdf", "ply", "geo", "usda"])
def test_particles(runs, device, kind):
    """Files hold the simulation's particles bit by bit, and hash to what the run says."""
    run, simulation = freshet.Run(runs[kind]), simulation_of(device)
    assert run.status == "finished" and run.dim == 2 and run.frames_per_second == 24
    assert run.frames() == run.frames("fields") == run.frames("mesh") == [0, 1, 2] and run.frames("frames") == []
    for frame in run.frames():
        if frame > 0:
            simulation.step_frame()
        here, there = simulation.particles(), run.particles(frame)
        for name in ("positions", "velocities"):
            np.testing.assert_array_equal(getattr(there, name)[:, :2], getattr(here, name))
            assert not np.any(getattr(there, name)[:, 2])
        np.testing.assert_array_equal(there.affine[:, :2, :2], here.affine)
        np.testing.assert_array_equal(there.ids, here.ids)
        np.testing.assert_array_equal(there.liquids, here.liquids)
        assert freshet.state_hash(frame, there, 2) == run.hashes[frame] == simulation.hash()


def test_fields(runs, device):
    run, simulation = freshet.Run(runs["vtkhdf"]), simulation_of(device)
    simulation.step_frame()
    fields = run.fields(1)
    assert set(fields) == {"velocity", "pressure", "levelset", "cells"}
    np.testing.assert_array_equal(fields["pressure"], simulation.field("pressure"))
    np.testing.assert_array_equal(fields["cells"], simulation.field("cell_type"))
    assert fields["velocity"].shape == (30, 53, 3)


def test_meshes(runs):
    """Outlines: each vertex has as many edges that come as go; PLY and OBJ hold the same."""
    meshes = [freshet.Run(runs[kind]).mesh(2) for kind in ("vtkhdf", "ply")]
    for mesh in meshes:
        assert mesh.vertices.shape[1] == 3 and mesh.faces.shape[1] == 2 and mesh.faces.min() == 0
        begin, end = (np.bincount(mesh.faces[:, side], minlength=len(mesh.vertices)) for side in (0, 1))
        np.testing.assert_array_equal(begin, end)
    np.testing.assert_allclose(meshes[0].vertices, meshes[1].vertices, rtol=1e-6)
    np.testing.assert_array_equal(meshes[0].faces, meshes[1].faces)
    usda = freshet.Run(runs["usda"]).mesh(2)
    np.testing.assert_array_equal(usda.vertices[usda.faces], meshes[0].vertices[meshes[0].faces])
    np.testing.assert_array_equal(usda.velocities[usda.faces], meshes[0].velocities[meshes[0].faces])
    assert meshes[0].velocities.shape == meshes[0].vertices.shape and meshes[1].velocities is None


@pytest.mark.parametrize("with_pandas", [True, False])
def test_tables(runs, with_pandas, monkeypatch):
    if with_pandas:
        pytest.importorskip("pandas")
    else:
        monkeypatch.setattr(tables, "pandas", None)
    run = freshet.Run(runs["ply"])
    stats = run.stats()
    assert isinstance(stats, dict) != with_pandas
    assert list(stats["substep"])[:2] == [0, 1] and stats["frame"].dtype == np.int64
    assert np.isnan(stats["divergence_after"][0]) and stats["volume"].dtype == np.float64
    ends = [row for row, text in enumerate(stats["hash"]) if text]
    np.testing.assert_allclose(np.array(stats["time"])[ends], [0, 1 / 24, 2 / 24], rtol=1e-12)
    assert run.hashes == {row["frame"]: row["hash"] for row in run.info["frames"]}
    with pytest.raises(freshet.FileError, match="probes.csv"):
        run.probes()


def test_what_is_missing_or_broken(runs, tmp_path):
    with pytest.raises(freshet.FileError, match="run.json"):
        freshet.Run(tmp_path)
    run = freshet.Run(shutil.copytree(runs["ply"], tmp_path / "run"))
    with pytest.raises(freshet.FileError, match="no file of particles of frame 7 .there are 3, frames 0 to 2"):
        run.particles(7)
    path = run.path("particles", 1)
    with open(path, "rb") as file:
        data = file.read()
    for broken in (b"", data[:100], data[:-1], data.replace(b"property float vx\n", b""), b"\x00" * 300):
        with open(path, "wb") as file:
            file.write(broken)
        with pytest.raises(freshet.FileError):
            run.particles(1)
    for kind in ("geo", "usda", "vtkhdf"):
        run = freshet.Run(shutil.copytree(runs[kind], tmp_path / kind))
        path = run.path("particles", 1)
        os.truncate(path, os.path.getsize(path) // 2)
        with pytest.raises(freshet.FileError):
            run.particles(1)
    # a row that is not whole yet is not read
    with open(os.path.join(run.directory, "stats.csv"), "a", encoding="utf-8") as file:
        rows = len(run.stats()["frame"])
        file.write("3,1,0.09")
    assert len(run.stats()["frame"]) == rows
