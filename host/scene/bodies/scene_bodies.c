/* Rigid bodies: solids that the liquid moves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"
#include "scene_shape.h"

/* In cells: a smaller body is refused, or told of. */
#define ROUNDING 1e-5 /* of coordinates in single precision */
#define SIZE_LEAST (1.0 - ROUNDING)
#define SIZE_GOOD (2.0 - ROUNDING)

static bool has_sheet(const struct shape_program *shape)
{
	bool sheet = false;
	for (size_t m = 0; m < shape->mesh_count; m++)
		sheet |= shape->meshes[m].sheet;
	return sheet;
}

/* Of the box around it, or of what is a single primitive. */
static double least_size(const struct scene_solid *body, int dim)
{
	double size = HUGE_VAL;
	for (int a = 0; a < dim; a++)
		size = fmin(size, body->high[a] - body->low[a]);
	return body->shape.op_count == 1 ? fmin(size, shape_program_thickness(&body->shape, dim))
					 : size;
}

static bool check_size(struct scene_reader *reader, const struct scene_node *node,
		       const struct scene_solid *body)
{
	const double cells = least_size(body, reader->dim) / reader->scene->h;
	char path[SCENE_NODE_PATH];
	scene_node_path(node, path);
	if (!(cells >= SIZE_LEAST))
		scene_node_error(&reader->errors, node,
				 "'%s' is %.3g cells thick (at least 1: liquid could not push it)",
				 path, cells);
	else if (cells < SIZE_GOOD)
		scene_warning_at(&reader->errors, node->source, node->line, node->column,
				 "'%s' is %.3g cells thick: below 2 cells the forces on it are "
				 "rough",
				 path, cells);
	return cells >= SIZE_LEAST;
}

/* The shape, and what follows from it alone. */
static bool read_shape(struct scene_reader *reader, const struct scene_node *node,
		       struct scene_solid *body)
{
	struct scene_bounds bounds;
	char path[SCENE_NODE_PATH];
	if (!scene_shape_read(reader, node, true, &body->shape, &bounds) || reader->dim == 0 ||
	    !(reader->scene->h > 0.0))
		return false;
	scene_node_path(node, path);
	memcpy(body->low, bounds.low, sizeof(body->low));
	memcpy(body->high, bounds.high, sizeof(body->high));
	for (int a = 0; a < reader->dim; a++)
		if (!isfinite(bounds.low[a]) || !isfinite(bounds.high[a])) {
			scene_node_error(
				&reader->errors, node,
				"'%s' has no end along %c: half-spaces and inverted shapes "
				"are no bodies (cut them: intersection)",
				path, 'x' + a);
			return false;
		}
	if (has_sheet(&body->shape)) {
		scene_node_error(&reader->errors, node,
				 "'%s' has a mesh that is a sheet, which has no inside and no "
				 "volume ('thin: false' takes it as closed)",
				 path);
		return false;
	}
	body_mass_of(&body->shape, reader->dim, body->low, body->high, &body->body.of);
	if (!(body->body.of.volume > 0.0)) {
		scene_node_error(&reader->errors, node, "'%s' has no volume", path);
		return false;
	}
	return check_size(reader, node, body);
}

static void read_mass(struct scene_reader *reader, const struct scene_node *node,
		      struct scene_body *body)
{
	const bool density = scene_node_get(node, "density") != NULL;
	scene_key_number(reader, node, SECTION_BODIES, "density", &body->density);
	const struct scene_node *mass = scene_node_get(node, "mass");
	char path[SCENE_NODE_PATH];
	if (density && mass)
		scene_key_error(&reader->errors, mass,
				"'%s' has a mass and a density: one follows from the other",
				scene_node_path(node, path));
	else if (!density && !mass)
		scene_node_error(&reader->errors, node, "'%s' lacks 'density' (or 'mass')",
				 scene_node_path(node, path));
	if (!(body->of.volume > 0.0) || density == (mass != NULL))
		return;
	if (density)
		body->mass = body->density * body->of.volume;
	else
		body->density = body->mass / body->of.volume;
	if (body->mass > 0.0)
		body_mass_scale(&body->of, body->mass);
}

static void read_lock(struct scene_reader *reader, const struct scene_node *node,
		      struct scene_body *body)
{
	const struct scene_key *key = scene_key(SECTION_BODIES, "lock");
	const struct scene_node *list = scene_value_list(reader, node, key->name);
	const unsigned of_3d = 1u << LOCK_Z | 1u << LOCK_TURN_X | 1u << LOCK_TURN_Y;
	char path[SCENE_NODE_PATH];
	for (size_t i = 0; list && i < list->count; i++) {
		int axis;
		if (!scene_choice_read(reader, list->children[i], key->words, &axis))
			continue;
		if (reader->dim == 2 && of_3d >> axis & 1u)
			scene_node_error(&reader->errors, list->children[i],
					 "'%s' has no meaning in a 2D scene (x, y and rz have)",
					 scene_node_path(list->children[i], path));
		body->lock |= 1u << axis;
	}
}

/* What it does until it is let go, and with which velocity it is. */
static void check_release(struct scene_reader *reader, const struct scene_node *node,
			  const struct scene_solid *body)
{
	static const char *const keys[] = {"velocity", "angular_velocity"};
	const struct scene_node *motion = scene_node_get(node, "motion");
	char path[SCENE_NODE_PATH];
	if (!motion)
		return;
	if (!(body->body.release > 0.0))
		scene_key_error(&reader->errors, motion,
				"'%s' moves a body until 'release', which is 0: it would say "
				"nothing",
				scene_node_path(motion, path));
	for (int k = 0; k < 2; k++) {
		const struct scene_node *given = scene_node_get(node, keys[k]);
		if (given)
			scene_key_error(&reader->errors, given,
					"'%s' beside 'motion', which tells how fast it is when it "
					"is let go",
					scene_node_path(given, path));
	}
}

static void read_velocities(struct scene_reader *reader, const struct scene_node *node,
			    struct scene_body *body)
{
	const struct scene_key *key = scene_key(SECTION_BODIES, "angular_velocity");
	const struct scene_node *turn = scene_node_get(node, key->name);
	scene_key_vector(reader, node, SECTION_BODIES, "velocity", body->velocity);
	if (turn && reader->dim == 3)
		scene_vector_read(reader, turn, key->low, key->high, body->spin);
	else if (turn && reader->dim == 2)
		scene_number_read(reader, turn, key->low, key->high, &body->spin[2]);
}

static void read_body(struct scene_reader *reader, const struct scene_node *node, size_t index,
		      struct scene_solid *body)
{
	char path[SCENE_NODE_PATH];
	int slip = 0;
	body->body.given = true;
	if (!scene_keys_check(reader, node, SECTION_BODIES))
		return;
	const int errors = reader->errors.count;
	const struct scene_node *center = scene_node_get(node, "center");
	if (center)
		scene_key_error(&reader->errors, center,
				"'%s' is refused: bodies turn about their centre of mass",
				scene_node_path(center, path));
	scene_read_name(reader, node, "body", index, &body->name);
	scene_keys_read(reader, node, SECTION_BODIES, KEY_ALL_KINDS, &body->body);
	const bool shaped = read_shape(reader, node, body);
	read_mass(reader, node, &body->body);
	read_lock(reader, node, &body->body);
	read_velocities(reader, node, &body->body);
	scene_key_word(reader, node, SECTION_BODIES, "slip", &slip);
	body->free_slip = slip == 0;
	memcpy(body->motion.center, body->body.of.center, sizeof(body->motion.center));
	scene_read_solid_motion(reader, node, body);
	check_release(reader, node, body);
	if (shaped && reader->errors.count == errors &&
	    !solid_motion_wrap(&body->shape, &body->motion))
		scene_error_memory(&reader->errors);
}

/* Rows of tables and files are found by it. */
static void refuse_repeated(struct scene_reader *reader, const struct scene_node *entry,
			    const struct scene_solid *bodies, size_t index)
{
	const struct scene_node *node = scene_node_get(entry, "name");
	char quote[SCENE_QUOTE], path[SCENE_NODE_PATH];
	for (size_t i = 0; i < index && bodies[index].name; i++)
		if (bodies[i].name && strcmp(bodies[i].name, bodies[index].name) == 0) {
			scene_node_error(&reader->errors, node ? node : entry,
					 "'%s' is called '%s' as 'bodies.%zu' is",
					 scene_node_path(entry, path),
					 scene_quote(bodies[i].name, quote), i);
			return;
		}
}

void scene_read_bodies(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *list = scene_value_list(reader, root, "bodies");
	const int errors = reader->errors.count;
	if (!list || list->count == 0)
		return;
	const double most = scene_key(SECTION_ROOT, "bodies")->high;
	if ((double)list->count > most) {
		scene_node_error(&reader->errors, list, "'bodies' has %zu entries (at most %.0f)",
				 list->count, most);
		return;
	}
	if (scene->liquid_surface == LIQUID_SURFACE_SPHERES)
		scene_key_error(&reader->errors, list,
				"'bodies' is not supported with 'liquid.surface: spheres' yet");
	struct scene_solid *solids =
		realloc(scene->solids, (scene->solid_count + list->count) * sizeof(*solids));
	if (!solids) {
		scene_error_memory(&reader->errors);
		return;
	}
	struct scene_solid *bodies = solids + scene->solid_count;
	memset(bodies, 0, list->count * sizeof(*bodies));
	scene->solids = solids;
	scene->solid_count += list->count;
	scene->body_count = list->count;
	for (size_t i = 0; i < list->count; i++) {
		read_body(reader, list->children[i], i, &bodies[i]);
		refuse_repeated(reader, list->children[i], bodies, i);
	}
	if (reader->errors.count == errors)
		scene_check_places(reader, list);
}
