"""The hash of a state, as docs/method.md defines it and `freshet hash` prints it, by NumPy."""
import numpy as np

SEED, FACTOR = np.uint64(0x6672657368657431), np.uint64(0x9E3779B97F4A7C15)


def _mix(h, word):
    h = (h ^ word) * FACTOR
    return h ^ (h >> np.uint64(29))


def _bits(values):
    """Bits of float32 numbers as uint64, -0 counted as +0."""
    values = np.ascontiguousarray(values, np.float32) + np.float32(0)
    return values.view(np.uint32).astype(np.uint64)


def state_hash(frame, particles, dim=None):
    """State hash of particles at the end of a frame: 16 hexadecimal digits, as in stats.csv.

    particles: Particles with velocities, ids and, with APIC, affine matrices.  dim: 2 or 3, where the arrays
    have three columns although the scene is 2D, as those from files have.  A sum over particles, so that their
    order does not count.
    """
    dim = dim or particles.positions.shape[1]
    x, v = _bits(particles.positions), _bits(particles.velocities)
    h = _mix(np.full(len(particles), SEED), np.uint64(frame) << np.uint64(32) | particles.ids.astype(np.uint64))
    for c in range(dim):
        h = _mix(h, x[:, c] << np.uint64(32) | v[:, c])
    if particles.affine is not None:
        a = _bits(particles.affine)
        for row in range(dim):
            for column in range(dim):
                h = _mix(h, a[:, row, column])
    h = _mix(h, np.uint64(0))
    return f"{int(np.sum(h, dtype=np.uint64)):016x}"
