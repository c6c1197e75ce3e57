/* How it runs: time, gravity, solver, camera. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"

/* More substeps than this in a frame are a mistake in fps or dt. */
#define MAX_SUBSTEPS 1e6
/* Of `method: grid` (Weymouth & Yue 2010). */
#define GRID_CFL_MOST 0.5
#define PARTICLES_CFL_MOST 4.0

/* The index of a word before its section is read, which tells what is wrong with it; 0 of others.
 */
static unsigned find_word(const struct scene_node *root, const char *section, const char *name,
			  const struct scene_key *key)
{
	const struct scene_node *mapping = scene_node_get(root, section);
	const struct scene_node *node =
		mapping && mapping->kind == SCENE_MAPPING ? scene_node_get(mapping, name) : NULL;
	for (unsigned n = 0; node && node->kind == SCENE_SCALAR && key->words[n]; n++)
		if (strcmp(node->text, key->words[n]) == 0)
			return n;
	return 0;
}

/* Of `method: sph`: neighbours are those of the start of a step. */
#define SPH_CFL_MOST 0.5

void scene_read_preset(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	scene->solver.preset = (enum scene_preset)find_word(root, "solver", "preset",
							    scene_key(SECTION_SOLVER, "preset"));
	scene->grid_surface = (enum scene_grid_surface)find_word(
		root, "grid", "surface", scene_key(SECTION_GRID, "surface"));
}

/* The greatest `time.cfl` of a way to carry liquid, what that is called, and why. */
static double most_cells(const struct scene *scene, const char **what, const char **why)
{
	*why = "";
	*what = "method: sph";
	if (strcmp(scene->method, "sph") == 0) {
		*why = ": particles may go no further than half their spacing";
		return SPH_CFL_MOST;
	}
	*what = "method: flip";
	if (strcmp(scene->method, "grid") != 0)
		return PARTICLES_CFL_MOST;
	*what = "grid.surface: markers";
	if (scene->grid_surface == GRID_SURFACE_MARKERS)
		return PARTICLES_CFL_MOST;
	*what = "grid.surface: levelset";
	if (scene->grid_surface == GRID_SURFACE_LEVELSET)
		return scene_key(SECTION_TIME, "cfl")->high;
	*what = "grid.surface: vof";
	*why = ": no more than half a cell may flow into one at once";
	return GRID_CFL_MOST;
}

void scene_read_time(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *time = scene_value_mapping(reader, root, "time", SECTION_TIME);
	scene_keys_read(reader, time, SECTION_TIME, KEY_ALL_KINDS, scene);
	const struct scene_node *cfl = scene_node_get(time, "cfl");
	const char *what, *why;
	const double most = most_cells(scene, &what, &why);
	if (cfl && scene->time.cfl > most)
		scene_node_error(&reader->errors, cfl,
				 "'time.cfl' must be at most %g with '%s', not %g%s", most, what,
				 scene->time.cfl, why);
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
			     const struct scene_vector_key *previous, struct scene_vector_key *key)
{
	if (!scene_keys_check(reader, node, SECTION_GRAVITY))
		return;
	if (!scene_node_get(node, "time"))
		scene_value_missing(reader, node, "time");
	else if (scene_key_read(reader, node, SECTION_GRAVITY, "time", key) && previous &&
		 !(key->time > previous->time))
		scene_node_error(&reader->errors, scene_node_get(node, "time"),
				 "the times of 'gravity' must increase: %.10g does not follow "
				 "%.10g",
				 key->time, previous->time);
	if (!scene_node_get(node, "g"))
		scene_value_missing(reader, node, "g");
	scene_key_read(reader, node, SECTION_GRAVITY, "g", key);
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
	memcpy(scene->gravity[0].value, scene_key(SECTION_ROOT, "gravity")->initial_vector,
	       sizeof(scene->gravity[0].value));
	if (keyed)
		for (size_t i = 0; i < count; i++)
			read_gravity_key(reader, node->children[i],
					 i > 0 ? &scene->gravity[i - 1] : NULL, &scene->gravity[i]);
	else
		scene_key_vector(reader, root, SECTION_ROOT, "gravity", scene->gravity[0].value);
}

/* run.json lists all keys, with their defaults: only another value of a key that the solver does
 * not read is worth a word. */
static void warn_unused(struct scene_reader *reader, const struct scene_node *solver,
			const struct scene_key *key)
{
	const unsigned pressure = reader->scene->solver.pressure;
	const char *const *names = scene_key(SECTION_SOLVER, "pressure")->words;
	const struct scene_node *node = scene_node_get(solver, key->name);
	char users[80] = "";
	if (!node || !key->solvers || key->solvers & 1u << pressure ||
	    scene_key_is_default(reader, key, reader->scene))
		return;
	for (unsigned n = 0; names[n]; n++)
		if (key->solvers & 1u << n)
			snprintf(users + strlen(users), sizeof(users) - strlen(users), "%s'%s'",
				 users[0] ? " and " : "", names[n]);
	scene_warning_at(
		&reader->errors, node->source, node->line, node->column,
		"'solver.%s' changes nothing: the solver is '%s', which does not read it (%s %s)",
		key->name, names[pressure], users, strchr(users, ' ') ? "do" : "does");
}

/* A word, or how many substeps. */
static void read_redistance(struct scene_reader *reader, const struct scene_node *grid)
{
	static const char *const words[] = {"frame", "step", NULL};
	const struct scene_key *key = scene_key(SECTION_GRID, "redistance");
	const struct scene_node *node = scene_node_get(grid, key->name);
	int word = 0, *every = &reader->scene->redistance;
	*every = 0;
	if (!node)
		return;
	if (node->kind == SCENE_SCALAR && node->text[0] >= '0' && node->text[0] <= '9')
		scene_value_int(reader, grid, key->name, (int)key->low, (int)key->high, every);
	else if (scene_choice_read(reader, node, words, &word))
		*every = word;
}

void scene_read_grid(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *grid = scene_value_mapping(reader, root, "grid", SECTION_GRID);
	scene_keys_read(reader, grid, SECTION_GRID, KEY_ALL_KINDS, reader->scene);
	read_redistance(reader, grid);
	/* Markers take the velocity of the grid. */
	for (size_t l = 0; scene->grid_surface == GRID_SURFACE_MARKERS && l < scene->liquid_count;
	     l++)
		scene->transfer = scene->liquids[l].transfer = TRANSFER_PIC;
	const struct scene_node *correction = scene_node_get(grid, "volume_correction");
	for (int side = 0; reader->scene->volume_correction && side < 2 * reader->dim; side++)
		if (reader->scene->open[side]) {
			scene_node_error(&reader->errors, correction,
					 "'grid.volume_correction' needs closed walls: what leaves "
					 "through open ones would be put back");
			return;
		}
}

void scene_read_solver(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *solver =
		scene_value_mapping(reader, root, "solver", SECTION_SOLVER);
	/* Words first: a default depends on which solver it is. */
	scene_keys_read(reader, solver, SECTION_SOLVER, KEY_KIND(KEY_WORD), scene);
	scene_keys_read(reader, solver, SECTION_SOLVER, ~KEY_KIND(KEY_WORD), scene);
	for (const struct scene_key *key = scene_sections[SECTION_SOLVER]->keys; key->name; key++)
		warn_unused(reader, solver, key);
	if (scene->solver.pressure == SOLVER_MULTIGRID &&
	    scene->solver.v_cycles + scene->solver.full_cycles == 0)
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
	const int errors = reader->errors.count;
	scene_keys_read(reader, camera, SECTION_CAMERA, KEY_ALL_KINDS, scene);
	scene->camera.given = camera != NULL;
	if (!camera)
		return;
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
