#!/usr/bin/env python3
"""Copy the kernels with two faults in them, to prove that the Oclgrind check finds such faults.

usage: plant.py FILE.cl... OUT_FOLDER

pressure.cl loses a range guard, reduce.cl counts without an atomic.  Fails when the text that is
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
