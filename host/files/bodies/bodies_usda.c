/* Universal Scene Description, as text: a transform for each body with a sample for each frame, and
 * under it its shape, where USD has one like it (Pixar, USD 23.11, UsdGeom). */
#include "bodies/bodies_usda.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "shape.h"

/* A mesh of more triangles is left out. */
#define TRIANGLES_MOST 100000

static const char *text_of(double x, char text[NUMBER_TEXT])
{
	return number_from_double(x, text);
}

static void add_tuple(struct append_file *file, const double *value, int count)
{
	char text[NUMBER_TEXT];
	for (int i = 0; i < count; i++)
		append_file_print(file, "%s%s", i ? ", " : "(", text_of(value[i], text));
	append_file_text(file, ")");
}

/* body_N_NAME, of letters and digits. */
static void add_identifier(struct append_file *file, size_t index, const char *name)
{
	append_file_print(file, "\"body_%zu_", index);
	for (const char *c = name; *c; c++)
		append_file_print(file, "%c", isalnum((unsigned char)*c) ? *c : '_');
	append_file_text(file, "\"");
}

/* A text in quotes. */
static void add_text(struct append_file *file, const char *text)
{
	append_file_text(file, "\"");
	for (const char *c = text; *c; c++)
		append_file_print(file, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
	append_file_text(file, "\"");
}

/* ---- shapes -------------------------------------------------------------------------------- */

struct geometry {
	struct append_file *file;
	const struct scene *scene;
	const double *center; /* of mass */
};

static void begin_shape(const struct geometry *g, const char *kind)
{
	append_file_print(g->file, "        def %s \"shape\"\n        {\n", kind);
}

/* Where it is from the centre of mass; with a turn and a scale where they are not NULL. */
static void end_shape(const struct geometry *g, const double at[3], const double q[4],
		      const double scale[3])
{
	append_file_text(g->file, "            double3 xformOp:translate = ");
	add_tuple(g->file, at, 3);
	if (q) {
		append_file_text(g->file, "\n            quatd xformOp:orient = ");
		add_tuple(g->file, q, 4);
	}
	if (scale) {
		append_file_text(g->file, "\n            double3 xformOp:scale = ");
		add_tuple(g->file, scale, 3);
	}
	append_file_print(g->file,
			  "\n            uniform token[] xformOpOrder = "
			  "[\"xformOp:translate\"%s%s]\n        }\n",
			  q ? ", \"xformOp:orient\"" : "", scale ? ", \"xformOp:scale\"" : "");
}

/* In 2D bodies are a cell thick, and lie about z = 0. */
static void add_box(const struct geometry *g, const struct shape_op *op)
{
	double at[3] = {0.0}, size[3] = {g->scene->h, g->scene->h, g->scene->h};
	for (int a = 0; a < g->scene->dim; a++) {
		at[a] = 0.5 * ((double)op->a[a] + (double)op->a[a + 3]) - g->center[a];
		size[a] = (double)op->a[a + 3] - (double)op->a[a];
	}
	begin_shape(g, "Cube");
	append_file_text(g->file, "            double size = 1\n");
	end_shape(g, at, NULL, size);
}

static void add_sphere(const struct geometry *g, const struct shape_op *op)
{
	char text[NUMBER_TEXT];
	double at[3] = {0.0};
	const bool flat = g->scene->dim == 2;
	for (int a = 0; a < g->scene->dim; a++)
		at[a] = (double)op->a[a] - g->center[a];
	begin_shape(g, flat ? "Cylinder" : "Sphere");
	append_file_print(g->file, "            double radius = %s\n",
			  text_of((double)op->a[3], text));
	if (flat)
		append_file_print(
			g->file,
			"            uniform token axis = \"Z\"\n            double height = "
			"%s\n",
			text_of(g->scene->h, text));
	end_shape(g, at, NULL, NULL);
}

/* Capsules and cylinders of 3D, along y before they are turned. */
static void add_rod(const struct geometry *g, const struct shape_op *op)
{
	char text[NUMBER_TEXT];
	double at[3], axis[3], length = 0.0;
	for (int a = 0; a < 3; a++) {
		at[a] = 0.5 * ((double)op->a[a] + (double)op->a[a + 3]) - g->center[a];
		axis[a] = (double)op->a[a + 3] - (double)op->a[a];
		length += axis[a] * axis[a];
	}
	length = sqrt(length);
	/* The shortest turn from y to the axis; ends may be swapped. */
	const double up = axis[1] < 0.0 ? -1.0 : 1.0;
	double q[4] = {1.0 + up * axis[1] / length, up * axis[2] / length, 0.0,
		       -up * axis[0] / length};
	const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[3] * q[3]);
	for (int i = 0; i < 4; i++)
		q[i] = length > 0.0 ? q[i] / norm : i == 0;
	begin_shape(g, op->kind == SHAPE_CAPSULE ? "Capsule" : "Cylinder");
	append_file_print(g->file,
			  "            uniform token axis = \"Y\"\n            double height "
			  "= %s\n",
			  text_of(length, text));
	append_file_print(g->file, "            double radius = %s\n",
			  text_of((double)op->a[6], text));
	end_shape(g, at, q, NULL);
}

/* Faces of `corners` corners each, which follow one another; a point is of `numbers` floats. */
static void add_faces(const struct geometry *g, const float *points, size_t faces, size_t corners,
		      int numbers)
{
	static const double nowhere[3] = {0.0};
	begin_shape(g, "Mesh");
	append_file_text(g->file, "            uniform token subdivisionScheme = \"none\"\n"
				  "            int[] faceVertexCounts = [");
	for (size_t f = 0; f < faces; f++)
		append_file_print(g->file, "%s%zu", f ? ", " : "", corners);
	append_file_text(g->file, "]\n            int[] faceVertexIndices = [");
	for (size_t c = 0; c < faces * corners; c++)
		append_file_print(g->file, "%s%zu", c ? ", " : "", c);
	append_file_text(g->file, "]\n            point3f[] points = [");
	for (size_t c = 0; c < faces * corners; c++) {
		double x[3] = {0.0};
		for (int a = 0; a < numbers; a++)
			x[a] = (double)(float)((double)points[c * (size_t)numbers + (size_t)a] -
					       g->center[a]);
		append_file_text(g->file, c ? ", " : "");
		add_tuple(g->file, x, 3);
	}
	append_file_text(g->file, "]\n");
	end_shape(g, nowhere, NULL, NULL);
}

static void add_shape(const struct geometry *g, const struct shape_program *shape)
{
	const struct shape_program told = shape_program_told(shape);
	const struct shape_op *op = told.ops;
	const float *points = told.points ? told.points + 2 * (size_t)op->first : NULL;
	if (told.op_count != 1)
		return;
	if (op->kind == SHAPE_BOX)
		add_box(g, op);
	else if (op->kind == SHAPE_SPHERE)
		add_sphere(g, op);
	else if (op->kind == SHAPE_POLYGON)
		add_faces(g, points, 1, (size_t)op->count, 2);
	else if (op->kind == SHAPE_MESH && shape_mesh_int(points + MESH_COUNT) <= TRIANGLES_MOST)
		add_faces(g, points + shape_mesh_int(points + MESH_TRIANGLES),
			  (size_t)shape_mesh_int(points + MESH_COUNT), 3, 3);
	else if ((op->kind == SHAPE_CAPSULE || op->kind == SHAPE_CYLINDER) && g->scene->dim == 3)
		add_rod(g, op);
}

/* ---- transforms ---------------------------------------------------------------------------- */

static void add_body(struct append_file *file, const struct scene *scene, size_t n,
		     const struct bodies_table *table)
{
	const size_t count = scene->body_count;
	const struct scene_solid *solid = &scene->solids[scene->solid_count - count + n];
	append_file_text(file, "\n    def Xform ");
	add_identifier(file, n, solid->name);
	append_file_text(file, " (\n        displayName = ");
	add_text(file, solid->name);
	append_file_text(file,
			 "\n    )\n    {\n        double3 xformOp:translate.timeSamples = {\n");
	for (size_t f = 0; f < table->frame_count; f++) {
		append_file_print(file, "            %d: ", table->frame[f]);
		add_tuple(file, table->bodies[f * count + n].x, 3);
		append_file_text(file, ",\n");
	}
	append_file_text(file, "        }\n        quatd xformOp:orient.timeSamples = {\n");
	for (size_t f = 0; f < table->frame_count; f++) {
		append_file_print(file, "            %d: ", table->frame[f]);
		add_tuple(file, table->bodies[f * count + n].q, 4);
		append_file_text(file, ",\n");
	}
	append_file_text(file, "        }\n        uniform token[] xformOpOrder = "
			       "[\"xformOp:translate\", \"xformOp:orient\"]\n");
	add_shape(&(struct geometry){file, scene, solid->body.of.center}, &solid->shape);
	append_file_text(file, "    }\n");
}

bool bodies_usda_write(const char *directory, const struct scene *scene,
		       const struct bodies_table *table)
{
	static const char name[] = "bodies.usda";
	struct append_file file = {.path = strdup(name), .fd = -1};
	char fps[NUMBER_TEXT];
	if (!file.path)
		return message_memory(sizeof(name), name);
	number_from_double(scene->time.fps, fps);
	append_file_print(
		&file,
		"#usda 1.0\n(\n    defaultPrim = \"bodies\"\n    endTimeCode = %d\n    "
		"framesPerSecond = %s\n    metersPerUnit = 1\n    startTimeCode = %d\n    "
		"timeCodesPerSecond = %s\n    upAxis = \"Y\"\n)\n\ndef Xform \"bodies\"\n{",
		table->frame_count > 0 ? table->frame[table->frame_count - 1] : 0, fps,
		table->frame_count > 0 ? table->frame[0] : 0, fps);
	for (size_t n = 0; n < scene->body_count; n++)
		add_body(&file, scene, n, table);
	append_file_text(&file, "}\n");
	const bool ok =
		!file.failed && file_write_atomic(directory, name, file.pending, file.length);
	free(file.pending);
	free(file.path);
	return ok;
}

bool bodies_usda_update(const char *directory, const struct scene *scene)
{
	struct bodies_table table;
	char *path = file_join(directory, "bodies.csv");
	const bool ok = path && bodies_csv_read(path, scene->body_count, &table);
	const bool written = ok && bodies_usda_write(directory, scene, &table);
	if (ok)
		bodies_table_free(&table);
	free(path);
	return written;
}
