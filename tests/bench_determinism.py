#!/usr/bin/env python3
"""Tests of `freshet bench --determinism`: a tiny run on both ways to the grid.

usage: bench_determinism.py PROGRAM SCENES_DIR [TEST...]
"""
import json
import sys

from cli_support import check, freshet, refused, run_tests

STAGES = ["sort", "timestep", "p2g", "levelset", "extrapolate_known", "forces", "pressure",
          "extrapolate", "g2p", "advect", "cell_statistics", "drift", "statistics",
          "substep"]


def test_costs(work):
    """Sums in free order are floats of 24 bits, those in fixed order integers of 20 bits per
    weight: fields must agree to that, and cannot be equal."""
    for splat in "block", "atomic32":
        result = freshet("bench", "--determinism", "--dim", "2", "--cells", "24", "--steps", "2",
                         "-o", "cost.json", cwd=work, env={"FRESHET_SPLAT": splat})
        if not check(result.returncode == 0, f"{splat}: runs", result):
            continue
        with open(f"{work}/cost.json", encoding="utf-8") as file:
            data = json.load(file)
        cost = data["results"][0]
        check(data["benchmark"] == "determinism" and data["steps"] == 2 and
              cost["splat"] == splat and cost["skipped"] is None, f"{splat}: header", data)
        check(cost["particles"] == 24 * 12 * 4, f"{splat}: particles", cost["particles"])
        check([stage["name"] for stage in cost["stages"]] == STAGES, f"{splat}: stages", cost)
        times = {stage["name"]: stage for stage in cost["stages"]}
        check(all(times[name][key] > 0 for key in ("ms", "free_ms") for name in
                  ("sort", "p2g", "levelset", "pressure", "drift", "statistics", "substep")) and
              cost["hash_ms"] > 0, f"{splat}: times", cost)
        for key in "velocity_difference", "levelset_difference":
            check(0 < cost[key] < 2**-20 * 8, f"{splat}: {key}", cost[key])
        check(abs(cost["pressure_iterations"] - cost["free_pressure_iterations"]) <= 2,
              f"{splat}: iterations", cost)
        check(f"splat {splat}" in result.stdout and "state hash" in result.stdout,
              f"{splat}: table", result)


def test_refused(work):
    refused(freshet("bench", "--determinism", "--profile", cwd=work), "--profile",
            "--determinism")
    refused(freshet("bench", "--determinism", "--pressure", cwd=work), "--determinism",
            "--pressure")
    refused(freshet("bench", "--determinism", "--scene", "pool", cwd=work), "--scene",
            "--pressure")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
