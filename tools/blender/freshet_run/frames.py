"""What Blender is given of a run's frame: arrays with z up.  Without Blender; with the reader of the Python package,
which tools/blender/pack puts beside it."""
import colorsys

import numpy as np

try:
    from .freshet_files.run import Run
except ImportError:
    from freshet.run import Run

KINDS = ("particles", "mesh")


def z_up(vectors):
    """freshet's y up (x, y, z) as Blender's z up (x, -z, y): float32, (n, 3)."""
    return np.stack([vectors[:, 0], -vectors[:, 2], vectors[:, 1]], 1).astype(np.float32)


def linear(text):
    """Colour "#rrggbb" as linear red, green, blue and alpha."""
    parts = [int(text[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055)**2.4 for v in parts] + [1.0]


def liquid_colours(run):
    """(liquids, 4) float32: those of run.json, or hues that differ."""
    liquids = run.info["scene"].get("liquids", []) or [{}]
    hues = [[*colorsys.hsv_to_rgb((0.6 + i / len(liquids)) % 1, 0.8, 0.9), 1.0] for i in range(len(liquids))]
    return np.array([linear(row["color"]) if str(row.get("color", "")).startswith("#") else hue
                     for row, hue in zip(liquids, hues)], np.float32)


class Frames:
    """Frames of a run's particles or meshes.  kind: "particles" or "mesh"."""

    def __init__(self, directory, kind):
        self.run, self.kind = Run(directory), kind
        self.frames = self.run.frames(kind)
        self.rate = self.run.frames_per_second
        self.colours = liquid_colours(self.run)

    def nearest(self, frame):
        """The last frame that has a file and is not after `frame`; None before the first."""
        before = [f for f in self.frames if f <= frame]
        return before[-1] if before else None

    def read(self, frame):
        """{"position", "velocity" (n, 3) float32 or None, "Color" (n, 4) float32, "faces" (m, 3) or (m, 2) int32, "id",
        "liquid"} of a frame; what a kind does not have is missing."""
        if self.kind == "mesh":
            mesh = self.run.mesh(frame)
            n = len(mesh.vertices)
            return {"position": z_up(mesh.vertices),
                    "velocity": None if mesh.velocities is None else z_up(mesh.velocities),
                    "Color": np.tile(self.colours[0], (n, 1)), "faces": mesh.faces}
        particles = self.run.particles(frame)
        return {"position": z_up(particles.positions), "velocity": z_up(particles.velocities),
                "Color": self.colours[np.minimum(particles.liquids, len(self.colours) - 1)],
                "id": particles.ids.astype(np.int32), "liquid": particles.liquids.astype(np.int32)}
