/* Is a mesh of triangles closed, oriented and two-manifold, are outlines of edges closed and
 * simple?  Knows nothing of how they were made. */
#ifndef FRESHET_TESTS_MESH_CHECK_H
#define FRESHET_TESTS_MESH_CHECK_H

#include <stddef.h>
#include <stdint.h>

/* What is wrong with a mesh, and its measures.  A whole mesh has 0 in all counts.  For outlines
 * read edge for triangle, length for area and area for volume. */
struct mesh_faults {
	size_t bad_edges;     /* directed edges that are not met by exactly one opposite edge */
	size_t bad_vertices;  /* whose triangles do not form one ring; or that no triangle uses; in
			       * outlines those without just one edge to and one from them */
	size_t small;	      /* triangles smaller than the least area */
	double volume;	      /* enclosed, > 0 with normals outwards */
	double least;	      /* area of the smallest triangle */
	double turned_normal; /* least product of a vertex normal and its triangle's normal */
};

/* triangles: [count][corners], corners 3, or 2 for outlines in the plane with the inside to their
 * left.  place, normal: every `stride` floats, three of them; normal may be NULL. */
struct mesh_faults mesh_check(const float *place, const float *normal, size_t stride,
			      size_t vertices, const uint32_t *triangles, size_t count,
			      size_t corners, double least_area);

#endif
