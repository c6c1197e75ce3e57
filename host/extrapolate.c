#include "stages.h"

bool extrapolate_field(struct sim *sim, struct clx_buffer *field, struct clx_buffer *second,
		       int layers, struct clx_buffer *valid, struct clx_buffer *valid_next)
{
	const struct grid g = sim->grid;
	const i32 has_second = second != NULL;
	for (int layer = 0; layer < layers; layer++) {
		if (!LAUNCH(sim->cl, K_EXTRAPOLATE_LAYER, stages_lattice(sim), ARG(g), BUF(*field),
			    has_second ? BUF(*second) : BUF(*field), ARG(has_second), BUF(*valid),
			    BUF(*valid_next)))
			return false;
		struct clx_buffer swap = *valid;
		*valid = *valid_next;
		*valid_next = swap;
	}
	return true;
}

/* A particle gives values to the faces less than a cell away per axis, and makes liquid of cells
 * whose centres are less than two cells away: their faces are at most three steps beyond. */
#define KNOWN_LAYERS 3

bool extrapolate_known(struct sim *sim)
{
	return extrapolate_field(sim, &sim->u_face, NULL, KNOWN_LAYERS, &sim->valid,
				 &sim->valid_next);
}

bool extrapolate_projected(struct sim *sim)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->grid;
	if (!extrapolate_field(sim, &sim->u_face, &sim->delta, sim->layers, &sim->valid,
			       &sim->valid_next))
		return false;
	if (sim->solid_op_count == 0)
		return true;
	return LAUNCH(cl, K_EXTRAPOLATE_CONSTRAIN, stages_lattice(sim), ARG(g), BUF(sim->u_face),
		      BUF(sim->delta), BUF(sim->u_old), BUF(sim->valid), BUF(sim->open_fraction),
		      BUF(sim->opened), BUF(sim->solid_phi), BUF(sim->slip_u),
		      BUF(sim->slip_delta)) &&
	       LAUNCH(cl, K_EXTRAPOLATE_ADOPT, stages_lattice(sim), ARG(g), BUF(sim->valid),
		      BUF(sim->open_fraction), BUF(sim->opened), BUF(sim->slip_u),
		      BUF(sim->slip_delta), BUF(sim->u_face), BUF(sim->delta));
}
