#!/usr/bin/env python3
"""`method: sph`: tables, resume from every checkpoint, faults in its stages, verify, and what it refuses, by
name and place.

usage: sph.py PROGRAM SCENES_DIR [TEST...]
"""
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cli_support import check, freshet, refused, rows, run_tests, skip, tree, write
from files_readers import h5py
from resume_support import accounts, checkpoints, hashes, same_results, whole

SCENE = """version: 1
name: splash
method: sph
domain: {size: [1.0, 0.75], cells: 40}
time: {frames: 8, fps: 24}
liquids:
  - {name: column, box: {min: [0, 0], max: [0.3, 0.5]}}
  - {name: drop, sphere: {center: [0.7, 0.5], radius: 0.1}, velocity: [0, -1]}
output:
  png: {size: [64, 48]}
  probes: [{name: wall, column: [0.9], quantity: height}, {name: front, quantity: front, depth: 0.02}]
  particles: {every: 4}
  mesh: {every: 4}
  fields: {every: 4, names: [levelset, cells]}
  checkpoint: {every: 2, keep: 9}
"""
DEEP = """version: 1
name: splash
method: sph
sph: {solver: wcsph}
domain: {size: [1.0, 0.75, 0.5], cells: 12, walls: {x+: open}}
time: {frames: 4, fps: 48}
frame: {sway: {amplitude: [0.05, 0, 0], frequency: 2}}
liquids:
  - {name: column, box: {min: [0, 0, 0], max: [0.9, 0.5, 0.3]}, velocity: [2, 0, 0]}
output:
  checkpoint: {every: 2, keep: 9}
"""


def stages():
    return re.findall(r"^(\w+) {2,}", freshet("stages", "--method", "sph").stdout, re.M)


def test_run(work):
    """What tables, files and the run itself tell."""
    write(f"{work}/s.yaml", SCENE)
    out = whole(work)
    table = rows(f"{out}/stats.csv")
    count = int(table[0]["particles"])
    check(abs(count / ((0.3 * 0.5 + 3.14159265 * 0.01) * 1600) - 1) < 0.05, "particles of the shapes", count)
    check(all(int(row["particles"]) == count and row["imbalances"] == "0" and row["escaped"] == "0" and
              abs(float(row["volume"]) / (count / 1600) - 1) < 1e-9 for row in table), "mass is kept", table[-1])
    check(all(0 <= float(row["density_error_mean"]) < 0.01 and float(row["density_error_max"]) < 0.2 and
              5 < float(row["neighbours_mean"]) < 25 and int(row["neighbours_max"]) <= 32 and
              int(row["shift_iterations"]) <= 5 for row in table), "its columns", table[-1])
    check(any(int(row["pressure_iterations"]) > 1 for row in table), "something is solved", table[-1])
    check(all(row[f"ms_{stage}"] for row in table for stage in stages()), "times of its stages", table[1])
    told = accounts(out)
    check(told["status"] == "finished" and told["scene"]["method"] == "sph" and
          told["scene"]["sph"]["solver"] == "projection" and told["scene"]["sph"]["support"] == 2.6 and
          told["scene"]["liquid"]["particles_per_cell"] == 1 and "preset" not in told["scene"]["solver"] and
          told["scene"]["solver"]["tolerance"] == 0.1, "run.json", told)
    probes = rows(f"{out}/probes.csv")
    check(len(probes) == 9 and 0.7 <= float(probes[0]["front"]) <= 0.86, "probes", probes)
    names = tree(out)
    check(len([n for n in names if n.startswith("frames/")]) == 9 and len([n for n in names if n.startswith("mesh/mesh_")]) == 3,
          "pictures and meshes", names)
    if h5py is None:
        skip("no h5py")
    else:
        with h5py.File(f"{out}/particles/particles_000008.vtkhdf") as file:
            data = file["VTKHDF/PointData"]
            density, pressure = data["density"][...], data["pressure"][...]
            check(len(density) == count and 0.3 < density.min() and density.max() < 1.1 and pressure.min() == 0 and
                  500 < pressure.max() < 1e5, "densities and pressures", density.min(), density.max(), pressure.max())
        with h5py.File(f"{out}/checkpoints/checkpoint_000008.h5") as file:
            check(len(file["particles/pressure"]) == count and file["particles/pressure"].attrs["unit"] == b"Pa",
                  "in checkpoints", list(file["particles"]))


def test_resume(work):
    """Every checkpoint, of both solvers."""
    for name, text in [("flat", SCENE), ("deep", DEEP)]:
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


def test_faults(work):
    """In every stage: an error ends the run, and it goes on from its checkpoint; a value that is not finite, and an
    absurd speed, are taken back with the step."""
    write(f"{work}/s.yaml", SCENE)
    expected = hashes(work, whole(work))
    for stage in stages():
        result = freshet("run", "s.yaml", "-o", stage, "-q", cwd=work, env={"FRESHET_FAULT": f"stage@{stage}:20"})
        check(result.returncode == 1 and f"stage {stage} failed" in result.stderr, f"{stage} fails", result)
        result = freshet("run", "s.yaml", "-o", stage, "--resume", cwd=work)
        check(result.returncode == 0 and hashes(work, stage) == expected, f"it goes on behind {stage}", result)
    result = freshet("run", "s.yaml", "-o", "nan", "-q", cwd=work, env={"FRESHET_FAULT": "nan:7"})
    check(result.returncode == 0 and accounts(f"{work}/nan")["totals"]["retries"] >= 1, "nan is taken back", result)


def test_verify(work):
    write(f"{work}/s.yaml", SCENE)
    whole(work)
    result = freshet("verify", "whole/run.json", "--write-stages", "stages.csv", cwd=work)
    check(result.returncode == 0 and result.stdout.count("equal\n") == 9, "verify", result)
    result = freshet("verify", "whole/run.json", "--stages", "stages.csv", cwd=work)
    check(result.returncode == 0, "against its stages", result)


def test_told(work):
    write(f"{work}/s.yaml", SCENE)
    result = freshet("check", "s.yaml", "--verbose", cwd=work)
    check(result.returncode == 0 and "neighbours" in result.stdout and not result.stderr, "check", result)
    check(stages() == ["sort", "timestep", "neighbours", "density", "levelset", "forces", "pressure", "shift", "advect",
                       "statistics"], "its stages", stages())
    write(f"{work}/w.yaml", SCENE + "sph: {solver: wcsph, damping: 0.1}\n")
    result = freshet("check", "w.yaml", cwd=work)
    check(result.returncode == 0 and "'sph.damping' changes nothing" in result.stderr, "a key of the other solver", result)


def test_refused(work):
    """The table of docs/scene.md, by place or by name."""
    last = SCENE.count("\n") + 1
    foreign = [("liquid: {flip_ratio: 0.9}", 10), ("liquid: {transfer: apic}", 10), ("solver: {drift: none}", 10),
               ("solver: {preset: draft}", 10), ("solver: {pressure: cg}", 10), ("solver: {sweeps: 3}", 10),
               ("solver: {advection: rk3}", 10), ("solver: {separation: false}", 10), ("grid: {surface: vof}", 1),
               ("inflows: [{wall: x-, velocity: [1, 0]}]", 1), ("drains: [{box: {min: [0, 0], max: [1, 1]}}]", 1),
               ("forces: [{custom: [1, 0]}]", 1), ("outflows: [{wall: x-, pressure: 0}]", 1),
               ("emitters: [{box: {min: [0, 0], max: [1, 1]}, at: 0}]", 1)]
    lines = [(line, f"s.yaml:{last}:{column}:", "has no meaning with 'method: sph'") for line, column in foreign]
    lines += [("solids: [{sphere: {center: [0.5, 0.2], radius: 0.1}}]", f"s.yaml:{last}:1:", "'solids' is not supported with 'method: sph' yet"),
              ("frame: {roll: {amplitude: 0.1, frequency: 1}}", f"s.yaml:{last}:9:", "not supported with 'method: sph' yet"),
              ("frame: {motion: [{time: 0, angular_velocity: 1}]}", f"s.yaml:{last}:28:", "not supported with 'method: sph' yet"),
              ("sph: {solver: dfsph}", f"s.yaml:{last}:15:", "not supported yet"),
              ("sph: {kernel: gaussian}", f"s.yaml:{last}:15:", "wcsph only"),
              ("sph: {support: 1.5}", f"s.yaml:{last}:16:", "2 to 4"),
              ("liquid: {particles_per_cell: 5}", f"s.yaml:{last}:30:", "1, 4, 9")]
    for line, *words in lines:
        write(f"{work}/s.yaml", SCENE + line + "\n")
        refused(freshet("check", "s.yaml", cwd=work), *words)
    write(f"{work}/s.yaml", SCENE)
    for setting, word in [("time.cfl=0.6", "at most 0.5"), ("output.png.view=pressure", "pressure"),
                          ("output.forces=true", "output.forces"), ("output.fields={}", "velocity"),
                          ("domain={\"size\":[1,0.05],\"cells\":40}", "cells along y")]:
        for command in [("check", "s.yaml"), ("run", "s.yaml", "-o", "out")]:
            refused(freshet(*command, "--set", setting, cwd=work), word)
    check(tree(work) == ["s.yaml"], "nothing is written", tree(work))
    write(f"{work}/f.yaml", SCENE.replace("method: sph\n", "") + "sph: {solver: wcsph}\n")
    refused(freshet("check", "f.yaml", cwd=work), "'sph' has no meaning with 'method: flip' (it belongs to sph)")
    out = whole(work)
    result = freshet("run", "s.yaml", "-o", "whole", "--resume", "--set", "sph.solver=wcsph", cwd=work)
    check(result.returncode == 2 and "solver" in result.stderr, "another solver on --resume", result)
    check(hashes(work, out).count("\n") == 9, "the run is as it was")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
