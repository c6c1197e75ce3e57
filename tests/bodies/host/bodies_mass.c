/* Mass, centre and inertia of shapes: against formulas of mechanics, against sums over slices, and
 * the order of what has no formula. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bodies/body_moments.h"
#include "mesh_make.h"
#include "scene.h"
#include "temporary.h"

#define PI 3.14159265358979323846
/* Scenes have coordinates of single precision. */
#define CLOSE(a, b) assert_true(fabs((a) - (b)) <= 3e-7 * (1.0 + fabs(b)))
#define WITHIN(a, b, share) assert_true(fabs((a) - (b)) <= (share)*fabs(b))

static struct scene *read_body(int dim, const char *body)
{
	char text[2000];
	snprintf(text, sizeof(text),
		 "domain: {size: %s, cells: 16}\nbodies: [{%s, density: 500}]\n",
		 dim == 2 ? "[4, 4]" : "[4, 4, 4]", body);
	struct scene *scene = scene_read_text(text, strlen(text), "mass");
	assert_non_null(scene);
	return scene;
}

static struct body_mass mass_of(int dim, const char *body)
{
	struct scene *scene = read_body(dim, body);
	const struct body_mass mass = scene->solids[0].body.of;
	scene_free(scene);
	return mass;
}

static void test_balls(void **state)
{
	(void)state;
	struct body_mass m = mass_of(3, "sphere: {center: [1, 2, 2.5], radius: 0.5}");
	const double mass = 500.0 * 4.0 / 3.0 * PI * 0.125;
	CLOSE(m.mass, mass);
	CLOSE(m.center[2], 2.5);
	CLOSE(m.inertia[0][0], 0.4 * mass * 0.25);
	CLOSE(m.inertia[2][2], 0.4 * mass * 0.25);
	CLOSE(m.inertia[0][1], 0.0);
	CLOSE(m.radius, 0.5);
	m = mass_of(2, "sphere: {center: [1, 2], radius: 0.5}");
	CLOSE(m.mass, 500.0 * PI * 0.25);
	CLOSE(m.inertia[2][2], 0.5 * m.mass * 0.25);
}

static void test_boxes(void **state)
{
	(void)state;
	struct body_mass m = mass_of(3, "box: {min: [1, 1, 1], max: [1.5, 2, 3]}");
	CLOSE(m.mass, 500.0);
	CLOSE(m.center[1], 1.5);
	CLOSE(m.inertia[0][0], 500.0 * (1.0 + 4.0) / 12.0);
	CLOSE(m.inertia[1][1], 500.0 * (0.25 + 4.0) / 12.0);
	CLOSE(m.inertia[2][2], 500.0 * (0.25 + 1.0) / 12.0);
	CLOSE(m.radius, 0.5 * sqrt(0.25 + 1.0 + 4.0));
	m = mass_of(2, "box: {min: [1, 1], max: [1.5, 2]}");
	CLOSE(m.mass, 250.0);
	CLOSE(m.inertia[2][2], 250.0 * 1.25 / 12.0);
	/* A rectangle, however it is told. */
	const struct body_mass same =
		mass_of(2, "cylinder: {a: [1.25, 1], b: [1.25, 2], radius: 0.25}");
	CLOSE(same.mass, m.mass);
	CLOSE(same.inertia[2][2], m.inertia[2][2]);
	CLOSE(same.radius, m.radius);
}

/* Sums over slices across the axis, z from -reach to reach, of radius r(z): Simpson's rule. */
struct slices {
	double volume, along, across; /* integrals of 1, z^2, x^2 */
};

static struct slices slice(int dim, bool round, double half, double r)
{
	struct slices s = {0.0, 0.0, 0.0};
	const double reach = round ? half + r : half;
	/* sin spreads the slices so that the ends are smooth. */
	const int n = 4000;
	for (int i = 0; i <= n; i++) {
		const double turn = -PI / 2.0 + PI * i / n, z = reach * sin(turn);
		const double weight = (i == 0 || i == n ? 1.0
				       : i % 2		? 4.0
							: 2.0) *
				      PI / n / 3.0 * reach * cos(turn);
		const double beyond = fmax(fabs(z) - half, 0.0);
		const double radius = sqrt(fmax(r * r - beyond * beyond, 0.0));
		const double area = dim == 2 ? 2.0 * radius : PI * radius * radius;
		s.volume += weight * area;
		s.along += weight * area * z * z;
		s.across += weight * area * radius * radius / (dim == 2 ? 3.0 : 4.0);
	}
	return s;
}

static void test_rods(void **state)
{
	(void)state;
	for (int dim = 2; dim <= 3; dim++)
		for (int round = 0; round < 2; round++) {
			char text[200];
			snprintf(text, sizeof(text), "%s: {a: [1, 1%s], b: [2, 3%s], radius: 0.75}",
				 round ? "capsule" : "cylinder", dim == 3 ? ", 1" : "",
				 dim == 3 ? ", 3" : "");
			const struct body_mass m = mass_of(dim, text);
			/* Along (1,2,2)/3 or (1,2)/sqrt 5. */
			const double length = dim == 3 ? 3.0 : sqrt(5.0);
			const double axis[3] = {1.0 / length, 2.0 / length,
						dim == 3 ? 2.0 / 3.0 : 0.0};
			const struct slices s = slice(dim, round, 0.5 * length, 0.75);
			const double spread = 1e-6;
			WITHIN(m.volume, s.volume, spread);
			if (dim == 2) {
				WITHIN(m.inertia[2][2], 500.0 * (s.along + s.across), spread);
				continue;
			}
			double along = 0.0;
			for (int a = 0; a < 3; a++)
				for (int b = 0; b < 3; b++)
					along += axis[a] * m.inertia[a][b] * axis[b];
			WITHIN(along, 500.0 * 2.0 * s.across, spread);
			const double trace = m.inertia[0][0] + m.inertia[1][1] + m.inertia[2][2];
			WITHIN(trace, 500.0 * (4.0 * s.across + 2.0 * s.along), spread);
		}
}

/* A triangle: about the centre the inertia is mass/36 times the sum of the sides' squares.  An L:
 * two boxes, by the theorem of parallel axes. */
static void test_polygons(void **state)
{
	(void)state;
	struct body_mass m = mass_of(2, "polygon: {points: [[1, 1], [3, 1], [1, 2.5]]}");
	CLOSE(m.mass, 750.0);
	CLOSE(m.center[0], 5.0 / 3.0);
	CLOSE(m.center[1], 1.5);
	CLOSE(m.inertia[2][2], 750.0 / 36.0 * (4.0 + 2.25 + 6.25));
	/* Clockwise. */
	const char *l = "polygon: {points: [[1, 1], [1, 3], [2, 3], [2, 2], [3, 2], [3, 1]]}";
	m = mass_of(2, l);
	const double area[2] = {2.0, 1.0}, x[2] = {1.5, 2.5}, y[2] = {2.0, 1.5};
	const double own[2] = {2.0 * (1.0 + 4.0) / 12.0, 1.0 * (1.0 + 1.0) / 12.0};
	const double cx = (area[0] * x[0] + area[1] * x[1]) / 3.0;
	const double cy = (area[0] * y[0] + area[1] * y[1]) / 3.0;
	double inertia = 0.0;
	for (int i = 0; i < 2; i++)
		inertia += 500.0 * (own[i] + area[i] * ((x[i] - cx) * (x[i] - cx) +
							(y[i] - cy) * (y[i] - cy)));
	CLOSE(m.mass, 1500.0);
	CLOSE(m.center[0], cx);
	CLOSE(m.center[1], cy);
	WITHIN(m.inertia[2][2], inertia, 1e-6);
	CLOSE(m.radius, sqrt((3.0 - cx) * (3.0 - cx) + (1.0 - cy) * (1.0 - cy)));
}

/* A box of triangles, turned, is a box. */
static void test_meshes(void **state)
{
	(void)state;
	char folder[TEMPORARY_PATH], path[TEMPORARY_PATH + 16], text[TEMPORARY_PATH + 120];
	assert_true(temporary_folder(folder, "bodies"));
	snprintf(path, sizeof(path), "%s/box.ply", folder);
	struct made box = made_box(1.0, 1.5, 0.5);
	made_write_ply(&box, path);
	made_free(&box);
	snprintf(text, sizeof(text), "mesh: {file: %s, translate: [1, 1, 1], rotate: [0, 0, 0.5]}",
		 path);
	const struct body_mass m = mass_of(3, text);
	const double mass = 500.0 * 0.75, xx = mass * (2.25 + 0.25) / 12.0,
		     yy = mass * (1.0 + 0.25) / 12.0, c = cos(0.5), s = sin(0.5);
	WITHIN(m.mass, mass, 1e-6);
	WITHIN(m.center[2], 1.25, 1e-6);
	WITHIN(m.inertia[2][2], mass * (1.0 + 2.25) / 12.0, 1e-5);
	WITHIN(m.inertia[0][0], xx * c * c + yy * s * s, 1e-5);
	WITHIN(m.inertia[0][1], (xx - yy) * c * s, 1e-5);
	WITHIN(m.radius, 0.5 * sqrt(1.0 + 2.25 + 0.25), 1e-6);
	remove(path);
	remove(folder);
}

/* Half a ball: its centre is 3 r / 8 from the flat side.  Boxes side by side: their sum. */
static void test_combined(void **state)
{
	(void)state;
	struct body_mass m = mass_of(3, "intersection: [{sphere: {center: [2, 2, 2], radius: 1}}, "
					"{half_space: {point: [2, 2, 2], normal: [0, 1, 0]}}]");
	const double mass = 500.0 * 2.0 / 3.0 * PI;
	WITHIN(m.mass, mass, 1e-3);
	WITHIN(2.0 - m.center[1], 3.0 / 8.0, 1e-3);
	WITHIN(m.inertia[1][1], 0.4 * mass, 1e-3);
	WITHIN(m.inertia[0][0], 83.0 / 320.0 * mass, 2e-3);
	m = mass_of(2, "union: [{box: {min: [1, 1], max: [2, 3]}}, "
		       "{box: {min: [2, 1], max: [3, 2]}}]");
	const struct body_mass l =
		mass_of(2, "polygon: {points: [[1, 1], [1, 3], [2, 3], [2, 2], [3, 2], [3, 1]]}");
	WITHIN(m.mass, l.mass, 1e-3);
	WITHIN(m.center[0], l.center[0], 1e-3);
	WITHIN(m.inertia[2][2], l.inertia[2][2], 1e-3);
	assert_true(m.radius >= l.radius && m.radius < 1.01 * l.radius);
}

/* The mean error over places within a cell falls as the square of the cells' size. */
static void test_order(void **state)
{
	(void)state;
	const int places = 12, first = 4, count = 3;
	for (int dim = 2; dim <= 3; dim++) {
		double error[3] = {0.0}, turning[3] = {0.0};
		for (int n = 0; n < places; n++) {
			char text[200];
			const double x = 1.5 + 0.37 * n / places, r = 0.71 + 0.003 * n;
			snprintf(text, sizeof(text), "sphere: {center: [%.6f, 2%s], radius: %.6f}",
				 x, dim == 3 ? ", 2.113" : "", r);
			struct scene *scene = read_body(dim, text);
			const struct shape_program told =
				shape_program_told(&scene->solids[0].shape);
			const double low[3] = {0.5, 0.9, 1.0}, high[3] = {2.9, 3.2, 3.3};
			const double exact = dim == 2 ? PI * r * r : 4.0 / 3.0 * PI * r * r * r;
			const double square = exact * r * r / (dim == 2 ? 4.0 : 5.0);
			for (int l = 0; l < count; l++) {
				struct body_moments m;
				double origin[3] = {1.7, 2.05, 2.15}, center[3];
				body_quadrature(&told, dim, low, high, first + l, &m);
				body_moments_center(&m, origin, center);
				error[l] += fabs(m.volume / exact - 1.0);
				turning[l] += fabs(m.second[0][0] / square - 1.0);
			}
			scene_free(scene);
		}
		for (int l = 1; l < count; l++) {
			print_message("%dD: %.2g -> %.2g, %.2g -> %.2g\n", dim,
				      error[l - 1] / places, error[l] / places,
				      turning[l - 1] / places, turning[l] / places);
			assert_true(error[l - 1] / error[l] > 3.0);
			assert_true(turning[l - 1] / turning[l] > 3.0);
		}
	}
}

/* A mass told gives the density, and the other way round. */
static void test_scale(void **state)
{
	(void)state;
	const char *text = "domain: {size: [4, 4], cells: 16}\n"
			   "bodies: [{box: {min: [1, 1], max: [3, 2]}, mass: 30}]\n";
	struct scene *scene = scene_read_text(text, strlen(text), "scale");
	assert_non_null(scene);
	const struct scene_body *body = &scene->solids[0].body;
	CLOSE(body->density, 15.0);
	CLOSE(body->of.mass, 30.0);
	CLOSE(body->of.inertia[2][2], 30.0 * 5.0 / 12.0);
	CLOSE(scene->solids[0].motion.center[0], 2.0);
	scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_balls),  cmocka_unit_test(test_boxes),
		cmocka_unit_test(test_rods),   cmocka_unit_test(test_polygons),
		cmocka_unit_test(test_meshes), cmocka_unit_test(test_combined),
		cmocka_unit_test(test_order),  cmocka_unit_test(test_scale),
	};
	return cmocka_run_group_tests_name("bodies mass", tests, NULL, NULL);
}
