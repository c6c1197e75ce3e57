#!/usr/bin/env python3
"""A method without particles (passive/passive.c) goes through all that a run does: what is outside the stages
of FLIP needs no particles.

usage: method.py PROGRAM_WITH_THE_METHOD SCENES_DIR [TEST...]
"""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from cli_support import PROGRAM, check, freshet, read, refused, rows, run_tests, tree, wait_for, write
from resume_support import accounts, checkpoints, hashes, latest, same_results, seal, whole

SCENE = """version: 1
name: carried
method: passive
domain: {size: [1.0, 1.0], cells: 24}
time: {frames: 12, fps: 10}
output:
  probes: [{name: flow, point: [0.75, 0.5], quantity: velocity}]
  fields: {every: 4, names: [velocity]}
  checkpoint: {every: 3, keep: 9}
"""
SOLID = SCENE.replace("size: [1.0, 1.0], cells: 24", "size: [1.0, 1.0, 0.5], cells: 12").replace(
    "point: [0.75, 0.5]", "point: [0.75, 0.5, 0.2]")
# Of stats.csv, what a method without particles and without a solve cannot fill.
EMPTY = ["particles", "volume", "volume_error", "kinetic_energy", "potential_energy", "momentum_x", "max_speed", "liquid_cells", "divergence_before", "pressure_iterations", "components", "min_ppc", "max_ppc",
         "empty_interior", "pushed", "escaped", "removed", "created", "imbalances", "gravity_work", "drift_shrunk"]


def stages():
    text = freshet("stages", "--method", "passive").stdout
    return re.findall(r"^(\w+) {2,}", text, re.M)


def test_run(work):
    for name, text in [("s", SCENE), ("solid", SOLID)]:
        write(f"{work}/{name}.yaml", text)
        out = whole(work, name, f"{name}.yaml")
        table = rows(f"{out}/stats.csv")
        check(all(row[column] == "" for row in table for column in EMPTY), f"{name}: columns without meaning", table[1])
        check(all(row[f"ms_{stage}"] for row in table for stage in stages()), f"{name}: times of its stages", table[1])
        # What flows out of a cell flows into the next.
        first = float(table[0]["carried"])
        check(first > 0 and all(abs(float(row["carried"]) / first - 1) < 1e-5 and
                                0 < float(row["carried_max"]) < 1 + 1e-5 for row in table), f"{name}: the field", table)
        check(float(table[-1]["carried_max"]) < float(table[0]["carried_max"]), f"{name}: it spreads", table[-1])
        probes = rows(f"{out}/probes.csv")
        check(len(probes) == 13 and abs(float(probes[-1]["flow_y"]) - 0.25) < 1e-6, f"{name}: the probe", probes[-1])
        check([n for n in tree(out) if n.startswith("fields/")] ==
              ["fields/fields.vtkhdf.series"] + [f"fields/fields_{n:06d}.vtkhdf" for n in (0, 4, 8, 12)], f"{name}: fields", tree(out))
        told = accounts(out)
        check(told["status"] == "finished" and told["scene"]["method"] == "passive" and
              "flip_ratio" not in told["scene"].get("liquid", {}) and "particles_end" not in told["totals"] and
              told["ledger"] == {}, f"{name}: run.json", told)


def test_told(work):
    write(f"{work}/s.yaml", SCENE)
    result = freshet("check", "s.yaml", cwd=work)
    check(result.returncode == 0 and "particles" not in result.stdout and "carried field" not in result.stdout and
          not result.stderr, "check", result)
    result = freshet("check", "s.yaml", "--verbose", cwd=work)
    check(result.returncode == 0 and "particles" not in result.stdout and "carried field" in result.stdout and
          not result.stderr, "check of all buffers", result)
    refused(freshet("stages", "-m", "none"), "flip", "passive")
    check(freshet("stages").stdout.startswith("flip: "), "the default")
    check(stages() == ["timestep", "flow", "carry", "sum"], "its stages", stages())


def test_refused(work):
    """A key of another method by place; an output that the method cannot give by name."""
    lines = [("liquid: {flip_ratio: 0.9}", "s.yaml:10:10:", "liquid.flip_ratio", "flip"),
             ("liquid: {jitter: 0}", "s.yaml:10:10:", "liquid.jitter", "flip"),
             ("solver: {drift: none}", "s.yaml:10:10:", "solver.drift", "flip")]
    for line, *words in lines:
        write(f"{work}/s.yaml", SCENE + line + "\n")
        refused(freshet("check", "s.yaml", cwd=work), *words)
        refused(freshet("run", "s.yaml", "-o", "out", cwd=work), *words)
    write(f"{work}/s.yaml", SCENE)
    for setting, word in [("output.png.view=particles", "particles"), ("output.png.view=surface", "particles"),
                          ("output.png.view=levelset", "level set"), ("output.png.view=pressure", "pressure"),
                          ("output.fields.names=[cells]", "cell types"),
                          ("output.probes=[{name: a, column: [0.5], quantity: height}]", "level set"),
                          ("output.probes=[{name: a, quantity: front, depth: 0.1}]", "particles"),
                          ("output.particles={}", "output.particles"), ("output.mesh={}", "output.mesh"),
                          ("method=none", "must be one of flip, passive")]:
        for command in [("check", "s.yaml"), ("run", "s.yaml", "-o", "out")]:
            refused(freshet(*command, "--set", setting, cwd=work), word)
    check(tree(work) == ["s.yaml"], "nothing is written", tree(work))
    out = whole(work)
    result = freshet("render", "whole", "--set", "output.png={}", cwd=work)
    check(result.returncode == 2 and "passive" in result.stderr, "pictures of it", result)
    result = freshet("run", "s.yaml", "-o", "whole", "--resume", "--set", "method=flip", cwd=work)
    check(result.returncode == 2 and "method" in result.stderr, "another method on --resume", result)
    check(hashes(work, out).count("\n") == 13, "the run is as it was")


def test_resume(work):
    """kill -9 at any moment, and every checkpoint."""
    write(f"{work}/s.yaml", SCENE)
    reference = whole(work)
    expected = hashes(work, reference)
    for n in (3, 6, 9):
        shutil.copytree(reference, f"{work}/from_{n}")
        for later in range(n + 1, 13):
            path = f"{work}/from_{n}/checkpoints/checkpoint_{later:06d}.h5"
            if os.path.exists(path):
                os.remove(path)
        result = freshet("run", "s.yaml", "-o", f"from_{n}", "--resume", cwd=work)
        check(f"resumed at frame {n}" in result.stdout, "it goes on there", result)
        same_results(reference, f"{work}/from_{n}", f"from frame {n}")
    generator = random.Random(3)
    env = {**os.environ, "FRESHET_CHECKPOINT_SECONDS": "0"}
    kills, code, out = 0, None, f"{work}/killed"
    while code != 0 and kills < 60:
        process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", out, "-q", "--resume"], cwd=work, env=env)
        before = latest(out)
        wait_for(lambda: latest(out) != before or process.poll() is not None)
        time.sleep(generator.uniform(0, 0.02))
        process.kill()
        code = process.wait()
        kills += code != 0
        check(code in (0, -signal.SIGKILL), "a killed run", code)
    check(code == 0 and kills > 1 and hashes(work, out) == expected, f"after {kills} kills", hashes(work, out))


def test_forged(work):
    """Whole files that say what cannot be: particles of a method that has none, a method that nobody knows."""
    write(f"{work}/s.yaml", SCENE)
    reference = whole(work)
    expected = hashes(work, reference)
    for what, name, offset, value, word in [("particles", b"count\0", 32, b"\1\0\0\0", "make no sense"),
                                            ("ids", b"end\0", 32, b"\1\0\0\0", "ids make no sense"),
                                            ("the unit", b"kg/m3\0", 0, b"kg/m2\0", "in another unit"),
                                            ("the method", b"passive\0", 0, b"granite\0", "method 'granite'")]:
        shutil.copytree(reference, f"{work}/{what}")
        path = f"{work}/{what}/checkpoints/checkpoint_000012.h5"
        data = bytearray(read(path))
        at = data.index(name) + offset
        check(offset == 0 or data[at:at + 4] == bytes(4), f"{what}: the place", data[at:at + 4])
        data[at:at + len(value)] = value
        seal(path, data)
        result = freshet("run", "s.yaml", "-o", what, "--resume", cwd=work)
        check(result.returncode == 0 and word in result.stderr and "resumed at frame 9" in result.stdout and
              hashes(work, what) == expected, f"{what}: the one before is used", result)


def test_faults(work):
    """In every stage: an error ends the run, and it goes on from its checkpoint; a value that is not finite is
    taken back with the step."""
    write(f"{work}/s.yaml", SCENE)
    expected = hashes(work, whole(work))
    for stage in stages():
        result = freshet("run", "s.yaml", "-o", stage, "-q", cwd=work, env={"FRESHET_FAULT": f"stage@{stage}:20"})
        check(result.returncode == 1 and f"stage {stage} failed" in result.stderr, f"{stage} fails", result)
        check(len(checkpoints(f"{work}/{stage}")) > 0, "a checkpoint of the state before", tree(f"{work}/{stage}"))
        result = freshet("run", "s.yaml", "-o", stage, "--resume", cwd=work)
        check(result.returncode == 0 and "resumed at frame" in result.stdout and hashes(work, stage) == expected,
              f"it goes on behind {stage}", result)
    for stage in ["flow", "carry"]:
        out = f"nan_{stage}"
        result = freshet("run", "s.yaml", "-o", out, cwd=work, env={"FRESHET_FAULT": f"nan@{stage}:7"})
        totals = accounts(f"{work}/{out}")
        check(result.returncode == 0 and totals["totals"]["retries"] == 1 and
              totals["interventions"]["grid_not_finite"] == 1, f"a value of {stage}", result)
        table = rows(f"{work}/{out}/stats.csv")
        check(all(0 < float(row["carried_max"]) < 1 + 1e-5 for row in table), "is gone", table)
        result = freshet("run", "s.yaml", "-o", out, "-q", "--overwrite", cwd=work,
                         env={"FRESHET_FAULT": f"nan@{stage}:7+"})
        failure = accounts(f"{work}/{out}")["failure"]
        check(result.returncode == 1 and failure["values_after_stage"] == stage and failure["cell_count"] > 0,
              f"again and again in {stage}", result, failure)
        kept = checkpoints(f"{work}/{out}")
        result = freshet("run", "s.yaml", "-o", out, "--resume", cwd=work)
        check(result.returncode == 0 and kept and f"resumed at frame {int(kept[-1][11:17])}" in result.stdout and
              hashes(work, out) == expected, "and the state before it was kept", kept, result)
    result = freshet("run", "s.yaml", "-o", "none", cwd=work, env={"FRESHET_FAULT": "stage@none:1"})
    check(result.returncode == 0 and "did not come" in result.stderr, "a stage that is not there", result)
    for wrong in ["stage:1", "stage@:1", "speed@flow:1", "stage@flow", "stage@flow:0"]:
        refused(freshet("run", "s.yaml", "-o", "none", cwd=work, env={"FRESHET_FAULT": wrong}), wrong)


def test_verify(work):
    write(f"{work}/s.yaml", SCENE)
    whole(work)
    result = freshet("verify", "whole/run.json", "--write-stages", "stages.csv", cwd=work)
    check(result.returncode == 0 and result.stdout.count("equal\n") == 13, "verify", result)
    check(all(f",{stage}," in read(f"{work}/stages.csv").decode() for stage in stages()), "its stages")
    result = freshet("verify", "whole/run.json", "--stages", "stages.csv", cwd=work)
    check(result.returncode == 0, "against them", result)
    published = json.loads(read(f"{work}/whole/run.json"))
    published["frames"][5]["hash"] = f"{int(published['frames'][5]['hash'], 16) ^ 1:016x}"
    write(f"{work}/wrong.json", json.dumps(published))
    result = freshet("verify", "wrong.json", cwd=work)
    check(result.returncode == 1 and "frame 5 is the first" in result.stderr, "a wrong hash", result)
    result = freshet("run", "s.yaml", "-o", "whole", "-q", "--resume", "--frames", "14", cwd=work,
                     env={"FRESHET_FAULT": "hash:1+"})
    check(result.returncode == 1 and "device" in result.stderr, "a device that hashes wrongly", result)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
