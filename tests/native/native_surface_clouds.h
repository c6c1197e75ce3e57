/* What tests of the surface share: clouds of particles, and measures of what is made of them. */
#ifndef FRESHET_TESTS_NATIVE_SURFACE_CLOUDS_H
#define FRESHET_TESTS_NATIVE_SURFACE_CLOUDS_H

#include "native_surface_support.h"

#include "mesh_check.h"

#define PPC (DIM == 2 ? 4 : 8)

static unsigned state = 12345;

/* ---- particles -------------------------------------------------------------------------- */

static inline void cloud_add(struct cloud *c, const double x[3])
{
	/* [count][DIM] until it is finished; twice as long whenever it is full: an allocation for
	 * each particle took nearly all of the time with sanitizers */
	if ((c->count & (c->count - 1)) == 0)
		c->position = realloc(c->position,
				      sizeof(float) * DIM * (size_t)(c->count ? 2 * c->count : 1));
	for (int a = 0; a < DIM; a++)
		c->position[c->count * DIM + a] = (float)x[a];
	c->count++;
}

static inline void cloud_finish(struct cloud *c)
{
	float *turned = malloc((size_t)(c->count * DIM + 1) * sizeof(*turned));
	for (int p = 0; p < c->count; p++)
		for (int a = 0; a < DIM; a++)
			turned[a * c->count + p] = c->position[p * DIM + a];
	free(c->position);
	c->position = turned;
	cloud_sort(c);
}

/* A jittered sub-grid of 2^DIM particles per cell wherever `inside` says so. */
static inline struct cloud
seed(struct grid g, bool (*inside)(const double x[3], const double *user), const double *user)
{
	struct cloud c = {.g = g, .ppc = PPC};
	const int n[3] = {2 * g.nx, 2 * g.ny, DIM == 3 ? 2 * g.nz : 1};
	for (int k = 0; k < n[2]; k++)
		for (int j = 0; j < n[1]; j++)
			for (int i = 0; i < n[0]; i++) {
				double x[3] = {i, j, k};
				for (int a = 0; a < 3; a++)
					x[a] = 0.5 * (double)g.h * (x[a] + random_unit(&state));
				if (inside(x, user))
					cloud_add(&c, x);
			}
	cloud_finish(&c);
	return c;
}

static inline bool below(const double x[3], const double *level)
{
	return x[1] < *level;
}

static inline bool in_ball(const double x[3], const double *ball)
{
	double square = 0.0;
	for (int a = 0; a < DIM; a++)
		square += (x[a] - ball[a]) * (x[a] - ball[a]);
	return square < ball[3] * ball[3];
}

/* ---- measures --------------------------------------------------------------------------- */

/* Volume (2D: area) with phi < 0, by the share of each interval of the lattice's columns along y:
 * nothing but the level set itself is used.  Columns on walls count half. */
static inline double enclosed(const struct surface_grid s, const float *phi)
{
	double sum = 0.0;
	for (int k = 0; k <= s.nz; k++)
		for (int i = 0; i <= s.nx; i++) {
			double row = 0.0;
			for (int j = 0; j < s.ny; j++) {
				const double a = (double)phi[surface_index(s, i, j, k)];
				const double b = (double)phi[surface_index(s, i, j + 1, k)];
				row += a < 0.0 && b < 0.0 ? 1.0
				       : a < 0.0	  ? a / (a - b)
				       : b < 0.0	  ? b / (b - a)
							  : 0.0;
			}
			if (i == 0 || i == s.nx)
				row *= 0.5;
			if (DIM == 3 && (k == 0 || k == s.nz))
				row *= 0.5;
			sum += row;
		}
	double unit = 1.0;
	for (int a = 0; a < DIM; a++)
		unit *= (double)s.spacing;
	return sum * unit;
}

static inline double volume_of(const struct cloud *c)
{
	double cell = 1.0;
	for (int a = 0; a < DIM; a++)
		cell *= (double)c->g.h;
	return c->count * cell / c->ppc;
}

/* Height of the surface over a node of the floor, in cells; -1 = dry. */
static inline double height_at(const struct cloud *c, const struct surface_grid s, const float *phi,
			       int i, int k)
{
	(void)c;
	for (int j = s.ny - 1; j >= 0; j--) {
		const double a = (double)phi[surface_index(s, i, j, k)];
		const double b = (double)phi[surface_index(s, i, j + 1, k)];
		if (a < 0.0 && b >= 0.0)
			return (j + a / (a - b)) / s.fine;
	}
	return -1.0;
}

/* The mesh is closed and two-manifold. */
static inline void check_mesh(const struct surface_grid s, const float *phi, double *volume)
{
	static uint8_t table[SURFACE_CASES][SURFACE_ROW];
	const size_t count = (size_t)s.count;
	uint8_t *crossed = malloc(count);
	uint32_t *vertices = malloc((count + 1) * sizeof(*vertices));
	uint32_t *faces = malloc((count + 1) * sizeof(*faces));
	uint32_t sum[2] = {0, 0};
	surface_table_make(DIM, table);
	FOR_ITEMS(s.px, s.py, s.pz)
	surface_mesh_count(s, phi, table[0], crossed, vertices, faces);
	for (size_t n = 0; n < count; n++) {
		const uint32_t v = vertices[n], f = faces[n];
		vertices[n] = sum[0];
		faces[n] = sum[1];
		sum[0] += v;
		sum[1] += f;
	}
	vertices[count] = sum[0];
	faces[count] = sum[1];
	float *vertex = calloc(9 * (size_t)sum[0] + 1, sizeof(*vertex));
	uint32_t *face = calloc(DIM * (size_t)sum[1] + 1, sizeof(*face));
	FOR_ITEMS(s.px, s.py, s.pz)
	surface_mesh_vertices(s, phi, crossed, vertices, vertex);
	FOR_ITEMS(s.px, s.py, s.pz)
	surface_mesh_faces(s, phi, table[0], crossed, vertices, faces, face);
	double least = 1e-12;
	for (int a = 1; a < DIM; a++)
		least *= (double)s.spacing;
	const struct mesh_faults f = mesh_check(vertex, NULL, 9, sum[0], face, sum[1], DIM, least);
	assert_int_equal(f.bad_edges, 0);
	assert_int_equal(f.bad_vertices, 0);
	assert_int_equal(f.small, 0);
	assert_true(sum[1] == 0 || f.volume > 0.0);
	*volume = f.volume;
	free(crossed);
	free(vertices);
	free(faces);
	free(vertex);
	free(face);
}

#endif
