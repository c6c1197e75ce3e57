#include "moving/loads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "load_params.h"
#include "message.h"
#include "moving/motion.h"
#include "reduce.h"
#include "solids_motion.h"

/* Cells around a solid that it may cover faces of: those of its plates are beyond a recess. */
#define AROUND 3
/* Less than this of the cell's volume in a substep is rounding, or a face's curvature. */
#define SQUEEZED_LEAST 1e-4

bool loads_create(struct sim *sim)
{
	struct loads *l = &sim->loads;
	const size_t count = sim->scene->solid_count;
	l->all = sim->scene->output.forces;
	if (count == sim->scene->body_count || !(l->all || sim->solids.moving))
		return true;
	l->parts = scene_has_friction(sim->scene) ? 2 : 1;
	l->frame = calloc(count * l->parts, sizeof(*l->frame));
	l->now = calloc(count * l->parts, sizeof(*l->now));
	l->motion = calloc(count, sizeof(*l->motion));
	if (!l->frame || !l->now || !l->motion)
		return message_memory(count * sizeof(*l->frame), "the forces on solids");
	if (l->parts > 1) {
		l->frame_friction = l->frame + count;
		l->now_friction = l->now + count;
	}
	l->count = count;
	return clx_alloc(sim->cl, &l->sums, "forces on solids",
			 count * (size_t)LOAD_SUMS(sim->dim));
}

void loads_destroy(struct sim *sim)
{
	struct loads *l = &sim->loads;
	clx_free(sim->cl, &l->sums);
	free(l->frame);
	free(l->now);
	free(l->motion);
	*l = (struct loads){0};
}

static void begin_frame(struct loads *l)
{
	l->seconds = 0.0;
	if (l->count)
		memset(l->frame, 0, l->count * l->parts * sizeof(*l->frame));
}

void loads_forget(struct sim *sim)
{
	begin_frame(&sim->loads);
	sim->loads.squeezed = sim->loads.work = 0.0;
	sim->loads.squeeze_warned = false;
}

/* ---- which solid, and how it moves --------------------------------------------------------- */

static bool moves(const struct scene_solid *solid)
{
	return scene_solid_moves(solid);
}

bool loads_wants(const struct sim *sim, size_t n)
{
	const struct scene_solid *solid = &sim->scene->solids[n];
	/* Bodies have accounts of their own. */
	return n < sim->loads.count && !solid->body.given && (sim->loads.all || moves(solid));
}

size_t loads_place(const struct sim *sim, size_t n)
{
	const struct scene_solid *solids = sim->scene->solids;
	size_t place = moves(&solids[n]) ? sim->solids.count - sim->solids.mover_count : 0;
	for (size_t s = 0; s < n; s++)
		place += moves(&solids[s]) == moves(&solids[n]);
	return place;
}

/* Of its bounding box, where that is finite; else of the domain. */
static void find_middle(const struct scene *scene, const struct scene_solid *solid, f32 middle[3])
{
	for (int a = 0; a < scene->dim; a++) {
		const double sum = solid->low[a] + solid->high[a];
		middle[a] = (f32)(0.5 * (isfinite(sum) ? sum : scene->size[a]));
	}
}

static i32 clamp_cell(double cell, i32 most)
{
	return cell > 0.0 ? cell < (double)most ? (i32)cell : most : 0;
}

static struct lattice_box box_around(const struct sim *sim, const struct scene_solid *solid)
{
	const i32 *cells = sim->scene->cells;
	i32 first[3] = {0, 0, 0}, count[3] = {1, 1, 1};
	for (int a = 0; a < sim->dim; a++) {
		first[a] = clamp_cell(floor(solid->low[a] / sim->scene->h) - AROUND, cells[a]);
		count[a] = clamp_cell(ceil(solid->high[a] / sim->scene->h) + AROUND, cells[a]) -
			   first[a];
	}
	return (struct lattice_box){first[0], first[1], first[2], count[0], count[1], count[2]};
}

struct lattice_box loads_reach(const struct sim *sim, size_t n, f32 center[3])
{
	const struct scene_solid *solid = &sim->scene->solids[n];
	struct solid_pose pose;
	if (!moves(solid)) {
		find_middle(sim->scene, solid, center);
		return box_around(sim, solid);
	}
	solid_motion_at(&solid->motion, sim->time, &pose);
	for (int a = 0; a < 3; a++)
		center[a] = (f32)pose.at[a];
	const struct solids *s = &sim->solids;
	return s->movers[loads_place(sim, n) - (s->count - s->mover_count)].box;
}

/* What moves it over the substep; and the velocity there, at places as they are now, that it has
 * beyond that of as long a time before: impulses work at the mean of both. */
static void find_motion(const struct sim *sim, const struct solid_motion *motion,
			struct load_motion *now, struct load_params *p)
{
	struct solid_pose before, from, to;
	double velocity[3], spin[3], to_velocity[3], to_spin[3];
	solid_motion_at(motion, sim->time - sim->dt, &before);
	solid_motion_at(motion, sim->time, &from);
	solid_motion_at(motion, sim->time + sim->dt, &to);
	solid_motion_between(&before, &from, sim->dt, velocity, spin);
	solid_motion_between(&from, &to, sim->dt, to_velocity, to_spin);
	for (int a = 0; a < 3; a++) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		const double shifted = velocity[a] + spin[b] * (from.at[c] - before.at[c]) -
				       spin[c] * (from.at[b] - before.at[b]);
		p->center[a] = (f32)from.at[a];
		p->velocity[a] = (f32)to_velocity[a];
		p->spin[a] = (f32)to_spin[a];
		p->velocity_change[a] = (f32)(to_velocity[a] - shifted);
		p->spin_change[a] = (f32)(to_spin[a] - spin[a]);
		now->velocity[a] = 0.5 * (shifted + to_velocity[a]);
		now->spin[a] = 0.5 * (spin[a] + to_spin[a]);
	}
}

static struct load_params params_of(struct sim *sim, size_t n)
{
	const struct solids *s = &sim->solids;
	const struct scene_solid *solid = &sim->scene->solids[n];
	struct load_params p = {.own = (i32)loads_place(sim, n),
				.rest_count = (i32)(s->count - s->mover_count),
				.solid_count = (i32)s->count,
				.has_rest = s->moving,
				.has_force = sim->force_fields.count > 0};
	p.box = loads_reach(sim, n, p.center);
	if (moves(solid))
		find_motion(sim, &solid->motion, &sim->loads.motion[n], &p);
	return p;
}

/* ---- sums ---------------------------------------------------------------------------------- */

static bool sum_solid(struct sim *sim, size_t n)
{
	const struct solids *s = &sim->solids;
	const struct poisson *p = &sim->poisson;
	const struct grid g = sim->lattice.grid;
	const struct load_params params = params_of(sim, n);
	const i32 chunks = (g.lattice + PAIRS_CHUNK - 1) / PAIRS_CHUNK;
	const i32 sums = sim->lattice.sums, each = LOAD_SUMS(sim->dim);
	return LAUNCH(sim->cl, loads_sum,
		      reduce_groups(&sim->lattice, sim->lattice.bricks.run[BRICKS_CHUNKS].count),
		      BRICKS(&sim->lattice.bricks, BRICKS_CHUNKS), .g = &g,
		      .level = &p->mg.levels[0], .load = &params, .q = &p->solution,
		      .cell_type = &sim->cell_type, .open_fraction = &s->open_fraction,
		      .rest_fraction = s->moving ? &s->rest_fraction : &s->open_fraction,
		      .opened = &sim->opened, .solid_phi = &s->phi, .kick = &sim->kick,
		      .force = &sim->force, .sealed = &p->component, .ops = &s->ops,
		      .points = &s->points, .solid_slip = &s->slip, .chunks = I32(chunks),
		      .sums = I32(sums), .partial = &sim->lattice.partial,
		      .lane = LOCAL((size_t)each * PAIRS_FINAL_LANES * REDUCE_PAIR_BYTES)) &&
	       reduce_sums(&sim->lattice, chunks, each, &sim->loads.sums, (i32)n * each);
}

bool loads_sum(struct sim *sim)
{
	for (size_t n = 0; n < sim->loads.count; n++)
		if (loads_wants(sim, n) && !sum_solid(sim, n))
			return false;
	return true;
}

bool loads_find_squeezed(struct sim *sim)
{
	struct poisson *p = &sim->poisson;
	const struct grid g = sim->lattice.grid;
	const double h = sim->scene->h, face = sim->dim == 3 ? h * h : h;
	double sum = 0.0;
	sim->loads.squeezed = 0.0;
	if (p->singular == 0 || !motion_has_flow(sim))
		return true;
	/* The solve makes its direction later. */
	if (!LAUNCH(sim->cl, loads_squeeze, bricks_level(p->mg.bricks, 0), MG_LIST(&p->mg, 0),
		    .g = &g, .level = &p->mg.levels[0], .cell_type = &sim->cell_type,
		    .flow = &sim->flow, .v = &p->direction) ||
	    !components_excess(p, &p->direction, &sum))
		return false;
	sim->loads.squeezed = sum * face * sim->dt;
	return true;
}

/* ---- accounts ------------------------------------------------------------------------------ */

/* Of a solid, from its sums. */
static struct load load_of(const struct sim *sim, size_t n, const struct pair *sums)
{
	const struct load_motion *motion = &sim->loads.motion[n];
	const double h = sim->scene->h, mass = sim->scene->density * pow(h, sim->dim);
	struct load load = {{0.0}};
	for (int a = 0; a < sim->dim; a++)
		load.impulse[a] = mass * ((double)sums[a].high + (double)sums[a].low);
	for (int a = 0; a < LOAD_TORQUES(sim->dim); a++) {
		const struct pair *sum = &sums[sim->dim + a];
		load.turning[sim->dim == 3 ? a : 2] = mass * ((double)sum->high + (double)sum->low);
	}
	for (int a = 0; a < 3; a++)
		load.work +=
			load.impulse[a] * motion->velocity[a] + load.turning[a] * motion->spin[a];
	return load;
}

static void add_load(struct load *to, const struct load *load)
{
	for (int a = 0; a < 3; a++) {
		to->impulse[a] += load->impulse[a];
		to->turning[a] += load->turning[a];
	}
	to->work += load->work;
}

/* The names of those that push sealed liquid, or of inflows. */
static void warn_squeezed(struct sim *sim, const struct pair *sums)
{
	const int each = LOAD_SUMS(sim->dim);
	char names[512] = "";
	size_t length = 0;
	for (size_t n = 0; n < sim->loads.count && length + 3 < sizeof(names); n++) {
		const struct scene_solid *solid = &sim->scene->solids[n];
		if (!moves(solid) || !(sums[n * (size_t)each + (size_t)each - 1].high > 0.0f))
			continue;
		const int more = snprintf(names + length, sizeof(names) - length, "%s'%s'",
					  length ? ", " : "", solid->name ? solid->name : "");
		length += more > 0 ? (size_t)more : 0;
	}
	sim->loads.squeeze_warned = true;
	message_warning("frame %d, substep %d: liquid without a way out is squeezed%s%s: it packs "
			"together, and its pressure does not resist; the column `squeezed` of "
			"stats.csv tells by how much",
			sim->frame + 1, sim->substep + 1, length ? " by " : "", names);
}

/* Of friction, in the substep: what the liquid gets, the solids give. */
static bool read_friction(struct sim *sim)
{
	struct loads *l = &sim->loads;
	const double h = sim->scene->h, mass = sim->scene->density * pow(h, sim->dim);
	const size_t all = l->count * FRICTION_SUMS;
	struct pair *sums = calloc(all, sizeof(*sums));
	if (!sums)
		return message_memory(all * sizeof(*sums), "the friction of solids");
	const bool ok = clx_read(sim->cl, &sim->friction.sums, 0, all * sizeof(*sums), sums);
	for (size_t n = 0; ok && n < l->count; n++) {
		double value[FRICTION_SUMS];
		for (size_t i = 0; i < FRICTION_SUMS; i++) {
			const struct pair *sum = &sums[n * FRICTION_SUMS + i];
			value[i] = mass * ((double)sum->high + (double)sum->low);
		}
		struct load load = {.work = value[FRICTION_SOLID_WORK]};
		for (int a = 0; a < 3; a++) {
			load.impulse[a] = -value[FRICTION_IMPULSE + a];
			load.turning[a] = -value[FRICTION_MOMENT + a];
		}
		l->now_friction[n] = loads_wants(sim, n) ? load : (struct load){{0.0}};
	}
	free(sums);
	return ok;
}

bool loads_accept(struct sim *sim)
{
	struct loads *l = &sim->loads;
	const size_t each = (size_t)LOAD_SUMS(sim->dim), all = l->count * each;
	l->work = 0.0;
	if (l->count == 0)
		return true;
	if (l->now_friction && !read_friction(sim))
		return false;
	struct pair *sums = calloc(all, sizeof(*sums));
	if (!sums)
		return message_memory(all * sizeof(*sums), "the forces on solids");
	const bool ok = clx_read(sim->cl, &l->sums, 0, all * sizeof(*sums), sums);
	for (size_t n = 0; ok && n < l->count; n++) {
		l->now[n] = load_of(sim, n, sums + n * each);
		l->work += l->now[n].work;
	}
	const double cell = pow(sim->scene->h, sim->dim);
	if (ok && l->squeezed > SQUEEZED_LEAST * cell && !l->squeeze_warned)
		warn_squeezed(sim, sums);
	free(sums);
	return ok;
}

void loads_close_substep(struct sim *sim)
{
	struct loads *l = &sim->loads;
	if (sim->substep == 0)
		begin_frame(l);
	for (size_t n = 0; n < l->count; n++)
		add_load(&l->frame[n], &l->now[n]);
	for (size_t n = 0; n < l->count && l->now_friction; n++)
		add_load(&l->frame_friction[n], &l->now_friction[n]);
	l->seconds += sim->dt;
}
