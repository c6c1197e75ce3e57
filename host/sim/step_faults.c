#include "step_faults.h"

#include <math.h>
#include <string.h>

#include "fault.h"
#include "step_table.h"

/* What FAULT_SPEED asks for, in cells per substep. */
#define ABSURD_CELLS 1e6

/* The particle in the middle of the order gets a velocity that is not a number. */
static bool spoil_particle(struct sim *sim)
{
	struct particles *p = &sim->particles;
	const f32 value = NAN;
	return p->count == 0 || clx_write(sim->cl, &p->now.velocity, p->count / 2 * sizeof(f32),
					  sizeof(f32), &value);
}

/* Both faces along y of that particle's cell get an absurd velocity: at most one is a wall. */
static bool spoil_grid(struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	const struct particles *p = &sim->particles;
	const i32 cells[3] = {g->nx, g->ny, g->nz};
	const f32 value = (f32)(ABSURD_CELLS * (double)g->h / sim->dt);
	size_t cell[3] = {0, 0, 0};
	if (p->count == 0)
		return true;
	for (size_t a = 0; a < (size_t)sim->dim; a++) {
		f32 x;
		const size_t at = a * p->capacity + p->count / 2;
		if (!clx_read(sim->cl, &p->now.position, at * sizeof(f32), sizeof(f32), &x))
			return false;
		const i32 index = (i32)(x * g->inv_h);
		cell[a] = (size_t)(index < 0 ? 0 : index < cells[a] ? index : cells[a] - 1);
	}
	const size_t row = (size_t)g->px;
	const size_t low = (size_t)g->lattice + (cell[2] * (size_t)g->py + cell[1]) * row + cell[0];
	return clx_write(sim->cl, &sim->u_face, low * sizeof(f32), sizeof(f32), &value) &&
	       clx_write(sim->cl, &sim->u_face, (low + row) * sizeof(f32), sizeof(f32), &value);
}

bool step_faults_inject(struct sim *sim, size_t stage)
{
	const char *name = sim_stage_name(stage);
	if (strcmp(name, "p2g") == 0 && fault_is_due(FAULT_SPEED))
		return spoil_grid(sim);
	if (strcmp(name, "g2p") == 0 && fault_is_due(FAULT_NAN))
		return spoil_particle(sim);
	return true;
}
