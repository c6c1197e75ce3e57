/*
 * For tools/oclgrind_check: launches the kernels that no tiny run reaches, and prints the names of
 * all that it has launched.
 *
 * usage: oclgrind_rest SCENE (on the device that FRESHET_DEVICE names)
 */
#include <stdio.h>

#include "poisson.h"
#include "rare_kernels.h"
#include "scene.h"
#include "sim.h"

static bool make_surfaces(struct scene *scene, struct sim *sim)
{
	static const enum surface_method methods[] = {SURFACE_ANISOTROPIC, SURFACE_BLOBS};
	bool ok = true;
	for (size_t i = 0; ok && i < sizeof(methods) / sizeof(methods[0]); i++) {
		scene->output.surface.method = methods[i];
		ok = rare_kernels_surface(sim);
	}
	return ok;
}

/* Levels of large grids are launches of their own, those of small ones a work-group's. */
static struct sim *create(const struct scene *scene, struct clx *cl)
{
	struct sim *sim = sim_create(scene, cl);
	if (sim)
		sim->poisson.mg.group_from = sim->poisson.mg.count - 1;
	return sim;
}

static bool run_with_parts(struct scene *scene, struct clx *cl)
{
	struct sim *sim = create(scene, cl);
	const bool ok = sim && sim_measure(sim) && sim_substep(sim) && sim->poisson.mg.parted[1] &&
			rare_kernels_stuck(sim) && rare_kernels_copy(sim) &&
			rare_kernels_distances(sim) && make_surfaces(scene, sim);
	sim_destroy(sim);
	return ok;
}

/* In two launches a level, and half-sweep by half-sweep. */
static bool run_without(struct scene *scene, struct clx *cl)
{
	bool ok = true;
	for (int tiles = 0; tiles < 2; tiles++) {
		struct sim *sim = create(scene, cl);
		if (sim)
			sim->poisson.mg.tiles = tiles;
		ok = ok && sim && sim_measure(sim) && sim_substep(sim);
		sim_destroy(sim);
	}
	return ok;
}

int main(int count, char **arguments)
{
	struct clx_kernel_time times[CLX_MAX_TIMES];
	/* A plate that cuts coarse cells of every level apart; conjugate gradients would leave out
	 * the last. */
	static const char *const with_parts[] = {
		"solver.max_iterations=3",
		"solver.pressure=multigrid",
		"solver.full_cycles=0",
		"domain.cells=8",
		"solids=[{\"box\":{\"min\":[-0.1,0.4],\"max\":[1.1,0.4]}}]",
		"solver.drift=push",
		"solver.resample=true",
		"solver.reposition=true",
		"solver.collision_distance=0.5",
		"liquid.kernel=stiff"};
	static const char *const without[] = {"solver.max_iterations=3", "domain.cells=8",
					      "solids=[]",
					      "drains=[{\"sphere\":{\"center\":[0,0],"
					      "\"radius\":0.2},\"rate\":1}]",
					      "forces=[{\"vorticity\":{\"strength\":1}},"
					      "{\"wind\":{\"velocity\":[9,0]}}]"};
	struct scene *parted = count == 2 ? scene_read(arguments[1], with_parts, 10) : NULL;
	struct scene *whole = parted ? scene_read(arguments[1], without, 5) : NULL;
	struct clx *cl = whole ? clx_open(NULL, whole->dim, false, true, NULL) : NULL;
	const bool ok = cl && run_with_parts(parted, cl) && run_without(whole, cl);
	const size_t kernels = cl ? clx_kernel_times(cl, times, CLX_MAX_TIMES) : 0;
	for (size_t i = 0; i < kernels; i++)
		printf("%s\n", times[i].name);
	clx_close(cl);
	scene_free(whole);
	scene_free(parted);
	return ok ? 0 : 1;
}
