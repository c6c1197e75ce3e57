#!/usr/bin/env python3
"""Translate the OpenCL kernels into C that runs them on the host, one work-item after the other.

usage: kernels_to_c.py OUT.h DEPFILE INCLUDE_DIR... -- FILE.cl...

`freshet doctor` compares what a device computes with what this C code does.  OUT.h is included
once per dimension, after DIM is defined and kernels/common/native.h included: it holds the kernels and the
table of them.  Only what OpenCL C has and C does not is rewritten: vector literals, components of
vectors, address spaces, `kernel`.  What cannot be translated does not compile; what stands inside
`#ifndef FRESHET_NATIVE`, work in vectors for CPUs, is left out.  Of a kernel that is left in part what remains
does the same for one particle after the other; for NAME_lanes, left out as a whole, NAME does.  Others have no
function in the table.
"""
import re
import sys

from embed import KERNEL, inline

VECTOR = re.compile(r"\((float[2348]|int[248]|uint4|long[248]|transfer_ints)\)\(")
FUNCTION = re.compile(r"^(?!typedef\b|static\b|kernel\b|SHARED_INLINE\b|#)((?:\w+[ *]+)+)(\w+)\(",
                      re.M)
LANE = re.compile(r"\.s([0-7])\b")
TWO_LANES = re.compile(r"([\w.]+)\.s([0-7])([0-7])\b")
# C has no ?: on vectors.
POSITIVE_PART = re.compile(r"(\w+) = \1 > 0\.0f \? \1 : \(float4\)\(0\.0f\);")
ADDRESS_SPACE = re.compile(r"\b(global|local|private|constant)\b")


def closing(text, start):
    """Where the parenthesis closes that opens at `start`; how many commas are directly inside."""
    depth = commas = 0
    for at in range(start, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
            if depth == 0:
                return at, commas
        elif text[at] == "," and depth == 1:
            commas += 1
    sys.exit("a parenthesis does not close")


def vector_literals(text):
    """(float2)(a, b) is a compound literal, (float2)(a) has a in every lane."""
    while match := VECTOR.search(text):
        start = match.end() - 1
        end, commas = closing(text, start)
        inside = text[start + 1:end]
        new = (f"(({match.group(1)}){{{inside}}})" if commas else
               f"NATIVE_SPLAT({match.group(1)}, {inside})")
        text = text[:match.start()] + new + text[end + 1:]
    return text


VECTORS = re.compile(r"^#ifndef FRESHET_NATIVE\n.*?^#endif /\* FRESHET_NATIVE \*/\n", re.M | re.S)


def without_comments(text):
    return re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)


def bodies(text):
    """Name and body of every function."""
    for match in re.finditer(r"^\w[\w *]*?\b(\w+)\([^;{}#]*\)\s*\{(.*?)^\}", text, re.M | re.S):
        yield match.group(1), match.group(2)


def users_of_groups(text):
    """Functions that depend on work-groups, directly or through what they call."""
    calls = dict(bodies(text))
    found = {name for name, body in calls.items()
             if re.search(r"\b(get_local_id|get_local_size|get_group_id|barrier)\(", body)}
    while True:
        more = {name for name, body in calls.items() if name not in found and
                any(re.search(rf"\b{other}\(", body) for other in found)}
        if not more:
            return found
        found |= more


def parameters(text, name):
    """(kind, C type, name) of each parameter of a kernel: g(lobal), l(ocal memory) or v(alue)."""
    match = re.search(rf"^kernel\s+void\s+{name}\s*\(", text, re.M)
    end, _ = closing(text, match.end() - 1)
    for part in text[match.end():end].split(","):
        kind = "l" if re.search(r"\blocal\b", part) else "g" if "*" in part else "v"
        words = re.match(r"\s*(.*?)(\w+)\s*$", ADDRESS_SPACE.sub("", part), re.S)
        yield kind, " ".join(words.group(1).split()), words.group(2)


ELEMENTS = {"struct pair": "f", "float": "f", "float2": "f", "float4": "f", "uchar": "b",
            "ushort": "h", "long": "q", "ulong": "q"}


def element(c_type):
    """How the elements of an array are printed; words where nothing else is said."""
    return ELEMENTS.get(re.sub(r"\bconst\b|\*|\bvolatile\b", "", c_type).strip(), "w")


def translate(text):
    text = POSITIVE_PART.sub(r"\1 = native_positive_part(\1);", text)
    text = vector_literals(text)
    text = TWO_LANES.sub(r"NATIVE_TWO_LANES(\1, \2, \3)", text)
    text = LANE.sub(r"[\1]", text)
    for lane, name in enumerate("xyz"):
        text = re.sub(rf"\.{name}\b", f"[{lane}]", text)
    text = FUNCTION.sub(r"static \g<0>", text)
    return re.sub(r"^kernel\b", "static", text, flags=re.M)


def main():
    split = sys.argv.index("--")
    out_h, depfile, *dirs = sys.argv[1:split]
    seen, deps, lines = set(), [], []
    for path in sys.argv[split + 1:]:
        lines += inline(path, dirs, seen, deps)
    text = "\n".join(lines) + "\n"
    kernels, whole = KERNEL.findall(text), without_comments(text)
    text = without_comments(VECTORS.sub(lambda m: "\n" * m.group(0).count("\n"), text))
    translated = set(KERNEL.findall(text))
    grouped = users_of_groups(text)
    with open(out_h, "w", encoding="utf-8") as file:
        file.write("/* Generated by tools/kernels_to_c.py. */\n" + translate(text))
        file.write('#line 1 "kernels_native.h"\n')
        rows = []
        for name in kernels:
            if name not in translated:
                twin = name.removesuffix("_lanes")
                alike = twin in translated and (
                    len(list(parameters(text, twin))) == len(list(parameters(whole, name))))
                rows.append(f"\t{{native_call_{twin}, false, {len(list(parameters(text, twin)))}, "
                            f"native_arguments_{twin}, LANES_CHUNK}},\n" if alike else "\t{0},\n")
                continue
            found = list(parameters(text, name))
            values = [f"*({c_type} *)a[{n}]" if kind == "v" else f"({c_type})a[{n}]"
                      for n, (kind, c_type, _) in enumerate(found)]
            file.write(f"static void native_call_{name}(void *const *a)\n{{\n"
                       f"\t{name}({', '.join(values)});\n}}\n"
                       f"static const struct native_argument native_arguments_{name}[] = {{\n")
            file.writelines(f"\t{{'{kind}', '{element(c_type)}', \"{argument}\"}},\n"
                            for kind, c_type, argument in found)
            file.write("};\n")
            rows.append(f"\t{{native_call_{name}, {str(name in grouped).lower()}, {len(found)}, "
                        f"native_arguments_{name}, 1}},\n")
        file.write("static const struct native_kernel native_table[] = {\n" + "".join(rows) + "};\n")
    with open(depfile, "w", encoding="utf-8") as file:
        file.write(f"{out_h}: " + " ".join(deps) + "\n")


if __name__ == "__main__":
    main()
