#include "manufactured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* ---- pressures and boundaries ------------------------------------------------------------- */

/* phi = r^4 cos 3 theta = r (x^3 - 3 x y^2): Johansen & Colella 1998, problem 3. */
double manufactured_quartic(const double x[3], int dim, double gradient[3], double *laplacian)
{
	(void)dim;
	const double r = fmax(hypot(x[0], x[1]), 1e-12);
	const double cubic = x[0] * x[0] * x[0] - 3.0 * x[0] * x[1] * x[1];
	gradient[0] = cubic * x[0] / r + r * 3.0 * (x[0] * x[0] - x[1] * x[1]);
	gradient[1] = cubic * x[1] / r - r * 6.0 * x[0] * x[1];
	gradient[2] = 0.0;
	*laplacian = 7.0 * cubic / r;
	return r * cubic;
}

/* x^2 + y^2: Gibou et al. 2002. */
double manufactured_paraboloid(const double x[3], int dim, double gradient[3], double *laplacian)
{
	double square = 0.0;
	for (int a = 0; a < dim; a++) {
		square += x[a] * x[a];
		gradient[a] = 2.0 * x[a];
	}
	*laplacian = 2.0 * dim;
	return square;
}

double manufactured_bell(const double x[3], int dim, double gradient[3], double *laplacian)
{
	double square = 0.0;
	for (int a = 0; a < dim; a++)
		square += x[a] * x[a];
	const double value = exp(-square);
	for (int a = 0; a < dim; a++)
		gradient[a] = -2.0 * x[a] * value;
	*laplacian = (4.0 * square - 2.0 * dim) * value;
	return value;
}

double manufactured_star_inside(double angle)
{
	return 0.30 + 0.15 * cos(6.0 * angle);
}

double manufactured_star_outside(double angle)
{
	return 0.25 + 0.05 * cos(6.0 * angle);
}

double manufactured_star_of_five(double angle)
{
	return 0.5 + 0.2 * sin(5.0 * angle);
}

double manufactured_round(double angle)
{
	(void)angle;
	return 0.3;
}

/* ---- geometry ----------------------------------------------------------------------------- */

static void from_centre(const struct manufactured *p, const double x[3], double y[3])
{
	for (int a = 0; a < 3; a++)
		y[a] = x[a] - p->centre[a];
}

double manufactured_shape(const struct manufactured *p, const double x[3])
{
	double y[3], square = 0.0;
	from_centre(p, x, y);
	for (int a = 0; a < p->dim; a++)
		square += y[a] * y[a];
	const double beyond = sqrt(square) - p->radius(atan2(y[1], y[0]));
	return p->solid ? beyond : -beyond;
}

double manufactured_pressure(const struct manufactured *p, const double x[3], double gradient[3],
			     double *laplacian)
{
	double y[3], g[3], l;
	from_centre(p, x, y);
	return p->pressure(y, p->dim, gradient ? gradient : g, laplacian ? laplacian : &l);
}

static double to_boundary(const struct manufactured *p, const double y[3], double angle)
{
	const double r = p->radius(angle);
	return hypot(y[0] - r * cos(angle), y[1] - r * sin(angle));
}

/* Signed distance from the boundary, positive in the liquid; manufactured_shape() further off than
 * `reach`, which is never less than a third of the distance. */
double manufactured_distance(const struct manufactured *p, const double x[3], double reach)
{
	enum { SAMPLES = 720, ROUNDS = 30 };
	const double shape = manufactured_shape(p, x), step = 2.0 * PI / SAMPLES;
	double y[3], best = 0.0;
	from_centre(p, x, y);
	if (p->radius == manufactured_round || fabs(shape) > 3.0 * reach)
		return shape;
	for (int n = 1; n < SAMPLES; n++)
		best = to_boundary(p, y, n * step) < to_boundary(p, y, best) ? n * step : best;
	double low = best - step, high = best + step;
	for (int round = 0; round < ROUNDS; round++) {
		const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
		if (to_boundary(p, y, a) < to_boundary(p, y, b))
			high = b;
		else
			low = a;
	}
	const double distance = to_boundary(p, y, 0.5 * (low + high));
	return shape < 0.0 ? -distance : distance;
}

void manufactured_crossing(const struct manufactured *p, const double a[3], const double b[3],
			   double x[3])
{
	double low = 0.0, high = 1.0;
	for (int step = 0; step < 60; step++) {
		const double middle = 0.5 * (low + high);
		for (int c = 0; c < 3; c++)
			x[c] = a[c] + middle * (b[c] - a[c]);
		*(manufactured_shape(p, x) > 0.0 ? &low : &high) = middle;
	}
}

double manufactured_open_mean(const struct manufactured *p, const double x[3], int c, double h)
{
	const int dim = p->dim, parts = dim == 2 ? 400 : 24;
	const int u = c == 0 ? 1 : 0, v = c == 2 ? 1 : 2;
	double g[3], open = 0.0, sum = 0.0;
	manufactured_pressure(p, x, g, NULL);
	if (fabs(manufactured_shape(p, x)) > 3.0 * h) /* its slope is below 3 */
		return g[c];
	for (int m = 0; m < (dim == 3 ? parts : 1); m++)
		for (int n = 0; n < parts; n++) {
			double y[3] = {x[0], x[1], x[2]};
			y[u] += ((n + 0.5) / parts - 0.5) * h;
			if (dim == 3)
				y[v] += ((m + 0.5) / parts - 0.5) * h;
			const double cells = manufactured_shape(p, y) * parts / h;
			const double weight = fmin(fmax(cells + 0.5, 0.0), 1.0);
			if (weight <= 0.0)
				continue;
			manufactured_pressure(p, y, g, NULL);
			open += weight;
			sum += weight * g[c];
		}
	manufactured_pressure(p, x, g, NULL);
	return open > 0.0 ? sum / open : g[c];
}

/* ---- scenes ------------------------------------------------------------------------------- */

#define SCENE_BYTES 65536 /* of CORNERS corners of 30 bytes, and more */
/* Between its corners the polygon is at most 3e-6 off the star. */
#define CORNERS 1200

char *manufactured_scene(const struct manufactured *p, int cells)
{
	char *text = malloc(SCENE_BYTES), *at = text;
	const double *c = p->centre, s = p->size;
	if (!text)
		return NULL;
	if (p->dim == 2)
		at += sprintf(at,
			      "domain: {size: [%g, %g], cells: %d, walls: {x-: open, x+: open, "
			      "y-: open, y+: open}}\n",
			      s, s, cells);
	else
		at += sprintf(at,
			      "domain: {size: [%g, %g, %g], cells: %d, walls: {x-: open, x+: open, "
			      "y-: open, y+: open, z-: open, z+: open}}\n",
			      s, s, s, cells);
	/* A scene without any liquid earns a warning. */
	at += sprintf(at, "liquids: [{box: {min: [0, 0%s], max: [%g, %g%s]}}]\n",
		      p->dim == 3 ? ", 0" : "", s / 8.0, s / 8.0, p->dim == 3 ? ", 0.125" : "");
	if (p->solid && p->radius == manufactured_round) {
		at += sprintf(at, "solids: [{sphere: {center: [%.9g, %.9g", c[0], c[1]);
		at += p->dim == 3 ? sprintf(at, ", %.9g", c[2]) : 0;
		sprintf(at, "], radius: 0.3}}]\n");
	} else if (p->solid) {
		at += sprintf(at, "solids: [{polygon: {points: [");
		for (int n = 0; n < CORNERS; n++) {
			const double angle = 2.0 * PI * n / CORNERS, r = p->radius(angle);
			at += sprintf(at, "%s[%.9g, %.9g]", n ? ", " : "", c[0] + r * cos(angle),
				      c[1] + r * sin(angle));
		}
		sprintf(at, "]}}]\n");
	}
	return text;
}
