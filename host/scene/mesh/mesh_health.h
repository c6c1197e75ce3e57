/* What is wrong with a mesh, which works all the same. */
#ifndef FRESHET_MESH_HEALTH_H
#define FRESHET_MESH_HEALTH_H

#include <stdbool.h>
#include <stddef.h>

#include "mesh_surface.h"

/* X(member, one, several): what is counted, as it is called. */
#define MESH_FAULTS(X)                                                                    \
	X(open, "open edge", "open edges")                                                \
	X(crowded, "edge of more than two triangles", "edges of more than two triangles") \
	X(flipped, "edge between triangles that face opposite ways",                      \
	  "edges between triangles that face opposite ways")                              \
	X(doubled, "doubled triangle", "doubled triangles")                               \
	X(flat, "triangle without area", "triangles without area")                        \
	X(stray, "vertex of no triangle", "vertices of no triangle")                      \
	X(others, "face of less than three corners", "faces of less than three corners")

struct mesh_fault {
	uint64_t count;
	double place[3]; /* of the first one, m; of `others` nothing */
};

struct mesh_health {
	uint64_t vertices, triangles, edges; /* that are used, each once */
#define MESH_FAULT_MEMBER(member, one, several) struct mesh_fault member;
	MESH_FAULTS(MESH_FAULT_MEMBER)
};

/* The same in order, for going over them. */
#define MESH_FAULT_ONE(member, one, several) +1
#define MESH_FAULT_COUNT (0 MESH_FAULTS(MESH_FAULT_ONE))
struct mesh_fault_name {
	const char *member, *one, *several;
	size_t offset; /* of the struct mesh_fault in struct mesh_health */
};
extern const struct mesh_fault_name mesh_fault_names[MESH_FAULT_COUNT];

/* mesh_weld.c: makes vertices at one place one; drops triangles without area, all but the first of
 * those with the same corners, and vertices of none.  Fills vertices, triangles and the faults but
 * for those of edges.  False when memory is short. */
bool mesh_weld(struct mesh_surface *surface, struct mesh_health *health);

/* mesh_health.c: counts the edges of a welded mesh, and their faults.  False when memory is short.
 */
bool mesh_count_edges(const struct mesh_surface *surface, struct mesh_health *health);

#endif
