#include "message.h"
#include "solids.h"

/* Of the samples of the layers that are looked at together, about. */
#define SAMPLES_BYTES ((size_t)64 << 20)
#define SAMPLES_CELL 64 /* solids_sample.h */

static bool sum_layers(struct solids *solids, i32 first, i32 last, union u16_buffer *room)
{
	struct clx *cl = solids->lattice->cl;
	const struct grid g = solids->lattice->grid;
	const i32 ops = (i32)solids->op_count, layers = last - first + 4;
	return LAUNCH(cl, solids_sample_layers,
		      clx_range3((size_t)g.nx + 4, (size_t)g.ny + 4, (size_t)layers), .g = &g,
		      .ops = &solids->ops, .op_count = I32(ops), .points = &solids->points,
		      .first = I32(first), .layers = I32(layers), .room = room,
		      .scalars = &solids->lattice->scalars) &&
	       LAUNCH(cl, solids_sum_samples,
		      clx_range3((size_t)g.px, (size_t)g.py, (size_t)(last - first)), .g = &g,
		      .solid_phi = &solids->phi, .first = I32(first), .last = I32(last),
		      .room = room, .volume_open = &solids->volume_open,
		      .kernel_open = &solids->kernel_open);
}

bool solids_sum_samples(struct solids *solids)
{
	struct clx *cl = solids->lattice->cl;
	const struct grid *g = &solids->lattice->grid;
	const size_t layer = ((size_t)g->nx + 4) * ((size_t)g->ny + 4) * SAMPLES_CELL;
	const size_t fit = SAMPLES_BYTES / (layer * sizeof(uint16_t));
	const i32 count = fit < 8 ? 4 : fit < (size_t)g->pz + 4 ? (i32)fit - 4 : g->pz;
	union u16_buffer room = {0};
	/* Kernels count the samples in 32 bits. */
	if (layer * (size_t)(count + 4) > INT32_MAX)
		return message_error(
			"a grid of %d x %d cells across is too large for meshes: their "
			"samples of %d layers are more than 2^31",
			g->nx, g->ny, count + 4);
	bool done = clx_alloc(cl, &room, "samples of cells", layer * (size_t)(count + 4));
	for (i32 first = 0; done && first < g->pz; first += count)
		done = sum_layers(solids, first, first + count < g->pz ? first + count : g->pz,
				  &room);
	done = done && clx_wait(cl);
	clx_free(cl, &room);
	return done;
}
