/* A device and a sim made by hand, as far as static solids and seeding need them.  Built for one
 * DIM; the device is the one that FRESHET_DEVICE names. */
#ifndef FRESHET_DEVICE_SUPPORT_H
#define FRESHET_DEVICE_SUPPORT_H

#include "message.h"
#include "sim.h"

#include "native_support.h"

static struct clx *device;
static char last_message[1024];

static inline void keep_message(enum message_level level, const char *text, void *user)
{
	(void)level;
	(void)user;
	strncpy(last_message, text, sizeof(last_message) - 1);
}

static inline int open_device(void **state)
{
	(void)state;
	bool missing = false;
	device = clx_open(NULL, DIM, false, &missing);
	message_set_sink(keep_message, NULL);
	return device ? 0 : -1;
}

static inline int close_device(void **state)
{
	(void)state;
	message_set_sink(NULL, NULL);
	clx_close(device);
	return 0;
}

/* The unit box of n^DIM cells, empty. */
static inline void make_sim(struct scene *scene, struct sim *sim, int n, int open_walls)
{
	memset(scene, 0, sizeof(*scene));
	memset(sim, 0, sizeof(*sim));
	scene->dim = DIM;
	scene->h = 1.0 / n;
	scene->particles_per_cell = DIM == 2 ? 4 : 8;
	for (int axis = 0; axis < 3; ++axis) {
		scene->cells[axis] = axis < DIM ? n : 1;
		scene->size[axis] = axis < DIM ? 1.0 : scene->h;
	}
	sim->scene = scene;
	sim->cl = device;
	sim->dim = DIM;
	sim->lattice.grid = make_grid(n, open_walls);
	last_message[0] = '\0';
}

/* solids_create(), and the scalars that it needs. */
static inline bool make_solids(struct sim *sim)
{
	return clx_alloc(sim->cl, &sim->lattice.scalars, "scalars", SCALAR_COUNT, sizeof(u32)) &&
	       solids_create(sim);
}

static inline void free_solids(struct sim *sim)
{
	solids_destroy(sim);
	clx_free(sim->cl, &sim->lattice.scalars);
}

static inline struct shape_program program_of(struct shape_op *ops, size_t count)
{
	return (struct shape_program){.ops = ops, .op_count = count};
}

#endif
