#include "grid/carried.h"

#include <stdlib.h>

static double turn_stream(double x, double y)
{
	return -PI * ((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5));
}

static double vortex_stream(double x, double y)
{
	const double s = sin(PI * x) * sin(PI * y);
	return -s * s / PI;
}

const struct carried_flow carried_turn = {"zalesak.yaml", turn_stream, 0.0, 1.0, PI};
const struct carried_flow carried_vortex = {"vortex.yaml", vortex_stream, 8.0, 8.0, 1.0};

/* At the faces, without divergence on the grid but for rounding; the box is the unit square. */
static void sample_stream(const struct trial *trial, const struct carried_flow *flow, double t,
			  f32 *u)
{
	const struct grid *g = trial->grid;
	const double n = g->nx;
	const double factor = flow->reversal > 0.0 ? cos(PI * t / flow->reversal) : 1.0;
	for (i32 j = 0; j < g->ny + 1; j++)
		for (i32 i = 0; i < g->nx + 1; i++) {
			const size_t at = (size_t)(j * g->px + i);
			const double here = flow->stream(i / n, j / n);
			u[at] = (f32)(factor * n * (flow->stream(i / n, (j + 1) / n) - here));
			u[(size_t)g->lattice + at] =
				(f32)(-factor * n * (flow->stream((i + 1) / n, j / n) - here));
		}
}

static bool carry(struct trial *trial, const struct carried_flow *flow, double courant)
{
	const int steps = (int)ceil(flow->end * flow->speed * trial->grid->nx / courant);
	const double dt = flow->end / steps;
	f32 *u = calloc((size_t)trial->grid->lattice * 2, sizeof(*u));
	bool ok = u || message_error("out of memory for a velocity field");
	for (int n = 0; n < steps && ok; n++) {
		sample_stream(trial, flow, (n + 0.5) * dt, u);
		ok = trial_carry(trial, dt, u);
	}
	free(u);
	return ok;
}

static void compare(const struct trial *trial, const i32 *before, const i32 *after,
		    struct carried *result)
{
	const double cell = trial->scene->h * trial->scene->h / VOLUME_ONE;
	double sum_before = 0.0, sum_after = 0.0;
	result->error = 0.0;
	for (i32 at = 0; at < trial->grid->lattice; at++) {
		result->error += cell * fabs((double)after[at] - before[at]);
		sum_before += before[at];
		sum_after += after[at];
	}
	result->units = sum_after - sum_before;
	result->volume = result->units / sum_before;
}

bool carried_run(struct validate *v, const struct carried_flow *flow, int cells, double courant,
		 const char *sets, struct carried *result)
{
	v->alters = "the flow";
	struct trial *trial =
		trial_open(v, flow->scene, "method=grid\ndomain.cells=%d\n%s", cells, sets);
	i32 *before = trial ? trial_read(trial, TRIAL_VOLUME) : NULL, *after = NULL;
	if (before && carry(trial, flow, courant))
		after = trial_read(trial, TRIAL_VOLUME);
	const bool ok = after != NULL;
	if (ok)
		compare(trial, before, after, result);
	free(before);
	free(after);
	trial_close(trial);
	return ok;
}
