"""Particles as arrays."""
from dataclasses import dataclass
from typing import Optional

import numpy as np


@dataclass
class Particles:
    """n particles in D dimensions, in order of id.  The arrays own their memory.

    From files of a run D is 3: in 2D z is 0 there.
    """
    positions: np.ndarray  #: (n, D) float32, m
    velocities: Optional[np.ndarray] = None  #: (n, D) float32, m/s; None = at rest
    affine: Optional[np.ndarray] = None  #: (n, D, D) float32, 1/s: d v_row / d x_column; None without APIC
    ids: Optional[np.ndarray] = None  #: (n,) uint32, ascending; a particle keeps its id for life
    liquids: Optional[np.ndarray] = None  #: (n,) uint8, index in the scene's liquids; None = 0

    def __len__(self):
        return len(self.positions)
