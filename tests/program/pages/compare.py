#!/usr/bin/env python3
"""`freshet compare`: equal runs, runs changed by hand in one place, tolerances, refusals.

usage: compare.py PROGRAM SCENES_DIR [TEST...]
"""
import os
import shutil
import struct
import sys
import zlib

from pages_support import files, make_run

from cli_support import check, freshet, read, refused, rows, run_tests, write


def change(path, line, column, value):
    """A field of a table; the line counts from 0 behind the names."""
    table = [row.split(",") for row in read(path).decode().splitlines()]
    table[line + 1][table[0].index(column)] = value
    write(path, "".join(",".join(row) + "\n" for row in table))


def pair(work):
    one, other = make_run(work, "a"), f"{work}/b"
    shutil.copytree(one, other)
    return one, other


def picture(path, add):
    """Writes a PNG anew with `add` on one byte of a pixel, without filters: 8 bits, RGB."""
    data, at, pixels = read(path), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
            header = body
        if kind == b"IDAT":
            pixels += body
        at += 12 + length
    raw, out, before = zlib.decompress(pixels), [], bytearray(3 * width)
    for y in range(height):
        kind, line = raw[y * (3 * width + 1)], bytearray(raw[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)])
        for i in range(3 * width):
            a, b, c = line[i - 3] if i > 2 else 0, before[i], before[i - 3] if i > 2 else 0
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[i] = line[i] + (0, a, b, (a + b) // 2, nearest)[kind] & 255
        out.append(line)
        before = line
    out[height // 2][4] += add if out[height // 2][4] < 128 else -add
    chunk = lambda kind, body: struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    with open(path, "wb") as file:
        file.write(data[:8] + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + line for line in out))) +
                   chunk(b"IEND", b""))


def test_equal(work):
    one = make_run(work, "a")
    other = make_run(work, "b")  # run again: other times on the clock, all else the same
    before = files(work)
    result = freshet("compare", one, other)
    check(result.returncode == 0 and result.stdout.endswith("the runs are the same\n"), "the same", result)
    check("!" not in result.stdout and "4 frames have the same bits" in result.stdout, "nothing differs", result)
    check(freshet("compare", one, other, "-q").stdout == "", "--quiet")
    check(files(work) == before, "nothing is written")


def test_each_part(work):
    """One thing changed, and it is named."""
    one, other = pair(work)
    stats = rows(f"{one}/stats.csv")
    last = len(stats) - 1

    def differs(*words):
        result = freshet("compare", one, other)
        lines = [line for line in result.stdout.splitlines() if line.startswith("!")]
        check(result.returncode == 1 and len(lines) == 1 and all(word in lines[0] for word in words), words, result)
        shutil.rmtree(other)
        shutil.copytree(one, other)

    change(f"{other}/stats.csv", 2, "kinetic_energy", "1e9")
    differs("stats.csv", "kinetic_energy", f"1 of {len(stats)} rows", "frame 1")
    change(f"{other}/stats.csv", 2, "kinetic_energy", "")
    differs("kinetic_energy", "(empty)")
    change(f"{other}/stats.csv", last, "hash", "0" * 16)
    differs("hashes", "1 of 4 frames", "frame 3")
    value = rows(f"{one}/probes.csv")[2]["gate"]
    change(f"{other}/probes.csv", 2, "gate", value[:-1] + chr(ord(value[-1]) ^ 1))
    differs("probes.csv", "gate", "1 of 4 rows", "frame 2")
    picture(f"{other}/frames/frame_000001.png", 1)
    differs("pictures", "1 of 4", "frame 1", "1 levels")
    os.remove(f"{other}/frames/frame_000002.png")
    differs("pictures", "1 in A alone")
    os.remove(f"{other}/probes.csv")
    differs("probes.csv", "in A alone")
    table = read(f"{other}/stats.csv").decode().splitlines()
    write(f"{other}/probes.csv", read(f"{other}/probes.csv").decode().replace("gate", "door", 1))
    result = freshet("compare", one, other)
    check(result.returncode == 1 and "'gate' in A alone" in result.stdout and "'door' in B alone" in result.stdout, "columns", result)
    shutil.rmtree(other)
    shutil.copytree(one, other)
    middle = next(i for i, row in enumerate(stats) if row["frame"] == "2" and not row["hash"])
    del table[middle + 1]
    write(f"{other}/stats.csv", "\n".join(table) + "\n")
    differs("stats.csv", f"{last} rows in both", "1 in A alone")


def test_times_do_not_count(work):
    one, other = pair(work)
    for column in ("ms_total", "ms_pressure"):
        change(f"{other}/stats.csv", 1, column, "123456")
    check(freshet("compare", one, other).returncode == 0, "times on the clock")


def test_pictures_by_pixel(work):
    """Written in another way, but of the same pixels."""
    one, other = pair(work)
    picture(f"{other}/frames/frame_000001.png", 0)
    check(read(f"{one}/frames/frame_000001.png") != read(f"{other}/frames/frame_000001.png"), "other bytes")
    check(freshet("compare", one, other).returncode == 0, "the same picture")
    picture(f"{other}/frames/frame_000001.png", 7)
    for allowed, code in (("6", 1), ("7", 0)):
        check(freshet("compare", one, other, "-t", f"pictures={allowed}").returncode == code, f"{allowed} levels")


def test_without_tables(work):
    """Hashes are in run.json too."""
    one, other = (make_run(work, name, "--set", "output.stats=false", *more)
                  for name, more in (("a", ()), ("b", ("--set", "liquid.seed=2"))))
    check("4 frames have the same bits" in freshet("compare", one, one).stdout, "the same run")
    check("frames differ, from frame 0 on" in freshet("compare", one, other).stdout, "another run")


def test_tolerances(work):
    one, other = pair(work)
    last = len(rows(f"{one}/stats.csv")) - 1
    energy = float(rows(f"{one}/stats.csv")[last]["kinetic_energy"])
    change(f"{other}/stats.csv", last, "kinetic_energy", repr(energy + 0.5))
    change(f"{other}/stats.csv", last, "hash", "0" * 16)
    change(f"{other}/stats.csv", 1, "dt", "9")
    most = max(float(row["kinetic_energy"]) for row in rows(f"{one}/stats.csv"))
    for allowed, code in (("0.499", 1), ("0.501", 0), (f"{49.9 / most}%", 1), (f"{50.1 / most}%", 0)):
        result = freshet("compare", one, other, "--tolerance", f"kinetic_energy={allowed}")
        check(result.returncode == code, allowed, result)
    # What is not named is told, and does not count.
    result = freshet("compare", one, other, "-t", "kinetic_energy=1", "-t", "gate=0")
    check(result.returncode == 0 and "  hashes" in result.stdout and "within the tolerances" in result.stdout, "hashes", result)
    refused(freshet("compare", one, other, "-t", "hash=0"), "hash")
    # Runs with other steps, frame by frame.
    short = make_run(work, "c", "--set", "time.max_dt=0.005")
    check(freshet("compare", one, short).returncode == 1, "other steps")
    check(freshet("compare", one, short, "-t", "volume_error=50%", "-t", "h1=0.2").returncode == 0, "close enough")
    less = make_run(work, "d", "--frames", "2")
    result = freshet("compare", one, less, "-t", "h1=1")
    check(result.returncode == 1 and "1 in A alone" in result.stdout, "fewer frames", result)


def test_refused(work):
    one = make_run(work, "a")
    refused(freshet("compare", one), "two runs")
    refused(freshet("compare", one, one, one), "two directories")
    refused(freshet("compare", one, f"{work}/none"), "none", "no run")
    for bad in ("gate", "gate=", "=1", "gate=-1", "gate=x", "gate=1%%", "gate=nan", "pictures=5%"):
        refused(freshet("compare", one, one, "-t", bad), "--tolerance")
    refused(freshet("compare", one, one, "-t", "gatte=1"), "gatte")
    other = f"{work}/b"
    shutil.copytree(one, other)
    with open(f"{other}/frames/frame_000001.png", "wb") as file:
        file.write(b"no picture")
    refused(freshet("compare", one, other), "frame_000001.png", "no picture")
    write(f"{other}/stats.csv", "")
    refused(freshet("compare", one, other), "stats.csv")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
