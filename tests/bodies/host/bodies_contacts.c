/* Contacts: against the laws of Coulomb and Newton. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_world.h"

#define G 9.81
#define PI 3.14159265358979323846
#define DT (1.0 / 240.0)

/* ---- stacks -------------------------------------------------------------------------------- */

/* Ten boxes of 0.2 m, on a floor. */
static struct world stack_of(int dim, int boxes)
{
	static char text[8000];
	snprintf(text, sizeof(text), "domain: {size: %s, cells: 32}\nbodies:\n",
		 dim == 2 ? "[3.2, 3.2]" : "[3.2, 3.2, 3.2]");
	for (int n = 0; n < boxes; n++) {
		char box[200];
		snprintf(box, sizeof(box),
			 "- {box: {min: [1.5, %.1f%s], max: [1.7, %.1f%s]}, density: 500}\n",
			 0.2 * n, dim == 3 ? ", 1.5" : "", 0.2 * (n + 1), dim == 3 ? ", 1.7" : "");
		strcat(text, box);
	}
	return world_of(text);
}

static void test_stack(void **state)
{
	(void)state;
	for (int dim = 2; dim <= 3; dim++) {
		struct world w = stack_of(dim, 10);
		const double h = w.scene->h;
		double fastest = 0.0, lean = 0.0, sunk = 0.0;
		world_run(&w, DT, 1.0);
		for (int n = 0; n < 240; n++) {
			world_step(&w, DT);
			for (size_t b = 0; b < 10; b++)
				fastest = fmax(fastest, world_speed(&w, b));
		}
		for (size_t b = 0; b < 10; b++) {
			lean = fmax(lean, fabs(w.bodies[b].x[0] - 1.6));
			sunk = fmax(sunk, 0.1 + 0.2 * (double)b - w.bodies[b].x[1]);
		}
		print_message("%dD stack of 10: %.3g m/s after 1 s, lean %.2g m, sunk %.2g h\n",
			      dim, fastest, lean, sunk / h);
		assert_true(fastest <= 1e-3);
		assert_true(lean <= 1e-3);
		assert_true(sunk <= 10 * 0.02 * h);
		world_free(&w);
	}
}

/* ---- slopes -------------------------------------------------------------------------------- */

/* A body on a floor, with gravity as on a slope of `angle`. */
static struct world slope_of(int dim, const char *body, double angle)
{
	static char text[1000];
	snprintf(
		text, sizeof(text),
		dim == 2
			? "domain: {size: [25.6, 3.2], cells: 256}\ngravity: [%.17g, %.17g]\nbodies:\n- {%s}\n"
			: "domain: {size: [25.6, 3.2, 3.2], cells: 256}\ngravity: [%.17g, %.17g, 0]\n"
			  "bodies:\n- {%s}\n",
		G * sin(angle), -G * cos(angle), body);
	return world_of(text);
}

#define BLOCK_2D "box: {min: [1, 0], max: [1.8, 0.4]}, density: 500, friction: "
#define BLOCK_3D "box: {min: [1, 0, 1.2], max: [1.8, 0.4, 1.8]}, density: 500, friction: "

static void test_slopes(void **state)
{
	(void)state;
	const double angle = 20.0 * PI / 180.0;
	for (int dim = 2; dim <= 3; dim++) {
		struct world w = slope_of(dim, dim == 2 ? BLOCK_2D "0.5" : BLOCK_3D "0.5", angle);
		world_run(&w, DT, 5.0);
		print_message("%dD, 20 degrees, 0.5: moved %.2g m, %.2g m/s\n", dim,
			      w.bodies[0].x[0] - 1.4, world_speed(&w, 0));
		assert_true(fabs(w.bodies[0].x[0] - 1.4) < 1e-3);
		world_free(&w);
		w = slope_of(dim, dim == 2 ? BLOCK_2D "0.3" : BLOCK_3D "0.3", angle);
		world_run(&w, DT, 0.5);
		const double before = w.bodies[0].velocity[0];
		world_run(&w, DT, 1.0);
		const double rate = w.bodies[0].velocity[0] - before;
		const double exact = G * (sin(angle) - 0.3 * cos(angle));
		print_message("%dD, 20 degrees, 0.3: %.8g m/s2, exact %.8g\n", dim, rate, exact);
		assert_true(fabs(rate / exact - 1.0) < 1e-3);
		world_free(&w);
		/* On either side of the angle of friction. */
		for (int more = 0; more < 2; more++) {
			w = slope_of(dim, dim == 2 ? BLOCK_2D "0.5" : BLOCK_3D "0.5",
				     atan(0.5) + (more ? 0.01 : -0.01));
			world_run(&w, DT, 1.0);
			if (more)
				assert_true(w.bodies[0].velocity[0] > 0.05);
			else
				assert_true(w.bodies[0].velocity[0] < 1e-4);
			world_free(&w);
		}
	}
}

/* A diagonal slope in 3D: friction is no stronger there. */
static void test_cone(void **state)
{
	(void)state;
	const double angle = 20.0 * PI / 180.0, a = G * sin(angle) / sqrt(2.0);
	static char text[1000];
	snprintf(
		text, sizeof(text),
		"domain: {size: [12.8, 3.2, 12.8], cells: 64}\ngravity: [%.17g, %.17g, %.17g]\n"
		"bodies:\n- {box: {min: [1, 0, 1], max: [2, 0.5, 2]}, density: 1, friction: 0.3}\n",
		a, -G * cos(angle), a);
	struct world w = world_of(text);
	world_run(&w, DT, 1.0);
	const double rate = world_speed(&w, 0);
	assert_true(fabs(rate / (G * (sin(angle) - 0.3 * cos(angle))) - 1.0) < 2e-3);
	assert_true(fabs(w.bodies[0].velocity[0] - w.bodies[0].velocity[2]) < 1e-3 * rate);
	world_free(&w);
}

/* Without slip a disc gets 2/3, a ball 5/7, a cylinder 2/3 of g sin; with little friction it slips.
 */
static void test_rolling(void **state)
{
	(void)state;
	const struct {
		int dim;
		const char *body;
		double share;
	} rows[] = {
		{2, "sphere: {center: [1, 0.5], radius: 0.5}, density: 700", 2.0 / 3.0},
		{3, "sphere: {center: [1, 0.5, 1.6], radius: 0.5}, density: 700", 5.0 / 7.0},
		{3, "cylinder: {a: [1, 0.5, 1], b: [1, 0.5, 2], radius: 0.5}, density: 700",
		 2.0 / 3.0},
	};
	const double angle = 0.3;
	for (size_t n = 0; n < sizeof(rows) / sizeof(*rows); n++) {
		struct world w = slope_of(rows[n].dim, rows[n].body, angle);
		world_run(&w, DT, 1.0);
		const double exact = rows[n].share * G * sin(angle), v = w.bodies[0].velocity[0];
		print_message("rolls with %.8g m/s2, exact %.8g; slips %.2g m/s\n", v, exact,
			      v + 0.5 * w.bodies[0].spin[2]);
		assert_true(fabs(v / exact - 1.0) < 1e-3);
		assert_true(fabs(v + 0.5 * w.bodies[0].spin[2]) < 1e-4);
		assert_true(fabs(w.bodies[0].x[1] - 0.5) < 0.02 * w.scene->h);
		world_free(&w);
	}
	struct world w = slope_of(
		2, "sphere: {center: [1, 0.5], radius: 0.5}, density: 700, friction: 0.05", angle);
	world_run(&w, DT, 1.0);
	const double exact = G * (sin(angle) - 0.05 * cos(angle));
	assert_true(fabs(w.bodies[0].velocity[0] / exact - 1.0) < 1e-3);
	/* Torque mu N r on m r^2 / 2. */
	assert_true(fabs(-w.bodies[0].spin[2] / (2.0 * 0.05 * G * cos(angle) / 0.5) - 1.0) < 2e-3);
	world_free(&w);
}

/* ---- impacts ------------------------------------------------------------------------------- */

static void test_restitution(void **state)
{
	(void)state;
	for (int dim = 2; dim <= 3; dim++)
		for (int e = 0; e <= 4; e++) {
			char text[400];
			snprintf(
				text, sizeof(text),
				dim == 2
					? "domain: {size: [3.2, 3.2], cells: 32}\nbodies: [{sphere: "
					  "{center: [1.6, 1.5], radius: 0.3}, density: 1, restitution: %g}]\n"
					: "domain: {size: [3.2, 3.2, 3.2], cells: 32}\nbodies: [{sphere: "
					  "{center: [1.6, 1.5, 1.6], radius: 0.3}, density: 1, restitution: "
					  "%g}]\n",
				0.25 * e);
			struct world w = world_of(text);
			double fastest = 0.0, up = 0.0;
			for (int n = 0; n < 200; n++) {
				world_step(&w, DT);
				fastest = fmin(fastest, w.bodies[0].velocity[1]);
				up = fmax(up, w.bodies[0].velocity[1]);
			}
			/* The impact is of the speed at the start of its substep. */
			assert_true(fabs(up - 0.25 * e * -fastest) <= G * DT + 1e-9);
			world_free(&w);
		}
}

/* Two discs meet, off centre, without gravity: momentum and angular momentum stay; with
 * restitution 1 and no friction energy, too; and the mirrored scene is the mirror image, to the
 * bit. */
static void momenta(const struct world *w, double sum[3], double *energy)
{
	memset(sum, 0, 3 * sizeof(*sum));
	*energy = 0.0;
	for (size_t b = 0; b < w->scene->body_count; b++) {
		const struct body *body = &w->bodies[b];
		const double m = world_body(w, b)->of.mass;
		double l[3];
		body_angular_momentum(world_body(w, b), body, l);
		sum[0] += m * body->velocity[0];
		sum[1] += m * body->velocity[1];
		sum[2] += l[2] +
			  m * (body->x[0] * body->velocity[1] - body->x[1] * body->velocity[0]);
		*energy += body_kinetic(world_body(w, b), body);
	}
}

static struct world discs(double mirror, double friction, double restitution)
{
	static char text[1000];
	snprintf(
		text, sizeof(text),
		"domain: {size: [4, 4], cells: 32}\ngravity: [0, 0]\nbodies:\n"
		"- {sphere: {center: [%.17g, 2], radius: 0.5}, density: 300, velocity: [%g, 0], "
		"friction: %g, restitution: %g}\n"
		"- {sphere: {center: [%.17g, 2.25], radius: 0.25}, density: 500, velocity: [%g, 0.25], "
		"angular_velocity: %g, friction: %g, restitution: %g}\n",
		2.0 - 0.75 * mirror, 1.0 * mirror, friction, restitution, 2.0 + 0.75 * mirror,
		-0.5 * mirror, 2.0 * mirror, friction, restitution);
	return world_of(text);
}

static void test_collision(void **state)
{
	(void)state;
	for (int e = 0; e < 2; e++)
		for (int rough = 0; rough < 2; rough++) {
			struct world w = discs(1.0, 0.4 * rough, e),
				     mirror = discs(-1.0, 0.4 * rough, e);
			double start[3], end[3], energy, left;
			momenta(&w, start, &energy);
			world_run(&w, DT, 1.0);
			world_run(&mirror, DT, 1.0);
			momenta(&w, end, &left);
			for (int a = 0; a < 2; a++)
				assert_true(fabs(end[a] - start[a]) < 1e-10);
			/* 240 ways rounded to 2^-40 of 0.5 m, of 236 kg m/s. */
			assert_true(fabs(end[2] - start[2]) < 240 * 0x1p-42 * 236 * 2);
			assert_true(left <= energy * (1.0 + 1e-12));
			assert_true(left < energy * (1.0 - 1e-3) || (e == 1 && !rough));
			if (e == 1 && !rough)
				assert_true(fabs(left / energy - 1.0) < 1e-12);
			for (size_t b = 0; b < 2; b++) {
				const struct body *one = &w.bodies[b], *other = &mirror.bodies[b];
				assert_true(one->x[1] == other->x[1]);
				assert_true(one->velocity[0] == -other->velocity[0]);
				assert_true(one->velocity[1] == other->velocity[1]);
				assert_true(one->spin[2] == -other->spin[2]);
			}
			world_free(&w);
			world_free(&mirror);
		}
}

/* ---- the rest ------------------------------------------------------------------------------ */

/* Does a run go on from what is kept as if nothing had been? */
static void test_resume(void **state)
{
	(void)state;
	struct world w = stack_of(3, 4), other = stack_of(3, 4);
	w.bodies[2].x[0] += 0.03;
	world_run(&w, DT, 0.3);
	memcpy(other.bodies, w.bodies, 4 * sizeof(*w.bodies));
	other.time = w.time;
	assert_true(w.contacts.kept_count > 8);
	assert_true(contacts_restore(&other.contacts, w.contacts.kept, w.contacts.kept_count,
				     w.contacts.kept_dt));
	world_run(&w, DT, 0.3);
	world_run(&other, DT, 0.3);
	assert_memory_equal(w.bodies, other.bodies, 4 * sizeof(*w.bodies));
	/* What the scene cannot have is refused. */
	struct contact_impulse wrong = w.contacts.kept[0];
	wrong.body = 4;
	assert_false(contacts_restore(&other.contacts, &wrong, 1, DT));
	wrong = w.contacts.kept[0];
	wrong.other = CONTACT_SOLID;
	assert_false(contacts_restore(&other.contacts, &wrong, 1, DT));
	wrong = w.contacts.kept[0];
	wrong.normal = -1.0;
	assert_false(contacts_restore(&other.contacts, &wrong, 1, DT));
	world_free(&w);
	world_free(&other);
}

/* At rest contacts carry the weight, and solving again changes nothing. */
static void test_weight(void **state)
{
	(void)state;
	struct world w = stack_of(2, 3);
	double impulse[6];
	world_run(&w, DT, 1.0);
	contacts_impulse(&w.contacts, 0, impulse);
	const double weight = world_body(&w, 0)->of.mass * G * DT;
	assert_true(fabs(impulse[1] / weight - 1.0) < 1e-3);
	contacts_impulse(&w.contacts, 2, impulse);
	assert_true(fabs(impulse[1] / weight - 1.0) < 1e-3);
	assert_true(w.last < 1e-3);
	world_free(&w);
}

/* All kinds of shapes come to rest, on the floor and on a solid, none deeper than contacts leave.
 */
static void test_kinds(void **state)
{
	(void)state;
	const struct {
		int dim;
		const char *body;
		double height; /* of its centre of mass at rest */
	} rows[] = {
		{2, "box: {min: [1.3, 1.2], max: [1.9, 1.5]}", 0.15},
		{2, "polygon: {points: [[1.3, 1.2], [1.9, 1.2], [1.6, 1.5]]}", 0.1},
		{2, "cylinder: {a: [1.3, 1.3], b: [1.9, 1.3], radius: 0.1}", 0.1},
		{2, "capsule: {a: [1.3, 1.3], b: [1.9, 1.3], radius: 0.1}", 0.1},
		{2,
		 "union: [{box: {min: [1.3, 1.2], max: [1.9, 1.4]}}, {box: {min: [1.5, 1.3], max: [1.7, 1.5]}}]",
		 0.017 / 0.14},
		{3, "box: {min: [1.3, 1.2, 1.4], max: [1.9, 1.5, 1.8]}", 0.15},
		{3, "sphere: {center: [1.6, 1.4, 1.6], radius: 0.2}", 0.2},
		{3, "capsule: {a: [1.3, 1.3, 1.6], b: [1.9, 1.3, 1.6], radius: 0.1}", 0.1},
		{3, "cylinder: {a: [1.6, 1.2, 1.6], b: [1.6, 1.5, 1.6], radius: 0.25}", 0.15},
		{3,
		 "difference: [{box: {min: [1.3, 1.2, 1.3], max: [1.9, 1.5, 1.9]}}, {box: {min: [1.4, 1.3, 1.4], max: [1.8, 1.6, 1.8]}}]",
		 0.0098 / 0.076},
	};
	for (size_t n = 0; n < sizeof(rows) / sizeof(*rows); n++)
		for (int solid = 0; solid < 3; solid++) {
			static const char *const solids[2][3] = {
				{"", "solids: [{half_space: {point: [0, 0.3], normal: [0, 1]}}]\n",
				 "solids: [{box: {min: [0.5, 0], max: [2.5, 0.3]}}]\n"},
				{"",
				 "solids: [{half_space: {point: [0, 0.3, 0], normal: [0, 1, 0]}}]\n",
				 "solids: [{box: {min: [0.5, 0, 0.5], max: [2.5, 0.3, 2.5]}}]\n"}};
			char text[1000];
			snprintf(text, sizeof(text),
				 "domain: {size: %s, cells: 32}\n%sbodies: [{%s, density: 100}]\n",
				 rows[n].dim == 2 ? "[3.2, 3.2]" : "[3.2, 3.2, 3.2]",
				 solids[rows[n].dim - 2][solid], rows[n].body);
			struct world w = world_of(text);
			world_run(&w, DT, 2.0);
			const double high = rows[n].height + (solid ? 0.3 : 0.0);
			print_message("%.40s on %d: height off by %.2g h, %.2g m/s\n", rows[n].body,
				      solid, (w.bodies[0].x[1] - high) / w.scene->h,
				      world_speed(&w, 0));
			assert_true(fabs(w.bodies[0].x[1] - high) < 0.03 * w.scene->h);
			assert_true(world_speed(&w, 0) < 1e-3);
			world_free(&w);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stack),	    cmocka_unit_test(test_slopes),
		cmocka_unit_test(test_cone),	    cmocka_unit_test(test_rolling),
		cmocka_unit_test(test_restitution), cmocka_unit_test(test_collision),
		cmocka_unit_test(test_resume),	    cmocka_unit_test(test_weight),
		cmocka_unit_test(test_kinds),
	};
	return cmocka_run_group_tests_name("bodies contacts", tests, NULL, NULL);
}
