/* What the grid carries in given flows, by volumes and by level sets; and a tank at rest. */
#include <stdio.h>

#include "grid/carried.h"

/* E1 of the prototype in double precision times 1.5, and not above what public codes give (Roenby
 * et al. 2016). */
static bool check_volumes(struct validate *v, const struct carried_flow *flow, int coarse,
			  const double *bars, int grids)
{
	for (int n = 0; n < grids; n++) {
		const int cells = coarse << n;
		struct carried c;
		if (!carried_run(v, flow, cells, 0.5, "", &c))
			return false;
		validate_at_most(v, "L^2", c.error, bars[n],
				 "1.5 times double precision, and published codes",
				 "vof, %d cells: E1", cells);
		validate_at_most(v, "", fabs(c.units), 0.0, "integers add up",
				 "vof, %d cells: change of the volume, in units", cells);
	}
	return true;
}

/* What it is: no bands. */
static bool note_levels(struct validate *v, const struct carried_flow *flow, int cells)
{
	static const struct {
		const char *name, *sets;
	} ways[] = {
		{"linear", "grid.surface=levelset"},
		{"linear, a distance every 10 steps", "grid.surface=levelset\ngrid.redistance=10"},
		{"cubic", "grid.surface=levelset\ngrid.interpolation=cubic"},
		{"cubic, a distance every 10 steps",
		 "grid.surface=levelset\ngrid.interpolation=cubic\ngrid.redistance=10"},
		{"cubic, the same, volume corrected",
		 "grid.surface=levelset\ngrid.interpolation=cubic\ngrid.redistance=10\n"
		 "grid.volume_correction=true"},
	};
	for (size_t n = 0; n < sizeof(ways) / sizeof(ways[0]); n++) {
		struct carried c;
		if (!carried_run(v, flow, cells, 0.5, ways[n].sets, &c))
			return false;
		validate_note(v, "L^2", c.error, (double)NAN, "", "level set, %s, %d cells: E1",
			      ways[n].name, cells);
		validate_note(v, "", c.volume, 0.0, "", "level set, %s, %d cells: change of volume",
			      ways[n].name, cells);
	}
	return true;
}

static bool run_zalesak_grid(struct validate *v)
{
	static const double bars[] = {0.0045, 0.0016};
	return check_volumes(v, &carried_turn, 64, bars, v->level == VALIDATE_COARSE ? 1 : 2) &&
	       note_levels(v, &carried_turn, 64);
}

static bool run_vortex_grid(struct validate *v)
{
	static const double bars[] = {0.065, 0.016, 0.0026};
	return check_volumes(v, &carried_vortex, 32, bars, v->level + 1 > 3 ? 3 : v->level + 1) &&
	       note_levels(v, &carried_vortex, 64);
}

/* ---- at rest ------------------------------------------------------------------------------ */

static bool check_rest(struct validate *v, const char *surface)
{
	/* Off rows and the middles of cells. */
	const double depth = 0.5 + 0.3 / 48.0;
	struct probe_value floor;
	struct trial *trial = trial_open(v, "hydrostatic_tank.yaml",
					 "method=grid\ngrid.surface=%s\n"
					 "liquids.0.box.max=[1,%.9g]",
					 surface, depth);
	const bool ok = trial && trial_advance(trial, 2.0, NULL, NULL) &&
			trial_probe(trial, "floor 3", &floor);
	if (ok) {
		validate_at_most(v, "m/s", trial->stats->report.max_speed, 1e-5,
				 "the project's own", "%s: greatest speed after 2 s", surface);
		validate_within(v, "rho g h", floor.value[0] / (RHO * G * trial->scene->h),
				depth / trial->scene->h, 0.2, "Basilisk",
				"%s: pressure at the floor", surface);
		validate_note(v, "", trial->stats->volume_error, 0.0, "", "%s: volume error at 2 s",
			      surface);
	}
	trial_close(trial);
	return ok;
}

static bool run_hydrostatic_grid(struct validate *v)
{
	return check_rest(v, "vof") && check_rest(v, "levelset");
}

const struct validate_case validate_zalesak_grid = {
	.name = "zalesak-grid",
	.title = "a slotted disc on the grid turns once",
	.dim = 2,
	.time = "20 s",
	.source = "exact: it returns",
	.run = run_zalesak_grid,
};

const struct validate_case validate_vortex_grid = {
	.name = "vortex-grid",
	.title = "a disc on the grid in a reversing vortex",
	.dim = 2,
	.time = "30 s",
	.source = "exact: it returns",
	.run = run_vortex_grid,
};

const struct validate_case validate_hydrostatic_grid = {
	.name = "hydrostatic-grid",
	.title = "a tank at rest on the grid",
	.dim = 2,
	.time = "10 s",
	.source = "exact: p = rho g depth, nothing moves",
	.run = run_hydrostatic_grid,
};
