/* The moving frame by its definition, for tests. */
#ifndef FRESHET_FRAME_SUPPORT_H
#define FRESHET_FRAME_SUPPORT_H

#include "box_motion.h"

/* Where a point x of the box is, from the definition in box_motion.h. */
static inline void place(const struct scene_motion *f, double t, const double x[3], double out[3])
{
	struct box_motion m;
	double arm[3];
	box_motion_at(f, t, &m);
	for (int a = 0; a < 3; a++)
		arm[a] = x[a] - f->center[a];
	box_motion_turn(f->axis, m.angle, arm, out);
	for (int a = 0; a < 3; a++)
		out[a] += f->center[a] + m.position[a];
}

#endif
