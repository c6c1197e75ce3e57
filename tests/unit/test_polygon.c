/* Outlines that cross themselves, against a search of all pairs, and how long it takes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "shapes/polygon_check.h"

#define MOST 16 /* points of an outline that all pairs are searched of */

/* ---- all pairs --------------------------------------------------------------------------- */

struct place {
	long x, y;
};

static long area_of(struct place a, struct place b, struct place c)
{
	return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int sign_of(long x)
{
	return x < 0 ? -1 : x > 0;
}

static bool is_same(struct place a, struct place b)
{
	return a.x == b.x && a.y == b.y;
}

/* Is p between the ends of a and b? */
static bool is_within(struct place a, struct place b, struct place p)
{
	return area_of(a, b, p) == 0 && !is_same(a, p) && !is_same(b, p) &&
	       (p.x - a.x) * (p.x - b.x) <= 0 && (p.y - a.y) * (p.y - b.y) <= 0;
}

static bool do_edges_cross(struct place a, struct place b, struct place c, struct place d)
{
	return sign_of(area_of(a, b, c)) * sign_of(area_of(a, b, d)) < 0 &&
	       sign_of(area_of(c, d, a)) * sign_of(area_of(c, d, b)) < 0;
}

/* Does the line from `from` over `at` to `to` have `p` strictly on its left, as seen from `at`? */
static int side_of(struct place from, struct place at, struct place to, struct place p)
{
	const double start = atan2((double)(to.y - at.y), (double)(to.x - at.x));
	double wide = atan2((double)(from.y - at.y), (double)(from.x - at.x)) - start;
	double angle = atan2((double)(p.y - at.y), (double)(p.x - at.x)) - start;
	wide += wide < -1e-9 ? 2.0 * acos(-1.0) : 0.0;
	angle += angle < -1e-9 ? 2.0 * acos(-1.0) : 0.0;
	return fabs(angle) < 1e-9 || fabs(angle - wide) < 1e-9 ? 0 : angle < wide ? 1 : -1;
}

static bool do_lines_cross(const struct place a[2], const struct place b[2], struct place at)
{
	const int from = side_of(a[0], at, a[1], b[0]), to = side_of(a[0], at, a[1], b[1]);
	return from * to < 0 && side_of(b[0], at, b[1], a[0]) * side_of(b[0], at, b[1], a[1]) < 0;
}

/* The two neighbours of `at` on the way at edge or point i: whether it passes there. */
static bool way_at(const struct place *p, size_t count, size_t i, bool vertex, struct place at,
		   struct place way[2])
{
	way[0] = vertex ? p[(i + count - 1) % count] : p[i];
	way[1] = p[(i + 1) % count];
	return vertex ? is_same(p[i], at) : is_within(p[i], way[1], at);
}

static bool crosses_itself(const struct place *p, size_t count)
{
	struct place a[2], b[2];
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++)
			if (do_edges_cross(p[i], p[(i + 1) % count], p[j], p[(j + 1) % count]))
				return true;
	for (size_t v = 0; v < count; v++)
		for (size_t i = 0; i < 2 * count; i++)
			for (size_t j = 0; j < i; j++)
				if (way_at(p, count, i / 2, i % 2, p[v], a) &&
				    way_at(p, count, j / 2, j % 2, p[v], b) &&
				    do_lines_cross(a, b, p[v]))
					return true;
	return false;
}

/* ---- tests ------------------------------------------------------------------------------- */

static uint32_t next_random(uint32_t *state)
{
	*state = *state * UINT32_C(1664525) + UINT32_C(1013904223); /* Numerical Recipes */
	return *state >> 16;
}

/* On grids of 3 x 3 to 8 x 8 points, so that edges touch, meet and lie on one another. */
static void test_all_pairs(void **state)
{
	(void)state;
	uint32_t random = 1;
	int crossing = 0, sound = 0;
	for (int n = 0; n < 400000; n++) {
		struct place p[MOST];
		float points[2 * MOST];
		size_t edges[2], count = 3 + next_random(&random) % (n % 4 == 0 ? MOST - 3 : 5);
		const uint32_t size = 3 + next_random(&random) % 6;
		for (size_t i = 0; i < count; i++) {
			do {
				p[i].x = next_random(&random) % size;
				p[i].y = next_random(&random) % size;
			} while (i > 0 && (is_same(p[i], p[i - 1]) ||
					   (i == count - 1 && is_same(p[i], p[0]))));
			points[2 * i] = (float)p[i].x / 7 * 7;
			points[2 * i + 1] = (float)p[i].y;
		}
		const enum polygon_fault fault = polygon_check(points, count, edges);
		const bool crosses = crosses_itself(p, count);
		crossing += crosses;
		sound += fault == POLYGON_SOUND;
		if (crosses != (fault == POLYGON_CROSSES)) {
			for (size_t i = 0; i < count; i++)
				print_message("(%ld, %ld) ", p[i].x, p[i].y);
			fail_msg("fault %d, by all pairs it %s", (int)fault,
				 crosses ? "crosses itself" : "does not cross itself");
		}
		if (!crosses)
			continue;
		assert_true(edges[0] < edges[1] && edges[1] < count);
		/* They meet. */
		const struct place a = p[edges[0]], b = p[(edges[0] + 1) % count];
		const struct place c = p[edges[1]], d = p[(edges[1] + 1) % count];
		assert_true(sign_of(area_of(a, b, c)) * sign_of(area_of(a, b, d)) <= 0 &&
			    sign_of(area_of(c, d, a)) * sign_of(area_of(c, d, b)) <= 0);
	}
	assert_true(crossing > 10000 && sound > 10000);
}

struct outline {
	const char *name;
	enum polygon_fault fault;
	size_t edges[2], count;
	float points[2 * MOST];
};

static void test_contacts(void **state)
{
	(void)state;
	static const struct outline cases[] = {
		{"a figure of eight that meets itself in a corner",
		 POLYGON_CROSSES,
		 {1, 4},
		 6,
		 {0, 0, 1, 1, 2, 2, 2, 0, 1, 1, 0, 2}},
		{"two triangles that touch with a corner",
		 POLYGON_SOUND,
		 {0},
		 6,
		 {0, 0, 2, 0, 1, 1, 2, 2, 0, 2, 1, 1}},
		{"a corner that goes through an edge",
		 POLYGON_CROSSES,
		 {0, 4},
		 6,
		 {0, 0, 4, 0, 4, 3, 2, 3, 2, 0, 0, -1}},
		{"a corner on an edge",
		 POLYGON_SOUND,
		 {0},
		 6,
		 {0, 0, 4, 0, 4, 3, 2, 0, 0, 3, -1, 1}},
		{"a square hole at the end of a slit", POLYGON_SOUND, {0}, 10, {0, 0, 6, 0, 6, 6, 0,
										6, 0, 0, 2, 2, 2, 4,
										4, 4, 4, 2, 2, 2}},
		{"repeated points, and an edge after them that crosses",
		 POLYGON_CROSSES,
		 {1, 4},
		 6,
		 {0, 0, 0, 0, 2, 2, 2, 0, 2, 0, 0, 2}},
		{"points on a line, to and fro",
		 POLYGON_FLAT,
		 {0},
		 5,
		 {0, 0, 3, 3, 1, 1, 2, 2, -1, -1}},
		{"one point", POLYGON_FLAT, {0}, 3, {5, 5, 5, 5, 5, 5}},
		{"far from the origin, 1e-6 of that in size",
		 POLYGON_CROSSES,
		 {0, 2},
		 4,
		 {1048576, 0, 1048577, 1, 1048577, 0, 1048576, 1}},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t edges[2] = {0, 0};
		print_message("%s\n", cases[i].name);
		assert_int_equal(polygon_check(cases[i].points, cases[i].count, edges),
				 cases[i].fault);
		if (cases[i].fault != POLYGON_CROSSES)
			continue;
		assert_int_equal(edges[0], cases[i].edges[0]);
		assert_int_equal(edges[1], cases[i].edges[1]);
	}
}

#define MANY 100000
#define LONGEST 1.0 /* s */

/* A comb of long teeth, in a direction that is along no axis: boxes of all its edges overlap. */
static void place_tooth(float *point, size_t i)
{
	const double end = i == MANY - 1 ? -1.0 : 0.0;
	const double along = (i + 3) % 4 < 2 ? 1000.0 : end, across = (double)(i / 2);
	point[0] = (float)(0.8 * along - 0.006 * across);
	point[1] = (float)(0.6 * along + 0.008 * across);
}

/* Petals that all meet in one corner. */
static void place_petal(float *point, size_t i)
{
	const double angle = 2.0 * acos(-1.0) * (double)i / MANY;
	point[0] = i % 3 == 0 ? 0.0f : (float)cos(angle);
	point[1] = i % 3 == 0 ? 0.0f : (float)sin(angle);
}

static void place_circle(float *point, size_t i)
{
	const double angle = 2.0 * acos(-1.0) * (double)i / MANY;
	point[0] = (float)cos(angle);
	point[1] = (float)sin(angle);
}

static void test_many_points(void **state)
{
	(void)state;
	static void (*const place[])(float *, size_t) = {place_tooth, place_petal, place_circle};
	float *points = calloc(2 * MANY, sizeof(*points));
	assert_non_null(points);
	for (size_t k = 0; k < sizeof(place) / sizeof(*place); k++) {
		size_t edges[2];
		for (size_t i = 0; i < MANY; i++)
			place[k](points + 2 * i, i);
		const clock_t start = clock();
		const enum polygon_fault fault = polygon_check(points, MANY, edges);
		const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
		print_message("outline %zu of %d points: %.3f s\n", k, MANY, seconds);
		if (fault == POLYGON_CROSSES)
			print_message("edges %zu, %zu\n", edges[0], edges[1]);
		assert_int_equal(fault, POLYGON_SOUND);
		assert_true(seconds < LONGEST);
	}
	free(points);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contacts),
		cmocka_unit_test(test_all_pairs),
		cmocka_unit_test(test_many_points),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
