"""What a substep costs in numbers that no machine changes: launches, waits, fills, bytes, atomics.

usage: counts.py PROGRAM SCENES_DIR KERNEL_COUNTS INTERPOSER [TEST...]

KERNEL_COUNTS runs the kernels as C, which count what they do to memory (accesses.h); INTERPOSER counts the calls
of OpenCL that PROGRAM makes.  docs/benchmark.md says what the numbers mean.
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "program"))
COUNTS, INTERPOSER = (os.path.abspath(sys.argv.pop(3)) for _ in range(2))

from cli_support import SCENES, check, freshet, read, run_tests, skip, write  # noqa: E402  (reads the arguments left)

# A box of n^D cells half full, as `freshet bench` has it.
HALF = """version: 1
name: half full
domain: {{size: [{size}], cells: {cells}, walls: {{y+: open}}}}
liquid: {{transfer: flip}}
liquids: [{{name: column, box: {{min: [{low}], max: [{high}]}}}}]
"""


def half_full(dim, cells):
    return HALF.format(size=", ".join(["1"] * dim), cells=cells, low=", ".join(["0"] * dim),
                       high=", ".join(["0.5"] + ["1"] * (dim - 1)))


def counted(scene, skip_steps, steps, path="gpu"):
    """Means per substep, kernels by name."""
    result = subprocess.run([COUNTS, scene, str(skip_steps), str(steps)], capture_output=True, text=True,
                            env={**os.environ, "FRESHET_PATH": path}, check=False)
    if not check(result.returncode == 0, "counted", result):
        sys.exit(1)
    counts = json.loads(result.stdout)
    counts["kernels"] = {kernel["name"]: kernel for kernel in counts["kernels"]}
    return counts


def at_most(what, value, bar):
    print(f"    {what}: {value:.4g}, bar {bar}")
    check(value <= bar, f"{what} at most {bar}", value)


def test_known(work):
    """The counting itself, by kernels whose accesses follow from what they do."""
    write(f"{work}/s.yaml", half_full(2, 32))
    kernels = counted(f"{work}/s.yaml", 1, 4)["kernels"]
    n = 32 * 16 * 4  # particles
    collect = kernels["particles_collect"]
    # order, x, v, id read; x, v, id written; besides, how many are kept is read, and two maxima are taken
    check(collect["read_bytes"] == 4 * n * 6 + 12 and collect["written_bytes"] == 4 * n * 5 + 8,
          "bytes of the last pass of the sort", collect)
    check(collect["stores"] - collect["atomics"] == 5 * n, "its stores", collect)
    count = kernels["particles_count"]
    check(count["atomics"] == n, "an atomic for each particle that is counted", count)


def test_bars(_work):
    """A substep of a small dam on the path of GPUs, where each launch costs microseconds."""
    counts = counted(os.path.join(SCENES, "dam_break_2d.yaml"), 10, 20)
    at_most("launches", counts["launches"], 200)
    at_most("waits", counts["waits"], 10)


def test_bytes(work):
    """A substep of a larger box, where each byte costs."""
    write(f"{work}/s.yaml", half_full(3, 32))
    counts = counted(f"{work}/s.yaml", 1, 1)
    kernels, cells, particles = counts["kernels"], counts["liquid_cells"], counts["particles"]
    moved = sum(kernel["read_bytes"] + kernel["written_bytes"] for kernel in kernels.values())
    at_most("bytes a liquid cell", moved / cells, 5200)
    at_most("bytes filled a point", counts["filled_bytes"] / counts["lattice_points"], 48)
    at_most("global atomics a particle", sum(kernel["atomics"] for kernel in kernels.values()) / particles, 2)
    at_most("local atomics a particle, P2G", kernels["transfer_p2g_brick"]["local_atomics"] / particles, 40)
    at_most("local atomics a particle, density", kernels["levelset_density_brick"]["local_atomics"] / particles, 4)


def test_interposer(work):
    """The program counts the commands that OpenCL gets."""
    write(f"{work}/s.yaml", half_full(2, 32) + "time: {frames: 2, fps: 60}\n")
    result = freshet("run", "s.yaml", "-o", "out", "-d", "cpu", "--profile", cwd=work,
                     env={"LD_PRELOAD": INTERPOSER, "COUNTED_CALLS": f"{work}/calls.json"})
    if not os.path.exists(f"{work}/calls.json"):
        skip("nothing can be loaded before the program")
        return
    calls = json.loads(read(f"{work}/calls.json"))
    kernels = {k["name"]: k["launches"] for k in json.loads(read(f"{work}/out/run.json"))["kernels"]}
    check(result.returncode == 0 and calls["kernels"] > 300, "a run", result, calls)
    check(calls["fills"] == kernels.pop("(fill)", 0), "fills", calls)
    check(calls["copies"] == kernels.pop("(copy)", 0), "copies", calls)
    check(calls["kernels"] == sum(kernels.values()), "kernels", calls, sum(kernels.values()))


def test_commands(work):
    """A run's counts by stage add up to what its kernels say, and the same work takes the same commands again."""
    write(f"{work}/s.yaml", half_full(2, 32) + "time: {frames: 2, fps: 60}\n")
    rows = []
    for n in range(2):
        freshet("run", "s.yaml", "-o", f"out_{n}", "-d", "cpu", "--profile", cwd=work)
        run = json.loads(read(f"{work}/out_{n}/run.json"))
        rows.append(run["commands"])
    inside = sum(row["launches"] for row in rows[0])
    total = sum(kernel["launches"] for kernel in run["kernels"])
    check(0.8 * total < inside <= total, "launches of stages and of all", inside, total)
    check(rows[0] == rows[1], "the same commands", rows)
    check(sum(row["waits"] for row in rows[0]) > 0 and sum(row["filled_bytes"] for row in rows[0]) > 0, "waits and fills",
          rows[0])


if __name__ == "__main__":
    run_tests(globals())
