"""Simulations."""
from dataclasses import dataclass

import numpy as np

from ._native import ffi, lib
from .library import Context, checked, text_of
from .particles import Particles

#: Names of fields.  velocity_x (_y, _z): m/s, on the faces across that axis, of which there is one more along
#: it; known_x: 1 where it is known, elsewhere velocity reads as 0; open_x: open part of each face, 0 to 1; at
#: cell centres: pressure, Pa; level_set, m, < 0 in liquid; cell_type, 0 air, 1 liquid, 2 solid.
FIELDS = tuple(text_of(lib.freshet_field_name(i)) for i in range(lib.FRESHET_CELL_TYPE + 1))


@dataclass(frozen=True)
class Statistics:
    """Of a substep; at time 0 of the start.  docs/output.md (stats.csv) defines them."""
    frame: int  #: being reached; reached if frame_end
    substep: int  #: within it, from 1; 0 at time 0
    frame_end: bool
    time: float  #: s
    dt: float  #: s
    particles: int
    liquid_cells: int  #: unknowns of the pressure solve
    volume: float  #: m^dim, of phi < 0
    volume_error: float  #: relative to the particles' own volume; negative = loss
    kinetic_energy: float  #: J
    potential_energy: float  #: J
    momentum: tuple  #: kg m/s, along x, y, z
    max_speed: float  #: m/s, of particles
    divergence_before: float  #: 1/s, largest over liquid cells
    divergence_after: float
    pressure_iterations: int
    pressure_residual: float  #: true ||b - A x|| / ||b|| at the end
    components: int
    singular_components: int
    air_regions: int
    min_per_cell: int  #: particles in an occupied cell
    max_per_cell: int
    empty_interior: float  #: share of inner cells without a particle
    pushed: int  #: totals since time 0, as escaped, removed, retries
    escaped: int
    removed: int
    retries: int
    milliseconds: float  #: of the device


def _array(values, shape, name, kind=np.float32):
    """(array, pointer) of what the caller gave; no array for None."""
    if values is None:
        return None, ffi.NULL
    array = np.ascontiguousarray(values, kind)
    if array.shape != shape:
        raise ValueError(f"{name} must have the shape {shape}, not {array.shape}")
    return array, ffi.from_buffer("uint8_t[]" if kind is np.uint8 else "float[]", array)


def _given(particles, dim, capacity):
    """struct freshet_particles, and what must live as long."""
    positions = np.ascontiguousarray(particles.positions, np.float32)
    if positions.ndim != 2 or positions.shape[1] != dim:
        raise ValueError(f"positions must have the shape (n, {dim}), not {positions.shape}")
    n = len(positions)
    parts = {"positions": _array(positions, (n, dim), "positions"),
             "velocities": _array(particles.velocities, (n, dim), "velocities"),
             "affine": _array(particles.affine, (n, dim, dim), "affine"),
             "liquids": _array(particles.liquids, (n,), "liquids", np.uint8)}
    given = ffi.new("struct freshet_particles *", {"count": n, "capacity": max(capacity, n)})
    for name, (_, pointer) in parts.items():
        setattr(given, name, pointer)
    return given, parts


class Simulation:
    """The state of a scene on a device, at first that of time 0.

    scene: Scene.  device: as Context has it, or a Context to share.  particles: Particles to start with instead
    of the scene's liquids; ids are then 0, 1, ... in order of liquid, and as given among those of one.
    capacity: room for set_particles().

    Calls run without the interpreter's lock; those of several threads wait for each other.
    """

    def __init__(self, scene, device=None, particles=None, capacity=0):
        self.scene = scene
        self.context = device if isinstance(device, Context) else Context(device, scene.dim)
        given, _parts = _given(particles, scene.dim, capacity) if particles is not None else (None, None)
        with self.context.use() as context:
            self._pointer = self.context.adopt(checked(
                lib.freshet_simulation_create(context, scene.pointer) if given is None else
                lib.freshet_simulation_create_from_particles(context, scene.pointer, given)))

    # ---- steps

    def step(self):
        """One substep towards the next frame; its Statistics.  On an error the state is that before it, or
        undefined if the device failed."""
        with self.context.use():
            checked(lib.freshet_simulation_step(self._pointer))
        return self.statistics()

    def step_frame(self):
        """Substeps until the next frame, which is at exactly (frame + 1) / fps; Statistics of the last one.  Ctrl-C
        ends it after a substep."""
        now = self.step()
        while not now.frame_end:
            now = self.step()
        return now

    def frames(self, last=None):
        """Iterates over frames: Statistics at the end of each, up to frame `last`, by default the scene's."""
        while self.frame < (self.scene.frame_count if last is None else last):
            yield self.step_frame()

    def substeps(self, last=None):
        """The same over substeps."""
        while self.frame < (self.scene.frame_count if last is None else last):
            yield self.step()

    def set_particles(self, particles):
        """Back to time 0 with these Particles, in the memory that is there: at most as many as it started with,
        or its `capacity`.  If they are refused nothing has changed."""
        given, _parts = _given(particles, self.scene.dim, 0)
        with self.context.use():
            checked(lib.freshet_simulation_restart(self._pointer, given))

    # ---- the state

    @property
    def time(self):
        """Time reached, s."""
        return lib.freshet_simulation_time(self._pointer)

    @property
    def frame(self):
        """Last frame reached."""
        return lib.freshet_simulation_frame(self._pointer)

    @property
    def memory(self):
        """Device memory of the context, which simulations may share, bytes."""
        return lib.freshet_simulation_memory(self._pointer)

    def statistics(self):
        """Statistics of the last substep."""
        row = ffi.new("struct freshet_statistics *")
        lib.freshet_simulation_statistics(self._pointer, row)
        return Statistics(**{name: tuple(row.momentum) if name == "momentum" else getattr(row, name)
                             for name in Statistics.__annotations__})

    def hash(self):
        """Hash of the state: 16 hexadecimal digits.  At the end of a frame the `hash` of stats.csv, and what
        `freshet hash` prints."""
        value = ffi.new("uint64_t *")
        with self.context.use():
            checked(lib.freshet_simulation_hash(self._pointer, value))
        return f"{value[0]:016x}"

    def __len__(self):
        """Particles in the box."""
        return lib.freshet_simulation_particle_count(self._pointer)

    def particles(self):
        """Particles, copied from the device: positions, velocities, ids, liquids and, with APIC, affine."""
        with self.context.use():
            n, dim = len(self), self.scene.dim
            out = Particles(np.empty((n, dim), np.float32), np.empty((n, dim), np.float32),
                            np.empty((n, dim, dim), np.float32) if self.scene.is_apic else None,
                            np.empty(n, np.uint32), np.empty(n, np.uint8))
            kinds = {"positions": "float[]", "velocities": "float[]", "affine": "float[]", "ids": "uint32_t[]",
                     "liquids": "uint8_t[]"}
            held = {name: ffi.from_buffer(kind, getattr(out, name)) for name, kind in kinds.items()
                    if getattr(out, name) is not None}
            arrays = ffi.new("struct freshet_particle_arrays *", {"capacity": n, **held})
            checked(lib.freshet_simulation_read_particles(self._pointer, arrays, ffi.NULL))
        return out

    def field(self, name):
        """A field of FIELDS, copied from the device: float32, (nz, ny, nx), in 2D (ny, nx), with one more along
        the axis of a face component.  Velocity and pressure are those of the last projection (0 at time 0); the
        level set and the cell types belong to the particles at the start of the last substep."""
        number, shape = ffi.new("enum freshet_field *"), ffi.new("size_t[3]")
        checked(lib.freshet_field_find(name.encode(), number))
        with self.context.use():
            lib.freshet_simulation_field_shape(self._pointer, number[0], shape)
            values = np.empty(tuple(shape)[3 - self.scene.dim:], np.float32)
            checked(lib.freshet_simulation_read_field(self._pointer, number[0],
                                                      ffi.from_buffer("float[]", values), values.size))
        return values

    def __repr__(self):
        return f"<freshet.Simulation of {self.scene.name!r}, frame {self.frame}, {len(self)} particles>"
