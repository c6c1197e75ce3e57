/* Points of a body's surface, by which contacts are found. */
#ifndef FRESHET_BODY_SURFACE_H
#define FRESHET_BODY_SURFACE_H

#include "scene_solid.h"

/* A ball inside the body that touches its surface; most have no radius.  A ball is its own and only
 * point, a capsule a row of them. */
struct body_point {
	double at[3];  /* m, from the centre, along the axes as the shape is told */
	double radius; /* m */
};

struct body_surface {
	struct body_point *points; /* [count], owned */
	size_t count;
};

#define BODY_POINTS_MOST 2048

/* Of a body, about its centre of mass, or of a solid with bounds, about the center of its motion
 * (0 without one): corners and vertices, then points of edges and faces, about `spacing` (m)
 * apart, further where they would be too many.  False after reporting that memory is short; free
 * *surface in any case. */
bool body_surface_of(const struct scene_solid *body, int dim, double spacing,
		     struct body_surface *surface);
void body_surface_free(struct body_surface *surface); /* accepts a zeroed one */

#endif
