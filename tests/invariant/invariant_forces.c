/*
 * Force fields against what they must satisfy: a uniform one is gravity, a central one keeps
 * angular momentum and makes the work of its potential, drag has an exact rate, wind stays at the
 * surface, confinement sharpens vortices and leaves rigid turns alone; and the ledger closes.
 */
#include "sim_fixture.h"

#include <math.h>
#include <stdlib.h>

#if DIM == 2
#define BOX "[1, 1]"
#define CELLS 32
#define REST "[0, 0]"
#define MIDDLE "[0.5, 0.5]"
#define V(x, y) "[" #x ", " #y "]"
#else
#define BOX "[1, 1, 1]"
#define CELLS 16
#define REST "[0, 0, 0]"
#define MIDDLE "[0.5, 0.5, 0.5]"
#define V(x, y) "[" #x ", " #y ", 0]"
#endif

static double mass_of(const struct sim *sim)
{
	return sim->scene->density * pow(sim->scene->h, DIM) / sim->scene->particles_per_cell;
}

/* ---- uniform ------------------------------------------------------------------------------- */

static struct sim *dam_break(const char *forces)
{
	return fixture_sim("domain: {size: %s, cells: %d}\ntime: {frames: 20, fps: 50, dt: 0.005}\n"
			   "liquids: [{name: water, box: {min: %s, max: %s}}]\n%s",
			   BOX, CELLS, REST, DIM == 2 ? "[0.4, 0.6]" : "[0.4, 0.6, 1]", forces);
}

/* The same vector as gravity and as a field: the same paths to rounding, the same work. */
static void uniform(void)
{
	struct sim *gravity = dam_break("gravity: " V(0, -9.81) "\n");
	fixture_run(gravity, 0.2, NULL, NULL);
	const struct ledger_flow by_gravity = gravity->ledger.accounts.total;
	struct cloud one = cloud_read(gravity);
	fixture_free(gravity);
	struct sim *field = dam_break("gravity: " REST "\nforces: [{custom: " V(0, -9.81) "}]\n");
	fixture_run(field, 0.2, NULL, NULL);
	const struct ledger_flow by_field = field->ledger.accounts.total;
	struct cloud other = cloud_read(field);
	double sum = 0.0;
	for (u32 p = 0; p < one.count; p++)
		for (int a = 0; a < DIM; a++)
			sum += pow((double)one.x[a][p] - (double)other.x[a][p], 2.0);
	expect("particles", other.count, one.count, one.count);
	expect_small("distance of the paths, rms, cells", sqrt(sum / one.count) * CELLS, 2e-3);
	expect("work of the field / of gravity", by_field.force_work / by_gravity.gravity_work,
	       0.99, 1.01);
	expect("impulse of the field / of gravity", by_field.force[1] / by_gravity.gravity[1],
	       1 - 1e-5, 1 + 1e-5);
	const double pull = fabs(by_gravity.gravity[1]);
	expect_small("rests of momentum differ, of the impulse",
		     (by_field.momentum_rest[1] - by_gravity.momentum_rest[1]) / pull, 1e-3);
	expect_small("impulses of walls differ, of that of gravity",
		     (by_field.walls[1] - by_gravity.walls[1]) / pull, 1e-3);
	cloud_free(&one);
	cloud_free(&other);
	fixture_free(field);
}

/* A ball that touches nothing, in a field with keys and a factor: its impulse is their integral. */
static void keyed(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d}\ngravity: %s\ntime: {frames: 20, fps: 50}\n"
		"solver: {drift: none}\nliquids: [{sphere: {center: %s, radius: 0.2}}]\n"
		"forces: [{custom: [{time: 0.1, acceleration: " V(
			0,
			0) "},"
			   " {time: 0.2, acceleration: " V(
				   3,
				   1) "}],"
				      " time: [{time: 0.2, factor: 1}, {time: 0.3, factor: 0}]}]\n",
		BOX, CELLS, REST, MIDDLE);
	const double total = mass_of(sim) * sim->particles.count;
	fixture_run(sim, 0.1, NULL, NULL);
	expect_small("impulse before the first key", sim->ledger.accounts.total.force[0] / total,
		     1e-9);
	/* Growing from 0 to 3 in 0.1 s, falling to 0 in the next. */
	fixture_run(sim, 0.4, NULL, NULL);
	const struct ledger_accounts *a = &sim->ledger.accounts;
	expect("impulse, of the integral", a->total.force[0] / (total * 0.3), 1 - 1e-5, 1 + 1e-5);
	expect("the other component", a->total.force[1] / (total * 0.1), 1 - 1e-5, 1 + 1e-5);
	expect("momentum at the end", a->now.momentum[0] / (total * 0.3), 1 - 1e-4, 1 + 1e-4);
	expect("work, of the kinetic energy", a->total.force_work / a->now.kinetic, 1 - 1e-4,
	       1 + 1e-4);
	expect_small("rest of the kinetic energy", a->total.kinetic_rest / a->now.kinetic, 1e-4);
	fixture_free(sim);
}

/* ---- point --------------------------------------------------------------------------------- */

/* The potential of -k r (r^2 + e^2)^(-3/2): -k / sqrt(r^2 + e^2). */
#define STRENGTH 0.5
#define CORE 0.1

static double potential_energy(const struct cloud *c, double mass)
{
	double sum = 0.0;
	for (u32 p = 0; p < c->count; p++) {
		double square = CORE * CORE;
		for (int a = 0; a < DIM; a++)
			square += pow((double)c->x[a][p] - 0.5, 2.0);
		sum -= mass * STRENGTH / sqrt(square);
	}
	return sum;
}

/* About an axis along z through the middle. */
static double angular_momentum(const struct cloud *c, double mass)
{
	double sum = 0.0;
	for (u32 p = 0; p < c->count; p++)
		sum += mass * (((double)c->x[0][p] - 0.5) * (double)c->v[1][p] -
			       ((double)c->x[1][p] - 0.5) * (double)c->v[0][p]);
	return sum;
}

/* A drop that goes round the middle: what turns it is along the way to the centre.  What is missing
 * falls with the substep, over which work is done before places change, and with the cells. */
static void check_orbit(const char *transfer, double bar)
{
	fixture_note("%s", transfer);
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d}\ngravity: %s\ntime: {frames: 50, fps: 50, cfl: 0.1}\n"
		"liquid: {transfer: %s}\nsolver: {drift: none}\n"
		"liquids: [{sphere: {center: %s, radius: 0.1}, velocity: %s}]\n"
		"forces: [{point: {center: %s, strength: 0.5, core: 0.1}}]\n",
		BOX, 2 * CELLS, REST, transfer, DIM == 2 ? "[0.8, 0.5]" : "[0.8, 0.5, 0.5]",
		V(0, 1.1), MIDDLE);
	const double mass = mass_of(sim);
	struct cloud start = cloud_read(sim);
	fixture_run(sim, 0.5, NULL, NULL);
	struct cloud end = cloud_read(sim);
	const struct ledger_accounts *a = &sim->ledger.accounts;
	const double fall = potential_energy(&start, mass) - potential_energy(&end, mass);
	expect("angular momentum, of that at the start",
	       angular_momentum(&end, mass) / angular_momentum(&start, mass), 1.0 - bar, 1.0 + bar);
	expect_small("work less the fall of the potential, of the kinetic energy",
		     (a->total.force_work - fall) / a->start.kinetic, 0.02);
	expect_small("rest of the kinetic energy, of it", a->total.kinetic_rest / a->start.kinetic,
		     3.5 * bar);
	for (int axis = 0; axis < DIM; axis++)
		expect_small("rest of the momentum",
			     a->total.momentum_rest[axis] / a->start.momentum[1], 2.0 * bar);
	cloud_free(&start);
	cloud_free(&end);
	fixture_free(sim);
}

static void orbit(void)
{
	check_orbit("flip", DIM == 2 ? 0.005 : 0.02);
	check_orbit("apic", DIM == 2 ? 0.025 : 0.02);
}

/* A ball of liquid around the centre of a spring is at rest, with p = rho k (R^2 - r^2)/2. */
static void planet(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d}\ngravity: %s\ntime: {frames: 50, fps: 50}\n"
		"liquids: [{sphere: {center: %s, radius: 0.3}}]\n"
		"forces: [{point: {strength: 20, power: -1}}]\n",
		BOX, CELLS, REST, MIDDLE);
	fixture_run(sim, 0.5, NULL, NULL);
	const struct grid *g = &sim->lattice.grid;
	f32 *pressure = fixture_read(sim, &sim->pressure);
	const double top = 0.5 * 1000.0 * 20.0 * 0.3 * 0.3, h = 1.0 / CELLS;
	double worst = 0.0;
	for (int k = 0; k < g->nz; k++)
		for (int j = 0; j < g->ny; j++)
			for (int i = 0; i < g->nx; i++) {
				const double x = (i + 0.5) * h - 0.5, y = (j + 0.5) * h - 0.5,
					     z = DIM == 3 ? (k + 0.5) * h - 0.5 : 0.0,
					     square = x * x + y * y + z * z;
				const double due = top - 10000.0 * square;
				if (square < 0.2 * 0.2)
					worst = fmax(worst,
						     fabs((double)pressure[lattice_at(g, i, j, k)] -
							  due));
			}
	free(pressure);
	struct cloud c = cloud_read(sim);
	/* To half a cell of the radius. */
	expect_small("pressure, less that of the potential, of its greatest", worst / top,
		     0.5 * 2.0 * h / 0.3);
	expect_small("rms speed, of that of a fall from the surface",
		     cloud_vrms(&c) / sqrt(20.0 * 0.3 * 0.3), 0.05);
	expect_small("momentum / that of a fall",
		     sim->stats.report.momentum[0] / (mass_of(sim) * c.count * 1.3), 0.01);
	cloud_free(&c);
	fixture_free(sim);
}

/* A vortex field spins a disc about its axis as told. */
static void vortex(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d}\ngravity: %s\ntime: {frames: 5, fps: 50, dt: 0.005}\n"
		"liquids: [{sphere: {center: %s, radius: 0.3}}]\nsolver: {drift: none}\n"
		"forces: [{vortex: {strength: 4, power: -1, pull: 1%s}}]\n",
		BOX, CELLS, REST, MIDDLE, DIM == 3 ? ", axis: [0, 0, 2]" : "");
	fixture_step(sim);
	struct cloud c = cloud_read(sim);
	double off = 0.0;
	/* The pull is the gradient of a potential: pressure takes it; what turns is left. */
	const double rate = 4.0 * sim->stats.dt;
	for (u32 p = 0; p < c.count; p++) {
		const double x = (double)c.x[0][p] - 0.5, y = (double)c.x[1][p] - 0.5,
			     z = DIM == 3 ? (double)c.x[2][p] - 0.5 : 0.0;
		if (x * x + y * y + z * z < 0.15 * 0.15)
			off = fmax(off, hypot((double)c.v[0][p] + rate * y,
					      (double)c.v[1][p] - rate * x));
	}
	expect_small("velocity, less that of a rigid turn, of its greatest", off / (rate * 0.15),
		     DIM == 2 ? 0.05 : 0.3);
	cloud_free(&c);
	fixture_free(sim);
}

/* ---- drag ---------------------------------------------------------------------------------- */

/* A block that moves freely: v = v0 / (1 + k dt)^n; in gravity it falls at g / k in the end. */
static void drag(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d}\ngravity: %s\ntime: {frames: 10, fps: 50, dt: 0.01}\n"
		"liquids: [{sphere: {center: %s, radius: 0.2}, velocity: %s}]\n"
		"forces: [{drag: {rate: 7}}]\nsolver: {drift: none}\n",
		BOX, CELLS, REST, MIDDLE, V(1, -0.5));
	double due = 1.0;
	while (sim->frame < 10) {
		fixture_step(sim);
		due /= 1.0 + 7.0 * sim->stats.dt;
	}
	struct cloud c = cloud_read(sim);
	double worst = 0.0;
	for (u32 p = 0; p < c.count; p++)
		worst = fmax(worst,
			     hypot((double)c.v[0][p] / due - 1.0, (double)c.v[1][p] / due + 0.5));
	expect_small("velocity / that of drag, less 1", worst, 2e-5);
	const struct ledger_accounts *a = &sim->ledger.accounts;
	expect("work of drag / energy lost",
	       a->total.force_work / (a->now.kinetic - a->start.kinetic), 1 - 1e-4, 1 + 1e-4);
	cloud_free(&c);
	fixture_free(sim);
	sim = fixture_sim("domain: {size: %s, cells: %d}\ngravity: %s\n"
			  "time: {frames: 40, fps: 50, dt: 0.01}\nsolver: {drift: none}\n"
			  "liquids: [{sphere: {center: %s, radius: 0.2}}]\n"
			  "forces: [{drag: {rate: 40}}]\n",
			  BOX, CELLS, V(0, -8), MIDDLE);
	fixture_run(sim, 0.8, NULL, NULL);
	c = cloud_read(sim);
	expect("speed of the fall / g/k", cloud_mean(&c, c.v[1]) / -0.2, 1 - 1e-4, 1 + 1e-4);
	cloud_free(&c);
	fixture_free(sim);
}

/* ---- faces --------------------------------------------------------------------------------- */

typedef double (*face_value)(const struct sim *sim, const double x[3], int c);

/* Greatest difference of the field on faces above liquid cells from what is due there; on those
 * nearer to the middle of the box than `within`, along each axis. */
static double greatest_difference(struct sim *sim, face_value due, double within)
{
	const struct grid *g = &sim->lattice.grid;
	f32 *force = fixture_read(sim, &sim->force);
	uint8_t *type = fixture_read(sim, &sim->cell_type);
	double worst = 0.0;
	for (int c = 0; c < DIM; c++)
		for (int k = 0; k < g->nz; k++)
			for (int j = 0; j < g->ny; j++)
				for (int i = 0; i < g->nx; i++) {
					const int here[3] = {i, j, k};
					const size_t at = lattice_at(g, i, j, k);
					if (here[c] == 0 || type[at] != CELL_LIQUID)
						continue;
					double x[3], far = 0.0;
					for (int a = 0; a < 3; a++) {
						x[a] = (here[a] + (a == c ? 0.0 : 0.5)) / CELLS;
						far = a < DIM ? fmax(far, fabs(x[a] - 0.5)) : far;
					}
					if (far > within)
						continue;
					const double value =
						(double)force[(size_t)c * (size_t)g->lattice + at];
					worst = fmax(worst, fabs(value - due(sim, x, c)));
				}
	free(force);
	free(type);
	return worst;
}

static double in_strip(const struct sim *sim, const double x[3], int c)
{
	const double left = x[0] < 0.25 ? 1.0 : x[0] > 0.5 ? 0.0 : 1.0 - (x[0] - 0.25) / 0.25;
	return (c == 0 ? 2.0 : 1.0) * (c < 2) * sim->stats.dt * left * left * (3.0 - 2.0 * left);
}

/* A field in a shape fades over `falloff` outside. */
static void falloff(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d}\ngravity: %s\ntime: {frames: 5, fps: 50, dt: 0.005}\n"
		"liquids: [{box: {min: %s, max: %s}}]\n"
		"forces: [{custom: %s, box: {min: %s, max: %s}, falloff: 0.25}]\n",
		BOX, CELLS, REST, REST, DIM == 2 ? "[1, 0.5]" : "[1, 0.5, 1]", V(2, 1),
		DIM == 2 ? "[-1, -1]" : "[-1, -1, -1]", DIM == 2 ? "[0.25, 2]" : "[0.25, 2, 2]");
	fixture_step(sim);
	expect_small("field on faces, less what is due, of its greatest",
		     greatest_difference(sim, in_strip, 1.0) / (2.0 * sim->stats.dt), 1e-5);
	fixture_free(sim);
}

/* ---- wind ---------------------------------------------------------------------------------- */

static double over_pool(const struct sim *sim, const double x[3], int c)
{
	/* rate |w| w / (1 + rate |w|) on the faces of the top layer, along the wind */
	const double h = sim->scene->h, blow = sim->stats.dt * 0.5 * 1.2 * 10.0 / (1000.0 * h);
	return c == 0 && x[1] > 0.5 - h && x[1] < 0.5 ? 10.0 * blow / (1.0 + blow) : 0.0;
}

/* Over a pool at rest: on the faces along its surface alone, and as much as the formula says. */
static void wind(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d}\ngravity: %s\ntime: {frames: 5, fps: 50, dt: 0.005}\n"
		"liquid: {jitter: 0}\nliquids: [{box: {min: %s, max: %s}}]\n"
		"forces: [{wind: {velocity: %s, drag: 0.5}}]\n",
		BOX, CELLS, REST, REST, DIM == 2 ? "[1, 0.5]" : "[1, 0.5, 1]", V(10, 0));
	fixture_step(sim);
	const double blow = sim->stats.dt * 0.5 * 1.2 * 10.0 * CELLS / 1000.0;
	expect_small("force on faces, less what is due, of its greatest",
		     greatest_difference(sim, over_pool, 1.0) / (10.0 * blow), 1e-4);
	/* Stress times area. */
	const double due = 0.5 * 1.2 * 100.0 * sim->stats.dt;
	expect("impulse / stress times area", sim->stats.flow.force[0] / due, 0.9, 1.1);
	fixture_free(sim);
}

/* ---- vorticity ----------------------------------------------------------------------------- */

/* Particles with the velocity v(r) around the middle, and the gradient of a turn; then a substep.
 */
static struct sim *spun(double (*speed)(double r), double drift, double turn)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d}\ngravity: %s\ntime: {frames: 5, fps: 50, dt: 0.001}\n"
		"liquid: {transfer: apic, jitter: 0}\nliquids: [{box: {min: %s, max: %s}}]\n"
		"forces: [{vorticity: {strength: 3}}]\n",
		BOX, CELLS, REST, DIM == 2 ? "[0.1, 0.1]" : "[0.1, 0.1, 0.1]",
		DIM == 2 ? "[0.9, 0.9]" : "[0.9, 0.9, 0.9]");
	struct cloud c = cloud_read(sim);
	for (u32 p = 0; p < c.count; p++) {
		const double x = (double)c.x[0][p] - 0.5, y = (double)c.x[1][p] - 0.5,
			     r = hypot(x, y), v = speed(r);
		c.v[0][p] = (f32)(drift - (r > 0.0 ? v * y / r : 0.0));
		c.v[1][p] = (f32)(r > 0.0 ? v * x / r : 0.0);
		c.affine[(0 * DIM + 1) * c.count + p] = (f32)-turn;
		c.affine[(1 * DIM + 0) * c.count + p] = (f32)turn;
	}
	cloud_write(sim, &c);
	cloud_free(&c);
	fixture_step(sim);
	return sim;
}

static double no_speed(double r)
{
	return 0.0 * r;
}

static double rigid(double r)
{
	return 2.0 * r;
}

/* Of the vorticity 4 exp(-(r/s)^2). */
#define SPREAD 0.2
static double gaussian(double r)
{
	return r > 0.0 ? 2.0 * SPREAD * SPREAD * (1.0 - exp(-pow(r / SPREAD, 2.0))) / r : 0.0;
}

static double nothing(const struct sim *sim, const double x[3], int c)
{
	(void)sim;
	(void)x;
	(void)c;
	return 0.0;
}

/* eps h |vorticity| along the turn, beyond the middle: N points to the axis. */
static double around(const struct sim *sim, const double x[3], int c)
{
	const double y[2] = {x[0] - 0.5, x[1] - 0.5}, r = hypot(y[0], y[1]);
	if (c == 2)
		return 0.0;
	const double size = sim->stats.dt * 3.0 * sim->scene->h * 4.0 * exp(-pow(r / SPREAD, 2.0));
	return size * (c == 0 ? -y[1] : y[0]) / r;
}

static void confinement(void)
{
	struct sim *sim = spun(no_speed, 1.0, 0.0);
	expect_small("in a uniform flow", greatest_difference(sim, nothing, 1.0), 1e-9);
	fixture_free(sim);
	/* Of eps h |vorticity| dt. */
	const double full = 3.0 * 4.0 / CELLS * 0.001;
	sim = spun(rigid, 0.0, 2.0);
	expect_small("in a rigid turn, of its size where a direction is sure",
		     greatest_difference(sim, nothing, 0.3) / full, 1e-3);
	fixture_free(sim);
	sim = spun(gaussian, 0.0, 0.0);
	const struct grid *g = &sim->lattice.grid;
	f32 *force = fixture_read(sim, &sim->force);
	double worst = 0.0;
	for (int c = 0; c < DIM; c++)
		for (int k = 0; k < g->nz; k++)
			for (int j = 0; j < g->ny; j++)
				for (int i = 0; i < g->nx; i++) {
					const int here[3] = {i, j, k};
					double x[3];
					for (int a = 0; a < 3; a++)
						x[a] = (here[a] + (a == c ? 0.0 : 0.5)) / CELLS;
					const double r = hypot(x[0] - 0.5, x[1] - 0.5);
					const double z = DIM == 3 ? fabs(x[2] - 0.5) : 0.0;
					if (r < 0.12 || r > 0.3 || z > 0.25)
						continue;
					worst = fmax(
						worst,
						fabs((double)force[(size_t)c * (size_t)g->lattice +
								   lattice_at(g, i, j, k)] -
						     around(sim, x, c)));
				}
	free(force);
	expect_small("in a Gaussian vortex, less what is due, of its size at the axis",
		     worst / full, DIM == 2 ? 0.12 : 0.3);
	const struct ledger_flow *f = &sim->stats.flow;
	expect("its work", f->force_work > 0.0, 1, 1);
	fixture_free(sim);
}

/* ---- walls --------------------------------------------------------------------------------- */

/* A full box at rest in a field: its walls carry exactly what the field pulls. */
static void full_box(void)
{
	struct sim *sim = fixture_sim(
		"domain: {size: %s, cells: %d}\ngravity: %s\ntime: {frames: 5, fps: 50, dt: 0.01}\n"
		"solver: {drift: none, tolerance: 1e-6}\nliquids: [{box: {min: %s, max: %s}}]\n"
		"forces: [{custom: %s}, {point: {center: %s, strength: 9, power: -1}}]\n",
		BOX, CELLS, V(0, -2), REST, DIM == 2 ? "[1, 1]" : "[1, 1, 1]", V(3, 1),
		DIM == 2 ? "[0.2, 0.5]" : "[0.2, 0.5, 0.5]");
	fixture_step(sim);
	const struct ledger_flow *f = &sim->stats.flow;
	/* The middle is 0.3 from the centre. */
	const double pull[3] = {1000.0 * (3.0 - 9.0 * 0.3), -1000.0, 0.0};
	const double size = 1000.0 * sim->stats.dt;
	for (int axis = 0; axis < DIM; axis++) {
		expect_small("impulse of the fields and gravity, less what is due",
			     (f->force[axis] + f->gravity[axis] - pull[axis] * sim->stats.dt) /
				     size,
			     0.01);
		expect_small("impulse of walls and of these",
			     (f->walls[axis] + f->force[axis] + f->gravity[axis]) / size, 0.01);
		expect_small("rest of the momentum", f->momentum_rest[axis] / size, 0.01);
	}
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(uniform), CASE(keyed),   CASE(orbit), CASE(planet),      CASE(vortex),
		CASE(drag),    CASE(falloff), CASE(wind),  CASE(confinement), CASE(full_box),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
