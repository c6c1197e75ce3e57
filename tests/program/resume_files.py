#!/usr/bin/env python3
"""Tests of resumed runs whose checkpoints or tables are damaged, forged, newer, or of another scene.

usage: resume_files.py PROGRAM SCENES_DIR [TEST...]
"""
import os
import shutil
import signal
import subprocess
import sys

from cli_support import (PROGRAM, check, is_whole, read, refused, rows, run_tests, tree, wait_for,
                         write)
from resume_support import (FLAT, accounts, checkpoints, hashes, latest, run, same_results, seal, stopped,
                            whole)


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


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
