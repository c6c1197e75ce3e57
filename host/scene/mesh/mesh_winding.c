#include "mesh_winding.h"

#include <math.h>
#include <stdlib.h>

#include "arc_tangent.h"

#define FAR_AWAY 2.3 /* times the radius: beyond, a part is a dipole */
#define FOUR_PI 12.566370614359172954

static void corners_of(const struct mesh_surface *surface, size_t triangle, double corner[3][3])
{
	for (size_t c = 0; c < 3; c++)
		for (size_t axis = 0; axis < 3; axis++)
			corner[c][axis] =
				(double)surface->vertices
					[3 * (size_t)surface->triangles[3 * triangle + c] + axis];
}

static double length_of(const double a[3])
{
	return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static void cross(const double a[3], const double b[3], double c[3])
{
	c[0] = a[1] * b[2] - a[2] * b[1];
	c[1] = a[2] * b[0] - a[0] * b[2];
	c[2] = a[0] * b[1] - a[1] * b[0];
}

static void add_triangle(const struct mesh_surface *surface, size_t triangle, struct mesh_dipole *d)
{
	double corner[3][3], ab[3], ac[3], area[3];
	corners_of(surface, triangle, corner);
	for (int axis = 0; axis < 3; axis++) {
		ab[axis] = corner[1][axis] - corner[0][axis];
		ac[axis] = corner[2][axis] - corner[0][axis];
	}
	cross(ab, ac, area);
	const double weight = 0.5 * length_of(area);
	for (int axis = 0; axis < 3; axis++) {
		d->area[axis] += 0.5 * area[axis];
		d->middle[axis] +=
			weight / 3.0 * (corner[0][axis] + corner[1][axis] + corner[2][axis]);
	}
	d->weight += weight;
}

struct mesh_dipole *mesh_dipoles(const struct mesh_surface *surface, const struct mesh_tree *tree)
{
	struct mesh_dipole *dipoles = calloc(tree->count + 1, sizeof(*dipoles));
	for (size_t i = tree->count; dipoles && i-- > 0;) {
		const struct mesh_box *box = &tree->boxes[i];
		struct mesh_dipole *d = &dipoles[i];
		/* Sums first; the middle is one times the weight until all have been made. */
		if (box->leaf >= 0) {
			for (int t = 0; t < (box->leaf & 7); t++)
				add_triangle(surface, (size_t)(box->leaf >> 3) + (size_t)t, d);
			continue;
		}
		const struct mesh_dipole *parts[2] = {d + 1, &dipoles[tree->boxes[i + 1].skip]};
		for (int p = 0; p < 2; p++) {
			for (int axis = 0; axis < 3; axis++) {
				d->area[axis] += parts[p]->area[axis];
				d->middle[axis] += parts[p]->middle[axis];
			}
			d->weight += parts[p]->weight;
		}
	}
	for (size_t i = 0; dipoles && i < tree->count; i++) {
		struct mesh_dipole *d = &dipoles[i];
		double reach[3];
		for (int axis = 0; axis < 3; axis++) {
			const double low = (double)tree->boxes[i].low[axis],
				     high = (double)tree->boxes[i].high[axis];
			d->middle[axis] = d->weight > 0.0 ? d->middle[axis] / d->weight : low;
			reach[axis] = fmax(high - d->middle[axis], d->middle[axis] - low);
		}
		d->radius = length_of(reach);
	}
	return dipoles;
}

/* Solid angle over 4 pi (van Oosterom & Strackee 1983). */
static double triangle_winding(const struct mesh_surface *surface, size_t triangle, const f32 p[3])
{
	double r[3][3], bc[3], length[3], dot[3];
	corners_of(surface, triangle, r);
	for (int c = 0; c < 3; c++) {
		for (int axis = 0; axis < 3; axis++)
			r[c][axis] -= (double)p[axis];
		length[c] = length_of(r[c]);
	}
	for (int c = 0; c < 3; c++) {
		const double *a = r[c], *b = r[(c + 1) % 3];
		dot[c] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
	}
	cross(r[1], r[2], bc);
	const double volume = r[0][0] * bc[0] + r[0][1] * bc[1] + r[0][2] * bc[2];
	const double below = length[0] * length[1] * length[2] + dot[0] * length[2] +
			     dot[1] * length[0] + dot[2] * length[1];
	return 2.0 * exact_arc_tangent(volume, below) / FOUR_PI;
}

double mesh_winding(const struct mesh_surface *surface, const struct mesh_tree *tree,
		    const struct mesh_dipole *dipoles, const f32 p[3])
{
	double sum = 0.0;
	for (size_t at = 0; at < tree->count;) {
		const struct mesh_box *box = &tree->boxes[at];
		const struct mesh_dipole *d = &dipoles[at];
		double way[3];
		for (int axis = 0; axis < 3; axis++)
			way[axis] = d->middle[axis] - (double)p[axis];
		const double apart = length_of(way);
		if (apart > FAR_AWAY * d->radius) {
			const double along =
				d->area[0] * way[0] + d->area[1] * way[1] + d->area[2] * way[2];
			sum += along / (FOUR_PI * apart * apart * apart);
			at = (size_t)box->skip;
			continue;
		}
		if (box->leaf >= 0)
			for (int t = 0; t < (box->leaf & 7); t++)
				sum += triangle_winding(surface,
							(size_t)(box->leaf >> 3) + (size_t)t, p);
		at++;
	}
	return sum;
}
