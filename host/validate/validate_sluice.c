/* A tank that empties under a gate: how much comes out, how fast. */
#include <math.h>

#include "particles_read.h"
#include "trial.h"

#define LENGTH 1.0   /* m, of the tank, as in the scene, with the opening */
#define OPENING 0.06 /* m */
/* Of a jet under a gate, far below the surface: pi / (pi + 2). */
#define CONTRACTION (PI / (PI + 2.0))
/* The jet has formed, and the tank is not empty. */
#define FROM 0.5
#define TO 1.5
/* Where the jet has contracted. */
#define JET_FROM 1.2
#define JET_TO 1.4

struct sluice {
	struct curve level; /* of the tank, by its volume, m */
	struct curve root;  /* its square root */
	struct curve speed; /* mean of the jet, along x, m/s */
	double particle;    /* m^2 */
};

static bool watch_sluice(struct trial *trial, void *user)
{
	struct sluice *s = user;
	struct particle_snapshot now;
	double in_tank = 0.0, in_jet = 0.0, speed = 0.0;
	if (!trial_particles(trial, &now))
		return false;
	for (size_t n = 0; n < now.count; n++) {
		const double x = (double)particle_values(&now, ATTRIBUTE_POSITION)[3 * n];
		in_tank += x < LENGTH;
		if (x > JET_FROM && x < JET_TO) {
			in_jet += 1.0;
			speed += (double)particle_values(&now, ATTRIBUTE_VELOCITY)[3 * n];
		}
	}
	particle_snapshot_finish(&now);
	const double t = trial->stats->time, level = in_tank * s->particle / LENGTH;
	return curve_add(&s->level, t, level) && curve_add(&s->root, t, sqrt(level)) &&
	       curve_add(&s->speed, t, in_jet > 0.0 ? speed / in_jet : (double)NAN);
}

static bool counts(double t)
{
	return t > FROM - 1e-9 && t < TO + 1e-9;
}

/* What came out between two times, of what would without contraction: Bernoulli along the surface,
 * from the tank to the jet, q = c a sqrt(2 g h / (1 + c a / h)). */
static double contraction_of(const struct sluice *s)
{
	double out = 0.0, due = 0.0;
	for (size_t n = 1; n < s->level.count; n++) {
		if (!counts(s->level.t[n - 1]) || !counts(s->level.t[n]))
			continue;
		const double h = 0.5 * (s->level.y[n] + s->level.y[n - 1]);
		out += LENGTH * (s->level.y[n - 1] - s->level.y[n]);
		due += (s->level.t[n] - s->level.t[n - 1]) * OPENING *
		       sqrt(2.0 * G * h / (1.0 + CONTRACTION * OPENING / h));
	}
	return out / due;
}

/* Mean of the jet's speed over sqrt(2 g (h - c a)). */
static double speed_of(const struct sluice *s)
{
	double sum = 0.0, count = 0.0;
	for (size_t n = 0; n < s->speed.count; n++)
		if (counts(s->speed.t[n])) {
			sum += s->speed.y[n] /
			       sqrt(2.0 * G * (s->level.y[n] - CONTRACTION * OPENING));
			count += 1.0;
		}
	return sum / count;
}

/* Greatest distance of the root of the level from a line through its ends, of what it falls by. */
static double bend_of(const struct sluice *s)
{
	const struct series root = curve_series(&s->root);
	const double first = series_at(root, FROM), last = series_at(root, TO);
	double most = 0.0;
	for (size_t n = 0; n < s->root.count; n++)
		if (counts(s->root.t[n])) {
			const double line =
				first + (last - first) * (s->root.t[n] - FROM) / (TO - FROM);
			most = fmax(most, fabs(s->root.y[n] - line));
		}
	return most / (first - last);
}

static bool run_sluice_gate(struct validate *v)
{
	static const int sizes[] = {150, 300, 600};
	const int cells = sizes[v->level - 1];
	struct sluice s = {.particle = 1.5 * 1.5 / ((double)cells * cells) / 4.0};
	struct plot plot = {
		.title = "SLUICE GATE: SPEED OF THE JET", .x_label = "t (s)", .y_label = "m/s"};
	struct trial *trial = trial_open(v, "sluice_gate.yaml", "domain.cells=%d", cells);
	bool ok = trial_watch(trial, TO, watch_sluice, &s);
	if (ok) {
		validate_within(v, "", contraction_of(&s), CONTRACTION, 0.05 * CONTRACTION,
				"5 % of pi / (pi + 2), free-streamline theory",
				"%d cells: contraction of the jet", cells);
		validate_within(v, "", speed_of(&s), 1.0, 0.02, "2 % of Torricelli",
				"%d cells: speed of the jet, of sqrt(2 g (h - c a))", cells);
		validate_at_most(v, "", bend_of(&s), 0.03, "3 %: it falls linearly",
				 "%d cells: bend of the root of the level", cells);
		curve_draw(&s.speed, &plot, "jet", PLOT_LINE);
		ok = validate_figure(v, "speed", &plot, "Mean speed of the jet along x.");
	}
	curve_free(&s.level);
	curve_free(&s.root);
	curve_free(&s.speed);
	return ok;
}

const struct validate_case validate_sluice_gate = {
	.name = "sluice-gate",
	.title = "a tank empties under a gate",
	.dim = 2,
	.time = "1 min",
	.source = "free-streamline theory: contraction pi / (pi + 2) (Kirchhoff 1869); Torricelli",
	.run = run_sluice_gate,
};
