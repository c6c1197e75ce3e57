#!/usr/bin/env python3
"""Tests that tools/golden tells a run without an end from one with a wrong hash.

usage: golden_timeouts.py PROGRAM SCENES_DIR [TEST...]
"""
import os
import re
import subprocess
import sys

from cli_support import SCENES, check, run_tests, write

GOLDEN = os.path.join(SCENES, "..", "tools", "golden")
HASH = "0123456789abcdef"


def golden(work, name, script, *arguments):
    """The tool with a program that is a shell script; $1 is the command."""
    path = os.path.join(work, name)
    write(path, f'#!/bin/sh\n[ "$1" = devices ] && exit 0\n{script}\n')
    os.chmod(path, 0o755)
    return subprocess.run([sys.executable, GOLDEN, path, "--only", "tiny_2d", *arguments], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)


def check_timeouts(result, ran):
    lines = [line for line in result.stdout.splitlines() if line.startswith("TIMEOUT tiny_2d")]
    counts = re.search(r"^(\d+) passed, (\d+) failed, \d+ skipped$", result.stdout.splitlines()[-1])
    check(result.returncode == 1 and counts, "fails, with a count", result)
    check(len(lines) == int(counts[2]) > 2 and counts[1] == "0", "each is a TIMEOUT", result)
    check("FAIL" not in result.stdout and "expected" not in result.stdout, "no word on hashes", result)
    check(sum("no end after" in line for line in lines) >= ran and
          sum("not run, the budget is used up" in line for line in lines) > 0, "which ran", result)


def test_run_without_end(work):
    check_timeouts(golden(work, "slow_run", "exec sleep 60", "--budget", "1"), 1)


def test_hash_without_end(work):
    check_timeouts(golden(work, "slow_hash", '[ "$1" = run ] || exec sleep 60', "--budget", "1"), 1)


def test_wrong_hash(work):
    result = golden(work, "wrong", f'[ "$1" = run ] || for i in $(seq 0 99); do echo $i {HASH}; done')
    check(result.returncode == 1 and f"{HASH}: every way" in result.stdout and "FAIL tiny_2d" in result.stdout and
          "TIMEOUT" not in result.stdout, "a wrong hash is one", result)


sys.exit(run_tests(globals()))
