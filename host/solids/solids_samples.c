#include "message.h"
#include "solids.h"

/* Of the samples of the layers that are looked at together, about. */
#define SAMPLES_BYTES ((size_t)64 << 20)
#define SAMPLES_CELL 64 /* solids_sample.h */

static bool sum_layers(struct solids *solids, const struct solids_pass *pass, i32 first, i32 last)
{
	struct clx *cl = solids->lattice->cl;
	const struct grid g = solids->lattice->grid;
	const i32 layers = last - first + 4;
	return LAUNCH(cl, solids_sample_layers,
		      clx_range3((size_t)pass->box.nx + 4, (size_t)pass->box.ny + 4,
				 (size_t)layers),
		      .g = &g, SOLIDS_SHAPES(solids, pass), .first = I32(first),
		      .layers = I32(layers), .room = &solids->samples,
		      .scalars = &solids->lattice->scalars) &&
	       LAUNCH(cl, solids_sum_samples,
		      clx_range3((size_t)pass->box.nx, (size_t)pass->box.ny,
				 (size_t)(last - first)),
		      .g = &g, .box = &pass->box, .solid_phi = pass->phi, .first = I32(first),
		      .last = I32(last), .room = &solids->samples, .volume_open = pass->volume_open,
		      .kernel_open = pass->kernel_open);
}

/* Layers of a box that are looked at together. */
static i32 layers_of(const struct lattice_box *box, size_t *layer)
{
	*layer = ((size_t)box->nx + 4) * ((size_t)box->ny + 4) * SAMPLES_CELL;
	const size_t fit = SAMPLES_BYTES / (*layer * sizeof(uint16_t));
	return fit < 8 ? 4 : fit < (size_t)box->nz + 4 ? (i32)fit - 4 : box->nz;
}

size_t solids_samples_room(const struct grid *g)
{
	const struct lattice_box whole = {.nx = g->px, .ny = g->py, .nz = g->pz};
	size_t layer;
	const i32 most = layers_of(&whole, &layer);
	return layer * (size_t)(most + 4);
}

bool solids_sum_samples(struct solids *solids, const struct solids_pass *pass)
{
	struct clx *cl = solids->lattice->cl;
	const struct grid *g = &solids->lattice->grid;
	const size_t room = solids_samples_room(g);
	size_t layer;
	/* Kernels count the samples in 32 bits. */
	if (room > INT32_MAX)
		return message_error(
			"a grid of %d x %d cells across is too large for meshes and solids that "
			"move: their samples of a few layers are more than 2^31",
			g->nx, g->ny);
	bool done = SOLIDS_BORROW(solids, samples, "samples of cells", room);
	/* A smaller box has thinner layers, and fits no worse. */
	const i32 end = pass->box.k + pass->box.nz;
	i32 count = layers_of(&pass->box, &layer);
	while (count > 1 && layer * (size_t)(count + 4) > room)
		count--;
	for (i32 first = pass->box.k; done && first < end; first += count)
		done = sum_layers(solids, pass, first, first + count < end ? first + count : end);
	done = done && (solids->moving || clx_wait(cl));
	SOLIDS_RETURN(solids, samples);
	return done;
}
