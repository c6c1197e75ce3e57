/* Impulses of contacts: projected Gauss-Seidel on what the last substep left (Catto 2005). */
#include <math.h>
#include <string.h>

#include "contacts.h"
#include "matrix3.h"

/* Sweeps, each there and back; none changes a velocity by more than this share of g dt at the end.
 */
#define SWEEPS_MOST 100
#define SETTLED 1e-6
/* m/s^2, where there is no gravity to go by. */
#define LEAST_GRAVITY 0.01
/* Of contacts_push(): share of the depth; cells that are left, that it goes at most; sweeps. */
#define PUSH_SHARE 0.2
#define PUSH_LEFT 0.02
#define PUSH_MOST 0.1
#define PUSH_SWEEPS 30

/* v (V, spin) of a body under an impulse p at `arm`. */
static void apply(const struct body_inverse *inverse, const double arm[3], const double p[3],
		  double sign, double v[6])
{
	double moment[3], turn[3];
	cross3(arm, p, moment);
	times3(FLAT3(inverse->angular), moment, turn);
	for (int a = 0; a < 3; a++) {
		v[a] += sign * inverse->linear[a] * p[a];
		v[a + 3] += sign * turn[a];
	}
}

static void apply_to_both(const struct contact *c, const struct body_inverse *inverse,
			  const double p[3], double (*velocity)[6])
{
	apply(&inverse[c->body], c->arm[0], p, 1.0, velocity[c->body]);
	if (c->other < CONTACT_SOLID)
		apply(&inverse[c->other], c->arm[1], p, -1.0, velocity[c->other]);
}

static void point_velocity(const double v[6], const double arm[3], double sign, double sum[3])
{
	double turn[3];
	cross3(v + 3, arm, turn);
	for (int a = 0; a < 3; a++)
		sum[a] += sign * (v[a] + turn[a]);
}

/* Of the point of `body` less that of what it touches. */
static void relative_velocity(const struct contact *c, double (*velocity)[6], double v[3])
{
	for (int a = 0; a < 3; a++)
		v[a] = -c->moves[a];
	point_velocity(velocity[c->body], c->arm[0], 1.0, v);
	if (c->other < CONTACT_SOLID)
		point_velocity(velocity[c->other], c->arm[1], -1.0, v);
}

/* How fast the point gets along n by an impulse of 1 there. */
static double give_along(const struct contact *c, const struct body_inverse *inverse,
			 const double n[3])
{
	double give = 0.0;
	for (int i = 0; i < 2; i++) {
		double moment[3], turn[3];
		const size_t body = i == 0 ? c->body : c->other;
		if (body >= CONTACT_SOLID)
			continue;
		cross3(c->arm[i], n, moment);
		times3(FLAT3(inverse[body].angular), moment, turn);
		give += dot3(moment, turn);
		for (int a = 0; a < 3; a++)
			give += inverse[body].linear[a] * n[a] * n[a];
	}
	return give;
}

void contacts_warm(const struct contacts *contacts, double (*velocity)[6])
{
	for (size_t n = 0; n < contacts->count; n++) {
		const struct contact *c = &contacts->list[n];
		double p[3];
		for (int a = 0; a < 3; a++)
			p[a] = c->impulse * c->normal[a] + c->tangent[a];
		apply_to_both(c, contacts->inverse, p, velocity);
	}
}

static void prepare(struct contacts *contacts)
{
	const size_t axes = contacts->scene->dim == 2 ? 1 : 2;
	for (size_t n = 0; n < contacts->count; n++) {
		struct contact *c = &contacts->list[n];
		c->give = give_along(c, contacts->inverse, c->normal);
		c->give_tangent = 0.0;
		for (size_t t = 0; t < axes; t++)
			c->give_tangent =
				fmax(c->give_tangent, give_along(c, contacts->inverse, c->axis[t]));
	}
}

/* Of friction: no slip, but no more than the cone has. */
static double rub(struct contacts *contacts, struct contact *c, double (*velocity)[6])
{
	const int axes = contacts->scene->dim == 2 ? 1 : 2;
	double v[3], wanted[3], change[3], square = 0.0;
	if (!(c->give_tangent > 0.0))
		return 0.0;
	relative_velocity(c, velocity, v);
	memcpy(wanted, c->tangent, sizeof(wanted));
	for (int t = 0; t < axes; t++) {
		const double slip = dot3(v, c->axis[t]) / c->give_tangent;
		for (int a = 0; a < 3; a++)
			wanted[a] -= slip * c->axis[t][a];
	}
	const double most = c->friction * c->impulse, length = sqrt(dot3(wanted, wanted));
	for (int a = 0; a < 3; a++) {
		wanted[a] *= length > most ? most / length : 1.0;
		change[a] = wanted[a] - c->tangent[a];
		c->tangent[a] = wanted[a];
		square += change[a] * change[a];
	}
	apply_to_both(c, contacts->inverse, change, velocity);
	return sqrt(square) * c->give_tangent;
}

/* Of one contact; returns how much its relative velocity has changed. */
static double relax(struct contacts *contacts, struct contact *c, double (*velocity)[6])
{
	double v[3], change[3];
	if (!(c->give > 0.0))
		return 0.0;
	relative_velocity(c, velocity, v);
	/* What is apart may come as near as touching. */
	const double least = c->speed > 0.0 ? c->speed
			     : c->gap > 0.0 ? -c->gap / contacts->dt
					    : 0.0;
	const double impulse = fmax(c->impulse + (least - dot3(v, c->normal)) / c->give, 0.0);
	const double more = impulse - c->impulse;
	for (int a = 0; a < 3; a++)
		change[a] = more * c->normal[a];
	c->impulse = impulse;
	apply_to_both(c, contacts->inverse, change, velocity);
	return fmax(fabs(more) * c->give, rub(contacts, c, velocity));
}

double contacts_solve(struct contacts *contacts, double (*velocity)[6])
{
	const struct scene *scene = contacts->scene;
	const size_t first = scene->solid_count - scene->body_count;
	const double unit = fmax(contacts->gravity, LEAST_GRAVITY) * contacts->dt;
	double start[SCENE_BODIES_MOST][6], greatest = 0.0;
	if (contacts->count == 0)
		return 0.0;
	memcpy(start, velocity, scene->body_count * sizeof(*velocity));
	prepare(contacts);
	for (int sweep = 0; sweep < SWEEPS_MOST; sweep++) {
		double change = 0.0;
		for (size_t n = 0; n < contacts->count; n++)
			change = fmax(change, relax(contacts, &contacts->list[n], velocity));
		for (size_t n = contacts->count; n-- > 0;)
			change = fmax(change, relax(contacts, &contacts->list[n], velocity));
		if (change < SETTLED * unit)
			break;
	}
	for (size_t b = 0; b < scene->body_count; b++) {
		double way[3], turn[3];
		for (int a = 0; a < 3; a++) {
			way[a] = velocity[b][a] - start[b][a];
			turn[a] = velocity[b][a + 3] - start[b][a + 3];
		}
		greatest = fmax(greatest, sqrt(dot3(way, way)));
		greatest = fmax(greatest,
				sqrt(dot3(turn, turn)) * scene->solids[first + b].body.of.radius);
	}
	return greatest / unit;
}

void contacts_push(struct contacts *contacts, double (*velocity)[6], struct body *bodies)
{
	const struct scene *scene = contacts->scene;
	const struct scene_solid *solids = scene->solids + scene->solid_count - scene->body_count;
	double way[SCENE_BODIES_MOST][6] = {{0.0}};
	bool any = false;
	for (size_t n = 0; n < contacts->count; n++) {
		struct contact *c = &contacts->list[n];
		double v[3];
		relative_velocity(c, velocity, v);
		const double depth = -(c->gap + dot3(v, c->normal) * contacts->dt);
		c->pushed = 0.0;
		c->depth = fmin(PUSH_SHARE * (depth - PUSH_LEFT * scene->h), PUSH_MOST * scene->h);
		c->give = give_along(c, contacts->inverse, c->normal);
		any |= c->depth > 0.0;
	}
	for (int sweep = 0; any && sweep < PUSH_SWEEPS; sweep++)
		for (size_t n = 0; n < contacts->count; n++) {
			struct contact *c = &contacts->list[n];
			double v[3] = {0.0}, change[3];
			if (!(c->give > 0.0))
				continue;
			point_velocity(way[c->body], c->arm[0], 1.0, v);
			if (c->other < CONTACT_SOLID)
				point_velocity(way[c->other], c->arm[1], -1.0, v);
			const double pushed =
				fmax(c->pushed + (c->depth - dot3(v, c->normal)) / c->give, 0.0);
			for (int a = 0; a < 3; a++)
				change[a] = (pushed - c->pushed) * c->normal[a];
			c->pushed = pushed;
			apply_to_both(c, contacts->inverse, change, way);
		}
	for (size_t b = 0; any && b < scene->body_count; b++)
		body_shift(&solids[b].body, &bodies[b], way[b], way[b] + 3);
}

void contacts_impulse(const struct contacts *contacts, size_t body, double impulse[6])
{
	memset(impulse, 0, 6 * sizeof(*impulse));
	for (size_t n = 0; n < contacts->count; n++) {
		const struct contact *c = &contacts->list[n];
		double p[3], moment[3];
		const bool own = c->body == body;
		if (!own && c->other != body)
			continue;
		for (int a = 0; a < 3; a++)
			p[a] = (own ? 1.0 : -1.0) * (c->impulse * c->normal[a] + c->tangent[a]);
		cross3(c->arm[own ? 0 : 1], p, moment);
		for (int a = 0; a < 3; a++) {
			impulse[a] += p[a];
			impulse[a + 3] += moment[a];
		}
	}
}
