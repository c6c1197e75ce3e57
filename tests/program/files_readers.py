"""Readers for files.py that know the formats from their specifications, not from our writers.

PLY: Turk, "The PLY Polygon File Format", 1994.  geo: Houdini's classic ASCII geometry, version 5
(sidefx.com/docs/houdini/io/formats/geo.html).  usda: openusd.org, "USDA file format".  VTKHDF: h5py, and VTK where it is installed.
"""
import ast
import re
import struct

try:
    import h5py
except ImportError:
    h5py = None
try:
    from vtkmodules.vtkIOHDF import vtkHDFReader
    from vtkmodules.util.numpy_support import vtk_to_numpy
    import vtkmodules.vtkCommonDataModel  # the classes of what the reader returns
except ImportError:
    vtkHDFReader = None

PLY_TYPES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I",
             "float": "f", "double": "d"}


class Particles:
    """What every format holds: lists of tuples and numbers, in the file's order."""

    def __init__(self):
        self.position, self.velocity, self.affine = [], [], []
        self.id, self.liquid, self.names = [], [], []
        self.time = None

    def __len__(self):
        return len(self.position)


def read_ply(path):
    with open(path, "rb") as file:
        data = file.read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    lines = data[:end].decode("ascii").split("\n")
    assert lines[0] == "ply", lines[0]
    order, count, properties, comments = None, None, [], []
    for line in lines[1:]:
        word = line.split(" ")
        if word[0] == "format":
            assert word[2] == "1.0", line
            order = {"binary_little_endian": "<", "binary_big_endian": ">"}[word[1]]
        elif word[0] == "comment":
            comments.append(line[len("comment "):])
        elif word[0] == "element":
            assert word[1] == "vertex" and count is None, line
            count = int(word[2])
        elif word[0] == "property":
            properties.append((word[2], PLY_TYPES[word[1]]))
        else:
            assert line in ("end_header", ""), line
    row = struct.Struct(order + "".join(kind for _, kind in properties))
    assert len(data) - end == count * row.size, (len(data) - end, count, row.size)
    names = [name for name, _ in properties]
    place = {name: i for i, name in enumerate(names)}
    result = Particles()
    for values in row.iter_unpack(data[end:]):
        result.position.append(tuple(values[place[name]] for name in ("x", "y", "z")))
        result.velocity.append(tuple(values[place[name]] for name in ("vx", "vy", "vz")))
        result.id.append(values[place["id"]])
        result.liquid.append(values[place["liquid"]])
        if "cxx" in place:
            result.affine.append(tuple(values[place["c" + a + b]] for a in "xyz" for b in "xyz"))
    for comment in comments:
        if comment.startswith("liquid "):
            # a backslash stands before another one, or before x and two digits of a byte
            text = re.sub(rb"\\(\\|x(..))",
                          lambda match: bytes([int(match[2], 16)]) if match[2] else b"\\",
                          comment.split(" ", 2)[2].encode())
            result.names.append(text.decode())
        if comment.startswith("time "):
            result.time = float(comment.split(" ")[1])
    return result


def read_geo(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # words; texts in quotes, in which a backslash takes the next character as it is; brackets
    words = re.findall(r'"(?:\\.|[^"\\])*"|[()\[\]]|[^\s()\[\]"]+', text)
    at = 0

    def take(count=1):
        nonlocal at
        at += count
        return words[at - count:at] if count != 1 else words[at - 1]

    def expect(*what):
        for word in what:
            found = take()
            assert found == word, (found, word)

    expect("PGEOMETRY", "V5", "NPoints")
    count = int(take())
    expect("NPrims", "0", "NPointGroups", "0", "NPrimGroups", "0", "NPointAttrib")
    attributes = int(take())
    expect("NVertexAttrib", "0", "NPrimAttrib", "0", "NAttrib", "0", "PointAttrib")
    columns, result = [], Particles()
    for _ in range(attributes):
        name, size, kind = take(3)
        size = int(size)
        columns.append((name, size, int if kind in ("int", "index") else float))
        if kind == "index":
            assert size == 1
            number = int(take())
            texts = [take() for _ in range(number)]
            result.names = [re.sub(r"\\(.)", r"\1", text[1:-1]) if text[0] == '"' else text
                            for text in texts]
        else:
            assert kind in ("float", "vector", "int"), kind
            take(size)  # defaults
    for _ in range(count):
        x, y, z, w = map(float, take(4))
        assert w == 1
        expect("(")
        result.position.append((x, y, z))
        for name, size, convert in columns:
            values = [convert(take()) for _ in range(size)]
            if name == "v":
                result.velocity.append(tuple(values))
            elif name == "affine":
                result.affine.append(tuple(values))
            else:
                {"id": result.id, "liquid": result.liquid}[name].append(values[0])
        expect(")")
    expect("beginExtra", "endExtra")
    assert at == len(words), words[at:]
    return result


def read_vtkhdf(path):
    """An UnstructuredGrid whose cells are vertices, by h5py."""
    result = Particles()
    with h5py.File(path, "r") as file:
        root = file["VTKHDF"]
        assert list(root.attrs["Version"]) == [1, 0]
        assert root.attrs["Type"] == b"UnstructuredGrid", root.attrs["Type"]
        count = len(root["Points"])
        for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"):
            assert list(root[name]) == [count], name
        assert set(root["Types"]) <= {1} and len(root["Types"]) == count  # VTK_VERTEX
        assert list(root["Connectivity"]) == list(range(count))
        assert list(root["Offsets"]) == list(range(count + 1))
        data = root["PointData"]
        result.position = [tuple(row) for row in root["Points"][:].tolist()]
        result.velocity = [tuple(row) for row in data["velocity"][:].tolist()]
        result.id = data["id"][:].tolist()
        result.liquid = data["liquid"][:].tolist()
        if "affine" in data:
            result.affine = [tuple(row) for row in data["affine"][:].tolist()]
        result.names = [name.decode() for name in root["FieldData/liquid_names"]]
        result.time = float(root["FieldData/TimeValue"][0])
        assert root.attrs["Time"][0] == result.time
    return result


class Image:
    """Fields by h5py: arrays [z][y][x] or [z][y][x][3], and where their points are."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            root = file["VTKHDF"]
            assert list(root.attrs["Version"]) == [1, 0]
            assert root.attrs["Type"] == b"ImageData", root.attrs["Type"]
            assert list(root.attrs["Direction"]) == [1, 0, 0, 0, 1, 0, 0, 0, 1]
            self.extent = list(root.attrs["WholeExtent"])
            self.origin = list(root.attrs["Origin"])
            self.spacing = list(root.attrs["Spacing"])
            self.time = float(root.attrs["Time"][0])
            self.fields = {name: array[:] for name, array in root["PointData"].items()}
        self.shape = tuple(self.extent[2 * a + 1] - self.extent[2 * a] + 1 for a in (2, 1, 0))
        for name, array in self.fields.items():
            assert array.shape[:3] == self.shape, (name, array.shape, self.shape)

    def __getitem__(self, name):
        return self.fields[name]

    def places(self):
        """Coordinates x, y, z of the points, arrays that combine with the fields."""
        axes = [[self.origin[a] + self.spacing[a] * i for i in range(self.shape[2 - a])]
                for a in range(3)]
        import numpy
        z, y, x = numpy.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
        return x, y, z


def read_with_vtk(path):
    reader = vtkHDFReader()
    reader.SetFileName(path)
    assert reader.CanReadFile(path)
    reader.Update()
    return reader.GetOutputDataObject(0)


def vtk_arrays(attributes):
    return {attributes.GetArrayName(i): vtk_to_numpy(attributes.GetArray(i))
            for i in range(attributes.GetNumberOfArrays())}


# Of each format of output.particles.format.
# A value of the text format: a number, or a list of numbers, of tuples of numbers, or of texts.
USD_SAMPLES = re.compile(r"^    ([\w\[\]]+) ([\w:]+)\.timeSamples = \{\n        (\d+): (\[.*?\]),\n    \}\n",
                         re.M | re.S)
USD_VALUE = re.compile(r"^    (?:uniform )?([\w\[\]]+) ([\w:]+) = (\[.*?\]|\".*?\")(?= \(\n|\n)", re.M)


class UsdStage:
    """A prim "liquid" and the metadata of its layer; values by name.  Of the grammar that Pixar's "USDA file
    format" describes what a program needs to state one prim."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert text.startswith("#usda 1.0\n(\n") and text.endswith("}\n"), path
        head, body = re.fullmatch(r"#usda 1\.0\n\(\n(.*?)\n\)\n\n(.*)", text, re.S).groups()
        self.metadata = {}
        for line in head.split("\n"):
            name, value = re.fullmatch(r"    (\w+) = (.*)", line).groups()
            self.metadata[name] = ast.literal_eval(value)
        self.type, = re.findall(r"^def (\w+) \"liquid\"", body, re.M)
        self.clips = dict(re.findall(r"^            \w+ (\w+) = (.*)$", body, re.M))
        self.values, self.types, self.frame = {}, {}, None
        for kind, name, value in USD_VALUE.findall(body):
            self.types[name], self.values[name] = kind, ast.literal_eval(value)
        for kind, name, frame, value in USD_SAMPLES.findall(body):
            assert self.frame in (None, int(frame)), "samples of more than one frame"
            self.frame = int(frame)
            self.types[name], self.values[name] = kind, ast.literal_eval(value)


def read_usda(path):
    stage = UsdStage(path)
    assert stage.type == "Points" and stage.metadata["upAxis"] == "Y" and stage.metadata["metersPerUnit"] == 1
    rate = stage.metadata["timeCodesPerSecond"]
    assert stage.metadata["startTimeCode"] == stage.metadata["endTimeCode"] == stage.frame
    assert rate == stage.metadata["framesPerSecond"]
    particles, values = Particles(), stage.values
    floats = struct.Struct("f")

    def single(tuples):
        """The doubles of the text as the floats that they are read as."""
        return [tuple(floats.unpack(floats.pack(x))[0] for x in row) for row in tuples]

    particles.time = stage.frame / rate
    particles.position, particles.velocity = single(values["points"]), single(values["velocities"])
    particles.id, particles.liquid = values["ids"], values["primvars:liquid"]
    assert values["primvars:displayColor:indices"] == particles.liquid
    particles.names = values["primvars:liquidNames"]
    if "primvars:affine_x" in values:
        particles.affine = [sum(row, ()) for row in zip(*(single(values["primvars:affine_" + a]) for a in "xyz"))]
    return particles


READERS = {"vtkhdf": read_vtkhdf, "ply": read_ply, "geo": read_geo, "usda": read_usda}


def numbered(stem, frame, form):
    """The name of a frame's file; OpenUSD wants a point before the number."""
    return f"{stem}{'.' if form == 'usda' else '_'}{frame:06d}.{form}"
