#include "mesh_parse.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool refuse(char reason[MESH_PARSE_REASON], const char *text)
{
	snprintf(reason, MESH_PARSE_REASON, "%s", text);
	return false;
}

static bool add_vertices(struct mesh_surface *surface, const struct aiMesh *mesh,
			 char reason[MESH_PARSE_REASON])
{
	f32 *to = surface->vertices + 3 * surface->vertex_count;
	for (unsigned v = 0; v < mesh->mNumVertices; v++) {
		const struct aiVector3D at = mesh->mVertices[v];
		if (!isfinite(at.x) || !isfinite(at.y) || !isfinite(at.z))
			return refuse(reason, "has a vertex that is not finite");
		*to++ = at.x;
		*to++ = at.y;
		*to++ = at.z;
	}
	return true;
}

static bool add_faces(struct mesh_surface *surface, const struct aiMesh *mesh,
		      char reason[MESH_PARSE_REASON])
{
	for (unsigned f = 0; f < mesh->mNumFaces; f++) {
		const struct aiFace *face = &mesh->mFaces[f];
		if (face->mNumIndices != 3) {
			surface->others++;
			continue;
		}
		uint32_t *to = surface->triangles + 3 * surface->triangle_count;
		for (int corner = 0; corner < 3; corner++) {
			if (face->mIndices[corner] >= mesh->mNumVertices)
				return refuse(reason,
					      "has a face with a vertex that is not in the file");
			to[corner] = (uint32_t)surface->vertex_count + face->mIndices[corner];
		}
		surface->triangle_count++;
	}
	return true;
}

static bool take(const struct aiScene *scene, struct mesh_surface *surface,
		 char reason[MESH_PARSE_REASON])
{
	uint64_t vertices = 0, faces = 0;
	for (unsigned m = 0; m < scene->mNumMeshes; m++) {
		vertices += scene->mMeshes[m]->mNumVertices;
		faces += scene->mMeshes[m]->mNumFaces;
	}
	if (faces > MESH_MOST_TRIANGLES || vertices > MESH_MOST_VERTICES) {
		snprintf(reason, MESH_PARSE_REASON, "has more than %d triangles or %d vertices",
			 MESH_MOST_TRIANGLES, MESH_MOST_VERTICES);
		return false;
	}
	surface->vertices = malloc((3 * (size_t)vertices + 1) * sizeof(*surface->vertices));
	surface->triangles = malloc((3 * (size_t)faces + 1) * sizeof(*surface->triangles));
	if (!surface->vertices || !surface->triangles)
		return refuse(reason, "does not fit into memory");
	for (unsigned m = 0; m < scene->mNumMeshes; m++) {
		const struct aiMesh *mesh = scene->mMeshes[m];
		if (!add_vertices(surface, mesh, reason) || !add_faces(surface, mesh, reason))
			return false;
		surface->vertex_count += mesh->mNumVertices;
	}
	return surface->triangle_count > 0 || refuse(reason, "has no triangles");
}

bool mesh_parse(const char *bytes, size_t length, const char *kind, struct mesh_surface *surface,
		char reason[MESH_PARSE_REASON])
{
	if (length > UINT_MAX)
		return refuse(reason, "is too large");
	const struct aiScene *scene =
		aiImportFileFromMemory(bytes, (unsigned)length, aiProcess_Triangulate, kind);
	if (!scene) {
		const char *why = aiGetErrorString();
		snprintf(reason, MESH_PARSE_REASON, "is no %s file that can be read%s%.100s", kind,
			 why && *why ? ": " : "", why ? why : "");
		return false;
	}
	const bool good = take(scene, surface, reason);
	aiReleaseImport(scene);
	if (!good)
		mesh_surface_free(surface);
	return good;
}
