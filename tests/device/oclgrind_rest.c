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

static bool run(struct scene *scene, struct clx *cl)
{
	struct sim *sim = sim_create(scene, cl);
	/* Levels of large grids are launches of their own, those of small ones a work-group's. */
	if (sim)
		sim->poisson.mg.group_from = sim->poisson.mg.count - 1;
	const bool ok = sim && sim_measure(sim) && sim_substep(sim) && sim->poisson.mg.parted[1] &&
			rare_kernels_copy(sim) && rare_kernels_distances(sim) &&
			make_surfaces(scene, sim);
	sim_destroy(sim);
	return ok;
}

int main(int count, char **arguments)
{
	struct clx_kernel_time times[CLX_MAX_TIMES];
	/* A plate that cuts coarse cells of every level apart; conjugate gradients would leave out
	 * the last. */
	static const char *const sets[] = {
		"solver.max_iterations=3", "solver.pressure=multigrid", "solver.full_cycles=0",
		"domain.cells=8", "solids=[{\"box\":{\"min\":[-0.1,0.4],\"max\":[1.1,0.4]}}]"};
	struct scene *scene = count == 2 ? scene_read(arguments[1], sets, 5) : NULL;
	struct clx *cl = scene ? clx_open(NULL, scene->dim, 0, true, NULL) : NULL;
	const bool ok = cl && run(scene, cl);
	const size_t kernels = cl ? clx_kernel_times(cl, times, CLX_MAX_TIMES) : 0;
	for (size_t i = 0; i < kernels; i++)
		printf("%s\n", times[i].name);
	clx_close(cl);
	scene_free(scene);
	return ok ? 0 : 1;
}
