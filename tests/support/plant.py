#!/usr/bin/env python3
"""Copy a file with a fault in it, to prove that such faults are found.

usage: plant.py oclgrind|doctor|fuzz|serve FILE OUT_FILE

For Oclgrind: pressure.cl writes far beyond its array, particles.cl counts without an atomic, probe.cl leaves a
word of its local memory as it is.  For the doctor,
what compilers do with relaxed rules: a division by way of a reciprocal (probe.cl), values that are
off in their last bits, of APIC only (transfer.cl) and of every run (extrapolate.cl), and in each kernel
that goes through particles in vectors and has no other that does the same: sums in pairs without their
errors (statistics.cl), conversions that cut instead of rounding (transfer_block.cl, levelset_block.cl,
drift_block.cl).  For fuzzing checkpoint_read.c reads the first block of files that are shorter.  For requests to the server of runs route.c
takes any path for that of a file.  Fails when the text that is
replaced is not there any more.
"""
import os
import sys

FAULTS = {
    "oclgrind": {
        "pressure.cl": ("if (i >= g.px || j >= g.py || k >= g.pz)\n\t\treturn;\n"
                        "\tint at = lattice_index(g, i, j, k);\n\tpressure[at] =",
                        "int at = lattice_index(g, i, j, k) + (1 << 20);\n\tpressure[at] ="),
        "particles.cl": ("rank[p] = atomic_inc(counts + key);", "rank[p] = counts[key]++;"),
        "probe.cl": ("for (int word = lane; word < 3; word += lanes)\n\t\tsums[word] = 0;",
                     "for (int word = lane; word < 2; word += lanes)\n\t\tsums[word] = 0;"),
    },
    "doctor": {
        "probe.cl": ("a[i] / b[i]", "a[i] * (1.0f / b[i])"),
        "transfer.cl": ("affine, stride,\n\t\t\t      p);", "affine, stride,\n\t\t\t      p);\n\tif (p < n && apic)\n"
                        "\t\taffine[p] *= 1.0000001f;"),
        "extrapolate.cl": ("field[c * g.lattice + at] = sum / (float)n;",
                           "field[c * g.lattice + at] = sum / (float)n * 1.0000001f;"),
        "statistics.cl": ("float16 error = (*high - (sum - part)) + (value - part);",
                          "float16 error = (float16)(0.0f);"),
        "transfer_block.cl": ("weight[q] = lanes_round_small(scaled);",
                              "weight[q] = lanes_to_ints(scaled);"),
        "levelset_block.cl": ("return as_uint16(t * t * t * scale + 0x1p23f) - as_uint16((float16)(0x1p23f));",
                              "return convert_uint16(t * t * t * scale);"),
        "drift_block.cl": ("lanes_store(lanes_round_small(w * (float)(1 << bits)), add[q]);",
                           "lanes_store(lanes_to_ints(w * (float)(1 << bits)), add[q]);"),
    },
    "serve": {
        "route.c": ("\treturn find_picture(name, route);\n",
                    "\tif (!find_picture(name, route))\n"
                    "\t\tsnprintf(route->file, sizeof(route->file), \"%s\", name);\n\treturn true;\n"),
    },
    "fuzz": {
        "checkpoint_read.c": ("\tif (length < CHECKPOINT_BLOCK)\n", "\tif (length < 3)\n"),
    },
}

wanted, path, out = sys.argv[1:]
old, new = FAULTS[wanted][os.path.basename(path)]
with open(path, encoding="utf-8") as file:
    text = file.read()
if text.count(old) != 1:
    sys.exit(f"{path}: the line for the planted fault is not there once; adapt tests/support/plant.py")
with open(out, "w", encoding="utf-8") as file:
    file.write(text.replace(old, new))
