/* A breaking wave for the pressure benchmark: the surface of a dam break, run until then. */
#include <math.h>
#include <stdlib.h>

#include "bench_pressure.h"
#include "sim_view.h"

/* s: the dam's front has run up the far wall and falls back over what follows it. */
#define BREAKING_TIME 0.9

/* phi of the cells; solid ones (none here) and air alike by their sign. */
static bool read_wave(const struct poisson *p, struct bench_wave *wave)
{
	const struct grid g = p->lattice->grid;
	float *phi = malloc(p->phi->bytes);
	uint8_t *type = malloc(p->cell_type->bytes);
	wave->phi = malloc((size_t)g.nx * (size_t)g.ny * (size_t)g.nz * sizeof(*wave->phi));
	bool ok = (phi && type && wave->phi) ||
		  message_memory(3 * p->phi->bytes, "the level set; fewer --cells need less");
	ok = ok && clx_read(p->lattice->cl, p->phi, 0, p->phi->bytes, phi) &&
	     clx_read(p->lattice->cl, p->cell_type, 0, p->cell_type->bytes, type);
	size_t to = 0;
	for (int k = 0; k < g.nz && ok; k++)
		for (int j = 0; j < g.ny; j++)
			for (int i = 0; i < g.nx; i++) {
				const size_t at =
					((size_t)k * (size_t)g.py + (size_t)j) * (size_t)g.px +
					(size_t)i;
				/* Cells that hold a particle are liquid at no depth of their own.
				 */
				const float value = fabsf(phi[at]);
				wave->phi[to++] = type[at] == CELL_LIQUID ? -value : value;
			}
	free(phi);
	free(type);
	return ok;
}

bool bench_wave_make(struct bench_wave *wave, struct clx *cl, int cells)
{
	char reason[BENCH_REASON];
	wave->dim = clx_dim(cl);
	wave->cells = cells;
	struct scene *scene = bench_read_scene(
		wave->dim, reason,
		"version: 1\ndomain: {size: [1, 1, 1], cells: %d, walls: {y+: open}}\n"
		"time: {frames: 1, fps: %.17g}\n"
		"liquids:\n  - {name: dam, box: {min: [0, 0, 0], max: [0.4, 0.5, 1]}}\n",
		cells, 1.0 / BREAKING_TIME);
	struct sim *sim = scene ? sim_create(scene, cl) : NULL;
	const bool ok = sim && sim_reach(sim, 1, NULL) && read_wave(sim_poisson(sim), wave);
	sim_destroy(sim);
	scene_free(scene);
	return ok;
}

double bench_wave_phi(const struct bench_wave *wave, const double point[3])
{
	const int n = wave->cells;
	int low[3] = {0};
	double part[3] = {0.0}, sum = 0.0;
	for (int a = 0; a < wave->dim; a++) {
		const double at = fmin(fmax(point[a] * n - 0.5, 0.0), n - 1.0);
		low[a] = at >= n - 1.0 && n > 1 ? n - 2 : (int)at;
		part[a] = at - low[a];
	}
	for (int q = 0; q < 1 << wave->dim; q++) {
		double weight = 1.0;
		size_t at = 0, stride = 1;
		for (int a = 0; a < wave->dim; a++, stride *= (size_t)n) {
			weight *= q >> a & 1 ? part[a] : 1.0 - part[a];
			at += stride * (size_t)(low[a] + (q >> a & 1));
		}
		if (weight > 0.0)
			sum += weight * (double)wave->phi[at];
	}
	return sum;
}
