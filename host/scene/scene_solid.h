/* A solid as the scene tells it. */
#ifndef FRESHET_SCENE_SOLID_H
#define FRESHET_SCENE_SOLID_H

#include "motion/solid_motion.h"
#include "shape_program.h"

/* How liquid rubs at a wall: kernels/transfer/friction.cl. */
enum scene_wall_kind { WALL_LAW_NONE, WALL_LAW_SMOOTH, WALL_LAW_ROUGH };
struct scene_wall_law {
	enum scene_wall_kind kind;
	double roughness; /* m, of sand grains (k_s); 0 unless it is rough */
};

struct scene_solid {
	char *name;
	struct shape_program shape; /* with a motion: at its place at t = 0 */
	double low[3], high[3];	    /* the box around it as it is told, m; infinite where it is */
	struct solid_motion motion;
	struct scene_wall_law wall_law;
	bool free_slip; /* false: the tangential velocity of colliding particles is removed too */
};

#endif
