/*
 * Contacts of bodies with each other, with solids and with the walls of the box: where they touch
 *or are about to, and the impulses there.  One order and + - * / sqrt alone, so that every host
 *gives the same bits.  docs/bodies.md has the equations and where they are from.
 *
 * In a substep from t to t + dt:
 *	contacts_find()		bodies at t, with their velocities then
 *	contacts_warm()		what the last impulses do to velocities
 *	contacts_solve()	impulses anew; again after each projection
 *	contacts_push()		after the bodies' advance: out of each other, places alone
 *	contacts_keep()		impulses for the next substep, once this one is accepted
 */
#ifndef FRESHET_CONTACTS_H
#define FRESHET_CONTACTS_H

#include <stdint.h>

#include "body.h"
#include "scene.h"

/* What a body touches: a body by its number, then solids by theirs + CONTACT_SOLID, then walls by
 * their side + CONTACT_WALL. */
#define CONTACT_SOLID 0x10000u
#define CONTACT_WALL 0x20000u

/* An impulse that the next substep starts from: state, 48 bytes without gaps. */
struct contact_impulse {
	uint32_t body, other, feature, number; /* number: 0, of equal features in order */
	double normal;			       /* kg m/s (2D: kg/s) */
	double tangent[3];		       /* along the axes of the box */
};

struct contact {
	uint32_t body, other, feature, number;
	double point[3];	/* m */
	double normal[3];	/* unit, from `other` to `body` */
	double gap;		/* m; < 0: depth */
	double arm[2][3];	/* m, of the point about the centres of both */
	double friction, speed; /* speed: m/s, of what bounces; else 0 */
	double impulse, tangent[3];
	double depth, pushed; /* of contacts_push(): m to go; its impulse */
	/* For the solve: 1/kg of the normal, of both tangents; unit tangents. */
	double give, give_tangent, axis[2][3];
	double moves[3]; /* m/s, of a solid's surface there */
};

struct contact_shape; /* contact_shape.h */

struct contacts {
	const struct scene *scene;    /* borrowed */
	struct contact_shape *shapes; /* [solid_count], owned: solids, then bodies */
	struct contact *list;	      /* [count], owned; by body, other, in a fixed order */
	size_t count, capacity;
	struct body_inverse *inverse; /* [body_count], 0 of held ones */
	struct contact_impulse *kept; /* [kept_count], owned */
	size_t kept_count, kept_capacity;
	double kept_dt, dt; /* s, of the substep that they are from; of this one */
	double gravity;	    /* m/s^2 */
};

/* Shapes and points of bodies and solids.  False after reporting; destroy it in any case. */
bool contacts_create(struct contacts *contacts, const struct scene *scene);
void contacts_destroy(struct contacts *contacts); /* accepts a zeroed one */

/* bodies[body_count]: at t; gravity: m/s^2, the box's motion included.  Contacts are all pairs that
 * come as near as touching within dt at most.  False after reporting that memory is short. */
bool contacts_find(struct contacts *contacts, const struct body *bodies, const double gravity[3],
		   double t, double dt);

/* velocity[body_count][6]: V (m/s), spin (rad/s); adds M^-1 G^T lambda. */
void contacts_warm(const struct contacts *contacts, double (*velocity)[6]);

/*
 * Corrects impulses and velocities such that nothing goes into another, with friction of Coulomb.
 * Returns the greatest change of a velocity (of a spin: times the body's radius) as a share
 * of g dt.
 */
double contacts_solve(struct contacts *contacts, double (*velocity)[6]);

/* Moves bodies, which have advanced by dt with `velocity`, out of what they are in: a fifth of the
 * depth beyond 0.02 h, at most 0.1 h. */
void contacts_push(struct contacts *contacts, double (*velocity)[6], struct body *bodies);

/* Of the substep: impulse (N s; 2D: N s/m) and its moment about the centre of mass. */
void contacts_impulse(const struct contacts *contacts, size_t body, double impulse[6]);

/* False after reporting that memory is short. */
bool contacts_keep(struct contacts *contacts);
/* Can a scene have these impulses, of a substep of dt? */
bool contacts_can_be(const struct scene *scene, const struct contact_impulse *kept, size_t count,
		     double dt);
/* Takes them in place of what is kept.  False after reporting, also if they cannot be. */
bool contacts_restore(struct contacts *contacts, const struct contact_impulse *kept, size_t count,
		      double dt);

#endif
