/* How it runs: time, gravity, solver, camera. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_parts.h"
#include "scene_shape.h"

#define MAX_FRAMES 999999 /* file names have six digits */
#define MAX_GRAVITY 1e6

/* More substeps than this in a frame are a mistake in fps or dt. */
#define MAX_SUBSTEPS 1e6

void scene_read_time(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	scene->time.frames = 120;
	scene->time.fps = 24;
	scene->time.cfl = 1;
	scene->time.max_dt = 0.02;
	const struct scene_node *time = scene_value_mapping(reader, root, "time", SECTION_TIME);
	scene_value_int(reader, time, "frames", 0, MAX_FRAMES, &scene->time.frames);
	scene_value_number(reader, time, "fps", 0.01, 100000, &scene->time.fps);
	scene_value_number(reader, time, "cfl", 0.01, 4, &scene->time.cfl);
	scene_value_number(reader, time, "max_dt", 1e-7, 10, &scene->time.max_dt);
	scene_value_number(reader, time, "dt", 1e-7, 10, &scene->time.dt);
	static const char *const steps[] = {"dt", "max_dt"};
	for (int i = 0; i < 2; i++) {
		const struct scene_node *node = scene_node_get(time, steps[i]);
		const double dt = i == 0 ? scene->time.dt : scene->time.max_dt;
		if (node && dt > 0 && 1 / (scene->time.fps * dt) > MAX_SUBSTEPS)
			scene_node_error(&reader->errors, node,
					 "'time.%s' gives %.4g substeps per frame at %.6g fps (at "
					 "most %.0f)",
					 steps[i], 1 / (scene->time.fps * dt), scene->time.fps,
					 MAX_SUBSTEPS);
	}
}

static void read_gravity_key(struct scene_reader *reader, const struct scene_node *node,
			     const struct scene_gravity_key *previous,
			     struct scene_gravity_key *key)
{
	if (!scene_keys_check(reader, node, SECTION_GRAVITY))
		return;
	if (!scene_node_get(node, "time"))
		scene_value_missing(reader, node, "time");
	else if (scene_value_number(reader, node, "time", 0, 1e9, &key->time) && previous &&
		 !(key->time > previous->time))
		scene_node_error(&reader->errors, scene_node_get(node, "time"),
				 "the times of 'gravity' must increase: %.10g does not follow "
				 "%.10g",
				 key->time, previous->time);
	if (!scene_node_get(node, "g"))
		scene_value_missing(reader, node, "g");
	scene_value_vector(reader, node, "g", -MAX_GRAVITY, MAX_GRAVITY, key->g);
}

void scene_read_gravity(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *node = scene_node_get(root, "gravity");
	const bool keyed = node && node->kind == SCENE_LIST && node->count > 0 &&
			   node->children[0]->kind == SCENE_MAPPING;
	const size_t count = keyed ? node->count : 1;
	scene->gravity = calloc(count, sizeof(*scene->gravity));
	if (!scene->gravity) {
		scene_error_memory(&reader->errors);
		return;
	}
	scene->gravity_count = count;
	scene->gravity[0].g[1] = -9.81;
	if (keyed)
		for (size_t i = 0; i < count; i++)
			read_gravity_key(reader, node->children[i],
					 i > 0 ? &scene->gravity[i - 1] : NULL, &scene->gravity[i]);
	else
		scene_value_vector(reader, root, "gravity", -MAX_GRAVITY, MAX_GRAVITY,
				   scene->gravity[0].g);
}

#define USED_BY(solver) (1u << (solver))

/* Keys that only some solvers read, and whether the value given is the default: run.json lists all.
 */
struct solver_key {
	const char *name;
	unsigned used_by;
	bool is_default;
};

static void warn_unused(struct scene_reader *reader, const struct scene_node *solver,
			const struct solver_key *key, const char *const *names, int pressure)
{
	const struct scene_node *node = scene_node_get(solver, key->name);
	char users[80] = "";
	if (!node || key->is_default || key->used_by & USED_BY(pressure))
		return;
	for (int n = 0; names[n]; n++)
		if (key->used_by & USED_BY(n))
			snprintf(users + strlen(users), sizeof(users) - strlen(users), "%s'%s'",
				 users[0] ? " and " : "", names[n]);
	scene_warning_at(
		&reader->errors, node->source, node->line, node->column,
		"'solver.%s' changes nothing: the solver is '%s', which does not read it (%s %s)",
		key->name, names[pressure], users, strchr(users, ' ') ? "do" : "does");
}

void scene_read_solver(struct scene_reader *reader, const struct scene_node *root)
{
	static const char *const pressures[] = {"mgpcg",	"multigrid", "cg", "jacobi",
						"gauss-seidel", "pcg-ic",    NULL};
	static const char *const advections[] = {"rk1", "rk2", "rk3", "rk4", NULL};
	static const char *const drifts[] = {"position", "density", "none", NULL};
	struct scene *scene = reader->scene;
	const struct scene_node *solver =
		scene_value_mapping(reader, root, "solver", SECTION_SOLVER);
	int pressure = SOLVER_MGPCG, advection = ADVECTION_RK2, drift = DRIFT_POSITION;
	scene_value_choice(reader, solver, "pressure", pressures, &pressure);
	scene_value_choice(reader, solver, "advection", advections, &advection);
	scene_value_choice(reader, solver, "drift", drifts, &drift);
	scene->solver.pressure = (enum scene_solver)pressure;
	scene->solver.advection = (enum scene_advection)advection;
	scene->solver.drift = (enum scene_drift)drift;
	scene->solver.tolerance = 1e-5;
	scene->solver.max_iterations = 200;
	/* Ten is what multigrid alone was published with; inside CG two are enough. */
	const int sweeps = pressure == SOLVER_MULTIGRID ? 10 : 2;
	scene->solver.sweeps = sweeps;
	scene->solver.v_cycles = 4;
	scene->solver.full_cycles = 4;
	scene->solver.over_relaxation = 1.9;
	scene->solver.separation = true;
	scene_value_number(reader, solver, "tolerance", 1e-16, 0.5, &scene->solver.tolerance);
	scene_value_int(reader, solver, "max_iterations", 1, 100000, &scene->solver.max_iterations);
	scene_value_int(reader, solver, "sweeps", 1, 100, &scene->solver.sweeps);
	scene_value_int(reader, solver, "v_cycles", 0, 100, &scene->solver.v_cycles);
	scene_value_int(reader, solver, "full_cycles", 0, 100, &scene->solver.full_cycles);
	scene_value_number(reader, solver, "over_relaxation", 0.1, 1.99,
			   &scene->solver.over_relaxation);
	scene_value_bool(reader, solver, "separation", &scene->solver.separation);
	const struct solver_key keys[] = {
		{"sweeps", USED_BY(SOLVER_MGPCG) | USED_BY(SOLVER_MULTIGRID),
		 scene->solver.sweeps == sweeps},
		{"v_cycles", USED_BY(SOLVER_MULTIGRID), scene->solver.v_cycles == 4},
		{"full_cycles", USED_BY(SOLVER_MULTIGRID), scene->solver.full_cycles == 4},
		{"over_relaxation", USED_BY(SOLVER_GAUSS_SEIDEL),
		 fabs(scene->solver.over_relaxation - 1.9) <= 0},
	};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		warn_unused(reader, solver, &keys[i], pressures, pressure);
	if (pressure == SOLVER_MULTIGRID && scene->solver.v_cycles + scene->solver.full_cycles == 0)
		scene_node_error(&reader->errors, solver,
				 "'solver.v_cycles' and 'solver.full_cycles' are both 0: "
				 "'multigrid' would do nothing");
}

/* The default view: the whole box, from the front, a little above and to the right. */
static void default_camera(struct scene *scene)
{
	static const double direction[3] = {2 / 5.745, 2 / 5.745, 5 / 5.745};
	double square = 0;
	for (int i = 0; i < 3; i++)
		square += scene->size[i] * scene->size[i];
	/* A ball around the box, of radius |size|/2, fits into 40 degrees at 2.92 radii. */
	const double distance = 1.5 * sqrt(square);
	for (int i = 0; i < 3; i++) {
		scene->camera.target[i] = 0.5 * scene->size[i];
		scene->camera.eye[i] = scene->camera.target[i] + distance * direction[i];
	}
	scene->camera.up[1] = 1;
	scene->camera.fov = 40;
}

void scene_read_camera(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *node = scene_node_get(root, "camera");
	if (node && reader->dim == 2) {
		scene_key_error(&reader->errors, node, "'camera' has no meaning in a 2D scene");
		return;
	}
	if (reader->dim != 3)
		return;
	default_camera(scene);
	const struct scene_node *camera =
		scene_value_mapping(reader, root, "camera", SECTION_CAMERA);
	if (!camera)
		return;
	const int errors = reader->errors.count;
	scene->camera.given = true;
	scene_value_vector(reader, camera, "eye", -SCENE_MAX_COORDINATE, SCENE_MAX_COORDINATE,
			   scene->camera.eye);
	scene_value_vector(reader, camera, "target", -SCENE_MAX_COORDINATE, SCENE_MAX_COORDINATE,
			   scene->camera.target);
	scene_value_vector(reader, camera, "up", -SCENE_MAX_COORDINATE, SCENE_MAX_COORDINATE,
			   scene->camera.up);
	scene_value_number(reader, camera, "fov", 1, 170, &scene->camera.fov);
	if (reader->errors.count > errors)
		return;
	double view[3], across[3], view_square = 0, across_square = 0, up_square = 0;
	const double *up = scene->camera.up;
	for (int i = 0; i < 3; i++) {
		view[i] = scene->camera.target[i] - scene->camera.eye[i];
		view_square += view[i] * view[i];
		up_square += up[i] * up[i];
	}
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		across[i] = view[j] * up[k] - view[k] * up[j];
		across_square += across[i] * across[i];
	}
	if (!(view_square > 1e-18))
		scene_node_error(&reader->errors, camera,
				 "'camera.eye' and 'camera.target' are the same point");
	else if (!(across_square > 1e-12 * view_square * up_square))
		scene_node_error(&reader->errors, camera,
				 "'camera.up' must not be zero or along the line of sight");
}
