/* Triangle meshes of files. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "keys/scene_file_path.h"
#include "mesh/mesh_file.h"
#include "number.h"
#include "shape.h"
#include "shape_kinds.h"

#define MOST_SCALE 1e6
#define MOST_ANGLE 1000.0

static const struct scene_key keys[] = {
	OWN("file", "text", .flags = KEY_MAY_CHANGE, .otherwise = "required",
	    .says = "`.obj`, `.ply` or `.stl`, relative to the scene"),
	OWN("scale", "number or 3 numbers", BETWEEN(-MOST_SCALE, MOST_SCALE), .otherwise = "1",
	    .says = "not 0"),
	OWN("rotate", "3 numbers", BETWEEN(-MOST_ANGLE, MOST_ANGLE), .unit = "rad",
	    .otherwise = "[0, 0, 0]", .says = "a vector along the axis, as long as the angle"),
	OWN("translate", "3 numbers", COORDINATES, .unit = "m", .otherwise = "[0, 0, 0]"),
	OWN("thin", "true, false", .otherwise = "as found", .says = "true: a sheet without inside"),
	OWN("hash", "text", .otherwise = "not checked", .says = "what `freshet check` tells"),
	END_OF_KEYS};

/* ---- the file ------------------------------------------------------------------------------ */

static bool read_file(struct shape_builder *b, const struct scene_node *node,
		      struct mesh_shape *mesh, struct mesh_surface *surface)
{
	char path[SCENE_NODE_PATH], quote[SCENE_QUOTE], reason[FILE_READ_REASON];
	const struct scene_node *file = scene_node_get(node, "file");
	if (!file)
		return scene_value_missing(b->reader, node, "file");
	if (file->kind != SCENE_SCALAR || scene_node_is_null(file) || !file->text[0])
		return shape_fail(b, file, "must be the name of a file");
	if (!scene_file_is_name(file->text))
		return shape_fail(b, file, "is too long or has control characters");
	mesh->file = scene_file_path(b->reader, file->text);
	if (!mesh->file)
		return scene_error_memory(&b->reader->errors);
	if (mesh_file_read(mesh->file, surface, reason))
		return true;
	if (errno == ENOMEM)
		return scene_error_memory(&b->reader->errors);
	scene_node_error(&b->reader->errors, file, "'%s': the file '%s' %s",
			 scene_node_path(file, path), scene_quote(file->text, quote), reason);
	return false;
}

static bool check_hash(struct shape_builder *b, const struct scene_node *node,
		       const struct mesh_shape *mesh)
{
	char text[120];
	const struct scene_node *hash = scene_node_get(node, "hash");
	if (!hash)
		return true;
	if (hash->kind != SCENE_SCALAR || strlen(hash->text) != 16 ||
	    strspn(hash->text, "0123456789abcdef") != 16)
		return shape_fail(b, hash, "must be 16 hexadecimal digits");
	if (strtoull(hash->text, NULL, 16) == mesh->hash)
		return true;
	snprintf(text, sizeof(text),
		 "is not that of the file, which has changed: it is %016" PRIx64, mesh->hash);
	return shape_fail(b, hash, text);
}

/* ---- where it is --------------------------------------------------------------------------- */

static bool read_three(struct shape_builder *b, const struct scene_node *node, const char *name,
		       double most, double value[3])
{
	const struct scene_node *at = scene_node_get(node, name);
	return !at || scene_numbers_read(b->reader, at, 3, "x, y and z", -most, most, value);
}

static bool read_scale(struct shape_builder *b, const struct scene_node *node, double scale[3])
{
	const struct scene_node *at = scene_node_get(node, "scale");
	bool good = true;
	if (at && at->kind != SCENE_LIST) {
		good = scene_number_read(b->reader, at, -MOST_SCALE, MOST_SCALE, &scale[0]);
		scale[1] = scale[2] = scale[0];
	} else {
		good = read_three(b, node, "scale", MOST_SCALE, scale);
	}
	for (int i = 0; good && i < 3; i++)
		if (!(fabs(scale[i]) >= 1.0 / MOST_SCALE))
			return shape_fail(b, at, "is 0: nothing would be left");
	return good;
}

static bool read_request(struct shape_builder *b, const struct scene_node *node,
			 struct mesh_request *request)
{
	const struct scene *scene = b->reader->scene;
	bool thin = false;
	*request = (struct mesh_request){.scale = {1, 1, 1}, .h = scene->h};
	memcpy(request->size, scene->size, sizeof(request->size));
	const bool scale = read_scale(b, node, request->scale);
	const bool rotate = read_three(b, node, "rotate", MOST_ANGLE, request->rotate);
	const bool translate =
		read_three(b, node, "translate", SCENE_MAX_COORDINATE, request->translate);
	const struct scene_node *said = scene_node_get(node, "thin");
	const bool good = !said || scene_value_bool(b->reader, node, "thin", &thin);
	if (said)
		request->kind = thin ? MESH_SHEET : MESH_CLOSED;
	return scale && rotate && translate && good;
}

/* ---- into the program ---------------------------------------------------------------------- */

static bool add_mesh(struct shape_program *program, const struct mesh_shape *mesh)
{
	void *meshes = realloc(program->meshes, (program->mesh_count + 1) * sizeof(*mesh));
	if (!meshes)
		return false;
	program->meshes = meshes;
	program->meshes[program->mesh_count++] = *mesh;
	return true;
}

static bool add_words(struct shape_builder *b, const f32 *words, size_t count, struct shape_op *op)
{
	struct shape_program *program = b->program;
	const size_t pairs = count / 2;
	if (program->point_count + pairs > INT32_MAX / 4)
		return false;
	void *grown = scene_grow(program->points, &b->point_capacity,
				 2 * (program->point_count + pairs), sizeof(float));
	if (!grown)
		return false;
	program->points = grown;
	op->first = (i32)program->point_count;
	op->count = (i32)pairs;
	op->a[0] = (f32)program->mesh_count;
	memcpy(program->points + 2 * program->point_count, words, count * sizeof(*words));
	program->point_count += pairs;
	return true;
}

/* Of a good surface; *mesh is the program's after that. */
static bool build(struct shape_builder *b, const struct scene_node *node,
		  struct mesh_surface *surface, struct mesh_shape *mesh, struct shape_op *op)
{
	char reason[MESH_SHAPE_REASON];
	struct mesh_shape found;
	size_t count = 0;
	f32 *words = mesh_shape_words(surface, &mesh->request, &found, &count, reason);
	if (!words)
		return reason[0] ? shape_fail(b, node, reason)
				 : scene_error_memory(&b->reader->errors);
	found.file = mesh->file;
	found.hash = mesh->hash;
	*mesh = found;
	const bool good = add_words(b, words, count, op);
	free(words);
	if (!good || !add_mesh(b->program, mesh))
		return scene_error_memory(&b->reader->errors);
	mesh->file = NULL;
	if (mesh->sheet && !b->plates)
		return shape_fail(
			b, node,
			mesh->request.kind == MESH_SHEET
				? "is a sheet ('thin: true'), which holds no liquid"
				: "is not closed, so that it holds no liquid (see 'freshet "
				  "check' with it as a solid; 'thin: false' takes it as "
				  "closed)");
	return true;
}

static bool read_mesh(struct shape_builder *b, const struct scene_node *node, struct shape_op *op)
{
	struct mesh_shape mesh = {0};
	struct mesh_surface surface = {0};
	if (b->reader->dim == 2)
		return shape_fail(b, node, "is a shape of 3D scenes only");
	bool good = read_request(b, node, &mesh.request);
	good = read_file(b, node, &mesh, &surface) && good;
	if (good)
		mesh.hash = mesh_surface_hash(&surface);
	good = good && check_hash(b, node, &mesh);
	/* Of a box that is wrong nothing is known. */
	good = good && b->reader->dim == 3 && mesh.request.h > 0.0 &&
	       build(b, node, &surface, &mesh, op);
	mesh_surface_free(&surface);
	mesh_shape_free(&mesh);
	return good;
}

static const struct mesh_shape *mesh_of(const struct shape_program *program,
					const struct shape_op *op)
{
	return &program->meshes[(size_t)op->a[0]];
}

static void write_three(struct json_writer *json, const char *key, const double value[3])
{
	json_begin_array(json, key);
	for (int i = 0; i < 3; i++)
		json_number(json, NULL, value[i]);
	json_end_array(json);
}

static void write_mesh(struct json_writer *json, const struct shape_program *program,
		       const struct shape_op *op, int dim)
{
	const struct mesh_shape *mesh = mesh_of(program, op);
	char hash[17];
	(void)dim;
	snprintf(hash, sizeof(hash), "%016" PRIx64, mesh->hash);
	json_string(json, "file", mesh->file);
	write_three(json, "scale", mesh->request.scale);
	write_three(json, "rotate", mesh->request.rotate);
	write_three(json, "translate", mesh->request.translate);
	if (mesh->request.kind != MESH_AS_FOUND)
		json_boolean(json, "thin", mesh->request.kind == MESH_SHEET);
	json_string(json, "hash", hash);
}

static void bound_mesh(const struct shape_program *program, const struct shape_op *op,
		       struct scene_bounds *bounds)
{
	const float *words = program->points + 2 * (size_t)op->first;
	for (int i = 0; i < 3; i++) {
		bounds->low[i] = (double)words[MESH_LOW + i];
		bounds->high[i] = (double)words[MESH_HIGH + i];
	}
}

const struct shape_primitive shape_primitive_mesh = {
	.read = read_mesh,
	.write = write_mesh,
	.bound = bound_mesh,
	.thickness = shape_thickness_unknown,
};

const struct scene_section_keys shape_section_mesh = {
	"in 'mesh'", keys, 0, PLACE_TABLE, "3D only; the triangles of a file ([meshes](#meshes))"};
