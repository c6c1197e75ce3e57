/*
 * OpenVDB files (openvdb.org): grids on the cells of a box, sparse.  In C++, the only file that is:
 * the library has no other interface.
 */
#ifndef FRESHET_VDB_H
#define FRESHET_VDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Arrays over a lattice with x fastest: value (i, j, k) is at (k * stride[1] + j) * stride[0] + i.
 * Borrowed; NULL = no such grid.  Cell (i, j, k) is voxel (i, j, k), whose centre is at (i + 1/2)
 * h.
 */
struct vdb_grids {
	int cells[3];
	size_t stride[2];
	double cell_size; /* h, m */
	double time;	  /* s; metadata "time" of the file */
	int frame;	  /* likewise "frame" */

	/* "surface", a level set, m: < 0 in liquid; what is 3 h or more away is outside of the
	 * band. */
	const float *level_set;
	/* "density", fog: the share of a cell that is liquid, 0 to 1, in units of 2^-30 (as i32).
	 */
	const uint32_t *volume;
	/* "pressure", Pa; voxels with 0 are not active. */
	const float *pressure;
	/* "cells", as floats, which Python's module of OpenVDB reads: 0 air (not active), 1 liquid,
	 * 2 solid. */
	const uint8_t *cell_type;
	/* "velocity", staggered, m/s: component a of voxel (i, j, k) is that of its lower face
	 * along a, so that there is one voxel more along each axis.  Component a at velocity + a *
	 * lattice, known where a bit of 9 << a is set in `known`; a voxel is active where one is.
	 */
	const float *velocity;
	const uint8_t *known;
	size_t lattice;
};

/* The file's bytes (malloc'ed, the caller's): 0 or an errno value.  The same grids give the same
 * bytes, from the same versions of the libraries; compressed with zlib. */
int vdb_encode(const struct vdb_grids *grids, unsigned char **bytes, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
