#!/usr/bin/env python3
"""Tests of the built program on devices that offer less: memory, work-groups.

usage: limits.py PROGRAM SCENES_DIR
"""
import os
import re
import resource
import sys

from cli_support import check, freshet, refused, run_tests, skip, tree, write

BOX = """version: 1
name: full box
domain: {size: [1, 1, 1], cells: 8}
liquids:
  - {name: water, box: {min: [0, 0, 0], max: [1, 1, 1]}}
"""
DAM = """version: 1
name: small dam
domain: {size: [2.0, 1.0], cells: 32}
time: {frames: 1, fps: 24}
liquids:
  - {name: column, box: {min: [0, 0], max: [0.5, 0.5]}}
solids:
  - {name: ball, sphere: {center: [1.2, 0.2], radius: 0.15}}
"""
SMALL = {"POCL_MEMORY_LIMIT": "1"}  # GiB


def needs(work, *sets):
    """Bytes in all and of the largest buffer, as check prints them (MiB for the second)."""
    result = freshet("check", "box.yaml", *sets, cwd=work)
    total = re.search(r"total +(\d+) B = [\d.]+ MiB, largest buffer ([\d.]+) MiB", result.stdout)
    check(result.returncode == 0 and total, "check prints the memory", result)
    return int(total[1]), float(total[2]) * 2**20


def test_memory(work):
    """What does not fit is refused before anything is computed, and the grid that is named is the
    largest that check says will fit."""
    write(os.path.join(work, "box.yaml"), BOX)
    devices = freshet("devices", env=SMALL).stdout
    seen = re.search(r"memory +(\d+) MiB, largest buffer (\d+) MiB", devices)
    if "Portable Computing Language" not in devices or not seen or int(seen[1]) != 1024:
        skip("memory can be limited on PoCL only")
        return
    total, buffer = int(seen[1]) * 2**20, int(seen[2]) * 2**20

    def fits(cells, *sets):
        most, largest = needs(work, "--set", f"domain.cells={cells}", *sets)
        return most <= total and largest <= buffer + 2**16  # largest is rounded to 0.1 MiB

    cases = [
        # the grid's scratch outgrows the largest buffer
        (250, []),
        # 18 particles per cell: positions fit in a buffer, all together do not
        (100, ["--set", "liquid.particles_per_cell=18"]),
        # the grid alone needs a tenth: it is the particles that do not fit
        (96, ["--set", "liquid.particles_per_cell=64"]),
    ]
    for cells, sets in cases:
        result = freshet("run", "box.yaml", "-o", "out", "--frames", "0", "--set",
                         f"domain.cells={cells}", *sets, cwd=work, env=SMALL)
        refused(result, "not enough device memory", "the largest grid that fits has", code=1)
        told = re.search(r"(\d+) MiB needed \(0 MiB in use\), the largest buffer needs (\d+) MiB; .* "
                         r"has (\d+) MiB, at most (\d+) MiB per buffer", result.stderr)
        if check(told, f"{cells} cells: what is needed, what there is", result):
            told = [int(number) for number in told.groups()]
            most, largest = needs(work, "--set", f"domain.cells={cells}", *sets)
            # the particles that are sure, nineteen in twenty, count
            check(0.94 * most < told[0] * 2**20 < most + 2**20 and
                  0.94 * largest < told[1] * 2**20 < largest + 2**20 and
                  told[2:] == [int(seen[1]), int(seen[2])], f"{cells} cells: the numbers", told, most)
        named = re.search(r"has (\d+) cells along x \((\d+) x (\d+) x (\d+)\)", result.stderr)
        if not check(named and len(set(named.groups())) == 1, f"{cells} cells: a grid", result):
            continue
        best = int(named[1])
        check(8 < best < cells and fits(best, *sets) and not fits(best + 1, *sets),
              f"{cells} cells: {best} are the most", result)
        check(not os.path.exists(os.path.join(work, "out")), "no output folder")


def test_huge(work):
    """BL-067: sizes beyond 32 bits are seen, soon, and nothing is allocated for them."""
    write(os.path.join(work, "box.yaml"), BOX)
    # The second is refused by what the device has, before its kernels are built: with none yet.
    cache = os.path.join(work, "cache")
    os.mkdir(cache)
    env = {**SMALL, "POCL_CACHE_DIR": cache}
    rows = [(2000, 2, (), ("8012006001 lattice points",)),
            # more particles than any device could have
            (800, 2, (), ("too many", "the largest grid that fits has")),
            (800, 2, ("--resume",), ("too many", "the largest grid that fits has")),
            # the grid would fit; of its particles only a sample is looked at
            (160, 1, (), ("MiB", "the largest grid that fits has"))]
    if "Portable Computing Language" not in freshet("devices", env=env).stdout:
        skip("memory can be limited on PoCL only")
        del rows[1:]
    for cells, code, more, words in rows:
        result = freshet("run", "box.yaml", "-o", "out", "--frames", "0", *more, "--set",
                         f"domain.cells={cells}", cwd=work, env=env)
        refused(result, *words, code=code, seconds=5)
        check(not os.path.exists(os.path.join(work, "out")), f"{cells} cells: no output folder")
    # What no device can number is bad input, whichever command meets it.
    write(os.path.join(work, "flat.yaml"),
          "version: 1\nname: flat\ndomain: {size: [8192, 8192], cells: 8192}\n"
          "liquids: [{box: {min: [0, 0], max: [8192, 8192]}}]\n")
    for command in (["check"], ["run", "-o", "out"]):
        refused(freshet(*command, "flat.yaml", cwd=work, env=env), "268435456 particles",
                "at most 134217727", seconds=5)
    # Proportions that allow no coarser grid: half of them is thrice too much.
    if len(rows) > 1:
        result = freshet("run", "box.yaml", "-o", "out", "--set", "domain.size=[4,4,0.0009765625]",
                         "--set", "domain.cells=[4096,4096,1]", cwd=work, env=env)
        refused(result, "MiB", "no coarser grid", code=1, seconds=5)
        named = re.search(r"a domain of (\d+) x (\d+) x 1 fits", result.stderr)
        check(named and named[1] == named[2] and 256 < int(named[1]) < 4096, "a smaller one", result)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    check(most < 500, "memory of the host, MiB", most)
    result = freshet("check", "box.yaml", "--set", "domain.cells=160", cwd=work, env=env)
    check(result.returncode == 0 and result.seconds < 5, "check", result, result.seconds)
    compiled = [name for name in tree(cache) if name.endswith((".bc", ".so", ".o"))]
    check(not compiled, "no kernel was compiled", compiled)


def test_pictures(work):
    """check counts the memory of pictures where there are any."""
    write(os.path.join(work, "dam.yaml"), DAM)
    result = freshet("check", "dam.yaml", cwd=work)
    check(result.returncode == 0 and "pictures" not in result.stdout, "without pictures", result)
    result = freshet("check", "dam.yaml", "--set", "output.png.size=[640, 320]", cwd=work)
    lines = re.search(r"total +(\d+) B.*\n +pictures +(\d+) B = [\d.]+ MiB, together ([\d.]+) MiB",
                      result.stdout)
    if check(lines, "with pictures", result):
        # a word per pixel and its cover at least, no more than the 20 bytes of docs/memory.md
        check(8 <= int(lines[2]) / (640 * 320) < 20, "bytes per pixel", lines[0])
        together = (int(lines[1]) + int(lines[2])) / 2**20
        check(abs(together - float(lines[3])) < 0.06, "together", lines[0])
    write(os.path.join(work, "deep.yaml"),
          "version: 1\nname: deep\ndomain: {size: [1, 1, 1], cells: 32}\noutput: {mesh: {}}\n")
    result = freshet("check", "deep.yaml", cwd=work)
    lines = re.search(r"surface for meshes +(\d+) B", result.stdout)
    # docs/memory.md: 13 B per node of a lattice with one layer around, 5 per cell
    if check(lines, "with meshes", result):
        check(abs(int(lines[1]) / (13 * 35**3 + 5 * 33**3) - 1) < 0.05, "their bytes", lines[0])


def test_work_groups(work):
    """Groups shrink to what kernels allow, without a change of bits."""
    write(os.path.join(work, "dam.yaml"), DAM)
    devices = freshet("devices", env={"POCL_MAX_WORK_GROUP_SIZE": "16"}).stdout
    if "work-groups up to 16\n" not in devices:
        skip("work-groups can be limited on PoCL only")
        return
    hashes = []
    for number, env in enumerate([{}, {"POCL_MAX_WORK_GROUP_SIZE": "16"}]):
        out = f"out{number}"
        result = freshet("run", "dam.yaml", "-o", out, cwd=work,
                         env={**env, "FRESHET_SPLAT": "brick"})
        check(result.returncode == 0, f"a run with {env}", result)
        hashes.append(freshet("hash", out, cwd=work).stdout)
    check(hashes[0] and hashes[0] == hashes[1], "the same hashes", hashes)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
