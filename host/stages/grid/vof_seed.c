#include "grid/vof_seed.h"

#include <stdlib.h>

#include "loops.h"
#include "message.h"
#include "shape_program.h"

/* Words of a liquid's motion, as kernels/grid/vof_seed.cl has them. */
#define MOTION 9

struct shapes {
	union shape_op_buffer ops;
	union f32_buffer points, motion;
	union i32_buffer ends;
};

static bool upload(struct clx *cl, const struct shape_program *programs, const i32 *ends,
		   const f32 *motion, size_t liquids, struct shapes *s)
{
	const size_t points = programs->point_count;
	return clx_alloc(cl, &s->ops, "liquid_ops", programs->op_count) &&
	       clx_alloc_raw(cl, &s->points.raw, "liquid_points", points, 2 * sizeof(f32)) &&
	       clx_alloc(cl, &s->ends, "liquid_ends", liquids) &&
	       clx_alloc(cl, &s->motion, "liquid_motion", MOTION * liquids) &&
	       (programs->op_count == 0 ||
		clx_write(cl, &s->ops, 0, programs->op_count * sizeof(struct shape_op),
			  programs->ops)) &&
	       (points == 0 ||
		clx_write(cl, &s->points, 0, points * 2 * sizeof(f32), programs->points)) &&
	       (liquids == 0 ||
		(clx_write(cl, &s->ends, 0, liquids * sizeof(i32), ends) &&
		 clx_write(cl, &s->motion, 0, MOTION * liquids * sizeof(f32), motion)));
}

static bool make_shapes(struct sim *sim, struct shapes *s)
{
	const struct scene *scene = sim->scene;
	const size_t liquids = scene->liquid_count;
	struct shape_program programs = {0};
	i32 *ends = calloc(liquids + 1, sizeof(*ends));
	f32 *motion = calloc(MOTION * liquids + 1, sizeof(*motion));
	bool ok = ends && motion;
	if (!ok)
		message_memory(MOTION * liquids * sizeof(*motion), "the liquids' motion");
	for (size_t l = 0; l < liquids && ok; l++) {
		const struct scene_liquid *liquid = &scene->liquids[l];
		ok = shape_program_append(&programs, &liquid->shape, false);
		ends[l] = (i32)programs.op_count;
		for (int a = 0; a < 3; a++) {
			motion[MOTION * l + (size_t)a] = (f32)liquid->velocity[a];
			motion[MOTION * l + 3 + (size_t)a] = (f32)liquid->angular_velocity[a];
			motion[MOTION * l + 6 + (size_t)a] = (f32)liquid->pivot[a];
		}
	}
	ok = ok && upload(sim->cl, &programs, ends, motion, liquids, s);
	shape_program_finish(&programs);
	free(ends);
	free(motion);
	return ok;
}

static bool fill(struct sim *sim, union u32_buffer *volume, union f32_buffer *u_face,
		 union u8_buffer *valid)
{
	struct shapes s = {0};
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const i32 count = (i32)sim->scene->liquid_count;
	bool cut = false;
	bool ok = make_shapes(sim, &s) &&
		  LAUNCH(cl, vof_seed, lattice_points(&sim->lattice), .g = &g, .ops = &s.ops,
			 .points = &s.points, .ends = &s.ends, .count = I32(count),
			 .motion = &s.motion, .open_fraction = &sim->solids.open_fraction,
			 .volume = volume, .u_face = u_face, .valid = valid,
			 .scalars = &sim->lattice.scalars) &&
		  loops_read(cl, &sim->lattice.scalars, &cut);
	clx_free(cl, &s.ops);
	clx_free(cl, &s.points);
	clx_free(cl, &s.ends);
	clx_free(cl, &s.motion);
	return ok && (!cut || loops_report(cl));
}

bool vof_seed(struct sim *sim)
{
	return fill(sim, &sim->vof.volume, &sim->u_face, &sim->valid);
}

bool vof_seeded_units(struct sim *sim, int64_t *units)
{
	const size_t points = (size_t)sim->lattice.grid.lattice;
	union u8_buffer valid = {0};
	u32 *volume = NULL;
	bool ok = clx_alloc(sim->cl, &valid, "valid faces at the start", points) &&
		  fill(sim, &sim->vof.before, &sim->vof.u_before, &valid);
	if (ok)
		volume = clx_read_copy(sim->cl, &sim->vof.before, points * sizeof(*volume));
	*units = 0;
	for (size_t i = 0; volume && i < points; i++)
		*units += (i32)volume[i];
	ok = ok && volume;
	free(volume);
	clx_free(sim->cl, &valid);
	return ok;
}
