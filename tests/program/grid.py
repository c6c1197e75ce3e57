#!/usr/bin/env python3
"""`method: grid`: tables, resume from every checkpoint, faults in its stages, verify, and what it refuses, by
name and place.

usage: grid.py PROGRAM SCENES_DIR [TEST...]
"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from cli_support import PROGRAM, check, freshet, refused, rows, run_tests, skip, tree, wait_for, write
from files_readers import h5py
from resume_support import accounts, checkpoints, hashes, latest, same_results, whole

SCENE = """version: 1
name: splash
method: grid
domain: {size: [1.0, 0.75], cells: 24}
time: {frames: 12, fps: 24}
liquids:
  - {name: column, box: {min: [0, 0], max: [0.3, 0.5]}}
  - {name: drop, sphere: {center: [0.7, 0.5], radius: 0.1}, velocity: [0, -1]}
output:
  png: {size: [64, 48]}
  probes: [{name: gate, point: [0.25, 0.1], quantity: pressure}, {name: wall, column: [0.9], quantity: height},
           {name: flow, point: [0.25, 0.1], quantity: velocity}, {name: front, quantity: front, depth: 0.02}]
  fields: {every: 4, names: [velocity, levelset, cells, pressure]}
  checkpoint: {every: 3, keep: 9}
"""
SOLID = """version: 1
name: splash
method: grid
domain: {size: [1.0, 0.75, 0.5], cells: 12, walls: {x+: open}}
time: {frames: 6, fps: 24}
frame: {sway: {amplitude: [0.05, 0, 0], frequency: 2}}
liquids:
  - {name: column, box: {min: [0, 0, 0], max: [0.6, 0.5, 0.3]}, velocity: [2, 0, 0]}
output:
  png: {size: [64, 48], view: pressure}
  fields: {every: 3}
  checkpoint: {every: 2, keep: 9}
"""
LEVELS = SCENE + "grid: {surface: levelset, redistance: 3}\n"
MARKERS = SCENE + "grid: {surface: markers}\n"
EMPTY = ["particles", "min_ppc", "max_ppc", "empty_interior", "pushed", "escaped", "removed", "created",
         "gravity_work", "drift_swelled", "drained"]
UNITS = 2**30


def stages(method="grid"):
    return re.findall(r"^(\w+) {2,}", freshet("stages", "--method", method).stdout, re.M)


def test_run(work):
    """The sum of C in every row, as text; columns without a meaning; what the run tells."""
    write(f"{work}/s.yaml", SCENE)
    out = whole(work)
    table = rows(f"{out}/stats.csv")
    check(len({row["volume_units"] for row in table}) == 1, "one volume in all rows", table[-1])
    units = float(table[0]["volume_units"])
    exact = (0.3 * 0.5 + 3.14159265 * 0.01) * 24 * 24 * UNITS
    check(abs(units / exact - 1) < 0.01 and units == int(units), "the shapes' volume", units, exact)
    check(all(float(row["volume_error"]) == 0 and row["volume_lack"] == "0" and row["volume_clipped"] == "0" and
              row["volume_units_out"] == "0" and row["imbalances"] == "0" and int(row["volume_excess"]) <= 2**20 for row in table), "bounds", table[-1])
    check(all(row[column] == "" for row in table for column in EMPTY), "columns without meaning", table[1])
    check(all(row[f"ms_{stage}"] for row in table for stage in stages()), "times of its stages", table[1])
    log = open(f"{out}/log.txt", encoding="utf-8").read()
    check(f"ledger: {int(units)} units of volume, 2^-30 of a cell, at the end; balanced after every substep" in log and
          "ATTENTION" not in log, "the ledger's line", log)
    told = accounts(out)
    check(told["status"] == "finished" and told["scene"]["method"] == "grid" and
          told["scene"]["grid"] == {"surface": "vof", "velocity_advection": "maccormack"} and
          told["scene"]["time"]["cfl"] == 0.5 and "flip_ratio" not in told["scene"]["liquid"] and
          told["ledger"] == {"volume": {"units": int(units), "imbalances": 0, "first_imbalance": []}}, "run.json", told)
    probes = rows(f"{out}/probes.csv")
    check(len(probes) == 13 and float(probes[1]["gate"]) > 0 and float(probes[-1]["wall"]) > 0, "probes", probes)
    # A layer of 0.02 m: the column at first, the drop's fall then.
    check(0.7 <= float(probes[0]["front"]) <= 0.84 and float(probes[-1]["front"]) > 0.95, "the front", probes)
    check(len([n for n in tree(out) if n.startswith("frames/")]) == 13 and
          len([n for n in tree(out) if n.startswith("fields/")]) == 5, "pictures and fields", tree(out))
    if h5py is None:
        skip("no h5py")
    else:
        with h5py.File(f"{out}/checkpoints/checkpoint_000012.h5") as file:
            volume, velocity = file["grid/volume"], file["grid/velocity"]
            check(volume.dtype == "<i4" and velocity.dtype == "<f4" and velocity.shape == (2, *volume.shape) and
                  volume.attrs["unit"] == b"1/2^30" and velocity.attrs["unit"] == b"m/s", "types, units", volume, velocity)
            check(int(volume[...].sum(dtype="int64")) == int(units), "recounted from a checkpoint")


def test_open(work):
    """What leaves through an open wall is in the rows."""
    write(f"{work}/s.yaml", SOLID)
    table = rows(f"{whole(work)}/stats.csv")
    for before, row in zip(table, table[1:]):
        check(int(float(row["volume_units"])) + int(float(row["volume_units_out"])) == int(float(before["volume_units"])),
              "a row after another", before, row)
    check(float(table[-1]["volume_units"]) < 0.99 * float(table[0]["volume_units"]), "some has left", table[-1])


def test_resume(work):
    """Every checkpoint, and kill -9 at any moment."""
    for name, text in [("flat", SCENE), ("solid", SOLID), ("levels", LEVELS), ("markers", MARKERS)]:
        write(f"{work}/{name}.yaml", text)
        reference = whole(work, name, f"{name}.yaml")
        for checkpoint in checkpoints(reference)[:-1]:
            other = f"{name}_{checkpoint[11:17]}"
            shutil.copytree(reference, f"{work}/{other}")
            for later in checkpoints(f"{work}/{other}"):
                if later > checkpoint:
                    os.remove(f"{work}/{other}/checkpoints/{later}")
            result = freshet("run", f"{name}.yaml", "-o", other, "--resume", cwd=work)
            check(f"resumed at frame {int(checkpoint[11:17])}" in result.stdout, "it goes on there", result)
            same_results(reference, f"{work}/{other}", other)
    generator = random.Random(3)
    env = {**os.environ, "FRESHET_CHECKPOINT_SECONDS": "0"}
    kills, code, out = 0, None, f"{work}/killed"
    while code != 0 and kills < 200:
        process = subprocess.Popen([PROGRAM, "run", "flat.yaml", "-o", out, "-q", "--resume"], cwd=work, env=env)
        before = latest(out)
        wait_for(lambda: latest(out) != before or process.poll() is not None)
        time.sleep(generator.uniform(0, 0.2))
        process.kill()
        code = process.wait()
        kills += code != 0
        check(code in (0, -signal.SIGKILL), "a killed run", code)
    check(code == 0 and kills > 1 and hashes(work, out) == hashes(work, f"{work}/flat"), f"after {kills} kills")


def test_faults(work):
    """In every stage: an error ends the run, and it goes on from its checkpoint; a value that is not finite, and an
    absurd speed, are taken back with the step."""
    for method, text in [("grid-levelset", LEVELS), ("grid-markers", MARKERS), ("grid", SCENE)]:
        faults_of(work, method, text)
    # Where they are spoilt, in the middle of the box, is liquid.
    for fault in ["nan:7", "speed:7"]:
        out = fault.replace(":", "_")
        result = freshet("run", "s.yaml", "-o", out, "--set", "liquids.0.box.max=[0.6,0.6]", cwd=work,
                         env={"FRESHET_FAULT": fault})
        totals = accounts(f"{work}/{out}")["totals"]
        check(result.returncode == 0 and totals["retries"] >= 1, f"{fault} is taken back", result)
        table = rows(f"{work}/{out}/stats.csv")
        check(len({row["volume_units"] for row in table}) == 1, f"{fault}: with its volume", table[-1])


def faults_of(work, method, text):
    for file in tree(work):
        os.remove(f"{work}/{file}")
    write(f"{work}/s.yaml", text)
    expected = hashes(work, whole(work))
    for stage in stages(method):
        result = freshet("run", "s.yaml", "-o", stage, "-q", cwd=work, env={"FRESHET_FAULT": f"stage@{stage}:20"})
        check(result.returncode == 1 and f"stage {stage} failed" in result.stderr, f"{stage} fails", result)
        result = freshet("run", "s.yaml", "-o", stage, "--resume", cwd=work)
        check(result.returncode == 0 and "resumed at frame" in result.stdout and hashes(work, stage) == expected,
              f"it goes on behind {stage}", result)


def test_verify(work):
    for name, text in [("flat", SCENE), ("levels", LEVELS), ("markers", MARKERS)]:
        write(f"{work}/s.yaml", text)
        whole(work, name)
        result = freshet("verify", f"{name}/run.json", "--write-stages", "stages.csv", cwd=work)
        check(result.returncode == 0 and result.stdout.count("equal\n") == 13, "verify", result)
        result = freshet("verify", f"{name}/run.json", "--stages", "stages.csv", cwd=work)
        check(result.returncode == 0, "against its stages", result)


def test_levelset(work):
    """It tells what it loses, keeps its distance in checkpoints, and says what it is."""
    write(f"{work}/s.yaml", LEVELS)
    out = whole(work)
    table = rows(f"{out}/stats.csv")
    start = float(table[0]["volume_units"]) / (1 + float(table[0]["volume_error"]))
    check(all(abs(float(row["volume_units"]) / start - 1 - float(row["volume_error"])) < 1e-9 for row in table),
          "the error is that since the start", table[-1])
    check(float(table[-1]["volume_error"]) != 0 and all(row["imbalances"] == "0" for row in table), "some is lost", table[-1])
    log = open(f"{out}/log.txt", encoding="utf-8").read()
    check(f"volume: {int(float(table[-1]['volume_units']))} units, 2^-30 of a cell, at the end; a level set keeps none" in log,
          "the log", log)
    told = accounts(out)
    check(told["scene"]["grid"] == {"surface": "levelset", "velocity_advection": "maccormack", "interpolation": "linear",
                                    "redistance": 3, "volume_correction": False} and told["scene"]["time"]["cfl"] == 1,
          "run.json", told["scene"])
    if h5py is None:
        skip("no h5py")
    else:
        with h5py.File(f"{out}/checkpoints/checkpoint_000012.h5") as file:
            phi = file["grid/levelset"]
            check(phi.dtype == "<f4" and phi.attrs["unit"] == b"m" and file.attrs["method"] == b"grid-levelset", "types", phi)
            inside = int((phi[...].reshape(19, 25)[:18, :24] < 0).sum())
            check(abs(inside * UNITS / float(table[-1]["volume_units"]) - 1) < 0.1, "cells below it", inside)
    check(stages("grid-levelset") == ["survey", "timestep", "carry", "redistance", "volume", "levelset", "advect_velocity",
                                      "forces", "pressure", "extrapolate", "statistics"], "its stages")


def test_markers(work):
    """Particles that are counted, a velocity that is kept."""
    write(f"{work}/s.yaml", MARKERS)
    out = whole(work)
    table = rows(f"{out}/stats.csv")
    # Four in each cell of the column; the drop's border takes those inside.
    exact = (0.3 * 0.5 + 3.14159265 * 0.01) * 24 * 24 * 4
    check(abs(int(table[0]["particles"]) / exact - 1) < 0.02 and len({row["particles"] for row in table}) == 1 and
          all(row["imbalances"] == "0" for row in table), "markers", table[0]["particles"], exact)
    check("ledger:" in open(f"{out}/log.txt", encoding="utf-8").read(), "the ledger's line")
    if h5py is None:
        skip("no h5py")
    else:
        with h5py.File(f"{out}/checkpoints/checkpoint_000012.h5") as file:
            check("grid/velocity" in file and "particles/position" in file and "grid/volume" not in file and
                  file.attrs["method"] == b"grid-markers", "what it keeps", list(file))
    for setting, word in [("time.cfl=4.5", "at most 4 with 'grid.surface: markers'"), ("output.particles={}", "output.particles")]:
        refused(freshet("check", "s.yaml", "--set", setting, cwd=work), word)
    for view in ["particles", "speed", "surface"]:
        result = freshet("check", "s.yaml", "--set", f"output.png.view={view}", cwd=work)
        check(result.returncode == 0, f"view {view}", result)


def test_spheres(work):
    """With particles: refused where it is not built."""
    scene = SCENE.replace("method: grid\n", "") + "liquid: {surface: spheres}\n"
    write(f"{work}/s.yaml", scene)
    result = freshet("check", "s.yaml", cwd=work)
    check(result.returncode == 0, "it is taken", result)
    last = scene.count("\n")
    write(f"{work}/s.yaml", scene + "solids: [{sphere: {center: [0.5, 0.2], radius: 0.1}}]\n")
    refused(freshet("check", "s.yaml", cwd=work), f"s.yaml:{last + 1}:1:", "'solids' is not supported with 'liquid.surface: spheres' yet")
    write(f"{work}/s.yaml", scene.replace("spheres", "advected"))
    refused(freshet("check", "s.yaml", cwd=work), f"s.yaml:{last}:19:", "not supported yet")
    write(f"{work}/s.yaml", SCENE + "liquid: {surface: spheres}\n")
    refused(freshet("check", "s.yaml", cwd=work), f"s.yaml:{last + 1}:10:", "liquid.surface", "flip")


def test_told(work):
    write(f"{work}/s.yaml", SCENE)
    result = freshet("check", "s.yaml", cwd=work)
    check(result.returncode == 0 and "particles" not in result.stdout and not result.stderr, "check", result)
    check(stages() == ["survey", "timestep", "vof", "levelset", "advect_velocity", "forces", "pressure", "extrapolate",
                       "statistics"], "its stages", stages())


def test_refused(work):
    """The table of docs/scene.md, by place or by name."""
    last = SCENE.count("\n") + 1
    lines = [("liquid: {flip_ratio: 0.9}", f"s.yaml:{last}:10:", "liquid.flip_ratio", "flip"),
             ("liquid: {particles_per_cell: 4}", f"s.yaml:{last}:10:", "flip"),
             ("solver: {drift: none}", f"s.yaml:{last}:10:", "solver.drift", "flip"),
             ("grid: {redistance: step}", f"s.yaml:{last}:8:", "'grid.redistance' has no meaning with 'grid.surface: vof' (it belongs to levelset)"),
             ("grid: {interpolation: cubic}", f"s.yaml:{last}:8:", "'grid.interpolation' has no meaning"),
             ("grid: {volume_correction: true}", f"s.yaml:{last}:8:", "'grid.volume_correction' has no meaning"),
             ("grid: {surface: levelset, interpolation: cubical}", f"s.yaml:{last}:42:", "cubic"),
             ("grid: {surface: levelset, redistance: 0}", f"s.yaml:{last}:39:", "allowed: 1 to 1000000"),
             ("grid: {surface: levelset, redistance: often}", f"s.yaml:{last}:39:", "frame"),
             ("grid: {surface: markers, redistance: step}", f"s.yaml:{last}:26:", "'grid.redistance' has no meaning with 'grid.surface: markers'"),
             ("liquid: {kernel: stiff}", f"s.yaml:{last}:10:", "liquid.kernel", "flip"),
             ("liquid: {vortex_boost: 1}", f"s.yaml:{last}:10:", "liquid.vortex_boost", "flip"),
             *[(f"solver: {{{key}}}", f"s.yaml:{last}:10:", f"solver.{key.split(':')[0]}", "flip") for key in
               ("push_distance: 1", "push_iterations: 2", "density_stiffness: 1", "spring_stiffness: 1",
                "collision_distance: 1", "resample: true", "reposition: true")],
             ("grid: {velocity_advection: upwind}", f"s.yaml:{last}:28:", "maccormack"),
             ("solids: [{sphere: {center: [0.5, 0.2], radius: 0.1}}]", f"s.yaml:{last}:1:", "'solids' is not supported with 'method: grid' yet"),
             ("frame: {roll: {amplitude: 0.1, frequency: 1}}", f"s.yaml:{last}:9:", "not supported with 'method: grid' yet"),
             ("frame: {motion: [{time: 0, angle: 0}, {time: 1, angle: 1}]}", f"s.yaml:{last}:28:", "not supported with 'method: grid' yet"),
             ("frame: {motion: [{time: 0, angular_velocity: 1}]}", f"s.yaml:{last}:28:", "not supported with 'method: grid' yet"),
             ("inflows: [{wall: x-, velocity: [1, 0]}]", f"s.yaml:{last}:1:", "'inflows' has no meaning with 'method: grid'"),
             ("drains: [{box: {min: [0, 0], max: [1, 1]}}]", f"s.yaml:{last}:1:", "'drains' has no meaning"),
             ("forces: [{custom: [1, 0]}]", f"s.yaml:{last}:1:", "'forces' has no meaning"),
             ("outflows: [{wall: x-, pressure: 0}]", f"s.yaml:{last}:1:", "'outflows' has no meaning"),
             ("emitters: [{box: {min: [0, 0], max: [1, 1]}, at: 0}]", f"s.yaml:{last}:1:", "'emitters' has no meaning")]
    for line, *words in lines:
        write(f"{work}/s.yaml", SCENE + line + "\n")
        refused(freshet("check", "s.yaml", cwd=work), *words)
    write(f"{work}/s.yaml", SCENE)
    for setting, word in [("time.cfl=0.6", "at most 0.5"), ("output.png.view=particles", "particles"),
                          ("output.png.view=surface", "particles"), ("output.png.view=speed", "particles"),
                          ("output.particles={}", "output.particles"), ("output.mesh={}", "output.mesh"),
                          ("liquids.0.color=\"#ff0000\"", "color"), ("liquids.0.jitter=0", "jitter")]:
        for command in [("check", "s.yaml"), ("run", "s.yaml", "-o", "out")]:
            refused(freshet(*command, "--set", setting, cwd=work), word)
    levels = "grid.surface=levelset"
    refused(freshet("check", "s.yaml", "--set", levels, "--set", "time.cfl=5.1", cwd=work), "5.1", "0.01 to 5")
    refused(freshet("check", "s.yaml", "--set", levels, "--set", "grid.volume_correction=true", "--set", "domain.walls={x+: open}",
                    cwd=work), "needs closed walls")
    refused(freshet("check", "s.yaml", "--set", levels, "--set", "output.mesh={}", cwd=work), "output.mesh")
    refused(freshet("check", "s.yaml", "--set", levels, "--set", "output.png.view=speed", cwd=work), "'method: grid'", "particles")
    check(tree(work) == ["s.yaml"], "nothing is written", tree(work))
    write(f"{work}/f.yaml", SCENE.replace("method: grid\n", "") + "grid: {surface: vof}\n")
    refused(freshet("check", "f.yaml", cwd=work), "'grid' has no meaning with 'method: flip' (it belongs to grid)")
    out = whole(work)
    result = freshet("run", "s.yaml", "-o", "whole", "--resume", "--set", "grid.velocity_advection=semi_lagrangian", cwd=work)
    check(result.returncode == 2 and "velocity_advection" in result.stderr, "another scheme on --resume", result)
    check(hashes(work, out).count("\n") == 13, "the run is as it was")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
