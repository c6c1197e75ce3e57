/*
 * For tools/oclgrind_check: launches the kernels that no tiny run reaches, and prints the names of
 * all that it has launched.
 *
 * usage: oclgrind_rest SCENE (on the device that FRESHET_DEVICE names)
 */
#include <stdio.h>

#include "distance.h"
#include "pressure.h"
#include "scene.h"
#include "sim.h"
#include "surface.h"

/* As benchmarks and `freshet validate` do. */
static bool launch_others(struct sim *sim)
{
	struct distance distance = {0};
	struct clx_buffer to = {0}, distances = {0};
	const i32 n = 16;
	const bool ok = clx_alloc(sim->cl, &to, "copy", 16 * (size_t)n, 1) &&
			LAUNCH(sim->cl, K_BENCH_COPY, clx_range1((size_t)n), BUF(sim->u_face),
			       BUF(to), ARG(n)) &&
			clx_alloc(sim->cl, &distances, "distances", (size_t)sim->grid.lattice,
				  sizeof(f32)) &&
			distance_init(&distance, sim) &&
			distance_redistance(&distance, sim, &sim->phi, &distances);
	distance_finish(&distance, sim->cl);
	clx_free(sim->cl, &distances);
	clx_free(sim->cl, &to);
	return ok;
}

static bool make_surface(struct sim *sim)
{
	struct surface surface = {0};
	struct mesh mesh = {0};
	const bool ok = surface_init(&surface, sim) && surface_update(&surface, sim) &&
			surface_mesh(&surface, sim, &mesh);
	mesh_free(&mesh);
	surface_finish(&surface, sim->cl);
	return ok;
}

static bool make_surfaces(struct scene *scene, struct sim *sim)
{
	static const enum surface_method methods[] = {SURFACE_ANISOTROPIC, SURFACE_BLOBS};
	bool ok = true;
	for (size_t i = 0; ok && i < sizeof(methods) / sizeof(methods[0]); i++) {
		scene->output.surface.method = methods[i];
		ok = make_surface(sim);
	}
	return ok;
}

static bool run(struct scene *scene, struct clx *cl)
{
	struct sim *sim = sim_create(scene, cl);
	/* Levels of large grids are launches of their own, those of small ones a work-group's. */
	if (sim)
		sim->solver->mg.small_from = sim->solver->mg.count - 1;
	const bool ok = sim && sim_measure(sim) && sim_substep(sim) && launch_others(sim) &&
			make_surfaces(scene, sim);
	sim_destroy(sim);
	return ok;
}

int main(int count, char **arguments)
{
	struct clx_kernel_time times[CLX_MAX_TIMES];
	static const char *const sets[] = {"solver.max_iterations=3", "domain.cells=8"};
	struct scene *scene = count == 2 ? scene_read(arguments[1], sets, 2) : NULL;
	struct clx *cl = scene ? clx_open(NULL, scene->dim, true, NULL) : NULL;
	const bool ok = cl && run(scene, cl);
	const size_t kernels = cl ? clx_kernel_times(cl, times, CLX_MAX_TIMES) : 0;
	for (size_t i = 0; i < kernels; i++)
		printf("%s\n", times[i].name);
	clx_close(cl);
	scene_free(scene);
	return ok ? 0 : 1;
}
