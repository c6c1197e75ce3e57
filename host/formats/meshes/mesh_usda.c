/* A mesh of an OpenUSD stage (openusd.org: UsdGeomMesh), as text; in 2D its edges as linear curves
 * of two points each (UsdGeomBasisCurves). */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "mesh_formats.h"
#include "usd/usd_stage.h"

static const char mesh_constants[] = "    uniform token orientation = \"rightHanded\"\n"
				     "    uniform token subdivisionScheme = \"none\"\n";
static const char curve_constants[] = "    uniform token type = \"linear\"\n"
				      "    uniform token wrap = \"nonperiodic\"\n";

static bool is_flat(const struct scene *scene)
{
	return scene->dim == 2;
}

static void write_constants(struct file_stream *stream, const struct scene *scene)
{
	file_stream_text(stream, is_flat(scene) ? curve_constants : mesh_constants);
	if (is_flat(scene))
		usd_width(stream, 0.1 * scene->h);
	usd_colours(stream, scene, true);
}

/* Integers that are all alike. */
static void write_counts(struct file_stream *stream, const char *declaration,
			 const struct mesh_file *file)
{
	char text[16];
	usd_samples_begin(stream, declaration, file->frame);
	for (u32 f = 0; f < file->mesh.faces; f++) {
		snprintf(text, sizeof(text), "%s%" PRIu32, f > 0 ? ", " : "", file->mesh.corners);
		file_stream_text(stream, text);
	}
	usd_samples_end(stream);
}

/* Which three of a vertex's numbers: place 0, normal 3, velocity 6. */
static void write_vertices(struct file_stream *stream, const char *declaration,
			   const struct mesh_file *file, size_t which)
{
	const struct mesh *mesh = &file->mesh;
	usd_samples_begin(stream, declaration, file->frame);
	if (mesh->corners == 3)
		usd_floats(stream, mesh->vertex + which, mesh->vertices, 3, 9);
	else
		/* curves share no points */
		for (u32 c = 0; c < 2 * mesh->faces; c++) {
			file_stream_text(stream, c > 0 ? ", " : "");
			usd_floats(stream, mesh->vertex + 9 * (size_t)mesh->face[c] + which, 1, 3,
				   9);
		}
	usd_samples_end(stream);
}

static void write_usda(struct file_stream *stream, const struct mesh_file *file)
{
	const struct mesh *mesh = &file->mesh;
	char words[80];
	const bool flat = is_flat(file->scene);
	snprintf(words, sizeof(words), "%" PRIu32 " %s of frame %d", mesh->faces,
		 flat ? "edges" : "triangles", file->frame);
	usd_header(stream, file->scene, file->frame, file->frame, words);
	file_stream_text(stream,
			 flat ? "def BasisCurves \"liquid\"\n{\n" : "def Mesh \"liquid\"\n{\n");
	write_constants(stream, file->scene);
	write_counts(stream, flat ? "int[] curveVertexCounts" : "int[] faceVertexCounts", file);
	if (!flat) {
		usd_samples_begin(stream, "int[] faceVertexIndices", file->frame);
		usd_integers(stream, mesh->face, (size_t)mesh->corners * mesh->faces);
		usd_samples_end(stream);
	}
	write_vertices(stream, "point3f[] points", file, 0);
	write_vertices(stream, "vector3f[] velocities", file, 6);
	if (!flat) {
		file_stream_text(stream, "    normal3f[] normals (\n"
					 "        interpolation = \"vertex\"\n    )\n");
		write_vertices(stream, "normal3f[] normals", file, 3);
	}
	usd_extent(stream, file->frame, mesh->vertex, mesh->vertices, 9, 0.0f);
	file_stream_text(stream, "}\n");
}

/* It is the same for every frame: clips are found by their names. */
static int join_usda(const char *folder, int every, const struct mesh_file *file)
{
	struct file_stream stream;
	char *path;
	const bool flat = is_flat(file->scene);
	if (!usd_joined(&stream, folder, "mesh", &path))
		return ENOMEM;
	usd_clips(&stream, file->scene, flat ? "BasisCurves" : "Mesh", "mesh", every);
	write_constants(&stream, file->scene);
	file_stream_text(&stream, flat ? "    int[] curveVertexCounts\n"
				       : "    int[] faceVertexCounts\n    int[] faceVertexIndices\n"
					 "    normal3f[] normals (\n        interpolation = "
					 "\"vertex\"\n    )\n");
	file_stream_text(&stream, "    point3f[] points\n    vector3f[] velocities\n"
				  "    float3[] extent\n}\n");
	const int reason = file_stream_finish(&stream);
	free(path);
	return reason;
}

const struct mesh_format mesh_format_usda = {write_usda, 150, join_usda};
