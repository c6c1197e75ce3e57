/* The bytes that stages must move: the models of their rows (state/stage.h), for a load.  Bounds,
 * no account of what the kernels do: the gap between the two is what can still be gained. */
#include "bench.h"

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

double bench_model_bytes(const struct stage *stage, const struct bench_load *load)
{
	const struct stage_bytes *m = &stage->model;
	const double d = load->dim;
	double particle = m->particle + m->particle_axis * d;
	if (load->affine)
		particle += m->particle_affine * d * d;
	double cell = m->cell + m->cell_axis * d;
	if (stage->solves)
		cell += load->iterations[stage->solves - 1] *
			iteration_bytes(load->dim, load->sweeps);
	return load->particles * particle + load->liquid_cells * cell;
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
