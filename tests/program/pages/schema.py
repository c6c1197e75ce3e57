#!/usr/bin/env python3
"""What editors, man(1) and CI read: the JSON Schema of scenes, the manual page, the JUnit XML of a validation.

usage: schema.py PROGRAM SCENES_DIR [TEST...]
"""
import copy
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

from pages_support import DEBIAN

from cli_support import PROGRAM, SCENES, check, freshet, read, refused, run_tests, skip, write

sys.path.append(DEBIAN)
try:
    import jsonschema
    import yaml
except ImportError:
    jsonschema = None

SMALL = os.path.join(SCENES, "..", "tests", "scenes_small")


def schema():
    return json.loads(freshet("check", "--schema").stdout)


def test_schema_is_whole(work):
    """Every key of the documentation is in it, and whatever it points to."""
    text = freshet("check", "--schema").stdout
    whole = json.loads(text)
    names = set(whole["definitions"])
    pointed = set(re.findall(r'"#/definitions/(\w+)"', text))
    check(pointed <= names, "what is pointed to is there", pointed - names)
    sections = [whole, *whole["definitions"].values()]
    properties = {key for section in sections for key in section["properties"]}
    check(all(section["additionalProperties"] is False for section in sections), "other keys are refused")
    documented = {key.split(".")[-1] for line in freshet("check", "--keys").stdout.splitlines()
                  for key in re.findall(r"^\| `([\w.+-]+)` ", line) if "✗ not supported yet" not in line}
    check(len(documented) > 150 and documented <= properties, "all documented keys", documented - properties)


def test_schema_takes_scenes(work):
    if not jsonschema:
        skip("python3-jsonschema or python3-yaml is not installed")
        return
    whole = schema()
    jsonschema.Draft7Validator.check_schema(whole)
    validator = jsonschema.Draft7Validator(whole)
    paths = glob.glob(f"{SCENES}/**/*.yaml", recursive=True) + glob.glob(f"{SMALL}/*.yaml")
    check(len(paths) > 40, "scenes are there", len(paths))
    for path in paths:
        with open(path, encoding="utf-8") as file:
            errors = [error.message[:200] for error in validator.iter_errors(yaml.safe_load(file))]
        check(errors == [], path, errors)


# What a scene cannot be: a change of dam_break_2d, which the program refuses as well.
WRONG = [
    ("time.fps=fast", lambda scene: scene["time"].update(fps="fast")),
    ("time.cfl=-1", lambda scene: scene["time"].update(cfl=-1)),
    ("time.frams=3", lambda scene: scene["time"].update(frams=3)),
    ("solver.pressure=magic", lambda scene: scene.update(solver={"pressure": "magic"})),
    ("solver.separation=7", lambda scene: scene.update(solver={"separation": 7})),
    ("method=dreams", lambda scene: scene.update(method="dreams")),
    ("liquid.particles_per_cell=4.5", lambda scene: scene.update(liquid={"particles_per_cell": 4.5})),
    ("output.png.view=sideways", lambda scene: scene["output"].update(png={"view": "sideways"})),
]


def test_schema_refuses(work):
    if not jsonschema:
        skip("python3-jsonschema or python3-yaml is not installed")
        return
    validator = jsonschema.Draft7Validator(schema())
    path = f"{SCENES}/dam_break_2d.yaml"
    with open(path, encoding="utf-8") as file:
        scene = yaml.safe_load(file)
    for text, spoil in WRONG:
        spoilt = copy.deepcopy(scene)
        spoil(spoilt)
        check(not validator.is_valid(spoilt), f"schema refuses {text}")
        refused(freshet("check", path, "--set", text), "")


def test_manual(work):
    page = freshet("--man").stdout
    usage = freshet("--help").stdout.split("commands:")[1]
    commands = re.findall(r"^  (\w+) ", usage, re.M)
    check(len(commands) > 12 and re.findall(r"^\.SS (\w+)$", page, re.M) == commands, "every command", commands)
    bare = page.replace("\\-", "-").replace("\\(aq", "'").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "")
    for command in commands:
        for option in re.findall(r"--[a-z-]+", freshet(command, "--help").stdout.split("Options:")[1]):
            check(option in bare, f"{command} {option}")
    if not shutil.which("mandoc"):
        skip("mandoc is not installed")
        return
    result = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=page, stdout=subprocess.PIPE, text=True, check=False)
    found = [line for line in result.stdout.splitlines() if "missing date" not in line]
    check(found == [], "mandoc has nothing to say", found[:5])


def suites(path):
    return xml.etree.ElementTree.fromstring(read(path))


def test_junit(work):
    result = freshet("validate", "free-fall", "--level", "1", "-d", "native", "-o", f"{work}/report", "--junit", f"{work}/out.xml")
    check(result.returncode == 0, "a case", result)
    root, report = suites(f"{work}/out.xml"), json.loads(read(f"{work}/report/report.json"))
    case = report["cases"][0]
    banded = [one for one in case["criteria"] if one["verdict"] != "no band"]
    check([one.get("name") for one in root.iter("testcase")] == [one["what"] for one in banded], "a test a criterion")
    check((root.get("tests"), root.get("failures"), root.get("errors")) == (str(len(banded)), "0", "0"), "counts", root.attrib)
    check([one.get("name") for one in root] == ["free-fall"], "a suite a case")


def test_junit_failure(work):
    """A case that cannot be run is an error, and the file is there."""
    result = freshet("validate", "free-fall", "--level", "1", "-d", "native", "-o", f"{work}/report", "--junit",
                     f"{work}/out.xml", env={"FRESHET_FAULT": "stage@p2g:1"})
    root = suites(f"{work}/out.xml")
    check(result.returncode == 1 and int(root.get("errors")) + int(root.get("failures")) > 0, "an error", root.attrib, result)
    messages = [one.get("message") for one in root.iter() if one.tag in ("error", "failure")]
    check(messages and all(messages), "with its reason", messages)
    refused(freshet("validate", "free-fall", "--level", "1", "-d", "native", "-o", f"{work}/report", "--junit",
                    f"{work}/none/out.xml"), "none/out.xml", code=1)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
