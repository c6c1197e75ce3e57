#!/usr/bin/env python3
"""Tests of what the built program says to whoever looks for something: pictures, files, a probe's values.

usage: cli_hints.py PROGRAM SCENES_DIR [TEST...]
"""
import os
import shutil
import sys

from cli_support import SCENE, check, freshet, png_is_whole, refused, rows, run_tests, tree, write

PLAIN = SCENE.split("output:")[0]
SHAKEN = "frame: {sway: {amplitude: [0.05, 0], frequency: 1}}\n"


def last_lines(result):
    return result.stdout.rstrip("\n").split("\n")[-3:]


def test_pictures(work):
    """A run without pictures ends with how to get some, and that is true."""
    write(f"{work}/s.yaml", PLAIN)
    result = freshet("run", "s.yaml", "-o", "plain", cwd=work)
    line = last_lines(result)[1]
    check(result.returncode == 0 and "no output.png" in line and "--set output.png={}" in line and
          "--set output.particles={}" in line, "what to do", result)
    result = freshet("run", "s.yaml", "-o", "again", "--set", "output.png={}", cwd=work)
    check(result.returncode == 0 and "none" not in "".join(last_lines(result)) and
          len(os.listdir(f"{work}/again/frames")) == 4, "all frames, and no hint", result)

    result = freshet("run", "s.yaml", "-o", "files", "--set", "output.particles={}", cwd=work)
    line = last_lines(result)[1]
    check("'freshet render files'" in line and "particle files" in line and "--set" not in line, "from files", result)
    result = freshet("render", "files", cwd=work)
    check(result.returncode == 0 and len(os.listdir(f"{work}/files/frames")) == 4 and
          png_is_whole(f"{work}/files/frames/frame_000003.png"), "all of them", result)
    result = freshet("run", "s.yaml", "-o", "quiet", "-q", cwd=work)
    check(result.stdout == "" and result.stderr == "", "nothing with --quiet", result)


def test_files(work):
    """Without files to work from, the key that writes them is named."""
    write(f"{work}/s.yaml", PLAIN)
    result = freshet("run", "s.yaml", "-o", "out", "-q", "--set", "output.checkpoint={every: 3}", cwd=work)
    check(result.returncode == 0, "a run", result)
    for command in ["render", "mesh"]:
        refused(freshet(command, "out", "--from", "particles", cwd=work), "'out' has no particle files",
                "output.particles in the scene", "--set output.particles={}")
        refused(freshet(command, "out", "--frames", "0:3", cwd=work), "no files of frames 0, 1, 2; it has 1 of frames 3 to 3",
                "output.particles in its scene writes files of all frames")
        refused(freshet(command, "out", "--frames", "9:3", cwd=work),
                "--frames 9:3: the first frame, 9, is after the last, 3")
    refused(freshet("render", "out", "--set", "output.png.view=pressure", cwd=work), "has no field files",
            "output.fields in the scene", "--set output.fields.every=1")
    shutil.rmtree(f"{work}/out/checkpoints")
    for command in ["render", "mesh"]:
        refused(freshet(command, "out", cwd=work), "no particle files or checkpoints", "output.particles",
                "output.checkpoint")
    check(not os.path.exists(f"{work}/out/frames") and not os.path.exists(f"{work}/out/mesh"), "nothing is made")


def test_motion(work):
    """What a moving box does is not told as gravity's."""
    write(f"{work}/s.yaml", PLAIN)
    write(f"{work}/shaken.yaml", PLAIN + SHAKEN)
    write(f"{work}/turned.yaml", PLAIN + "frame: {motion: [{time: 0, angular_velocity: 0}, {time: 1, angular_velocity: 3}]}\n")
    for scene, words in [("s", " J by gravity "), ("shaken", " J by gravity and the box's motion "),
                         ("turned", " J by the method and by the box's turning about the liquid's centre")]:
        result = freshet("run", f"{scene}.yaml", "-o", scene, cwd=work)
        lines = [line for line in result.stdout.splitlines() if line.startswith("kinetic energy: ")]
        check(result.returncode == 0 and len(lines) == 1 and words in lines[0], words, result)


def test_probes_in_solids(work):
    """A probe where no liquid can come is worth a warning, one beside a solid is not."""
    write(f"{work}/s.yaml", PLAIN + """solids:
  - {name: hill, sphere: {center: [1.0, 0.0], radius: 0.3}}
  - {name: pillar, box: {min: [1.5, -1], max: [1.8, 0.5]}}
  - {name: cap, box: {min: [1.4, 0.5], max: [1.9, 2]}}
output:
  png: {size: [64, 32]}
  particles: {}
  probes:
    - {name: within, point: [1.0, 0.1]}
    - {name: fast, point: [1.6, 0.2], quantity: velocity}
    - {name: beside, point: [1.0, 0.4]}
    - {name: walled, column: [1.6]}
    - {name: over, column: [1.0]}
    - {name: under, column: [1.85]}
    - {name: far, quantity: front}
""")
    expected = ["warning: probe 'within' measures no liquid: its point is inside the solid 'hill'",
                "warning: probe 'fast' measures no liquid: its point is inside the solid 'pillar'",
                "warning: probe 'walled' measures no liquid: its column is inside solids, at the floor inside 'pillar'"]
    for arguments in [["check", "s.yaml"], ["run", "s.yaml", "-o", "out"]]:
        result = freshet(*arguments, cwd=work)
        found = [line.replace("freshet: ", "", 1) for line in result.stderr.splitlines()]
        check(result.returncode == 0 and found == expected, f"{arguments[0]} warns", result)
    last = rows(f"{work}/out/probes.csv")[-1]
    check(last["within"] == "" and last["fast_x"] == "" and last["beside"] != "" and last["walled"] == "0",
          "and they have no values", last)
    result = freshet("render", "out", "-o", "other", cwd=work)
    check(result.returncode == 0 and len(os.listdir(f"{work}/other/frames")) == 4 and "probe" not in result.stderr, "told once", result)


def test_parts_of_defaults(work):
    write(f"{work}/s.yaml", PLAIN)
    result = freshet("run", "s.yaml", "-o", "out", "-q", "--set", "gravity.0=5", "--set", "time.frames=0", cwd=work)
    with open(f"{work}/out/run.json", encoding="utf-8") as file:
        check(result.returncode == 0 and '"gravity": [5, -9.81]' in file.read(), "the rest is the default's", result)


def test_long_name(work):
    write(f"{work}/s.yaml", PLAIN.replace("small dam", "n" * (3 << 20)))
    for arguments in [["check", "s.yaml"], ["run", "s.yaml"]]:
        result = freshet(*arguments, cwd=work)
        refused(result, "s.yaml:2:7: 'name' has 3145728 characters (at most 200)")
        check(len(result.stderr) < 300 and tree(work) == ["s.yaml"], "in few words", len(result.stderr))


sys.exit(run_tests(globals()))
