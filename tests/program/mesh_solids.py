#!/usr/bin/env python3
"""Tests of meshes as solids and liquids in runs: what is told of them, files that are odd or change, a
cup that holds water.

usage: mesh_solids.py PROGRAM SCENES_DIR
"""
import json
import math
import os
import struct
import sys

from cli_support import FULL, check, freshet, read, refused, rows, run_tests, write

CORNERS = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
TRIANGLES = [(0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 2, 3),
             (0, 3, 1), (4, 5, 7), (4, 7, 6)]
QUADS = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)]
SCENE = """domain: {size: [1, 1, 1], cells: 10}
time: {frames: 2, dt: 0.02}
liquids: [{box: {min: [0, 0, 0], max: [0.3, 0.6, 1]}}]
solids: [{name: cube, mesh: {file: MESH, scale: 0.31, translate: [0.37, 0.05, 0.33]}}]
"""


def obj(faces=TRIANGLES, vertices=(), end="\n", negative=False):
    points = CORNERS + list(vertices)
    lines = ["v " + " ".join(map(str, v)) for v in points]
    lines += ["f " + " ".join(str(i - len(points) if negative else i + 1) for i in f) for f in faces]
    return end.join(lines) + end


def run(work, name, text, *more):
    """Result and last hash of the scene with that mesh."""
    with open(os.path.join(work, name + ".obj"), "w", encoding="ascii", newline="") as file:
        file.write(text)
    write(os.path.join(work, name + ".yaml"), SCENE.replace("MESH", name + ".obj"))
    result = freshet("run", name + ".yaml", "-d", "native", "-o", name, *more, cwd=work)
    hashes = freshet("hash", name, cwd=work).stdout.split()
    return result, hashes[-1] if hashes else ""


def test_odd_files(work):
    """BL-020: stray vertices, triangles without area, twice, quads, negative indices, CRLF: a clean cube."""
    result, clean = run(work, "clean", obj())
    check(result.returncode == 0 and "mesh" not in result.stderr, "nothing is said of a sound mesh", result)
    volume = rows(f"{work}/clean/stats.csv")[0]["volume"]
    for name, text, told in [
            ("stray", obj(vertices=[(90, 90, 90)]), "1 vertex of no triangle"),
            ("flat", obj(TRIANGLES + [(0, 1, 1)]), "1 triangle without area"),
            ("twice", obj(TRIANGLES + [(4, 6, 0)]), "1 doubled triangle"),
            ("quads", obj(QUADS), None), ("negative", obj(negative=True), None), ("crlf", obj(end="\r\n"), None)]:
        result, found = run(work, name, text)
        check(result.returncode == 0, f"{name}: runs", result)
        check(found == clean or name == "quads", f"{name}: as the clean cube", found, clean)
        check(abs(float(rows(f"{work}/{name}/stats.csv")[0]["volume"]) - float(volume)) < 1e-6, f"{name}: its room")
        # assimp leaves out the stray vertices of an OBJ file itself
        check(name == "stray" or (told in result.stderr if told else "mesh" not in result.stderr),
              f"{name}: told", result)


def test_open_meshes(work):
    """BL-019: a cube without a face, a half ball of one surface: told by name with the open edges, and solid."""
    result, _ = run(work, "lid", obj([t for t in TRIANGLES if t not in ((2, 6, 7), (2, 7, 3))]))
    lines = [line for line in result.stderr.split("\n") if "'cube'" in line]
    check(result.returncode == 0 and len(lines) == 1 and "4 open edges" in lines[0] and "a sheet" in lines[0],
          "one line", result)
    with open(f"{work}/lid/run.json", encoding="utf-8") as file:
        mesh = json.load(file)["meshes"][0]
    check(mesh["sheet"] and mesh["faults"]["open"]["count"] == 4 and mesh["solid"] == "cube", "run.json", mesh)
    shown = freshet("check", "lid.yaml", cwd=work).stdout
    check("4 open edges" in shown and "3.1 x 3.1 x 3.1 cells" in shown and mesh["hash"] in shown, "check", shown)
    check(int(rows(f"{work}/lid/stats.csv")[-1]["escaped"]) == 0, "nothing passes it")


def test_same_mesh(work):
    """A run goes on, is verified and drawn with the mesh it began with, found from anywhere; not with another."""
    result, last = run(work, "cube", obj(), "--set", "output.checkpoint={every: 1}", "--set", "output.particles={}")
    check(result.returncode == 0, "runs", result)
    os.mkdir(f"{work}/elsewhere")
    again = freshet("run", "../cube.yaml", "-d", "native", "-o", "../cube", "--resume", "--set", "time.frames=3",
                    "--set", "output.checkpoint={every: 1}", "--set", "output.particles={}", cwd=f"{work}/elsewhere")
    check(again.returncode == 0, "goes on from another folder", again)
    whole = freshet("run", "cube.yaml", "-d", "native", "-o", "whole", "--frames", "3", cwd=work)
    check(whole.returncode == 0 and freshet("hash", "whole", cwd=work).stdout == freshet("hash", "cube", cwd=work).stdout,
          "as if never stopped", last)
    verified = freshet("verify", "cube", "-d", "native", cwd=work)
    check(verified.returncode == 0, "verified", verified)
    drawn = freshet("render", "cube", "-d", "native", "--set", "output.png={size: [64, 48]}", cwd=work)
    check(drawn.returncode == 0, "drawn", drawn)
    write(f"{work}/cube.obj", obj(QUADS[:5] + [(4, 5, 7), (4, 7, 6)]))
    refused(freshet("run", "cube.yaml", "-d", "native", "-o", "cube", "--resume", "--frames", "4", cwd=work), "hash")
    check(freshet("verify", "cube", "-d", "native", cwd=work).returncode != 0, "not verified with another mesh")
    os.remove(f"{work}/cube.obj")
    check("cannot be opened" in freshet("verify", "cube", "-d", "native", cwd=work).stderr, "its file is missed")


def test_crash(work):
    """A parser that crashes is a message; the program's own exit code says that the scene is refused."""
    write(f"{work}/a.obj", obj())
    write(f"{work}/a.yaml", SCENE.replace("MESH", "a.obj"))
    refused(freshet("check", "a.yaml", cwd=work, env={"FRESHET_FAULT": "parser:1"}), "a.yaml:4:", "crash")


def cup(outer, inner, low, high, around=40):
    """Rings about the axis y: outside from the foot up, then inside down."""
    rings, lines, faces = [(0, 0), (outer, 0), (outer, high), (inner, high), (inner, low), (0, low)], [], []
    for r, y in rings:
        for j in range(around):
            a = 2 * math.pi * j / around
            lines.append(f"v {r * math.cos(a):.7g} {y:.7g} {r * math.sin(a):.7g}")
    for ring in range(len(rings) - 1):
        for j in range(around):
            n = (j + 1) % around
            at, up = ring * around, (ring + 1) * around
            faces.append(f"f {at + j + 1} {up + j + 1} {up + n + 1} {at + n + 1}")
    return "\n".join(lines + faces) + "\n"


def positions(path):
    """Of the particles in a binary PLY file."""
    data = read(path)
    head, body = data.split(b"end_header\n", 1)
    lines = head.decode().split("\n")
    count = next(int(line.split()[2]) for line in lines if line.startswith("element vertex"))
    sizes = {"float": 4, "uint": 4, "int": 4, "uchar": 1}
    stride = sum(sizes[line.split()[1]] for line in lines if line.startswith("property"))
    return [struct.unpack_from("<3f", body, i * stride) for i in range(count)]


def test_cup_holds(work):
    """BL-022: water stays in a mesh cup with walls of 3 cells, off the grid and turned by 17 degrees."""
    seconds = 10 if FULL else 2
    inner, low, x, z = 0.295, 0.125, 0.503, 0.497
    write(f"{work}/cup.obj", cup(0.42, inner, low, 0.8))
    write(f"{work}/cup.yaml", f"""domain: {{size: [1, 1, 1], cells: 24}}
time: {{frames: {seconds}, fps: 1, dt: 0.03333333}}
liquids: [{{cylinder: {{a: [{x}, 0.1, {z}], b: [{x}, 0.48, {z}], radius: 0.35}}}}]
solids: [{{mesh: {{file: cup.obj, rotate: [0, 0.2967, 0], translate: [{x}, 0.021, {z}]}}}}]
output: {{particles: {{format: ply}}}}
""")
    result = freshet("run", "cup.yaml", "-d", "native", "-o", "cup", cwd=work)
    check(result.returncode == 0, "runs", result)
    levels = []
    for frame in range(seconds + 1):
        points = positions(f"{work}/cup/particles/particles_{frame:06d}.ply")
        out = [p for p in points if math.hypot(p[0] - x, p[2] - z) > inner or p[1] < 0.021 + low]
        check(len(points) > 1000 and not out, f"frame {frame}: none outside", len(points), out[:3])
        levels.append(sorted(p[1] for p in points)[len(points) * 99 // 100])
    check(abs(levels[-1] - levels[1]) < 1 / 24, "the level stays", levels)
    check(int(rows(f"{work}/cup/stats.csv")[-1]["escaped"]) == 0, "escaped")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
