/*
 * Bodies that the liquid moves, in the pressure equation: K = A + sum of J C J^T, and the columns
 * by which deflation keeps the iterations of its solve near those with bodies that rest
 * (kernels/pressure/coupling.cl, coupling_columns.cl, deflation.cl; docs/bodies.md).
 *
 * Batty, Bertails & Bridson 2007, eq. 9 to 13: the equation.  Tang, Nabben, Vuik & Erlangga 2009:
 * A-DEF2.  A body has AXES velocities: along the axes, m/s, and its spin, rad/s, times its radius.
 */
#ifndef FRESHET_COUPLING_H
#define FRESHET_COUPLING_H

#include "coupling_params.h"
#include "lattice.h"
#include "multigrid.h"
#include "reduce.h"

struct coupling {
	struct lattice *lattice; /* borrowed */
	size_t count;		 /* bodies */
	size_t places, rows;	 /* cells of all boxes, and their rows along x, as they are */
	size_t places_room, rows_room, capacity; /* memory: of these, and of entries */
	struct coupling_body *bodies;		 /* [count] */
	f32 *inverse_now;			 /* [count][AXES][AXES]: C */
	i32 entries, most_rows, most_cells;	 /* of J; of one box; along an axis of it */

	union coupling_body_buffer body;
	union f32_buffer inverse;
	/* J, [places][AXES], and what is told of its cells, [places]; entries by row, [rows + 1].
	 */
	union f32_buffer cover, gain;
	union u32_buffer starts, scan;
	/* J as a list: places on level 0, lattice points, bodies, [capacity]; the next entry of the
	 * same cell. */
	union u32_buffer cell, point, body_of;
	union i32_buffer next;
	union f32_buffer area, entry_gain; /* [AXES][capacity], [capacity] */
	union pair_buffer sums;		   /* [count][2][AXES]: J^T v, C J^T v */

	/* Deflation.  Blocks: Z^T A Z of pairs of boxes that meet, J^T Z likewise. */
	union f32_buffer column;		       /* Z, [places][AXES] */
	union coupling_pair_buffer overlap, meet;      /* pairs of bodies */
	union pair_buffer energy, met;		       /* blocks of both */
	union i32_buffer first_meet, near, first_near; /* [count + 1]; bodies */
	union i32_buffer unknown;		       /* [count]: the first coarse unknown */
	union coupling_row_buffer row;		       /* [count AXES] */
	union f32_buffer coarse;		       /* the inverse of E, by rows */
	union f32_buffer moments, shares;	       /* [count AXES] */
	size_t pairs_room, coarse_room;
	i32 overlaps, meets;
	bool deflates; /* there are columns, of the operator as it is */
};

static inline size_t coupling_axes(const struct coupling *c)
{
	return (size_t)COUPLING_AXES(c->lattice->dim);
}
/* Work-items (row, body). */
static inline struct clx_range coupling_row_range(const struct coupling *c)
{
	return clx_range3((size_t)c->most_rows, c->count, 1);
}
/* Local memory of a group that sums so many numbers. */
#define COUPLING_LANE_BYTES(numbers) ((size_t)(numbers)*PAIRS_LANES * REDUCE_PAIR_BYTES)

/* Memory for `count` bodies, whose boxes have so many cells and rows together at most; what depends
 * on where they are grows.  False after reporting. */
bool coupling_create(struct coupling *c, struct lattice *lattice, size_t count, size_t places,
		     size_t rows);
void coupling_destroy(struct coupling *c); /* accepts one that is zeroed but for `lattice` */
/* Bytes that coupling_create() takes. */
size_t coupling_bytes(int dim, size_t count, size_t places, size_t rows);

/* What the bodies are in this substep: box, own, center, radius of each are set; the rest of them
 * is made here.  inverse: [count][AXES][AXES], C. */
bool coupling_place(struct coupling *c, const double *inverse);

/* After solids_cover_cells() has filled cover, gain and, as counts, starts: the list. */
bool coupling_make_list(struct coupling *c, const struct mg_level *level);

/* values = J^T of what each entry's cell has: of `v` on level 0, with its low part if that is not
 * NULL; or, with v NULL, of the gains.  [count][AXES], on the host. */
bool coupling_read(struct coupling *c, const union f32_buffer *v, const union f32_buffer *v_low,
		   double *values);

/* v += scale J w at the cells, w = [count][AXES] from the host. */
bool coupling_add(struct coupling *c, const double *w, f32 scale, union f32_buffer *v);

/* coupling_columns.c: the columns and the coarse matrix, for the operator as it is; and memory of
 * pairs of bodies, for coupling_destroy(). */
void coupling_free_pairs(struct coupling *c);
bool coupling_deflate(struct coupling *c, const struct multigrid *mg);

/* Parts of a solve, all of which do nothing when the state says that it has ended, or, with
 * COUPLING_CHECKED, that no check is due.
 * out += scale J C J^T v. */
bool coupling_multiply(struct coupling *c, const union f32_buffer *v, const union f32_buffer *v_low,
		       f32 scale, enum coupling_when when, const union u32_buffer *state,
		       union f32_buffer *out);
/* y += Z E^-1 Z^T (r - K y); with `start` y += Z E^-1 Z^T r. */
bool coupling_correct(struct coupling *c, const struct multigrid *mg, const union f32_buffer *r,
		      bool start, const union u32_buffer *state, union f32_buffer *y);

/* coupling_coarse.c: from the blocks the inverse of E into `coarse`, and `row`, `unknown`. */
bool coupling_invert(struct coupling *c, const struct coupling_pair *overlap,
		     const struct coupling_pair *meet);

#endif
