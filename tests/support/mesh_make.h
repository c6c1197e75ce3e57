/* Small meshes that tests make, and their files. */
#ifndef FRESHET_TESTS_MESH_MAKE_H
#define FRESHET_TESTS_MESH_MAKE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MADE_MOST 400000 /* vertices or triangles */

struct made {
	double (*vertices)[3];
	uint32_t (*triangles)[3];
	size_t vertex_count, triangle_count;
};

static inline struct made made_empty(void)
{
	struct made m = {malloc(MADE_MOST * sizeof(*m.vertices)),
			 malloc(MADE_MOST * sizeof(*m.triangles)), 0, 0};
	if (!m.vertices || !m.triangles)
		abort();
	return m;
}

static inline void made_free(struct made *m)
{
	free(m->vertices);
	free(m->triangles);
	*m = (struct made){0};
}

static inline uint32_t made_vertex(struct made *m, double x, double y, double z)
{
	double *v = m->vertices[m->vertex_count];
	v[0] = x;
	v[1] = y;
	v[2] = z;
	return (uint32_t)m->vertex_count++;
}

static inline void made_triangle(struct made *m, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t *t = m->triangles[m->triangle_count++];
	t[0] = a;
	t[1] = b;
	t[2] = c;
}

/* The box between 0 and (x, y, z), its triangles facing out. */
static inline struct made made_box(double x, double y, double z)
{
	static const uint32_t quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
					     {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
	struct made m = made_empty();
	for (int n = 0; n < 8; n++)
		made_vertex(&m, n & 1 ? x : 0.0, n & 2 ? y : 0.0, n & 4 ? z : 0.0);
	for (int q = 0; q < 6; q++) {
		made_triangle(&m, quads[q][0], quads[q][1], quads[q][2]);
		made_triangle(&m, quads[q][0], quads[q][2], quads[q][3]);
	}
	return m;
}

/* An icosahedron about 0, each triangle `level` times cut into four, vertices at distance 1. */
static inline struct made made_icosphere(int level)
{
	static const int faces[20][3] = {
		{0, 11, 5},  {0, 5, 1},	 {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
		{11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},	 {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
		{3, 8, 9},   {4, 9, 5},	 {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
	const double t = 0.5 * (1.0 + sqrt(5.0));
	const double corner[12][3] = {{-1, t, 0}, {1, t, 0}, {-1, -t, 0}, {1, -t, 0},
				      {0, -1, t}, {0, 1, t}, {0, -1, -t}, {0, 1, -t},
				      {t, 0, -1}, {t, 0, 1}, {-t, 0, -1}, {-t, 0, 1}};
	const int n = 1 << level;
	struct made m = made_empty();
	/* Vertices of each face apart: files have them so, and readers weld them. */
	for (int f = 0; f < 20; f++) {
		const double *a = corner[faces[f][0]], *b = corner[faces[f][1]],
			     *c = corner[faces[f][2]];
		const uint32_t first = (uint32_t)m.vertex_count;
		for (int i = 0; i <= n; i++)
			for (int j = 0; j <= n - i; j++) {
				double v[3], square = 0.0;
				/* The same sum in the same order from either side of an edge. */
				for (int axis = 0; axis < 3; axis++) {
					v[axis] = (double)(n - i - j) * a[axis] +
						  (double)i * b[axis] + (double)j * c[axis];
					v[axis] = round(v[axis] * 0x1p30) * 0x1p-30;
					square += v[axis] * v[axis];
				}
				const double scale = 1.0 / sqrt(square);
				made_vertex(&m, (double)(float)(v[0] * scale),
					    (double)(float)(v[1] * scale),
					    (double)(float)(v[2] * scale));
			}
		for (int i = 0; i < n; i++) {
			const uint32_t row = first + (uint32_t)(i * (n + 1) - i * (i - 1) / 2);
			const uint32_t next = row + (uint32_t)(n - i + 1);
			for (int j = 0; j < n - i; j++) {
				const uint32_t at = (uint32_t)j;
				made_triangle(&m, row + at, next + at, row + at + 1);
				if (j < n - i - 1)
					made_triangle(&m, next + at, next + at + 1, row + at + 1);
			}
		}
	}
	return m;
}

static inline void made_place(struct made *m, double scale, double x, double y, double z)
{
	const double shift[3] = {x, y, z};
	for (size_t v = 0; v < m->vertex_count; v++)
		for (int axis = 0; axis < 3; axis++)
			m->vertices[v][axis] = scale * m->vertices[v][axis] + shift[axis];
}

static inline FILE *made_open(const char *path)
{
	FILE *file = fopen(path, "wb");
	if (!file)
		abort();
	return file;
}

static inline void made_close(FILE *file)
{
	if (fclose(file) != 0)
		abort();
}

static inline void made_write_obj(const struct made *m, const char *path)
{
	FILE *file = made_open(path);
	for (size_t v = 0; v < m->vertex_count; v++)
		fprintf(file, "v %.9g %.9g %.9g\n", m->vertices[v][0], m->vertices[v][1],
			m->vertices[v][2]);
	for (size_t t = 0; t < m->triangle_count; t++)
		fprintf(file, "f %u %u %u\n", m->triangles[t][0] + 1u, m->triangles[t][1] + 1u,
			m->triangles[t][2] + 1u);
	made_close(file);
}

static inline void made_write_ply(const struct made *m, const char *path)
{
	FILE *file = made_open(path);
	fprintf(file,
		"ply\nformat ascii 1.0\nelement vertex %zu\nproperty float x\nproperty float y\n"
		"property float z\nelement face %zu\nproperty list uchar int vertex_indices\n"
		"end_header\n",
		m->vertex_count, m->triangle_count);
	for (size_t v = 0; v < m->vertex_count; v++)
		fprintf(file, "%.9g %.9g %.9g\n", m->vertices[v][0], m->vertices[v][1],
			m->vertices[v][2]);
	for (size_t t = 0; t < m->triangle_count; t++)
		fprintf(file, "3 %u %u %u\n", m->triangles[t][0], m->triangles[t][1],
			m->triangles[t][2]);
	made_close(file);
}

static inline void made_write_stl(const struct made *m, const char *path)
{
	char header[80] = "made by a test";
	const uint32_t count = (uint32_t)m->triangle_count;
	FILE *file = made_open(path);
	fwrite(header, 1, sizeof(header), file);
	fwrite(&count, sizeof(count), 1, file);
	for (size_t t = 0; t < m->triangle_count; t++) {
		float values[12] = {0};
		const uint16_t none = 0;
		for (size_t c = 0; c < 3; c++)
			for (size_t axis = 0; axis < 3; axis++)
				values[3 + 3 * c + axis] =
					(float)m->vertices[m->triangles[t][c]][axis];
		fwrite(values, sizeof(values), 1, file);
		fwrite(&none, sizeof(none), 1, file);
	}
	made_close(file);
}

/* 0 ... 1, the next of a sequence (Lehmer, by Park & Miller 1988). */
static inline double made_random(uint32_t *state)
{
	*state = (uint32_t)((uint64_t)*state * 48271u % 2147483647u);
	return (double)*state / 2147483647.0;
}

#endif
