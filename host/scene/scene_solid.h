/* A solid as the scene tells it. */
#ifndef FRESHET_SCENE_SOLID_H
#define FRESHET_SCENE_SOLID_H

#include "bodies/body_mass.h"
#include "motion/solid_motion.h"
#include "shape_program.h"

/* How liquid rubs at a wall: kernels/transfer/friction.cl. */
enum scene_wall_kind { WALL_LAW_NONE, WALL_LAW_SMOOTH, WALL_LAW_ROUGH };
struct scene_wall_law {
	enum scene_wall_kind kind;
	double roughness; /* m, of sand grains (k_s); 0 unless it is rough */
};

/* Axes along which a body does not move, about which it does not turn: bits of `lock`. */
enum scene_lock { LOCK_X, LOCK_Y, LOCK_Z, LOCK_TURN_X, LOCK_TURN_Y, LOCK_TURN_Z, LOCKS };

/* What makes a solid a body, which liquid and contacts move. */
struct scene_body {
	bool given;
	double density;	    /* kg/m^3 */
	double mass;	    /* kg (2D: kg/m) */
	double velocity[3]; /* m/s of the centre, at the start or its release */
	double spin[3];	    /* rad/s; 2D: only z */
	double friction, restitution;
	unsigned lock;	/* 1 << enum scene_lock; in 2D without z and turns about x and y */
	double release; /* s, until when it is where its motion has it */
	struct body_mass of;
};

struct scene_solid {
	char *name;
	struct shape_program shape; /* with a motion: at its place at t = 0 */
	double low[3], high[3];	    /* the box around it as it is told, m; infinite where it is */
	struct solid_motion motion;
	struct scene_wall_law wall_law;
	struct scene_body body; /* its motion's center is the centre of mass */
	bool free_slip; /* false: the tangential velocity of colliding particles is removed too */
};

/* Has it keys, or is it a body? */
bool scene_solid_moves(const struct scene_solid *solid);

#endif
