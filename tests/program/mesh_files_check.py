"""Reads PLY and OBJ files by their formats' specifications and says what is wrong with a mesh.

PLY: Turk, "The PLY polygon file format", 1994.  OBJ: Wavefront, "Advanced Visualizer manual",
appendix B1.  Knows nothing of the program that wrote them.
"""
import collections
import math
import struct

PLY_TYPES = {"char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h",
             "ushort": "H", "uint16": "H", "int": "i", "int32": "i", "uint": "I", "uint32": "I",
             "float": "f", "float32": "f", "double": "d", "float64": "d"}

# In 2D the "triangles" are edges.
Mesh = collections.namedtuple("Mesh", "places normals velocities triangles")


def read_ply(path):
    with open(path, "rb") as file:
        data = file.read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    lines = data[:end].decode("ascii").splitlines()
    assert lines[0] == "ply" and lines[-1] == "end_header"
    order, elements = None, []
    for line in lines[1:-1]:
        words = line.split()
        if words[0] == "format":
            order = {"binary_little_endian": "<", "binary_big_endian": ">"}[words[1]]
            assert words[2] == "1.0"
        elif words[0] == "element":
            elements.append((words[1], int(words[2]), []))
        elif words[0] == "property":
            elements[-1][2].append(words[1:])
        else:
            assert words[0] in ("comment", "obj_info"), line
    found, at = {}, end
    for name, count, properties in elements:
        rows = []
        if all(p[0] != "list" for p in properties):
            record = struct.Struct(order + "".join(PLY_TYPES[p[0]] for p in properties))
            names = [p[1] for p in properties]
            rows = [dict(zip(names, row)) for row in
                    record.iter_unpack(data[at:at + count * record.size])]
            at += count * record.size
        else:
            assert len(properties) == 1
            _, count_type, item_type, _ = properties[0]
            for _ in range(count):
                n, = struct.unpack_from(order + PLY_TYPES[count_type], data, at)
                at += struct.calcsize(PLY_TYPES[count_type])
                rows.append(struct.unpack_from(f"{order}{n}{PLY_TYPES[item_type]}", data, at))
                at += n * struct.calcsize(PLY_TYPES[item_type])
        assert len(rows) == count, "file too short"
        found[name] = rows
    assert at == len(data), "bytes behind the last element"
    vertices = found["vertex"]
    return Mesh(*[[tuple(v[name] for name in names) for v in vertices]
                  for names in (("x", "y", "z"), ("nx", "ny", "nz"), ("vx", "vy", "vz"))],
                found["face"] if "face" in found else
                [(e["vertex1"], e["vertex2"]) for e in found["edge"]])


def read_obj(path):
    places, normals, triangles = [], [], []
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if not words or words[0].startswith("#") or words[0] in ("o", "g", "s"):
                continue
            if words[0] == "v":
                places.append(tuple(float(x) for x in words[1:]))
            elif words[0] == "vn":
                normals.append(tuple(float(x) for x in words[1:]))
            elif words[0] == "f":
                corners = [word.split("/") for word in words[1:]]
                assert all(c[0] == c[2] and c[1] == "" for c in corners)
                triangles.append(tuple(int(c[0]) - 1 for c in corners))
            elif words[0] == "l":
                assert len(words) == 3
                triangles.append(tuple(int(word) - 1 for word in words[1:]))
            else:
                raise AssertionError(line)
    return Mesh(places, normals, None, triangles)


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def outline_faults(mesh, least_length):
    """Of outlines in the plane z = 0: counts of what is wrong, and the enclosed area."""
    result, area = collections.Counter(), 0.0
    leaving, arriving = collections.Counter(), collections.Counter()
    for edge in mesh.triangles:
        if len(edge) != 2 or not all(0 <= v < len(mesh.places) for v in edge):
            result["not an edge"] += 1
            continue
        a, b = (mesh.places[v] for v in edge)
        leaving[edge[0]] += 1
        arriving[edge[1]] += 1
        area += 0.5 * (a[0] * b[1] - a[1] * b[0])
        if not math.dist(a, b) >= least_length:
            result["degenerate edge"] += 1
        for v in edge if mesh.normals else ():
            if mesh.normals[v][2] != 0:
                result["normal out of the plane"] += 1
    for vertex, place in enumerate(mesh.places):
        if leaving[vertex] != 1 or arriving[vertex] != 1:
            result["vertex without two edges"] += 1
        if place[2] != 0:
            result["place out of the plane"] += 1
    for normal in mesh.normals:
        if not abs(math.hypot(*normal) - 1.0) < 1e-4:
            result["normal not of unit length"] += 1
    if mesh.triangles and not area > 0.0:
        result["inside out"] += 1
    return dict(result), area


def faults(mesh, least_area):
    """Counts of what is wrong, and the enclosed volume."""
    result = collections.Counter()
    edges, fans, volume = collections.Counter(), collections.defaultdict(dict), 0.0
    for triangle in mesh.triangles:
        if len(triangle) != 3 or not all(0 <= v < len(mesh.places) for v in triangle):
            result["not a triangle"] += 1
            continue
        a, b, c = (mesh.places[v] for v in triangle)
        normal = cross(minus(b, a), minus(c, a))
        if not 0.5 * math.sqrt(dot(normal, normal)) >= least_area:
            result["degenerate triangle"] += 1
        volume += dot(a, normal) / 6.0
        for n in range(3):
            one, two, three = triangle[n], triangle[(n + 1) % 3], triangle[(n + 2) % 3]
            edges[one, two] += 1
            fans[one][two] = three
    for (one, two), count in edges.items():
        if edges[two, one] == 0:
            result["open edge"] += 1
        elif count != 1 or edges[two, one] != 1:
            result["non-manifold edge"] += 1
    for vertex in range(len(mesh.places)):
        fan = fans.get(vertex)
        if not fan:
            result["unused vertex"] += 1
            continue
        start = at = next(iter(fan))
        for steps in range(1, len(fan) + 1):
            at = fan.get(at)
            if at is None or at == start:
                break
        if at != start or steps != len(fan):
            result["non-manifold vertex"] += 1
    for normal in mesh.normals:
        if not abs(math.sqrt(dot(normal, normal)) - 1.0) < 1e-4:
            result["normal not of unit length"] += 1
    if mesh.triangles and not volume > 0.0:
        result["inside out"] += 1
    return dict(result), volume
