#!/usr/bin/env python3
"""Compares pictures of small scenes with those in golden/images, as eyes do.

usage: images.py PROGRAM SCENES_DIR [--bless]

A change of numerics that moves particles a little passes; colours, places, shapes and what is drawn at
all do not, which planted changes show.  --bless writes the pictures anew: look at them before they
are committed.
"""
import os
import shutil
import sys
import tempfile

from cli_support import Count, check, freshet, write
from image_difference import difference, lab_image, read_png

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden", "images")

FLAT = """domain: {size: [1.6, 0.9], cells: 32, walls: {y+: open}}
time: {frames: 2, fps: 10}
liquids:
  - {name: column, box: {min: [0, 0], max: [0.5, 0.6]}}
  - {name: drop, sphere: {center: [1.2, 0.6], radius: 0.15}, color: "#e0662f"}
solids: [{sphere: {center: [0.9, 0.2], radius: 0.12}}]
"""
DEEP = """domain: {size: [1.6, 0.8, 0.8], cells: 16, walls: {y+: open}}
time: {frames: 2, fps: 10}
liquids:
  - {name: column, box: {min: [0, 0, 0], max: [0.5, 0.6, 0.8]}}
  - {name: ball, sphere: {center: [1.2, 0.5, 0.4], radius: 0.16}, color: "#e0662f"}
solids: %s
camera: {eye: [2.2, 1.4, 2.6], target: [0.8, 0.3, 0.4], fov: 35}
"""
BALL = "[{sphere: {center: [0.9, 0.2, 0.4], radius: 0.15}}]"
# Two depths on the sides of a plate thinner than a cell.
TANK = """domain: {size: [1.6, 0.9], cells: 32}
time: {frames: 2, fps: 10}
liquids:
  - {box: {min: [0, 0], max: [0.83, 0.75]}}
  - {box: {min: [0.83, 0], max: [1.6, 0.35]}}
solids: [{box: {min: [0.83, 0], max: [0.83, 0.9]}}]
"""
WHIRL = """domain: {size: [1.6, 0.9], cells: 32}
time: {frames: 2, fps: 10}
gravity: [0, 0]
liquid: {transfer: apic}
liquids: [{sphere: {center: [0.8, 0.45], radius: 0.4}, angular_velocity: 8}]
solids: [{sphere: {center: [0.8, 0.45], radius: 0.4}, invert: true}]
"""
SLOPE = """domain: {size: [1.6, 0.9], cells: 32, walls: {y+: open}}
time: {frames: 2, fps: 10}
liquids: [{polygon: {points: [[0.1, 0.6], [0.6, 0.4], [0.7, 0.8], [0.2, 0.85]]}}]
solids: [{polygon: {points: [[-0.1, 0.5], [1.2, -0.1], [-0.1, -0.1]]}}]
"""
# A slice through the middle.
BASIN = """domain: {size: [1.6, 0.8, 0.8], cells: 16}
time: {frames: 2, fps: 10}
liquids: [{box: {min: [0, 0, 0], max: [1.6, 0.5, 0.8]}}]
solids: [{capsule: {a: [0.5, 0.1, 0.4], b: [1.0, 0.3, 0.4], radius: 0.15}}]
"""
SOLIDS = """domain: {size: [1.6, 0.8, 0.8], cells: 16}
time: {frames: 0}
solids:
  - {box: {min: [0.2, 0, 0.2], max: [0.5, 0.4, 0.6]}}
  - {sphere: {center: [0.8, 0.3, 0.4], radius: 0.2}}
  - {cylinder: {a: [1.3, 0, 0.4], b: [1.3, 0.6, 0.4], radius: 0.12}}
camera: {eye: [2.2, 1.4, 2.6], target: [0.8, 0.3, 0.4], fov: 35}
"""
# name, scene, output, greatest mean and 99th percentile of the difference; 2.3 is just noticeable.
# With a flip_ratio of 0.95 for 0.97 they are at most 0.1 and 1; with other particles (`seed`) 0.3 and 6
# or more, but for solids.  Particles are points that jump: more for views of them.
PICTURES = [
    ("flat_particles", FLAT, "view: particles", 0.5, 5.0),
    ("flat_surface", FLAT, "view: surface", 0.3, 3.0),
    ("flat_anisotropic", FLAT, "view: surface}, surface: {method: anisotropic", 0.3, 3.0),
    ("tank_pressure", TANK, "view: pressure", 0.3, 3.0),
    ("whirl_speed", WHIRL, "view: speed", 0.5, 5.0),
    ("slope_levelset", SLOPE, "view: levelset", 0.3, 3.0),
    ("slope_cells", SLOPE, "view: cells", 0.3, 3.0),
    ("deep_particles", DEEP % BALL, "view: particles", 0.5, 5.0),
    ("deep_surface", DEEP % BALL, "view: surface", 0.3, 3.0),
    ("basin_pressure", BASIN, "view: pressure", 0.3, 3.0),
    ("deep_solids", SOLIDS, "view: surface", 0.1, 1.5),
]


def draw(work, name, scene, output):
    """The path of the last frame, or None."""
    path = os.path.join(work, name + ".yaml")
    write(path, scene + "output: {stats: false, png: {size: [160, 90], every: 2, %s}}\n" % output)
    result = freshet("run", path, "-o", path[:-5], "--quiet")
    frame = "frame_000000.png" if "frames: 0" in scene else "frame_000002.png"
    return os.path.join(path[:-5], "frames", frame) if check(
        result.returncode == 0, f"{name} is drawn", result) else None


def compare(path, golden, mean, most):
    """Whether a picture is as the golden one, and how far off."""
    off = difference(lab_image(read_png(path)), golden)
    return off[0] <= mean and off[1] <= most, "mean %.2f, 99 %% %.2f" % off


def test_difference():
    """Colours of the Lindbloom calculator and the CIE's white: L* = 100; sRGB red 53.24, 80.09, 67.20."""
    for colour, expected in (((255, 255, 255), (100.0, 0.0, 0.0)), ((255, 0, 0), (53.24, 80.09, 67.20)),
                             ((0, 0, 0), (0.0, 0.0, 0.0))):
        found = lab_image([[colour] * 4] * 4)[1][1]
        check(max(abs(a - b) for a, b in zip(found, expected)) < 0.02, f"L*a*b* of {colour}", found)


def test_pictures(work, golden):
    for name, scene, output, mean, most in PICTURES:
        path = draw(work, name, scene, output)
        if path:
            same, text = compare(path, golden[name], mean, most)
            print(f"{name}: {text} (bounds {mean}, {most})")
            check(same, f"{name} looks as before", text)


def test_planted(work, golden):
    """What the bounds must not let pass: red and blue swapped, a shift of three pixels, a solid that
    is missing."""
    for name, _, _, mean, most in PICTURES:
        rows = read_png(os.path.join(GOLDEN, name + ".png"))
        swapped = lab_image([[(b, g, r) for r, g, b in row] for row in rows])
        shifted = [row[:3] + row[:-3] for row in golden[name]]
        for what, picture in (("swapped colours", swapped), ("a shift", shifted)):
            off = difference(picture, golden[name])
            check(off[0] > mean or off[1] > most, f"{name}: {what} is seen", off)
    for wanted, scene in (("flat_particles", FLAT.split("solids")[0]), ("deep_surface", DEEP % "[]")):
        name, _, output, mean, most = next(row for row in PICTURES if row[0] == wanted)
        path = draw(work, "missing_" + name, scene, output)
        if path:
            same, text = compare(path, golden[name], mean, most)
            check(not same, f"{name}: a missing solid is seen", text)


def bless(work):
    os.makedirs(GOLDEN, exist_ok=True)
    for name, scene, output, _, _ in PICTURES:
        path = draw(work, name, scene, output)
        if path:
            shutil.copyfile(path, os.path.join(GOLDEN, name + ".png"))


def main():
    with tempfile.TemporaryDirectory() as work:
        if "--bless" in sys.argv:
            bless(work)
        else:
            Count.section = "difference"
            test_difference()
            golden = {name: lab_image(read_png(os.path.join(GOLDEN, name + ".png")))
                      for name, *_ in PICTURES}
            Count.section = "pictures"
            test_pictures(work, golden)
            Count.section = "planted"
            test_planted(work, golden)
    print(f"{Count.passed} passed, {Count.failed} failed, {Count.skipped} skipped")
    return 1 if Count.failed else 0


sys.exit(main())
