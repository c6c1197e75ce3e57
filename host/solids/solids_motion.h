/*
 * Solids that move.  Their fields are those that solids_create() would make of the scene at their
 * places now, to the bit: made anew in boxes around them, and elsewhere those of what rests
 * (docs/method.md, "Solids that move").
 */
#ifndef FRESHET_SOLIDS_MOTION_H
#define FRESHET_SOLIDS_MOTION_H

#include "solids.h"

/* Part of solids_create(), once what rests is measured into the fields: to the places at t = 0. */
bool solids_start_motion(struct solids *solids);

/* Tells where mover m, a body, is from now on (solids_move()), and where after the substep
 * (solids_plan_motion()). */
void solids_guide(struct solids *solids, size_t m, const struct solid_pose *pose,
		  const struct solid_pose *next);

/* To the places at time t, s, of bodies to those told; nothing to do if they are there. */
bool solids_move(struct solids *solids, double t);

/* Before a substep from t to t + dt with the solids at t: the movers' words for it. */
bool solids_plan_motion(struct solids *solids, double t, double dt);

/* After solids_plan_motion(): adds to flow (f32 [D][L], m/s) what the parts of faces that movers
 * cover push through them. */
bool solids_push_faces(struct solids *solids, union f32_buffer *flow);

/* How far any point of a mover goes at most from t to t + dt, m. */
double solids_greatest_way(const struct solids *solids, double t, double dt);

/* At closed faces inside the box, in listed bricks: what closes them with no velocity (u and delta,
 * f32 [D][L], m/s) gets the movers'. */
bool solids_drag_faces(struct solids *solids, const union u8_buffer *valid,
		       const union u8_buffer *opened, union f32_buffer *u, union f32_buffer *delta);

/* The longest step from t of at most dt, s, in which no mover goes further than `cells` cells or
 * turns by more than 0.1 rad. */
double solids_longest_step(const struct solids *solids, double t, double dt, double cells);

#endif
