"""What cli.py tests with: running the program, counting checks, reading its files."""
import csv
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

PROGRAM = os.path.abspath(sys.argv[1])
SCENES = os.path.abspath(sys.argv[2])
# where drivers keep compiled kernels, also when HOME is another
CACHE = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))

SCENE = """version: 1
name: small dam
domain: {size: [2.0, 1.0], cells: 16, walls: {y+: open}}
time: {frames: 3, fps: 24}
liquids:
  - {name: column, box: {min: [0, 0], max: [0.5, 0.5]}}
output:
  png: {size: [64, 32]}
  probes:
    - {name: gate, point: [0.25, 0.1], quantity: pressure}
    - {name: h1, column: [0.25], quantity: height}
    - {name: v, point: [0.25, 0.1], quantity: velocity}
"""
FILES = ["frames/frame_%06d.png", "log.txt", "probes.csv", "run.json", "stats.csv"]


class Count:
    """Of checks, over all tests; `section` is the test that runs."""
    passed = failed = skipped = 0
    section = ""


def check(condition, what, *seen):
    """Counts a check; prints it with what was seen if the condition does not hold."""
    if condition:
        Count.passed += 1
        return True
    Count.failed += 1
    print(f"FAIL [{Count.section}] {what}")
    for item in seen:
        if isinstance(item, subprocess.CompletedProcess):
            item = f"exit {item.returncode}\n{item.stdout[-1500:]}{item.stderr[-1500:]}"
        print("    " + str(item).replace("\n", "\n    "))
    return False


def skip(what):
    Count.skipped += 1
    print(f"SKIP [{Count.section}] {what}")


# Long forms wanted?  As full.h reads it.
FULL = os.environ.get("FRESHET_TEST_FULL", "") not in ("", "0")
# How many times as long everything may take: tools/check --patience.
PATIENCE = float(os.environ.get("FRESHET_TEST_PATIENCE") or 1)
# What has no end by then has none; in the long forms as much later as tools/check --full lets a test take.
SECONDS = (12000 if FULL else 1200) * PATIENCE
# The same for a process that has been told to end, and for files to come.
SECONDS_WAIT = 240 * PATIENCE


def freshet(*arguments, cwd=None, env=None, program=PROGRAM, timeout=SECONDS, **more):
    """Runs the program; returns the result with the seconds it took."""
    start = time.monotonic()
    result = subprocess.run([program, *arguments], cwd=cwd, env={**os.environ, **(env or {})},
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            errors="replace", timeout=timeout, **more)
    result.seconds = time.monotonic() - start
    return result


def refused(result, *words, code=2, seconds=None):
    """The program ended with `code` and an error that holds all the words."""
    ok = result.returncode == code and all(word in result.stderr for word in words)
    ok = ok and all(line.startswith("freshet: ") for line in result.stderr.splitlines()[:1])
    check(ok, f"exit {code}, message with {words}", result.args, result)
    if seconds:
        check(is_within(result.seconds, seconds), f"within {seconds} s", result.seconds)


def is_within(seconds, limit):
    """Did it take less than promised?  If other programs have the processors just now, all takes longer."""
    if seconds < limit * PATIENCE:
        return True
    start, work = time.monotonic(), time.process_time()
    while time.process_time() - work < 0.3:
        pass
    return seconds < limit * PATIENCE * (time.monotonic() - start) / 0.3


def tree(folder):
    return sorted(os.path.relpath(os.path.join(base, name), folder)
                  for base, _, names in os.walk(folder) for name in names)


def expected_files(frames=range(4)):
    return sorted([FILES[0] % frame for frame in frames] + FILES[1:])


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def png_is_whole(path):
    """Signature, every chunk's checksum, and pixel data of the size that the header states."""
    data = read(path)
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return False
    at, pixels, kind, size = 8, b"", b"", None
    while at + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] != zlib.crc32(kind + body):
            return False
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        if kind == b"IDAT":
            pixels += body
        at += 12 + length
    return kind == b"IEND" and len(zlib.decompress(pixels)) == size[1] * (1 + 3 * size[0])


def is_whole(folder):
    """Every file of a run decodes; returns what does not."""
    bad = []
    for name in tree(folder):
        path = os.path.join(folder, name)
        try:
            if name.endswith(".png") and not png_is_whole(path):
                bad.append(name)
            if name.endswith(".h5") and freshet("hash", path).returncode != 0:
                bad.append(name)
            if name.endswith(".json"):
                json.loads(read(path))
            if name.endswith(".csv"):
                table = list(csv.reader(read(path).decode().splitlines()))
                if read(path)[-1:] != b"\n" or len({len(row) for row in table}) != 1:
                    bad.append(name)
        except (ValueError, struct.error, zlib.error) as error:
            bad.append(f"{name}: {error}")
    return bad


def wait_for(condition):
    end = time.monotonic() + SECONDS_WAIT
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)


def run_tests(names):
    """Runs the functions test_* among a module's globals, each in a folder of its own, or those that
    the command line names; the program's exit code."""
    only = sys.argv[3:]
    scratch = tempfile.mkdtemp(prefix="freshet_program_")
    try:
        for name, test in list(names.items()):
            if not name.startswith("test_") or only and name not in only:
                continue
            Count.section = name[5:]
            work = os.path.join(scratch, Count.section)
            os.mkdir(work)
            start = time.monotonic()
            try:
                test(work)
            except Exception as error:  # a failure like others: go on with the next test
                check(False, f"the test itself broke: {error!r}")
            print(f"{Count.section}: {time.monotonic() - start:.1f} s", flush=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{Count.passed} passed, {Count.failed} failed, {Count.skipped} skipped")
    return 1 if Count.failed else 0
