#!/usr/bin/env python3
"""Tests of `meson install`: what it installs, and a C program that knows nothing but pkg-config's answer.

usage: install.py PROGRAM SCENES_DIR
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

from cli_support import SECONDS, Count, PROGRAM, check, freshet, skip

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.dirname(os.path.dirname(PROGRAM))


def call(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=SECONDS, check=False, **more)


def found(root, name):
    files = glob.glob(f"{root}/**/{name}", recursive=True)
    return files[0] if check(len(files) == 1, f"installs one {name}", files) else None


def pkg_config(root, *arguments):
    """The answer for a tree that is installed below `root` rather than at its prefix."""
    env = {**os.environ, "PKG_CONFIG_SYSROOT_DIR": root,
           "PKG_CONFIG_PATH": os.path.dirname(glob.glob(f"{root}/**/freshet.pc", recursive=True)[0])}
    result = call("pkg-config", *arguments, "freshet", env=env)
    check(result.returncode == 0, f"pkg-config {arguments}", result)
    return result.stdout.split()


def test_program(root):
    program = found(root, "bin/freshet")
    version = freshet("--version")
    check(freshet("--version", program=program).stdout == version.stdout, "the program runs", program)
    check(pkg_config(root, "--modversion") == version.stdout.split()[1:2], "the same version",
          version.stdout)


def outside(compiler, root, library, folder):
    """tests/api/outside.c, away from the sources, against the installed library."""
    source = shutil.copy(f"{HERE}/../api/outside.c", folder)
    flags = pkg_config(root, "--cflags")
    if library.endswith(".a"):
        libraries = [library] + [word for word in pkg_config(root, "--static", "--libs")
                                 if word != "-lfreshet"]
    else:
        libraries = pkg_config(root, "--libs")
    what = os.path.basename(library)
    result = call(compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", source, *flags, *libraries, "-lm",
                  "-o", f"{folder}/outside")
    if check(result.returncode == 0, f"a program links with {what}", result):
        env = {**os.environ, "LD_LIBRARY_PATH": os.path.dirname(library)}
        result = call(f"{folder}/outside", cwd=folder, env=env)
        check(result.returncode == 0 and not result.stderr, f"and runs with {what}", result)


def main():
    compiler = os.environ.get("CC", "cc").split()[-1]
    tools = ["meson", "pkg-config", compiler]
    with tempfile.TemporaryDirectory() as root:
        Count.section = "install"
        missing = [tool for tool in tools if not shutil.which(tool)]
        if missing:
            skip(f"no {', '.join(missing)}")
            return 77
        result = call("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", root)
        if check(result.returncode == 0, "meson install", result):
            found(root, "include/freshet.h")
            test_program(root)
            for name in ("libfreshet.so", "libfreshet.a"):
                library = found(root, name)
                with tempfile.TemporaryDirectory() as folder:
                    outside(compiler, root, library, folder)
    print(f"{Count.passed} passed, {Count.failed} failed")
    return 1 if Count.failed else 0


if __name__ == "__main__":
    sys.exit(main())
