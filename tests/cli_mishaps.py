#!/usr/bin/env python3
"""Tests of the built program when things go wrong around it, or the scene holds next to nothing.

usage: cli_mishaps.py PROGRAM SCENES_DIR
"""
import json
import os
import resource
import subprocess
import sys

from cli_support import (PROGRAM, SCENE, check, expected_files, freshet, is_whole, read, refused,
                         rows, run_tests, tree, wait_for, write)


def test_disk_full(work):
    """A file size limit stands for a full disk: reported, and nothing is half-written."""
    write(os.path.join(work, "s.yaml"), SCENE)
    out = os.path.join(work, "out")
    freshet("run", "s.yaml", "-o", "warm", "--frames", "1", cwd=work)
    process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "out", "--frames", "100000"],
                               cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True)
    # by then the driver has written its own files; of the run's, stats.csv grows fastest
    wait_for(lambda: os.path.exists(f"{out}/frames/frame_000001.png") or
             process.poll() is not None)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
    _, errors = process.communicate(timeout=60)
    result = subprocess.CompletedProcess(process.args, process.returncode, "", errors)
    check(result.returncode == 1 and "stats.csv" in result.stderr and
          "File too large" in result.stderr, "path and reason", result)
    check(not is_whole(out), "what is there is whole", tree(work))
    check(errors.count("freshet: ") == 1, "one cause, one error", errors)
    check(not [name for name in tree(out) if "tmp" in name], "no temporary files", tree(out))
    with open(f"{out}/run.json", encoding="utf-8") as file:
        run = json.load(file)
    check(run["status"] == "failed" and "stats.csv" in run["error"], "run.json says so", run)


def test_directory_removed(work):
    """Noticed within a frame, told once, and nothing is written into what took its place."""
    write(os.path.join(work, "s.yaml"), SCENE)
    for again in (False, True):
        out = os.path.join(work, "out")
        process = subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "out", "--frames", "100000"],
                                   cwd=work, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        wait_for(lambda: os.path.exists(f"{out}/frames/frame_000003.png") or
                 process.poll() is not None)
        os.rename(out, os.path.join(work, f"moved{again}"))
        if again:
            os.mkdir(out)
        shown, errors = process.communicate(timeout=60)
        what = "replaced" if again else "removed"
        check(process.returncode == 1 and "'out'" in errors or "out/" in errors,
              f"{what}: exit code and path", process.returncode, errors)
        check(errors.count("freshet: ") == 1, f"{what}: one error", errors)
        check(not tree(out), f"{what}: nothing is written", tree(out))


def test_nothing_left(work):
    """When the first files cannot be opened, those that could be are removed again."""
    write(os.path.join(work, "s.yaml"), SCENE)
    out = os.path.join(work, "out")
    os.mkdir(out)
    write(f"{out}/frames", "mine")
    refused(freshet("run", "s.yaml", "-o", "out", cwd=work), "out/frames", code=1)
    check(tree(out) == ["frames"] and read(f"{out}/frames") == b"mine", "only what was there",
          tree(out))


def test_record_as_scene(work):
    """run.json is no scene; one error says so, and where its scene is."""
    write(os.path.join(work, "s.yaml"), SCENE)
    result = freshet("run", "s.yaml", "-o", "out", "--frames", "0", cwd=work)
    check(result.returncode == 0, "a run", result)
    result = freshet("run", "out/run.json", cwd=work)
    refused(result, "out/run.json:1:1", "record of a run", "'scene'")
    check(len(result.stderr.splitlines()) == 1, "one error", result)


def test_next_to_nothing(work):
    """BL-059: without liquid a run says so, and all its files are whole."""
    head = "version: 1\nname: x\ndomain: {size: [1, 1], cells: 32%s}\n" \
           "time: {frames: 6, fps: 24}\noutput: {png: {size: [64, 64]}}\n"
    held = "solids: [{sphere: {center: [0.5, 0.5], radius: 0.3}}]\n" \
           "liquids: [{sphere: {center: [0.5, 0.5], radius: 0.1}}]\n"
    # falls out of the open floor within 6 frames
    falls = "liquids: [{box: {min: [0.4, 0], max: [0.6, 0.1]}, velocity: [0, -2]}]\n"
    for name, text in {"none": head % "", "held": head % "" + held,
                       "drained": head % ", walls: {y-: open}" + falls}.items():
        write(os.path.join(work, name + ".yaml"), text)
        result = freshet("run", name + ".yaml", "-o", name, cwd=work)
        out = os.path.join(work, name)
        check(result.returncode == 0, name, result)
        check(name == "drained" or "0 particles" in result.stdout + result.stderr,
              f"{name}: says so", result)
        expected = [file for file in expected_files(range(7)) if file != "probes.csv"]
        check(tree(out) == expected and not is_whole(out), f"{name}: whole files", tree(out))
        check("nan" not in read(f"{out}/stats.csv").decode().lower() and
              "inf" not in read(f"{out}/stats.csv").decode().replace("_interior", ""),
              f"{name}: finite statistics")
        last = rows(f"{out}/stats.csv")[-1]
        check(last["particles"] == "0", f"{name}: nothing is left", last)
    check(int(last["removed"]) > 0, "drained: what left is counted", last)


def test_seeds_in_solids(work):
    """BL-017: the log tells how many seeds a solid took."""
    write(os.path.join(work, "s.yaml"),
          "version: 1\nname: x\ndomain: {size: [1, 1], cells: 64}\ntime: {frames: 0}\n"
          "liquid: {jitter: 0}\n"
          "solids: [{name: ball, sphere: {center: [0.5, 0.25], radius: 0.1}}]\n"
          "liquids: [{box: {min: [0, 0], max: [1, 0.5]}}]\n")
    result = freshet("run", "s.yaml", "-o", "out", cwd=work)
    log = read(os.path.join(work, "out", "log.txt")).decode()
    with open(os.path.join(work, "out", "run.json"), encoding="utf-8") as file:
        dropped = json.load(file)["totals"]["seeds_in_solids"]
    # 4 per cell over the disc's area of 0.01 pi, on a grid of 1/64
    check(abs(dropped / 514.7 - 1) < 0.1, "their number", dropped)
    check(str(dropped) in log, "in the log", log, result)


def test_tolerance_out_of_reach(work):
    """BL-032: one warning with the residual reached, and the run goes on."""
    write(os.path.join(work, "s.yaml"), SCENE)
    for sets in (["solver.tolerance=1e-14"], ["solver.max_iterations=1"]):
        result = freshet("run", "s.yaml", "-o", "out", "--overwrite", "--frames", "8", "--set",
                         *sets, cwd=work)
        warnings = [line for line in result.stderr.splitlines() if "warning: " in line]
        check(result.returncode == 0 and len(warnings) == 1 and "residual" in warnings[0],
              f"{sets}: one warning", result)


def test_absurd_step(work):
    """BL-040: a time step beyond all reason is refused by name."""
    write(os.path.join(work, "s.yaml"), SCENE.replace("fps: 24", "fps: 24, dt: 1e6"))
    refused(freshet("run", "s.yaml", cwd=work), ":4:", "'time.dt'", "1e6", seconds=1)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
