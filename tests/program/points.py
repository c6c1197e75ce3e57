"""Liquids that start at the points of particle files: NAME.py PROGRAM SCENES_FOLDER"""
import json
import os
import sys

from files_readers import numbered
from cli_support import check, freshet, read, refused, run_tests, write

FIRST = """domain: {size: [1, 1DEEP], cells: 12}
time: {frames: 3, fps: 24}
liquids: [{name: water, box: {min: [0, 0BACK], max: [0.5, 0.5FRONT]}, velocity: [1, 0BACK]}]
output: {particles: {format: FORMAT}}
"""
SECOND = """domain: {size: [1, 1DEEP], cells: 12}
time: {frames: 2, fps: 24}
liquids: [{name: water, points: {file: FILE}}]
output: {particles: {format: FORMAT}}
"""


def flat(text, **more):
    for word, value in {"DEEP": "", "BACK": "", "FRONT": "", **more}.items():
        text = text.replace(word, value)
    return text


def solid(text, **more):
    return flat(text, DEEP=", 1", BACK=", 0", FRONT=", 1", **more)


def run(work, name):
    result = freshet("run", f"{name}.yaml", "-d", "native", "-o", name, "-q", "--overwrite", cwd=work)
    check(result.returncode == 0, f"{name} runs", result)
    return result


def positions(path):
    """Of a .geo or .ply file, as freshet has them: only to be compared with each other."""
    data = read(path)
    if path.endswith(".ply"):
        return data[data.index(b"end_header\n"):]
    return json.dumps(json.loads(data)[15]) if path.endswith(".geo") else data


def test_goes_on(work):
    """A run whose particles another one starts from: the same positions, velocities, and substeps."""
    for make, format_name in ((flat, "ply"), (solid, "ply"), (flat, "vtkhdf"), (solid, "geo"), (flat, "usda")):
        write(f"{work}/first.yaml", make(FIRST, FORMAT=format_name))
        run(work, "first")
        last = "first/particles/" + numbered("particles", 3, format_name)
        write(f"{work}/second.yaml", make(SECOND, FORMAT=format_name, FILE=last))
        run(work, "second")
        with open(f"{work}/second/run.json", encoding="utf-8") as file:
            record = json.load(file)
        with open(f"{work}/first/run.json", encoding="utf-8") as file:
            before = json.load(file)
        points = record["scene"]["liquids"][0]["points"]
        check(points["file"] == os.path.realpath(f"{work}/{last}") and len(points["hash"]) == 16,
              "the record names the file and its hash", points)
        check(record["totals"]["particles_start"] == before["totals"]["particles_end"],
              f"{format_name}: as many particles", record["totals"], before["totals"])
        # Their state is that of the first run, so is its hash but for the frame's number.
        if format_name == "ply":
            check(positions(f"{work}/{last}") ==
                  positions(f"{work}/second/particles/particles_000000.ply"),
                  "the same particles at the start")
        result = freshet("verify", "second", "-d", "native", cwd=work)
        check(result.returncode == 0, "it can be verified", result)


def test_some_do_not_fit(work):
    """Points outside of the box, in solids and in earlier liquids are dropped, and told."""
    write(f"{work}/first.yaml", flat(FIRST, FORMAT="ply"))
    run(work, "first")
    more = ("solids: [{box: {min: [0, 0], max: [0.25, 0.25]}}]\n")
    write(f"{work}/second.yaml",
          flat(SECOND, FORMAT="ply", FILE="first/particles/particles_000000.ply")
          .replace("[{name", "[{name: oil, box: {min: [0.25, 0.25], max: [0.5, 0.5]}}, {name") + more)
    run(work, "second")
    # A quarter in the solid, one in the oil; the seeds of the oil.
    check(b"water': 72 of 144 points dropped" in read(f"{work}/second/log.txt"), "told")
    with open(f"{work}/second/run.json", encoding="utf-8") as file:
        check(json.load(file)["totals"]["particles_start"] == 72 + 36, "those that are left")


def test_refused(work):
    """What is no file of points, or has changed."""
    scene = flat(SECOND, FORMAT="ply", FILE="points.ply")
    write(f"{work}/s.yaml", scene)
    refused(freshet("check", "s.yaml", cwd=work), "s.yaml:3:40", "points.ply", "cannot be opened")
    write(f"{work}/points.ply", "ply\nformat ascii 1.0\n")
    refused(freshet("check", "s.yaml", cwd=work), "s.yaml:3:40", "points.ply")
    write(f"{work}/first.yaml", flat(FIRST, FORMAT="ply"))
    run(work, "first")
    data = read(f"{work}/first/particles/particles_000000.ply")
    with open(f"{work}/points.ply", "wb") as file:
        file.write(data)
    result = freshet("check", "s.yaml", cwd=work)
    check(result.returncode == 0 and "144 points with velocities; hash" in result.stdout, "check", result)
    with open(f"{work}/points.ply", "wb") as file:
        file.write(data[:-100])
    refused(freshet("check", "s.yaml", cwd=work), "s.yaml:3:40", "points.ply", "damaged")
    write(f"{work}/s.yaml", scene.replace("points.ply", "points.ply, hash: 0123456789abcdef"))
    with open(f"{work}/points.ply", "wb") as file:
        file.write(data)
    refused(freshet("run", "s.yaml", "-d", "native", cwd=work), "has changed: its hash is")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
