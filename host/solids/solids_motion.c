#include "solids_motion.h"

#include <math.h>
#include <string.h>

#include "body.h"
#include "solids_boxes.h"

/* Cells around a mover whose fields know of it: solid_phi tells distances up to SOLIDS_FARTHEST,
 * and no other field reaches further.  So many cells more have to be looked at, as what is made of
 * faces is made of their neighbours too. */
#define SOLIDS_KNOWN 7
#define SOLIDS_AROUND_KNOWN 6

/* A substep turns a mover by no more than this, rad. */
#define MOST_TURN 0.1
/* A step is looked at in so many parts. */
#define STEP_PARTS 4

/* ---- boxes -------------------------------------------------------------------------------- */

static i32 clamp_cell(double cell, i32 most)
{
	return cell > 0.0 ? cell < (double)most ? (i32)cell : most : 0;
}

/* The lattice points within `margin` cells of the box around a mover. */
static struct lattice_box box_of(const struct solids *solids, const struct solids_mover *mover,
				 const struct solid_pose *pose, int margin)
{
	const struct grid *g = &solids->lattice->grid;
	const i32 points[3] = {g->px, g->py, g->pz};
	double low[3], high[3];
	i32 first[3], count[3];
	solid_motion_bounds(&mover->solid->motion, pose, mover->solid->low, mover->solid->high, low,
			    high);
	for (int a = 0; a < 3; a++) {
		first[a] = 0;
		count[a] = points[a];
		if (a >= solids->lattice->dim)
			continue;
		first[a] = clamp_cell(floor(low[a] / solids->h) - margin, points[a]);
		const i32 end = clamp_cell(ceil(high[a] / solids->h) + margin + 1, points[a]);
		count[a] = end > first[a] ? end - first[a] : 0;
	}
	return (struct lattice_box){first[0], first[1], first[2], count[0], count[1], count[2]};
}

/* ---- poses -------------------------------------------------------------------------------- */

static bool is_body(const struct solids_mover *mover)
{
	return mover->solid->body.given;
}

static void pose_at(const struct solids_mover *mover, double t, struct solid_pose *pose)
{
	if (is_body(mover))
		*pose = mover->pose;
	else
		solid_motion_at(&mover->solid->motion, t, pose);
}

static void pose_after(const struct solids_mover *mover, double t, double dt,
		       struct solid_pose *pose)
{
	if (is_body(mover))
		*pose = mover->next;
	else
		solid_motion_at(&mover->solid->motion, t + dt, pose);
}

void solids_guide(struct solids *solids, size_t m, const struct solid_pose *pose,
		  const struct solid_pose *next)
{
	solids->movers[m].pose = *pose;
	solids->movers[m].next = *next;
}

/* ---- fields ------------------------------------------------------------------------------- */

#define SET(of, prefix)                                                                           \
	(struct solids_pass)                                                                      \
	{                                                                                         \
		.open_fraction = &(of)->prefix##_fraction, .kernel_open = &(of)->prefix##_kernel, \
		.volume_open = &(of)->prefix##_volume, .phi = &(of)->prefix##_phi                 \
	}

static bool copy_box(struct solids *solids, const struct lattice_box *box,
		     const struct solids_pass *from, const struct solids_pass *to)
{
	const struct grid g = solids->lattice->grid;
	return box_is_empty(box) ||
	       LAUNCH(solids->lattice->cl, solids_copy_box,
		      clx_range3((size_t)box->nx, (size_t)box->ny, (size_t)box->nz), .g = &g,
		      .box = box, .from_fraction = from->open_fraction,
		      .from_kernel = from->kernel_open, .from_volume = from->volume_open,
		      .from_phi = from->phi, .open_fraction = to->open_fraction,
		      .kernel_open = to->kernel_open, .volume_open = to->volume_open,
		      .solid_phi = to->phi);
}

/* Where the mover's fields are to be known, and, in mover->looked, where they have to be made. */
static void find_boxes(struct solids *solids, struct solids_mover *mover, double t)
{
	const struct lattice_box left = mover->box, whole = solids_whole(solids).box;
	struct solid_pose pose;
	pose_at(mover, t, &pose);
	mover->box = box_of(solids, mover, &pose, SOLIDS_KNOWN);
	mover->looked = box_of(solids, mover, &pose, SOLIDS_KNOWN + SOLIDS_AROUND_KNOWN);
	/* FRESHET_BRICKS=all: makes no difference. */
	if (solids->lattice->bricks.all)
		mover->box = mover->looked = whole;
	/* Those of where it was are to be found again, but for what its new box holds. */
	mover->left = !box_is_empty(&mover->box) && box_contains(&mover->looked, &left)
			      ? (struct lattice_box){0}
			      : left;
	if (box_is_empty(&mover->box))
		mover->looked = (struct lattice_box){0};
}

static bool measure_movers(struct solids *solids, double t)
{
	const struct solids_pass fields = solids_whole(solids);
	struct solids_pass own = SET(solids, own);
	bool done = true;
	for (size_t m = 0; m < solids->mover_count; m++) {
		solids->movers[m].maker = m;
		find_boxes(solids, &solids->movers[m], t);
	}
	solids_join_boxes(solids);
	own.ops = (i32)solids->op_count;
	own.farthest = fields.farthest;
	for (size_t m = 0; m < solids->mover_count && done; m++) {
		own.box = solids->movers[m].looked;
		if (box_is_empty(&own.box))
			continue;
		done = solids_measure(solids, &own);
		for (size_t n = 0; n < solids->mover_count && done; n++)
			if (solids->movers[n].maker == m)
				done = copy_box(solids, &solids->movers[n].box, &own, &fields);
	}
	return done;
}

/* Writes their places; `moved`: some are not where they were. */
static bool place(struct solids *solids, double t, bool *moved)
{
	*moved = false;
	for (size_t m = 0; m < solids->mover_count; m++) {
		struct solids_mover *mover = &solids->movers[m];
		struct solid_pose pose;
		f32 words[2 * SHAPE_PLACE_PAIRS];
		pose_at(mover, t, &pose);
		solid_motion_words(&mover->solid->motion, &pose, words);
		if (memcmp(words, mover->placed, sizeof(words)) == 0)
			continue;
		*moved = true;
		memcpy(mover->placed, words, sizeof(words));
		if (!clx_write(solids->lattice->cl, &solids->points,
			       (size_t)mover->place * 2 * sizeof(f32), sizeof(words), words))
			return false;
	}
	return true;
}

bool solids_start_motion(struct solids *solids)
{
	const struct grid *g = &solids->lattice->grid;
	const struct lattice_box whole = {0, 0, 0, g->px, g->py, g->pz};
	const struct solids_pass fields = solids_whole(solids), rest = SET(solids, rest);
	for (size_t m = 0; m < solids->mover_count; m++) {
		struct solids_mover *mover = &solids->movers[m];
		struct solid_pose start;
		solid_motion_at(&mover->solid->motion, 0.0, &start);
		solids_guide(solids, m, &start, &start);
		solid_motion_words(&mover->solid->motion, &start, mover->placed);
	}
	solids->time = 0.0;
	return copy_box(solids, &whole, &fields, &rest) && measure_movers(solids, 0.0);
}

bool solids_move(struct solids *solids, double t)
{
	const struct solids_pass fields = solids_whole(solids), rest = SET(solids, rest);
	bool moved = false;
	if (!solids->moving)
		return true;
	if (!place(solids, t, &moved))
		return false;
	solids->time = t;
	for (size_t m = 0; m < solids->mover_count && moved; m++)
		if (!copy_box(solids, &solids->movers[m].box, &rest, &fields))
			return false;
	if (!moved)
		return true;
	bool done = measure_movers(solids, t);
	for (size_t m = 0; m < solids->mover_count && done; m++) {
		struct solids_pass left = fields;
		left.box = solids->movers[m].left;
		done = box_is_empty(&left.box) || solids_place_references(solids, &left);
	}
	return done;
}

/* ---- the step ----------------------------------------------------------------------------- */

/* The greatest distance of what moves from its center, or a length beyond which nothing is met. */
static double reach_of(const struct solids *solids, const struct scene_solid *solid)
{
	const struct grid *g = &solids->lattice->grid;
	const double most = 4.0 * (double)(g->size_x + g->size_y + g->size_z);
	double square = 0.0;
	for (int a = 0; a < solids->lattice->dim; a++) {
		const double low = fabs(solid->low[a] - solid->motion.center[a]),
			     high = fabs(solid->high[a] - solid->motion.center[a]);
		const double far = low > high ? low : high;
		square += far * far;
	}
	return sqrt(square) < most ? sqrt(square) : most;
}

bool solids_plan_motion(struct solids *solids, double t, double dt)
{
	for (size_t m = 0; m < solids->mover_count; m++) {
		const struct solids_mover *mover = &solids->movers[m];
		const struct solid_motion *motion = &mover->solid->motion;
		struct solid_pose from, to;
		double velocity[3], spin[3], way = 0.0, turn = 0.0;
		f32 words[MOVER_WORDS] = {0.0f};
		pose_at(mover, t, &from);
		pose_after(mover, t, dt, &to);
		solid_motion_between(&from, &to, dt, velocity, spin);
		double same = 0.0; /* of the two quaternions of a turn the nearer one */
		for (int q = 0; q < 4; q++)
			same += from.q[q] * to.q[q];
		for (int q = 0; q < 4; q++) {
			words[MOVER_FROM_TURN + q] = (f32)from.q[q];
			words[MOVER_TO_TURN + q] = (f32)(same < 0.0 ? -to.q[q] : to.q[q]);
		}
		for (int a = 0; a < 3; a++) {
			words[MOVER_FROM + a] = (f32)from.at[a];
			words[MOVER_TO + a] = (f32)to.at[a];
			words[MOVER_CENTER + a] = (f32)motion->center[a];
			words[MOVER_VELOCITY + a] = (f32)velocity[a];
			words[MOVER_SPIN + a] = (f32)spin[a];
			way += velocity[a] * velocity[a];
			turn += spin[a] * spin[a];
		}
		/* Turns between two quaternions are not quite even: a part in a hundred for half a
		 * radian. */
		words[MOVER_WAY] = (f32)(1.01 * sqrt(way) * dt);
		words[MOVER_ANGLE] = (f32)(1.02 * sqrt(turn) * dt);
		words[MOVER_REACH] = (f32)(1.01 * reach_of(solids, mover->solid));
		if (!clx_write(solids->lattice->cl, &solids->mover_words, m * sizeof(words),
			       sizeof(words), words))
			return false;
	}
	return true;
}

/* Of all movers, where there are many, since each launch looks at all of them. */
#define MANY_MOVERS 4
static struct lattice_box box_of_all(const struct solids *solids)
{
	struct lattice_box all = {0};
	for (size_t m = 0; m < solids->mover_count; m++)
		all = box_around(&all, &solids->movers[m].box);
	return all;
}

bool solids_push_faces(struct solids *solids, union f32_buffer *flow)
{
	const bool many = solids->mover_count > MANY_MOVERS;
	const struct lattice_box all = box_of_all(solids);
	const struct grid g = solids->lattice->grid;
	const i32 count = (i32)solids->count, rest = (i32)(solids->count - solids->mover_count);
	const i32 ops = (i32)solids->op_count;
	for (size_t m = 0; m < (many ? 1 : solids->mover_count); m++) {
		const struct lattice_box *box = many ? &all : &solids->movers[m].box;
		if (!box_is_empty(box) &&
		    !LAUNCH(solids->lattice->cl, solids_push_faces,
			    clx_range3((size_t)box->nx, (size_t)box->ny, (size_t)box->nz), .g = &g,
			    .box = box, .ops = &solids->ops, .op_count = I32(ops),
			    .points = &solids->points, .solid_slip = &solids->slip,
			    .solid_count = I32(count), .rest_count = I32(rest),
			    .mover = &solids->mover_words, .rest_fraction = &solids->rest_fraction,
			    .open_fraction = &solids->open_fraction, .flow = flow))
			return false;
	}
	return true;
}

/* How far the fastest point of a mover goes from t to t + dt, in cells, and its turn, rad. */
static void ways(const struct solids *solids, const struct solids_mover *mover, double t, double dt,
		 double *cells, double *turn)
{
	const struct solid_motion *motion = &mover->solid->motion;
	struct solid_pose from, to;
	double way = 0.0, angle = 0.0;
	if (is_body(mover) && !body_is_held(&mover->solid->body, t)) {
		*turn = mover->turning * dt;
		*cells = (mover->speed + mover->turning * reach_of(solids, mover->solid)) * dt /
			 solids->h;
		return;
	}
	solid_motion_at(motion, t, &from);
	for (int part = 1; part <= STEP_PARTS; part++) {
		double velocity[3], spin[3];
		solid_motion_at(motion, t + part * (dt / STEP_PARTS), &to);
		solid_motion_between(&from, &to, 1.0, velocity, spin);
		way += sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] +
			    velocity[2] * velocity[2]);
		angle += sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
		from = to;
	}
	*turn = angle;
	*cells = (way + angle * reach_of(solids, mover->solid)) / solids->h;
}

/* Of mover m; of a body as it has been planned. */
static double way_of(const struct solids *solids, size_t m, double t, double dt)
{
	const struct solids_mover *mover = &solids->movers[m];
	double cells, turn, velocity[3], spin[3], way = 0.0, angle = 0.0;
	if (!is_body(mover)) {
		ways(solids, mover, t, dt, &cells, &turn);
		return cells * solids->h;
	}
	solid_motion_between(&mover->pose, &mover->next, 1.0, velocity, spin);
	for (int a = 0; a < 3; a++) {
		way += velocity[a] * velocity[a];
		angle += spin[a] * spin[a];
	}
	return sqrt(way) + sqrt(angle) * reach_of(solids, mover->solid);
}

double solids_greatest_way(const struct solids *solids, double t, double dt)
{
	double most = 0.0;
	for (size_t m = 0; m < solids->mover_count; m++)
		most = fmax(most, 1.05 * way_of(solids, m, t, dt));
	return most;
}

bool solids_drag_faces(struct solids *solids, const union u8_buffer *valid,
		       const union u8_buffer *opened, union f32_buffer *u, union f32_buffer *delta)
{
	const struct grid g = solids->lattice->grid;
	const struct bricks *b = &solids->lattice->bricks;
	const i32 count = (i32)solids->count, rest = (i32)(solids->count - solids->mover_count);
	const i32 ops = (i32)solids->op_count;
	const bool many = solids->mover_count > MANY_MOVERS;
	const struct lattice_box all = box_of_all(solids);
	for (i32 own = many ? -1 : 0; own < (many ? 0 : (i32)solids->mover_count); own++)
		if (!LAUNCH(solids->lattice->cl, solids_drag_faces, bricks_points(b, BRICKS_BAND),
			    BRICKS(b, BRICKS_BAND), .g = &g,
			    .box = many ? &all : &solids->movers[own].box, .ops = &solids->ops,
			    .op_count = I32(ops), .points = &solids->points,
			    .solid_slip = &solids->slip, .solid_count = I32(count),
			    .rest_count = I32(rest), .own = I32(own), .mover = &solids->mover_words,
			    .valid = valid, .open_fraction = &solids->open_fraction,
			    .opened = opened, .solid_phi = &solids->phi, .u_face = u,
			    .delta = delta))
			return false;
	return true;
}

double solids_longest_step(const struct solids *solids, double t, double dt, double cells)
{
	for (size_t m = 0; m < solids->mover_count; m++)
		for (int attempt = 0; attempt < 8; attempt++) {
			double way, turn;
			ways(solids, &solids->movers[m], t, dt, &way, &turn);
			const double excess = fmax(way / cells, turn / MOST_TURN);
			if (!(excess > 1.0))
				break;
			dt /= excess;
		}
	return dt;
}
