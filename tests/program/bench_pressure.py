#!/usr/bin/env python3
"""Tests of `freshet bench --pressure`: a tiny run, and what its JSON must say.

usage: bench_pressure.py PROGRAM SCENES_DIR
"""
import json
import math
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from cli_support import Count, check, freshet, refused

TOLERANCE = 1e-6
DEFAULT = ["pool", "row", "drops", "wave", "round", "plate", "plate-half", "slabs", "baffles",
           "sealed"]
PLOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "plot_pressure.py")


def bench(work, name, *arguments):
    path = os.path.join(work, name)
    result = freshet("bench", "--pressure", *arguments, "-o", path)
    if not check(result.returncode == 0, f"{name}: runs", result):
        return None, result
    with open(path, encoding="utf-8") as file:
        return json.load(file), result


def check_history(where, solver):
    history = solver["history"]
    if not check(history, f"{where}: has a history"):
        return
    iterations = [point["iterations"] for point in history]
    check(iterations == sorted(set(iterations)) and iterations[0] == 1, f"{where}: history goes on",
          iterations)
    check(all(point["ms"] > 0 and point["residual"] >= 0 for point in history),
          f"{where}: history has times and residuals", history)
    if "work_per_iteration" in solver:
        check(all(math.isclose(point["work"], point["iterations"] * solver["work_per_iteration"])
                  for point in history), f"{where}: work grows with iterations", history)
    # The points are solves of their own: the last is the one that reached the tolerance.
    if solver["reached"]:
        check(history[-1]["residual"] <= TOLERANCE < history[0]["residual"],
              f"{where}: the history ends at the tolerance", history)
        check(history[-1]["iterations"] == solver["iterations"],
              f"{where}: looking on does not change the solve", history, solver["iterations"])


def check_solver(where, solver):
    where += f" {solver['name']} {solver.get('sweeps', '')}"
    check(solver["iterations"] > 0, f"{where}: iterations", solver)
    check(solver["reached"] == (solver["residual"] <= TOLERANCE), f"{where}: reached", solver)
    check(math.isclose(solver["contraction"] ** solver["iterations"], solver["residual"],
                       rel_tol=1e-6), f"{where}: contraction is the geometric mean", solver)
    check(solver["ms_per_iteration"] > 0 and solver["setup_ms"] > 0, f"{where}: times", solver)
    if solver["reached"]:
        check(math.isclose(solver["ms"], solver["ms_per_iteration"] * solver["iterations"],
                           rel_tol=1e-6), f"{where}: time to tolerance", solver)
    check_history(where, solver)


def cycle_bytes(dim, edge, sweeps, twice, again, least):
    """Of a V-cycle, per cell of the finest level, counted level by level and visit by visit.
    again: the first level of at most 4096 cells is visited twice."""
    def count(edge, level):
        link, f = (2, 4) if level == 0 else (4, 4)
        half = 0.5 * (2 * dim * link + f)  # coefficients of a half-sweep, per cell
        small, last = edge ** dim <= 4096, edge <= least
        first = small and (level == 0 or (2 * edge - 1) ** dim > 4096)
        deepest = first or (level == 1 and small)
        visits = 1
        if level > 0 and not last and (twice and (deepest or not small and level <= 2) or
                                       again and first):
            visits = 2
        more = twice and level > 0 or again and small and edges[0] ** dim > 4096
        # In 3D conjugate gradients have one more on coarse levels of large grids.
        large = edges[0] ** dim > 4096
        extra = sweeps + 1 if dim == 3 and again and large and level > 0 else sweeps
        pairs = (16 if least == 4 else 4) if last else max(extra, 2) if more else extra
        sum_ = 0.0
        for visit in range(visits):
            sum_ += 4 * pairs * (half + 0.5 * 3 * f) - (0.5 * f if visit == 0 else 0.0)
            if not last:
                share = ((edge + 1) // 2 / edge) ** dim
                coarse = share * (f + (8 if dim == 3 else 4))  # and its stencil
                # residual: b, x twice, itself; restricted: it and b; prolonged: x twice, x
                sum_ += (half + 2 * f) + (0.5 * f + coarse) + (f + coarse)
                sum_ += share * count((edge + 1) // 2, level + 1)
        return sum_
    edges = [edge]
    return count(edge, 0)


def check_bytes(where, result, solver):
    dim, f = result["dim"], 4
    if solver["name"] not in ("mgpcg", "multigrid"):
        return
    mgpcg = solver["name"] == "mgpcg"
    cycle = cycle_bytes(dim, result["cells_per_axis"], solver["sweeps"],
                        result["coarse_levels_twice"], mgpcg,
                        4 if mgpcg and result["last_level_left_out"] else 2)
    check(not result["last_level_left_out"] or result["parts"] > 0, f"{where}: a level is left out for parts", result)
    true_residual = dim * 2 + 6 * f
    rest = 17 * f + 2 * dim + f + true_residual / 3 if mgpcg else 5 * f + true_residual
    check(math.isclose(solver["bytes_per_unknown_and_iteration"], cycle + rest, rel_tol=1e-9),
          f"{where}: bytes of an iteration", solver, cycle + rest)


def check_result(result, solvers):
    where = f"{result['dim']}D {result['cells_per_axis']} {result['scene']}:"
    if not check(result["skipped"] is None, f"{where} measured", result["skipped"]):
        return
    cells = result["cells_per_axis"] ** result["dim"]
    check(0 < result["unknowns"] <= cells, f"{where} unknowns", result["unknowns"])
    check(result["copy"]["gb_per_s"] > 0, f"{where} copy", result["copy"])
    sweep = result["sweep"]
    # links to both sides along every axis, 2 bytes each; excess, b, the neighbours' x, x written: 4
    check(sweep["bytes_per_unknown"] == 4 * result["dim"] + 16, f"{where} bytes of a sweep",
          sweep)
    check(sweep["ms"] > 0 and math.isclose(
        sweep["gb_per_s"], sweep["bytes_per_unknown"] * result["unknowns"] / sweep["ms"] * 1e-6,
        rel_tol=1e-6), f"{where} speed of a sweep", sweep)
    check(math.isclose(sweep["share_of_copy"], sweep["gb_per_s"] / result["copy"]["gb_per_s"],
                       rel_tol=1e-6), f"{where} share of the copy", sweep)
    check([(s["name"], s.get("sweeps")) for s in result["solvers"]] == solvers,
          f"{where} solvers", result["solvers"])
    for solver in result["solvers"]:
        check_solver(where, solver)
        check_bytes(f"{where} {solver['name']}", result, solver)
        if solver["name"] == "mgpcg":
            check(solver["reached"], f"{where} multigrid converges", solver)
    by_name = {(s["name"], s.get("sweeps")): s for s in result["solvers"]}
    if ("cg", None) in by_name:
        check(by_name["mgpcg", 2]["iterations"] < by_name["cg", None]["iterations"],
              f"{where} multigrid takes fewer iterations than CG alone", by_name)


def check_scenes(results):
    """What is known of the scenes from how they are built."""
    for result in results.values():
        singular = result["scene"] == "sealed"
        if result["scene"] in ("pool", "sealed", "round", "plate"):
            check(result["singular_components"] == singular, "only the sealed box is singular",
                  result["scene"], result["singular_components"])
        cells = result["cells_per_axis"]
        base = cells ** (result["dim"] - 1)
        if result["scene"] == "sealed":
            check(result["unknowns"] == base * cells and result["components"] == 1,
                  "the sealed box is full", result["unknowns"])
        if result["scene"] in ("pool", "baffles"):
            # cells whose centre is below 0.5031
            check(result["unknowns"] == base * round(0.5031 * cells), "the pool is half full",
                  result["unknowns"])
        if result["scene"] == "row":
            check(result["unknowns"] == base * (cells // 2 + 1), "one row more than half",
                  result["unknowns"])
        if result["scene"] in ("plate", "plate-half"):
            check(result["components"] == 2, "a plate makes two pools", result["components"])
            split = cells // 2 + 1
            check(result["unknowns"] == base // cells * (
                split * round(0.6031 * cells) + (cells - split) * round(0.4017 * cells)),
                  "two pools of two depths", result["unknowns"])
        if result["scene"] == "drops":
            check(result["components"] > 1, "drops are apart", result["components"])
        check(("wave_cells_per_axis" in result) == (result["scene"] == "wave"),
              "only the wave is from a run", result["scene"])


def test_scenes(work):
    """All default scenes, 2D and 3D."""
    found = {}
    multigrid = [("mgpcg", 1), ("mgpcg", 2)]
    for dim, cells, arguments, solvers in (
            (2, 32, ["--solver", "mgpcg", "--solver", "cg"], multigrid + [("cg", None)]),
            (3, 16, ["--solver", "mgpcg", "--no-history"], multigrid)):
        data, result = bench(work, f"{dim}.json", "--dim", str(dim), "--cells", str(cells),
                             "--seconds", "60", *arguments)
        if data is None:
            return
        check(data["benchmark"] == "pressure" and data["tolerance"] == TOLERANCE, "header", data)
        check([r["scene"] for r in data["results"]] == DEFAULT, "all scenes are there",
              [r["scene"] for r in data["results"]])
        for entry in data["results"]:
            check_result(entry, solvers)
            found[dim, entry["scene"]] = entry
            check(f"{cells} cells along each axis, {entry['scene']}:" in result.stdout,
                  "the table has it", entry["scene"], result.stdout[-500:])
        points = [p["iterations"] for p in data["results"][0]["solvers"][0]["history"]]
        last = points[-1]
        check(points == ([n for n in (1, 2, 4, 8, 16) if n < last] + [last] if dim == 3 else
                         list(range(1, last + 1))), "points of the history", points)
    check_scenes(found)


def test_choices(work):
    """Named scenes, solvers, sweeps, an offset; a time limit; a size that does not fit."""
    data, _ = bench(work, "c.json", "--dim", "2", "--cells", "16", "--scene", "plate-2",
                    "--scene", "chambers", "--solver", "multigrid", "--solver", "jacobi",
                    "--solver", "gauss-seidel", "--sweeps", "3", "--offset", "2",
                    "--seconds", "5")
    if data is not None:
        check([r["scene"] for r in data["results"]] == ["plate-2", "chambers"], "chosen scenes",
              data["results"])
        check(data["plate_offset"] == 2, "offset", data["plate_offset"])
        for entry in data["results"]:
            check_result(entry, [("multigrid", 3), ("jacobi", None), ("gauss-seidel", None)])
        left, right = round(0.6031 * 16), round(0.4017 * 16)
        check(data["results"][0]["unknowns"] == 10 * left + 4 * right,
              "a plate of two cells beside the middle", data["results"][0]["unknowns"])
    path = os.path.join(work, "plot.svg")
    made = subprocess.run([sys.executable, PLOT, os.path.join(work, "2.json"), "--scene", "pool",
                           "-o", path], capture_output=True, text=True, check=False)
    if check(made.returncode == 0, "the plot is drawn", made):
        root = xml.etree.ElementTree.parse(path).getroot()
        lines = [e for e in root.iter() if e.tag.endswith("polyline")]
        check(root.tag.endswith("svg") and len(lines) == 6,
              "two panels with a line for each of three solvers", len(lines))
    made = subprocess.run([sys.executable, PLOT, os.path.join(work, "2.json"), "--scene", "none",
                           "-o", path], capture_output=True, text=True, check=False)
    check(made.returncode == 2 and "none" in made.stderr, "a scene that is not there", made)


def test_tiles(work):
    """On the path of GPUs the finest level takes two launches, the others one: bytes by hand."""
    os.environ["FRESHET_PATH"] = "gpu"
    try:
        data, _ = bench(work, "g.json", "--dim", "3", "--cells", "32", "--scene", "pool", "--solver",
                        "mgpcg", "--sweeps", "2", "--no-history", "--profile", "--seconds", "1")
    finally:
        del os.environ["FRESHET_PATH"]
    if data is None:
        return
    solver = data["results"][0]["solvers"][0]
    # both ways: 3 links of 2 bytes, excess, b, red x; an eighth of coarse x or b, with 8 of stencil;
    # x written
    finest = 2 * (3 * 2 + 4 + 4 + 2 + (4 + 8) / 8) + 4
    # 3 links of 4, excess, stencils of the next; b and x of the first; then 8, 4, 2 cells
    small = (16 + 1 + 8) / 8 + (16 + 1) / 64 + (16 + 1) / 512 + 16 / 4096
    # r.z, s = z + beta s, q = A s with s.q, the update; b - A x with r.r every third time
    rest = (2 + 3 + 2 + 8) * 4 + 10 + (10 + 4 * 4) / 3
    check(math.isclose(solver["bytes_per_unknown_and_iteration"], finest + small + rest, rel_tol=1e-9),
          "bytes by tiles", solver["bytes_per_unknown_and_iteration"], finest + small + rest)
    check(finest + small + rest <= 150, "at most 150 B per unknown and iteration", finest + small + rest)
    kernels = {k["name"]: k["launches"] for k in solver.get("kernels", [])}
    check(kernels["mg_go_down"] == kernels["mg_go_up"] == kernels["mg_small_tiles"] and
          "mg_smooth" not in kernels, "three launches in a cycle", kernels)


def test_profile(work):
    """Kernels of set-up and iterations: those that every solve needs, with their launches."""
    data, result = bench(work, "p.json", "--dim", "3", "--cells", "16", "--scene", "slabs",
                         "--solver", "mgpcg", "--solver", "cg", "--sweeps", "2", "--no-history",
                         "--profile")
    if data is None:
        return
    for solver in data["results"][0]["solvers"]:
        setup = {k["name"]: k for k in solver["setup_kernels"]}
        if not check("kernels" in solver, "the solve converges in its time", solver):
            return
        kernels = {k["name"]: k for k in solver["kernels"]}
        check(setup["components_join"]["launches"] == 1, "components are made once", setup)
        check("cg_multiply" not in setup and "components_join" not in kernels,
              "set-up and iterations are apart", setup, kernels)
        # a batch of iterations may go beyond the last that counts
        check(1 <= kernels["cg_multiply"]["launches"] < 2, "a product per iteration", kernels)
        check(kernels["cg_multiply"]["launches"] == kernels["cg_update"]["launches"],
              "as many updates", kernels)
        # of the first solve, which may be slower than the median of several
        check(sum(k["ms"] for k in kernels.values()) <=
              3 * solver["ms_per_iteration"] + kernels["pressure_rhs"]["ms"],
              "kernels take no longer than the solve", solver)
        check(("mg_small_levels" in kernels) == (solver["name"] == "mgpcg"),
              "only multigrid has levels", kernels)
    check("mgpcg V(2,2), kernels of the set-up:" in result.stdout and
          "cg, kernels per iteration:" in result.stdout, "the tables are printed", result.stdout)
    data, result = bench(work, "q.json", "--dim", "2", "--cells", "16", "--scene", "pool",
                         "--solver", "cg", "--no-history")
    check(data is not None and "kernels" not in data["results"][0]["solvers"][0] and
          "per iteration:" not in result.stdout, "without the option there are none", result)


def test_refused(work):
    refused(freshet("bench", "--pressure", "--scene", "pol"), "pol", "pool", "sealed")
    refused(freshet("bench", "--pressure", "--solver", "sor"), "sor", "gauss-seidel")
    refused(freshet("bench", "--pressure", "--steps", "3"), "--steps", "--pressure")
    refused(freshet("bench", "--scene", "pool"), "--scene", "--pressure")
    refused(freshet("bench", "--pressure", "--sweeps", "0"), "--sweeps", "from 1")
    result = freshet("bench", "--pressure", "-o", os.path.join(work, "none", "x.json"))
    check(result.returncode == 1 and "none" in result.stderr, "no such folder", result)
    result = freshet("bench", "--help")
    check(result.returncode == 0 and "--pressure" in result.stdout, "bench --help", result)


def main():
    with tempfile.TemporaryDirectory() as work:
        for test in (test_refused, test_scenes, test_choices, test_tiles, test_profile):
            Count.section = test.__name__
            test(work)
    print(f"{Count.passed} passed, {Count.failed} failed")
    return 1 if Count.failed or not Count.passed else 0


if __name__ == "__main__":
    sys.exit(main())
