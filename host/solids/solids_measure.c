#include "clock.h"
#include "message.h"
#include "shape.h"
#include "solids.h"

#define LONG_SECONDS 1.0 /* of its start, before it is said that the set-up takes long */

bool solids_measure_faces(struct solids *solids, const struct solids_pass *pass)
{
	struct clx *cl = solids->lattice->cl;
	const struct grid g = solids->lattice->grid;
	const double start = clock_seconds();
	bool done = (!solids->moving && pass->ops == 0) ||
		    LAUNCH(cl, solids_distance, SOLIDS_RANGE(pass), .g = &g,
			   SOLIDS_SHAPES(solids, pass), .limit = F32(pass->farthest),
			   .solid_phi = pass->phi);
	done = done && solids_find_faces(solids, pass) && (solids->moving || clx_wait(cl));
	/* A part of it all, or kernels had to be compiled. */
	if (done && pass->ops > 0 && !solids->moving && solids->loop_turns > 1 &&
	    clock_seconds() - start > LONG_SECONDS)
		message_note("measuring the room that %zu solid%s may take a while", solids->count,
			     solids->count == 1 ? " leaves" : "s leave");
	return done;
}

bool solids_measure_rooms(struct solids *solids, const struct solids_pass *pass)
{
	return solids_sum_rooms(solids, pass) &&
	       (solids->count == 0 || solids_share_volumes(solids, pass));
}

bool solids_measure(struct solids *solids, const struct solids_pass *pass)
{
	return solids_measure_faces(solids, pass) &&
	       (!solids->split || solids_mark_sides(solids, pass)) &&
	       solids_measure_rooms(solids, pass);
}

struct solids_pass solids_whole(struct solids *solids)
{
	const struct grid *g = &solids->lattice->grid;
	return (struct solids_pass){
		.box = {0, 0, 0, g->px, g->py, g->pz},
		.ops = (i32)solids->op_count,
		.open_fraction = &solids->open_fraction,
		.kernel_open = &solids->kernel_open,
		.volume_open = &solids->volume_open,
		.phi = &solids->phi,
		.farthest = solids->moving ? (f32)(SOLIDS_FARTHEST * solids->h) : SHAPE_FAR,
	};
}
