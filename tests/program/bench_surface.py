#!/usr/bin/env python3
"""Tests of what `freshet bench` tells of meshes and pictures: both are measured, with the bytes that
docs/benchmark.md counts and their share of the copy.

usage: bench_surface.py PROGRAM SCENES_DIR [TEST...]
"""
import json
import sys

from cli_support import check, freshet, run_tests


def test_rows(work):
    result = freshet("bench", "--dim", "3", "--cells", "12", "--steps", "1", "-o", "b.json", cwd=work)
    if not check(result.returncode == 0, "bench runs", result):
        return
    with open(f"{work}/b.json", encoding="utf-8") as file:
        data = json.load(file)["results"][0]
    particles, faces = data["particles"], data["mesh_triangles"]
    check(particles == 8 * 6 * 12 * 12 and faces > 500, "what was measured", particles, faces)
    # Of one body without holes: by Euler's formula two vertices more than half the triangles.
    wanted = {"mesh": 28 * particles + 36 * (faces // 2 + 2) + 12 * faces,
              "particle picture": 28 * particles + 4 * 1280 * 720,
              "surface picture": 16 * particles + 4 * 1280 * 720}
    rows = {row["name"]: row for row in data["surface"]}
    check(list(rows) == list(wanted), "all rows", data["surface"])
    copy = 0.5 * (data["copy"]["gb_per_s_before"] + data["copy"]["gb_per_s_after"])
    for name, row in rows.items():
        check(row["model_bytes"] == wanted[name], f"{name}: bytes", row, wanted[name])
        speed = row["model_bytes"] / (row["ms"] * 1e6)
        check(row["ms"] > 0 and abs(row["gb_per_s"] / speed - 1) < 1e-9, f"{name}: GB/s", row)
        share = speed / copy
        check(abs(row["share_of_copy"] / share - 1) < 1e-6, f"{name}: share of the copy", row, share)
        check(any(line.startswith(name) and len(line.split()) > 8 for line in
                  result.stdout.splitlines()), f"{name}: in the table", result)


def test_grid(work):
    """The grid alone: its stages, nothing of particles."""
    for surface, stage, particles in [("vof", "vof", 0), ("levelset", "carry", 0), ("markers", "markers", 4 * 6 * 12)]:
        result = freshet("bench", "--grid", surface, "--dim", "2", "--cells", "12", "--steps", "1", "-o", "b.json", cwd=work)
        if not check(result.returncode == 0, f"bench --grid {surface} runs", result):
            continue
        with open(f"{work}/b.json", encoding="utf-8") as file:
            data = json.load(file)["results"][0]
        names = [row["name"] for row in data["stages"]]
        check(data["grid"] == surface and "transfer" not in data and stage in names and "p2g" not in names and
              data["particles"] == particles and not data["surface"], surface, data)
    for arguments, word in [(["--grid", "planes"], "vof, markers or levelset"), (["--grid", "vof", "--pressure"], "--pressure")]:
        result = freshet("bench", *arguments, cwd=work)
        check(result.returncode == 2 and word in result.stderr, "refused", result)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
