/* A breaking wave for the pressure benchmark: the surface of a dam break, run until then. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_pressure.h"
#include "message.h"

/* The dam's front has run up the far wall and falls back over what follows it. */
#define BREAKING_TIME 0.9
#define MAX_SUBSTEPS 100000

static struct scene *create_dam(int dim, int cells)
{
	char text[512];
	const int length =
		snprintf(text, sizeof(text),
			 "version: 1\ndomain: {size: [1, 1%s], cells: %d, walls: {y+: open}}\n"
			 "time: {frames: 1, fps: %.17g}\n"
			 "liquids:\n  - {name: dam, box: {min: [0, 0%s], max: [0.4, 0.5%s]}}\n",
			 dim == 3 ? ", 1" : "", cells, 1.0 / BREAKING_TIME, dim == 3 ? ", 0" : "",
			 dim == 3 ? ", 1" : "");
	return length > 0 && (size_t)length < sizeof(text)
		       ? scene_read_text(text, (size_t)length, "bench")
		       : NULL;
}

/* phi of the cells; solid ones (none here) and air alike by their sign. */
static bool read_phi(struct sim *sim, struct bench_wave *wave)
{
	const struct grid g = sim->lattice.grid;
	const size_t lattice = (size_t)g.lattice;
	float *phi = malloc(lattice * sizeof(*phi));
	uint8_t *type = malloc(lattice);
	wave->phi = malloc((size_t)g.nx * (size_t)g.ny * (size_t)g.nz * sizeof(*wave->phi));
	bool ok = (phi && type && wave->phi) ||
		  message_memory(lattice * 3 * sizeof(*phi),
				 "the level set; fewer --cells need less");
	ok = ok && clx_read(sim->cl, &sim->phi, 0, lattice * sizeof(*phi), phi) &&
	     clx_read(sim->cl, &sim->cell_type, 0, lattice, type);
	for (int k = 0; k < g.nz && ok; k++)
		for (int j = 0; j < g.ny; j++)
			for (int i = 0; i < g.nx; i++) {
				const size_t at =
					((size_t)k * (size_t)g.py + (size_t)j) * (size_t)g.px +
					(size_t)i;
				/* Cells that hold a particle are liquid at no depth of their own.
				 */
				const float value = fabsf(phi[at]);
				wave->phi[((size_t)k * (size_t)g.ny + (size_t)j) * (size_t)g.nx +
					  (size_t)i] = type[at] == CELL_LIQUID ? -value : value;
			}
	free(phi);
	free(type);
	return ok;
}

bool bench_wave_make(struct bench_wave *wave, struct clx *cl, int cells)
{
	const int dim = clx_dim(cl);
	if (wave->phi && wave->dim == dim && wave->cells == cells)
		return true;
	bench_wave_free(wave);
	struct scene *scene = create_dam(dim, cells);
	struct sim *sim = scene ? sim_create(scene, cl) : NULL;
	bool ok = sim != NULL;
	for (int i = 0; i < MAX_SUBSTEPS && ok && sim->frame < 1; i++)
		ok = sim_substep(sim);
	ok = ok && read_phi(sim, wave);
	wave->dim = dim;
	wave->cells = cells;
	if (!ok)
		bench_wave_free(wave);
	sim_destroy(sim);
	scene_free(scene);
	return ok;
}

void bench_wave_free(struct bench_wave *wave)
{
	free(wave->phi);
	*wave = (struct bench_wave){0};
}

double bench_wave_phi(const struct bench_wave *wave, const double point[3])
{
	const int n = wave->cells, nz = wave->dim == 3 ? n : 1;
	int low[3];
	double part[3], sum = 0.0;
	for (int a = 0; a < 3; a++) {
		double at = point[a] * n - 0.5;
		at = at < 0.0 ? 0.0 : at > n - 1.0 ? n - 1.0 : at;
		low[a] = at >= n - 1.0 && n > 1 ? n - 2 : (int)at;
		part[a] = at - low[a];
	}
	if (wave->dim == 2) {
		low[2] = 0;
		part[2] = 0.0;
	}
	for (int q = 0; q < 8; q++) {
		double weight = 1.0;
		int at[3];
		for (int a = 0; a < 3; a++) {
			weight *= q >> a & 1 ? part[a] : 1.0 - part[a];
			at[a] = low[a] + (q >> a & 1);
		}
		if (weight > 0.0 && at[2] < nz)
			sum += weight *
			       (double)wave->phi[((size_t)at[2] * (size_t)n + (size_t)at[1]) *
							 (size_t)n +
						 (size_t)at[0]];
	}
	return sum;
}
