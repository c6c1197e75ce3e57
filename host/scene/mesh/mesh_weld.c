#include <stdlib.h>
#include <string.h>

#include "mesh_health.h"

#define NOBODY UINT32_MAX

/* Numbers by a key of three words, open addressing. */
struct table {
	uint32_t *entries;
	size_t mask;
};

static bool table_init(struct table *table, uint64_t count)
{
	size_t size = 16;
	while (size < 2 * count)
		size *= 2;
	*table = (struct table){malloc(size * sizeof(*table->entries)), size - 1};
	if (table->entries)
		memset(table->entries, 0xff, size * sizeof(*table->entries));
	return table->entries != NULL;
}

static size_t start_of(const struct table *table, const uint32_t key[3])
{
	uint64_t hash = 0;
	for (int i = 0; i < 3; i++) {
		hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return (size_t)hash & table->mask;
}

/* The number that has this key among keys[], or `number`, which then has it. */
static uint32_t table_number(struct table *table, const uint32_t *keys, uint32_t number)
{
	const uint32_t *key = keys + 3 * (size_t)number;
	size_t at = start_of(table, key);
	for (; table->entries[at] != NOBODY; at = (at + 1) & table->mask)
		if (memcmp(keys + 3 * (size_t)table->entries[at], key, 3 * sizeof(*key)) == 0)
			return table->entries[at];
	table->entries[at] = number;
	return number;
}

static void count_fault(struct mesh_fault *fault, const f32 *at)
{
	if (fault->count++ > 0)
		return;
	for (int axis = 0; axis < 3; axis++)
		fault->place[axis] = (double)at[axis];
}

/* same[v]: the first vertex at v's place. */
static bool find_same(struct mesh_surface *surface, uint32_t *same)
{
	struct table table;
	if (!table_init(&table, surface->vertex_count))
		return false;
	/* Zero has one sign. */
	for (size_t i = 0; i < 3 * (size_t)surface->vertex_count; i++)
		surface->vertices[i] += 0.0f;
	uint32_t *keys = malloc((3 * (size_t)surface->vertex_count + 1) * sizeof(*keys));
	if (keys) {
		memcpy(keys, surface->vertices, 3 * (size_t)surface->vertex_count * sizeof(*keys));
		for (uint32_t v = 0; v < surface->vertex_count; v++)
			same[v] = table_number(&table, keys, v);
	}
	free(keys);
	free(table.entries);
	return keys != NULL;
}

static bool has_area(const struct mesh_surface *surface, const uint32_t t[3])
{
	const f32 *a = surface->vertices + 3 * (size_t)t[0],
		  *b = surface->vertices + 3 * (size_t)t[1],
		  *c = surface->vertices + 3 * (size_t)t[2];
	double ab[3], ac[3];
	for (int axis = 0; axis < 3; axis++) {
		ab[axis] = (double)b[axis] - (double)a[axis];
		ac[axis] = (double)c[axis] - (double)a[axis];
	}
	const double x = ab[1] * ac[2] - ab[2] * ac[1], y = ab[2] * ac[0] - ab[0] * ac[2],
		     z = ab[0] * ac[1] - ab[1] * ac[0];
	return x < 0.0 || x > 0.0 || y < 0.0 || y > 0.0 || z < 0.0 || z > 0.0;
}

static void sort_three(const uint32_t t[3], uint32_t key[3])
{
	uint32_t low = t[0] < t[1] ? t[0] : t[1], high = t[0] < t[1] ? t[1] : t[0];
	key[0] = low < t[2] ? low : t[2];
	key[2] = high > t[2] ? high : t[2];
	key[1] = t[2] < low ? low : t[2] > high ? high : t[2];
}

static bool keep_triangles(struct mesh_surface *surface, const uint32_t *same,
			   struct mesh_health *health)
{
	struct table table;
	uint32_t *keys = malloc((3 * (size_t)surface->triangle_count + 1) * sizeof(*keys));
	if (!keys || !table_init(&table, surface->triangle_count)) {
		free(keys);
		return false;
	}
	uint32_t kept = 0;
	for (size_t i = 0; i < surface->triangle_count; i++) {
		uint32_t t[3];
		for (size_t corner = 0; corner < 3; corner++)
			t[corner] = same[surface->triangles[3 * i + corner]];
		if (!has_area(surface, t)) {
			count_fault(&health->flat, surface->vertices + 3 * (size_t)t[0]);
			continue;
		}
		sort_three(t, keys + 3 * (size_t)kept);
		if (table_number(&table, keys, kept) != kept) {
			count_fault(&health->doubled, surface->vertices + 3 * (size_t)t[0]);
			continue;
		}
		memcpy(surface->triangles + 3 * (size_t)kept, t, sizeof(t));
		kept++;
	}
	surface->triangle_count = health->triangles = kept;
	free(table.entries);
	free(keys);
	return true;
}

/* number[v]: of the vertices that triangles have, in order. */
static void keep_vertices(struct mesh_surface *surface, const uint32_t *same, uint32_t *number,
			  struct mesh_health *health)
{
	uint32_t kept = 0;
	memset(number, 0, surface->vertex_count * sizeof(*number));
	for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; i++)
		number[surface->triangles[i]] = 1;
	for (size_t v = 0; v < surface->vertex_count; v++) {
		if (same[v] != v)
			continue;
		if (!number[v]) {
			count_fault(&health->stray, surface->vertices + 3 * v);
			continue;
		}
		memmove(surface->vertices + 3 * (size_t)kept, surface->vertices + 3 * v,
			3 * sizeof(*surface->vertices));
		number[v] = kept++;
	}
	for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; i++)
		surface->triangles[i] = number[surface->triangles[i]];
	surface->vertex_count = health->vertices = kept;
}

bool mesh_weld(struct mesh_surface *surface, struct mesh_health *health)
{
	const size_t count = (size_t)surface->vertex_count + 1;
	uint32_t *same = malloc(count * sizeof(*same)), *number = malloc(count * sizeof(*number));
	*health = (struct mesh_health){.others.count = surface->others};
	const bool good =
		same && number && find_same(surface, same) && keep_triangles(surface, same, health);
	if (good)
		keep_vertices(surface, same, number, health);
	free(number);
	free(same);
	return good;
}
