/* Contacts against another implementation: the Open Dynamics Engine, whose boxes and floor are the
 * same.  Numbers are of ODE's quick stepper with steps that are a quarter of ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contact_world.h"
#include <cmocka.h>

/* Both have a macro of that name. */
#undef REAL
#include <ode/ode.h>

#define DT (1.0 / 240.0)
#define STEPS 4 /* of ODE in one of ours */
#define MOST 8

static struct {
	dWorldID world;
	dSpaceID space;
	dJointGroupID joints;
	dBodyID body[MOST];
	double friction;
} ode;

static void ode_touch(void *unused, dGeomID one, dGeomID other)
{
	dContact contact[8];
	(void)unused;
	const int count = dCollide(one, other, 8, &contact[0].geom, sizeof(*contact));
	for (int i = 0; i < count; i++) {
		contact[i].surface.mode = dContactApprox1;
		contact[i].surface.mu = ode.friction;
		dJointAttach(dJointCreateContact(ode.world, ode.joints, &contact[i]),
			     dGeomGetBody(one), dGeomGetBody(other));
	}
}

/* The boxes of a world of ours, on the floor y = 0. */
static void ode_open(const struct world *w)
{
	dInitODE2(0);
	ode.world = dWorldCreate();
	ode.space = dSimpleSpaceCreate(0);
	ode.joints = dJointGroupCreate(0);
	ode.friction = world_body(w, 0)->friction;
	dCreatePlane(ode.space, 0, 1, 0, 0);
	dWorldSetGravity(ode.world, w->gravity[0], w->gravity[1], w->gravity[2]);
	dWorldSetQuickStepNumIterations(ode.world, 200);
	dWorldSetERP(ode.world, 0.2);
	dWorldSetCFM(ode.world, 1e-9);
	for (size_t b = 0; b < w->scene->body_count; b++) {
		const struct scene_solid *solid = &w->scene->solids[w->first + b];
		const struct body *state = &w->bodies[b];
		dMass mass;
		double side[3];
		for (int a = 0; a < 3; a++)
			side[a] = solid->high[a] - solid->low[a];
		dMassSetBoxTotal(&mass, solid->body.of.mass, side[0], side[1], side[2]);
		ode.body[b] = dBodyCreate(ode.world);
		dBodySetMass(ode.body[b], &mass);
		dGeomSetBody(dCreateBox(ode.space, side[0], side[1], side[2]), ode.body[b]);
		dBodySetPosition(ode.body[b], state->x[0], state->x[1], state->x[2]);
		dBodySetLinearVel(ode.body[b], state->velocity[0], state->velocity[1],
				  state->velocity[2]);
		dBodySetAngularVel(ode.body[b], state->spin[0], state->spin[1], state->spin[2]);
	}
}

static void ode_run(double seconds)
{
	for (int n = 0; n < (int)(seconds / DT + 0.5) * STEPS; n++) {
		dSpaceCollide(ode.space, NULL, ode_touch);
		dWorldQuickStep(ode.world, DT / STEPS);
		dJointGroupEmpty(ode.joints);
	}
}

static void ode_close(void)
{
	dJointGroupDestroy(ode.joints);
	dSpaceDestroy(ode.space);
	dWorldDestroy(ode.world);
	dCloseODE();
}

/* How upright: y of the axis that was y. */
static double upright(const struct world *w, size_t b)
{
	struct solid_pose pose;
	body_pose(&w->bodies[b], &pose);
	return pose.turn[1][1];
}

#define BOX_WORLD "domain: {size: [12.8, 3.2, 3.2], cells: 128}\n"

/* On a slope, from rest: the same way in 1 s. */
static void test_slope(void **state)
{
	(void)state;
	const double angle = 0.35, g = 9.81;
	static char text[500];
	snprintf(text, sizeof(text),
		 BOX_WORLD
		 "gravity: [%.17g, %.17g, 0]\nbodies:\n"
		 "- {box: {min: [1, 0, 1], max: [1.8, 0.4, 1.6]}, density: 500, friction: 0.25}\n",
		 g * sin(angle), -g * cos(angle));
	struct world w = world_of(text);
	ode_open(&w);
	const double start = w.bodies[0].x[0];
	world_run(&w, DT, 1.0);
	ode_run(1.0);
	const double ours = w.bodies[0].x[0] - start,
		     its = dBodyGetPosition(ode.body[0])[0] - start;
	print_message("slope: %.5f m, ODE %.5f m\n", ours, its);
	/* Both first order in the step: half of it times the speed reached. */
	assert_true(fabs(ours - its) < 0.51 * DT * w.bodies[0].velocity[0]);
	ode_close();
	world_free(&w);
}

/* One box slides into two others and pushes them: where all come to rest. */
static void test_row(void **state)
{
	(void)state;
	struct world w = world_of(
		BOX_WORLD
		"bodies:\n"
		"- {box: {min: [1, 0, 1], max: [1.6, 0.4, 1.6]}, density: 500, velocity: [4, 0, 0]}\n"
		"- {box: {min: [2, 0, 1], max: [2.6, 0.4, 1.6]}, density: 200}\n"
		"- {box: {min: [2.7, 0, 1], max: [3.3, 0.4, 1.6]}, density: 200}\n");
	ode_open(&w);
	world_run(&w, DT, 2.0);
	ode_run(2.0);
	for (size_t b = 0; b < 3; b++) {
		const double ours = w.bodies[b].x[0], its = dBodyGetPosition(ode.body[b])[0];
		print_message("row: %.4f m, ODE %.4f m\n", ours, its);
		/* Of a way of 1 m: two steps at the speed of the impact. */
		assert_true(fabs(ours - its) < 2.0 * DT * 4.0);
		assert_true(world_speed(&w, b) < 1e-3);
	}
	ode_close();
	world_free(&w);
}

/* A stack of five: it stands in both. */
static void test_stack(void **state)
{
	(void)state;
	struct world w = world_of(
		BOX_WORLD "bodies:\n"
			  "- {box: {min: [1, 0.0, 1], max: [1.4, 0.4, 1.4]}, density: 500}\n"
			  "- {box: {min: [1, 0.4, 1], max: [1.4, 0.8, 1.4]}, density: 500}\n"
			  "- {box: {min: [1, 0.8, 1], max: [1.4, 1.2, 1.4]}, density: 500}\n"
			  "- {box: {min: [1, 1.2, 1], max: [1.4, 1.6, 1.4]}, density: 500}\n"
			  "- {box: {min: [1, 1.6, 1], max: [1.4, 2.0, 1.4]}, density: 500}\n");
	ode_open(&w);
	world_run(&w, DT, 2.0);
	ode_run(2.0);
	for (size_t b = 0; b < 5; b++) {
		const dReal *its = dBodyGetPosition(ode.body[b]);
		print_message("stack: %.5f m, ODE %.5f m\n", w.bodies[b].x[1], its[1]);
		/* What each may sink. */
		assert_true(fabs(w.bodies[b].x[1] - its[1]) < 0.1 * w.scene->h);
	}
	ode_close();
	world_free(&w);
}

/* A tall box that is thrown: it falls over in both, or in none, on both sides of the speed that
 * takes its centre over the edge. */
static void test_topple(void **state)
{
	(void)state;
	/* 0.4 wide, 1.2 high, friction enough: about the edge the angular momentum stays, and the
	 * centre must rise from 0.6 to sqrt(0.4) m. */
	const double m = 500.0 * 0.4 * 1.2 * 0.6, edge = m * (0.16 + 1.44) / 3.0;
	const double spin = sqrt(2.0 * m * 9.81 * (sqrt(0.4) - 0.6) / edge);
	const double speed = spin * edge / (m * 0.6);
	for (int more = 0; more < 2; more++) {
		static char text[500];
		snprintf(text, sizeof(text),
			 BOX_WORLD "bodies:\n- {box: {min: [1, 0, 1], max: [1.4, 1.2, 1.6]}, "
				   "density: 500, friction: 10, velocity: [%.6f, 0, 0]}\n",
			 speed * (more ? 1.15 : 0.85));
		struct world w = world_of(text);
		ode_open(&w);
		world_run(&w, DT, 3.0);
		ode_run(3.0);
		const double ours = upright(&w, 0), its = dBodyGetRotation(ode.body[0])[5];
		print_message("topple at %g: upright %.3f, ODE %.3f\n", more ? 1.15 : 0.85, ours,
			      its);
		assert_true(fabs(ours - (more ? 0.0 : 1.0)) < 0.01);
		assert_true(fabs(its - (more ? 0.0 : 1.0)) < 0.01);
		ode_close();
		world_free(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slope),
		cmocka_unit_test(test_row),
		cmocka_unit_test(test_stack),
		cmocka_unit_test(test_topple),
	};
	return cmocka_run_group_tests_name("bodies ode", tests, NULL, NULL);
}
