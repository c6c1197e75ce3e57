#include "scene.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"
#include "scene_shape.h"
#include "utf8.h"

static void read_version(struct scene_reader *reader, const struct scene_node *root)
{
	const struct scene_key *key = scene_key(SECTION_ROOT, "version");
	int version = (int)key->initial;
	scene_value_int(reader, root, key->name, (int)key->low, (int)key->high, &version);
}

/* The name given, or the file's without directory and ending, as far as a name goes. */
static void read_name(struct scene_reader *reader, const struct scene_node *root)
{
	const char *slash = strrchr(reader->errors.path, '/');
	char *name = scene_copy_text(slash ? slash + 1 : reader->errors.path);
	reader->scene->name = name;
	if (!name) {
		scene_error_memory(&reader->errors);
		return;
	}
	char *point = strrchr(name, '.');
	if (point && point != name)
		*point = '\0';
	/* File names may hold any bytes, a scene's name is text. */
	int count = 0;
	for (char *c = name; *c;) {
		const size_t length = utf8_length(c);
		if (count++ == SCENE_TEXT_MOST) {
			*c = '\0';
			break;
		}
		if (length == 0 || (unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '_';
		c += length == 0 ? 1 : length;
	}
	scene_value_text(reader, root, "name", &reader->scene->name);
}

/* The record that a run leaves is easily taken for a scene: one error, not one per key. */
static bool is_record(const struct scene_node *root)
{
	return root->kind == SCENE_MAPPING && scene_node_get(root, "program") &&
	       scene_node_get(root, "status") && scene_node_get(root, "scene");
}

/* A key that has a row, but no reader: it must not be taken in silence. */
static void refuse_unasked(struct scene_reader *reader, const struct scene_node *root)
{
	char path[SCENE_NODE_PATH];
	const struct scene_node *node = reader->errors.count == 0 ? scene_node_unasked(root) : NULL;
	if (node)
		scene_key_error(&reader->errors, node, "'%s' is a key that nothing reads",
				scene_node_path(node, path));
}

static void read_sections(struct scene_reader *reader, const struct scene_node *root)
{
	if (is_record(root)) {
		const struct scene_node *scene = scene_node_get(root, "scene");
		scene_error_at(&reader->errors, SCENE_SOURCE_FILE, root->line, root->column,
			       "the record of a run, not a scene: its scene is the value of the "
			       "key 'scene' at %zu:%zu, which can be saved as a file of its own",
			       scene->key_line, scene->key_column);
		return;
	}
	/* Before keys are looked at: some belong to a method. */
	scene_keys_read(reader, root, SECTION_ROOT, KEY_KIND(KEY_METHOD), reader->scene);
	if (!scene_keys_check(reader, root, SECTION_ROOT))
		return;
	read_version(reader, root);
	read_name(reader, root);
	scene_keys_read(reader, root, SECTION_ROOT, ~KEY_KIND(KEY_METHOD), reader->scene);
	scene_read_domain(reader, root);
	scene_read_preset(reader, root);
	scene_read_time(reader, root);
	scene_read_gravity(reader, root);
	scene_read_motion(reader, root);
	scene_read_liquids(reader, root);
	scene_read_solids(reader, root);
	scene_read_bodies(reader, root);
	scene_read_inflows(reader, root);
	scene_read_outflows(reader, root);
	scene_read_emitters(reader, root);
	scene_check_liquids(reader, root);
	scene_read_drains(reader, root);
	scene_read_forces(reader, root);
	scene_read_grid(reader, root);
	scene_read_sph(reader, root);
	scene_read_solver(reader, root);
	scene_check_bodies(reader, root);
	scene_check_particles(reader, root);
	scene_read_output(reader, root);
	scene_read_camera(reader, root);
	refuse_unasked(reader, root);
}

/* What a scene is read from: a file, or `text` if that is given. */
struct source {
	const char *path;
	const char *const *sets;
	size_t set_count;
	const char *text;
	size_t length;
};

static struct scene *read_scene(const struct source *source, bool *out_of_memory)
{
	const char *path = source->path;
	struct scene_reader reader = {.errors = {.path = path, .sets = source->sets}};
	struct scene_node *root = source->text ? scene_yaml_parse(source->text, source->length,
								  SCENE_SOURCE_FILE, &reader.errors)
					       : scene_yaml_read(&reader.errors);
	if (!root) {
		*out_of_memory = reader.errors.out_of_memory;
		return NULL;
	}
	for (size_t i = 0; i < source->set_count && root->kind == SCENE_MAPPING; i++)
		scene_yaml_override(root, (int)i, &reader.errors);
	struct scene *scene = reader.scene = calloc(1, sizeof(*scene));
	if (scene) {
		scene->path = scene_copy_text(path);
		read_sections(&reader, root);
	}
	if (!scene || !scene->path)
		scene_error_memory(&reader.errors);
	scene_node_free(root);
	*out_of_memory = reader.errors.out_of_memory;
	if (reader.errors.count > 0) {
		scene_free(scene);
		return NULL;
	}
	return scene;
}

/* strtod() must take the point for the decimal mark, whatever the user's locale. */
static struct scene *read_in_c_locale(const struct source *source)
{
	const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (c_locale == (locale_t)0) {
		message_error("%s: out of host memory for its locale", source->path);
		errno = ENOMEM;
		return NULL;
	}
	bool out_of_memory = false;
	const locale_t before = uselocale(c_locale);
	struct scene *scene = read_scene(source, &out_of_memory);
	uselocale(before);
	freelocale(c_locale);
	errno = out_of_memory ? ENOMEM : 0;
	return scene;
}

struct scene *scene_read(const char *path, const char *const *sets, size_t set_count)
{
	return read_in_c_locale(
		&(struct source){.path = path, .sets = sets, .set_count = set_count});
}

struct scene *scene_read_text(const char *text, size_t length, const char *name)
{
	return scene_read_text_with(text, length, name, NULL, 0);
}

struct scene *scene_read_text_with(const char *text, size_t length, const char *name,
				   const char *const *sets, size_t set_count)
{
	return read_in_c_locale(&(struct source){.path = name,
						 .sets = sets,
						 .set_count = set_count,
						 .text = text,
						 .length = length});
}

void scene_free(struct scene *scene)
{
	if (!scene)
		return;
	for (size_t i = 0; i < scene->liquid_count; i++) {
		free(scene->liquids[i].name);
		scene_shape_free(&scene->liquids[i].shape);
		free(scene->liquids[i].points.file);
		free(scene->liquids[i].points.position);
		free(scene->liquids[i].points.velocity);
	}
	for (size_t i = 0; i < scene->solid_count; i++) {
		free(scene->solids[i].name);
		scene_shape_free(&scene->solids[i].shape);
		free(scene->solids[i].motion.keys);
	}
	for (size_t i = 0; i < scene->inflow_count; i++)
		free(scene->inflows[i].part.name);
	for (size_t i = 0; i < scene->outflow_count; i++)
		free(scene->outflows[i].part.name);
	for (size_t i = 0; i < scene->emitter_count; i++) {
		free(scene->emitters[i].name);
		scene_shape_free(&scene->emitters[i].shape);
	}
	for (size_t i = 0; i < scene->drain_count; i++) {
		free(scene->drains[i].name);
		scene_shape_free(&scene->drains[i].shape);
	}
	for (size_t i = 0; i < scene->force_count; i++) {
		free(scene->forces[i].name);
		free(scene->forces[i].factors);
		free(scene->forces[i].accelerations);
		scene_shape_free(&scene->forces[i].shape);
	}
	for (size_t i = 0; i < scene->output.probe_count; i++)
		free(scene->output.probes[i].name);
	free(scene->liquids);
	free(scene->solids);
	free(scene->inflows);
	free(scene->outflows);
	free(scene->emitters);
	free(scene->drains);
	free(scene->forces);
	free(scene->output.probes);
	free(scene->gravity);
	free(scene->motion.keys);
	free(scene->name);
	free(scene->path);
	free(scene);
}
