"""A drop falls into a pool, and what its splash does to the energy: cells as notebooks and editors know
them, which also runs as a script.

usage: drop_and_pool.py [FRAMES]
"""
# %% A scene: a file (Scene.read) or a text.
import sys

import numpy as np

import freshet

scene = freshet.Scene.parse("""
domain: {size: [1.0, 1.0], cells: 64}          # metres
time: {fps: 24, frames: 24}
liquids:
  - {name: pool, box: {min: [0, 0], max: [1, 0.25]}}
  - {name: drop, sphere: {center: [0.5, 0.75], radius: 0.1}, velocity: [0, -2]}
""", "drop and pool")
last = int(sys.argv[1]) if len(sys.argv) > 1 else scene.frame_count
scene

# %% A simulation of it, on the device that FRESHET_DEVICE names, or the fastest one.
simulation = freshet.Simulation(scene)
simulation

# %% Frame by frame: statistics, and particles as arrays.
height = []
for now in simulation.frames(last):
    liquid = simulation.particles()
    drop = liquid.positions[liquid.liquids == scene.liquids.index("drop")]
    height.append(drop[:, 1].mean())
    print(f"frame {now.frame:3d}  {now.time:.4f} s  drop at {height[-1]:.3f} m  fastest {now.max_speed:.2f} m/s  "
          f"energy {now.kinetic_energy + now.potential_energy:.1f} J  hash {simulation.hash()}")

# %% Fields of the grid: the liquid's depth in each column of cells.
phi = simulation.field("level_set")             # (ny, nx), m; < 0 in liquid
depth = scene.cell_size * np.count_nonzero(phi < 0, axis=0)
print(f"depth from {depth.min():.3f} to {depth.max():.3f} m, on average {depth.mean():.3f} m")

# %% The same again with particles of your own: those that are here, at rest.
still = freshet.Particles(liquid.positions, None, None, None, liquid.liquids)
simulation.set_particles(still)
print(f"from rest: {simulation.step_frame().max_speed:.3f} m/s after a frame")

# %% What `freshet run` has written is read likewise:
# run = freshet.Run("dam_break_2d")
# run.stats().plot("time", "volume_error")
# run.particles(24).positions
