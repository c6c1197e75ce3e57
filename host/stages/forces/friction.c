#include "forces/friction.h"

#include <math.h>
#include <stdlib.h>

#include "exp_log.h"
#include "message.h"
#include "moving/loads.h"
#include "moving/motion.h"
#include "reduce.h"

_Static_assert((int)FRICTION_NONE == WALL_LAW_NONE && (int)FRICTION_SMOOTH == WALL_LAW_SMOOTH &&
		       (int)FRICTION_ROUGH == WALL_LAW_ROUGH,
	       "kinds of wall laws");

/* Von Karman's constant. */
#define KAPPA 0.41

/* ---- what it needs ------------------------------------------------------------------------ */

/* Square root of the stress over that of density times speed, y from a rough wall. */
static f32 rough_root(const struct scene_wall_law *law, double y)
{
	return law->kind == WALL_LAW_ROUGH ? (f32)(KAPPA / exact_log(30.0 * y / law->roughness))
					   : 0.0f;
}

static void fill_table(const struct scene_wall_law *law, double h, f32 table[FRICTION_TABLE])
{
	for (int n = 0; n < FRICTION_TABLE; n++)
		table[n] = rough_root(law, h * (0.25 + (double)n / FRICTION_STEPS));
}

/* By place in the program of all solids. */
static bool write_laws(struct sim *sim)
{
	const struct scene *scene = sim->scene;
	const size_t count = scene->solid_count;
	f32(*table)[FRICTION_TABLE] = calloc(1 + count, sizeof(*table));
	i32 *kinds = calloc(1 + count, sizeof(*kinds));
	bool ok = table && kinds;
	if (!ok)
		message_memory((1 + count) * sizeof(*table), "the friction of walls");
	if (ok)
		fill_table(&scene->wall_law, scene->h, table[0]);
	for (size_t n = 0; ok && n < count; n++) {
		const size_t place = loads_place(sim, n);
		fill_table(&scene->solids[n].wall_law, scene->h, table[1 + place]);
		kinds[place] = (i32)scene->solids[n].wall_law.kind;
	}
	ok = ok &&
	     clx_write(sim->cl, &sim->friction.table, 0, (1 + count) * sizeof(*table), table) &&
	     clx_write(sim->cl, &sim->friction.kinds, 0, (1 + count) * sizeof(*kinds), kinds);
	free(table);
	free(kinds);
	return ok;
}

bool friction_create(struct sim *sim)
{
	struct friction *f = &sim->friction;
	const struct scene *scene = sim->scene;
	const size_t laws = 1 + scene->solid_count;
	f->on = scene_has_friction(scene);
	if (!f->on)
		return true;
	f->now = (struct friction_params){
		.kind = (i32)scene->wall_law.kind,
		.solid_count = (i32)sim->solids.count,
		.rest_count = (i32)(sim->solids.count - sim->solids.mover_count),
		.viscosity = (f32)scene->viscosity};
	if (scene->side_walls > 0.0) {
		const double y = 0.5 * scene->side_walls;
		f->now.across = (f32)(1.0 / y);
		f->now.across_y = (f32)y;
		f->now.across_rough = rough_root(&scene->wall_law, y);
		f->now.across_rough *= f->now.across_rough;
	}
	return clx_alloc(sim->cl, &f->kinds, "wall laws of solids", laws) &&
	       clx_alloc(sim->cl, &f->table, "rough walls", laws * FRICTION_TABLE) &&
	       clx_alloc(sim->cl, &f->sums, "friction of solids", laws * FRICTION_SUMS) &&
	       write_laws(sim);
}

void friction_destroy(struct sim *sim)
{
	struct friction *f = &sim->friction;
	clx_free(sim->cl, &f->kinds);
	clx_free(sim->cl, &f->table);
	clx_free(sim->cl, &f->sums);
	*f = (struct friction){0};
}

/* ---- stages -------------------------------------------------------------------------------- */

/* What kernels have of the scene. */
#define SCENE(sim)                                                                     \
	.ops = &(sim)->solids.ops, .points = &(sim)->solids.points,                    \
	.solid_slip = &(sim)->solids.slip, .kinds = &(sim)->friction.kinds,            \
	.table = &(sim)->friction.table, .mover = &(sim)->solids.mover_words,          \
	.cell_type = &(sim)->cell_type, .open_fraction = &(sim)->solids.open_fraction, \
	.volume_open = &(sim)->solids.volume_open, .solid_phi = &(sim)->solids.phi,    \
	.flow = &(sim)->flow, .has_flow = I32(motion_has_flow(sim)), .u_face = &(sim)->u_face

static bool add(struct sim *sim, f32 sign, union f32_buffer *field)
{
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	return LAUNCH(sim->cl, friction_add, bricks_columns(sim->cl, b, BRICKS_BAND),
		      BRICKS(b, BRICKS_BAND), .g = &g, .f = &sim->friction.now,
		      .solid_phi = &sim->solids.phi, .sign = F32(sign), .friction = &sim->slowed,
		      .field = field);
}

/* Chunk sums of a part. */
static bool sum_chunks(struct sim *sim, const struct friction_part *part, i32 chunks)
{
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const i32 sums = sim->lattice.sums, parts = (i32)sim->solids.parts;
	return LAUNCH(sim->cl, friction_sum,
		      reduce_groups(&sim->lattice, b->run[BRICKS_CHUNKS].count),
		      BRICKS(b, BRICKS_CHUNKS), .g = &g, .f = &sim->friction.now, .part = part,
		      SCENE(sim), .friction = &sim->slowed, .parts = I32(parts),
		      .scalars = &sim->lattice.scalars, .chunks = I32(chunks), .sums = I32(sums),
		      .partial = &sim->lattice.partial,
		      .lane = LOCAL((size_t)FRICTION_SUMS * PAIRS_FINAL_LANES * REDUCE_PAIR_BYTES));
}

bool friction_apply(struct sim *sim)
{
	const struct grid g = sim->lattice.grid;
	const struct bricks *b = &sim->lattice.bricks;
	const struct friction_part all = {.solid = -1, .box = {0, 0, 0, g.px, g.py, g.pz}};
	const i32 chunks = (g.lattice + PAIRS_CHUNK - 1) / PAIRS_CHUNK;
	const i32 parts = (i32)sim->solids.parts;
	if (!sim->friction.on)
		return true;
	sim->friction.now.dt = sim->dt_f;
	if (!LAUNCH(sim->cl, friction_make, bricks_columns(sim->cl, b, BRICKS_BAND),
		    BRICKS(b, BRICKS_BAND), .g = &g, .f = &sim->friction.now, SCENE(sim),
		    .friction = &sim->slowed, .parts = I32(parts),
		    .scalars = &sim->lattice.scalars) ||
	    !sum_chunks(sim, &all, chunks) ||
	    !reduce_totals(&sim->lattice, chunks, FRICTION_MOMENT, TOTAL_FRICTION))
		return false;
	for (size_t n = 0; n < sim->loads.count; n++) {
		if (!loads_wants(sim, n))
			continue;
		struct friction_part part = {.solid = (i32)loads_place(sim, n)};
		part.box = loads_reach(sim, n, part.center);
		if (!sum_chunks(sim, &part, chunks) ||
		    !reduce_sums(&sim->lattice, chunks, FRICTION_SUMS, &sim->friction.sums,
				 (i32)n * FRICTION_SUMS))
			return false;
	}
	return add(sim, 1.0f, &sim->u_face);
}

bool friction_include(struct sim *sim)
{
	return !sim->friction.on || (add(sim, 1.0f, &sim->delta) &&
				     (sim->solids.op_count == 0 || add(sim, -1.0f, &sim->u_old)));
}
