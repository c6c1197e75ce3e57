"""What particle_files.py and field_files.py share."""
import importlib.util
import os
import sys

# Debian's modules, should `python3` be another
DEBIAN_PYTHON = "/usr/bin/python3"
if (not importlib.util.find_spec("h5py") and not os.environ.get("FRESHET_FILES_TEST_AGAIN") and
        os.access(DEBIAN_PYTHON, os.X_OK)):
    os.environ["FRESHET_FILES_TEST_AGAIN"] = "1"
    os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])

# pylint: disable=wrong-import-position
from cli_support import check, freshet, write


def run(work, name, scene, *arguments):
    """Runs a scene into work/name, which must succeed; returns the folder."""
    write(os.path.join(work, name + ".yaml"), scene)
    result = freshet("run", name + ".yaml", "-o", name, "--quiet", *arguments, cwd=work)
    check(result.returncode == 0 and not result.stderr, f"run {name}", result)
    return os.path.join(work, name)


def near(a, b, tolerance):
    return len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b))


def rotation(w, pivot, x):
    """The velocity of a point of a rigid body."""
    r = [x[a] - pivot[a] for a in range(3)]
    return (w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2], w[0] * r[1] - w[1] * r[0])
