/*
 * `freshet validate`: runs scenes whose outcome is known from experiments, exact solutions or
 * published tables, and compares.  docs/validation.md describes the cases.
 *
 * A case is an ordinary scene of scenes/validation/ (they are built into the program), opened with
 * overrides as a trial (trial.h), and a function that runs it, measures with the operators of
 * measure.h, probes.h and series.h, and states criteria.
 */
#ifndef FRESHET_VALIDATE_H
#define FRESHET_VALIDATE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "exit_code.h"
#include "message.h"
#include "plot.h"

struct clx;

/* The cases in their order, X(name): struct validate_case validate_name, in the file behind it. */
#define VALIDATE_CASES(X)                                   \
	X(free_fall)	    /* validate_fall.c */           \
	X(hydrostatic)	    /* validate_rest.c */           \
	X(sloping_floor)    /* validate_rest.c */           \
	X(flat_surface)	    /* validate_level.c */          \
	X(flat_surface_3d)  /* validate_level.c */          \
	X(standing_wave)    /* validate_wave.c */           \
	X(piston)	    /* validate_piston.c */         \
	X(sluice_gate)	    /* validate_sluice.c */         \
	X(weir)		    /* validate_weir.c */           \
	X(filling)	    /* validate_filling.c */        \
	X(jet_on_plate)	    /* validate_jet.c */            \
	X(hydraulic_jump)   /* validate_jump.c */           \
	X(plate_friction)   /* walls/validate_friction.c */ \
	X(channel)	    /* walls/validate_friction.c */ \
	X(martin_moyce_2)   /* validate_dam.c */            \
	X(martin_moyce_1)   /* validate_dam.c */            \
	X(koshizuka_oka)    /* validate_dam.c */            \
	X(rotation)	    /* validate_turn.c */           \
	X(taylor_green)	    /* validate_turn.c */           \
	X(zalesak)	    /* validate_passive.c */        \
	X(vortex)	    /* validate_passive.c */        \
	X(deformation)	    /* validate_passive.c */        \
	X(tutorial)	    /* grid/validate_tutorial.c */  \
	X(zalesak_grid)	    /* grid/validate_carried.c */   \
	X(vortex_grid)	    /* grid/validate_carried.c */   \
	X(hydrostatic_grid) /* grid/validate_carried.c */   \
	X(poisson)	    /* validate_pressure.c */       \
	X(poisson_3d)	    /* validate_pressure.c */       \
	X(distance)	    /* validate_distance.c */       \
	X(distance_3d)	    /* validate_distance.c */       \
	X(rolled_tank)	    /* validate_slosh.c */          \
	X(shaken_tank)	    /* validate_slosh.c */          \
	X(kleefsman)	    /* validate_kleefsman.c */
#define VALIDATE_CASE_ONE(name) +1
#define VALIDATE_CASE_COUNT (0 VALIDATE_CASES(VALIDATE_CASE_ONE))

/* Of a case; one that states or draws more is told. */
#define VALIDATE_MAX_CRITERIA 64
#define VALIDATE_MAX_FIGURES 4
#define VALIDATE_MAX_RUNS 32 /* commands; further ones are not listed */
#define VALIDATE_TEXT 256    /* bytes of an origin, a caption, a reason */

/* How fine the grids are. */
enum validate_level {
	VALIDATE_COARSE = 1, /* for a quick look: most bands are for finer grids */
	VALIDATE_USUAL = 2,  /* the resolutions that the bands are for */
	VALIDATE_FINE = 3,
};

struct validate_options {
	const char *device;	/* as for clx_open(), or NULL */
	const char *directory;	/* of the report */
	const char *junit;	/* file for the outcome as JUnit XML, or NULL */
	char *const *arguments; /* the command line, NULL-terminated */
	int dim;		/* 2, 3, or 0: both */
	int level;		/* enum validate_level; 0: that of the form, coarse or usual */
	bool quick;		/* the short form */
	size_t cases[VALIDATE_CASE_COUNT];
	size_t case_count; /* 0: all of the form */
};

enum validate_verdict {
	VALIDATE_PASS,
	VALIDATE_FAIL,
	VALIDATE_NO_BAND,
	VALIDATE_KNOWN, /* missed by no more than is known: does not fail the case */
	VALIDATE_MET,	/* met, though it is on the list of known misses: does */
};
#define VALIDATE_VERDICTS 5

struct known_miss; /* known_misses.h */

struct validate_criterion {
	char what[96], unit[12], origin[VALIDATE_TEXT];
	double value, reference, low, high; /* NAN: no reference; infinite: no end of the band */
	enum validate_verdict verdict;
	const struct known_miss *known; /* or NULL */
};

struct validate_figure {
	char file[64], caption[VALIDATE_TEXT];
};

struct validate_case;

struct validate_result {
	const struct validate_case *self;
	struct validate_criterion criteria[VALIDATE_MAX_CRITERIA];
	struct validate_figure figures[VALIDATE_MAX_FIGURES];
	char *runs[VALIDATE_MAX_RUNS]; /* owned: commands that repeat the runs by hand */
	const char *altered; /* what the case sets itself in runs that no command repeats; NULL */
	size_t criterion_count, figure_count, run_count;
	double seconds;
	bool broken; /* could not be run to its end; `reason` says why */
	char reason[VALIDATE_TEXT];
};

struct validate {
	const struct validate_options *options;
	int level;			/* enum validate_level */
	struct clx *cl[2];		/* 2D, 3D; opened when needed */
	char device[160];		/* what it is; of the last one opened */
	struct validate_result *result; /* of the case under way */
	struct validate_result results[VALIDATE_CASE_COUNT];
	size_t result_count;
	/* NULL, or what the case sets in the scenes that it opens from here on ("the velocities"):
	 * those runs are not offered as commands. */
	const char *alters;
	char last_error[VALIDATE_TEXT];
	bool named_missing;
};

struct validate_case {
	const char *name, *title;
	int dim;
	bool quick;	    /* part of the short form */
	const char *time;   /* of the usual level on two cores, roughly */
	const char *source; /* of what it is compared with */
	/* False after reporting: the case could not be run. */
	bool (*run)(struct validate *v);
};

#define VALIDATE_CASE_ROW(name) extern const struct validate_case validate_##name;
VALIDATE_CASES(VALIDATE_CASE_ROW)
extern const struct validate_case *const validate_cases[VALIDATE_CASE_COUNT];
/* Index of a case, or -1. */
int validate_find(const char *name);

/* Does all of it. */
enum exit_code validate_run(const struct validate_options *options);

/* ---- validate_criteria.c ------------------------------------------------------------------ */

/* States a criterion and prints its line: value, reference (NAN: none), the band [low, high] that
 * it must be in (-INFINITY or INFINITY: no such end) and where the band comes from. */
void validate_band(struct validate *v, const char *unit, double value, double reference, double low,
		   double high, const char *origin, const char *format, ...) MESSAGE_PRINTF(8, 9);
/* The same for |value - reference| <= most. */
void validate_within(struct validate *v, const char *unit, double value, double reference,
		     double most, const char *origin, const char *format, ...) MESSAGE_PRINTF(7, 8);
/* The same for value <= most; the reference is 0. */
#define validate_at_most(v, unit, value, most, ...) \
	validate_band(v, unit, value, 0.0, -(double)INFINITY, most, __VA_ARGS__)
/* The same for value <= before, the value of the coarser grid, which is the reference. */
#define validate_shrinks(v, unit, value, before, ...) \
	validate_band(v, unit, value, before, -(double)INFINITY, before, __VA_ARGS__)
/* A figure without a band. */
void validate_note(struct validate *v, const char *unit, double value, double reference,
		   const char *origin, const char *format, ...) MESSAGE_PRINTF(6, 7);

/* Draws a plot as CASE_NAME.png, and writes its curves as CASE_NAME.csv, in the report's directory.
 * False after reporting. */
bool validate_figure(struct validate *v, const char *name, const struct plot *plot,
		     const char *caption);

/* ---- validate_report.c -------------------------------------------------------------------- */

/* report.md and report.json.  False after reporting. */
bool validate_write_report(const struct validate *v);
size_t validate_count(const struct validate_result *result, enum validate_verdict verdict);
/* Those with a band. */
size_t validate_count_all(const struct validate_result *result);
/* "2 of 3 criteria, 1 known miss" */
const char *validate_counts_text(size_t met, size_t known, size_t all, char text[64]);
bool validate_passed(const struct validate_result *result);
/* "<= 0.1", "0.1 to 0.2", "-" */
const char *validate_band_text(const struct validate_criterion *criterion, char text[64]);

#endif
