#include "manufactured.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- pressures and boundaries ------------------------------------------------------------- */

#if DIM == 2
/* phi = r^4 cos 3 theta = r (x^3 - 3 x y^2): Johansen & Colella 1998, problem 3. */
double quartic(const double x[3], double gradient[3], double *laplacian)
{
	const double r = fmax(hypot(x[0], x[1]), 1e-12);
	const double cubic = x[0] * x[0] * x[0] - 3.0 * x[0] * x[1] * x[1];
	gradient[0] = cubic * x[0] / r + r * 3.0 * (x[0] * x[0] - x[1] * x[1]);
	gradient[1] = cubic * x[1] / r - r * 6.0 * x[0] * x[1];
	gradient[2] = 0.0;
	*laplacian = 7.0 * cubic / r;
	return r * cubic;
}

/* x^2 + y^2: Gibou et al. 2002. */
double paraboloid(const double x[3], double gradient[3], double *laplacian)
{
	double square = 0.0;
	for (int a = 0; a < DIM; a++) {
		square += x[a] * x[a];
		gradient[a] = 2.0 * x[a];
	}
	*laplacian = 2.0 * DIM;
	return square;
}

#endif

double bell(const double x[3], double gradient[3], double *laplacian)
{
	double square = 0.0;
	for (int a = 0; a < DIM; a++)
		square += x[a] * x[a];
	const double value = exp(-square);
	for (int a = 0; a < DIM; a++)
		gradient[a] = -2.0 * x[a] * value;
	*laplacian = (4.0 * square - 2.0 * DIM) * value;
	return value;
}

#if DIM == 2
double star_inside(double angle)
{
	return 0.30 + 0.15 * cos(6.0 * angle);
}

double star_outside(double angle)
{
	return 0.25 + 0.05 * cos(6.0 * angle);
}

double star_of_five(double angle)
{
	return 0.5 + 0.2 * sin(5.0 * angle);
}
#endif

double round_one(double angle)
{
	(void)angle;
	return 0.3;
}

/* ---- geometry ----------------------------------------------------------------------------- */

static void relative(const struct problem *p, const double x[3], double y[3])
{
	for (int a = 0; a < 3; a++)
		y[a] = x[a] - p->centre[a];
}

double problem_shape(const struct problem *p, const double x[3])
{
	double y[3], square = 0.0;
	relative(p, x, y);
	for (int a = 0; a < DIM; a++)
		square += y[a] * y[a];
	const double beyond = sqrt(square) - p->radius(atan2(y[1], y[0]));
	return p->solid ? beyond : -beyond;
}

double problem_pressure(const struct problem *p, const double x[3], double gradient[3],
			double *laplacian)
{
	double y[3], g[3], l;
	relative(p, x, y);
	return p->pressure(y, gradient ? gradient : g, laplacian ? laplacian : &l);
}

static double to_boundary(const struct problem *p, const double y[3], double angle)
{
	const double r = p->radius(angle);
	return hypot(y[0] - r * cos(angle), y[1] - r * sin(angle));
}

/* Signed distance from the boundary, positive in the liquid; problem_shape() further off than
 * `reach`, which is never less than a third of the distance. */
double problem_distance(const struct problem *p, const double x[3], double reach)
{
	enum { SAMPLES = 720, ROUNDS = 30 };
	const double shape = problem_shape(p, x), step = 2.0 * PI / SAMPLES;
	double y[3], best = 0.0;
	relative(p, x, y);
	if (p->radius == round_one || fabs(shape) > 3.0 * reach)
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

void problem_crossing(const struct problem *p, const double a[3], const double b[3], double x[3])
{
	double low = 0.0, high = 1.0;
	for (int step = 0; step < 60; step++) {
		const double middle = 0.5 * (low + high);
		for (int c = 0; c < 3; c++)
			x[c] = a[c] + middle * (b[c] - a[c]);
		*(problem_shape(p, x) > 0.0 ? &low : &high) = middle;
	}
}

double problem_open_mean(const struct problem *p, const double x[3], int c, double h)
{
	const int parts = DIM == 2 ? 400 : 24;
	const int u = c == 0 ? 1 : 0, v = c == 2 ? 1 : 2;
	double g[3], open = 0.0, sum = 0.0;
	problem_pressure(p, x, g, NULL);
	if (fabs(problem_shape(p, x)) > 3.0 * h) /* its slope is below 3 */
		return g[c];
	for (int m = 0; m < (DIM == 3 ? parts : 1); m++)
		for (int n = 0; n < parts; n++) {
			double y[3] = {x[0], x[1], x[2]};
			y[u] += ((n + 0.5) / parts - 0.5) * h;
			if (DIM == 3)
				y[v] += ((m + 0.5) / parts - 0.5) * h;
			const double cells = problem_shape(p, y) * parts / h;
			const double weight = fmin(fmax(cells + 0.5, 0.0), 1.0);
			if (weight <= 0.0)
				continue;
			problem_pressure(p, y, g, NULL);
			open += weight;
			sum += weight * g[c];
		}
	problem_pressure(p, x, g, NULL);
	return open > 0.0 ? sum / open : g[c];
}

/* ---- scenes and tables -------------------------------------------------------------------- */

struct fixture problem_make(const struct problem *p, int cells)
{
	char *text = test_calloc(1, 65536), *at = text;
	const char *open = DIM == 2 ? "x-: open, x+: open, y-: open, y+: open"
				    : "x-: open, x+: open, y-: open, y+: open, z-: open, z+: open";
	const char *format = DIM == 2 ? "domain: {size: [%g, %g], cells: %d, walls: {%s}}\n"
				      : "domain: {size: [%g, %g, %g], cells: %d, walls: {%s}}\n";
	if (DIM == 2)
		at += sprintf(at, format, p->size, p->size, cells, open);
	else
		at += sprintf(at, format, p->size, p->size, p->size, cells, open);
	if (p->solid && p->radius == round_one) {
		at += sprintf(at, "solids: [{sphere: {center: [%.9g, %.9g", p->centre[0],
			      p->centre[1]);
		at += DIM == 3 ? sprintf(at, ", %.9g", p->centre[2]) : 0;
		sprintf(at, "], radius: 0.3}}]\n");
	} else if (p->solid) {
		/* Between its corners the polygon is at most 3e-6 off the star. */
		enum { CORNERS = 1200 };
		at += sprintf(at, "solids: [{polygon: {points: [");
		for (int n = 0; n < CORNERS; n++) {
			const double angle = 2.0 * PI * n / CORNERS;
			const double r = p->radius(angle);
			at += sprintf(at, "%s[%.9g, %.9g]", n ? ", " : "",
				      p->centre[0] + r * cos(angle), p->centre[1] + r * sin(angle));
		}
		sprintf(at, "]}}]\n");
	}
	struct fixture f = fixture_make("%s", text);
	test_free(text);
	return f;
}

double problem_published(const char *test, const char *method, int cells, const char *norm)
{
	char path[512], line[512];
	double found = (double)NAN;
	const char *root = getenv("FRESHET_SOURCE");
	snprintf(path, sizeof(path), "%s/tests/data/poisson_irregular_published_errors.csv",
		 root ? root : ".");
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		char its_method[128], its_norm[64];
		int n;
		double error;
		if (strncmp(line, test, strlen(test)) == 0 &&
		    sscanf(line, "%*[^,],%*[^,],%*d,%127[^,],%d,%63[^,],%lf", its_method, &n,
			   its_norm, &error) == 4 &&
		    strstr(its_method, method) && (n == cells || n == cells + 1) &&
		    strcmp(its_norm, norm) == 0)
			found = error;
	}
	fclose(file);
	return found;
}
