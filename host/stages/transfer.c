#include "transfer.h"

#include "forces.h"
#include "forces/force_fields.h"

#include "bits.h"
#include "exp_log.h"
#include "mixed/transfer_mixed.h"
#include "stiff/transfer_stiff.h"

/*
 * The fixed point of this step's splat: a velocity component fits velocity_bits, a weight
 * weight_bits, and the sums cannot overflow: with at most 2^c contributions at a face,
 *   weight_bits + c <= 30 (sum W in i32), weight_bits + velocity_bits + c <= 62 (sum WV in i64).
 * A velocity is rounded to bound * 2^-velocity_bits, a weight to 2^-weight_bits.
 */
static struct splat_scale choose_scale(const struct sim *sim)
{
	struct splat_scale scale;
	/* A face sees particles from 2 x 3 (x 3) cells. */
	u64 contributions =
		(u64)sim->lattice.host_scalars[SCALAR_MAX_PPC] * (sim->dim == 3 ? 18 : 6);
	if (contributions > sim->particles.count)
		contributions = sim->particles.count;
	int c = log2_ceil(contributions ? contributions : 1);
	/* Measured before the turn. */
	double bound = (double)float_from_bits(sim->lattice.host_scalars[SCALAR_SPEED_BOUND]) *
		       forces_turn_bound(sim);
	int exponent = -60; /* slower than 2^-60 m/s is at rest */
	while (exponent < 62 && exact_pow(2.0, exponent) < bound)
		exponent++;
	scale.weight_bits = c <= 10 ? 20 : 30 - c;
	scale.velocity_bits = 62 - scale.weight_bits - c;
	if (scale.velocity_bits > 30)
		scale.velocity_bits = 30;
	/* Powers of two: exact in float. */
	double unit = 1.0;
	for (int n = exponent - scale.velocity_bits; n != 0; n += n < 0 ? 1 : -1)
		unit *= n < 0 ? 0.5 : 2.0;
	scale.to_velocity = (f32)unit;
	scale.to_integer = (f32)(1.0 / unit);
	return scale;
}

bool transfer_p2g(struct sim *sim)
{
	struct particles *p = &sim->particles;
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const struct splat_scale scale = choose_scale(sim);
	const struct bricks *b = &sim->lattice.bricks;
	const i32 stride = (i32)p->capacity;
	const i32 affine = scene_has_affine(sim->scene);

	if (!forces_turn(sim, false))
		return false;
	if (sim->scene->kernel == KERNEL_STIFF)
		return transfer_stiff_p2g(sim);
	if (clx_splat_path(cl) != SPLAT_BLOCK)
		return LAUNCH(cl, transfer_p2g_brick, bricks_groups(cl, b, BRICKS_BAND),
			      BRICKS(b, BRICKS_BAND), .g = &g, .scale = &scale,
			      .start = &p->cell_start, .position = &p->now.position,
			      .velocity = &p->now.velocity, .affine = &p->now.affine,
			      .has_affine = I32(affine), .stride = I32(stride),
			      .u_face = &sim->u_face, .valid = &sim->valid,
			      .tile = LOCAL(BRICK_POINTS * (size_t)sim->dim *
					    (sizeof(i64) + sizeof(i32))));
	for (i32 colour = 0; colour < 1 << sim->dim; colour++)
		if (!LAUNCH(cl, transfer_p2g_block, lattice_blocks(&sim->lattice, 2), .g = &g,
			    .scale = &scale, .colour = I32(colour), .start = &p->cell_start,
			    .near = &b->blocks, .position = &p->now.position,
			    .velocity = &p->now.velocity, .affine = &p->now.affine,
			    .has_affine = I32(affine), .stride = I32(stride), .sum_w = &sim->sum_w,
			    .sum_wv = &sim->sum_wv))
			return false;
	return LAUNCH(cl, transfer_normalise, bricks_points(b, BRICKS_BAND), BRICKS(b, BRICKS_BAND),
		      .g = &g, .scale = &scale, .near = &b->blocks, .sum_w = &sim->sum_w,
		      .sum_wv = &sim->sum_wv, .u_face = &sim->u_face, .valid = &sim->valid);
}

bool transfer_g2p(struct sim *sim)
{
	struct particles *p = &sim->particles;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const i32 apic = scene_has_affine(sim->scene);
	const f32 flip = transfer_blend(sim, sim->scene->transfer, sim->scene->flip_ratio);
	const bool lanes = lattice_in_lanes(&sim->lattice);
	if (!scene_transfers_agree(sim->scene))
		return transfer_mixed_g2p(sim) && forces_turn(sim, true) &&
		       force_fields_account(sim);
	return LAUNCH_EITHER(sim->cl, lanes, transfer_g2p_lanes, transfer_g2p,
			     lanes ? lattice_chunks(p->count) : clx_range1(p->count), .g = &g,
			     .u_face = &sim->u_face, .delta_face = &sim->delta, .flip = F32(flip),
			     .apic = I32(apic), .position = &p->now.position,
			     .velocity = &p->now.velocity, .affine = &p->now.affine,
			     .stride = I32(stride), .n = I32(n)) &&
	       forces_turn(sim, true) && force_fields_account(sim);
}
