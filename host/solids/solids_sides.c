#include "solids.h"

/* Arguments that the kernels share. */
#define SHAPES BUF(solids->ops), ARG(ops), BUF(solids->points), BUF(solids->phi)

/* value: as `found` of the kernel. */
static bool find_sides(struct solids *solids, struct clx_buffer *split, struct clx_buffer *found,
		       u32 value[2])
{
	struct clx *cl = solids->lattice->cl;
	const struct grid g = solids->lattice->grid;
	const i32 ops = (i32)solids->op_count;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	bool done = clx_zero(cl, found, 0, 2 * sizeof(u32));
	for (i32 first = 0, last = 0; done && first < SOLIDS_POINTS(solids->lattice->dim);
	     first = last) {
		last = solids_turns(solids, first, SOLIDS_POINTS(solids->lattice->dim), 64);
		done = LAUNCH(cl, K_SOLIDS_FIND_SIDES, points, ARG(g), SHAPES,
			      BUF(solids->open_fraction), ARG(first), ARG(last), BUF(*split),
			      BUF(*found), BUF(solids->lattice->scalars));
	}
	return done && clx_read(cl, found, 0, 2 * sizeof(u32), value);
}

static bool split_kernels(struct solids *solids, struct clx_buffer *split)
{
	struct clx *cl = solids->lattice->cl;
	const struct grid g = solids->lattice->grid;
	const i32 ops = (i32)solids->op_count;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	struct clx_buffer lost = {0};
	bool done = clx_alloc(cl, &lost, "lost kernels", (size_t)g.lattice, sizeof(f32));
	for (i32 first = 0, last = 0; done && first < SOLIDS_AROUND(solids->lattice->dim);
	     first = last) {
		last = solids_turns(solids, first, SOLIDS_AROUND(solids->lattice->dim), 2 * 64 + 8);
		done = LAUNCH(cl, K_SOLIDS_SPLIT_KERNELS, points, ARG(g), SHAPES, BUF(*split),
			      BUF(solids->open_fraction), BUF(solids->volume_open), ARG(first),
			      ARG(last), BUF(lost), BUF(solids->kernel_open),
			      BUF(solids->lattice->scalars));
	}
	done = done && clx_wait(cl);
	clx_free(cl, &lost);
	return done;
}

bool solids_find_split(struct solids *solids)
{
	struct clx *cl = solids->lattice->cl;
	struct clx_buffer found = {0}, split = {0};
	u32 value[2] = {0, 0};
	bool done = clx_alloc(cl, &found, "sides", 2, sizeof(u32)) &&
		    clx_alloc(cl, &split, "split cells", 3 * (size_t)solids->lattice->grid.lattice,
			      sizeof(u32)) &&
		    find_sides(solids, &split, &found, value);
	if (done && value[1]) {
		solids->lattice->grid.gaps = 1;
		done = solids_find_faces(solids) && find_sides(solids, &split, &found, value);
	}
	const struct grid g = solids->lattice->grid;
	const i32 ops = (i32)solids->op_count;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	solids->split = value[0] != 0;
	if (done && value[0])
		done = LAUNCH(cl, K_SOLIDS_SPLIT_VOLUMES, points, ARG(g), SHAPES, BUF(split),
			      BUF(solids->volume_open), BUF(solids->lattice->scalars)) &&
		       split_kernels(solids, &split);
	clx_free(cl, &split);
	clx_free(cl, &found);
	return done;
}
