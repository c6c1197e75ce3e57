/*
 * What a substep does, in numbers that no machine changes: launches, waits and fills, and for each
 * kernel the accesses and bytes of accesses.h, on the device `native` in the way that FRESHET_PATH
 * says.
 *
 * usage: kernel_counts SCENE SKIP STEPS [SET...]
 *
 * Skips so many substeps and counts over so many.  Prints one JSON object, means per substep.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accesses.h"
#include "json_writer.h"
#include "native/native_kernels.h"
#include "number.h"
#include "scene.h"
#include "sim.h"

static struct {
	bool counting;
	uint64_t launches[KERNEL_COUNT];
	struct accesses accesses[KERNEL_COUNT];
} counted;

/* Is that of the device, in place of its own. */
void native_run(int dim, enum kernel_id kernel, const size_t global[3], const size_t local[3],
		void *const *arguments)
{
	const struct native_kernel *native = native_kernel(dim, kernel);
	const void *local_memory = NULL;
	size_t size[3];
	for (int a = 0; a < 3; a++)
		size[a] = native->by_groups ? global[a] / local[a] : global[a];
	size[0] *= native->items;
	for (size_t n = 0; n < native->count && !local_memory; n++)
		if (native->arguments[n].kind == 'l')
			local_memory = arguments[n];
	counted.launches[kernel] += counted.counting;
	if (counted.counting)
		accesses_begin(local_memory, local_memory ? 1 << 20 : 0);
	native->call(arguments, size);
	if (counted.counting)
		accesses_end(&counted.accesses[kernel]);
}

const struct native_kernel *native_kernel(int dim, enum kernel_id kernel)
{
	return (dim == 3 ? native_kernels_3d() : native_kernels_2d()) + kernel;
}

/* ---- the substeps ------------------------------------------------------------------------- */

struct sums {
	double steps, particles, liquid_cells, lattice;
	double launches, waits, filled, enqueued, needed;
};

static void take_commands(const struct sim *sim, double sign, struct sums *sums)
{
	struct clx_stage_count counts[CLX_MAX_STAGES];
	clx_stage_counts(sim->cl, counts);
	for (size_t s = 0; s < sim->method->stage_count; s++) {
		sums->launches += sign * (double)counts[s].launches;
		sums->waits += sign * (double)counts[s].transfers;
		sums->filled += sign * (double)counts[s].filled;
	}
}

static bool run(struct sim *sim, int skip, int steps, struct sums *sums)
{
	bool ok = sim_measure(sim);
	for (int n = 0; ok && n < skip; n++)
		ok = sim_substep(sim);
	*sums = (struct sums){.steps = steps, .lattice = (double)sim->lattice.grid.lattice};
	take_commands(sim, -1.0, sums);
	counted.counting = true;
	for (int n = 0; ok && n < steps; n++) {
		ok = sim_substep(sim);
		sums->particles += (double)sim->stats.particles;
		sums->liquid_cells += (double)sim->stats.report.liquid_cells;
	}
	counted.counting = false;
	take_commands(sim, 1.0, sums);
	return ok;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void add_accesses(struct json_writer *json, const struct accesses *a, double steps)
{
	json_number(json, "loads", (double)a->loads / steps);
	json_number(json, "stores", (double)a->stores / steps);
	json_number(json, "loaded_bytes", (double)a->loaded / steps);
	json_number(json, "stored_bytes", (double)a->stored / steps);
	json_number(json, "read_bytes", (double)a->read / steps);
	json_number(json, "written_bytes", (double)a->written / steps);
	json_number(json, "atomics", (double)a->atomics / steps);
	json_number(json, "local_atomics", (double)a->local_atomics / steps);
}

static bool print(const struct sums *s)
{
	struct json_writer json = {0};
	size_t length;
	json_begin_object(&json, NULL);
	json_number(&json, "steps", s->steps);
	json_number(&json, "particles", s->particles / s->steps);
	json_number(&json, "liquid_cells", s->liquid_cells / s->steps);
	json_number(&json, "lattice_points", s->lattice);
	json_number(&json, "launches", s->launches / s->steps);
	json_number(&json, "waits", s->waits / s->steps);
	json_number(&json, "filled_bytes", s->filled / s->steps);
	json_begin_array(&json, "kernels");
	for (int k = 0; k < KERNEL_COUNT; k++) {
		if (!counted.launches[k])
			continue;
		json_begin_object(&json, NULL);
		json_string(&json, "name", kernel_names[k]);
		json_number(&json, "launches", (double)counted.launches[k] / s->steps);
		add_accesses(&json, &counted.accesses[k], s->steps);
		json_end_object(&json);
	}
	json_end_array(&json);
	json_end_object(&json);
	char *text = json_take(&json, &length);
	if (text)
		fputs(text, stdout);
	free(text);
	return text != NULL;
}

int main(int count, char **arguments)
{
	struct sums sums;
	uint64_t skip, steps;
	if (count < 4 || !number_read_count(arguments[2], 1000000, &skip) ||
	    !number_read_count(arguments[3], 1000000, &steps) || steps < 1) {
		fprintf(stderr, "usage: kernel_counts SCENE SKIP STEPS [SET...]\n");
		return 2;
	}
	struct scene *scene =
		scene_read(arguments[1], (const char *const *)arguments + 4, (size_t)count - 4);
	struct clx *cl = scene ? clx_open("native", scene->dim, false, false, NULL) : NULL;
	struct sim *sim = cl ? sim_create(scene, cl) : NULL;
	const bool ok = sim && run(sim, (int)skip, (int)steps, &sums) && print(&sums);
	sim_destroy(sim);
	clx_close(cl);
	scene_free(scene);
	return ok ? 0 : 1;
}
