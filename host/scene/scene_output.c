/* What is written: images, particles, fields, probes, checkpoints. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys/scene_key_values.h"
#include "render_params.h"
#include "scene_parts.h"

#define DEFAULT_IMAGE 1280

/* 2D: the box fills the image, its longer side 1280 pixels; 3D: 16:9. */
static void default_size(const struct scene *scene, int size[2])
{
	size[0] = DEFAULT_IMAGE;
	size[1] = 720;
	if (scene->dim != 2 || !(scene->size[0] > 0) || !(scene->size[1] > 0))
		return;
	const double longest = fmax(scene->size[0], scene->size[1]);
	for (int i = 0; i < 2; i++)
		size[i] = (int)fmax(1, floor(DEFAULT_IMAGE * scene->size[i] / longest + 0.5));
}

/* What the colours span where the scene does not say: what can be expected of it, rounded up, so
 * that pictures of all frames and runs of a scene can be compared. */
static void default_ranges(struct scene *scene)
{
	double(*range)[2] = scene->output.png_range;
	const double fast = scene_fast_speed(scene);
	double shortest = scene->size[0];
	for (int axis = 1; axis < scene->dim; axis++)
		shortest = fmin(shortest, scene->size[axis]);
	range[VIEW_SPEED][1] = (double)render_round_up((f32)fast);
	/* The depth of the liquid, and what stops the fastest liquid. */
	range[VIEW_PRESSURE][1] =
		(double)render_round_up((f32)(0.5 * scene->density * fast * fast));
	range[VIEW_LEVELSET][1] = (double)render_round_up((f32)(0.5 * shortest));
	range[VIEW_LEVELSET][0] = -range[VIEW_LEVELSET][1];
}

static void read_range(struct scene_reader *reader, const struct scene_node *ranges,
		       const struct scene_key *key, double range[2])
{
	double read[2] = {range[0], range[1]};
	const struct scene_node *node = scene_node_get(ranges, key->name);
	if (!node || !scene_numbers_read(reader, node, 2, "least and greatest value", key->low,
					 key->high, read))
		return;
	/* Not closer than single precision tells apart. */
	if (!((f32)read[0] < (f32)read[1]))
		scene_node_error(
			&reader->errors, node,
			"'output.png.ranges.%s' must go from the least to the greatest value",
			key->name);
	range[0] = read[0];
	range[1] = read[1];
}

static void read_ranges(struct scene_reader *reader, const struct scene_node *png)
{
	struct scene *scene = reader->scene;
	double(*range)[2] = scene->output.png_range;
	const char *const *views = scene_key(SECTION_PNG, "view")->words;
	default_ranges(scene);
	const struct scene_node *ranges =
		scene_value_mapping(reader, png, "ranges", SECTION_RANGES);
	for (int view = VIEW_SPEED; view <= VIEW_LEVELSET; view++)
		read_range(reader, ranges, scene_key(SECTION_RANGES, views[view]), range[view]);
	if (scene_node_get(ranges, "levelset") &&
	    fabs(range[VIEW_LEVELSET][0] + range[VIEW_LEVELSET][1]) > 0)
		scene_node_error(
			&reader->errors, scene_node_get(ranges, "levelset"),
			"'output.png.ranges.levelset' must be symmetric, as in [-0.5, 0.5]: "
			"its colours change at the surface");
}

static void read_png(struct scene_reader *reader, const struct scene_node *output)
{
	struct scene *scene = reader->scene;
	default_size(scene, scene->output.png_size);
	const struct scene_node *png = scene_value_mapping(reader, output, "png", SECTION_PNG);
	scene->output.png = png != NULL;
	double size[2] = {scene->output.png_size[0], scene->output.png_size[1]};
	const struct scene_key *key = scene_key(SECTION_PNG, "size");
	const struct scene_node *node = scene_node_get(png, key->name);
	if (node &&
	    scene_numbers_read(reader, node, 2, "width and height", key->low, key->high, size)) {
		for (int i = 0; i < 2; i++) {
			if (size[i] > floor(size[i]))
				scene_node_error(&reader->errors, node->children[i],
						 "'output.png.size.%d' must be a whole number", i);
			scene->output.png_size[i] = (int)size[i];
		}
	}
	scene_keys_read(reader, png, SECTION_PNG, KEY_ALL_KINDS, scene);
	if (scene->output.png_scale_bar &&
	    !picture_view_is_flat(reader->dim, scene->output.png_view))
		scene_node_error(&reader->errors, scene_node_get(png, "scale_bar"),
				 "'output.png.scale_bar' does not go with view '%s' in 3D: in "
				 "perspective what is near looks longer (in 3D allowed with views "
				 "pressure, levelset, cells)",
				 picture_view_names[scene->output.png_view]);
	read_ranges(reader, png);
}

static void read_particles(struct scene_reader *reader, const struct scene_node *output)
{
	const struct scene_node *particles =
		scene_value_mapping(reader, output, "particles", SECTION_PARTICLES);
	if (particles)
		scene_keys_read(reader, particles, SECTION_PARTICLES, KEY_ALL_KINDS, reader->scene);
}

static void read_field_names(struct scene_reader *reader, const struct scene_node *list)
{
	struct scene *scene = reader->scene;
	unsigned fields = 0;
	for (size_t i = 0; i < list->count; i++) {
		int name;
		if (!scene_choice_read(reader, list->children[i], grid_field_names, &name))
			return;
		if (fields & 1u << name)
			scene_node_error(&reader->errors, list->children[i],
					 "'output.fields.names' has '%s' twice",
					 grid_field_names[name]);
		fields |= 1u << name;
	}
	if (fields == 0)
		scene_node_error(&reader->errors, list,
				 "'output.fields.names' is empty (known: velocity, pressure, "
				 "levelset, cells)");
	scene->output.fields = fields;
}

static void check_vdb(struct scene_reader *reader, const struct scene_node *format)
{
#ifndef FRESHET_VDB
	scene_node_error(&reader->errors, format,
			 "'output.fields.format: vdb' needs OpenVDB, which this program is built "
			 "without (Debian: libopenvdb-dev, then meson setup --reconfigure; or "
			 "format: vtkhdf)");
#endif
	if (reader->dim == 2)
		scene_node_error(&reader->errors, format,
				 "'output.fields.format: vdb' goes with 3D scenes only (in 2D "
				 "allowed: vtkhdf)");
}

static void read_fields(struct scene_reader *reader, const struct scene_node *output)
{
	struct scene *scene = reader->scene;
	const struct scene_node *fields =
		scene_value_mapping(reader, output, "fields", SECTION_FIELDS);
	if (!fields)
		return;
	scene->output.fields = (1u << GRID_FIELD_COUNT) - 1;
	scene_keys_read(reader, fields, SECTION_FIELDS, KEY_ALL_KINDS, scene);
	const struct scene_node *names = scene_value_list(reader, fields, "names");
	if (names)
		read_field_names(reader, names);
	if (scene->output.fields_format == FIELDS_VDB)
		check_vdb(reader, scene_node_get(fields, "format"));
}

/* Reads a place inside the box: `axes` lists which coordinates the numbers are. */
static void read_place(struct scene_reader *reader, const struct scene_node *node, const int *axes,
		       size_t count, const char *why, double point[3])
{
	const struct scene_key *key = scene_key(SECTION_PROBES, node->key);
	char path[SCENE_NODE_PATH];
	double read[3] = {NO_DEFAULT, NO_DEFAULT, NO_DEFAULT};
	if (!scene_numbers_read(reader, node, count, why, key->low, key->high, read))
		return;
	for (size_t i = 0; i < count; i++) {
		const double size = reader->scene->size[axes[i]];
		if (size > 0 && (read[i] < 0 || read[i] > size))
			scene_node_error(&reader->errors, node->children[i],
					 "'%s' is outside the domain (allowed: 0 to %.10g)",
					 scene_node_path(node->children[i], path), size);
		point[axes[i]] = read[i];
	}
}

/* It has no place: neither `point` nor `column`. */
static void read_front(struct scene_reader *reader, const struct scene_node *node,
		       struct scene_probe *probe)
{
	static const char *const places[] = {"point", "column"};
	char path[SCENE_NODE_PATH];
	for (int i = 0; i < 2; i++) {
		const struct scene_node *place = scene_node_get(node, places[i]);
		if (place)
			scene_key_error(
				&reader->errors, place,
				"'%s' does not go with quantity 'front', which has no place",
				scene_node_path(place, path));
	}
	probe->depth = 0.5 * reader->scene->h;
	scene_key_read(reader, node, SECTION_PROBES, "depth", probe);
}

static void read_probe(struct scene_reader *reader, const struct scene_node *node, size_t index,
		       struct scene_probe *probe)
{
	const char *const *quantities = scene_key(SECTION_PROBES, "quantity")->words;
	static const int all_axes[] = {0, 1, 2}, flat_axes[] = {0, 2};
	if (!scene_keys_check(reader, node, SECTION_PROBES))
		return;
	char name[40];
	snprintf(name, sizeof(name), "probe %zu", index);
	probe->name = scene_copy_text(name);
	if (!probe->name)
		scene_error_memory(&reader->errors);
	scene_value_text(reader, node, "name", &probe->name);
	const struct scene_node *point = scene_node_get(node, "point");
	const struct scene_node *column = scene_node_get(node, "column");
	char path[SCENE_NODE_PATH];
	int quantity = column ? QUANTITY_HEIGHT : QUANTITY_PRESSURE;
	const bool given = scene_node_get(node, "quantity") != NULL;
	if (given && !scene_value_choice(reader, node, "quantity", quantities, &quantity))
		return;
	probe->quantity = (enum scene_quantity)quantity;
	if (quantity == QUANTITY_FRONT) {
		read_front(reader, node, probe);
		return;
	}
	const struct scene_node *depth = scene_node_get(node, "depth");
	if (depth)
		scene_key_error(&reader->errors, depth, "'%s' goes with quantity 'front' only",
				scene_node_path(depth, path));
	const bool height = quantity == QUANTITY_HEIGHT;
	const struct scene_node *wrong = height ? point : column;
	const struct scene_node *place = height ? column : point;
	if (wrong)
		scene_key_error(&reader->errors, wrong,
				"'%s' does not go with quantity '%s', which needs '%s'",
				scene_node_path(wrong, path), quantities[quantity],
				height ? "column" : "point");
	else if (!place)
		scene_value_missing(reader, node, height ? "column" : "point");
	if (!place || reader->dim == 0)
		return;
	const size_t dim = (size_t)reader->dim;
	if (height)
		read_place(reader, place, flat_axes, dim - 1, dim == 2 ? "x" : "x and z",
			   probe->point);
	else
		read_place(reader, place, all_axes, dim, dim == 2 ? "2D scene" : "3D scene",
			   probe->point);
}

/* A column of probes.csv is found by its name. */
static void check_probe_name(struct scene_reader *reader, const struct scene_node *node,
			     size_t index)
{
	const struct scene_probe *probes = reader->scene->output.probes;
	const char *name = probes[index].name;
	bool taken = strcmp(name, "frame") == 0 || strcmp(name, "time") == 0;
	for (size_t i = 0; i < index; i++)
		taken = taken || (probes[i].name && strcmp(probes[i].name, name) == 0);
	const struct scene_node *given = scene_node_get(node, "name");
	if (*name == '\0')
		scene_node_error(&reader->errors, given, "the name of a probe must not be empty");
	else if (taken)
		scene_node_error(&reader->errors, given ? given : node,
				 "'%s' is the name of another column of probes.csv", name);
}

static void read_probes(struct scene_reader *reader, const struct scene_node *output)
{
	struct scene *scene = reader->scene;
	const struct scene_node *list = scene_value_list(reader, output, "probes");
	if (!list || list->count == 0)
		return;
	scene->output.probes = calloc(list->count, sizeof(*scene->output.probes));
	if (!scene->output.probes) {
		scene_error_memory(&reader->errors);
		return;
	}
	scene->output.probe_count = list->count;
	for (size_t i = 0; i < list->count; i++) {
		read_probe(reader, list->children[i], i, &scene->output.probes[i]);
		if (scene->output.probes[i].name)
			check_probe_name(reader, list->children[i], i);
	}
}

static void read_surface(struct scene_reader *reader, const struct scene_node *output)
{
	scene_keys_read(reader, scene_value_mapping(reader, output, "surface", SECTION_SURFACE),
			SECTION_SURFACE, KEY_ALL_KINDS, reader->scene);
}

static void read_mesh(struct scene_reader *reader, const struct scene_node *output)
{
	const struct scene_node *mesh = scene_value_mapping(reader, output, "mesh", SECTION_MESH);
	reader->scene->output.mesh = mesh != NULL;
	scene_keys_read(reader, mesh, SECTION_MESH, KEY_ALL_KINDS, reader->scene);
}

static void read_checkpoint(struct scene_reader *reader, const struct scene_node *output)
{
	const struct scene_node *checkpoint =
		scene_value_mapping(reader, output, "checkpoint", SECTION_CHECKPOINT);
	scene_keys_read(reader, checkpoint, SECTION_CHECKPOINT, KEY_ALL_KINDS, reader->scene);
	if (!checkpoint)
		reader->scene->output.checkpoint_every = 0;
}

/* Columns of forces.csv are found by the solids' names. */
static void check_solid_names(struct scene_reader *reader, const struct scene_node *output)
{
	const struct scene *scene = reader->scene;
	for (size_t i = 0; scene->output.forces && i < scene->solid_count; i++)
		for (size_t n = 0; n < i; n++) {
			const char *name = scene->solids[i].name;
			if (!name || !scene->solids[n].name ||
			    strcmp(name, scene->solids[n].name) != 0)
				continue;
			scene_node_error(&reader->errors, scene_node_get(output, "forces"),
					 "'output.forces' needs solids of different names: two are "
					 "'%s'",
					 name);
			return;
		}
}

void scene_read_output(struct scene_reader *reader, const struct scene_node *root)
{
	const struct scene_node *output =
		scene_value_mapping(reader, root, "output", SECTION_OUTPUT);
	scene_keys_read(reader, output, SECTION_OUTPUT, KEY_ALL_KINDS, reader->scene);
	read_png(reader, output);
	read_surface(reader, output);
	read_mesh(reader, output);
	read_particles(reader, output);
	read_fields(reader, output);
	read_probes(reader, output);
	read_checkpoint(reader, output);
	check_solid_names(reader, output);
}
