#!/usr/bin/env python3
"""How tools/demo and tools/check come by Debian packages, with a dpkg, an apt-get and a sudo of the test's
own, as root and as others, with a terminal and without.

usage: packages.py PROGRAM SCENES_DIR
"""
import atexit
import fcntl
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import termios

from cli_support import SECONDS, check, run_tests, skip, write

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools")
NOBODY = 65534
# What the tools call before there is anything to build with.
WORDS = "bash basename cat dirname env grep mkdir mktemp nproc realpath rm sed sh tail tee true".split()
# They tell in calls.txt what they were called with.
STUBS = {
    "dpkg-query": 'grep -q -x "${@: -1}" installed.txt && printf installed',
    "apt-get": '[[ $1 == install && ! -f broken ]] && printf "%s\\n" "$@" >>installed.txt; [[ ! -f broken ]]',
    "meson": "exit 1",
    "ninja": "exit 1",
}
SUDO = """
[[ $1 == -n && -f asks ]] && exit 1
if [[ -f asks ]]; then
	printf 'password: ' >/dev/tty
	read -r -t 20 word </dev/tty
	[[ $word == secret ]] || exit 1
fi
[[ $1 == -* ]] && shift
exec "$@"
"""


class Machine:
    """A checkout of the tools alone, and a PATH with stubs and what is in every Debian."""

    def __init__(self, folder, sudo=None, broken=False, installed=()):
        if os.geteuid() == 0:  # where another user comes to, wherever this test's own folder is
            folder = tempfile.mkdtemp(dir="/tmp")
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
        self.root, self.bin = os.path.join(folder, "freshet"), os.path.join(folder, "bin")
        os.makedirs(os.path.join(self.root, "scenes"))
        os.mkdir(self.bin)
        shutil.copytree(TOOLS, os.path.join(self.root, "tools"))
        write(os.path.join(self.root, "scenes", "dam_break_2d.yaml"), "")
        write(os.path.join(self.root, "installed.txt"), "".join(f"{name}\n" for name in installed))
        for word in WORDS:
            os.symlink(shutil.which(word), os.path.join(self.bin, word))
        for name, body in STUBS.items():
            self.stub(name, body)
        if sudo:
            self.stub("sudo", SUDO)
        if sudo == "asks":
            write(os.path.join(self.root, "asks"), "")
        if broken:
            write(os.path.join(self.root, "broken"), "")
        for path, _, files in os.walk(folder):
            for name in [""] + ([] if path == self.bin else files):
                os.chmod(os.path.join(path, name), 0o777)

    def stub(self, name, body):
        told = f'echo "{name}" $* >>calls.txt\n' if name != "dpkg-query" else ""
        path = os.path.join(self.bin, name)
        write(path, f"#!{shutil.which('bash')}\n{told}{body}\n")
        os.chmod(path, 0o755)

    def run(self, tool, root=False, types=None):
        """Types into a terminal, if there is something to type, as soon as it is asked for."""
        user = {} if root or os.geteuid() else {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        ours, theirs = pty.openpty() if types else (None, None)
        if types:
            os.write(ours, types.encode() + b"\n")
        take = (lambda: fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)) if types else None
        result = subprocess.run(["bash", os.path.join(self.root, "tools", tool)], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS,
                                env={"PATH": self.bin, "HOME": self.root}, start_new_session=True,
                                preexec_fn=take, pass_fds=[theirs] if types else [], check=False, **user)
        for end in [ours, theirs] if types else []:
            os.close(end)
        result.stderr = ""
        calls = os.path.join(self.root, "calls.txt")
        result.calls = []
        if os.path.exists(calls):
            with open(calls, encoding="utf-8") as file:
                result.calls = file.read().splitlines()
        return result


def packages(tool):
    """What the tool needs, as tools/lib.sh lists it."""
    with open(os.path.join(TOOLS, "lib.sh"), encoding="utf-8") as file:
        lists = dict(re.findall(r"^packages_(\w+)=\(([^)]*)\)", file.read(), re.M))
    return lists["build"].split() + (lists["check"].split() if tool == "check" else [])


def install_line(result):
    """The packages of the line that is printed for the user to paste, if one is."""
    lines = re.findall(r"apt-get install --no-install-recommends ([^\n]*)", result.stdout)
    return lines[-1].split() if lines else None


def stopped(result, needs, what, calls=None):
    """Ended with the whole line and without a build; `calls` is what may have been called."""
    check(result.returncode == 1 and install_line(result) == needs, f"{what}: the line, exit 1", result)
    check([call.split()[0] for call in result.calls] == (calls or []), f"{what}: nothing else is tried",
          result.calls, result)


def installed(result, needs, what, with_sudo):
    """Called apt-get with all packages, and then meson."""
    calls = [call for call in result.calls if call.startswith("apt-get install")]
    check(len(calls) == 1 and calls[0].split()[-len(needs):] == needs, f"{what}: installs", result.calls, result)
    check(any(call.startswith("sudo") for call in result.calls) == with_sudo, f"{what}: sudo", result.calls)
    check(result.calls[-1].startswith("meson setup"), f"{what}: builds then", result.calls, result)
    check(install_line(result) is None, f"{what}: leaves nothing to the user", result)


def test_without_a_terminal(folder):
    for tool in ["demo", "check"]:
        needs = packages(tool)
        for sudo in [None, "asks"]:
            at = os.path.join(folder, f"{tool}_{sudo}")
            result = Machine(at, sudo).run(tool)
            stopped(result, needs, f"{tool}, sudo {sudo}", ["sudo"] if sudo else [])
            if tool == "check":
                check(result.stdout.splitlines()[-1] == "0 passed, 1 failed", "check: its last line", result)
        # what is there already is not in the line
        result = Machine(os.path.join(folder, tool + "_some"), installed=needs[1:-2]).run(tool)
        stopped(result, needs[:1] + needs[-2:], f"{tool}, some installed")
    result = Machine(os.path.join(folder, "free"), "free").run("demo")
    installed(result, packages("demo"), "sudo without a password", True)
    result = Machine(os.path.join(folder, "all"), installed=packages("demo")).run("demo")
    check([call.split()[0] for call in result.calls] == ["meson"], "all there: builds", result.calls, result)


def test_with_a_terminal(folder):
    result = Machine(os.path.join(folder, "known"), "asks").run("demo", types="secret")
    installed(result, packages("demo"), "password typed", True)
    check(not any(call.startswith("sudo -n") for call in result.calls), "sudo may ask", result.calls)
    result = Machine(os.path.join(folder, "wrong"), "asks").run("demo", types="wrong")
    stopped(result, packages("demo"), "wrong password", ["sudo"])
    result = Machine(os.path.join(folder, "none")).run("demo", types="secret")
    stopped(result, packages("demo"), "no sudo")


def test_apt_get_fails(folder):
    result = Machine(os.path.join(folder, "free"), "free", broken=True).run("demo")
    stopped(result, packages("demo"), "apt-get fails", ["sudo", "sudo", "apt-get"])


def test_root(folder):
    if os.geteuid() != 0:
        skip("not root")
        return
    result = Machine(os.path.join(folder, "root"), "asks").run("demo", root=True)
    installed(result, packages("demo"), "root", False)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
