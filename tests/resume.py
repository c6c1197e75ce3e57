#!/usr/bin/env python3
"""Tests of checkpoints: stopped, killed and failed runs go on as if nothing had happened.

usage: resume.py PROGRAM SCENES_DIR [TEST...]

FRESHET_TEST_FULL=1 asks for the long forms.
"""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from cli_support import (PROGRAM, check, freshet, is_whole, read, refused, rows, run_tests, tree,
                         wait_for, write)
from resume_support import checkpoints, hashes, same_results

FULL = bool(os.environ.get("FRESHET_TEST_FULL"))

# Through an open wall particles leave all the time.  The 3D scene is in a box that moves, and writes
# all there is to write.
FLAT = """version: 1
name: splash
domain: {size: [2.0, 1.0], cells: 24, walls: {y+: open, x+: open}}
time: {frames: 20, fps: 24}
gravity: [0, -9.81]
liquid: {transfer: TRANSFER, particles_per_cell: 4}
liquids:
  - {name: column, box: {min: [0, 0], max: [0.7, 0.8]}, velocity: [3, 0]}
solids:
  - {name: ball, sphere: {center: [1.2, 0.2], radius: 0.15}}
output:
  png: {size: [64, 32]}
  probes: [{name: gate, point: [0.25, 0.1], quantity: pressure}]
  checkpoint: {every: 3, keep: 2}
"""
SOLID = """version: 1
name: splash
domain: {size: [1.0, 1.0, 1.0], cells: 8, walls: {y+: open, x+: open}}
time: {frames: 12, fps: 24}
liquid: {transfer: TRANSFER}
frame:
  axis: [1, 0.3, 0.2]
  roll: {amplitude: 0.3, frequency: 2, ramp: 0.3}
  motion: [{time: 0, velocity: [0, 0, 0]}, {time: 0.2, velocity: [0.3, 0, 0.2]}]
liquids:
  - {name: column, box: {min: [0, 0, 0], max: [0.6, 0.8, 0.7]}, velocity: [2, 0, 1]}
output:
  png: {size: [48, 32], view: surface}
  probes: [{name: gate, point: [0.25, 0.1, 0.3], quantity: pressure}]
  particles: {}
  fields: {every: 3}
  mesh: {every: 2}
  checkpoint: {every: 2, keep: 3}
"""


def run(work, *arguments, scene="s.yaml", **more):
    return freshet("run", scene, *arguments, cwd=work, **more)


def whole(work, name="whole", scene="s.yaml"):
    result = run(work, "-o", name, "-q", scene=scene)
    check(result.returncode == 0, "the uninterrupted run", result)
    return os.path.join(work, name)


def stopped(work, name, frames=8, scene="s.yaml"):
    """A run that was stopped by its number of frames: resuming asks for more."""
    result = run(work, "-o", name, "-q", "--frames", str(frames), scene=scene)
    check(result.returncode == 0, "the first part", result)
    return os.path.join(work, name)


def kill_and_resume(work, scene, transfer, cycles):
    """kill -9 at random moments, then --resume, until the run is done, `cycles` times."""
    name = f"{'2d' if scene is FLAT else '3d'}_{transfer}"
    generator = random.Random(name)
    write(f"{work}/{name}.yaml", scene.replace("TRANSFER", transfer))
    reference = whole(work, f"whole_{name}", f"{name}.yaml")
    expected = set(hashes(work, reference).splitlines())
    out = os.path.join(work, name)
    # checkpoints come much more often than kills, within frames too
    env = {**os.environ, "FRESHET_CHECKPOINT_SECONDS": "0.02"}
    kills = finished = 0
    resumed = []
    while kills < cycles:
        shutil.rmtree(out, ignore_errors=True)
        code = None
        while code != 0:
            process = subprocess.Popen([PROGRAM, "run", f"{name}.yaml", "-o", out, "-q",
                                        "--resume"], cwd=work, env=env, stderr=subprocess.PIPE,
                                       text=True)
            # a kill comes at any moment after there is something more to go on from
            if kills < cycles:
                before = latest(out)
                frames = generator.randrange(4)
                wait_for(lambda: latest(out) != before and
                         latest(out)[0] >= before[0] + frames or process.poll() is not None)
                time.sleep(generator.uniform(0, 0.05))
                process.kill()
            _, errors = process.communicate()
            code = process.returncode
            if not check(code in (0, -signal.SIGKILL), f"{name}: a resumed run", code, errors):
                return
            kills += code != 0
            if code != 0:
                told = hashes(work, out)
                check(set(told.splitlines()) <= expected and
                      told.count("\n") == sum(bool(row["hash"]) for row in
                                              rows(f"{out}/stats.csv")),
                      f"{name}: hashes of a killed run", told)
            check("not used" not in errors, f"{name}: no checkpoint is refused", errors)
            bad = [text for text in is_whole(out) if "csv" not in text]
            check(not bad, f"{name}: whole files after kill -9", bad)
        finished += 1
        with open(f"{out}/run.json", encoding="utf-8") as file:
            resumed += json.load(file)["resumed_at"]
        same_results(reference, out, f"{name}, run {finished}")
    check(len(resumed) >= cycles, f"{name}: it was resumed", resumed)
    print(f"    {name}: {kills} kills in {finished} runs, resumed at {sorted(resumed)}")


def latest(folder):
    """The frame of the latest checkpoint, and what tells it from others of that frame."""
    for name in reversed(checkpoints(folder)):
        try:
            status = os.stat(f"{folder}/checkpoints/{name}")
        except FileNotFoundError:
            continue  # it was an old one
        if name.endswith(".h5") and not name.startswith("."):
            return int(name[11:17]), status.st_ino, status.st_mtime_ns
    return -1, 0, 0


def test_cycles(work):
    kinds = [(FLAT, "flip"), (FLAT, "apic"), (SOLID, "flip"), (SOLID, "apic")]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda kind: kill_and_resume(work, *kind, 25 if FULL else 5), kinds))


def test_signals(work):
    """BL-088: a checkpoint of the very substep is left, also without `checkpoint` in the scene."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "apic")
          .replace("  checkpoint: {every: 3, keep: 2}\n", "").replace("frames: 20", "frames: 60"))
    reference = whole(work)
    check(checkpoints(reference) == [], "a short run leaves no checkpoint", tree(reference))
    for number in (signal.SIGINT, signal.SIGTERM):
        out = os.path.join(work, number.name)
        for _ in range(3):
            process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", out, "--resume"], cwd=work,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            shown = []
            for line in process.stdout:  # the first frame of this part
                shown.append(line)
                if line.startswith("frame ") and "frame 0/" not in line:
                    break
            process.send_signal(number)
            rest, errors = process.communicate()
            shown = "".join(shown) + rest
            if not check(process.returncode == 128 + number, f"{number.name}: exit code",
                         process.returncode, shown, errors):
                break
            check("checkpoint at frame " in shown and "--resume" in shown,
                  f"{number.name}: where it goes on", shown)
            stem = checkpoints(out)[-1]
            hash_line = hashes(work, f"{out}/checkpoints/{stem}")
            check(hash_line.startswith(f"{int(stem[11:17])} ") and
                  hash_line in hashes(work, out), f"{number.name}: hash of the checkpoint",
                  hash_line)
        result = run(work, "-o", out, "--resume")
        check(result.returncode == 0 and "resumed at frame " in result.stdout,
              f"{number.name}: goes on", result)
        same_results(reference, out, number.name)
        with open(f"{out}/run.json", encoding="utf-8") as file:
            check(len(json.load(file)["resumed_at"]) == 3, f"{number.name}: resumed_at")
        check(len(checkpoints(out)) <= 2, "two are kept", checkpoints(out))


def test_schedule(work):
    """Which are written, and that writing them changes nothing."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip"))
    reference = whole(work)
    check(checkpoints(reference) == ["checkpoint_000015.h5", "checkpoint_000018.h5"],
          "every 3, the latest 2", checkpoints(reference))
    for frame in (15, 18):
        line = hashes(work, f"whole/checkpoints/checkpoint_{frame:06d}.h5")
        check(line in hashes(work, "whole") and line.startswith(f"{frame} "), "their hashes", line)
    result = run(work, "-o", "often", "-q", "--set", "output.checkpoint={every: 1, keep: 100}",
                 env={"FRESHET_CHECKPOINT_SECONDS": "0"})
    check(result.returncode == 0 and len(checkpoints(f"{work}/often")) == 21,
          "after every substep, of every frame the last", result, checkpoints(f"{work}/often"))
    same_results(reference, f"{work}/often", "with many checkpoints")
    result = run(work, "-o", "whole")
    refused(result, "--resume", "--overwrite", seconds=2)
    result = run(work, "-o", "whole", "--resume")
    check(result.returncode == 0 and "resumed at frame 18" in result.stdout,
          "a finished run: the rest again", result)
    same_results(f"{work}/often", reference, "resumed after its end")


def flip_byte(path, at):
    data = bytearray(read(path))
    data[at % len(data)] ^= 0x10
    with open(path, "wb") as file:
        file.write(data)


def test_bad_files(work):
    """Damaged, truncated, foreign, newer: said why, and the one before is used."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip"))
    reference = whole(work)
    base = stopped(work, "base")
    check(checkpoints(base) == ["checkpoint_000003.h5", "checkpoint_000006.h5"], "two", tree(base))

    def spoil(kind, path):
        data = read(path)
        if kind == "damaged":
            flip_byte(path, len(data) // 2)
        elif kind == "truncated":
            os.truncate(path, len(data) * 2 // 3)
        elif kind == "empty":
            os.truncate(path, 0)
        elif kind == "foreign":
            write(path, "\x89HDF\r\n\x1a\n of another program" * 40)
        elif kind == "folder":
            os.remove(path)
            os.mkdir(path)

    words = {"damaged": "damaged", "truncated": "truncated", "empty": "empty",
             "foreign": "not a checkpoint", "folder": "not a file"}
    for kind, word in words.items():
        out = os.path.join(work, kind)
        shutil.copytree(base, out)
        spoil(kind, f"{out}/checkpoints/checkpoint_000006.h5")
        result = run(work, "-o", kind, "--resume")
        check(result.returncode == 0 and "checkpoint_000006.h5" in result.stderr and
              word in result.stderr and "resumed at frame 3" in result.stdout,
              f"{kind}: the previous one", result)
        same_results(reference, out, kind)
        check("checkpoint_000006.h5.refused" in checkpoints(out), f"{kind}: put aside",
              checkpoints(out))

    out = os.path.join(work, "none_left")
    shutil.copytree(base, out)
    for name in checkpoints(out):
        flip_byte(f"{out}/checkpoints/{name}", 600)
    result = run(work, "-o", "none_left", "--resume")
    check(result.returncode == 0 and "starting at frame 0" in result.stderr and
          result.stderr.count("damaged") == 2, "no usable one", result)
    same_results(reference, out, "from frame 0")
    result = run(work, "-o", "new", "--resume", "-q", "--frames", "1")
    check(result.returncode == 0, "an empty folder", result)
    log = read(f"{work}/new/log.txt").decode()
    check("no usable checkpoint" in log and "frame 0" in log, "it says so", log)

    out = os.path.join(work, "shortened")
    shutil.copytree(base, out)
    os.truncate(f"{out}/stats.csv", 100)
    result = run(work, "-o", "shortened", "--resume")
    check(result.returncode == 0 and "stats.csv' has lost rows up to frame 6" in result.stderr and
          "resumed at frame 6" in result.stdout, "a table that lost lines", result)
    check(hashes(work, "shortened") == hashes(work, "whole"), "the state is sound")


def killed_again(work, out, *arguments):
    """A resumed run that is killed before it writes a checkpoint of its own."""
    before = latest(out)
    process = subprocess.Popen(
        [PROGRAM, "run", "s.yaml", "-o", out, "-q", "--resume", "--frames", "100000", "--set",
         "output.checkpoint={every: 100000}", *arguments], cwd=work, stderr=subprocess.DEVNULL)
    wait_for(lambda: os.path.exists(f"{out}/frames/frame_000012.png") or
             process.poll() is not None)
    process.kill()
    check(process.wait() == -signal.SIGKILL and latest(out) == before, "killed without a checkpoint",
          process.returncode, latest(out), before)


def frames_of(path):
    """Of a table, each frame once."""
    return list(dict.fromkeys(int(row["frame"]) for row in rows(path)))


def test_changed_tables(work):
    """What a resumed run does to the tables never costs a checkpoint, also if it is killed."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip"))
    reference = whole(work)
    three = "output.probes=[" + ", ".join(
        f"{{name: p{n}, point: [0.{n}5, 0.1], quantity: velocity}}" for n in range(3)) + "]"

    def goes_on(name, *arguments):
        result = run(work, "-o", name, "--resume", *arguments)
        check(result.returncode == 0 and "resumed at frame 6" in result.stdout and
              "not used" not in result.stderr, f"{name}: goes on", result)
        check(hashes(work, name) == hashes(work, "whole"), f"{name}: hashes")
        return result

    for name, arguments in [("more probes", [three]), ("fewer probes", ["output.probes=[]"]),
                            ("no table", ["output.stats=false"])]:
        out = stopped(work, name)
        sets = [text for argument in arguments for text in ("--set", argument)]
        killed_again(work, out, *sets)
        goes_on(name, *sets)
        if name == "more probes":
            check(frames_of(f"{out}/probes.csv") == list(range(7, 21)) and
                  frames_of(f"{out}/probes_before_frame_000006.csv") == list(range(7)) and
                  not is_whole(out), "rows of both kinds of probes", tree(out), is_whole(out))
        if name == "fewer probes":
            check(frames_of(f"{out}/probes.csv") == list(range(7)), "old rows stay")
    for name in ("log.txt", "stats.csv", "probes.csv"):
        out = stopped(work, "without " + name)
        os.remove(f"{out}/{name}")
        killed_again(work, out)
        goes_on("without " + name)
        check(not is_whole(out), f"without {name}: whole files", is_whole(out))

    out = stopped(work, "off and on")
    run(work, "-o", out, "--resume", "-q", "--frames", "12", "--set", "output.stats=false",
        "--set", "output.probes=[]")
    result = run(work, "-o", out, "--resume")
    check(result.returncode == 0 and "resumed at frame 12" in result.stdout, "off and on", result)
    for name in ("stats.csv", "probes.csv"):
        check(frames_of(f"{out}/{name}") == [*range(7), *range(13, 21)], f"off and on: {name}",
              frames_of(f"{out}/{name}"))
    check(hashes(work, reference) == hashes(work, out), "off and on: hashes", hashes(work, out))


def crc64(data):
    """CRC-64/XZ, bit by bit."""
    crc = 2**64 - 1
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xC96C5795D7870F42 if crc & 1 else 0)
    return crc ^ 2**64 - 1


def seal(path, data, newer=0):
    """Writes a checkpoint with what it says about itself."""
    data = bytearray(data)
    lines = data[:512].rstrip(b"\0").decode().splitlines()
    lines[1] = f"format {int(lines[1].split()[1]) + newer}"
    for crc in (0, None):
        lines[3] = f"crc64 {crc64(data) if crc is None else crc:016x}"
        data[:512] = ("\n".join(lines) + "\n").encode().ljust(512, b"\0")
    with open(path, "wb") as file:
        file.write(data)


def make_newer(path):
    """As a later version of the program would write it: whole, but of another format."""
    seal(path, read(path), newer=1)


def test_forged(work):
    """Whole files whose contents are no state of the run: said why, and the one before is used."""
    scene = FLAT.replace("TRANSFER", "flip").replace(
        "gravity", "solver: {max_iterations: 1}\ngravity").replace("radius: 0.15", "radius: 0.02")
    write(f"{work}/s.yaml", scene)
    reference = whole(work)
    base = stopped(work, "base")
    told = accounts(reference)["warnings"]
    check(any("above the tolerance" in text for text in told), "a warning", told)

    def forge(frame):
        path = f"{work}/forged/checkpoints/checkpoint_{frame:06}.h5"
        data = read(path)
        state = int(rows_by_frame[frame]["hash"], 16).to_bytes(8, "little")
        check(data.count(state) > 0, f"the hash of frame {frame} is in its checkpoint")
        seal(path, data.replace(state, bytes(8)))

    rows_by_frame = {int(row["frame"]): row for row in rows(f"{base}/stats.csv") if row["hash"]}
    shutil.copytree(base, f"{work}/forged")
    forge(6)
    shutil.copytree(f"{work}/forged", f"{work}/both")
    result = run(work, "-o", "forged", "--resume")
    check(result.returncode == 0 and "checkpoint_000006.h5' holds another state (hash " in
          result.stderr and "not used" in result.stderr and
          "resumed at frame 3" in result.stdout, "the previous one", result)
    same_results(reference, f"{work}/forged", "forged")
    check("checkpoint_000006.h5.refused" in checkpoints(f"{work}/forged"), "put aside")

    shutil.rmtree(f"{work}/forged")
    shutil.move(f"{work}/both", f"{work}/forged")
    forge(3)
    result = run(work, "-o", "forged", "--resume")
    check(result.returncode == 0 and "starting at frame 0" in result.stderr and
          result.stderr.count("holds another state") == 2, "none left", result)
    check(result.stderr.count("cells thick") == 1, "what the scene is warned of is told once", result)
    same_results(reference, f"{work}/forged", "from frame 0")


def test_device_at_fault(work):
    """BL-088: a device that gives a sound checkpoint another hash is named, and no file is blamed."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "apic").replace(
        "png: {size: [64, 32]}", "particles: {}"))
    base = stopped(work, "base")
    device = accounts(base)["device"]["name"]
    files = {name: read(f"{base}/{name}") for name in tree(base)}

    def blamed(result, what):
        check(result.returncode == 1 and device in result.stderr and
              "freshet doctor" in result.stderr and "sound" in result.stderr and
              "not used" not in result.stderr and "damaged" not in result.stderr, what, result)
        check({name: read(f"{base}/{name}") for name in tree(base)} == files,
              f"{what}: nothing is changed", tree(base))

    blamed(run(work, "-o", "base", "--resume", env={"FRESHET_FAULT": "hash:1"}), "--resume")
    for file in "particles", "checkpoints":
        blamed(freshet("render", "base", "-q", "-o", "pictures", "--from", file, "--frames", "6",
                       cwd=work, env={"FRESHET_FAULT": "hash:1"}), f"pictures from {file}")
    result = run(work, "-o", "base", "--resume", "-q")
    check(result.returncode == 0, "another device goes on", result)


def test_warnings_once(work):
    """A run that goes on does not warn of what it warned of before."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip").replace(
        "fps: 24", "fps: 0.1, dt: 9e-5").replace("frames: 20", "frames: 1").replace(
            "gravity", "solver: {max_iterations: 1, drift: none}\ngravity").replace("cells: 24", "cells: 8").replace(
                "radius: 0.15", "radius: 0.02"))
    words = ["cells thick", "stopped above the tolerance", "substeps (greatest speed"]

    def part(number, *arguments, hang_up=signal.SIG_DFL):
        """Until it has written some checkpoints, of which each holds some substeps more."""
        before = latest(f"{work}/out")
        process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "out", *arguments], cwd=work,
                                   env={**os.environ, "FRESHET_CHECKPOINT_SECONDS": "0.02"},
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, hang_up))
        wait_for(lambda: latest(f"{work}/out") != before or process.poll() is not None)
        if hang_up == signal.SIG_IGN:
            process.send_signal(signal.SIGHUP)
            time.sleep(0.1)
        process.send_signal(number)
        _, errors = process.communicate()
        check(process.returncode == 128 + number, "stopped", process.returncode, errors)
        return errors

    errors = part(signal.SIGHUP)
    check(all(errors.count(word) == 1 for word in words), "warnings", errors)
    # nohup(1) has SIGHUP ignored
    errors = part(signal.SIGTERM, "--resume", hang_up=signal.SIG_IGN)
    check(not any(word in errors for word in words[1:]), "no warnings", errors)
    warnings = accounts(f"{work}/out")["warnings"]
    log = read(f"{work}/out/log.txt").decode()
    check(len(warnings) == len(words) and all(log.count(word) == 1 for word in words),
          "told once", warnings, log)


def test_newer(work):
    """Whole checkpoints that another version can go on from are not thrown away."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip"))
    base = stopped(work, "base")
    make_newer(f"{base}/checkpoints/checkpoint_000006.h5")
    shutil.copytree(base, f"{work}/all")
    result = run(work, "-o", "base", "--resume", "--frames", "9")
    check(result.returncode == 0 and "newer version" in result.stderr, "the one before", result)
    make_newer(f"{work}/all/checkpoints/checkpoint_000003.h5")
    files = {name: read(f"{work}/all/{name}") for name in tree(f"{work}/all")}
    refused(run(work, "-o", "all", "--resume"), "newer version", "--overwrite", seconds=5)
    check({name: read(f"{work}/all/{name}") for name in tree(f"{work}/all")} == files,
          "a refused resume changes nothing", tree(f"{work}/all"))


def test_changed_scene(work):
    """BL-092"""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip"))
    base = stopped(work, "base")
    files = {name: read(f"{base}/{name}") for name in tree(base)}
    changes = {
        "domain.cells": "domain.cells=48",
        "domain.size": "domain={size: [4, 2], cells: 24}",
        "gravity.1": "gravity=[0, -9]",
        "frame": "frame.roll={amplitude: 0.1, frequency: 1}",
        "solids.0": "solids.0.sphere.radius=0.16",
        "solids": "solids=[]",
        "liquid.particles_per_cell": "liquid.particles_per_cell=9",
        "liquid.transfer": "liquid.transfer=apic",
        "time.dt": "time.dt=0.01",
        "time.fps": "time.fps=25",
        "solver.tolerance": "solver.tolerance=1e-4",
        "liquids.0.velocity.0": "liquids.0.velocity=[2, 0]",
        "liquids.0.seed": "liquid.seed=9",
        "liquids.0.jitter": "liquid.jitter=0",
    }
    for key, change in changes.items():
        refused(run(work, "-o", "base", "--resume", "--set", change), "base/checkpoints", key,
                seconds=2)
    result = run(work, "-o", "base", "--resume", "--set", "gravity=[0, -9]", "--set",
                 "time.cfl=0.5")
    refused(result, "gravity.1 was -9.81, is -9", "time.cfl was 1, is 0.5")
    refused(run(work, "-o", "base", "--resume", "--frames", "5"), "frame 6", "last frame 5")
    check({name: read(f"{base}/{name}") for name in tree(base)} == files,
          "a refused resume changes nothing")
    shutil.rmtree(f"{base}/checkpoints")
    refused(run(work, "-o", "base", "--resume", "--set", "gravity=[0, -9]"), "run.json",
            "gravity.1")
    os.remove(f"{base}/run.json")
    refused(run(work, "-o", "base", "--resume"), "base", "--overwrite")

    reference = whole(work)
    base = stopped(work, "again")
    text = FLAT.replace("TRANSFER", "flip").splitlines()
    text = ["# a comment"] + text[:1] + text[2:3] + text[4:5] + text[3:4] + text[5:] + text[1:2]
    write(f"{work}/order.yaml", "\n".join(text) + "\n")
    result = run(work, "-o", "again", "--resume", "-q", scene="order.yaml")
    check(result.returncode == 0 and result.stderr == "", "comments and order", result)
    same_results(reference, base, "comments and order")
    base = stopped(work, "output")
    result = run(work, "-o", "output", "--resume", "--set", "output.checkpoint={keep: 1}",
                 "--set", "liquids.0.color='#ff0000'", "--set",
                 "output.probes=[{name: other, point: [0.3, 0.1]}]", "--frames", "22")
    check(result.returncode == 0, "output and colours may change", result)
    check(hashes(work, "output").startswith(hashes(work, "whole")) and
          hashes(work, "output").count("\n") == 23, "the same frames and two more")
    check("probes_before_frame_000006.csv" in tree(base) and
          [row["frame"] for row in rows(f"{base}/probes.csv")] ==
          [str(frame) for frame in range(7, 23)], "rows of other probes are kept apart",
          tree(base))


def test_two_at_once(work):
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip"))
    stopped(work, "out")
    slow = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "out", "--resume", "--frames",
                             "100000"], cwd=work, stdout=subprocess.DEVNULL)
    wait_for(lambda: os.path.exists(f"{work}/out/.lock"))
    refused(run(work, "-o", "out", "--resume"), "another run", seconds=2)
    wait_for(lambda: os.path.exists(f"{work}/out/frames/frame_000012.png"))
    slow.send_signal(signal.SIGINT)
    check(slow.wait() == 130, "the first goes on", slow.returncode)


def accounts(folder):
    with open(f"{folder}/run.json", encoding="utf-8") as file:
        return json.load(file)


def test_step_faults(work):
    """FRESHET_FAULT in a substep: once, the run goes on; always, it ends with a report and goes on
    when the fault is gone, as if nothing had been."""
    for scene, name, transfer in [(FLAT, "2d", "flip"), (SOLID, "3d", "apic")]:
        write(f"{work}/{name}.yaml", scene.replace("TRANSFER", transfer))
        reference = whole(work, f"whole_{name}", f"{name}.yaml")
        attempts = sum(int(row["substep"]) > 0 for row in rows(f"{reference}/stats.csv"))
        halved = set()
        for number, (kind, cause) in enumerate([("nan", "particle_not_finite"),
                                                ("speed", "too_far"),
                                                ("solver", "pressure_diverged")]):
            fault = f"{kind}:{attempts // 2}"
            out = os.path.join(work, f"{name}_{kind}")
            result = run(work, "-o", out, scene=f"{name}.yaml", env={"FRESHET_FAULT": fault})
            if not check(result.returncode == 0, f"{name} {fault}: goes on", result):
                continue
            json_of = accounts(out)
            check(json_of["interventions"] == {**dict.fromkeys(json_of["interventions"], 0),
                                               cause: 1} and json_of["totals"]["retries"] == 1,
                  f"{name} {fault}: counted", json_of["interventions"], json_of["totals"])
            warnings = [text for text in json_of["warnings"] if "trying half the step" in text]
            check(len(warnings) == 1 and ", stage " in warnings[0] and ", t = " in warnings[0],
                  f"{name} {fault}: told with stage and time", json_of["warnings"])
            check("substeps repeated with half the step: 1 (" + cause in result.stdout and
                  rows(f"{out}/stats.csv")[-1]["retries"] == "1", f"{name} {fault}: reported",
                  result)
            check(json_of["failure"] is None and
                  json_of["ledger"]["particles"]["imbalances"] == 0, f"{name} {fault}: ledger",
                  json_of["ledger"])
            halved.add(hashes(work, out))

            fault += "+"
            result = run(work, "-o", out, "--overwrite", scene=f"{name}.yaml",
                         env={"FRESHET_FAULT": fault})
            failure = accounts(out)["failure"]
            check(result.returncode == 1 and "5 times over" in result.stderr and
                  "checkpoint at frame" in result.stdout, f"{name} {fault}: the end", result)
            if check(failure is not None, f"{name} {fault}: failure in run.json"):
                places = failure["particles"] if kind == "nan" else failure["cells"]
                check(failure["cause"] == cause and failure["attempts"] == 5 and
                      failure["stage"] in result.stderr and
                      0 < failure["dt"] < 1 / 24 and places and "position" in places[0],
                      f"{name} {fault}: its report", failure)
                if kind == "nan":
                    check("nan" in places[0]["velocity"] and places[0]["id"] >= 0 and
                          failure["values_after_stage"] == "g2p", "the particle", places)
            result = run(work, "-o", out, "--resume", "-q", scene=f"{name}.yaml")
            check(result.returncode == 0, f"{name} {fault}: resumed", result)
            same_results(reference, out, f"{name} {fault}")
            check(accounts(out)["ledger"] == accounts(reference)["ledger"],
                  f"{name} {fault}: ledger as of the uninterrupted run",
                  accounts(out)["ledger"], accounts(reference)["ledger"])
        check(len(halved) == 1 and hashes(work, reference) not in halved,
              f"{name}: the halved step is the same, whatever failed", halved)
    for wrong in ("nan", "nan:", "nan:0", "nan:-1", "nan: 1", "nan:1.5", "nan:1++", "nan:+1",
                  "nan:99999999999999999999", "write:2147483648", "oops:1", "NAN:1", ":1"):
        refused(run(work, "-o", "never", scene="2d.yaml", env={"FRESHET_FAULT": wrong}),
                "FRESHET_FAULT", wrong, "opencl, write, alloc, nan, speed, solver, hash", seconds=5)
    check(not os.path.exists(f"{work}/never"), "nothing is left")


def test_disk(work):
    """A file size limit stands for a full disk; a folder that cannot be written; one that
    vanishes."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip"))
    reference = whole(work)
    out = stopped(work, "full", 7)
    good = read(f"{out}/checkpoints/checkpoint_000006.h5")
    process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "full", "--resume"], cwd=work,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stdout:  # by then the driver has written its own files
        if line.startswith("frame 8/"):
            break
    limit = os.path.getsize(f"{out}/stats.csv") + 1000
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limit, limit))
    _, errors = process.communicate(timeout=120)
    check(process.returncode == 1 and "File too large" in errors, "a full disk", errors)
    check(read(f"{out}/checkpoints/checkpoint_000006.h5") == good and not is_whole(out),
          "what was there is whole", is_whole(out))
    result = run(work, "-o", "full", "--resume", "-q")
    check(result.returncode == 0, "goes on", result)
    same_results(reference, out, "a full disk")

    os.mkdir(f"{work}/file")
    write(f"{work}/file/checkpoints", "mine")
    refused(run(work, "-o", "file", "-q"), "file/checkpoints", code=1)
    check(read(f"{work}/file/checkpoints") == b"mine", "a file in the way is left alone")

    process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "gone", "--frames", "100000",
                                "--set", "output.checkpoint.every=100000"],
                               cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.startswith("frame 2/"):
            break
    os.rename(f"{work}/gone", f"{work}/elsewhere")
    start = time.monotonic()
    _, errors = process.communicate(timeout=120)
    check(process.returncode == 1 and "'gone" in errors and "which was removed" in errors,
          "a folder that vanishes", errors)
    check(time.monotonic() - start < 10, "it is noticed soon")
    check(not os.path.exists(f"{work}/gone"), "nothing is made in its place", os.listdir(work))


def test_verify(work):
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "apic").replace("splash", "splash ü 日本"))
    reference = whole(work)
    before = tree(work)
    result = freshet("verify", "whole/run.json", cwd=work)
    check(tree(work) == before, "verify writes nothing")
    check(result.returncode == 0 and "frames 0 to 20 are equal" in result.stdout, "equal", result)
    stopped(work, "part")
    run(work, "-o", "part", "--resume", "-q")
    result = freshet("verify", "part", "-q", cwd=work,
                     env={"FRESHET_SPLAT": "atomic32"})
    check(result.returncode == 0 and result.stdout == result.stderr == "",
          "a resumed run, in another way", result)
    result = freshet("verify", "whole", "-q", "--write-stages", "stages.csv", cwd=work)
    lines = read(f"{work}/stages.csv").decode().splitlines()
    with open(f"{reference}/run.json", encoding="utf-8") as file:
        published = json.load(file)
    check(result.returncode == 0 and lines[0] == "frame,substep,attempt,stage,hash" and
          len(lines) > 10 * published["totals"]["substeps"], "hashes of stages", result, lines[:3])
    result = freshet("verify", "whole", "-q", "--stages", "stages.csv", cwd=work,
                     env={"FRESHET_SPLAT": "atomic32"})
    check(result.returncode == 0, "equal stages", result)
    at = next(i for i, line in enumerate(lines) if line.startswith("3,2,1,pressure,"))
    write(f"{work}/wrong.csv", "\n".join(lines[:at] + ["3,2,1,pressure," + "0" * 16] +
                                         lines[at + 1:]) + "\n")
    result = freshet("verify", "whole", "--stages", "wrong.csv", cwd=work)
    check(result.returncode == 1 and "frame 3, substep 2, stage pressure is the first" in
          result.stderr and "frame 2 " in result.stdout, "a stage that differs", result)
    refused(freshet("verify", "whole", "--stages", "s.yaml", cwd=work), "s.yaml", "--write-stages")
    wrong = published["frames"][7]
    wrong["hash"] = f"{int(wrong['hash'], 16) ^ 1:016x}"
    write(f"{work}/wrong.json", json.dumps(published))
    result = freshet("verify", "wrong.json", cwd=work)
    check(result.returncode == 1 and "frame 7 is the first that differs" in result.stderr and
          wrong["hash"] in result.stderr and "frame 6 " in result.stdout, "a wrong hash", result)
    published["scene"]["gravity"] = [0, -9.8100001]
    write(f"{work}/other.json", json.dumps(published))
    result = freshet("verify", "other.json", cwd=work)
    check(result.returncode == 1 and "is the first that differs" in result.stderr,
          "another scene", result)
    refused(freshet("verify", "whole/run.json", "-d", "none such", cwd=work), "none such")
    refused(freshet("verify", "s.yaml", cwd=work), "s.yaml", "not a run.json")
    refused(freshet("verify", "none.json", cwd=work), "none.json")
    refused(freshet("verify"), "run.json")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
