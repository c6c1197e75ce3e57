/* The moving frame by its definition, for tests. */
#ifndef FRESHET_FRAME_SUPPORT_H
#define FRESHET_FRAME_SUPPORT_H

#include "frame.h"

/* Where a point x of the box is, from the definition in frame.h. */
static inline void place(const struct scene_frame *f, double t, const double x[3], double out[3])
{
	struct frame_motion m;
	double arm[3];
	frame_at(f, t, &m);
	for (int a = 0; a < 3; a++)
		arm[a] = x[a] - f->center[a];
	frame_turn(f->axis, m.angle, arm, out);
	for (int a = 0; a < 3; a++)
		out[a] += f->center[a] + m.position[a];
}

#endif
