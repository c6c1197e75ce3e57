#!/usr/bin/env python3
"""Tests of `freshet validate`: its short form, and that its figures are those of runs by hand.

usage: validate.py PROGRAM SCENES_DIR
FRESHET_TEST_FULL=1 runs every case but kleefsman, which takes about ten minutes.
"""
import csv
import json
import math
import os
import re
import struct
import sys
import tempfile

from cli_support import FULL, SCENES, Count, check, freshet, refused

ROOT = os.path.join(SCENES, "..")


def validate(work, name, *arguments):
    """Runs it; returns the result and the report."""
    folder = os.path.join(work, name)
    # all cases in one run: only the test's own limit ends it
    result = freshet("validate", *arguments, "-o", folder, timeout=None)
    try:
        with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
            return result, json.load(file), folder
    except OSError:
        check(False, f"{name}: has a report", result)
        return result, None, folder


def check_criterion(where, criterion):
    low, high, value = criterion["low"], criterion["high"], criterion["value"]
    inside = value is not None and (low is None or value >= low) and (high is None or value <= high)
    if criterion["verdict"] == "no band":
        check(low is None and high is None, f"{where}: no band", criterion)
    else:
        check(low is not None or high is not None, f"{where}: has a band", criterion)
        verdict = "pass" if inside else "fail"
        if "known_worst" in criterion:
            worst = criterion["known_worst"]
            far = value is None or (value > worst if high is not None and worst > high else value < worst)
            verdict = "met" if inside else "fail" if far else "known miss"
        check(criterion["verdict"] == verdict, f"{where}: verdict", criterion)
        check(criterion["origin"], f"{where}: says where the band is from", criterion)


def check_figures(folder, case):
    for name in case["figures"]:
        with open(os.path.join(folder, name), "rb") as file:
            head = file.read(24)
        check(head[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", head[16:]) == (1000, 640),
              f"{name}: a picture", head)
        with open(os.path.join(folder, name[:-3] + "csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        check(len(rows) > 5 and all(math.isfinite(float(row["y"])) for row in rows),
              f"{name}: curves", len(rows))


def check_report(result, report, folder):
    failed, known = set(), 0
    text = open(os.path.join(folder, "report.md"), encoding="utf-8").read()
    for case in report["cases"]:
        check(case["broken"] is None, f"{case['name']}: could be run", case["broken"])
        check(f"## {case['name']}" in text, f"{case['name']}: in report.md")
        check_figures(folder, case)
        for criterion in case["criteria"]:
            check_criterion(f"{case['name']}, {criterion['what']}", criterion)
            check(criterion["what"].replace("|", "\\|") in text, "criterion in report.md", criterion)
            check(criterion["what"][:54] in result.stdout, "criterion printed", criterion)
            if criterion["verdict"] in ("fail", "met"):
                failed.add((case["name"], criterion["what"]))
            if criterion["verdict"] == "known miss":
                known += 1
                line = f"known, up to {criterion['known_worst']:.4g}: {criterion['known_reason']}"
                check(line in result.stdout and line in text, "the reason is printed", line)
        bad = any(name == case["name"] for name, _ in failed)
        check(case["passed"] == (not bad), f"{case['name']}: passed", case["passed"])
    check(result.returncode == (1 if failed else 0), "exit code", result.returncode, failed)
    check(report["passed"] == (not failed), "passed", report["passed"])
    check(not failed, "none but known misses", *failed)
    check(("FAIL" in result.stdout) == bool(failed) and
          (f", {known} known miss" in result.stdout.splitlines()[-2]) == (known > 0), "the last lines", result)


def test_refused(work):
    refused(freshet("validate", "free-fal"), "free-fal", "free-fall")
    refused(freshet("validate", "--dim", "4"), "--dim", "from 2 to 3")
    refused(freshet("validate", "--level", "0"), "--level", "from 1 to 3")
    refused(freshet("validate", "--dim", "3", "free-fall", "-o", os.path.join(work, "e")), "--list")
    refused(freshet("validate", "free-fall", "-d", "no such device", "-o",
                    os.path.join(work, "e")), "no such device")
    result = freshet("validate", "free-fall", "-o", os.path.join(work, "none", "x"))
    check(result.returncode == 1 and "none" in result.stderr, "no such folder", result)
    result = freshet("validate", "--help")
    check(result.returncode == 0 and "report.json" in result.stdout, "validate --help", result)


def test_list(_):
    result = freshet("validate", "--list")
    check(result.returncode == 0, "--list", result)
    names = [line.split()[0] for line in result.stdout.splitlines() if not line.startswith(" ")]
    check(len(names) >= 15 and len(set(names)) == len(names), "names", names)
    text = open(os.path.join(ROOT, "docs", "validation.md"), encoding="utf-8").read()
    table = text.split("## The cases")[1].split("\n## ")[0]
    told = [name for row in table.splitlines() if row.startswith("| `")
            for name in re.findall(r"`([^`]+)`", row.split("|")[1])]
    check(sorted(told) == sorted(names), "the cases of docs/validation.md", told, names)
    folder = os.path.join(SCENES, "validation")
    for name in sorted(os.listdir(folder)):
        result = freshet("check", os.path.join(folder, name))
        check(result.returncode == 0, f"scenes/validation/{name} is a good scene", result)
        check(f"scenes/validation/{name}" in text, f"docs/validation.md names {name}")


def read_table(path, x, y):
    with open(path, encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [(float(row[x]), float(row[y])) for row in rows]


def interpolate(points, x):
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return points[0][1] if x < points[0][0] else points[-1][1]


def test_short(work):
    result, report, folder = validate(work, "short", "--short")
    if not report:
        return
    check_report(result, report, folder)
    names = [case["name"] for case in report["cases"]]
    check(names == ["free-fall", "hydrostatic", "standing-wave", "martin-moyce-2"], "cases", names)
    missed = [case["name"] for case in report["cases"] for c in case["criteria"] if c["verdict"] == "known miss"]
    check(missed == ["standing-wave"], "what the short form is known to miss", missed)
    # A run that the case alters is not offered as a command.
    altered = [case["altered"] for case in report["cases"]]
    check(altered == [None, "the surface", None, None], "altered runs", altered)
    text = open(os.path.join(folder, "report.md"), encoding="utf-8").read()
    check("the case sets the surface itself" in text, "report.md tells of altered runs", text)

    # The same dam by hand: its probes give the same figures.
    case = report["cases"][-1]
    command = case["runs"][0].split()
    check(command[:2] == ["freshet", "run"], "the command is told", command)
    sets = [word.strip("'") for word in command[3:]]
    by_hand = os.path.join(work, "by_hand")
    made = freshet("run", os.path.join(ROOT, command[2]), *sets, "-o", by_hand, "--quiet")
    if not check(made.returncode == 0, "the command works", made):
        return
    a, g = 0.05715, 9.81
    with open(os.path.join(by_hand, "probes.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    # The case ends at T = 3.7.
    front = [(float(row["time"]) * math.sqrt(2 * g / a), float(row["front"]) / a) for row in rows]
    front = [point for n, point in enumerate(front) if n == 0 or front[n - 1][0] < 3.7]
    table = [row for row in read_table(os.path.join(ROOT, "validation", "data",
                                                    "martin_moyce_2_front.csv"), "T", "Z")
             if 0.84 <= row[0] <= 3.33]

    def rms(shift):
        return math.sqrt(sum((interpolate(front, t + shift) / z - 1) ** 2 for t, z in table)
                         / len(table))
    values = {criterion["what"]: criterion["value"] for criterion in case["criteria"]}
    best = min(rms(0.3 * n / 400) for n in range(-400, 401))
    for what, own in (("a = 12 cells: rms of Z / Z of the experiment - 1", best),
                      ("a = 12 cells: rms without a shift", rms(0))):
        check(abs(values[what] / own - 1) < 1e-4, f"by hand: {what}", values[what], own)


def test_all(work):
    if not FULL:
        return
    for name, chosen in (("2d", ["--dim", "2"]), ("3d", ["flat-surface-3d", "deformation", "poisson-3d",
                                              "distance-3d"])):
        result, report, folder = validate(work, name, *chosen)
        if report:
            check_report(result, report, folder)


def main():
    with tempfile.TemporaryDirectory() as work:
        for test in (test_refused, test_list, test_short, test_all):
            Count.section = test.__name__
            test(work)
    print(f"{Count.passed} passed, {Count.failed} failed")
    return 1 if Count.failed or not Count.passed else 0


if __name__ == "__main__":
    sys.exit(main())
