#include "bodies/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/body_contacts.h"
#include "message.h"
#include "solids_motion.h"

/* Columns of deflation know of so much around a body: of its radius, and in cells. */
#define MARGIN_RADII 1.0
#define MARGIN_MOST 8
/* Fields of solids know of none that is so far off, in cells. */
#define FAR_CELLS 8.0

/* ---- memory ------------------------------------------------------------------------------- */

static i32 margin_of(const struct scene *scene, const struct scene_solid *solid)
{
	const double cells = ceil(MARGIN_RADII * solid->body.of.radius / scene->h);
	return cells < MARGIN_MOST ? (i32)cells : MARGIN_MOST;
}

void bodies_room(const struct scene *scene, size_t *places, size_t *rows)
{
	*places = *rows = 0;
	for (size_t n = 0; n < scene->solid_count; n++) {
		const struct scene_solid *solid = &scene->solids[n];
		size_t cells[3] = {1, 1, 1};
		if (!solid->body.given)
			continue;
		for (int a = 0; a < scene->dim; a++) {
			const double most = 2.0 * ceil(solid->body.of.radius / scene->h) + 4.0 +
					    2.0 * margin_of(scene, solid);
			cells[a] = most < (double)scene->cells[a] ? (size_t)most
								  : (size_t)scene->cells[a];
		}
		*places += cells[0] * cells[1] * cells[2];
		*rows += cells[1] * cells[2];
	}
}

bool bodies_create(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	const struct scene *scene = sim->scene;
	const size_t numbers = scene->body_count * BODY_VELOCITIES;
	size_t places, rows;
	*b = (struct bodies){.coupling = {.lattice = &sim->lattice}};
	if (scene->body_count == 0)
		return true;
	b->count = scene->body_count;
	b->first = scene->solid_count - b->count;
	b->now = calloc(b->count, sizeof(*b->now));
	b->next = calloc(b->count, sizeof(*b->next));
	b->before = calloc(numbers, sizeof(*b->before));
	b->told = calloc(numbers, sizeof(*b->told));
	b->impulse = calloc(numbers, sizeof(*b->impulse));
	b->lift = calloc(numbers, sizeof(*b->lift));
	if (!b->now || !b->next || !b->before || !b->told || !b->impulse || !b->lift)
		return message_memory(numbers * sizeof(double), "bodies");
	if (!body_contacts_create(sim))
		return false;
	bodies_restart(sim);
	bodies_room(scene, &places, &rows);
	return coupling_create(&b->coupling, &sim->lattice, b->count, places, rows);
}

void bodies_destroy(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	b->coupling.lattice = &sim->lattice;
	coupling_destroy(&b->coupling);
	body_contacts_destroy(sim);
	free(b->now);
	free(b->next);
	free(b->before);
	free(b->told);
	free(b->impulse);
	free(b->lift);
	*b = (struct bodies){0};
}

/* ---- poses -------------------------------------------------------------------------------- */

static const struct scene_solid *solid_of(const struct sim *sim, size_t n)
{
	return &sim->scene->solids[sim->bodies.first + n];
}

/* Its place among the solids that move. */
static size_t mover_of(const struct sim *sim, size_t n)
{
	return sim->solids.mover_count - sim->bodies.count + n;
}

static void guide(struct sim *sim, size_t n, const struct body *from, const struct body *to)
{
	struct solid_pose pose, next;
	body_pose(from, &pose);
	body_pose(to, &next);
	solids_guide(&sim->solids, mover_of(sim, n), &pose, &next);
}

static double length(const double v[3])
{
	return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Has it left the box, through an open wall, by more than the fields around it reach? */
static bool is_far(const struct sim *sim, size_t n)
{
	const struct body *now = &sim->bodies.now[n];
	const double reach = solid_of(sim, n)->body.of.radius + FAR_CELLS * sim->scene->h;
	bool far = false;
	for (int a = 0; a < sim->dim; a++)
		far = far || now->x[a] + reach < 0.0 || now->x[a] - reach > sim->scene->size[a];
	return far;
}

void bodies_begin(struct sim *sim)
{
	const double fall = sqrt(sim->scene->h * length(sim->g));
	for (size_t n = 0; n < sim->bodies.count; n++) {
		const struct body *now = &sim->bodies.now[n];
		struct solids_mover *mover = &sim->solids.movers[mover_of(sim, n)];
		const bool far = is_far(sim, n);
		mover->speed = far ? 0.0 : length(now->velocity) + fall;
		mover->turning = far ? 0.0 : length(now->spin);
		guide(sim, n, now, now);
	}
}

/* Where it comes to with the velocity that faces have been told. */
static void advance(struct sim *sim, size_t n)
{
	struct bodies *b = &sim->bodies;
	const struct scene_solid *solid = solid_of(sim, n);
	struct body *next = &b->next[n];
	if (body_is_held(&solid->body, sim->time)) {
		body_lead(solid, sim->dim, sim->time, sim->dt, next);
	} else {
		*next = b->now[n];
		memcpy(next->velocity, b->told + n * BODY_VELOCITIES, sizeof(next->velocity));
		memcpy(next->spin, b->told + n * BODY_VELOCITIES + 3, sizeof(next->spin));
		body_advance(&solid->body, sim->dim, sim->dt, next);
	}
	guide(sim, n, &b->now[n], next);
}

void bodies_finish(struct sim *sim)
{
	if (sim->bodies.count > 0)
		body_contacts_push(sim);
	for (size_t n = 0; n < sim->bodies.count; n++)
		guide(sim, n, &sim->bodies.next[n], &sim->bodies.next[n]);
}

/* ---- the coupling ------------------------------------------------------------------------- */

/* rho h^D. */
static double cell_mass(const struct sim *sim)
{
	return sim->scene->density * pow(sim->scene->h, sim->dim);
}

/* Number of an axis of the coupling among the velocities of a body. */
static int velocity_of(const struct sim *sim, int axis)
{
	return sim->dim == 2 && axis == 2 ? 5 : axis;
}

static double scale_of(const struct sim *sim, size_t n, int axis)
{
	return axis < sim->dim ? 1.0 : solid_of(sim, n)->body.of.radius;
}

/* The cells around a body; none of one that is held, which no pressure moves. */
static struct lattice_box box_of(const struct sim *sim, size_t n)
{
	const struct scene *scene = sim->scene;
	const struct scene_solid *solid = solid_of(sim, n);
	double low[3], high[3];
	i32 first[3] = {0, 0, 0}, count[3] = {1, 1, 1};
	struct solid_pose pose;
	if (body_is_held(&solid->body, sim->time))
		return (struct lattice_box){0};
	body_pose(&sim->bodies.now[n], &pose);
	solid_motion_bounds(&solid->motion, &pose, solid->low, solid->high, low, high);
	const double margin = margin_of(scene, solid);
	for (int a = 0; a < sim->dim; a++) {
		const double reach = solid->body.of.radius, cells = scene->cells[a];
		const double from = fmax(low[a], pose.at[a] - reach) / scene->h - 1.0 - margin;
		const double to = fmin(high[a], pose.at[a] + reach) / scene->h + 1.0 + margin;
		first[a] = (i32)fmin(fmax(floor(from), 0.0), cells);
		count[a] = (i32)fmin(fmax(ceil(to), 0.0), cells) - first[a];
	}
	if (count[0] <= 0 || count[1] <= 0 || count[2] <= 0)
		return (struct lattice_box){0};
	return (struct lattice_box){first[0], first[1], first[2], count[0], count[1], count[2]};
}

/* C of a body, in the coupling's axes. */
static void masses_of(const struct sim *sim, size_t n, double *inverse)
{
	const struct scene_solid *solid = solid_of(sim, n);
	const int axes = COUPLING_AXES(sim->dim);
	const double mass = cell_mass(sim);
	struct body_inverse of;
	memset(inverse, 0, (size_t)(axes * axes) * sizeof(*inverse));
	if (body_is_held(&solid->body, sim->time))
		return;
	body_inverse_mass(&solid->body, sim->dim, &sim->bodies.now[n], &of);
	for (int a = 0; a < axes; a++)
		for (int c = 0; c < axes; c++) {
			const int va = velocity_of(sim, a), vc = velocity_of(sim, c);
			const double entry = va < 3 || vc < 3 ? va == vc ? of.linear[va] : 0.0
							      : of.angular[va - 3][vc - 3];
			inverse[a * axes + c] =
				mass * entry * scale_of(sim, n, a) * scale_of(sim, n, c);
		}
}

/* has_opened: some faces may have let go. */
static bool cover_cells(struct sim *sim, i32 has_opened)
{
	struct coupling *c = &sim->bodies.coupling;
	const struct solids *s = &sim->solids;
	const struct grid g = sim->lattice.grid;
	const i32 ops = (i32)s->op_count, count = (i32)s->count;
	return LAUNCH(sim->cl, solids_cover_cells, clx_range3((size_t)c->most_rows, c->count, 1),
		      .g = &g, .bodies = &c->body, .ops = &s->ops, .op_count = I32(ops),
		      .points = &s->points, .solid_slip = &s->slip, .solid_count = I32(count),
		      .rest_fraction = &s->rest_fraction, .open_fraction = &s->open_fraction,
		      .cell_type = &sim->cell_type, .phi = &sim->phi, .opened = &sim->opened,
		      .has_opened = I32(has_opened), .kick = &sim->kick, .cover = &c->cover,
		      .gain = &c->gain, .counts = &c->starts) &&
	       coupling_make_list(c, &sim->poisson.mg.levels[0]);
}

static bool place_all(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	struct coupling *c = &b->coupling;
	const size_t block = (size_t)COUPLING_BLOCK(sim->dim);
	double *inverse = malloc(b->count * block * sizeof(*inverse));
	if (!inverse)
		return message_memory(b->count * block * sizeof(*inverse), "masses of bodies");
	for (size_t n = 0; n < b->count; n++) {
		struct coupling_body *body = &c->bodies[n];
		body->box = box_of(sim, n);
		body->own = (i32)(sim->solids.count - b->count + n);
		body->radius = (f32)solid_of(sim, n)->body.of.radius;
		for (int a = 0; a < 3; a++)
			body->center[a] = (f32)b->now[n].x[a];
		masses_of(sim, n, inverse + n * block);
	}
	const bool ok = coupling_place(c, inverse);
	free(inverse);
	return ok;
}

/* velocity[][BODY_VELOCITIES] += C sums, sums as coupling_read() gives them; and the impulse. */
static void push_by(struct sim *sim, const double *sums, double *velocity)
{
	struct bodies *b = &sim->bodies;
	const int axes = COUPLING_AXES(sim->dim);
	const double mass = cell_mass(sim);
	for (size_t n = 0; n < b->count; n++) {
		const f32 *inverse = b->coupling.inverse_now + n * (size_t)(axes * axes);
		for (int a = 0; a < axes; a++) {
			double change = 0.0;
			for (int c = 0; c < axes; c++)
				change += (double)inverse[a * axes + c] *
					  sums[n * (size_t)axes + (size_t)c];
			const size_t to = n * BODY_VELOCITIES + (size_t)velocity_of(sim, a);
			velocity[to] += change / scale_of(sim, n, a);
			b->impulse[to] +=
				mass * sums[n * (size_t)axes + (size_t)a] * scale_of(sim, n, a);
		}
	}
}

/* By gravity and the motion of the box, which does not turn. */
static void add_forces(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	for (size_t n = 0; n < b->count; n++) {
		double *v = b->before + n * BODY_VELOCITIES;
		memcpy(v, b->now[n].velocity, sizeof(b->now[n].velocity));
		memcpy(v + 3, b->now[n].spin, sizeof(b->now[n].spin));
		if (body_is_held(&solid_of(sim, n)->body, sim->time)) {
			struct body led;
			body_follow(solid_of(sim, n), sim->time, sim->dt, &led);
			memcpy(v, led.velocity, sizeof(led.velocity));
			memcpy(v + 3, led.spin, sizeof(led.spin));
			continue;
		}
		for (int a = 0; a < sim->dim; a++)
			if (!(solid_of(sim, n)->body.lock >> (LOCK_X + a) & 1u))
				v[a] += (double)sim->kick.first[a];
	}
}

static void tell(struct sim *sim, const double *velocity)
{
	struct bodies *b = &sim->bodies;
	memcpy(b->told, velocity, b->count * BODY_VELOCITIES * sizeof(*velocity));
	for (size_t n = 0; n < b->count; n++)
		advance(sim, n);
}

bool bodies_push(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	if (b->count == 0)
		return true;
	const size_t numbers = b->count * BODY_VELOCITIES;
	double *sums = calloc(numbers, sizeof(*sums));
	if (!sums)
		return message_memory(numbers * sizeof(*sums), "bodies");
	memset(b->impulse, 0, numbers * sizeof(*b->impulse));
	add_forces(sim);
	const bool ok = body_contacts_find(sim) && place_all(sim) && cover_cells(sim, 0) &&
			coupling_read(&b->coupling, NULL, NULL, sums);
	if (ok) {
		push_by(sim, sums, b->before);
		memcpy(b->lift, b->impulse, numbers * sizeof(*b->lift));
		body_contacts_warm(sim);
		tell(sim, b->before);
	}
	free(sums);
	return ok;
}

bool bodies_deflate(struct sim *sim, bool again)
{
	struct bodies *b = &sim->bodies;
	sim->poisson.coupling = b->count > 0 ? &b->coupling : NULL;
	return b->count == 0 || ((!again || cover_cells(sim, 1)) &&
				 coupling_deflate(&b->coupling, &sim->poisson.mg));
}

bool bodies_add_divergence(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	const int axes = COUPLING_AXES(sim->dim);
	const size_t numbers = b->count * (size_t)axes;
	if (b->count == 0 ||
	    memcmp(b->told, b->before, b->count * BODY_VELOCITIES * sizeof(*b->told)) == 0)
		return true;
	double *more = malloc(numbers * sizeof(*more));
	if (!more)
		return message_memory(numbers * sizeof(*more), "bodies");
	for (size_t n = 0; n < b->count; n++)
		for (int a = 0; a < axes; a++) {
			const size_t from = n * BODY_VELOCITIES + (size_t)velocity_of(sim, a);
			more[n * (size_t)axes + (size_t)a] =
				(b->told[from] - b->before[from]) * scale_of(sim, n, a);
		}
	const bool ok = coupling_add(&b->coupling, more, 1.0f, &sim->poisson.rhs);
	free(more);
	return ok;
}

bool bodies_take(struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	const size_t numbers = b->count * BODY_VELOCITIES;
	if (b->count == 0)
		return true;
	double *sums = calloc(numbers, sizeof(*sums)),
	       *velocity = malloc(numbers * sizeof(*velocity));
	bool ok = sums && velocity;
	if (!ok)
		message_memory(numbers * sizeof(*sums), "bodies");
	ok = ok &&
	     coupling_read(&b->coupling, &sim->poisson.solution, &sim->poisson.solution_low, sums);
	if (ok) {
		memcpy(velocity, b->before, numbers * sizeof(*velocity));
		memcpy(b->impulse, b->lift, numbers * sizeof(*b->impulse));
		push_by(sim, sums, velocity);
		body_contacts_solve(sim, velocity);
		tell(sim, velocity);
	}
	free(sums);
	free(velocity);
	return ok && solids_plan_motion(&sim->solids, sim->time, sim->dt) &&
	       solids_push_faces(&sim->solids, &sim->flow);
}
