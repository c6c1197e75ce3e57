#!/usr/bin/env python3
"""Copy files with faults in them, to prove that the checks find such faults.

usage: plant.py FILE... OUT_FOLDER

For the Oclgrind check pressure.cl loses a range guard, and reduce.cl counts without an atomic; for
fuzzing checkpoint_read.c reads the first block of files that are shorter.  Fails when the text that is
replaced is not there any more.
"""
import os
import sys

FAULTS = {
    "pressure.cl": ("if (i >= g.px || j >= g.py || k >= g.pz)\n\t\treturn;\n"
                    "\tint at = lattice_index(g, i, j, k);\n\tpressure[at] =",
                    "int at = lattice_index(g, i, j, k);\n\tpressure[at] ="),
    "reduce.cl": ("atomic_add(scalars + SCALAR_LIQUID_CELLS, liquid);",
                  "scalars[SCALAR_LIQUID_CELLS] += liquid;"),
    "checkpoint_read.c": ("	if (length < CHECKPOINT_BLOCK)\n", "	if (length < 3)\n"),
}

for path in sys.argv[1:-1]:
    name = os.path.basename(path)
    old, new = FAULTS[name]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(old) != 1:
        sys.exit(f"{path}: the line for the planted fault is not there once; adapt tests/plant.py")
    with open(os.path.join(sys.argv[-1], name), "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))
