/*
 * The bytes a stage must move, by the rule of docs/benchmark.md: every field it takes over from
 * other stages is read once, every field it hands on is written once, per particle or per liquid
 * cell; passes over its own scratch are free.  Only the pressure solve pays per iteration, since
 * its vectors do not fit a cache.  It is a bound, not an account of what the kernels do: the gap
 * between the two is what can still be gained.
 */
#include <string.h>

#include "bench.h"

enum solve { SOLVE_NONE, SOLVE_PRESSURE, SOLVE_DRIFT };

/* Bytes per particle: fixed + per_axis D + affine D^2 (APIC only); per cell likewise. */
static const struct row {
	const char *stage;
	bool by_particle;
	double particle, particle_axis, particle_affine;
	double cell, cell_axis;
	enum solve solve;
} rows[] = {
	/* x, v, id [C] read and written; the rank within the cell written and read; cell starts
	 * cleared, counted, scanned, scattered */
	{"sort", true, 16, 16, 8, 20, 0, SOLVE_NONE},
	/* x, v [C]; cell start; u and the mask written */
	{"p2g", true, 0, 8, 4, 5, 4, SOLVE_NONE},
	/* x; cell start; phi and type written */
	{"levelset", true, 0, 4, 0, 9, 0, SOLVE_NONE},
	/* the mask read and written; the band itself grows with the surface only */
	{"extrapolate_known", false, 0, 0, 0, 2, 0, SOLVE_NONE},
	/* the sum is formed where u is read */
	{"forces", false, 0, 0, 0, 0, 0, SOLVE_NONE},
	/* phi, type, u read for links, excess and b, these written (13 + 8 D); q, u read,
	 * u, delta, p, mask written (9 + 12 D) */
	{"pressure", false, 0, 0, 0, 22, 20, SOLVE_PRESSURE},
	{"extrapolate", false, 0, 0, 0, 2, 0, SOLVE_NONE},
	/* x, v read, v [C] written; u and delta read */
	{"g2p", true, 0, 12, 4, 0, 8, SOLVE_NONE},
	/* x read and written, id; u read */
	{"advect", true, 4, 8, 0, 0, 4, SOLVE_NONE},
	/* x for the density; x and id read, x written; phi, type, open volume read, links, excess
	 * and b written (15 + 4 D); q read, displacement written and read (4 + 8 D) */
	{"drift", true, 4, 12, 0, 19, 12, SOLVE_DRIFT},
	/* phi, type, cell start */
	{"cell_statistics", false, 0, 0, 0, 9, 0, SOLVE_NONE},
	/* x, v, id */
	{"statistics", true, 4, 8, 0, 0, 0, SOLVE_NONE},
};

/*
 * One iteration of conjugate gradients with a V-cycle, per cell of the finest level, coefficients
 * free (they are uniform almost everywhere).  A level: down from a zero guess b read, x and its
 * share of the coarse b written; up x, b and its share of the coarse x read, x written; each
 * further pair of sweeps 24.  The levels add up to 8/7 (4/3 in 2D) of the finest.  Vectors: z, s
 * read, s, A s written (16); s, A s, x, r read, x, r written (24).
 */
static double iteration_bytes(int dim, int sweeps)
{
	const double children = dim == 3 ? 8.0 : 4.0;
	const double levels = children / (children - 1.0);
	const double cycle = 8.0 + 12.0 + 2.0 * 4.0 / children + 24.0 * (sweeps - 1);
	return cycle * levels + 40.0;
}

static const struct row *find_row(const char *stage)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].stage, stage) == 0)
			return &rows[i];
	return NULL;
}

double bench_model_bytes(const char *stage, const struct bench_load *load)
{
	const struct row *r = find_row(stage);
	const double d = load->dim;
	if (!r)
		return 0.0;
	double particle = r->particle + r->particle_axis * d;
	if (load->affine)
		particle += r->particle_affine * d * d;
	double cell = r->cell + r->cell_axis * d;
	const int iterations = r->solve == SOLVE_PRESSURE ? load->pressure_iterations
			       : r->solve == SOLVE_DRIFT  ? load->drift_iterations
							  : 0;
	cell += iterations * iteration_bytes(load->dim, load->sweeps);
	return load->particles * particle + load->liquid_cells * cell;
}

bool bench_model_by_particle(const char *stage)
{
	const struct row *r = find_row(stage);
	return r && r->by_particle;
}

double bench_kernel_ms(const struct bench_result *result)
{
	double sum = 0.0;
	for (size_t i = 0; i < result->stage_count; i++)
		sum += result->stages[i].ms;
	return sum;
}

double bench_bytes(const struct bench_result *result)
{
	double sum = 0.0;
	for (size_t i = 0; i < result->stage_count; i++)
		sum += result->stages[i].bytes;
	return sum;
}
