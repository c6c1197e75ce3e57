#!/usr/bin/env python3
"""Tests that documents have what the program prints: the tables of keys in docs/scene.md of
`freshet check --keys`, the stages in docs/stages.md of `freshet stages` for each method.

usage: printed_docs.py PROGRAM SCENES_DIR [--bless]

A table of keys starts after `<!-- keys PLACE -->` and ends with its last row; the stages stand between
fences, a method after the other.  --bless writes what the program prints into the documents.
"""
import os
import re
import sys

from cli_support import check, freshet, run_tests

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
SCENE, STAGES = os.path.join(DOCS, "scene.md"), os.path.join(DOCS, "stages.md")
TABLE = re.compile(r"^(<!-- keys .*? -->)\n((?:\|.*\n)*)", re.M)


FENCE = re.compile(r"^```\n(.*?)^```\n", re.M | re.S)


def printed_stages():
    """Of every method of the program, the default first."""
    refusal = freshet("stages", "--method", "?").stderr
    known = re.search(r"\(known: (.*)\)", refusal)
    check(known and "flip, grid, sph" in known[1], "names of methods", refusal)
    return [freshet("stages", "--method", name).stdout for name in known[1].split(", ")]


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def bless():
    """The tables whose places the document has; what it lacks is for a writer to place."""
    tables = dict(TABLE.findall(freshet("check", "--keys").stdout))
    text = TABLE.sub(lambda table: f"{table[1]}\n{tables.get(table[1], '')}", text_of(SCENE))
    printed = iter(printed_stages())
    stages = FENCE.sub(lambda _: f"```\n{next(printed)}```\n", text_of(STAGES))
    for path, new in [(SCENE, text), (STAGES, stages)]:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)


def test_tables(_):
    result = freshet("check", "--keys")
    check(result.returncode == 0 and not result.stderr, "prints the keys", result)
    printed, written = dict(TABLE.findall(result.stdout)), TABLE.findall(text_of(SCENE))
    check(len(printed) > 10 and result.stdout.count("<!--") == len(printed), "tables", result)
    check(sorted(printed) == sorted(place for place, _ in written), "docs/scene.md has each table once",
          set(printed) ^ {place for place, _ in written})
    for place, table in written:
        theirs, ours = printed.get(place, "").split("\n"), table.split("\n")
        check(theirs == ours, f"docs/scene.md, {place}: run this test with --bless",
              *[line for line in theirs if line not in ours], "docs/scene.md has",
              *[line for line in ours if line not in theirs])


def test_stages(_):
    printed = printed_stages()
    check(printed[0] == freshet("stages").stdout, "the default is the first", printed)
    check(FENCE.findall(text_of(STAGES)) == printed, "docs/stages.md: run this test with --bless", *printed)


if __name__ == "__main__":
    if sys.argv[3:] == ["--bless"]:
        bless()
    else:
        sys.exit(run_tests(globals()))
