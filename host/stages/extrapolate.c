#include "extrapolate.h"

#include "solids_motion.h"

bool extrapolate_field(struct sim *sim, union f32_buffer *field, union f32_buffer *second,
		       int layers, union u8_buffer *valid)
{
	const struct grid g = sim->lattice.grid;
	const i32 has_second = second != NULL;
	const struct bricks *b = &sim->lattice.bricks;
	const bool rows = clx_in_lanes(sim->cl);
	union u8_buffer *from = valid, *to = &sim->valid_next;
	for (int layer = 0; layer < layers; layer++) {
		if (!LAUNCH_EITHER(sim->cl, rows, extrapolate_rows, extrapolate_layer,
				   rows ? bricks_whole(b, BRICKS_BAND)
					: bricks_points(b, BRICKS_BAND),
				   BRICKS(b, BRICKS_BAND), .layout = &b->layout[BRICKS_BAND],
				   .state = &b->state, .g = &g, .field = field,
				   .second = has_second ? second : field,
				   .has_second = I32(has_second), .valid = from, .valid_next = to))
			return false;
		union u8_buffer *swap = from;
		from = to;
		to = swap;
	}
	return from == valid ||
	       LAUNCH(sim->cl, extrapolate_keep, bricks_points(b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), .g = &g, .valid_next = from, .valid = valid);
}

/* A particle gives values to the faces less than a cell away per axis, and makes liquid of cells
 * whose centres are less than two cells away: their faces are at most three steps beyond. */
#define KNOWN_LAYERS 3

bool extrapolate_known(struct sim *sim)
{
	return extrapolate_field(sim, &sim->u_face, NULL, KNOWN_LAYERS, &sim->valid);
}

/* Free slip at closed faces; base as in extrapolate_constrain(), NULL = none. */
static bool constrain_closed_faces(struct sim *sim, union f32_buffer *field, union f32_buffer *base)
{
	const struct grid g = sim->lattice.grid;
	const i32 has_base = base != NULL;
	const struct bricks *b = &sim->lattice.bricks;
	return LAUNCH(sim->cl, extrapolate_constrain, bricks_points(b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), .g = &g, .field = field,
		      .base = has_base ? base : field, .has_base = I32(has_base),
		      .valid = &sim->valid, .open_fraction = &sim->solids.open_fraction,
		      .opened = &sim->opened, .solid_phi = &sim->solids.phi, .out = &sim->slip) &&
	       LAUNCH(sim->cl, extrapolate_adopt, bricks_points(b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), .g = &g, .valid = &sim->valid,
		      .open_fraction = &sim->solids.open_fraction, .opened = &sim->opened,
		      .out = &sim->slip, .field = field);
}

bool extrapolate_projected(struct sim *sim)
{
	if (!extrapolate_field(sim, &sim->u_face, &sim->delta, sim->layers, &sim->valid))
		return false;
	/* One after the other: there is room for the results of one. */
	return sim->solids.op_count == 0 ||
	       (constrain_closed_faces(sim, &sim->u_face, NULL) &&
		constrain_closed_faces(sim, &sim->delta, &sim->u_old) &&
		solids_drag_faces(&sim->solids, &sim->valid, &sim->opened, &sim->u_face,
				  &sim->delta));
}
