#!/usr/bin/env python3
"""Tests of the built program: exit codes, messages, files.

usage: cli.py PROGRAM SCENES_DIR

Every check is counted; failures are printed with what was expected and seen.
"""
import json
import os
import pty
import re
import random
import shutil
import signal
import subprocess
import sys
import time

from cli_support import (CACHE, FILES, PROGRAM, SCENE, SCENES, check, expected_files, freshet, is_within,
                         is_whole, read, refused, rows, run_tests, skip, tree, wait_for, write)


def test_command_line(work):
    result = freshet("--version")
    check(result.returncode == 0 and result.stdout.startswith("freshet 0."), "--version", result)
    result = freshet("--help")
    commands = ["run", "devices", "check", "mesh", "render", "hash", "verify", "validate", "bench",
                "doctor", "stages"]
    check(result.returncode == 0 and all(f"freshet {name}" in result.stdout for name in commands),
          "--help names the commands", result)
    for name in commands:
        result = freshet(name, "--help")
        check(result.returncode == 0 and f"usage: freshet {name}" in result.stdout,
              f"{name} --help", result)
    result = freshet()
    check(result.returncode == 2 and "usage" in result.stderr, "no command", result)
    refused(freshet("rnu"), "rnu", "did you mean 'run'")
    refused(freshet("--versoin"), "--version")
    refused(freshet("run"), "scene")
    refused(freshet("run", "a.yaml", "b.yaml"), "a.yaml", "b.yaml")
    refused(freshet("run", "a.yaml", "--frmaes", "3"), "--frmaes", "did you mean '--frames'")
    refused(freshet("run", "a.yaml", "--frames"), "--frames", "value")
    refused(freshet("run", "a.yaml", "--quiet=yes"), "--quiet")
    for value in ["-1", "1.5", "x", "", "1e3", "99999999999999999999"]:
        refused(freshet("run", "a.yaml", "--frames", value), "--frames")
    refused(freshet("run", "a.yaml", "-o", ""), "--output")
    refused(freshet("run", "a.yaml", "--resume", "--overwrite"), "--resume", "--overwrite")
    refused(freshet("run", "missing.yaml", cwd=work), "missing.yaml")
    refused(freshet("hash"), "hash")
    refused(freshet("hash", work), "run.json")
    refused(freshet("hash", os.path.join(work, "none")), "none")
    write(os.path.join(work, "checkpoint_000024.h5"), "")
    refused(freshet("hash", "checkpoint_000024.h5", cwd=work), "checkpoint_000024.h5", "empty")
    refused(freshet("check", "a.yaml", "-d", "cpu"), "-d")
    check(tree(work) == ["checkpoint_000024.h5"], "nothing is written", tree(work))
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([PROGRAM, "--help"], stdout=full, stderr=subprocess.PIPE,
                                    text=True, check=False)
        check(result.returncode == 1 and "output" in result.stderr, "output to a full device",
              result.returncode, result.stderr)


def test_no_device(work):
    """BL-064, BL-065"""
    os.mkdir(os.path.join(work, "vendors"))
    write(os.path.join(work, "s.yaml"), SCENE)
    none = {"OCL_ICD_VENDORS": os.path.join(work, "vendors") + "/", "FRESHET_DEVICE": "cpu"}
    before = tree(work)
    for arguments in [("run", "s.yaml", "-o", "out/deep"), ("devices",)]:
        result = freshet(*arguments, cwd=work, env=none)
        refused(result, "OpenCL", "platform", code=1, seconds=2)
        check("driver" in result.stderr or "PoCL" in result.stderr, "a hint", result)
    check(tree(work) == before and not os.path.exists(os.path.join(work, "out")),
          "no output folder", os.listdir(work))
    result = freshet("check", "s.yaml", cwd=work, env=none)
    check(result.returncode == 0, "check needs no device", result)
    # A small box needs no OpenCL; a large one is refused, or runs where it is told to.
    small, large = {**none, "FRESHET_DEVICE": ""}, ["--set", "domain.cells=256", "--frames", "0"]
    result = freshet("run", "s.yaml", "--frames", "1", "-o", "native", cwd=work, env=small)
    check(result.returncode == 0 and "native" in result.stdout, "a small box on this program alone", result)
    refused(freshet("run", "s.yaml", "-o", "out", *large, cwd=work, env=small), "OpenCL", "-d native", code=1)
    result = freshet("run", "s.yaml", "-o", "large", "-d", "native", *large, cwd=work, env=small)
    check(result.returncode == 0, "a large one where it is told to", result)

    devices = freshet("devices")
    check(devices.returncode == 0 and "default: " in devices.stdout, "devices", devices)
    result = freshet("run", "s.yaml", "-d", "no such device", "-o", "out", cwd=work)
    refused(result, "no such device", "0:0")
    check(not os.path.exists(os.path.join(work, "out")), "no output folder", os.listdir(work))
    result = freshet("run", "s.yaml", "-d", "9:9", cwd=work)
    refused(result, "9:9", "0:0")
    refused(freshet("run", "s.yaml", cwd=work, env={"FRESHET_DEVICE": "no such device"}),
            "no such device", "0:0")
    if devices.stdout.count("platform ") != devices.stdout.count("Portable Computing Language"):
        skip("other platforms than PoCL are here")
        return
    result = freshet("run", "s.yaml", cwd=work, env={"POCL_DEVICES": "none", "FRESHET_DEVICE": "cpu"})
    refused(result, "0 devices", "Portable Computing Language", code=1)
    refused(freshet("run", "s.yaml", "-d", "gpu", cwd=work), "0:0", "pthread")
    two = {"POCL_DEVICES": "pthread pthread", "FRESHET_DEVICE": "cpu"}
    result = freshet("run", "s.yaml", "--frames", "0", "-o", "two", cwd=work, env=two)
    check(result.returncode == 0 and "0:0 pthread" in result.stdout, "two devices: the first",
          result)


def test_check(work):
    scene = os.path.join(work, "s.yaml")
    write(scene, SCENE)
    result = freshet("check", "s.yaml", cwd=work)
    check(result.returncode == 0 and "16 x 8" in result.stdout and "total" in result.stdout and
          "MiB" in result.stdout and "disk per frame" in result.stdout, "check prints", result)
    # 4 x 4 of 128 cells are liquid, 4 particles each; the estimate's samples align with cells
    check("about 64 " in result.stdout, "the particles", result)
    result = freshet("check", "s.yaml", "--set", "domain.cells=32", cwd=work)
    check(result.returncode == 0 and "32 x 16" in result.stdout and "about 256 " in result.stdout,
          "--set", result)
    dry = freshet("check", "s.yaml", "--set", "liquids.0.box={min: [3, 0], max: [4, 1]}", cwd=work)
    check(dry.returncode == 0 and "no liquid" in dry.stderr and not result.stderr,
          "a scene without liquid is worth a word", dry)
    astray = freshet("check", "s.yaml", "--set",
                     "liquids.1={name: oil, sphere: {center: [9, 9], radius: 0.1}}", cwd=work)
    check(astray.returncode == 0 and astray.stderr.count("\n") == 1 and
          "liquid 'oil' has no particles" in astray.stderr, "and one liquid without particles", astray)
    check(tree(work) == ["s.yaml"], "check writes nothing", tree(work))
    for name in sorted(os.listdir(SCENES)):
        if name.endswith((".yaml", ".json")):
            result = freshet("check", os.path.join(SCENES, name), cwd=work)
            check(result.returncode == 0, f"scenes/{name}", result)


def test_scene_errors(work):
    """BL-097 and the comma of BL-086: file, line and key are named, and nothing is written."""
    liquid = "liquids: [{name: a, box: {min: [0, 0], max: [1, 1]}}]\n"
    head = "version: 1\nname: x\ndomain: {size: [2, 1], cells: 8}\n"
    cases = {
        "misspelt": (head + "gravty: [0, -9.81]\n" + liquid, ":4:", "gravty", "gravity"),
        "case": (head + "Gravity: [0, -9.81]\n" + liquid, ":4:", "Gravity", "gravity"),
        "section": (head + "cfl: 1\n" + liquid, ":4:", "cfl"),
        "twice": (head + liquid + "version: 1\n", ":5:", "version"),
        "text": (head.replace("cells: 8", 'cells: "64"') + liquid, ":3:", "cells"),
        "fraction": (head.replace("cells: 8", "cells: 64.5") + liquid, ":3:", "cells"),
        "truth": (head.replace("cells: 8", "cells: true") + liquid, ":3:", "cells"),
        "comma": (head + "liquid: {flip_ratio: 0,5}\n" + liquid, ":4:", ""),
        "comma text": (head + 'liquid: {flip_ratio: "0,5"}\n' + liquid, ":4:", "flip_ratio"),
        "tab": (head + "time:\n\tfps: 24\n" + liquid, ":5:", ""),
        "empty": ("", "", ""),
        "brackets": ("[" * 1000000, "", ""),
    }
    for name, (text, *words) in cases.items():
        file = name.replace(" ", "_") + ".yaml"
        write(os.path.join(work, file), text)
        refused(freshet("run", file, cwd=work), file, *words, seconds=1)
        os.remove(os.path.join(work, file))
    os.mkdir(os.path.join(work, "folder.yaml"))
    refused(freshet("run", "folder.yaml", cwd=work), "folder.yaml", seconds=1)
    write(os.path.join(work, "two.yaml"), head + "gravty: 1\nlqiuids: 2\n" + liquid)
    refused(freshet("run", "two.yaml", cwd=work), ":4:", ":5:", seconds=1)
    write(os.path.join(work, "bom.yaml"), "\ufeff" + head + liquid)
    refused(freshet("run", "bom.yaml", cwd=work), "bom.yaml:1:1", "byte order mark", seconds=1)
    write(os.path.join(work, "good.yaml"), head + liquid)
    refused(freshet("run", "good.yaml", "--set", "time.fsp=3", cwd=work), "fsp", "fps", seconds=1)
    check(sorted(os.listdir(work)) == ["bom.yaml", "folder.yaml", "good.yaml", "two.yaml"],
          "nothing is written", os.listdir(work))


def test_files(work):
    """What a run writes, BL-080, and that its parts agree."""
    write(os.path.join(work, "s.yaml"), SCENE)
    result = freshet("run", "s.yaml", "--frames", "12", "-o", "out", cwd=work)
    if not check(result.returncode == 0, "a run", result):
        return
    out = os.path.join(work, "out")
    check(tree(out) == expected_files(range(13)), "the files", tree(out))
    check(not is_whole(out), "every file decodes", is_whole(out))
    for word in ["finished: frames 0 to 12", "ms per substep", "particles: ", "volume error: ",
                 "pressure by mgpcg: ", "iterations per substep on average", "retries",
                 "solves that ended above their tolerance: 0 of ", "output: out"]:
        check(word in result.stdout, f"'{word}' in the end report", result)
    lines = [line for line in result.stdout.splitlines() if line.startswith("frame ")]
    check(len(lines) == 13 and "\r" not in result.stdout, "a line per frame", result)
    check(lines[5].startswith("frame 5/12 ") and "ETA" in lines[5], "its text", lines[5])
    log = read(os.path.join(out, "log.txt")).decode()
    check(log.count("\nframe ") == 13, "a log line per frame", log)

    with open(os.path.join(out, "run.json"), encoding="utf-8") as file:
        run = json.load(file)
    stats = rows(os.path.join(out, "stats.csv"))
    ends = [row for row in stats if row["hash"]]
    check(run["status"] == "finished" and run["error"] is None, "status", run["status"])
    check([int(row["frame"]) for row in ends] == list(range(13)), "a hash per frame", ends)
    check(all(len(row["hash"]) == 16 and set(row["hash"]) <= set("0123456789abcdef")
              for row in ends), "16 hex digits", ends)
    check([(str(f["frame"]), f["hash"]) for f in run["frames"]] ==
          [(row["frame"], row["hash"]) for row in ends], "hashes of run.json and stats.csv")
    check(len({row["hash"] for row in ends}) == 13, "the state changes", ends)
    check(all(float(row["time"]) == int(row["frame"]) / 24 for row in ends), "times are exact")
    check([row["divergence_before"] for row in stats if row["frame"] == "0"] == [""],
          "one row for frame 0, without divergence")
    for frame in range(1, 13):
        steps = [row for row in stats if int(row["frame"]) == frame]
        check([int(row["substep"]) for row in steps] == list(range(1, len(steps) + 1)) and
              [bool(row["hash"]) for row in steps] == [False] * (len(steps) - 1) + [True],
              f"substeps of frame {frame}", steps)
    check(run["totals"]["substeps"] == len(stats) - 1, "substeps", run["totals"])
    check(run["totals"]["particles_start"] == int(stats[0]["particles"]) and
          run["totals"]["particles_end"] == int(stats[-1]["particles"]), "particles",
          run["totals"])
    check(run["scene"]["time"]["frames"] == 12 and run["scene"]["liquid"]["flip_ratio"] == 0.97,
          "the scene with --frames and defaults", run["scene"])
    check(run["device"]["name"] and run["build"]["kernel_options"] and run["version"],
          "device and build", run["device"], run["build"])
    check(run["seconds"]["total"] > run["seconds"]["per_frame"] > 0, "seconds", run["seconds"])
    check(run["seconds"]["total"] > run["seconds"]["outside_substeps"] > 0, "seconds between substeps",
          run["seconds"])
    write(os.path.join(work, "echo.json"), json.dumps(run["scene"]))
    again = freshet("run", "echo.json", "-o", "echo", cwd=work)
    check(again.returncode == 0, "the echoed scene runs", again)
    hashes = "".join(f"{row['frame']} {row['hash']}\n" for row in ends)
    for path in ["out", "out/", "out/run.json", "echo"]:
        result = freshet("hash", path, cwd=work)
        check(result.returncode == 0 and result.stdout == hashes, f"hash {path}", result)
    shutil.copytree(out, os.path.join(work, "killed"))
    os.remove(os.path.join(work, "killed", "run.json"))
    result = freshet("hash", "killed", cwd=work)
    check(result.returncode == 0 and result.stdout == hashes, "hash from stats.csv", result)

    probes = rows(os.path.join(out, "probes.csv"))
    check(list(probes[0]) == ["frame", "time", "gate", "h1", "v_x", "v_y", "v_z"],
          "columns of probes.csv", probes[0])
    check([int(row["frame"]) for row in probes] == list(range(13)), "a row per frame", probes)
    # the column starts 0.5 m high, and 0.4 m of water stand above the gauge
    check(abs(float(probes[0]["h1"]) - 0.5) < 0.0625, "height at the start", probes[0])
    check(0 < float(probes[1]["gate"]) < 1.5 * 1000 * 9.81 * 0.4, "pressure", probes[1])

    result = freshet("run", "s.yaml", "-o", "some", "--quiet", "--set", "output.png.every=2",
                     "--set", "output.stats=false", cwd=work)
    check(result.returncode == 0 and result.stdout == "" and result.stderr == "", "--quiet",
          result)
    some = [FILES[0] % 0, FILES[0] % 2, "log.txt", "probes.csv", "run.json"]
    check(tree(os.path.join(work, "some")) == some, "every second image, no stats.csv",
          tree(os.path.join(work, "some")))
    result = freshet("hash", "some", cwd=work)
    check(hashes.startswith(result.stdout) and result.stdout.count("\n") == 4,
          "hash without stats.csv", result)


def test_bl_073(work):
    """BL-073: no launch takes long; a solve's iterations are launches of their own."""
    write(os.path.join(work, "pool.yaml"), "version: 1\nname: pool\n"
          "domain: {size: [1, 1], cells: 256}\ntime: {frames: 1, fps: 240}\n"
          "liquids: [{box: {min: [0, 0], max: [1, 0.5]}}]\n")
    for _ in range(3):  # a busy machine may stop a launch, but not the same again and again
        result = freshet("run", "pool.yaml", "-o", "timed", "--overwrite", "--profile", cwd=work)
        check(result.returncode == 0 and "longest ms" in result.stdout, "--profile", result)
        table = [line.split() for line in result.stdout.split("longest ms\n")[-1].splitlines()]
        longest = {row[0]: float(row[3]) for row in table if len(row) == 4}
        launches = {row[0]: int(row[1]) for row in table if len(row) == 4}
        check(len(longest) > 50 and launches.get("mg_smooth", 0) > 20, "kernels", launches)
        if max(longest.values()) < 500:
            break
    check(max(longest.values()) < 500, "the longest launch, ms", longest)


def test_solvers(work):
    """Every solver runs, and how often it hit its limit is told."""
    write(os.path.join(work, "s.yaml"), SCENE.replace("[0, 0], max: [0.5, 0.5]",
                                                      "[0.5, 0], max: [1.5, 0.5]"))
    for solver in ["mgpcg", "multigrid", "cg", "jacobi", "gauss-seidel", "pcg-ic"]:
        for limited in [False, True]:
            limits = ["--set", "solver.max_iterations=" + ("4" if limited else "100000"),
                      "--set", "solver.v_cycles=" + ("1" if limited else "100"),
                      "--set", "solver.full_cycles=0", "--set", "solver.over_relaxation=1.2",
                      "--set", "solver.tolerance=" + ("1e-12" if limited else "1e-4")]
            out = solver + str(limited)
            result = freshet("run", "s.yaml", "-o", out, "--frames", "1", "--set",
                             "solver.pressure=" + solver, "--set", "solver.drift=none",
                             *limits, cwd=work)
            if not check(result.returncode == 0, f"{solver}, limited: {limited}", result):
                continue
            with open(os.path.join(work, out, "run.json"), encoding="utf-8") as file:
                totals = json.load(file)["totals"]
            solves, hits = totals["pressure_solves"], totals["pressure_limit_hits"]
            check(solves >= totals["substeps"] > 0 and hits == (solves if limited else 0),
                  f"{solver}: counts, limited: {limited}", totals)
            check(f"solves that ended above their tolerance: {hits} of {solves} for pressure, 0 "
                  "of 0 for drift" in result.stdout and f"pressure by {solver}: " in result.stdout,
                  f"{solver}: the end report", result)


def test_places(work):
    """BL-070: started from anywhere, the results are the same."""
    folder = os.path.join(work, "scenes")
    os.mkdir(folder)
    write(os.path.join(folder, "s.yaml"), SCENE)
    os.symlink(PROGRAM, os.path.join(work, "link"))
    scene = os.path.join(folder, "s.yaml")
    runs = {
        "root": freshet("run", scene, "-o", work + "/root", cwd="/"),
        "beside": freshet("run", "s.yaml", "-o", work + "/beside", cwd=folder),
        "symlink": freshet("run", scene, "-o", work + "/symlink", cwd=work,
                           program=os.path.join(work, "link")),
        "path": freshet("run", "scenes/s.yaml", "-o", "path", cwd=work,
                        program=os.path.basename(PROGRAM),
                        env={"PATH": os.path.dirname(PROGRAM) + ":" + os.environ["PATH"]}),
    }
    first = [read(f"{work}/root/{name}") for name in expected_files() if name.endswith(".png")]
    for name, result in runs.items():
        check(result.returncode == 0, name, result)
        images = [read(f"{work}/{name}/{file}") for file in tree(f"{work}/{name}")
                  if file.endswith(".png")]
        check(images == first and len(images) == 4, f"{name}: the same images")


def test_output_argument(work):
    """BL-082: every way to write a directory; nothing appears elsewhere."""
    home = os.path.join(work, "home")
    os.mkdir(home)
    cases = [("out", "out"), ("slash/", "slash"), ("./dot", "dot"), ("deep/run_", "deep/run_"),
             (os.path.join(work, "cwd", "absolute"), "absolute"), (None, "small_dam")]
    cwd = os.path.join(work, "cwd")
    os.mkdir(cwd)
    write(os.path.join(cwd, "s.yaml"), SCENE)
    around = sorted(os.listdir(os.path.dirname(PROGRAM)))
    expected = ["s.yaml"]
    for value, folder in cases:
        output = ["-o", value] if value else []
        result = freshet("run", *output, "s.yaml", "--frames", "1", cwd=cwd,
                         env={"HOME": home, "XDG_CACHE_HOME": CACHE})
        expected += [f"{folder}/{name}" for name in expected_files(range(2))]
        check(result.returncode == 0, f"-o {value}", result)
        check(tree(cwd) == sorted(expected), f"files of -o {value}", tree(cwd))
    check(not os.listdir(home), "nothing at home", os.listdir(home))
    check(sorted(os.listdir(os.path.dirname(PROGRAM))) == around, "nothing beside the program")
    for form in [("-oA",), ("--output=B",), ("--output", "C")]:
        result = freshet("run", "--frames", "0", *form, "s.yaml", cwd=cwd)
        check(result.returncode == 0 and os.path.exists(f"{cwd}/{form[-1][-1]}/run.json"),
              f"the form {form}", result)


def nobody(work):
    """How to run as a user whom folders can be closed to, which they cannot to root.  None where such
    a user cannot reach the program."""
    if os.getuid() != 0:
        return {}
    os.chmod(os.path.dirname(work), 0o755)
    try:
        if freshet("--version", cwd=work, user=65534, group=65534).returncode == 0:
            return {"user": 65534, "group": 65534}
    except PermissionError:
        pass
    return None


def test_bad_output(work):
    """BL-083: bad targets fail before anything is computed."""
    write(os.path.join(work, "s.yaml"), SCENE)
    write(os.path.join(work, "file"), "mine")
    bad = [("file", "not a directory"), ("file/x", "not a directory"),
           ("/dev/null/x", "not a directory"), ("/proc/x/y", "")]
    os.mkdir(os.path.join(work, "locked"), 0o555)
    bad += [("locked", "Permission denied"), ("locked/x", "Permission denied")]
    for target, reason in bad:
        shown = target.rsplit("/", 1)[0] if "/x" in target[1:] else target
        who = nobody(work) if reason == "Permission denied" else {}
        if who is None:
            skip("a read-only folder: this is root, and nobody else may run the program")
            continue
        refused(freshet("run", "s.yaml", "-o", target, cwd=work, **who), shown, reason, code=1,
                seconds=2)
    check(read(os.path.join(work, "file")) == b"mine", "the file is untouched")
    os.mkdir(os.path.join(work, "empty"))
    result = freshet("run", "s.yaml", "-o", "empty", "--frames", "1", cwd=work)
    check(result.returncode == 0 and
          tree(os.path.join(work, "empty")) == expected_files(range(2)), "an empty folder", result)


def test_occupied(work):
    write(os.path.join(work, "s.yaml"), SCENE)
    out = os.path.join(work, "out")
    first = freshet("run", "s.yaml", "-o", "out", cwd=work)
    check(first.returncode == 0, "the first run", first)
    files = {name: read(f"{out}/{name}") for name in tree(out)}
    refused(freshet("run", "s.yaml", "-o", "out", cwd=work), "out", "--overwrite", seconds=2)
    refused(freshet("run", "s.yaml", "-o", "out", "--overwrite", "-d", "none such", cwd=work),
            "none such")
    check({name: read(f"{out}/{name}") for name in tree(out)} == files,
          "a refused run changes nothing")
    write(f"{out}/notes.txt", "mine")
    write(f"{out}/frames/frame_final.png", "mine")
    result = freshet("run", "s.yaml", "-o", "out", "--overwrite", "--frames", "1", cwd=work)
    check(result.returncode == 0, "--overwrite", result)
    check(tree(out) == sorted(expected_files(range(2)) +
                              ["notes.txt", "frames/frame_final.png"]),
          "old frames are gone, other files are kept", tree(out))
    slow = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "both", "--frames", "100000"],
                            cwd=work, stdout=subprocess.DEVNULL)
    wait_for(lambda: os.path.exists(f"{work}/both/run.json"))
    refused(freshet("run", "s.yaml", "-o", "both", "--overwrite", cwd=work), "both",
            "another run", seconds=2)
    slow.send_signal(signal.SIGINT)
    check(slow.wait() == 130, "the first of two goes on", slow.returncode)


def test_names(work):
    """BL-085: bytes pass through, names are made fit for files."""
    folder = os.path.join(work, "sc ene & ü", "日本")
    os.makedirs(folder)
    write(os.path.join(folder, "'1'.json"), SCENE)
    result = freshet("run", "'1'.json", "-o", "out & ü", "--frames", "1", cwd=folder)
    check(result.returncode == 0 and
          tree(os.path.join(folder, "out & ü")) == expected_files(range(2)), "odd letters", result)
    with open(os.path.join(folder, "out & ü", "run.json"), encoding="utf-8") as file:
        check(json.load(file)["command"][4] == "out & ü", "odd letters in run.json")
    for name, directory in [("a/b", "a_b"), ("..", "freshet_run"), ("x:y", "x_y"),
                            ("n" * 300, "n" * 100), ("日本", "__")]:
        write(os.path.join(work, "s.yaml"), SCENE.replace("small dam", json.dumps(name)))
        result = freshet("run", "s.yaml", "--frames", "0", cwd=work)
        if name == "n" * 300 and result.returncode == 2:
            check("name" in result.stderr, "a name that is too long is refused", result)
            continue
        check(result.returncode == 0 and os.path.exists(f"{work}/{directory}/run.json"),
              f"scene name {name!r}", result, os.listdir(work))


def test_locale(work):
    """BL-086: a decimal comma changes no byte."""
    write(os.path.join(work, "s.yaml"), SCENE)
    locale = os.path.join(work, "locale")
    os.mkdir(locale)
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", locale + "/de_DE.UTF-8"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if made.returncode != 0:
        skip("no German locale can be made here")
        return
    german = {"LOCPATH": locale, "LC_ALL": "de_DE.UTF-8"}
    freshet("run", "s.yaml", "-o", "c", cwd=work, env={"LC_ALL": "C"})
    result = freshet("run", "s.yaml", "-o", "de", cwd=work, env=german)
    check(result.returncode == 0, "a run in German", result)
    for name in expected_files():
        if name.endswith((".png", "probes.csv")):
            check(read(f"{work}/c/{name}") == read(f"{work}/de/{name}"), f"same {name}")
    strip = [[(key, value) for key, value in row.items() if not key.startswith("ms_")]
             for folder in ("c", "de") for row in rows(f"{work}/{folder}/stats.csv")]
    check(strip[:len(strip) // 2] == strip[len(strip) // 2:], "same stats.csv, times left out")


def test_signals(work):
    """BL-088: at any time, in any phase."""
    write(os.path.join(work, "s.yaml"), SCENE.replace("cells: 16", "cells: 64"))
    generator = random.Random(1)
    trials = [(number, delay) for number in (signal.SIGINT, signal.SIGTERM)
              for delay in [0.0, 0.02, 0.2, None, None, None]]
    for trial, (number, delay) in enumerate(trials):
        out = os.path.join(work, f"out{trial}")
        process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", out, "--frames", "200"],
                                   cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        if delay is None:  # some time after the first frames
            wait_for(lambda: os.path.exists(f"{out}/frames/frame_000001.png") or
                     process.poll() is not None)
            delay = generator.uniform(0, 0.5)
        time.sleep(delay)
        start = time.monotonic()
        process.send_signal(number)
        stdout, stderr = process.communicate()
        seconds = time.monotonic() - start
        what = f"{number.name}, trial {trial}"
        # a signal may come before the program has taken it over
        check(process.returncode in (128 + number, -number if delay < 0.1 else 128 + number),
              f"{what}: exit code", process.returncode, stdout[-500:], stderr)
        check(is_within(seconds, 5), f"{what}: ends soon", seconds)
        check(not os.path.exists(out) or not is_whole(out), f"{what}: files are whole",
              tree(out))
        check(not os.path.exists(f"{out}/.lock"), f"{what}: no lock is left")
        if os.path.exists(f"{out}/run.json"):
            with open(f"{out}/run.json", encoding="utf-8") as file:
                check(json.load(file)["status"] == "interrupted", f"{what}: status")
        if "frame 1/" in stdout:
            check("interrupted: frames 0 to " in stdout, f"{what}: what is whole", stdout)

    out = os.path.join(work, "twice")
    # a substep of this takes long, and each frame has one
    process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", out, "--frames", "200", "--set",
                                "domain.cells=1024", "--set", "time.fps=1000"],
                               cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wait_for(lambda: os.path.exists(f"{out}/frames/frame_000001.png") or
             process.poll() is not None)
    process.send_signal(signal.SIGTERM)
    time.sleep(0.1)
    start = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.communicate()
    seconds = time.monotonic() - start
    check(process.returncode == 143, "the second signal: exit code", process.returncode)
    check(is_within(seconds, 0.5), "the second signal ends at once", seconds)
    check(not is_whole(out), "the second signal: files are whole", tree(out))


def test_terminal(work):
    write(os.path.join(work, "s.yaml"), SCENE)
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            os.environ["TERM"] = "xterm"
            os.execv(PROGRAM, [PROGRAM, "run", os.path.join(work, "s.yaml"), "-o", work + "/out"])
        finally:
            os._exit(127)
    shown = b""
    try:
        while data := os.read(terminal, 4096):
            shown += data
    except OSError:
        pass  # how the end of a terminal looks
    status = os.waitpid(pid, 0)[1]
    lines = shown.decode(errors="replace").split("\r\n")
    check(os.WEXITSTATUS(status) == 0, "a run on a terminal", shown)
    progress = [line for line in lines if "frame 3/3" in line]
    check(len(progress) == 1 and progress[0].count("\r") >= 4, "one redrawn line", lines)
    drawn = progress[0].replace("\x1b[K", "").split("\r")[:-1]
    parts = r"( (ETA [\d:]+|t [\d.]+ s|[\d.]+ ms/substep|\d+ particles|\d+ iterations|dt [\d.e-]+ ms))*"
    check(all(len(text) < 80 and re.fullmatch(r"(frame \d/3" + parts.replace("( ", "(  ") + ")?|compiling .*", text)
              for text in drawn), "whole parts in 80 columns", drawn)
    check(any(re.match(r"frame 2/3  ETA \d", text) for text in drawn), "with the time that is left", drawn)
    check(any(line.endswith("finished: frames 0 to 3 of 3") or
              "finished: frames 0 to 3 of 3" in line for line in lines), "the end report", lines)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
