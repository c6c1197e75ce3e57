"""freshet: liquids by particles and grid, in 2D and 3D, on any OpenCL device; the same bits on each.

    import freshet

    scene = freshet.Scene.read("scenes/dam_break_2d.yaml")
    simulation = freshet.Simulation(scene)
    for now in simulation.frames(10):
        print(now.frame, now.volume_error, simulation.hash())
        liquid = simulation.particles()          # NumPy arrays that are yours
    run = freshet.Run("dam_break_2d")            # what `freshet run` has written

Units are SI; x points right, y up, z towards the viewer, and the lower corner of the box is the origin.
In 2D extensive quantities are per metre of depth.  Arrays are C-contiguous: particles (n, D), fields
(nz, ny, nx), in 2D (ny, nx).  What goes wrong is raised as freshet.Error with the words of freshet.
Warnings and notes go to the logger "freshet" of `logging`.
"""
from .errors import Error, FileError, SceneError
from .hashing import state_hash
from .library import Context, Device, devices, version
from .mesh_files import Mesh, read_mesh
from .particle_files import read_particles
from .particles import Particles
from .run import Run
from .scene import Scene
from .simulation import FIELDS, Simulation, Statistics

__version__ = version()
__all__ = ["Context", "Device", "Error", "FIELDS", "FileError", "Mesh", "Particles", "Run", "Scene",
           "SceneError", "Simulation", "Statistics", "devices", "read_mesh", "read_particles", "state_hash",
           "version"]
