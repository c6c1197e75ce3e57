#!/usr/bin/env python3
"""Tests of `freshet doctor`: every kernel is reached and sound, planted faults are found and named.

usage: doctor.py PROGRAM SCENES_DIR PLANTED [TEST...]

PLANTED is the program with the faults that plant.py puts into seven kernels for the doctor.
FRESHET_TEST_FULL=1: other work-groups, and Mesa's rusticl if it is here.
"""
import json
import os
import sys

from cli_support import FULL, check, freshet, refused, run_tests, skip

PLANTED = os.path.abspath(sys.argv.pop(3))


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def faults(device):
    return [line["check"] for line in device["checks"] if line["verdict"] == "fault"]


def is_sound(result, path):
    """All devices of the file passed, and all kernels were compared with the host on each."""
    said = [line for line in result.stderr.splitlines() if "compiling kernels" not in line]
    check(result.returncode == 0 and "FAULT" not in result.stdout and not said, "sound", result)
    for device in load(path)["devices"]:
        kernels = device["kernels"]
        names = {kernel["name"] for kernel in kernels}
        checked = {kernel["name"] for kernel in kernels if kernel["checked"]}
        check(len(names) > 100 and names == checked, "every kernel is checked", names - checked)
        check(all(kernel["different"] == 0 and kernel["difference"] is None for kernel in kernels),
              "no kernel differs", [kernel for kernel in kernels if kernel["different"]])
        check(device["faults"] == 0 and faults(device) == [], "no fault", faults(device))
        yield device


def test_planted(work):
    """Each fault is blamed on its kernel, and on nothing that only uses what that kernel made.

    The first of the tests here: its kernels are compiled while other programs compile the sound ones."""
    result = freshet("doctor", "--dim", "2", "-o", "d.json", cwd=work, program=PLANTED)
    check(result.returncode == 1 and "NOT sound" in result.stdout, "exit 1", result)
    for device in load(f"{work}/d.json")["devices"]:
        kernels = {kernel["name"]: kernel for kernel in device["kernels"]}
        wrong = sorted((kernel["order"], name) for name, kernel in kernels.items()
                       if kernel["different"])
        planted = ["probe_arithmetic", "levelset_density_block", "statistics_particles_lanes",
                   "transfer_p2g_block", "extrapolate_rows", "drift_density_block",
                   "extrapolate_layer", "transfer_g2p"]
        check(wrong == list(enumerate(planted, 1)), "the planted kernels, in this order", wrong)
        check(faults(device) == ["2D arithmetic: a / b"] +
              [f"2D kernel {name}" for name in planted] + ["run tiny_2d"], "faults",
              faults(device))
        check(kernels["transfer_g2p"]["first_in"] == "apic multigrid: g2p" and
              "affine[" in kernels["transfer_g2p"]["difference"], "where", kernels["transfer_g2p"])
        check(kernels["transfer_g2p"]["different"] < kernels["transfer_g2p"]["checked"],
              "FLIP is not at fault", kernels["transfer_g2p"])
    text = [line for line in result.stdout.splitlines() if line.startswith("FAULT")]
    check(sum("first of all" in line and "probe_arithmetic" in line for line in text) == 1,
          "the first of all is named", text)


def test_sound(work):
    result = freshet("doctor", "-o", "d.json", cwd=work)
    lines = [line for line in result.stdout.splitlines() if line]
    for device in is_sound(result, f"{work}/d.json"):
        checks = {line["check"]: line for line in device["checks"]}
        wanted = ["memory", "work-groups", "64-bit floats", "64-bit atomics", "denormals", "copy"]
        for dim in "2D", "3D":
            wanted += [f"{dim} {name}" for name in
                       ("program", "first launches", "layout", "arithmetic: a / b",
                        "arithmetic: sqrt(|a|)", "arithmetic: fma(a, b, c)",
                        "arithmetic: a * b + c, rounded twice", "atomics", "scan", "sums", "maxima",
                        "sort", "kernels transfer", "kernels mg", "kernels cg", "kernels render")]
        wanted += ["run tiny_2d", "run tiny_3d"]
        check(all(name in checks for name in wanted), "checks",
              [name for name in wanted if name not in checks])
        check(len(device["checks"]) == sum(line["verdict"] in ("ok", "note")
                                           for line in device["checks"]), "verdicts")
        # What a kernel that both dimensions use was compared in: more than one launch.
        both = [kernel for kernel in device["kernels"]
                if kernel["name"] in ("transfer_g2p", "transfer_g2p_lanes")]
        for dim in (2, 3):
            launches = [kernel["checked"] for kernel in both if kernel["dim"] == dim]
            check(len(launches) == 2 and min(launches) > 1 and sum(launches) >= 10,
                  "launches of transfer_g2p, for one particle and in vectors", both)
    words = {line.split()[0] for line in lines}
    check({"ok", "note"} <= words, "a line per check", words)
    quiet = freshet("doctor", "--quiet", "--dim", "2", cwd=work)
    check(quiet.returncode == 0 and quiet.stdout == "" and quiet.stderr == "", "--quiet", quiet)


def test_failing_calls(work):
    """A call that fails is a fault with its name; the other checks go on."""
    for call in 5, 400, 2000:
        result = freshet("doctor", "--dim", "2", "--quiet", cwd=work,
                         env={"FRESHET_FAULT": f"opencl:{call}"})
        text = result.stdout
        check(result.returncode == 1 and text.count("FAULT") >= 1 and "cl" in text,
              f"call {call} fails", result)


def test_command_line(work):
    refused(freshet("doctor", "scene.yaml", cwd=work), "doctor takes no argument", "scene.yaml")
    refused(freshet("doctor", "--dim", "4", cwd=work), "--dim takes 2 or 3")
    refused(freshet("doctor", "--devise", "gpu", cwd=work), "did you mean '--device'")
    refused(freshet("doctor", "-d", "no such device", cwd=work), "no such device", "there are")
    refused(freshet("doctor", "-o", "gone/d.json", cwd=work), "gone/d.json", code=1)
    os.mkdir(f"{work}/none")
    refused(freshet("doctor", cwd=work, env={"OCL_ICD_VENDORS": f"{work}/none"}),
            "no OpenCL platform", code=1)
    result = freshet("doctor", "--help", cwd=work)
    check(result.returncode == 0 and "FAULT" in result.stdout and "--full" in result.stdout,
          "--help", result)


def test_other_ways(work):
    """Work-items of a group run in other orders, and another implementation."""
    if not FULL:
        return
    for group in "1", "256":
        result = freshet("doctor", "-o", "d.json", cwd=work, env={"FRESHET_WORK_GROUP": group})
        list(is_sound(result, f"{work}/d.json"))
    rusticl = {"RUSTICL_ENABLE": "llvmpipe"}
    if "llvmpipe" not in freshet("devices", env=rusticl).stdout:
        skip("no rusticl")
        return
    result = freshet("doctor", "-d", "llvmpipe", "-o", "d.json", cwd=work, env=rusticl)
    list(is_sound(result, f"{work}/d.json"))


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
