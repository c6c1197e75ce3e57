"""The package as it is installed, its example, and what its documents say."""
import glob
import inspect
import os
import re
import subprocess
import sys

import pytest

import freshet
from conftest import SOURCE

EXAMPLE = os.path.join(SOURCE, "python", "examples", "drop_and_pool.py")
FULL = os.environ.get("FRESHET_TEST_FULL", "") not in ("", "0")


def run_example(path):
    result = subprocess.run([sys.executable, EXAMPLE, "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "PYTHONPATH": path, "FRESHET_DEVICE": "native"}, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def test_example():
    lines = run_example(os.environ["PYTHONPATH"])
    assert [line.split()[1] for line in lines[:2]] == ["1", "2"] and re.search(r"hash [0-9a-f]{16}$", lines[1])
    # the pool is 0.25 m deep and the drop's area is pi / 100 m2, all 1 m wide; half a cell is 0.008 m
    assert abs(float(lines[2].split()[-2]) - 0.25 - 0.0314) < 0.01, lines[2]


def test_all_is_documented():
    """Each name that is exported, and each of its methods, has words of its own and is in docs/python.md."""
    with open(os.path.join(SOURCE, "docs", "python.md"), encoding="utf-8") as file:
        page = file.read()
    for name in freshet.__all__:
        thing = getattr(freshet, name)
        assert name in page or name in ("Device", "Error", "Mesh", "Statistics", "version"), name
        if inspect.isclass(thing) or inspect.isroutine(thing):
            assert inspect.getdoc(thing) and name in ("Error",) or inspect.getdoc(thing) != inspect.getdoc(RuntimeError)
        for word, member in inspect.getmembers(thing) if inspect.isclass(thing) else []:
            if not word.startswith("_") and inspect.isfunction(member):
                assert inspect.getdoc(member), f"{name}.{word}"


@pytest.mark.skipif(not FULL, reason="minutes long: FRESHET_TEST_FULL=1")
def test_wheel(tmp_path):
    """What pip makes of the sources, with Debian's packages and without an index, installed and run."""
    pip = [sys.executable, "-m", "pip"]
    wheels, site = str(tmp_path / "wheels"), str(tmp_path / "site")
    subprocess.run([*pip, "wheel", "--no-build-isolation", "--no-index", "--no-deps", "-w", wheels, SOURCE], check=True,
                   timeout=800)
    wheel, = glob.glob(wheels + "/freshet-*.whl")
    subprocess.run([*pip, "install", "--no-index", "--no-deps", "--target", site, wheel], check=True, timeout=100)
    assert len(run_example(site)) == 4
