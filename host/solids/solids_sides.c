#include "solids.h"

/* Arguments that the kernels share. */
#define SHAPES                                                                                  \
	.ops = &solids->ops, .op_count = I32((i32)solids->op_count), .points = &solids->points, \
	.solid_phi = &solids->phi

/* value: as `found` of the kernel. */
static bool find_sides(struct solids *solids, union u32_buffer *split, union u32_buffer *found,
		       u32 value[2])
{
	struct clx *cl = solids->lattice->cl;
	const struct grid g = solids->lattice->grid;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	bool done = clx_zero(cl, found, 0, 2 * sizeof(u32));
	for (i32 first = 0, last = 0; done && first < SOLIDS_POINTS(solids->lattice->dim);
	     first = last) {
		last = solids_turns(solids, first, SOLIDS_POINTS(solids->lattice->dim), 64);
		done = LAUNCH(cl, solids_find_sides, points, .g = &g, SHAPES,
			      .open_fraction = &solids->open_fraction, .first = I32(first),
			      .last = I32(last), .split = split, .found = found,
			      .scalars = &solids->lattice->scalars);
	}
	return done && clx_read(cl, found, 0, 2 * sizeof(u32), value);
}

static bool split_kernels(struct solids *solids, union u32_buffer *split)
{
	struct clx *cl = solids->lattice->cl;
	const struct grid g = solids->lattice->grid;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	union f32_buffer lost = {0};
	bool done = clx_alloc(cl, &lost, "lost kernels", (size_t)g.lattice);
	for (i32 first = 0, last = 0; done && first < SOLIDS_AROUND(solids->lattice->dim);
	     first = last) {
		last = solids_turns(solids, first, SOLIDS_AROUND(solids->lattice->dim), 2 * 64 + 8);
		done = LAUNCH(cl, solids_split_kernels, points, .g = &g, SHAPES, .split = split,
			      .open_fraction = &solids->open_fraction,
			      .volume_open = &solids->volume_open, .first = I32(first),
			      .last = I32(last), .lost_before = &lost,
			      .kernel_open = &solids->kernel_open,
			      .scalars = &solids->lattice->scalars);
	}
	done = done && clx_wait(cl);
	clx_free(cl, &lost);
	return done;
}

bool solids_find_split(struct solids *solids)
{
	struct clx *cl = solids->lattice->cl;
	union u32_buffer found = {0}, split = {0};
	u32 value[2] = {0, 0};
	bool done =
		clx_alloc(cl, &found, "sides", 2) &&
		clx_alloc(cl, &split, "split cells", 3 * (size_t)solids->lattice->grid.lattice) &&
		find_sides(solids, &split, &found, value);
	if (done && value[1]) {
		solids->lattice->grid.gaps = 1;
		done = solids_find_faces(solids) && find_sides(solids, &split, &found, value);
	}
	const struct grid g = solids->lattice->grid;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	solids->split = value[0] != 0;
	if (done && value[0])
		done = LAUNCH(cl, solids_split_volumes, points, .g = &g, SHAPES, .split = &split,
			      .volume_open = &solids->volume_open,
			      .scalars = &solids->lattice->scalars) &&
		       split_kernels(solids, &split);
	clx_free(cl, &split);
	clx_free(cl, &found);
	return done;
}
