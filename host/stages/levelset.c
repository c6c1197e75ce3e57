#include "levelset.h"

#include "bits.h"
#include "solids_particles.h"
#include "surface/spheres.h"

static bool make_phi(struct sim *sim)
{
	struct particles *p = &sim->particles;
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const i32 stride = (i32)p->capacity, has_solids = sim->solids.op_count > 0;
	const i32 split = sim->solids.split;
	/* A cell sees particles from 5^dim cells, with weight at most 1: no overflow of 32 bits. */
	u64 contributions =
		(u64)sim->lattice.host_scalars[SCALAR_MAX_PPC] * (sim->dim == 3 ? 125 : 25);
	/* A particle and its images beyond walls. */
	const u64 all = (u64)p->count << sim->dim;
	if (contributions > all)
		contributions = all;
	int spare = 31 - log2_ceil(contributions ? contributions : 1);
	const i32 bits = spare > 20 ? 20 : spare;
	const f32 to_rho = (f32)(1.0 / ((double)((u64)1 << bits) * sim->scene->particles_per_cell *
					DENSITY_INTEGRAL(sim->dim)));

	if (clx_splat_path(cl) == SPLAT_BLOCK) {
		for (i32 colour = 0; colour < 1 << sim->dim; colour++)
			if (!LAUNCH(cl, levelset_density_block, lattice_blocks(&sim->lattice, 2),
				    .g = &g, .bits = I32(bits), .colour = I32(colour),
				    .start = &p->cell_start, .near = &b->blocks,
				    .position = &p->now.position, .stride = I32(stride),
				    .sum = &sim->density))
				return false;
	} else {
		if (!LAUNCH(cl, levelset_density_brick, bricks_groups(cl, b, BRICKS_BAND),
			    BRICKS(b, BRICKS_BAND), .g = &g, .bits = I32(bits),
			    .start = &p->cell_start, .position = &p->now.position,
			    .stride = I32(stride), .sum = &sim->density,
			    .tile = LOCAL((BRICK_POINTS + 1) * sizeof(u32))))
			return false;
	}
	return solids_cut_density(&sim->solids, p, &sim->density, bits) &&
	       LAUNCH(cl, levelset_phi, bricks_points(b, BRICKS_BAND), BRICKS(b, BRICKS_BAND),
		      .g = &g, .to_rho = F32(to_rho), .sum = &sim->density,
		      .kernel_open = &sim->solids.kernel_open, .start = &p->cell_start,
		      .near = &b->blocks, .has_solids = I32(has_solids),
		      .solid_phi = &sim->solids.phi, .split = I32(split),
		      .open_fraction = &sim->solids.open_fraction, .phi = &sim->phi_raw);
}

bool levelset_update(struct sim *sim)
{
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const bool spheres = sim->scene->liquid_surface == LIQUID_SURFACE_SPHERES;
	return (spheres ? spheres_make_phi(sim) : make_phi(sim)) &&
	       LAUNCH(sim->cl, levelset_cells, bricks_points(b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), .layout = &b->layout[BRICKS_BAND], .state = &b->state,
		      .g = &g, .phi = &sim->phi_raw, .open_fraction = &sim->solids.open_fraction,
		      .phi_out = &sim->phi, .cell_type = &sim->cell_type);
}
