#include "render_fake.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "message.h"

#define BUFFERS 9

static struct clx *devices[4]; /* by dimension */
static char last_message[2048];

static void keep_message(enum message_level level, const char *text, void *user)
{
	(void)level;
	(void)user;
	snprintf(last_message, sizeof(last_message), "%s", text);
}

bool fake_open_devices(void)
{
	for (int dim = 2; dim <= 3; dim++) {
		devices[dim] = clx_open(NULL, dim, false, false, NULL);
		if (!devices[dim])
			return false;
	}
	message_set_sink(keep_message, NULL);
	return true;
}

void fake_close_devices(void)
{
	for (int dim = 2; dim <= 3; dim++)
		clx_close(devices[dim]);
}

const char *fake_last_message(void)
{
	return last_message;
}

struct fake *fake_create(int nx, int ny, int nz, double h)
{
	struct fake *f = calloc(1, sizeof(*f));
	assert_non_null(f);
	struct scene *scene = &f->scene;
	struct grid *g = &f->sim.lattice.grid;
	int dim = nz ? 3 : 2, depth = nz ? nz : 1;
	const int cells[3] = {nx, ny, depth};
	scene->dim = dim;
	scene->h = h;
	for (int a = 0; a < 3; a++) {
		scene->cells[a] = cells[a];
		scene->size[a] = a < dim ? cells[a] * h : 0;
	}
	scene->particles_per_cell = dim == 2 ? 4 : 8;
	f->gravity.value[1] = -9.81;
	scene->gravity = &f->gravity;
	scene->gravity_count = 1;
	const uint8_t colors[2][3] = {{43, 127, 255}, {255, 96, 32}};
	memcpy(f->liquids[0].color, colors[0], 3);
	memcpy(f->liquids[1].color, colors[1], 3);
	scene->liquids = f->liquids;
	scene->liquid_count = 1;
	scene->solids = &f->solid;
	const double ranges[][2] = {{0, 0}, {0, 5}, {0, 2000}, {-1, 1}};
	memcpy(scene->output.png_range, ranges, sizeof(ranges));
	*g = (struct grid){.nx = nx,
			   .ny = ny,
			   .nz = depth,
			   .px = nx + 1,
			   .py = ny + 1,
			   .pz = nz + 1,
			   .open_walls = 63,
			   .h = (float)h,
			   .inv_h = (float)(1 / h),
			   .size_x = (float)(nx * h),
			   .size_y = (float)(ny * h),
			   .size_z = (float)(depth * h)};
	g->lattice = g->px * g->py * g->pz;
	f->sim.scene = scene;
	f->sim.cl = f->sim.lattice.cl = devices[dim];
	f->sim.dim = f->sim.lattice.dim = dim;
	f->sim.particles.capacity = CAPACITY;
	size_t lattice = (size_t)g->lattice;
	f->phi = calloc(lattice, sizeof(float));
	f->pressure = calloc(lattice, sizeof(float));
	f->solid_phi = calloc(lattice, sizeof(float));
	f->cell_type = calloc(lattice, 1);
	assert_true(f->phi && f->pressure && f->solid_phi && f->cell_type);
	for (size_t n = 0; n < lattice; n++)
		f->solid_phi[n] = 1e30f;
	return f;
}

void fake_split(struct fake *f, u32 first)
{
	struct id_ranges *ids = &f->sim.particles.ids;
	const u32 count = f->sim.particles.count;
	id_ranges_free(ids);
	assert_true(id_ranges_add(ids, first, 0) && id_ranges_add(ids, count - first, 1));
}

void fake_add(struct fake *f, double x, double y, double z)
{
	u32 n = f->sim.particles.count++;
	assert_true(n < CAPACITY);
	const double at[3] = {x, y, z};
	for (int a = 0; a < f->sim.dim; a++)
		f->position[(u32)a * CAPACITY + n] = (float)at[a];
	f->id[n] = n;
	fake_split(f, n + 1);
}

void fake_set_ball(struct fake *f, double x, double y, double z, double radius)
{
	const struct grid *g = &f->sim.lattice.grid;
	const double h = f->scene.h;
	f->shape = (struct shape_op){.kind = SHAPE_SPHERE,
				     .a = {(float)x, (float)y, (float)z, (float)radius}};
	f->sim.solids.op_count = 1;
	f->scene.solid_count = 1;
	for (int k = 0; k < g->pz; k++)
		for (int j = 0; j < g->py; j++)
			for (int i = 0; i < g->px; i++)
				f->solid_phi[(k * g->py + j) * g->px + i] =
					(float)(sqrt(pow(i * h - x, 2) + pow(j * h - y, 2) +
						     pow(k * h - z, 2)) -
						radius);
}

/* The device's buffers and the host arrays they hold. */
static size_t fake_buffers(struct fake *f, struct clx_buffer *buffers[BUFFERS],
			   void *arrays[BUFFERS], size_t bytes[BUFFERS])
{
	struct sim *s = &f->sim;
	size_t lattice = (size_t)s->lattice.grid.lattice,
	       vector = (size_t)s->dim * CAPACITY * sizeof(float);
	const struct {
		struct clx_buffer *buffer;
		void *array;
		size_t bytes;
	} list[] = {
		{&s->particles.now.position.raw, f->position, vector},
		{&s->particles.now.velocity.raw, f->velocity, vector},
		{&s->particles.now.id.raw, f->id, CAPACITY * sizeof(u32)},
		{&s->phi.raw, f->phi, lattice * sizeof(float)},
		{&s->pressure.raw, f->pressure, lattice * sizeof(float)},
		{&s->solids.phi.raw, f->solid_phi, lattice * sizeof(float)},
		{&s->cell_type.raw, f->cell_type, lattice},
		{&s->solids.ops.raw, &f->shape, sizeof(f->shape)},
		{&s->solids.points.raw, f->points, sizeof(f->points)},
	};
	size_t count = sizeof(list) / sizeof(list[0]);
	for (size_t b = 0; b < count; b++) {
		buffers[b] = list[b].buffer;
		arrays[b] = list[b].array;
		bytes[b] = list[b].bytes;
	}
	return count;
}

struct image fake_draw(struct fake *f, int width, int height, enum scene_view view)
{
	struct clx_buffer *buffers[BUFFERS];
	void *arrays[BUFFERS];
	size_t bytes[BUFFERS], count = fake_buffers(f, buffers, arrays, bytes);
	struct clx *cl = f->sim.cl;
	struct image image = {0};
	for (size_t b = 0; b < count; b++) {
		assert_true(clx_alloc_raw(cl, buffers[b], "test", bytes[b], 1));
		assert_true(clx_write_raw(cl, buffers[b], 0, bytes[b], arrays[b]));
	}
	/* What is told without a device is what is held. */
	uint64_t told;
	const uint64_t before = clx_memory_in_use(cl);
	f->scene.output.png = true;
	f->scene.output.png_size[0] = width;
	f->scene.output.png_size[1] = height;
	f->scene.output.png_view = view;
	assert_true(render_memory(&f->scene, f->sim.particles.capacity, &told));
	struct render *render =
		render_create(subject_of(&f->sim), (const int[2]){width, height}, view, NULL);
	assert_non_null(render);
	assert_int_equal(clx_memory_in_use(cl) - before, told);
	assert_true(render_frame(render, &image));
	assert_int_equal(image.width, width);
	assert_int_equal(image.height, height);
	render_destroy(render);
	for (size_t b = 0; b < count; b++) {
		void *after = malloc(bytes[b]);
		assert_non_null(after);
		assert_true(clx_read_raw(cl, buffers[b], 0, bytes[b], after));
		assert_memory_equal(after, arrays[b], bytes[b]);
		free(after);
		clx_free_raw(cl, buffers[b]);
	}
	assert_int_equal(clx_memory_in_use(cl), 0);
	return image;
}

void fake_destroy(struct fake *f)
{
	free(f->phi);
	free(f->pressure);
	free(f->solid_phi);
	free(f->cell_type);
	id_ranges_free(&f->sim.particles.ids);
	free(f);
}

/* ---- reading pictures --------------------------------------------------------------------- */

const uint8_t *pixel(const struct image *image, int x, int y)
{
	return image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
}

int distance(const uint8_t *a, const uint8_t *b)
{
	int most = 0;
	for (int c = 0; c < 3; c++)
		most = abs(a[c] - b[c]) > most ? abs(a[c] - b[c]) : most;
	return most;
}

void encode(const float linear[3], uint8_t rgb[3])
{
	for (int c = 0; c < 3; c++)
		rgb[c] = (uint8_t)(255.0f * render_encode(linear[c]) + 0.5f);
}

int luminance(const uint8_t *p)
{
	return (p[0] + p[1] + p[2]) / 3;
}
