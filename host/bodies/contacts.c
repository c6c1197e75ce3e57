#include "contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact_shape.h"
#include "matrix3.h"
#include "message.h"

/* In cells, beside what comes near within the substep. */
#define MARGIN 0.02
/* An impact bounces if it is faster than gravity makes it in so many substeps. */
#define BOUNCES 4.0

bool contacts_create(struct contacts *contacts, const struct scene *scene)
{
	const size_t solids = scene->solid_count, bodies = scene->body_count;
	*contacts = (struct contacts){.scene = scene};
	contacts->shapes = calloc(solids + 1, sizeof(*contacts->shapes));
	contacts->inverse = calloc(bodies + 1, sizeof(*contacts->inverse));
	if (!contacts->shapes || !contacts->inverse)
		return message_memory(solids * sizeof(*contacts->shapes), "contacts of bodies");
	for (size_t s = 0; s < solids; s++)
		if (!contact_shape_of(scene, &scene->solids[s], &contacts->shapes[s]))
			return false;
	return true;
}

void contacts_destroy(struct contacts *contacts)
{
	for (size_t s = 0; contacts->shapes && s < contacts->scene->solid_count; s++)
		contact_shape_free(&contacts->shapes[s]);
	free(contacts->shapes);
	free(contacts->inverse);
	free(contacts->list);
	free(contacts->kept);
	*contacts = (struct contacts){0};
}

/* ---- what may touch ------------------------------------------------------------------------ */

/* One contacts_find(). */
struct search {
	struct contacts *contacts;
	const struct body *bodies;
	size_t first; /* of bodies among solids */
	double t, dt;
	double fall; /* m/s that gravity adds in the substep */
	struct contact_points points;
	size_t kept; /* the next of those that may match */
};

static bool is_still(const struct search *s, size_t body)
{
	return body_is_held(&s->contacts->scene->solids[s->first + body].body, s->t);
}

/* Of the fastest point of a body, m/s. */
static double body_speed(const struct search *s, size_t body)
{
	const struct body *b = &s->bodies[body];
	return sqrt(dot3(b->velocity, b->velocity)) +
	       sqrt(dot3(b->spin, b->spin)) * s->contacts->shapes[s->first + body].reach;
}

/* What a keyed solid does over the substep. */
static void solid_velocity(const struct search *s, size_t solid, double velocity[3], double spin[3])
{
	const struct solid_motion *motion = &s->contacts->scene->solids[solid].motion;
	struct solid_pose from, to;
	memset(velocity, 0, 3 * sizeof(*velocity));
	memset(spin, 0, 3 * sizeof(*spin));
	if (motion->key_count == 0)
		return;
	solid_motion_at(motion, s->t, &from);
	solid_motion_at(motion, s->t + s->dt, &to);
	solid_motion_between(&from, &to, s->dt, velocity, spin);
}

static double distance3(const double a[3], const double b[3])
{
	const double way[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	return sqrt(dot3(way, way));
}

/* ---- from points to contacts --------------------------------------------------------------- */

/* The impulse that the same contact had, at this length of substep. */
static void match(struct search *s, struct contact *c)
{
	const struct contacts *all = s->contacts;
	const double factor = all->kept_dt > 0.0 ? s->dt / all->kept_dt : 0.0;
	while (s->kept < all->kept_count &&
	       (all->kept[s->kept].body < c->body ||
		(all->kept[s->kept].body == c->body && all->kept[s->kept].other < c->other)))
		s->kept++;
	for (size_t n = s->kept;
	     n < all->kept_count && all->kept[n].body == c->body && all->kept[n].other == c->other;
	     n++) {
		const struct contact_impulse *k = &all->kept[n];
		if (k->feature != c->feature || k->number != c->number)
			continue;
		c->impulse = factor * k->normal;
		const double along = dot3(k->tangent, c->normal);
		for (int a = 0; a < 3; a++)
			c->tangent[a] = factor * (k->tangent[a] - along * c->normal[a]);
		return;
	}
}

static void set_axes(struct contact *c, int dim)
{
	int least = 0;
	if (dim == 2) {
		c->axis[0][0] = -c->normal[1];
		c->axis[0][1] = c->normal[0];
		return;
	}
	for (int a = 1; a < 3; a++)
		least = fabs(c->normal[a]) < fabs(c->normal[least]) ? a : least;
	double length = 0.0;
	for (int a = 0; a < 3; a++) {
		c->axis[0][a] = (a == least) - c->normal[least] * c->normal[a];
		length += c->axis[0][a] * c->axis[0][a];
	}
	for (int a = 0; a < 3; a++)
		c->axis[0][a] /= sqrt(length);
	cross3(c->normal, c->axis[0], c->axis[1]);
}

static void body_point_velocity(const struct body *b, const double arm[3], double v[3])
{
	cross3(b->spin, arm, v);
	for (int a = 0; a < 3; a++)
		v[a] += b->velocity[a];
}

/* The law of the pair; and what bounces: the speed that it leaves with. */
static void set_law(const struct search *s, struct contact *c)
{
	const struct scene_solid *solids = s->contacts->scene->solids;
	const struct scene_body *own = &solids[s->first + c->body].body;
	double v[3], its[3];
	double restitution = own->restitution;
	c->friction = own->friction;
	body_point_velocity(&s->bodies[c->body], c->arm[0], v);
	memcpy(its, c->moves, sizeof(its));
	if (c->other < CONTACT_SOLID) {
		const struct scene_body *other = &solids[s->first + c->other].body;
		c->friction = sqrt(own->friction * other->friction);
		restitution = fmax(restitution, other->restitution);
		body_point_velocity(&s->bodies[c->other], c->arm[1], its);
	}
	double approach = 0.0;
	for (int a = 0; a < 3; a++)
		approach -= (v[a] - its[a]) * c->normal[a];
	if (approach > BOUNCES * s->fall && c->gap <= (approach + s->fall) * s->dt)
		c->speed = restitution * approach;
}

static bool grow(struct contacts *all, size_t more)
{
	if (all->count + more <= all->capacity)
		return true;
	const size_t capacity = 2 * (all->count + more);
	struct contact *list = realloc(all->list, capacity * sizeof(*list));
	if (!list)
		return message_memory(capacity * sizeof(*list), "contacts of bodies");
	all->list = list;
	all->capacity = capacity;
	return true;
}

static bool add_contacts(struct search *s, uint32_t body, uint32_t other)
{
	struct contacts *all = s->contacts;
	double velocity[3] = {0.0}, spin[3] = {0.0}, center[3] = {0.0};
	const double *x = s->bodies[body].x;
	contact_thin(&s->points, all->scene->dim);
	if (s->points.count == 0)
		return true;
	if (!grow(all, s->points.count))
		return false;
	const bool of_solid = other >= CONTACT_SOLID && other < CONTACT_WALL;
	if (of_solid) {
		solid_velocity(s, other - CONTACT_SOLID, velocity, spin);
		memcpy(center, all->shapes[other - CONTACT_SOLID].pose.at, sizeof(center));
	} else if (other < CONTACT_SOLID) {
		memcpy(center, s->bodies[other].x, sizeof(center));
	}
	struct contact *first = all->list + all->count;
	for (size_t n = 0; n < s->points.count; n++) {
		const struct contact_point *p = &s->points.list[n];
		struct contact *c = &all->list[all->count++];
		*c = (struct contact){
			.body = body, .other = other, .feature = p->feature, .gap = p->gap};
		memcpy(c->arm[0], p->point, sizeof(c->arm[0]));
		memcpy(c->normal, p->normal, sizeof(c->normal));
		for (struct contact *same = first; same < c; same++)
			c->number += same->feature == c->feature;
		for (int a = 0; a < 3; a++) {
			c->point[a] = x[a] + p->point[a];
			c->arm[1][a] = p->point[a] - (center[a] - x[a]);
		}
		if (of_solid) {
			cross3(spin, c->arm[1], c->moves);
			for (int a = 0; a < 3; a++)
				c->moves[a] += velocity[a];
		}
		set_axes(c, all->scene->dim);
		set_law(s, c);
		match(s, c);
	}
	return true;
}

/* ---- pairs --------------------------------------------------------------------------------- */

static bool try_pair(struct search *s, size_t body, const struct contact_shape *other,
		     uint32_t number, double speed)
{
	const struct contact_shape *own = &s->contacts->shapes[s->first + body];
	s->points.count = 0;
	s->points.margin = (body_speed(s, body) + speed + 2.0 * s->fall) * s->dt +
			   MARGIN * s->contacts->scene->h;
	if (isfinite(own->reach) && isfinite(other->reach) &&
	    distance3(own->pose.at, other->pose.at) > own->reach + other->reach + s->points.margin)
		return true;
	/* About the body's centre: rounding knows no place then. */
	struct contact_shape near = *own, far = *other;
	for (int a = 0; a < 3; a++) {
		near.pose.at[a] = 0.0;
		far.pose.at[a] = other->pose.at[a] - own->pose.at[a];
	}
	contact_pair(&near, &far, &s->points);
	return add_contacts(s, (uint32_t)body, number);
}

static bool try_body(struct search *s, size_t body)
{
	const struct scene *scene = s->contacts->scene;
	const struct contact_shape *shapes = s->contacts->shapes;
	bool good = true;
	for (size_t other = 0; good && other < body; other++)
		if (!is_still(s, body) || !is_still(s, other))
			good = try_pair(s, body, &shapes[s->first + other], (uint32_t)other,
					body_speed(s, other));
	if (is_still(s, body))
		return good;
	for (size_t solid = 0; good && solid < s->first; solid++) {
		double velocity[3], spin[3], speed;
		solid_velocity(s, solid, velocity, spin);
		speed = sqrt(dot3(velocity, velocity));
		if (dot3(spin, spin) > 0.0)
			speed += sqrt(dot3(spin, spin)) *
				 (distance3(s->bodies[body].x, shapes[solid].pose.at) +
				  shapes[s->first + body].reach);
		good = try_pair(s, body, &shapes[solid], CONTACT_SOLID + (uint32_t)solid, speed);
	}
	for (int side = 0; good && side < 2 * scene->dim; side++) {
		const struct contact_shape wall = contact_shape_wall(scene, side);
		if (!scene->open[side])
			good = try_pair(s, body, &wall, CONTACT_WALL + (uint32_t)side, 0.0);
	}
	return good;
}

/* Shapes to where they are; what moves bodies. */
static void place(struct search *s)
{
	struct contacts *all = s->contacts;
	for (size_t solid = 0; solid < s->first; solid++)
		if (all->scene->solids[solid].motion.key_count > 0)
			solid_motion_at(&all->scene->solids[solid].motion, s->t,
					&all->shapes[solid].pose);
	for (size_t b = 0; b < all->scene->body_count; b++) {
		body_pose(&s->bodies[b], &all->shapes[s->first + b].pose);
		if (is_still(s, b))
			all->inverse[b] = (struct body_inverse){{0.0}};
		else
			body_inverse_mass(&all->scene->solids[s->first + b].body, all->scene->dim,
					  &s->bodies[b], &all->inverse[b]);
	}
}

bool contacts_find(struct contacts *contacts, const struct body *bodies, const double gravity[3],
		   double t, double dt)
{
	const struct scene *scene = contacts->scene;
	struct search s = {.contacts = contacts,
			   .bodies = bodies,
			   .first = scene->solid_count - scene->body_count,
			   .t = t,
			   .dt = dt};
	contacts->count = 0;
	contacts->dt = dt;
	contacts->gravity = sqrt(dot3(gravity, gravity));
	s.fall = contacts->gravity * dt;
	s.points.list = malloc(CONTACT_POINTS_MOST * sizeof(*s.points.list));
	if (!s.points.list)
		return message_memory(CONTACT_POINTS_MOST * sizeof(*s.points.list),
				      "contacts of bodies");
	place(&s);
	bool good = true;
	for (size_t b = 0; good && b < scene->body_count; b++)
		good = try_body(&s, b);
	free(s.points.list);
	return good;
}
