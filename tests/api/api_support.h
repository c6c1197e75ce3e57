/* What the tests of the public interface share.  They include freshet.h only. */
#ifndef FRESHET_API_SUPPORT_H
#define FRESHET_API_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <freshet.h>

static struct freshet_context *contexts[4]; /* [2] and [3], by dimension */

static inline int open_contexts(void **state)
{
	(void)state;
	contexts[2] = freshet_context_create(NULL, 2);
	contexts[3] = freshet_context_create(NULL, 3);
	return contexts[2] && contexts[3] ? 0 : -1;
}

static inline int close_contexts(void **state)
{
	(void)state;
	freshet_context_destroy(contexts[2]);
	freshet_context_destroy(contexts[3]);
	return 0;
}

static inline struct freshet_scene *scene_of(const char *text)
{
	struct freshet_scene *scene = freshet_scene_parse(text, strlen(text), "test");
	if (!scene)
		print_error("%s\n", freshet_error_message());
	assert_non_null(scene);
	return scene;
}

/* A simulation of the scene, with its own particles unless some are given.  It keeps the scene. */
static inline struct freshet_simulation *simulation_of(int dim, const char *text,
						       const struct freshet_particles *particles)
{
	struct freshet_scene *scene = scene_of(text);
	struct freshet_simulation *simulation =
		particles
			? freshet_simulation_create_from_particles(contexts[dim], scene, particles)
			: freshet_simulation_create(contexts[dim], scene);
	if (!simulation)
		print_error("%s\n", freshet_error_message());
	assert_non_null(simulation);
	freshet_scene_destroy(scene);
	return simulation;
}

#define MOST 8192 /* particles of a test */
static float positions[3 * MOST], velocities[3 * MOST], affine[9 * MOST];
static uint32_t ids[MOST];
static uint8_t liquids[MOST];

/* Reads everything into the arrays above; the number of particles. */
static inline size_t read_all(struct freshet_simulation *simulation)
{
	const struct freshet_particle_arrays arrays = {MOST,   positions, velocities,
						       affine, ids,	  liquids};
	size_t count = 0;
	assert_true(freshet_simulation_read_particles(simulation, &arrays, &count));
	assert_true(count == freshet_simulation_particle_count(simulation));
	for (size_t i = 1; i < count; i++)
		assert_true(ids[i - 1] < ids[i]);
	return count;
}

static inline uint64_t hash_of(struct freshet_simulation *simulation)
{
	uint64_t hash = 0;
	assert_true(freshet_simulation_hash(simulation, &hash));
	return hash;
}

/* Adds a block of the regular sub-grid, `n` sub-cells of `spacing` along each axis, lower corner
 * `low`, all with one velocity. */
static inline void add_block(struct freshet_particles *block, float *x, float *v, int dim,
			     const int n[3], const float low[3], float spacing,
			     const float velocity[3])
{
	for (int k = 0; k < (dim == 3 ? n[2] : 1); k++)
		for (int j = 0; j < n[1]; j++)
			for (int i = 0; i < n[0]; i++) {
				const int at[3] = {i, j, k};
				assert_true(block->count < MOST);
				for (int a = 0; a < dim; a++) {
					size_t to = block->count * (size_t)dim + (size_t)a;
					x[to] = low[a] + ((float)at[a] + 0.5f) * spacing;
					v[to] = velocity[a];
				}
				block->count++;
			}
	block->positions = x;
	block->velocities = v;
}

#endif
