/*
 * A method without particles, for tests of the seam (state/method.h): a field at cell centres,
 * moved by a flow that is given, a rotation about the middle of the box.  First-order upwind, on
 * the host.
 *
 * It borrows members of struct sim: phi is the field, pressure the field before the substep.
 */
#include "passive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "state_hash.h"
#include "timestep.h"

#define SPIN 1.0 /* rad/s */

static double middle(const struct sim *sim, int axis)
{
	return 0.5 * sim->scene->size[axis];
}

/* ---- the stages --------------------------------------------------------------------------- */

/* u = omega x (x - middle) on faces: exact, and without divergence. */
static bool write_flow(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	const size_t lattice = (size_t)g->lattice;
	const double h = sim->scene->h;
	f32 *u = calloc(lattice * (size_t)sim->dim, sizeof(*u));
	if (!u)
		return message_memory(lattice * sizeof(*u), "a flow");
	for (i32 at = 0; at < g->lattice; at++) {
		const i32 i = at % g->px, j = at / g->px % g->py;
		u[at] = (f32)(-SPIN * ((j + 0.5) * h - middle(sim, 1)));
		u[lattice + (size_t)at] = (f32)(SPIN * ((i + 0.5) * h - middle(sim, 0)));
	}
	const bool ok = clx_write(sim->cl, &sim->u_face, 0, sim->u_face.bytes, u);
	free(u);
	return ok;
}

/* The share that comes out of the cell on one side through a face, u dt / h > 0 into this one. */
static double gain(const f32 *field, i32 at, i32 from, bool there, double share)
{
	if (!there)
		return 0.0;
	return share > 0.0 ? share * (double)field[from] : share * (double)field[at];
}

static f32 upwind(const struct sim *sim, const f32 *field, const f32 *u, const i32 cell[3], i32 at)
{
	const struct grid *g = &sim->lattice.grid;
	const i32 strides[2] = {1, g->px}, cells[2] = {g->nx, g->ny};
	const double part = sim->dt / sim->scene->h;
	double value = (double)field[at];
	for (int a = 0; a < 2; a++) {
		const i32 step = strides[a], face = a * g->lattice + at;
		value += gain(field, at, at - step, cell[a] > 0, part * (double)u[face]);
		value += gain(field, at, at + step, cell[a] + 1 < cells[a],
			      -part * (double)u[face + step]);
	}
	return (f32)value;
}

static bool carry(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	const size_t bytes = sim->phi.bytes;
	f32 *field = clx_read_copy(sim->cl, &sim->phi, bytes);
	f32 *u = clx_read_copy(sim->cl, &sim->u_face, sim->u_face.bytes);
	f32 *next = calloc(1, bytes);
	bool ok = field && u && next;
	for (i32 at = 0; ok && at < g->lattice; at++) {
		const i32 cell[3] = {at % g->px, at / g->px % g->py, at / g->px / g->py};
		if (cell[0] < g->nx && cell[1] < g->ny && cell[2] < g->nz)
			next[at] = upwind(sim, field, u, cell, at);
	}
	ok = ok && clx_write(sim->cl, &sim->phi_raw, 0, bytes, next) &&
	     clx_copy(sim->cl, &sim->phi_raw, 0, &sim->phi, 0, bytes);
	free(field);
	free(u);
	free(next);
	return ok;
}

/* Its integral and its greatest value. */
static bool sum(struct sim *sim)
{
	const double h = sim->scene->h, cell = sim->dim == 3 ? h * h * h : h * h;
	const size_t count = sim->phi.bytes / sizeof(f32);
	f32 *field = clx_read_copy(sim->cl, &sim->phi, sim->phi.bytes);
	double total = 0.0, most = 0.0;
	if (!field)
		return false;
	for (size_t i = 0; i < count; i++) {
		total += (double)field[i];
		most = fmax(most, (double)field[i]);
	}
	free(field);
	sim->stats.own[0] = total * cell;
	sim->stats.own[1] = most;
	if (!isfinite(total))
		sim->step_failed = STEP_GRID_NOT_FINITE;
	return true;
}

/* clang-format off */
static const struct stage stages[] = {
	{"timestep", "dt <= cfl h / max|u|",
		timestep_choose},
	{"flow", "u = omega x (x - middle)",
		write_flow,
		.writes = {USE(u_face)}},
	{"carry", "d phi/dt + div(u phi) = 0, upwind",
		carry,
		.reads = {USE(phi), USE(u_face)},
		.writes = {USE(phi), USE(phi_raw)},
		.model = {.cell = 8, .cell_axis = 4}},
	{"sum", "integral and greatest value; is all finite",
		sum,
		.reads = {USE(phi)},
		.model = {.cell = 4}},
};

static const struct sim_field fields[] = {
	{SIM_FIELD(phi, "carried field", POINTS, KEPT), .quantity = "carried field", .unit = "kg/m3",
		.saved = "grid/carried", .hashed = true},
	{SIM_FIELD(pressure, "carried field before", POINTS, KEPT)},
	{SIM_FIELD(u_face, "grid velocity", FACES, KEPT), .quantity = "velocity", .unit = "m/s",
		.hashed = true},
	{SIM_FIELD(valid, "valid faces", MASK, KEPT)},
	{SIM_FIELD(scratch, "scratch", ALL_SCRATCH, KEPT)},
	{SIM_FIELD(lattice.scalars, "scalars", SCALARS, KEPT)},
	{SIM_FIELD(phi_raw, "carried field, next", POINTS, SCRATCH)},
};
/* clang-format on */

/* ---- a simulation's life ------------------------------------------------------------------ */

static void outline(struct sim *sim)
{
	sim->layers = 1;
}

/* Every face has a velocity. */
static bool mark_faces(struct sim *sim)
{
	const size_t bytes = sim->valid.bytes;
	unsigned char *mask = malloc(bytes);
	if (!mask)
		return message_memory(bytes, "a mask");
	memset(mask, 7, bytes);
	const bool ok = clx_write(sim->cl, &sim->valid, 0, bytes, mask);
	free(mask);
	return ok;
}

/* A disc of 1 beside the middle. */
static bool seed(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	const double h = sim->scene->h, radius = 0.2 * sim->scene->size[0];
	f32 *field = calloc(1, sim->phi.bytes);
	if (!field)
		return message_memory(sim->phi.bytes, "a field");
	for (i32 at = 0; at < g->lattice; at++) {
		const i32 cell[3] = {at % g->px, at / g->px % g->py, at / g->px / g->py};
		const double x = (cell[0] + 0.5) * h - 1.4 * middle(sim, 0);
		const double y = (cell[1] + 0.5) * h - middle(sim, 1);
		if (cell[0] < g->nx && cell[1] < g->ny && cell[2] < g->nz &&
		    x * x + y * y < radius * radius)
			field[at] = 1.0f;
	}
	const bool ok = clx_write(sim->cl, &sim->phi, 0, sim->phi.bytes, field);
	free(field);
	return ok && mark_faces(sim);
}

static bool longest_step(struct sim *sim, double *dt)
{
	const double speed = SPIN * (middle(sim, 0) + middle(sim, 1));
	sim->u_max = speed;
	*dt = fmin(sim->scene->time.max_dt, 0.5 * sim->scene->time.cfl * sim->scene->h / speed);
	return true;
}

static bool snapshot(struct sim *sim)
{
	return clx_copy(sim->cl, &sim->phi, 0, &sim->pressure, 0, sim->phi.bytes);
}

static void restore(struct sim *sim)
{
	const union f32_buffer now = sim->phi;
	sim->phi = sim->pressure;
	sim->pressure = now;
}

static bool accept(struct sim *sim)
{
	(void)sim;
	return true;
}

static const char *const columns[] = {"carried", "carried_max"};

const struct method method_passive = {
	.name = "passive",
	.parts = PART_VELOCITY,
	.stages = stages,
	.stage_count = sizeof(stages) / sizeof(stages[0]),
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.outline = outline,
	.seed = seed,
	.measure = sum,
	.longest_step = longest_step,
	.snapshot = snapshot,
	.restore = restore,
	.accept = accept,
	.hash = state_hash_fields,
	.hash_saved = state_hash_arrays,
};
