/* A device, and a lattice and solids made by hand.  Built for one DIM; the device is the one that
 * FRESHET_DEVICE names. */
#ifndef FRESHET_DEVICE_SUPPORT_H
#define FRESHET_DEVICE_SUPPORT_H

#include "message.h"
#include "solids.h"

#include "native_support.h"

static struct clx *device;
static char last_message[1024];

static inline void keep_message(enum message_level level, const char *text, void *user)
{
	(void)user;
	/* Kernels that are compiled are progress, and depend on the machine. */
	if (level != MESSAGE_PROGRESS)
		strncpy(last_message, text, sizeof(last_message) - 1);
}

static inline int open_device(void **state)
{
	(void)state;
	bool missing = false;
	device = clx_open(NULL, DIM, false, false, &missing);
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

/* The unit box of n^DIM cells, with the scalars that solids_create() needs. */
static inline void make_lattice(struct lattice *lattice, int n, int open_walls)
{
	*lattice = (struct lattice){.cl = device, .dim = DIM, .grid = make_grid(n, open_walls)};
	assert_true(clx_alloc(device, &lattice->scalars, "scalars", SCALAR_COUNT));
	last_message[0] = '\0';
}

static inline void free_lattice(struct lattice *lattice)
{
	clx_free(device, &lattice->scalars);
}

static inline struct shape_program program_of(struct shape_op *ops, size_t count)
{
	return (struct shape_program){.ops = ops, .op_count = count};
}

#endif
