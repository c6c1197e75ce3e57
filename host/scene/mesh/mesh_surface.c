#include "mesh_surface.h"

#include <stdlib.h>

#include "crc64.h"

void mesh_surface_free(struct mesh_surface *surface)
{
	free(surface->vertices);
	free(surface->triangles);
	*surface = (struct mesh_surface){0};
}

uint64_t mesh_surface_hash(const struct mesh_surface *surface)
{
	const uint64_t counts[2] = {surface->vertex_count, surface->triangle_count};
	uint64_t hash = crc64(0, counts, sizeof(counts));
	hash = crc64(hash, surface->vertices,
		     3 * (size_t)surface->vertex_count * sizeof(*surface->vertices));
	return crc64(hash, surface->triangles,
		     3 * (size_t)surface->triangle_count * sizeof(*surface->triangles));
}
