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
    # A constant table, and what a header only speaks of.
    "host/low/table.c": '#include "add.h"\nstruct row {\n\tconst char *name;\n\tint (*add)(int a, int b);\n};\n'
                        "static const struct row rows[] = {{\"add\", add}};\n"
                        "static int (*const all[])(int a, int b) = {add};\n"
                        "int table(void) { return rows[0].add(1, 2) + all[0](1, 2); }\n",
    "host/low/table.h": "/* What use() calls. */\nint table(void);\n#define NAME \"use\"\n"
                        "static inline int half(int a) { return (int)(a * sizeof(a)) / (2 * (int)sizeof(a)); }\n",
    "include/public.h": "int shared;\n",
    "kernels/layers.txt": "flow:\nshow: flow\nother:\n",
    "kernels/flow/flow.cl": "kernel void flow(void) {}\n",
    "kernels/flow/flow.h": "#include <math.h>\n",
    "kernels/flow/parts.h": '#include "flow.h"\n#include "public.h"\n',
    "kernels/show/show.cl": '#include "parts.h"\n',
    "kernels/show/show.h": '#include "flow.h"\n',
    "kernels/other/other.h": "\n",
    "tests/unit/test_use.c": "int main(void) { return 0; }\n" * 500,
}
# What is planted: [what it is, the files that are added or have lines added, what must be said (None: nothing)].
PLANTED = [
    ["nothing", {}, None],
    ["an upward include", {"host/low/add.c": '#include "use.h"\n'}, "include low/add.c -> high/use.h: layer low"],
    ["an upward include of a header", {"host/low/add.h": '#include "use.h"\n'}, "include low/add.h -> high/use.h"],
    ["an upward include in angle brackets", {"host/low/add.c": "#include <use.h>\n"},
     "include low/add.c -> high/use.h: layer low"],
    ["an upward include of a header in angle brackets", {"host/low/add.h": "# include <high/use.h>\n"},
     "include low/add.h -> high/use.h"],
    ["an upward call of an inline function",
     {"host/low/add.h": "int use(void);\nstatic inline int up(void) { return use(); }\n"},
     "host/low/add.h names use of high/use.c"],
    ["an upward call of a macro", {"host/low/add.h": "#define UP() \\\n\tuse()\n"},
     "host/low/add.h names use of high/use.c"],
    ["an upward call of a macro of include/", {"include/public.h": "#define UP() use()\n"},
     "include/public.h names use of high/use.c"],
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
    ["a type of functions in brackets", {"host/low/add.h": "typedef int (call)(int a);\n"},
     "host/low/add.h: 'call' lets higher layers be called"],
    ["a parameter that is a function", {"host/low/add.h": "int walk(int visit(int a));\n"},
     "host/low/add.h: 'visit' lets higher layers be called"],
    ["a second parameter that is a function", {"host/low/add.h": "int walk(int a, const char *visit (int a));\n"},
     "host/low/add.h: 'visit' lets higher layers be called"],
    ["a parameter that is a function without a name", {"host/low/add.h": "int walk(int a, int (int));\n"},
     "host/low/add.h: 'int' lets higher layers be called"],
    ["a parameter that is a pointer without a name", {"host/low/add.h": "int walk(int (*)(int));\n"},
     "host/low/add.h: '' lets higher layers be called"],
    ["a pointer to function pointers", {"host/low/add.h": "extern int (**hooks)(int);\n"},
     "host/low/add.h: 'hooks' lets higher layers be called"],
    ["a table of tables of functions", {"host/low/add.h": "extern int (*hooks[2][2])(int);\n"},
     "host/low/add.h: 'hooks' lets higher layers be called"],
    ["a volatile function pointer", {"host/low/add.h": "extern int (*volatile hook)(int);\n"},
     "host/low/add.h: 'hook' lets higher layers be called"],
    ["a function that gives a function", {"host/low/add.h": "int (*pick(int a))(int);\n"},
     "host/low/add.h: 'pick' lets higher layers be called"],
    ["a function pointer of include/", {"include/public.h": "extern int (*hook)(int);\n"},
     "include/public.h: 'hook' lets higher layers be called"],
    ["a function pointer that is set through void *",
     {"host/low/add.h": "void set(void *f);\n",
      "host/low/add.c": "static int (*kept)(int);\nvoid set(void *f) { kept = f; }\n"
                        "int call(void) { return kept(1); }\n"},
     "host/low/add.c: 'kept' lets higher layers be called"],
    ["a call of what is cast", {"host/low/add.c": "int call(void *f) { return ((int (*)(void))f)(); }\n"},
     "host/low/add.c: '' lets higher layers be called"],
    ["a function pointer in a structure that is set",
     {"host/low/add.c": "static struct kept {\n\tint (*call)(int);\n} kept;\nvoid set(void *f) { kept.call = f; }\n"},
     "host/low/add.c: 'call' lets higher layers be called"],
    ["a table that is not constant", {"host/low/table.c": "struct row *found;\n"},
     "host/low/table.c: 'add' lets higher layers be called"],
    ["a function pointer that is listed",
     {"host/low/add.h": "typedef void (*call)(void);\n", "host/layers.txt": "hook low/add.h call\n"}, None],
    ["a hook that is no more", {"host/layers.txt": "hook low/add.h call\n"}, "there is no hook 'call'"],
    ["an include of host/ in include/", {"include/public.h": '#include "add.h"\n'},
     "include/public.h includes add.h of host/"],
    ["an include of kernels/ in include/", {"include/public.h": '#include "flow.h"\n'},
     "include/public.h includes flow.h of kernels/"],
    ["an include of host/ in kernels/", {"kernels/flow/flow.cl": "#include <add.h>\n"},
     "kernels/flow/flow.cl includes add.h of host/"],
    ["an upward include of kernels", {"kernels/flow/flow.cl": '#include "show.h"\n'},
     "include of kernels flow/flow.cl -> show/show.h: layer flow may not use show"],
    ["a sideward include of kernels", {"kernels/show/show.h": '#include "other.h"\n'},
     "include of kernels show/show.h -> other/other.h: layer show may not use other"],
    ["a circle of folders of kernels", {"kernels/flow/flow.h": '#include "show.h"\n'},
     "include of kernels: a circle of folders: flow, show"],
    ["a circle of kernels' headers", {"kernels/flow/flow.h": '#include "parts.h"\n'},
     "include of kernels: a circle of files: flow/flow.h, flow/parts.h"],
    ["a folder of kernels that is not listed", {"kernels/some/some.cl": "\n"},
     "kernels/some/some.cl is in no folder that kernels/layers.txt lists"],
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
