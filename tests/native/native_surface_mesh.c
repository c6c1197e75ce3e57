/*
 * kernels/surface/surface_mesh.cl as plain C: meshes of any field at all, in 2D outlines, are closed,
 * two-manifold and without needles, their volumes converge, and they meet the walls.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cl_native.h"

#include "surface_mesh.cl"

#include "mesh_check.h"
#include "native_support.h"
#include "surface_table.h"

#define PI 3.14159265358979323846

struct made {
	struct surface_grid s;
	float *phi, *vertex;
	uint32_t *face;
	size_t vertices, faces;
};

static uint8_t table[SURFACE_CASES][SURFACE_ROW];

static struct surface_grid lattice(int nx, int ny, int nz, float spacing)
{
	struct surface_grid s = {
		.nx = nx, .ny = ny, .nz = DIM == 3 ? nz : 0, .fine = 1, .spacing = spacing};
	s.px = nx + 3;
	s.py = ny + 3;
	s.pz = DIM == 3 ? nz + 3 : 1;
	s.count = s.px * s.py * s.pz;
	s.size[0] = (float)nx * spacing;
	s.size[1] = (float)ny * spacing;
	s.size[2] = DIM == 3 ? (float)nz * spacing : 0.0f;
	return s;
}

#define FOR_NODES(s)                                                                  \
	for (native_id[2] = 0; native_id[2] < (size_t)(s).pz; native_id[2]++)         \
		for (native_id[1] = 0; native_id[1] < (size_t)(s).py; native_id[1]++) \
			for (native_id[0] = 0; native_id[0] < (size_t)(s).px; native_id[0]++)

static uint32_t scan(uint32_t *values, int count)
{
	uint32_t sum = 0;
	for (int n = 0; n <= count; n++) {
		const uint32_t value = n < count ? values[n] : 0;
		values[n] = sum;
		sum += value;
	}
	return values[count];
}

/* `field` gives phi at node (i,j,k), also on the outermost layer, where it must not matter. */
static struct made mesh_of(struct surface_grid s, float (*field)(int i, int j, int k, void *user),
			   void *user)
{
	struct made m = {.s = s};
	const size_t count = (size_t)s.count;
	uint8_t *crossed = test_malloc(count);
	uint32_t *vertices = test_malloc((count + 1) * sizeof(*vertices));
	uint32_t *faces = test_malloc((count + 1) * sizeof(*faces));
	if (!table[1][0])
		surface_table_make(DIM, table);
	m.phi = test_malloc(count * sizeof(*m.phi));
	for (int k = -(DIM - 2); k <= s.nz + (DIM - 2); k++)
		for (int j = -1; j <= s.ny + 1; j++)
			for (int i = -1; i <= s.nx + 1; i++)
				m.phi[surface_index(s, i, j, k)] = field(i, j, k, user);
	FOR_NODES(s)
	surface_mesh_condition(s, m.phi);
	FOR_NODES(s)
	surface_mesh_count(s, m.phi, table[0], crossed, vertices, faces);
	m.vertices = scan(vertices, s.count);
	m.faces = scan(faces, s.count);
	m.vertex = test_calloc(9 * m.vertices + 1, sizeof(*m.vertex));
	m.face = test_calloc(DIM * m.faces + 1, sizeof(*m.face));
	FOR_NODES(s)
	surface_mesh_vertices(s, m.phi, crossed, vertices, m.vertex);
	FOR_NODES(s)
	surface_mesh_faces(s, m.phi, table[0], crossed, vertices, faces, m.face);
	test_free(crossed);
	test_free(vertices);
	test_free(faces);
	return m;
}

static void free_mesh(struct made *m)
{
	test_free(m->phi);
	test_free(m->vertex);
	test_free(m->face);
}

/* Everything that holds for all meshes. */
static struct mesh_faults check(const struct made *m)
{
	const struct mesh_faults f =
		mesh_check(m->vertex, m->vertex + 3, 9, m->vertices, m->face, m->faces, DIM,
			   1e-12 * (double)m->s.spacing * (DIM == 3 ? (double)m->s.spacing : 1.0));
	assert_int_equal(f.bad_edges, 0);
	assert_int_equal(f.bad_vertices, 0);
	assert_int_equal(f.small, 0);
	for (size_t v = 0; v < m->vertices; v++) {
		double length = 0.0;
		for (size_t a = 0; a < 3; a++) {
			const float x = m->vertex[9 * v + a], n = m->vertex[9 * v + 3 + a];
			assert_true(x >= 0.0f && x <= m->s.size[a]);
			length += (double)n * (double)n;
		}
		assert_true(absolute(length - 1.0) < 1e-5);
	}
	return f;
}

/* ---- any field -------------------------------------------------------------------------- */

static float noise(int i, int j, int k, void *user)
{
	static const float odd[8] = {0.0f, -0.0f, 1e-4f, -1e-4f, -1e30f, 1e30f, -INFINITY, NAN};
	unsigned *state = user;
	(void)i, (void)j, (void)k;
	const double chance = random_unit(state);
	if (chance < 0.15)
		return odd[(int)(random_unit(state) * 8.0)];
	return (float)(2.0 * random_unit(state) - 1.0);
}

static void test_any_field(void **unused)
{
	(void)unused;
	unsigned state = 7;
	size_t faces = 0;
	for (int n = 0; n < 200; n++) {
		const int nx = 1 + (int)(random_unit(&state) * 9.0);
		const int ny = 1 + (int)(random_unit(&state) * 9.0);
		const int nz = 1 + (int)(random_unit(&state) * 9.0);
		struct made m = mesh_of(lattice(nx, ny, nz, 0.25f), noise, &state);
		const struct mesh_faults f = check(&m);
		assert_true(m.faces == 0 || f.volume > 0.0);
		faces += m.faces;
		free_mesh(&m);
	}
	assert_true(faces > (DIM == 3 ? 10000 : 2000));
}

/* All sets of corners of a single cube in its layer of outside. */
static float corners(int i, int j, int k, void *user)
{
	const int *inside = user;
	const int corner = (i & 1) + 2 * (j & 1) + 4 * (k & 1);
	return *inside >> corner & 1 ? -1.0f : 1.0f;
}

static void test_all_cases(void **unused)
{
	(void)unused;
	for (int inside = 0; inside < 1 << (1 << DIM); inside++) {
		struct made m = mesh_of(lattice(1, 1, 1, 1.0f), corners, &inside);
		const struct mesh_faults f = check(&m);
		assert_true(inside == 0 ? m.faces == 0 : f.volume > 0.0);
		free_mesh(&m);
	}
}

/* ---- measures --------------------------------------------------------------------------- */

static float ball(int i, int j, int k, void *user)
{
	const double *b = user; /* centre, radius, spacing */
	const double dx = i * b[4] - b[0], dy = j * b[4] - b[1], dz = k * b[4] - b[2];
	return (float)((sqrt)(dx * dx + dy * dy + dz * dz) - b[3]);
}

static double ball_error(int n)
{
	double b[5] = {0.513, 0.487, DIM == 3 ? 0.471 : 0.0, 0.31, 1.0 / n};
	struct made m = mesh_of(lattice(n, n, n, (float)b[4]), ball, b);
	const struct mesh_faults f = check(&m);
	const double exact = PI * b[3] * b[3] * (DIM == 3 ? 4.0 / 3.0 * b[3] : 1.0);
	for (size_t v = 0; v < m.vertices; v++) {
		double radius = 0.0, along = 0.0;
		for (size_t a = 0; a < 3; a++) {
			const double d = (double)m.vertex[9 * v + a] - b[a];
			radius += d * d;
			along += d * (double)m.vertex[9 * v + 3 + a];
		}
		radius = (sqrt)(radius);
		/* Linear interpolation of a distance errs by at most spacing^2 / (8 radius). */
		assert_true(absolute(radius - b[3]) < 0.13 * b[4] * b[4] / b[3] + 1e-6);
		assert_true(along / radius > 1.0 - 0.1 * b[4] * b[4] / (b[3] * b[3]));
	}
	assert_true(f.turned_normal > 0.5);
	free_mesh(&m);
	return absolute(f.volume / exact - 1.0);
}

static void test_ball(void **unused)
{
	(void)unused;
	const double coarse = ball_error(12), middle = ball_error(24), fine = ball_error(48);
	print_message("ball: volume off by %.4f, %.4f, %.4f\n", coarse, middle, fine);
	/* Chords and faces inside a sphere: second order. */
	assert_true(coarse / middle > 3.5 && middle / fine > 3.5);
	assert_true(fine < 5e-3);
}

/* ---- edges of what is allowed ----------------------------------------------------------- */

static float pool(int i, int j, int k, void *user)
{
	(void)i, (void)k;
	return (float)j - *(const float *)user;
}

/* The surface exactly on nodes: they count as air, by 1/1000. */
static void test_on_nodes(void **unused)
{
	(void)unused;
	float level = 4.0f;
	struct made m = mesh_of(lattice(8, 8, 8, 1.0f), pool, &level);
	const struct mesh_faults f = check(&m);
	size_t top = 0;
	for (size_t v = 0; v < m.vertices; v++) {
		const float *x = m.vertex + 9 * v;
		/* On the surface or within a spacing of a wall, and there exactly on it or, at the
		 * edges, off by the chamfer. */
		if (x[4] > 0.9f) {
			assert_true(absolute((double)x[1] - 4.0) < 2e-3);
			top++;
		}
	}
	assert_int_equal(top, DIM == 3 ? 81 : 9);
	const double volume = 8.0 * 4.0 * (DIM == 3 ? 8.0 : 1.0);
	assert_true(absolute(f.volume - volume) < 0.01 * volume);
	free_mesh(&m);
}

static void test_full(void **unused)
{
	(void)unused;
	float level = 100.0f;
	struct made m = mesh_of(lattice(6, 5, 4, 0.5f), pool, &level);
	const struct mesh_faults f = check(&m);
	/* A box without its edges, a rectangle without its corners. */
	const double edges = 4.0 * (DIM == 3 ? 3.0 + 2.5 + 2.0 : 1.0) * 0.5 * 0.01 * 0.01;
	const double whole = 3.0 * 2.5 * (DIM == 3 ? 2.0 : 1.0);
	assert_true(absolute(f.volume - (whole - edges)) < 1e-4);
	for (size_t v = 0; v < m.vertices; v++) {
		int on = 0;
		for (size_t a = 0; a < DIM; a++) {
			const float x = m.vertex[9 * v + a], n = m.vertex[9 * v + 3 + a];
			on += (x <= 0.0f && n <= -1.0f) || (x >= m.s.size[a] && n >= 1.0f);
		}
		assert_int_equal(on, 1);
	}
	free_mesh(&m);
}

static void test_none(void **unused)
{
	(void)unused;
	float level = -1.0f;
	struct made m = mesh_of(lattice(6, 5, 4, 0.5f), pool, &level);
	assert_int_equal(m.vertices, 0);
	assert_int_equal(m.faces, 0);
	free_mesh(&m);
}

/* The checker itself: a mesh with a face taken out, turned, or two vertices made one. */
static void test_checker(void **unused)
{
	(void)unused;
	double b[5] = {0.5, 0.5, DIM == 3 ? 0.5 : 0.0, 0.3, 0.1};
	struct made m = mesh_of(lattice(10, 10, 10, 0.1f), ball, b);
	uint32_t *t = m.face, kept = t[0];
	const size_t n = m.vertices;
	struct mesh_faults f = mesh_check(m.vertex, NULL, 9, n, t, m.faces - 1, DIM, 0.0);
	assert_int_equal(f.bad_edges, DIM == 3 ? 3 : 0);
	assert_int_equal(f.bad_vertices, DIM);
	t[0] = t[1];
	t[1] = kept;
	f = mesh_check(m.vertex, NULL, 9, n, t, m.faces, DIM, 0.0);
	assert_true((f.bad_edges > 0) == (DIM == 3) && f.bad_vertices > 0);
	t[1] = t[0];
	t[0] = kept;
	/* The vertices furthest apart: no edge joins them, so only the vertices tell. */
	for (size_t c = 0; c < DIM * m.faces; c++)
		if (t[c] == n - 1)
			t[c] = 0;
	f = mesh_check(m.vertex, NULL, 9, n - 1, t, m.faces, DIM, 0.0);
	assert_int_equal(f.bad_edges, 0);
	assert_int_equal(f.bad_vertices, 1);
	free_mesh(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_field), cmocka_unit_test(test_all_cases),
		cmocka_unit_test(test_ball),	  cmocka_unit_test(test_on_nodes),
		cmocka_unit_test(test_full),	  cmocka_unit_test(test_none),
		cmocka_unit_test(test_checker),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
