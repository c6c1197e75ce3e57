#include "stage_fixture.h"
#include "full.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "random_unit.h"
#include "temporary.h"

struct clx *fixture_device;

/* Warnings about odd scenes are of no interest here. */
static void only_errors(enum message_level level, const char *text, void *user)
{
	(void)user;
	if (level == MESSAGE_ERROR)
		print_error("freshet: %s\n", text);
}

int fixture_open(void **state)
{
	bool missing = false;
	(void)state;
	message_set_sink(only_errors, NULL);
	fixture_device = clx_open(NULL, DIM, false, false, &missing);
	return fixture_device ? 0 : -1;
}

int fixture_close(void **state)
{
	(void)state;
	int lost = clx_memory_in_use(fixture_device) == 0 ? 0 : -1;
	clx_close(fixture_device);
	return lost;
}

void fixture_reopen(const char *path)
{
	void *none = NULL;
	assert_int_equal(fixture_close(&none), 0);
	assert_int_equal(path ? setenv("FRESHET_SPLAT", path, 1) : unsetenv("FRESHET_SPLAT"), 0);
	assert_int_equal(fixture_open(&none), 0);
}

struct fixture fixture_make(const char *format, ...)
{
	char path[TEMPORARY_PATH];
	struct fixture f = {0};
	va_list values;
	assert_true(temporary_pattern(path, "stage"));
	int file = mkstemp(path);
	assert_true(file >= 0);
	FILE *text = fdopen(file, "w");
	assert_non_null(text);
	va_start(values, format);
	assert_true(vfprintf(text, format, values) > 0);
	va_end(values);
	assert_int_equal(fclose(text), 0);
	f.scene = scene_read(path, NULL, 0);
	remove(path);
	assert_non_null(f.scene);
	f.sim = sim_create(f.scene, fixture_device);
	assert_non_null(f.sim);
	return f;
}

void fixture_free(struct fixture *f)
{
	sim_destroy(f->sim);
	scene_free(f->scene);
	*f = (struct fixture){0};
}

void *fixture_read_raw(const struct clx_buffer *buffer, size_t bytes)
{
	void *data = test_malloc(bytes ? bytes : 1);
	assert_true(clx_read_raw(fixture_device, buffer, 0, bytes, data));
	return data;
}

void fixture_write_raw(struct clx_buffer *buffer, const void *data, size_t bytes)
{
	assert_true(clx_write_raw(fixture_device, buffer, 0, bytes, data));
}

double fixture_random(uint64_t *state)
{
	return random_unit(state);
}

double fixture_between(uint64_t *state, double low, double high)
{
	return low + (high - low) * fixture_random(state);
}

bool fixture_full(void)
{
	return tests_are_full();
}

void fixture_cells(const struct grid *g, int cells[3])
{
	cells[0] = g->nx;
	cells[1] = g->ny;
	cells[2] = g->nz;
}

size_t fixture_at(const struct grid *g, int i, int j, int k)
{
	return ((size_t)k * (size_t)g->py + (size_t)j) * (size_t)g->px + (size_t)i;
}

/* ---- mixtures ----------------------------------------------------------------------------- */

static uint16_t random_fraction(double closed, uint64_t *random)
{
	double kind = fixture_random(random);
	if (kind < closed)
		return 0;
	if (kind > 2.0 * closed)
		return FRACTION_ONE;
	/* Not below 1e-3: the solids have none that small. */
	return (uint16_t)(fixture_between(random, 0.002, 1.0) * FRACTION_ONE);
}

/* Is the cell beyond a face of `at` (along `axis`, on `side`) outside the box? */
static bool beyond_box(const struct grid *g, const int cell[3], int axis, int side)
{
	int cells[3];
	fixture_cells(g, cells);
	int to = cell[axis] + 2 * side - 1;
	return to < 0 || to >= cells[axis];
}

static size_t stride_of(const struct grid *g, int axis)
{
	return fixture_at(g, axis == 0, axis == 1, axis == 2);
}

static void open_faces(const struct grid *g, struct mixture *m, double closed, uint64_t *random)
{
	FOR_CELLS(g, i, j, k, at)
	for (int axis = 0; axis < DIM; axis++)
		for (int side = 0; side < 2; side++) {
			const int cell[3] = {i, j, k};
			size_t stride = stride_of(g, axis);
			size_t face =
				(size_t)axis * (size_t)g->lattice + at + (size_t)side * stride;
			if (m->type[at] == CELL_SOLID)
				continue;
			if (beyond_box(g, cell, axis, side)) {
				if (g->open_walls >> (2 * axis + side) & 1)
					m->open[face] = FRACTION_ONE;
			} else if (side == 1 && m->type[at + stride] != CELL_SOLID) {
				m->open[face] = random_fraction(closed, random);
			}
		}
}

struct mixture mixture_make(const struct grid *g, double solid, double air, double closed,
			    uint64_t *random)
{
	const size_t lattice = (size_t)g->lattice;
	struct mixture m = {
		.phi = test_calloc(lattice, sizeof(float)),
		.type = test_calloc(lattice, 1),
		.open = test_calloc(lattice * DIM, sizeof(uint16_t)),
	};
	memset(m.type, CELL_SOLID, lattice);
	FOR_CELLS(g, i, j, k, at)
	{
		if (fixture_random(random) >= solid)
			m.type[at] = fixture_random(random) < air ? CELL_AIR : CELL_LIQUID;
		/* Now and then the surface passes next to a cell's centre. */
		double depth = fixture_between(random, 0.05, 1.0);
		if (fixture_random(random) < 0.2)
			depth *= 1e-3;
		m.phi[at] = (float)(m.type[at] == CELL_LIQUID ? -depth : depth) * g->h;
	}
	open_faces(g, &m, closed, random);
	/* A cell without an open face is solid. */
	FOR_CELLS(g, i, j, k, at)
	{
		bool any = false;
		for (int axis = 0; axis < DIM; axis++)
			for (int side = 0; side < 2; side++)
				any |= m.open[(size_t)axis * lattice + at +
					      (size_t)side * stride_of(g, axis)] != 0;
		if (!any)
			m.type[at] = CELL_SOLID;
	}
	return m;
}

void mixture_write(const struct mixture *m, struct sim *sim)
{
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	fixture_write(&sim->phi, m->phi, lattice * sizeof(float));
	fixture_write(&sim->cell_type, m->type, lattice);
	fixture_write(&sim->solids.open_fraction, m->open, lattice * DIM * sizeof(uint16_t));
	assert_true(clx_zero(sim->cl, &sim->opened, 0, sim->opened.bytes));
}

void mixture_free(struct mixture *m)
{
	test_free(m->phi);
	test_free(m->type);
	test_free(m->open);
}
