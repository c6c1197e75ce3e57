#include "bits.h"
#include "solids_particles.h"
#include "stages.h"

/* Kernel integral over h^dim with R = 2h, as in kernels/levelset.cl. */
#define INTEGRAL_2D 3.14159265358979
#define INTEGRAL_3D 5.10633473059

bool levelset_update(struct sim *sim)
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
					(sim->dim == 3 ? INTEGRAL_3D : INTEGRAL_2D)));

	/* Outside the lists the cells beside them read as dry. */
	if (!clx_zero(cl, &sim->density, 0, sim->density.bytes) ||
	    !clx_zero(cl, &sim->phi_raw, 0, sim->phi_raw.bytes))
		return false;
	if (clx_splat_path(cl) == CLX_SPLAT_BLOCK) {
		for (i32 colour = 0; colour < 1 << sim->dim; colour++)
			if (!LAUNCH(cl, K_LEVELSET_DENSITY_BLOCK, lattice_blocks(&sim->lattice, 2),
				    ARG(g), ARG(bits), ARG(colour), BUF(p->cell_start),
				    BUF(p->now.position), ARG(stride), BUF(sim->density)))
				return false;
	} else {
		const size_t edge = sim->dim == 3 ? BLOCK_EDGE_3D + 4 : BLOCK_EDGE_2D + 4;
		const size_t tile = edge * edge * (sim->dim == 3 ? edge : 1) * sizeof(u32);
		if (!LAUNCH(cl, K_LEVELSET_DENSITY_TILE,
			    clx_groups(cl, (size_t)g.keys / BLOCK_CELLS), ARG(g), ARG(bits),
			    BUF(p->cell_start), BUF(p->now.position), ARG(stride),
			    BUF(sim->density), LOCAL(tile)))
			return false;
	}
	return solids_cut_density(&sim->solids, p, &sim->density, bits) &&
	       LAUNCH(cl, K_LEVELSET_PHI, bricks_points(b, BRICKS_BAND), BRICKS(b, BRICKS_BAND),
		      ARG(g), ARG(to_rho), BUF(sim->density), BUF(sim->solids.kernel_open),
		      BUF(p->cell_start), ARG(has_solids), BUF(sim->solids.phi), ARG(split),
		      BUF(sim->solids.open_fraction), BUF(sim->phi_raw)) &&
	       LAUNCH(cl, K_LEVELSET_CELLS, bricks_points(b, BRICKS_BAND), BRICKS(b, BRICKS_BAND),
		      ARG(g), BUF(sim->phi_raw), BUF(sim->solids.open_fraction), BUF(sim->phi),
		      BUF(sim->cell_type));
}
