"""Writes the C source of the module freshet._native: the functions of freshet.h for Python, by cffi in API
mode, in which the compiler checks every declaration and calls release the interpreter's lock.

usage: build_native.py freshet.h OUTPUT
"""
import re
import sys

import cffi


def declarations(header):
    """What freshet.h declares, without what is the preprocessor's."""
    lines = [line for line in header.splitlines()
             if not line.startswith("#") and 'extern "C"' not in line and line != "}"]
    return "\n".join(lines).replace("FRESHET_API ", "")


def main():
    path, output = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = declarations(file.read())
    builder = cffi.FFI()
    builder.cdef(text)
    # Called from whatever thread has a message; cffi takes the interpreter's lock for it.
    builder.cdef('extern "Python" void freshet_python_message(enum freshet_level level, const char *text, '
                 "void *user);")
    builder.set_source("freshet._native", '#include "freshet.h"\n')
    if not re.search(r"\bfreshet_simulation_step\b", text):
        sys.exit(f"{path} does not declare what it should")
    builder.emit_c_code(output)


main()
