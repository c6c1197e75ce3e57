/* Shapes as contacts see them, and pairs of them.  Parts of contacts_find(). */
#ifndef FRESHET_CONTACT_SHAPE_H
#define FRESHET_CONTACT_SHAPE_H

#include "bodies/body_surface.h"
#include "contacts.h"

enum contact_kind {
	CONTACT_PLANE,	  /* a half-space, a wall */
	CONTACT_ROUND,	  /* all points within a radius of a segment */
	CONTACT_BLOCK,	  /* a box of 3D */
	CONTACT_CONVEX,	  /* a convex polygon, 2D */
	CONTACT_CYLINDER, /* 3D */
	CONTACT_OTHER,
};

struct contact_shape {
	enum contact_kind kind;
	int dim;
	struct shape_program told; /* shares the scene's */
	struct body_surface surface;
	double center[3]; /* m, what it turns about, as it is told */
	double reach;	  /* m, of a ball about the center around it; infinite */
	/* From the center, as it is told: of a plane a point and its normal; ends of a segment or
	 * an axis; the middle and half sides of a block. */
	double a[3], b[3], radius;
	double (*corners)[2]; /* of a polygon, counterclockwise; owned */
	size_t corner_count;
	struct solid_pose pose; /* now */
};

bool contact_shape_of(const struct scene *scene, const struct scene_solid *solid,
		      struct contact_shape *shape);
struct contact_shape contact_shape_wall(const struct scene *scene, int side);
void contact_shape_free(struct contact_shape *shape);

/* x as the shape is told, from its center; and back. */
void contact_enter(const struct contact_shape *shape, const double x[3], double p[3]);
void contact_leave(const struct contact_shape *shape, const double p[3], double x[3]);

/* Points of one pair before they are thinned out. */
struct contact_point {
	double point[3], normal[3], gap; /* point: from the centre of `body`; the others as in
					  * struct contact */
	uint32_t feature;
};
struct contact_points {
	struct contact_point *list; /* room for CONTACT_POINTS_MOST */
	size_t count;
	double margin; /* m: gaps that count */
};
#define CONTACT_POINTS_MOST (2 * BODY_POINTS_MOST + 64)
void contact_points_add(struct contact_points *points, const double point[3],
			const double normal[3], double gap, uint32_t feature);

/* contact_pair.c: of any pair; the normals point from `other` to `body`. */
void contact_pair(const struct contact_shape *body, const struct contact_shape *other,
		  struct contact_points *points);
/* contact_block.c, contact_convex.c: blocks, convex polygons. */
void contact_blocks(const struct contact_shape *body, const struct contact_shape *other,
		    struct contact_points *points);
void contact_polygons(const struct contact_shape *body, const struct contact_shape *other,
		      struct contact_points *points);

/* contact_thin.c: leaves few of each side that is touched, which hold as well; the deepest first.
 */
void contact_thin(struct contact_points *points, int dim);

#endif
