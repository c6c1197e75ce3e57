#include "stages.h"

bool extrapolate_field(struct sim *sim, struct clx_buffer *field, struct clx_buffer *second,
		       int layers, struct clx_buffer *valid)
{
	const struct grid g = sim->lattice.grid;
	const i32 has_second = second != NULL;
	const struct bricks *b = &sim->lattice.bricks;
	struct clx_buffer *from = valid, *to = &sim->valid_next;
	/* What is not listed is read as well. */
	if (!clx_zero(sim->cl, to, 0, to->bytes))
		return false;
	for (int layer = 0; layer < layers; layer++) {
		if (!LAUNCH(sim->cl, K_EXTRAPOLATE_LAYER, bricks_points(b, BRICKS_BAND),
			    BRICKS(b, BRICKS_BAND), ARG(g), BUF(*field),
			    has_second ? BUF(*second) : BUF(*field), ARG(has_second), BUF(*from),
			    BUF(*to)))
			return false;
		struct clx_buffer *swap = from;
		from = to;
		to = swap;
	}
	return from == valid || clx_copy(sim->cl, from, 0, valid, 0, valid->bytes);
}

/* A particle gives values to the faces less than a cell away per axis, and makes liquid of cells
 * whose centres are less than two cells away: their faces are at most three steps beyond. */
#define KNOWN_LAYERS 3

bool extrapolate_known(struct sim *sim)
{
	return extrapolate_field(sim, &sim->u_face, NULL, KNOWN_LAYERS, &sim->valid);
}

/* Free slip at closed faces; base as in extrapolate_constrain(), NULL = none. */
static bool constrain(struct sim *sim, struct clx_buffer *field, struct clx_buffer *base)
{
	const struct grid g = sim->lattice.grid;
	const i32 has_base = base != NULL;
	const struct bricks *b = &sim->lattice.bricks;
	return LAUNCH(sim->cl, K_EXTRAPOLATE_CONSTRAIN, bricks_points(b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), ARG(g), BUF(*field),
		      has_base ? BUF(*base) : BUF(*field), ARG(has_base), BUF(sim->valid),
		      BUF(sim->solids.open_fraction), BUF(sim->opened), BUF(sim->solids.phi),
		      BUF(sim->slip)) &&
	       LAUNCH(sim->cl, K_EXTRAPOLATE_ADOPT, bricks_points(b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), ARG(g), BUF(sim->valid),
		      BUF(sim->solids.open_fraction), BUF(sim->opened), BUF(sim->slip),
		      BUF(*field));
}

bool extrapolate_projected(struct sim *sim)
{
	if (!extrapolate_field(sim, &sim->u_face, &sim->delta, sim->layers, &sim->valid))
		return false;
	/* One after the other: there is room for the results of one. */
	return sim->solids.op_count == 0 ||
	       (constrain(sim, &sim->u_face, NULL) && constrain(sim, &sim->delta, &sim->u_old));
}
