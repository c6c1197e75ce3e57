#include "pcg_ic_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "pcg_ic.h"

/* Values below are written as 0: devices differ in what they make of denormal numbers. */
#define FLUSH 0x1p-100

/* Level 0 on the host; arrays over cells, x fastest, but for words. */
struct copy {
	struct poisson *p;
	size_t cells, finest;
	u32 *place;	/* [cells], where a cell is in words */
	f32 *words;	/* [finest], an array of level 0 as the device holds it */
	uint16_t *open; /* likewise */
	f32 *link[3], *excess, *b;
	double *q;
};

static void free_copy(struct copy *c)
{
	for (int a = 0; a < 3; a++)
		free(c->link[a]);
	free(c->place);
	free(c->words);
	free(c->open);
	free(c->excess);
	free(c->b);
	free(c->q);
}

/* The layout of struct mg_level, shared.h. */
static void find_places(struct copy *c)
{
	const struct mg_level *l = &c->p->mg.levels[0];
	const int halo_z = c->p->lattice->dim == 3 ? 1 : 0;
	u32 *place = c->place;
	for (int k = 0; k < l->nz; k++)
		for (int j = 0; j < l->ny; j++)
			for (int i = 0; i < l->nx; i++)
				*place++ = (u32)(((i + j + k) & 1) * l->colour_stride +
						 (k + halo_z) * l->plane + (j + 1) * l->pitch +
						 i / 2 + 1);
}

static bool make_copy(struct copy *c, struct poisson *p)
{
	const struct multigrid *mg = &p->mg;
	const struct mg_level *l = &mg->levels[0];
	*c = (struct copy){
		.p = p,
		.cells = (size_t)l->nx * (size_t)l->ny * (size_t)l->nz,
		.finest = (size_t)mg->finest,
	};
	c->place = malloc(c->cells * sizeof(u32));
	c->words = malloc(c->finest * sizeof(f32));
	c->open = malloc(c->finest * sizeof(*c->open));
	c->excess = malloc(c->cells * sizeof(f32));
	c->b = malloc(c->cells * sizeof(f32));
	c->q = calloc(c->cells, sizeof(double));
	bool ok = c->place && c->words && c->open && c->excess && c->b && c->q;
	for (int a = 0; a < p->lattice->dim; a++) {
		c->link[a] = malloc(c->cells * sizeof(f32));
		ok = ok && c->link[a];
	}
	if (!ok)
		return message_error("pcg-ic: out of host memory for %zu cells", c->cells);
	find_places(c);
	return true;
}

static bool read_words(struct copy *c, const union f32_buffer *buffer, size_t first)
{
	return clx_read(c->p->lattice->cl, buffer, first * sizeof(f32), c->finest * sizeof(f32),
			c->words);
}

static bool read_cells(struct copy *c, const union f32_buffer *buffer, size_t first, f32 *values)
{
	if (!read_words(c, buffer, first))
		return false;
	for (size_t at = 0; at < c->cells; at++)
		values[at] = c->words[c->place[at]];
	return true;
}

/* Along an axis. */
static bool read_links(struct copy *c, int axis)
{
	const union u16_buffer *open = &c->p->mg.open;
	const size_t bytes = c->finest * sizeof(*c->open);
	if (!clx_read(c->p->lattice->cl, open, (size_t)axis * bytes, bytes, c->open))
		return false;
	for (size_t at = 0; at < c->cells; at++)
		c->link[axis][at] = (f32)c->open[c->place[at]] * (1.0f / FRACTION_ONE);
	return true;
}

/* q += the values in a buffer. */
static bool add_to_q(struct copy *c, const union f32_buffer *buffer)
{
	if (!read_words(c, buffer, 0))
		return false;
	for (size_t at = 0; at < c->cells; at++)
		c->q[at] += (double)c->words[c->place[at]];
	return true;
}

static bool read_system(struct copy *c)
{
	struct poisson *p = c->p;
	for (int a = 0; a < c->p->lattice->dim; a++)
		if (!read_links(c, a))
			return false;
	return read_cells(c, &p->mg.excess, 0, c->excess) && read_cells(c, &p->rhs, 0, c->b) &&
	       add_to_q(c, &p->solution) && add_to_q(c, &p->solution_low);
}

static double flushed(double x)
{
	return fabs(x) < FLUSH ? 0.0 : x;
}

/* One part of q to the device, halos 0; q keeps the rest. */
static bool write_part(struct copy *c, union f32_buffer *buffer)
{
	memset(c->words, 0, c->finest * sizeof(f32));
	for (size_t at = 0; at < c->cells; at++) {
		const f32 part = (f32)flushed(c->q[at]);
		c->words[c->place[at]] = part;
		c->q[at] -= (double)part;
	}
	return clx_write(c->p->lattice->cl, buffer, 0, c->finest * sizeof(f32), c->words);
}

static bool solve_copy(struct copy *c, double tolerance, int max_iterations,
		       struct pcg_ic_result *result)
{
	struct poisson *p = c->p;
	const i32 cells[3] = {p->mg.levels[0].nx, p->mg.levels[0].ny, p->mg.levels[0].nz};
	const f32 *const link[3] = {c->link[0], c->link[1], c->link[2]};
	if (!read_system(c))
		return false;
	struct pcg_ic *system =
		pcg_ic_create(cells, c->p->lattice->dim, link, c->excess, PCG_IC_MODIFIED);
	if (!system)
		return false;
	*result = pcg_ic_solve(system, c->b, c->q, tolerance, max_iterations);
	pcg_ic_free(system);
	return write_part(c, &p->solution) && write_part(c, &p->solution_low);
}

bool pcg_ic_device_solve(struct poisson *p, double tolerance, int max_iterations,
			 struct poisson_result *result)
{
	struct copy c;
	struct pcg_ic_result end = {0};
	const bool ok = make_copy(&c, p) && solve_copy(&c, tolerance, max_iterations, &end);
	free_copy(&c);
	const bool finite = end.bb < (double)INFINITY;
	*result = (struct poisson_result){
		.iterations = end.iterations,
		.residual = finite ? end.residual : (double)NAN,
		.reached = finite && end.reached,
		.failed = !finite || !(end.residual <= 1.0),
	};
	return ok;
}
