#include "mesh_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_edges(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static size_t count_bad_edges(const uint32_t *triangles, size_t count)
{
	size_t edges = 3 * count, bad = 0;
	uint64_t *key = malloc((edges + 1) * sizeof(*key));
	if (!key)
		return SIZE_MAX;
	for (size_t e = 0; e < edges; e++) {
		const uint64_t from = triangles[e], to = triangles[e % 3 == 2 ? e - 2 : e + 1];
		key[e] = from << 32 | to;
	}
	qsort(key, edges, sizeof(*key), compare_edges);
	for (size_t e = 0; e < edges; e++) {
		const uint64_t opposite = key[e] << 32 | key[e] >> 32;
		const int repeated =
			(e > 0 && key[e] == key[e - 1]) || (e + 1 < edges && key[e] == key[e + 1]);
		if (repeated || !bsearch(&opposite, key, edges, sizeof(*key), compare_edges))
			bad++;
	}
	free(key);
	return bad;
}

/* Goes round each vertex from triangle to triangle; each has at most a few. */
static size_t count_bad_vertices(size_t vertices, const uint32_t *triangles, size_t count)
{
	size_t bad = 0;
	size_t *start = calloc(vertices + 2, sizeof(*start));
	size_t *corner = malloc((3 * count + 1) * sizeof(*corner));
	if (!start || !corner) {
		free(start);
		free(corner);
		return SIZE_MAX;
	}
	for (size_t c = 0; c < 3 * count; c++)
		start[triangles[c] + 2]++;
	for (size_t v = 0; v < vertices; v++)
		start[v + 2] += start[v + 1];
	for (size_t c = 0; c < 3 * count; c++)
		corner[start[triangles[c] + 1]++] = c;
	for (size_t v = 0; v < vertices; v++) {
		const size_t from = start[v], valence = start[v + 1] - from;
		size_t met = 0;
		uint32_t first = 0, at = 0;
		for (int once = 1; valence > 0 && (once || at != first); once = 0) {
			size_t n = from;
			for (; n < from + valence; n++) {
				const size_t base = corner[n] / 3 * 3, place = corner[n] - base;
				const uint32_t next = triangles[base + (place + 1) % 3];
				if (once)
					first = at = next;
				if (next == at) {
					at = triangles[base + (place + 2) % 3];
					break;
				}
			}
			if (n == from + valence || met++ > valence)
				break;
		}
		bad += valence == 0 || met != valence || at != first;
	}
	free(start);
	free(corner);
	return bad;
}

static size_t count_bad_joints(size_t vertices, const uint32_t *edges, size_t count)
{
	size_t bad = 0;
	size_t *from = calloc(2 * vertices + 1, sizeof(*from)), *to = from + vertices;
	if (!from)
		return SIZE_MAX;
	for (size_t e = 0; e < count; e++) {
		from[edges[2 * e]]++;
		to[edges[2 * e + 1]]++;
	}
	for (size_t v = 0; v < vertices; v++)
		bad += from[v] != 1 || to[v] != 1;
	free(from);
	return bad;
}

static struct mesh_faults outline_check(const float *place, const float *normal, size_t stride,
					size_t vertices, const uint32_t *edges, size_t count,
					double least_length)
{
	struct mesh_faults f = {.least = HUGE_VAL, .turned_normal = 1.0};
	f.bad_vertices = count_bad_joints(vertices, edges, count);
	for (size_t e = 0; e < count; e++) {
		const float *a = place + edges[2 * e] * stride;
		const float *b = place + edges[2 * e + 1] * stride;
		const double dx = (double)b[0] - (double)a[0], dy = (double)b[1] - (double)a[1];
		const double length = sqrt(dx * dx + dy * dy);
		f.small += !(length >= least_length);
		f.least = fmin(f.least, length);
		f.volume += 0.5 * ((double)a[0] * dy - (double)a[1] * dx);
		for (size_t c = 0; normal && c < 2; c++) {
			const float *n = normal + edges[2 * e + c] * stride;
			f.turned_normal = fmin(f.turned_normal,
					       (dy * (double)n[0] - dx * (double)n[1]) / length);
		}
	}
	return f;
}

struct mesh_faults mesh_check(const float *place, const float *normal, size_t stride,
			      size_t vertices, const uint32_t *triangles, size_t count,
			      size_t corners, double least_area)
{
	if (corners == 2)
		return outline_check(place, normal, stride, vertices, triangles, count, least_area);
	struct mesh_faults f = {.least = HUGE_VAL, .turned_normal = 1.0};
	f.bad_edges = count_bad_edges(triangles, count);
	f.bad_vertices = count_bad_vertices(vertices, triangles, count);
	for (size_t t = 0; t < count; t++) {
		double p[3][3], u[3], v[3], n[3], square = 0.0;
		for (size_t c = 0; c < 3; c++)
			for (size_t a = 0; a < 3; a++)
				p[c][a] = (double)place[triangles[3 * t + c] * stride + a];
		for (size_t a = 0; a < 3; a++) {
			u[a] = p[1][a] - p[0][a];
			v[a] = p[2][a] - p[0][a];
		}
		for (size_t a = 0; a < 3; a++) {
			n[a] = u[(a + 1) % 3] * v[(a + 2) % 3] - u[(a + 2) % 3] * v[(a + 1) % 3];
			square += n[a] * n[a];
			f.volume += p[0][a] * n[a] / 6.0;
		}
		const double area = 0.5 * sqrt(square);
		f.small += !(area >= least_area);
		f.least = fmin(f.least, area);
		for (size_t c = 0; normal && c < 3; c++) {
			double product = 0.0;
			for (size_t a = 0; a < 3; a++)
				product += n[a] * (double)normal[triangles[3 * t + c] * stride + a];
			f.turned_normal = fmin(f.turned_normal, product / (2.0 * area));
		}
	}
	return f;
}
