/*
 * The lattice of a simulation on its device: what everything that computes on the grid shares.
 *
 * L = grid.lattice points; arrays over them are indexed as shared.h says.
 */
#ifndef FRESHET_LATTICE_H
#define FRESHET_LATTICE_H

#include "bricks.h"
#include "clx.h"
#include "shared.h"

_Static_assert(SCALAR_TOTALS % 2 == 0, "pairs are aligned");

struct lattice {
	struct clx *cl;
	int dim;
	struct grid grid;
	struct bricks bricks;		/* near liquid, and with unknowns */
	union u32_buffer scan_scratch;	/* u32 [], of scans over cells and bricks */
	union u32_buffer scalars;	/* u32 [SCALAR_COUNT], enum scalar */
	u32 host_scalars[SCALAR_COUNT]; /* as last read */
	union pair_buffer partial;	/* float2 [], chunk sums: the solver's, then others' */
	i32 sums;			/* where these begin (reduce.h) */
};

/* Launches of one work-item per lattice point, by row or flat. */
struct clx_range lattice_points(const struct lattice *lattice);
struct clx_range lattice_flat(const struct lattice *lattice);
/* Of one per block of one colour, when colours repeat every `period` blocks. */
struct clx_range lattice_blocks(const struct lattice *lattice, int period);
/* Of one per LANES_CHUNK particles, for CPUs. */
struct clx_range lattice_chunks(size_t particles);
/* Do kernels take particles in vectors?  On CPUs; sampling needs two cells or more in x. */
bool lattice_in_lanes(const struct lattice *lattice);
/* Work-items for a kernel that strides through n elements and combines by a maximum. */
size_t lattice_striding_items(const struct lattice *lattice, size_t n);

/* Reads all scalars into host_scalars. */
bool lattice_read_scalars(struct lattice *lattice);
/* Particles removed so far, by all causes, among those read; by drains, by outflows alone.
 */
u32 lattice_removed(const struct lattice *lattice);
u32 lattice_drained(const struct lattice *lattice);
u32 lattice_flown(const struct lattice *lattice);
/* A sum among those read. */
double lattice_total(const struct lattice *lattice, i32 which);
/* Sets one scalar on the device, and its copy. */
bool lattice_set_scalar(struct lattice *lattice, enum scalar which, u32 value);

#endif
