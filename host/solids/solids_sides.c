#include "solids.h"

/* Arguments that the kernels share. */
#define SHAPES BUF(sim->shape_ops), ARG(ops), BUF(sim->shape_points), BUF(sim->solid_phi)

/* value: as `found` of the kernel. */
static bool find_sides(struct sim *sim, struct clx_buffer *split, struct clx_buffer *found,
		       u32 value[2])
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->grid;
	const i32 ops = (i32)sim->solid_op_count;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	bool done = clx_zero(cl, found, 0, 2 * sizeof(u32));
	for (i32 first = 0, last = 0; done && first < SOLIDS_POINTS(sim->dim); first = last) {
		last = solids_turns(sim, first, SOLIDS_POINTS(sim->dim), 64);
		done = LAUNCH(cl, K_SOLIDS_FIND_SIDES, points, ARG(g), SHAPES,
			      BUF(sim->open_fraction), ARG(first), ARG(last), BUF(*split),
			      BUF(*found), BUF(sim->scalars));
	}
	return done && clx_read(cl, found, 0, 2 * sizeof(u32), value);
}

static bool split_kernels(struct sim *sim, struct clx_buffer *split)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->grid;
	const i32 ops = (i32)sim->solid_op_count;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	struct clx_buffer lost = {0};
	bool done = clx_alloc(cl, &lost, "lost kernels", (size_t)g.lattice, sizeof(f32));
	for (i32 first = 0, last = 0; done && first < SOLIDS_AROUND(sim->dim); first = last) {
		last = solids_turns(sim, first, SOLIDS_AROUND(sim->dim), 2 * 64 + 8);
		done = LAUNCH(cl, K_SOLIDS_SPLIT_KERNELS, points, ARG(g), SHAPES, BUF(*split),
			      BUF(sim->open_fraction), BUF(sim->volume_open), ARG(first), ARG(last),
			      BUF(lost), BUF(sim->kernel_open), BUF(sim->scalars));
	}
	done = done && clx_wait(cl);
	clx_free(cl, &lost);
	return done;
}

bool solids_find_split(struct sim *sim)
{
	struct clx *cl = sim->cl;
	struct clx_buffer found = {0}, split = {0};
	u32 value[2] = {0, 0};
	bool done =
		clx_alloc(cl, &found, "sides", 2, sizeof(u32)) &&
		clx_alloc(cl, &split, "split cells", 3 * (size_t)sim->grid.lattice, sizeof(u32)) &&
		find_sides(sim, &split, &found, value);
	if (done && value[1]) {
		sim->grid.gaps = 1;
		done = solids_find_faces(sim) && find_sides(sim, &split, &found, value);
	}
	const struct grid g = sim->grid;
	const i32 ops = (i32)sim->solid_op_count;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	sim->solids_split = value[0] != 0;
	if (done && value[0])
		done = LAUNCH(cl, K_SOLIDS_SPLIT_VOLUMES, points, ARG(g), SHAPES, BUF(split),
			      BUF(sim->volume_open), BUF(sim->scalars)) &&
		       split_kernels(sim, &split);
	clx_free(cl, &split);
	clx_free(cl, &found);
	return done;
}
