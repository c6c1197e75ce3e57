#include "scene_meshes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "message.h"

#define FAULTS_TEXT 600

static const struct mesh_fault *fault_of(const struct mesh_shape *mesh, size_t index)
{
	return (const struct mesh_fault *)(const void *)((const char *)&mesh->health +
							 mesh_fault_names[index].offset);
}

/* "3 open edges (the first at 0.1, 0.2, 0.3), 1 doubled triangle (at ...)"; "" if it is sound. */
static void list_faults(const struct mesh_shape *mesh, char text[FAULTS_TEXT])
{
	size_t used = 0;
	text[0] = '\0';
	for (size_t f = 0; f < MESH_FAULT_COUNT; f++) {
		const struct mesh_fault *fault = fault_of(mesh, f);
		const struct mesh_fault_name *name = &mesh_fault_names[f];
		if (fault->count == 0)
			continue;
		int n = snprintf(text + used, FAULTS_TEXT - used, "%s%" PRIu64 " %s",
				 used > 0 ? ", " : "", fault->count,
				 fault->count == 1 ? name->one : name->several);
		used += n > 0 && (size_t)n < FAULTS_TEXT - used ? (size_t)n : 0;
		if (strcmp(name->member, "others") == 0)
			continue;
		n = snprintf(text + used, FAULTS_TEXT - used, " (%sat %.4g, %.4g, %.4g)",
			     fault->count == 1 ? "" : "the first ", fault->place[0],
			     fault->place[1], fault->place[2]);
		used += n > 0 && (size_t)n < FAULTS_TEXT - used ? (size_t)n : 0;
	}
}

/* Why it is a sheet, or whether it is closed. */
static const char *describe_kind(const struct mesh_shape *mesh)
{
	if (mesh->request.kind != MESH_AS_FOUND)
		return mesh->sheet ? "a sheet, as told" : "closed, as told";
	if (!mesh->sheet)
		return "closed";
	return mesh->open_share > MESH_SHEET_OPEN ? "a sheet, as many of its edges are open"
						  : "a sheet, as lines through it do not agree on "
						    "what is inside";
}

void scene_meshes_print(const struct scene *scene)
{
	struct scene_mesh mesh;
	char faults[FAULTS_TEXT];
	for (size_t i = 0; scene_mesh_at(scene, i, &mesh); i++) {
		const struct mesh_shape *shape = mesh.shape;
		double cells[3];
		for (int axis = 0; axis < 3; axis++)
			cells[axis] = (shape->high[axis] - shape->low[axis]) / scene->h;
		printf("%smesh of %s '%s': %s\n", i == 0 ? "\n" : "", mesh.kind, mesh.name,
		       shape->file);
		printf("  %" PRIu64 " triangles, %" PRIu64 " vertices; %s\n",
		       shape->health.triangles, shape->health.vertices, describe_kind(shape));
		printf("  %.3g x %.3g x %.3g cells, from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g)\n",
		       cells[0], cells[1], cells[2], shape->low[0], shape->low[1], shape->low[2],
		       shape->high[0], shape->high[1], shape->high[2]);
		printf("  area %.5g m2", shape->area);
		if (!shape->sheet)
			printf(", volume %.5g m3", shape->volume);
		list_faults(shape, faults);
		printf("; %s\n  hash %016" PRIx64 "\n", faults[0] ? faults : "no faults",
		       shape->hash);
	}
}

void scene_meshes_warn(const struct scene *scene)
{
	struct scene_mesh mesh;
	char faults[FAULTS_TEXT];
	for (size_t i = 0; scene_mesh_at(scene, i, &mesh); i++) {
		list_faults(mesh.shape, faults);
		const bool found = mesh.shape->sheet && mesh.shape->request.kind == MESH_AS_FOUND;
		if (found || faults[0])
			message_warning("the mesh of %s '%s' is %s%s%s", mesh.kind, mesh.name,
					describe_kind(mesh.shape), faults[0] ? "; it has " : "",
					faults);
	}
}

static void write_three(struct json_writer *json, const char *key, const double value[3])
{
	json_begin_array(json, key);
	for (int axis = 0; axis < 3; axis++)
		json_number(json, NULL, value[axis]);
	json_end_array(json);
}

static void write_faults(struct json_writer *json, const struct mesh_shape *shape)
{
	json_begin_object(json, "faults");
	for (size_t f = 0; f < MESH_FAULT_COUNT; f++) {
		const struct mesh_fault *fault = fault_of(shape, f);
		json_begin_object(json, mesh_fault_names[f].member);
		json_integer(json, "count", (int64_t)fault->count);
		if (fault->count > 0)
			write_three(json, "first", fault->place);
		json_end_object(json);
	}
	json_end_object(json);
}

void scene_meshes_write(struct json_writer *json, const struct scene *scene)
{
	struct scene_mesh mesh;
	if (!scene_mesh_at(scene, 0, &mesh))
		return;
	json_begin_array(json, "meshes");
	for (size_t i = 0; scene_mesh_at(scene, i, &mesh); i++) {
		const struct mesh_shape *shape = mesh.shape;
		char hash[17];
		snprintf(hash, sizeof(hash), "%016" PRIx64, shape->hash);
		json_begin_object(json, NULL);
		json_string(json, mesh.kind, mesh.name);
		json_string(json, "file", shape->file);
		json_string(json, "hash", hash);
		json_boolean(json, "sheet", shape->sheet);
		json_integer(json, "triangles", (int64_t)shape->health.triangles);
		json_integer(json, "vertices", (int64_t)shape->health.vertices);
		write_three(json, "low", shape->low);
		write_three(json, "high", shape->high);
		json_number(json, "area", shape->area);
		if (!shape->sheet)
			json_number(json, "volume", shape->volume);
		json_number(json, "open_share", shape->open_share);
		json_number(json, "doubt_share", shape->doubt_share);
		write_faults(json, shape);
		json_end_object(json);
	}
	json_end_array(json);
}
