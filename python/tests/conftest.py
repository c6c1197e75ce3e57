"""What the tests of the Python package share.  They run against the package of a build (PYTHONPATH) and its
program (FRESHET_PROGRAM)."""
import os
import subprocess

import pytest

import freshet

SOURCE = os.environ.get("FRESHET_SOURCE", os.path.join(os.path.dirname(__file__), "..", ".."))
PROGRAM = os.environ.get("FRESHET_PROGRAM", "freshet")
SPLASH = os.path.join(SOURCE, "tests", "scenes_small", "splash_2d.yaml")
# A drop and a pool without solids, whose liquids have names.
POOL = """
domain: {size: [1.0, 1.0], cells: 32}
time: {fps: 24, frames: 4}
liquids:
  - {name: pool, box: {min: [0, 0], max: [1, 0.25]}}
  - {name: drop, sphere: {center: [0.5, 0.75], radius: 0.1}, velocity: [0.5, -1]}
"""
POOL_3D = """
domain: {size: [1.0, 0.5, 0.75], cells: [16, 8, 12]}
time: {fps: 24, frames: 2}
liquid: {transfer: apic}
liquids:
  - {name: column, box: {min: [0, 0, 0], max: [0.5, 0.4, 0.5]}}
"""


def program(*arguments):
    result = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="session")
def device():
    """Kernels as C: nothing to compile."""
    return "native"


@pytest.fixture(scope="session")
def context(device):
    return freshet.Context(device, 2)


@pytest.fixture
def pool(context):
    return freshet.Simulation(freshet.Scene.parse(POOL, "pool"), context)


@pytest.fixture(scope="session")
def runs(tmp_path_factory, device):
    """Directories of runs of the same scene, by the format of their particles."""
    found = {}
    for particles, mesh in (("vtkhdf", "ply"), ("ply", "obj"), ("geo", "ply"), ("usda", "usda")):
        folder = str(tmp_path_factory.mktemp("runs") / particles)
        program("run", SPLASH, "-o", folder, "-q", "-d", device, "--set", "time.frames=2", "--set",
                f"output.particles.format={particles}", "--set", f"output.mesh.format={mesh}", "--set",
                "output.fields.every=1", "--set", "liquid.transfer=apic")
        found[particles] = folder
    return found
