#!/usr/bin/env python3
"""Tests of the built program where somebody else can write into its directory, or words are nearly right.

usage: cli_safety.py PROGRAM SCENES_DIR [TEST...]
"""
import os
import re
import shutil
import subprocess
import sys

from cli_support import (PROGRAM, SCENE, check, freshet, read, refused, rows, run_tests, skip, tree,
                         wait_for, write)
from resume_support import FLAT, hashes, stopped, whole

PRECIOUS = "somebody else's\n"


def plant(work, place):
    """A link in the place of a file, to one that is not the run's."""
    target = f"{work}/precious_{os.path.basename(place)}"
    write(target, PRECIOUS)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    os.symlink(target, place)
    return target


def test_temporary_names(work):
    """What has the name of a file to be made goes; nothing is written through a link."""
    write(f"{work}/s.yaml", SCENE + "  particles: {}\n  fields: {}\n  mesh: {}\n  checkpoint: {every: 1}\n")
    result = freshet("run", "s.yaml", "-o", "plain", "-q", cwd=work)
    check(result.returncode == 0, "a run", result)
    names = [".run.json.tmp", ".checkpoint_000001.h5.tmp"] + [
        f"{path}.tmp" for path in tree(f"{work}/plain")
        if "/" in path and "00000" in path and not path.startswith("checkpoints")]
    names[1] = f"checkpoints/{names[1]}"
    out = f"{work}/out"
    targets = [plant(work, f"{out}/{name}") for name in names]
    result = freshet("run", "s.yaml", "-o", "out", "-q", "--overwrite", cwd=work)
    check(result.returncode == 0 and len(names) > 12, "with links in the way", result, names)
    for target in targets:
        check(read(target).decode() == PRECIOUS, f"{os.path.basename(target)} is as it was")
    check(hashes(work, "out") == hashes(work, "plain") and tree(out) == tree(f"{work}/plain"), "the same files", tree(out))
    check(not any(os.path.islink(f"{out}/{name}") for name in tree(out)), "no links", tree(out))


def test_linked_folders(work):
    write(f"{work}/s.yaml", SCENE)
    os.makedirs(f"{work}/elsewhere")
    write(f"{work}/elsewhere/frame_000001.png", PRECIOUS)
    os.makedirs(f"{work}/out")
    os.symlink(f"{work}/elsewhere", f"{work}/out/frames")
    result = freshet("run", "s.yaml", "-o", "out", "-q", "--overwrite", cwd=work)
    check(result.returncode == 1 and "link" in result.stderr and "frames" in result.stderr, "a linked folder", result)
    check(tree(f"{work}/elsewhere") == ["frame_000001.png"] and
          read(f"{work}/elsewhere/frame_000001.png").decode() == PRECIOUS,
          "nothing is written or removed there", tree(f"{work}/elsewhere"))


def test_resumed_tables(work):
    """A table that is a link, a pipe or a device, or a file with other names: refused at once, and
    not written through."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip"))
    base = stopped(work, "base")
    for name in ["stats.csv", "probes.csv", "log.txt"]:
        out = f"{work}/hard_{name}"
        shutil.copytree(base, out)
        os.link(f"{out}/{name}", f"{work}/other_{name}")
        before = read(f"{work}/other_{name}")
        result = freshet("run", "s.yaml", "-o", out, "--resume", "-q", cwd=work, timeout=120)
        check(result.returncode == 1 and f"{name}': the file has other names too (hard links)" in result.stderr,
              f"{name} with another name", result)
        check(before and read(f"{work}/other_{name}") == before, f"{name}: untouched")
        shutil.copy(f"{out}/{name}", f"{out}/copy")
        os.replace(f"{out}/copy", f"{out}/{name}")
        result = freshet("run", "s.yaml", "-o", out, "--resume", "-q", cwd=work, timeout=120)
        check(result.returncode == 0, f"a copy of {name}", result)
    for what in ["link", "pipe", "zero"]:
        out = f"{work}/{what}"
        shutil.copytree(base, out)
        os.remove(f"{out}/stats.csv")
        target = None
        if what == "link":
            target = plant(work, f"{out}/stats.csv")
        elif what == "pipe":
            os.mkfifo(f"{out}/stats.csv")
        else:
            os.symlink("/dev/zero", f"{out}/stats.csv")
        result = freshet("run", "s.yaml", "-o", what, "--resume", "-q", cwd=work, timeout=120)
        check(result.returncode == 1 and "stats.csv" in result.stderr, f"{what} in the place of stats.csv", result)
        check(not target or read(target).decode() == PRECIOUS, f"{what}: untouched")


def test_table_without_lines(work):
    """A table that is one endless line: not read into memory, and begun again with a warning."""
    write(f"{work}/s.yaml", FLAT.replace("TRANSFER", "flip"))
    out = stopped(work, "endless")
    os.truncate(f"{out}/stats.csv", 0)
    os.truncate(f"{out}/stats.csv", 64 << 30)  # sparse
    result = freshet("run", "s.yaml", "-o", out, "--resume", cwd=work, timeout=120)
    check(result.returncode == 0 and "stats.csv' has lost rows" in result.stderr, "it goes on", result)
    check(os.path.getsize(f"{out}/stats.csv") < 1 << 20, "a table of rows", os.path.getsize(f"{out}/stats.csv"))


def test_run_json_in_the_way(work):
    """A start that fails leaves nothing, and another one is possible."""
    write(f"{work}/s.yaml", SCENE + "  particles: {}\n")
    os.makedirs(f"{work}/out/.run.json.tmp")  # no file can have that name
    result = freshet("run", "s.yaml", "-o", "out", "-q", cwd=work)
    check(result.returncode == 1 and "run.json" in result.stderr, "no run.json", result)
    left = [os.path.relpath(os.path.join(base, name), f"{work}/out") for base, folders, files in os.walk(f"{work}/out")
            for name in folders + files]
    check(left == [".run.json.tmp"], "nothing is left", left)
    # A folder that was there stays, also if it is one that the run would have made.
    os.mkdir(f"{work}/out/frames")
    result = freshet("run", "s.yaml", "-o", "out", "-q", cwd=work)
    check(result.returncode == 1 and sorted(os.listdir(f"{work}/out")) == [".run.json.tmp", "frames"],
          "what was there is left", result, os.listdir(f"{work}/out"))
    os.rmdir(f"{work}/out/frames")
    os.rmdir(f"{work}/out/.run.json.tmp")
    result = freshet("run", "s.yaml", "-o", "out", "-q", "--resume", cwd=work)
    check(result.returncode == 0, "then it runs", result)


def test_other_probes(work):
    """A probe that keeps its name and means something else begins a table of its own."""
    first = "{name: a, column: [0.25], quantity: height}"
    scene = FLAT.replace("TRANSFER", "flip").replace(
        "{name: gate, point: [0.25, 0.1], quantity: pressure}", first)
    for n, other in enumerate(["{name: a, quantity: front, depth: 0.1}", "{name: a, column: [0.5], quantity: height}",
                               "{name: a, point: [0.25, 0.1], quantity: pressure}"]):
        write(f"{work}/s.yaml", scene)
        out = stopped(work, f"out_{n}")
        write(f"{work}/s.yaml", scene.replace(first, other))
        result = freshet("run", "s.yaml", "-o", f"out_{n}", "--resume", cwd=work)
        check(result.returncode == 0 and "probes_before_frame_" in result.stderr, f"{other}: a warning", result)
        fresh = rows(f"{whole(work, f'whole_{n}')}/probes.csv")
        table = rows(f"{out}/probes.csv")
        check(table and table == fresh[-len(table):], f"{other}: rows of one kind", table, fresh)


def test_device_numbers(work):
    write(f"{work}/s.yaml", SCENE)
    for spec in ["0:4294967296", "4294967296:0", "-4294967296:0", "+0:+0", " 0: 0", "0: 0", "0:0 ", "0:-0", "00x0", "0:"]:
        for arguments, env in [(("-d", spec), None), ((), {"FRESHET_DEVICE": spec})]:
            refused(freshet("run", "s.yaml", "-o", "out", *arguments, cwd=work, env=env), "no device matches")
    result = freshet("run", "s.yaml", "-o", "out", "-q", "-d", "0:00", cwd=work)
    check(result.returncode == 0, "0:00 is 0:0", result)
    two = {"POCL_DEVICES": "pthread basic"}
    result = freshet("devices", env=two)
    if result.stdout.count("type ") > 1:
        refused(freshet("run", "s.yaml", "-o", "two", "-d", "portable", cwd=work, env=two), "fits 2 devices", "0:0",
                "0:1")
    for name, value in [("FRESHET_WORK_GROUP", "+64"), ("FRESHET_WORK_GROUP", "64 "), ("FRESHET_CHECKPOINT_SECONDS", "0x10"),
                        ("FRESHET_CHECKPOINT_SECONDS", "nan"), ("FRESHET_FAULT", "nan:+1")]:
        refused(freshet("run", "s.yaml", "-o", "wrong", cwd=work, env={name: value}), name, value)


def test_driver_cache(work):
    """PoCL without a folder for compiled kernels: the folder is named, not a driver to be installed."""
    vendor = "/etc/OpenCL/vendors/pocl.icd"
    if not os.path.exists(vendor):
        skip("no PoCL")
        return
    write(f"{work}/s.yaml", SCENE)
    write(f"{work}/file", "")
    bare = {name: value for name, value in os.environ.items()
            if name not in ("POCL_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "POCL_DEVICES")}
    bare["OCL_ICD_VENDORS"] = vendor
    bare["FRESHET_DEVICE"] = "cpu"  # small scenes need none

    def run(*arguments, **env):
        return subprocess.run([PROGRAM, *arguments], cwd=work, env={**bare, **env}, capture_output=True, text=True)
    for env, folder in [({"POCL_CACHE_DIR": "/proc/nope"}, "'/proc/nope' (by POCL_CACHE_DIR)"),
                        ({"XDG_CACHE_HOME": "/proc", "HOME": work}, "'/proc/pocl/kcache' (by XDG_CACHE_HOME)"),
                        ({"XDG_CACHE_HOME": "", "HOME": "/proc"}, "'/proc/.cache/pocl/kcache' (by HOME)"),
                        ({"POCL_CACHE_DIR": "", "HOME": "/proc"}, "'/proc/.cache/pocl/kcache' (by HOME)")]:
        for arguments in [("devices",), ("run", "s.yaml", "-o", "out")]:
            result = run(*arguments, **env)
            refused(result, folder, "No such file", "POCL_CACHE_DIR", code=1)
            check("install" not in result.stderr and result.stderr.count("\n") == 1, "nothing else is blamed", result)
    # It is there, but takes no files: PoCL has devices and builds nothing.
    result = run("run", "s.yaml", "-o", "out", POCL_CACHE_DIR=f"{work}/file")
    refused(result, "do not build", f"'{work}/file' (by POCL_CACHE_DIR)", "Not a directory", code=1)
    check(not os.path.exists(f"{work}/out"), "no output folder", tree(work))
    # Other causes are not taken for that one.
    refused(run("devices", POCL_DEVICES="none", HOME=work), "POCL_DEVICES='none'", "0 devices", code=1)
    refused(run("devices", OCL_ICD_VENDORS=f"{work}/none"), f"OCL_ICD_VENDORS='{work}/none'", code=1)


def test_cold_cache(work):
    """That kernels are compiled is said while they are, also off a terminal, and only then."""
    write(f"{work}/s.yaml", SCENE)
    if "Portable Computing Language" not in freshet("devices").stdout:
        skip("only of PoCL is the cache's place known")
        return
    env = {"POCL_CACHE_DIR": f"{work}/cache", "FRESHET_DEVICE": "portable"}
    out = open(f"{work}/out.txt", "wb")
    with subprocess.Popen([PROGRAM, "run", "s.yaml", "-o", "cold"], cwd=work, env={**os.environ, **env}, stdout=out,
                          stderr=subprocess.STDOUT) as process:
        wait_for(lambda: read(f"{work}/out.txt"))
        first = read(f"{work}/out.txt").decode()
        early = not os.path.exists(f"{work}/cold/log.txt")
    out.close()
    check(process.returncode == 0 and first.startswith("compiling kernels for ") and early, "said at once", first)
    lines = read(f"{work}/out.txt").decode().splitlines()
    check(lines[0].startswith("compiling kernels for ") and "at most" in lines[0], "the first line", lines)
    later = [line for line in lines[1:] if line.startswith("compiling")]
    check(all(re.fullmatch(r"compiling kernels: \d+ so far, now \w+", line) for line in later), "how far", later)
    check("compiling" not in read(f"{work}/cold/log.txt").decode(), "not in the log")
    result = freshet("run", "s.yaml", "-o", "warm", cwd=work, env=env)
    check(result.returncode == 0 and "compiling" not in result.stdout + result.stderr, "not of those that are there", result)


def test_attention(work):
    """Runs that solve badly say so in their last lines."""
    dam = ("version: 1\nname: dam\ndomain: {size: [1, 1], cells: 32}\ntime: {frames: 12, fps: 24}\n"
           "liquids: [{name: pool, box: {min: [0, 0], max: [0.5, 0.8]}}]\n")
    write(f"{work}/good.yaml", dam)
    write(f"{work}/bad.yaml", dam + "solver: {pressure: jacobi, max_iterations: 20}\n")
    good, bad = (freshet("run", f"{name}.yaml", "-o", name, cwd=work) for name in ("good", "bad"))
    check(good.returncode == 0 and "ATTENTION" not in good.stdout, "a good run", good)
    last = [line for line in bad.stdout.splitlines() if line][-5:]
    check(bad.returncode == 0 and any("ATTENTION: most pressure solves" in line and "mgpcg" in line for line in last),
          "a bad one", last)
    # A pool that such a solver lets fall through its floor, as the residual of deep water is all smooth.
    write(f"{work}/lost.yaml", dam.replace("cells: 32", "cells: 64").replace("frames: 12", "frames: 48")
          .replace("max: [0.5, 0.8]", "max: [1, 0.8]") + "solver: {pressure: jacobi, max_iterations: 20}\n")
    lost = freshet("run", "lost.yaml", "-o", "lost", cwd=work)
    error = float(rows(f"{work}/lost/stats.csv")[-1]["volume_error"])
    check(error < -0.05 and f"ATTENTION: {-100 * error:.0f} % of the liquid's volume is lost" in lost.stdout,
          "volume lost", error, lost)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
