"""Simulations from Python: bits, shapes, units, errors, lifetimes, threads."""
import gc
import logging
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import freshet
from conftest import POOL, POOL_3D, SOURCE, SPLASH, program


def golden(name, frame):
    """The hash of a scene's frame in tests/golden, without settings."""
    with open(os.path.join(SOURCE, "tests", "golden", "hashes.txt"), encoding="utf-8") as file:
        rows = [line.split() for line in file]
    return next(row[2] for row in rows if row[:2] == [name, str(frame)] and len(row) == 3)


def test_hash_of_arrays_is_the_programs(device, tmp_path):
    """The arrays, hashed by NumPy, give what the library, `freshet hash` and the golden table have."""
    folder = str(tmp_path / "run")
    program("run", SPLASH, "-o", folder, "-q", "-d", device)
    expected = dict(line.split() for line in program("hash", folder).splitlines())
    simulation = freshet.Simulation(freshet.Scene.read(SPLASH), device)
    seen = {"0": freshet.state_hash(0, simulation.particles())}
    for now in simulation.frames():
        seen[str(now.frame)] = freshet.state_hash(now.frame, simulation.particles())
        assert simulation.hash() == seen[str(now.frame)]
    assert seen == expected and len(seen) == 17
    assert seen["16"] == golden("splash_2d", 16)


def test_hash_3d_with_affine(device):
    simulation = freshet.Simulation(freshet.Scene.parse(POOL_3D), device)
    for _ in simulation.frames():
        particles = simulation.particles()
        assert particles.affine.shape == (len(particles), 3, 3) and np.any(particles.affine)
        assert freshet.state_hash(simulation.frame, particles) == simulation.hash()
    # one bit of one number is another hash
    particles.affine.view(np.uint32)[5, 1, 2] ^= 1
    assert freshet.state_hash(simulation.frame, particles) != simulation.hash()


def test_free_fall(device):
    """A block in the air: x0 + v t - g t (t + dt) / 2, the path of a step that kicks before it moves."""
    scene = freshet.Scene.parse("domain: {size: [1, 1], cells: 32}\ntime: {fps: 25, dt: 0.005}\n"
                                "solver: {drift: none}\n")
    grid = (np.stack(np.meshgrid(np.arange(16), np.arange(16)), -1).reshape(-1, 2) + 0.5) / 64 + [0.25, 0.6]
    start = freshet.Particles(grid, np.full_like(grid, 0.5))
    simulation = freshet.Simulation(scene, device, start)
    for _ in simulation.frames(3):
        pass
    assert simulation.time == pytest.approx(3 / 25, rel=1e-12)
    t, now = simulation.time, simulation.particles()
    way = np.mean(now.positions.astype(float) - grid.astype(np.float32), 0)
    np.testing.assert_allclose(way, [0.5 * t, 0.5 * t - 0.5 * 9.81 * t * (t + 0.005)], atol=2e-5)
    assert now.positions.flags.owndata and now.positions.flags.writeable
    np.testing.assert_array_equal(now.ids, np.arange(256))


def test_particles_in_are_particles_out(device, pool):
    """float32 in and out again is exact: from its own particles a scene runs to the same hashes."""
    start = pool.particles()
    assert set(start.liquids) == {0, 1} and pool.scene.liquids == ("pool", "drop")
    again = freshet.Simulation(pool.scene, device, start)
    assert again.hash() == pool.hash()
    expected = [(now.frame, pool.hash()) for now in pool.frames(2)]
    assert [(now.frame, again.hash()) for now in again.frames(2)] == expected
    again.set_particles(start)
    assert again.time == 0 and again.frame == 0
    assert [(now.frame, again.hash()) for now in again.frames(2)] == expected
    # lists and other types are taken as well
    again.set_particles(freshet.Particles(start.positions.astype(float), start.velocities.tolist(), None, None,
                                          start.liquids.astype(int)))
    np.testing.assert_array_equal(again.particles().positions, start.positions)


def test_statistics(pool):
    start = pool.statistics()
    assert (start.frame, start.substep, start.dt, start.particles) == (0, 0, 0, len(pool))
    mass = pool.scene.density * pool.scene.cell_size**2 / pool.scene.particles_per_cell
    velocity = pool.particles().velocities.astype(float)
    assert start.kinetic_energy == pytest.approx(mass / 2 * np.sum(velocity**2), rel=1e-5)
    np.testing.assert_allclose(start.momentum[:2], mass * velocity.sum(0), rtol=1e-5)
    assert start.max_speed == pytest.approx(np.sqrt(1.25), rel=1e-6)
    substeps = list(pool.substeps(1))
    assert [now.substep for now in substeps] == list(range(1, len(substeps) + 1))
    assert [now.frame_end for now in substeps] == [False] * (len(substeps) - 1) + [True]
    assert substeps[-1].time == pytest.approx(1 / 24, rel=1e-12) and pool.frame == 1
    assert sum(now.dt for now in substeps) == pytest.approx(1 / 24, rel=1e-6)


@pytest.mark.parametrize("text", [POOL, POOL_3D])
def test_fields(device, text):
    scene = freshet.Scene.parse(text)
    simulation = freshet.Simulation(scene, device)
    simulation.step_frame()
    centres = scene.cells[::-1]
    for name in freshet.FIELDS:
        if name.endswith("_z") and scene.dim == 2:
            with pytest.raises(freshet.Error, match="2D"):
                simulation.field(name)
            continue
        field = simulation.field(name)
        axis = "xyz".find(name[-1]) if name[-2] == "_" else -1
        shape = [n + (a == axis) for a, n in zip(reversed(range(scene.dim)), centres)]
        assert field.shape == tuple(shape) and field.dtype == np.float32 and field.flags.owndata
    cells, phi = simulation.field("cell_type"), simulation.field("level_set")
    assert set(np.unique(cells)) == {0.0, 1.0} and np.mean((phi < 0) == (cells == 1)) > 0.99
    # no flow through the closed sides; divergence of the liquid's cells as the statistics say
    u = [simulation.field("velocity_" + axis) for axis in "xyz"[:scene.dim]]
    divergence = sum(np.diff(u[a], axis=scene.dim - 1 - a) for a in range(scene.dim)) / scene.cell_size
    assert not np.any(np.take(u[0], [0, -1], scene.dim - 1)) and not np.any(np.take(u[1], 0, scene.dim - 2))
    assert np.abs(divergence[cells == 1]).max() == pytest.approx(simulation.statistics().divergence_after, rel=0.01,
                                                                 abs=1e-4)
    with pytest.raises(freshet.Error, match="no field 'speed' .known: velocity_x"):
        simulation.field("speed")


def test_errors(device, context, pool, tmp_path):
    with pytest.raises(freshet.SceneError) as caught:
        freshet.Scene.parse("domain: {size: [1, 1], cells: 32}\ntime: {fps: -3}\nliquids: {}\ncolour: 3\n", "mine")
    lines = str(caught.value).splitlines()
    assert len(lines) == 3 and all(line.startswith("mine:") for line in lines)
    assert "mine:2:13: 'time.fps' is -3, out of range (allowed" in lines[1] and isinstance(caught.value, ValueError)
    with pytest.raises(freshet.SceneError, match="nowhere.yaml"):
        freshet.Scene.read(tmp_path / "nowhere.yaml")
    with pytest.raises(freshet.SceneError, match="time.fps"):
        freshet.Scene.read(SPLASH, {"time.fps": 0})
    assert freshet.Scene.read(SPLASH, {"time.fps": 48}).frames_per_second == 48
    with pytest.raises(freshet.Error, match="no such device"):
        freshet.Context("no such device")
    with pytest.raises(freshet.Error, match="3D.*2D"):
        freshet.Simulation(freshet.Scene.parse(POOL_3D), context)
    with pytest.raises(ValueError, match=r"positions must have the shape \(n, 2\), not \(5, 3\)"):
        pool.set_particles(freshet.Particles(np.zeros((5, 3))))
    with pytest.raises(ValueError, match=r"velocities must have the shape \(5, 2\)"):
        pool.set_particles(freshet.Particles(np.full((5, 2), 0.5), np.zeros((4, 2))))
    before = pool.hash()
    with pytest.raises(freshet.Error, match="outside"):
        pool.set_particles(freshet.Particles(np.full((5, 2), 7.0)))
    with pytest.raises(freshet.Error):
        pool.set_particles(freshet.Particles(np.full((len(pool) + 1, 2), 0.5)))
    assert pool.hash() == before
    roomy = freshet.Simulation(pool.scene, device, pool.particles(), capacity=2 * len(pool))
    roomy.set_particles(freshet.Particles(np.random.default_rng(1).random((2 * len(pool), 2))))
    assert len(roomy) == 2 * len(pool)


def test_messages_go_to_logging(caplog):
    with caplog.at_level(logging.INFO, "freshet"):
        freshet.Simulation(freshet.Scene.read(SPLASH), "native")
    assert any("plate" in record.message for record in caplog.records if record.levelno == logging.WARNING)


def test_lifetimes(device):
    """A simulation keeps its context, also when it is the last; arrays outlive all."""
    particles = None
    for _ in range(3):
        context = freshet.Context(device, 2)
        simulations = [freshet.Simulation(freshet.Scene.parse(POOL), context) for _ in range(2)]
        used = simulations[0].memory
        del context
        particles = simulations[1].particles()
        del simulations[1]
        gc.collect()
        simulations[0].step()
        assert simulations[0].memory < used
        simulations.clear()
        gc.collect()
    assert np.all(np.isfinite(particles.positions))


def test_threads(context, device):
    """Calls release the interpreter's lock: one thread counts while the other steps.  Those that share a context
    wait for each other, and come to the same bits."""
    scene = freshet.Scene.parse(POOL)
    alone = freshet.Simulation(scene, device)
    expected = [alone.hash() for _ in alone.frames(2)]
    seen, turns, done = {}, [0], threading.Event()

    def simulate(number, where):
        simulation = freshet.Simulation(scene, where)
        seen[number] = [simulation.hash() for _ in simulation.frames(2)]

    def count():
        while not done.wait(0.0005):
            turns[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    threads = [threading.Thread(target=simulate, args=(n, context if n < 3 else device)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    counter.join()
    assert seen == {n: expected for n in range(4)} and turns[0] > 3


def test_devices():
    for found in freshet.devices():
        assert found.name and found.memory > 0 and found.word.count(":") == 1
    assert sum(found.is_default for found in freshet.devices()) <= 1
    assert freshet.Scene.parse(POOL).memory(1000)[0] > 1000 * 16


def test_first_frame_within_five_seconds():
    """From the start of Python to the first frame of dam_break_2d, kernels compiled before."""
    code = ("import freshet\n"
            "simulation = freshet.Simulation(freshet.Scene.read('scenes/dam_break_2d.yaml'))\n"
            "print(simulation.step_frame().frame, simulation.hash())")
    run = [sys.executable, "-c", code]
    first = subprocess.run(run, cwd=SOURCE, stdout=subprocess.PIPE, check=True, timeout=200)
    start = time.monotonic()
    second = subprocess.run(run, cwd=SOURCE, stdout=subprocess.PIPE, check=True, timeout=200)
    seconds = time.monotonic() - start
    print(f"{seconds:.2f} s")
    assert first.stdout == second.stdout and seconds < 5
