#!/usr/bin/env python3
"""Runs with bodies: bodies.csv and bodies.usda, resume, verify, pictures that are made later, what is refused.

usage: bodies.py PROGRAM SCENES_DIR [TEST...]
"""
import csv
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cli_support import check, freshet, refused, run_tests, write
from resume_support import hashes

SCENE = """version: 1
name: float
domain: {size: [1.0, 0.75], cells: 32}
time: {frames: 6, fps: 24}
liquids:
  - {name: pool, box: {min: [0, 0], max: [1, 0.3]}}
bodies:
  - {name: stone, box: {min: [0.1, 0.0], max: [0.3, 0.2]}, density: 2500}
  - {name: 'a "ball", wet', sphere: {center: [0.6, 0.5], radius: 0.1}, density: 400, velocity: [0.2, -0.3],
     angular_velocity: 2}
  - {name: gate, polygon: {points: [[0.8, 0.35], [0.95, 0.35], [0.9, 0.5]]}, density: 800, lock: [x, rz], release: 0.1,
     motion: [{time: 0}, {time: 0.1, translate: [0, 0.01]}]}
output:
  png: {size: [64, 48]}
  particles: {}
  checkpoint: {every: 2, keep: 9}
"""


def table(directory):
    with open(os.path.join(directory, "bodies.csv"), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def run_here(work, name, *more):
    write(f"{work}/float.yaml", SCENE)
    result = freshet("run", "float.yaml", "-o", name, "-q", *more, cwd=work)
    check(result.returncode == 0, "a run with bodies", result)


def test_table(work):
    """Rows of every frame and body; quaternions of length 1; what is locked stays; forces as impulses over a frame."""
    run_here(work, "out")
    rows = table(f"{work}/out")
    check([(int(r["frame"]), int(r["body"])) for r in rows] == [(f, b) for f in range(7) for b in range(3)],
          "a row for each frame and body", [(r["frame"], r["body"]) for r in rows])
    check([r["name"] for r in rows[:3]] == ["stone", 'a "ball", wet', "gate"], "names", rows[:3])
    for row in rows:
        length = sum(float(row["q_" + a]) ** 2 for a in "wxyz")
        check(abs(length - 1) < 1e-12, "a unit quaternion", row)
    check(rows[0]["force_y"] == "" and rows[3]["force_y"] != "", "frame 0 has no forces", rows[0], rows[3])
    ball = [r for r in rows if r["body"] == "1"]
    check((float(ball[0]["velocity_x"]), float(ball[0]["velocity_y"]), float(ball[0]["spin_z"])) == (0.2, -0.3, 2.0),
          "the velocity told", ball[0])
    # In the air for a frame: v falls by g, in single precision for a substep; nothing pushes.
    check(abs(float(ball[1]["velocity_y"]) - (-0.3 - 9.81 / 24)) < 2**-24 * 9.81 / 24, "free fall", ball[1])
    check(float(ball[1]["contact_y"]) == 0, "no contact in the air", ball[1])
    gate = [r for r in rows if r["body"] == "2"]
    check(len({float(r["x"]) for r in gate}) == 1 and all(float(r["spin_z"]) == 0 for r in gate), "locks", gate)
    check(abs(float(gate[2]["y"]) - float(gate[0]["y"]) - 0.01 / 0.1 * 2 / 24) < 1e-6, "it follows its motion", gate[2])
    check(float(gate[-1]["velocity_y"]) < 0, "and falls when it is let go", gate[-1])
    # The stone: its weight is what the liquid and the floor carry.
    stone = [r for r in rows if r["body"] == "0"]
    change = 100.0 * (float(stone[6]["velocity_y"]) - float(stone[5]["velocity_y"])) * 24
    carried = float(stone[6]["force_y"]) + float(stone[6]["contact_y"])
    check(abs(carried - change - 100.0 * 9.81) < 0.01 * 981, "the weight is carried", stone[6])


def test_transforms(work):
    """bodies.usda has the numbers of bodies.csv, and brackets that match."""
    run_here(work, "out")
    rows = table(f"{work}/out")
    text = read(f"{work}/out/bodies.usda").decode()
    check(text.startswith("#usda 1.0\n"), "the first line", text[:20])
    for one, other in ("()", "[]", "{}"):
        check(text.count(one) == text.count(other), f"{one} and {other} match")
    names = re.findall(r'^    def Xform "(\w+)"', text, re.M)
    check(names == ["body_0_stone", "body_1_a__ball___wet", "body_2_gate"], "a transform each", names)
    check('displayName = "a \\"ball\\", wet"' in text, "the name as it is")
    moves = re.findall(r"translate\.timeSamples = \{\n(.*?)\}", text, re.S)
    for body, block in enumerate(moves):
        found = [tuple(float(x) for x in at) for at in re.findall(r"\d+: \((.+), (.+), (.+)\),", block)]
        wanted = [tuple(float(r[a]) for a in "xyz") for r in rows if int(r["body"]) == body]
        check(found == wanted, "places frame by frame", found, wanted)
    kinds = re.findall(r'def (\w+) "shape"', text)
    check(kinds == ["Cube", "Cylinder", "Mesh"], "shapes", kinds)


def test_resume(work):
    """From any checkpoint the same hashes, tables and transforms."""
    run_here(work, "whole")
    for frame in (2, 4):
        name = f"part{frame}"
        run_here(work, name, "--set", f"time.frames={frame}")
        run_here(work, name, "--resume")
        check(hashes(work, name) == hashes(work, "whole"), f"hashes behind frame {frame}")
        for file in ("bodies.csv", "bodies.usda", "frames/frame_000006.png"):
            check(read(f"{work}/{name}/{file}") == read(f"{work}/whole/{file}"), f"{file} behind frame {frame}")
    result = freshet("verify", "whole", cwd=work)
    check(result.returncode == 0, "verify", result)


def test_passes(work):
    """Pictures from particles with bodies.csv, and from checkpoints, are those of the run; a table that is not of the
    run is refused."""
    run_here(work, "out")
    for source, frame in (("particles", 5), ("checkpoints", 4)):
        result = freshet("render", "out", "-q", "-o", source, "--from", source, "--frames", str(frame), cwd=work)
        check(result.returncode == 0, f"render from {source}", result)
        name = f"frames/frame_{frame:06d}.png"
        check(read(f"{work}/{source}/{name}") == read(f"{work}/out/{name}"), f"the picture from {source}")
    lines = read(f"{work}/out/bodies.csv").decode().split("\n")
    shutil.copytree(f"{work}/out", f"{work}/moved")
    write(f"{work}/moved/bodies.csv", "\n".join(lines).replace(",1,0.6", ",1,0.7"))
    os.remove(f"{work}/out/bodies.csv")
    refused(freshet("render", "out", "-o", "a", "--from", "particles", "--frames", "3", cwd=work), "bodies.csv", code=1)
    write(f"{work}/out/bodies.csv", "\n".join(lines[:5] + lines[6:]))
    refused(freshet("render", "out", "-o", "b", "--from", "particles", "--frames", "3", cwd=work), "damaged")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
