#!/usr/bin/env python3
"""tools/layers finds what is planted into a small tree of layers.

usage: tests/program/layers.py

Needs a C compiler alone.  The last line is `N passed, N failed`.
"""
import os
import subprocess
import sys
import tempfile

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "layers")

# high may use low; main.c of high calls low, and low gives back what it was handed.
SOUND = {
    "host/layers.txt": "low:\nhigh: low\nhook low/sort.h less # which comes first\nlong host/low/long.c # it is long\n",
    "host/low/sort.h": "struct order {\n\tint (*less)(int a, int b);\n};\nint sort(const struct order *order);\n",
    "host/low/sort.c": '#include "sort.h"\nint sort(const struct order *order) { return order->less(1, 2); }\n',
    "host/low/add.h": "int add(int a, int b);\n",
    "host/low/add.c": '#include "add.h"\nint add(int a, int b) { return a + b; }\n',
    "host/low/long.c": "int a_long_file;\n" * 401,
    "host/high/use.h": "int use(void);\n",
    "host/high/use.c": '#include "use.h"\n#include "sort.h"\n#include "add.h"\n'
                       "int use(void) { return sort(&(struct order){add}); }\n",
    "kernels/flow/flow.cl": "kernel void flow(void) {}\n",
    "tests/unit/test_use.c": "int main(void) { return 0; }\n" * 500,
}
# What is planted: [what it is, the files that are added or have lines added, what must be said (None: nothing)].
PLANTED = [
    ["nothing", {}, None],
    ["an upward include", {"host/low/add.c": '#include "use.h"\n'}, "include low/add.c -> high/use.h: layer low"],
    ["an upward include of a header", {"host/low/add.h": '#include "use.h"\n'}, "include low/add.h -> high/use.h"],
    ["an upward call", {"host/low/add.c": "int use(void);\nint up(void) { return use(); }\n"},
     "call low/add.c -> high/use.c: layer low may not use high (use)"],
    ["an upward call through a table", {"host/low/add.c": "int use(void);\nint (*const table[])(void) = {use};\n"},
     "call low/add.c -> high/use.c: layer low may not use high (use)"],
    ["a circle of calls",
     {"host/low/add.c": '#include "sort.h"\nint back(void) { return sort(0); }\n',
      "host/low/sort.c": "int back(void);\nint forth(void) { return back(); }\n"},
     "call: a circle of files: low/add.c, low/sort.c"],
    ["a circle of three files",
     {"host/low/add.c": "int second(void);\nint first(void) { return second(); }\n",
      "host/low/sort.c": "int third(void);\nint second(void) { return third(); }\n",
      "host/low/other.c": "int first(void);\nint third(void) { return first(); }\n"},
     "call: a circle of files: low/add.c, low/other.c, low/sort.c"],
    ["a circle of headers",
     {"host/low/add.h": '#pragma once\n#include "sort.h"\n', "host/low/sort.h": '#pragma once\n#include "add.h"\n'},
     "include: a circle of files: low/add.h, low/sort.h"],
    ["a function pointer that is not listed", {"host/low/add.h": "struct other {\n\tvoid (*call)(void);\n};\n"},
     "host/low/add.h: 'call' lets higher layers be called"],
    ["a type of functions that is not listed", {"host/low/add.h": "typedef int call(\n\tint a);\n"},
     "host/low/add.h: 'call' lets higher layers be called"],
    ["a function pointer that is listed",
     {"host/low/add.h": "typedef void (*call)(void);\n", "host/layers.txt": "hook low/add.h call\n"}, None],
    ["a hook that is no more", {"host/layers.txt": "hook low/add.h call\n"}, "there is no hook 'call'"],
    ["a file in no layer", {"host/other/some.c": "int some;\n"}, "host/other/some.c is in no folder"],
    ["two files of one name", {"host/high/add.h": "int add(int a, int b);\n"}, "more than one file is called add.h"],
    ["a full folder", {f"tests/unit/{i}.txt": "" for i in range(32)}, "tests/unit has 33 files"],
    ["a file of 401 lines", {"kernels/flow/flow.cl": "/* */\n" * 400}, "kernels/flow/flow.cl has 401 lines"],
    ["a long file that is listed",
     {"kernels/flow/flow.cl": "/* */\n" * 400, "host/layers.txt": "long kernels/flow/flow.cl # too\n"}, None],
    ["a listed file that is not long", {"host/layers.txt": "long host/low/add.c # no\n"},
     "host/low/add.c is not long any more"],
]


def write(root, path, text):
    os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
    with open(os.path.join(root, path), "w", encoding="utf-8") as file:
        file.write(text)


objects = {}  # (path, text of a source): its object; headers add no symbols


def compile_host(root, files):
    """Objects with the names that meson gives them."""
    for path, text in files.items():
        if not (path.startswith("host/") and path.endswith(".c")):
            continue
        layer, name = path.split("/")[1:]
        target = f"{root}/build/host/lib{layer}.a.p/{layer}_{name}.o"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if (path, text) not in objects:
            subprocess.run(["cc", "-c", "-I", f"{root}/host/low", "-I", f"{root}/host/high", f"{root}/{path}",
                            "-o", target], check=True)
            with open(target, "rb") as file:
                objects[path, text] = file.read()
        with open(target, "wb") as file:
            file.write(objects[path, text])


def run(planted):
    """What tools/layers says of a tree with this planted, and its exit status."""
    files = dict(SOUND)
    for path, text in planted.items():
        files[path] = files.get(path, "") + text
    with tempfile.TemporaryDirectory(prefix="freshet_layers_") as root:
        for path, text in files.items():
            write(root, path, text)
        compile_host(root, files)
        result = subprocess.run([TOOL, f"{root}/build", "--root", root], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=False)
    return result.stdout, result.returncode


def main():
    failed = 0
    for what, files, said in PLANTED:
        output, status = run(files)
        if (status == 0 and said is None) or (status == 1 and said is not None and said in output):
            continue
        failed += 1
        print(f"FAIL {what}: expected {said or 'no failure'}\n    " + output.strip().replace("\n", "\n    "))
    print(f"{len(PLANTED) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
