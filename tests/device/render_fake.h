/*
 * Simulations made by hand for tests of pictures: a scene, a grid and particles that no step has
 * touched, drawn on the device that FRESHET_DEVICE names.
 */
#ifndef FRESHET_TESTS_RENDER_FAKE_H
#define FRESHET_TESTS_RENDER_FAKE_H

#include "render.h"
#include "render_params.h"
#include "sim_copies.h"

#define CAPACITY 20000 /* particles; component c of particle n is at c*CAPACITY + n */

struct fake {
	struct scene scene;
	struct scene_vector_key gravity;
	struct scene_liquid liquids[2]; /* blue and orange; one is in use */
	struct scene_solid solid;	/* not in use */
	struct sim sim;
	float position[3 * CAPACITY], velocity[3 * CAPACITY];
	u32 id[CAPACITY];
	float *phi, *pressure, *solid_phi; /* lattice */
	uint8_t *cell_type;
	struct shape_op shape; /* the solid */
	float points[2];       /* of no polygon */
};

/* Opens the devices for both dimensions and keeps messages; false without a device. */
bool fake_open_devices(void);
void fake_close_devices(void);
const char *fake_last_message(void);

/* A box nx x ny x nz cells of edge h (nz = 0: 2D), open on every side, empty. */
struct fake *fake_create(int nx, int ny, int nz, double h);
void fake_destroy(struct fake *f);
/* Adds a particle of the first liquid. */
void fake_add(struct fake *f, double x, double y, double z);
/* Ids from `first` on are of the second liquid. */
void fake_split(struct fake *f, u32 first);
/* Makes a ball (2D: a disc) the scene's solid. */
void fake_set_ball(struct fake *f, double x, double y, double z, double radius);
/* Uploads, draws, and asserts that the simulation's buffers are as they were and that all device
 * memory is free again. */
struct image fake_draw(struct fake *f, int width, int height, enum scene_view view);

const uint8_t *pixel(const struct image *image, int x, int y);
int distance(const uint8_t *a, const uint8_t *b); /* greatest difference of a channel */
int luminance(const uint8_t *p);
void encode(const float linear[3], uint8_t rgb[3]);

#endif
