#!/usr/bin/env python3
"""Walks the error paths: the nth OpenCL call, allocation or write fails, for n = 1, 2, ...

usage: faults.py PROGRAM SCENES_DIR [TEST...]

After each: one clear message, exit code 1, whole files, and a run that goes on as if nothing had been.
A sample of n by default; FRESHET_TEST_FULL=1 asks for every write, every fifth allocation and every
17th OpenCL call (half an hour), FRESHET_TEST_FULL=every for all (hours).  With a program built with sanitizers also
leaks and wrong accesses count.
"""
import json
import os
import re
import shutil
import sys

from cli_support import FULL, check, freshet, is_whole, read, run_tests, tree, write
from resume_support import same_results

# What is printed is judged: no list of the drivers' leaks in it.
os.environ["LSAN_OPTIONS"] = ":".join(
    filter(None, [os.environ.get("LSAN_OPTIONS"), "print_suppressions=0"]))

# Everything that reads, writes or allocates, in as few calls as may be.
SCENE = """version: 1
name: faults
domain: {size: [2.0, 1.0], cells: 8, walls: {y+: open}}
time: {frames: 2, fps: 24, dt: 0.05}
liquid: {transfer: apic}
liquids:
  - {name: column, box: {min: [0, 0], max: [0.5, 0.5]}}
solids:
  - {name: ball, sphere: {center: [1.2, 0.2], radius: 0.15}}
output:
  png: {size: [32, 16]}
  probes: [{name: gate, point: [0.25, 0.1], quantity: pressure},
           {name: h, column: [0.25], quantity: height}]
  particles: {}
  fields: {}
  checkpoint: {every: 1, keep: 2}
"""
DEEP = """version: 1
name: deep
domain: {size: [1.0, 1.0, 1.0], cells: 4}
time: {frames: 1, fps: 24, dt: 0.05}
liquids:
  - {name: column, box: {min: [0, 0, 0], max: [0.5, 0.75, 1]}}
solver: {pressure: pcg-ic}
output: {png: {size: [32, 16], view: surface}, mesh: {}, particles: {format: ply}}
"""
# Of the long form; thousands of calls of OpenCL take hours.
STEPS = {"opencl": 17, "write": 1, "alloc": 5}
# The reason that a message must give, by the kind of the fault.
WORDS = {"opencl": ["CL_OUT_OF_RESOURCES"], "write": ["No space left"],
         "alloc": ["memory", "Cannot allocate"]}


def numbers(kind, growth):
    """Some of 1, 2, 3, ..., each about `growth` times the one before, or in the long forms more."""
    step = 1 if os.environ.get("FRESHET_TEST_FULL") == "every" else STEPS[kind]
    n = 1
    while True:
        yield n
        n = n + step if FULL else int(n * growth) + 1


def fail(work, scene, out, kind, n, *arguments):
    """A run with a fault.  Its result, and whether the fault came."""
    result = freshet("run", scene, "-o", out, *arguments, cwd=work,
                     env={"FRESHET_FAULT": f"{kind}:{n}"})
    return result, "did not come" not in result.stderr


def check_failure(result, kind, what, out, base):
    errors = [line for line in result.stderr.splitlines() if "warning: " not in line]
    bare = [line for line in errors
            if line.rstrip(" .").endswith("memory") and "cannot write '" not in line]
    check(not bare, f"{what}: says memory for what", bare)
    check(result.returncode == 1 and errors and
          all(line.startswith("freshet: ") for line in errors) and
          any(word in result.stderr for word in WORDS[kind]), what, result)
    if not os.path.isdir(out):
        return
    check(not is_whole(out), f"{what}: files are whole", is_whole(out), tree(out))
    left = [name for name in tree(out) if "tmp" in name or name == ".lock"]
    check(not left, f"{what}: nothing is left over", left)
    # one that failed before it wrote anything leaves what the part before it wrote
    if os.path.exists(f"{out}/run.json") and not (
            base and read(f"{out}/run.json") == read(f"{base}/run.json")):
        with open(f"{out}/run.json", encoding="utf-8") as file:
            status = json.load(file)["status"]
        check(status == "failed", f"{what}: run.json says so", status)


def walk(work, scene, kind, growth, base=None):
    """`base`: the run goes on from what is there."""
    reference = os.path.join(work, "whole_" + scene)
    out = os.path.join(work, "out")
    if not os.path.isdir(reference):
        result = freshet("run", scene, "-o", reference, "-q", cwd=work)
        check(result.returncode == 0 and result.stderr == "", "the run without fault", result)
    count = 0
    for n in numbers(kind, growth):
        shutil.rmtree(out, ignore_errors=True)
        if base:
            shutil.copytree(base, out)
        what = f"{scene}, {kind}:{n}" + (", resumed" if base else "")
        result, came = fail(work, scene, out, kind, n, *(["--resume"] if base else []))
        check("Sanitizer" not in result.stderr and "runtime error" not in result.stderr,
              f"{what}: sanitizers", result)
        if not came:
            check(result.returncode == 0, f"{what}: the end", result)
            break
        count += 1
        if result.returncode == 0:  # it could be done without
            same_results(reference, out, what)
            continue
        check_failure(result, kind, what, out, base)
        if (base or os.path.isdir(out)) and (FULL or count % 2 == 0):
            result = freshet("run", scene, "-o", out, "--resume", "-q", cwd=work)
            check(result.returncode == 0, f"{what}: goes on", result)
            same_results(reference, out, what)
    print(f"    {scene}, {kind}{', resumed' if base else ''}: {count} of {n}")
    return count


def test_new_runs(work):
    write(f"{work}/flat.yaml", SCENE)
    write(f"{work}/deep.yaml", DEEP)
    for kind, growth in [("opencl", 3.0), ("alloc", 2.5), ("write", 2.2)]:
        for scene, faster in [("flat.yaml", 1), ("deep.yaml", 1.6)]:
            check(walk(work, scene, kind, growth * faster) >= 3, f"{kind}: faults that came")


def test_row_of_probes(work):
    """The allocations before the run's first row of probes: a row that cannot be completed is not
    written."""
    write(f"{work}/flat.yaml", SCENE.replace("  png: {size: [32, 16]}\n", "")
          .replace("  particles: {}\n  fields: {}\n", ""))
    out = os.path.join(work, "out")

    def run(n):
        shutil.rmtree(out, ignore_errors=True)
        result, _ = fail(work, "flat.yaml", out, "alloc", n)
        path = f"{out}/probes.csv"
        return result, os.path.exists(path) and len(read(path).splitlines()) >= 2

    # Without pictures one thread allocates: all n up to `low` come before the row.
    low, high = 1, 4096
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if run(middle)[1] else (middle, high)
    within = 0
    for n in range(low, low - 8, -1):
        result, row = run(n)
        within += "height probe" in result.stderr
        check(not row, f"alloc:{n}: no row", row)
        check_failure(result, "alloc", f"alloc:{n}", out, None)
    check(within == 2, "faults within the row", within)


def test_resumed_runs(work):
    write(f"{work}/flat.yaml", SCENE)
    base = os.path.join(work, "base")
    result = freshet("run", "flat.yaml", "-o", base, "-q", "--frames", "1", cwd=work)
    check(result.returncode == 0, "the first part", result)
    for kind, growth in [("opencl", 6.0), ("alloc", 3.0), ("write", 2.5)]:
        check(walk(work, "flat.yaml", kind, growth, base) >= 4, f"{kind}: faults that came")


def stages():
    """In order, as the program lists them."""
    return re.findall(r"^(\w+) {2,}", freshet("stages").stdout, re.M)


def test_late_errors(work):
    """BL-071: a kernel that fails on the device is told by whoever waits next, or, when launches are
    waited for, by its name and stage."""
    write(f"{work}/dam.yaml", SCENE[:SCENE.index("output:")])
    found, late, order, last = 0, 0, stages(), 0
    for n in range(101, 250, 4):
        told = {}
        for launches in ["waited", "queued"]:
            result = freshet("run", "dam.yaml", "-o", "out", "--overwrite", "-q", cwd=work,
                             env={"FRESHET_FAULT": f"kernel:{n}", "FRESHET_LAUNCHES": launches})
            what = f"kernel:{n}, {launches}"
            check(result.returncode == 1 and "CL_OUT_OF_RESOURCES" in result.stderr and
                  "CL_SUCCESS" not in result.stderr, what, result)
            kernel = re.search(r"freshet: kernel (\w+) failed on the device", result.stderr)
            stage = re.search(r"frame \d, substep 1: stage (\w+) failed", result.stderr)
            told[launches] = stage and stage[1]
            if launches == "queued":
                check(not kernel and "FRESHET_LAUNCHES=waited" in result.stderr, what, result)
            elif not check(kernel, f"{what}: the kernel", result) or not stage:
                break
            else:
                # A later launch is of the same stage or of a later one.
                check(stage[1] in order and order.index(stage[1]) >= last, f"{what}: its stage", result)
                last = order.index(stage[1])
        if told["waited"]:
            found += 1
            late += told["queued"] != told["waited"]
        if found == 4:
            break
    check(found == 4, "kernels of the first substep", found)
    # A debug build waits for the device after every stage.
    with open(f"{work}/out/run.json", encoding="utf-8") as file:
        watches = json.load(file)["build"]["watches_stages"]
    check((late > 0) != watches, "errors that come to light in a later stage", late, watches)
    result = freshet("run", "dam.yaml", "-o", "other", cwd=work, env={"FRESHET_LAUNCHES": "wait"})
    check(result.returncode == 2 and "queued or waited" in result.stderr, "another word", result)


def test_other_commands(work):
    """Of the commands that read: nothing but the message."""
    write(f"{work}/flat.yaml", SCENE)
    freshet("run", "flat.yaml", "-o", "run", "-q", cwd=work)
    before = tree(f"{work}/run")
    for arguments in [("check", "flat.yaml"), ("hash", "run"), ("verify", "run", "-q"),
                      ("render", "run", "-o", "pictures", "--overwrite", "-q"),
                      ("hash", "run/checkpoints/checkpoint_000001.h5")]:
        count = 0
        for n in numbers("alloc", 1.9):
            result = freshet(*arguments, cwd=work, env={"FRESHET_FAULT": f"alloc:{n}"})
            if result.returncode == 0:
                break
            count += 1
            check(result.returncode == 1 and result.stderr.startswith("freshet: ") and
                  "memory" in result.stderr and "Sanitizer" not in result.stderr,
                  f"{arguments}, alloc:{n}", result)
        check(count >= 2, f"{arguments}: faults that came", count)
    check(tree(f"{work}/run") == before, "they write nothing")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
