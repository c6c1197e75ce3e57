"""Directories that `freshet run` has filled, or is filling (docs/output.md)."""
import json
import os
import re

from .errors import FileError
from .mesh_files import read_mesh
from .particle_files import read_particles
from .tables import read_table

#: folder: (what its files begin with, their endings)
KINDS = {"particles": ("particles", (".vtkhdf", ".ply", ".geo", ".usda")), "fields": ("fields", (".vtkhdf",)),
         "mesh": ("mesh", (".ply", ".obj", ".usda")), "frames": ("frame", (".png",))}


class Run:
    """The results of a run.  Files are read when they are asked for; numbered ones that have their names are
    whole, also while the run goes on.

    directory: where it is.  FileError says what is missing.
    """

    def __init__(self, directory):
        self.directory = os.fspath(directory)
        self.info  # a directory without run.json is no run

    @property
    def info(self):
        """run.json as a dictionary: scene, device, status, hashes, totals."""
        path = os.path.join(self.directory, "run.json")
        try:
            with open(path, encoding="utf-8") as file:
                return json.load(file)
        except OSError as error:
            raise FileError(f"cannot read '{path}': {error.strerror}") from error
        except ValueError as error:
            raise FileError(f"'{path}' is damaged ({error})") from error

    @property
    def status(self):
        """"running", "finished", "interrupted" or "failed"."""
        return self.info["status"]

    @property
    def dim(self):
        """2 or 3."""
        return len(self.info["scene"]["domain"]["size"])

    @property
    def frames_per_second(self):
        return self.info["scene"]["time"]["fps"]

    @property
    def hashes(self):
        """{frame: state hash} of the frames reached."""
        table = self.stats()
        return {int(frame): text for frame, text in zip(table["frame"], table["hash"]) if text}

    def _table(self, name):
        return read_table(os.path.join(self.directory, name))

    def stats(self):
        """stats.csv, a row per substep: pandas.DataFrame, or {column: array} without pandas."""
        return self._table("stats.csv")

    def probes(self):
        """probes.csv, a row per frame."""
        return self._table("probes.csv")

    def forces(self):
        """forces.csv, a row per frame."""
        return self._table("forces.csv")

    def frames(self, kind="particles"):
        """Frames that have a file of a kind ("particles", "fields", "mesh", "frames" = pictures), ascending."""
        return sorted(self._files(kind))

    def _files(self, kind):
        stem, endings = KINDS[kind]
        folder = os.path.join(self.directory, kind)
        found = {}
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            match = re.fullmatch(re.escape(stem) + r"[_.](\d{6,10})(\.\w+)", name)
            if match and match[2] in endings:
                found[int(match[1])] = os.path.join(folder, name)
        return found

    def path(self, kind, frame):
        """Path of the file of a frame."""
        files = self._files(kind)
        if frame not in files:
            some = f"there are {len(files)}, frames {min(files)} to {max(files)}" if files else "there are none"
            raise FileError(f"'{self.directory}' has no file of {kind} of frame {frame} ({some})")
        return files[frame]

    def particles(self, frame):
        """Particles of a frame; arrays have three columns, with z = 0 in 2D."""
        return read_particles(self.path("particles", frame))

    def mesh(self, frame):
        """Mesh of a frame."""
        return read_mesh(self.path("mesh", frame))

    def fields(self, frame):
        """{name: array} of a frame's fields at cell centres: velocity (nz, ny, nx, 3), pressure, levelset, cells
        (nz, ny, nx), in 2D without nz.  Needs h5py."""
        path = self.path("fields", frame)
        try:
            import h5py
        except ImportError as error:
            raise FileError(f"reading '{path}' needs h5py (Debian: python3-h5py)") from error
        try:
            with h5py.File(path, "r") as file:
                data = {name: array[:] for name, array in file["VTKHDF/PointData"].items()}
        except (OSError, KeyError) as error:
            raise FileError(f"cannot read '{path}': {error}") from error
        return {name: array[0] if self.dim == 2 else array for name, array in data.items()}
