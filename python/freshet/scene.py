"""Scenes."""
import os

from ._native import ffi, lib
from .errors import SceneError
from .library import checked, text_of


class Scene:
    """A checked scene (docs/scene.md), which never changes.  Made by Scene.read or Scene.parse; SceneError lists
    every mistake with its line and column.

    dim: 2 or 3.  cells: number along each axis.  size: of the box along each axis, m.  cell_size: h, m.
    particles_per_cell: a particle's volume is h^dim / particles_per_cell.  density: kg/m^3.  is_apic: whether
    particles carry affine matrices.  liquids: their names.  solids: how many.  frame_count: index of the last
    frame asked for.  frames_per_second.
    """

    def __init__(self, pointer):
        self.pointer = ffi.gc(pointer, lib.freshet_scene_destroy)
        info = ffi.new("struct freshet_scene_info *")
        lib.freshet_scene_get_info(pointer, info)
        self.name = text_of(lib.freshet_scene_name(pointer))
        self.dim = info.dim
        self.cells = tuple(info.cells[0:info.dim])
        self.size = tuple(info.size[0:info.dim])
        self.cell_size = info.cell_size
        self.particles_per_cell = info.particles_per_cell
        self.density = info.density
        self.is_apic = info.is_apic
        self.liquids = tuple(text_of(lib.freshet_scene_liquid_name(pointer, i)) for i in range(info.liquids))
        self.solids = info.solids
        self.frame_count = info.frames
        self.frames_per_second = info.frames_per_second

    @classmethod
    def read(cls, path, sets=()):
        """From a file.  sets: texts "key.path=value" that replace values of it, as --set does, or a mapping of
        them."""
        texts = [f"{key}={value}" for key, value in sets.items()] if hasattr(sets, "items") else list(sets)
        texts = [ffi.new("char[]", text.encode()) for text in texts]
        array = ffi.new("char *[]", texts) if texts else ffi.NULL
        return cls(checked(lib.freshet_scene_read(os.fsencode(path), array, len(texts)), SceneError))

    @classmethod
    def parse(cls, text, name="scene"):
        """From text in YAML or JSON; `name` stands for the path in messages."""
        data = text.encode() if isinstance(text, str) else bytes(text)
        return cls(checked(lib.freshet_scene_parse(data, len(data), name.encode()), SceneError))

    def memory(self, particles):
        """(bytes in all, bytes of the largest buffer) that a simulation with so many particles holds on the
        device."""
        total, largest = ffi.new("uint64_t *"), ffi.new("uint64_t *")
        checked(lib.freshet_scene_memory(self.pointer, particles, total, largest))
        return total[0], largest[0]

    def __repr__(self):
        return f"<freshet.Scene {self.name!r}, {self.dim}D, cells {' x '.join(map(str, self.cells))}>"
