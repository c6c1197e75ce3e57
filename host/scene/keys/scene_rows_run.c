/* The keys of how a scene runs: at the top level, time, gravity, motion of the box, solver. */
#include "scene_key_rows.h"
#include "scene_shape.h"

const struct scene_key scene_root_keys[] = {
	OWN("version", "1", BETWEEN(1, 1), .initial = 1, .flags = KEY_MAY_CHANGE,
	    .says = "version of this format"),
	OWN("name", NAME_TYPE, .flags = KEY_MAY_CHANGE, .otherwise = "file name without its ending",
	    .says = "names the output directory"),
	METHOD("method", struct scene, method,
	       .says = "how liquid is computed; keys that belong to another one are refused"),
	MAPPING("domain", SECTION_DOMAIN, .otherwise = "required", .says = "the box and its grid"),
	MAPPING("time", SECTION_TIME, .says = "frames and time steps"),
	OWN("gravity", "vector, or list of keys", .unit = "m/s²", BETWEEN(-1e6, 1e6),
	    .initial_vector = {0, -9.81, 0}, .inside = SECTION_GRAVITY, .says = "in axes at rest"),
	MAPPING("frame", SECTION_MOTION,
		.says = "how the box moves: shaken, rolled and spinning tanks"),
	MAPPING("liquid", SECTION_LIQUID, .says = "what all liquids have in common"),
	MAPPING("grid", SECTION_GRID, NEEDS_GRID, .says = "how the grid carries liquid"),
	MAPPING("sph", SECTION_SPH, NEEDS_SPH, .says = "how particles push each other"),
	MAPPING("solver", SECTION_SOLVER, .says = "how equations are solved"),
	LIST("liquids", SECTION_LIQUIDS, .high = 64, .otherwise = "[]",
	     .says = "where liquid is at the start"),
	LIST("solids", SECTION_SOLIDS, .otherwise = "[]", .not_yet = "grid, sph",
	     .says = "obstacles, at rest or moved"),
	LIST("bodies", SECTION_BODIES, .high = SCENE_BODIES_MOST, .otherwise = "[]",
	     .not_yet = "grid, sph", .says = "rigid bodies, which the liquid and each other move"),
	LIST("inflows", SECTION_INFLOWS, .high = 64, .otherwise = "[]", NEEDS_FLIP,
	     .says = "parts of walls through which liquid comes in"),
	LIST("outflows", SECTION_OUTFLOWS, .high = OUTFLOWS_MOST, .otherwise = "[]", NEEDS_FLIP,
	     .says = "parts of walls through which liquid flows out"),
	LIST("emitters", SECTION_EMITTERS, .high = EMITTERS_MOST, .otherwise = "[]", NEEDS_FLIP,
	     .says = "shapes that liquid appears in"),
	LIST("drains", SECTION_DRAINS, .high = DRAINS_MOST, .otherwise = "[]", NEEDS_FLIP,
	     .says = "where liquid vanishes"),
	LIST("forces", SECTION_FORCES, .high = 32, .otherwise = "[]", NEEDS_FLIP,
	     .says = "fields of force, drag and wind, beside gravity"),
	MAPPING("output", SECTION_OUTPUT, .flags = KEY_MAY_CHANGE, .says = "what is written"),
	MAPPING("camera", SECTION_CAMERA, .flags = KEY_MAY_CHANGE, .otherwise = "whole box in view",
		.says = "3D scenes only"),
	END_OF_KEYS,
};

/* The defaults with `solver.preset`. */
#define WITH_PRESETS(draft, careful) \
	.flags = KEY_PRESETS, .presets = {[PRESET_DRAFT] = draft, [PRESET_CAREFUL] = careful}

const struct scene_key scene_time_keys[] = {
	WHOLE("frames", struct scene, time.frames, 0, 999999, /* file names have six digits */
	      .initial = 120, .flags = KEY_MAY_CHANGE,
	      .says = "index of the last frame, frame 0 is the start"),
	NUMBER("fps", struct scene, time.fps, 0.01, 100000, .initial = 24, .unit = "1/s",
	       .says = "frames per second"),
	NUMBER("cfl", struct scene, time.cfl, 0.01, 5, .initial = 1, .other = 0.5,
	       .other_when = KEY_WITH_VOF, WITH_PRESETS(2, 0.5), WITH_SPH(0.4), .unit = "cells",
	       .says = "how far the fastest particle goes in a substep, at most 4; with `vof` how "
		       "much of a cell flows in or out, at most 0.5; with `levelset` how far the "
		       "fastest face goes; with `sph` in spacings of particles, at most 0.5"),
	NUMBER("max_dt", struct scene, time.max_dt, 1e-7, 10, .initial = 0.02, .unit = "s",
	       .says = "longest substep"),
	NUMBER("dt", struct scene, time.dt, 1e-7, 10, .otherwise = "adaptive", .unit = "s",
	       .flags = KEY_ZERO_ABSENT, .says = "equal substeps of at most that length"),
	END_OF_KEYS,
};

const struct scene_key scene_gravity_keys[] = {
	NUMBER("time", struct scene_vector_key, time, 0, MAX_TIME, .otherwise = "required",
	       .unit = "s", .says = "must increase"),
	VECTOR("g", struct scene_vector_key, value, 1e6, .otherwise = "required", .unit = "m/s²"),
	END_OF_KEYS,
};

const struct scene_key scene_motion_keys[] = {
	VECTOR("center", struct scene, motion.center, SCENE_MAX_COORDINATE, .unit = "m",
	       .otherwise = "middle of the box",
	       .says = "the point of the box about which it turns"),
	OWN("axis", "vector", COORDINATES, .initial_vector = {0, 0, 1},
	    .says = "3D only, not 0; fixed. In 2D the box turns in its plane"),
	LIST("motion", SECTION_MOTION_KEY, .otherwise = "none", .says = "any motion"),
	MAPPING("roll", SECTION_ROLL, .otherwise = "none", .not_yet = "grid, sph",
		.says = "a harmonic turn"),
	MAPPING("sway", SECTION_SWAY, .otherwise = "none", .says = "a harmonic shift"),
	END_OF_KEYS,
};

const struct scene_key scene_motion_key_keys[] = {
	NUMBER("time", struct motion_key, time, 0, MAX_TIME, .otherwise = "required", .unit = "s",
	       .says = "must increase"),
	OWN("angle", "number", BETWEEN(-1e6, 1e6), .unit = "rad", .not_yet = "grid, sph",
	    .says = "between the entries a cubic spline, smooth to the second derivative; at rest "
		    "at both ends and beyond"),
	OWN("angular_velocity", "number", BETWEEN(-1e4, 1e4), .unit = "rad/s",
	    .not_yet = "grid, sph",
	    .says = "in place of `angle`; linear between the entries, constant beyond"),
	OWN("position", "vector", COORDINATES, .unit = "m", .says = "as `angle`"),
	OWN("velocity", "vector", BETWEEN(-1e6, 1e6), .unit = "m/s",
	    .says = "in place of `position`; as `angular_velocity`"),
	END_OF_KEYS,
};

#define FREQUENCY                                                                      \
	NUMBER("frequency", struct scene_oscillation, frequency, 0, 1e4, .unit = "Hz", \
	       .otherwise = "required")
#define PHASE NUMBER("phase", struct scene_oscillation, phase, -1000, 1000, .unit = "rad")
#define RAMP NUMBER("ramp", struct scene_oscillation, ramp, 0, MAX_TIME, .unit = "s")

const struct scene_key scene_roll_keys[] = {
	NUMBER("amplitude", struct scene_oscillation, amplitude[0], -1e6, 1e6, .unit = "rad",
	       .otherwise = "required"),
	FREQUENCY,
	PHASE,
	RAMP,
	END_OF_KEYS,
};

const struct scene_key scene_sway_keys[] = {
	VECTOR("amplitude", struct scene_oscillation, amplitude, SCENE_MAX_COORDINATE, .unit = "m",
	       .otherwise = "required"),
	FREQUENCY,
	PHASE,
	RAMP,
	END_OF_KEYS,
};

static const char *const pressures[] = {
	[SOLVER_MGPCG] = "mgpcg",
	[SOLVER_MULTIGRID] = "multigrid",
	[SOLVER_CG] = "cg",
	[SOLVER_JACOBI] = "jacobi",
	[SOLVER_GAUSS_SEIDEL] = "gauss-seidel",
	[SOLVER_PCG_IC] = "pcg-ic",
	NULL,
};
static const char *const advections[] = {
	[ADVECTION_RK1] = "rk1",
	[ADVECTION_RK2] = "rk2",
	[ADVECTION_RK3] = "rk3",
	[ADVECTION_RK4] = "rk4",
	NULL,
};
static const char *const presets[] = {
	[PRESET_STANDARD] = "standard",
	[PRESET_DRAFT] = "draft",
	[PRESET_CAREFUL] = "careful",
	NULL,
};
static const char *const drifts[] = {
	[DRIFT_POSITION] = "position", [DRIFT_DENSITY] = "density", [DRIFT_NONE] = "none",
	[DRIFT_PUSH] = "push",	       [DRIFT_SPRINGS] = "springs", NULL,
};

static const char *const grid_surfaces[] = {
	[GRID_SURFACE_VOF] = "vof",
	[GRID_SURFACE_MARKERS] = "markers",
	[GRID_SURFACE_LEVELSET] = "levelset",
	NULL,
};
static const char *const velocity_advections[] = {
	[VELOCITY_MACCORMACK] = "maccormack",
	[VELOCITY_SEMI_LAGRANGIAN] = "semi_lagrangian",
	NULL,
};

static const char *const interpolations[] = {
	[INTERPOLATION_LINEAR] = "linear",
	[INTERPOLATION_CUBIC] = "cubic",
	NULL,
};

#define OF_LEVELSET NEEDS_GRID, .surfaces = 1u << GRID_SURFACE_LEVELSET

const struct scene_key scene_grid_keys[] = {
	WORD("surface", struct scene, grid_surface, grid_surfaces, .initial = GRID_SURFACE_VOF,
	     NEEDS_GRID,
	     .says = "`vof`: volume of fluid, by planes, in integers; `levelset`: a distance that "
		     "the velocity carries, which loses volume; `markers`: particles that it moves, "
		     "whose cells are liquid"),
	WORD("velocity_advection", struct scene, velocity_advection, velocity_advections,
	     .initial = VELOCITY_MACCORMACK, NEEDS_GRID, .says = "how the velocity carries itself"),
	WORD("interpolation", struct scene, interpolation, interpolations,
	     .initial = INTERPOLATION_LINEAR, OF_LEVELSET,
	     .says = "of the level set where paths come from; `cubic`: Catmull–Rom, limited"),
	OWN("redistance", "`frame`, `step`, whole number", OF_LEVELSET, .otherwise = "`frame`",
	    .low = 1, .high = 1000000,
	    .says = "when the level set is made a distance again: at the "
		    "end of every frame, in every substep, in one substep of so many"),
	SWITCH("volume_correction", struct scene, volume_correction, .initial = false, OF_LEVELSET,
	       .says = "the level set is shifted, everywhere by as much, to the volume of the start; "
		       "needs closed walls"),
	END_OF_KEYS,
};

static const char *const sph_solvers[] = {
	[SPH_SOLVER_PROJECTION] = "projection",
	[SPH_SOLVER_WCSPH] = "wcsph",
	"!dfsph",
	NULL,
};
static const char *const sph_kernels[] = {
	[SPH_WENDLAND] = "wendland",
	[SPH_CUBIC] = "cubic",
	[SPH_GAUSSIAN] = "gaussian",
	NULL,
};
static const char *const sph_equations[] = {
	[SPH_EQUATION_TAIT] = "tait",
	[SPH_EQUATION_LINEAR] = "linear",
	NULL,
};

const struct scene_key scene_sph_keys[] = {
	WORD("solver", struct scene, sph.solver, sph_solvers, .initial = SPH_SOLVER_PROJECTION,
	     NEEDS_SPH,
	     .says = "`projection`: incompressible to `solver.tolerance`; `wcsph`: weakly compressible, "
		     "explicit, in small steps"),
	WORD("kernel", struct scene, sph.kernel, sph_kernels, .initial = SPH_WENDLAND, NEEDS_SPH,
	     .says = "`gaussian` with `wcsph` only"),
	NUMBER("support", struct scene, sph.support, 2, 4, .initial = 2.6, .other = 2.3,
	       .other_when = KEY_IN_3D, NEEDS_SPH, .unit = "spacings",
	       .says = "how far particles see each other"),
	NUMBER("damping", struct scene, sph.damping, 0, 1, .initial = 0.03, NEEDS_SPH,
	       .says = "share of its neighbours' velocity that a particle takes over in 1/240 s; read "
		       "by `projection`"),
	SWITCH("tension", struct scene, sph.tension, .initial = false, NEEDS_SPH,
	       .says = "may pressure be negative, so that liquid holds together"),
	WORD("equation_of_state", struct scene, sph.equation, sph_equations,
	     .initial = SPH_EQUATION_TAIT, NEEDS_SPH,
	     .says = "`tait`: with the exponent 7; read by `wcsph`"),
	NUMBER("sound_speed", struct scene, sph.sound_speed, 1, 1000, .initial = 10, NEEDS_SPH,
	       .unit = "of what a fall can give",
	       .says = "the density varies by the square of its inverse; read by `wcsph`"),
	NUMBER("artificial_viscosity", struct scene, sph.artificial_viscosity, 0, 1,
	       .initial = 0.02, NEEDS_SPH, .says = "Monaghan's alpha; read by `wcsph`"),
	END_OF_KEYS,
};

#define READ_BY(solver) (1u << (solver))

const struct scene_key scene_solver_keys[] = {
	WORD("preset", struct scene, solver.preset, presets, .initial = PRESET_STANDARD,
	     NEEDS_SOLVER,
	     .says = "other defaults for `time.cfl`, `tolerance` and `separation`: "
		     "[errors and times](results/settings.md); what the scene says itself counts"),
	WORD("pressure", struct scene, solver.pressure, pressures, .initial = SOLVER_MGPCG,
	     NEEDS_SOLVER, .says = "[what they are](solver.md#the-solvers)"),
	NUMBER("tolerance", struct scene, solver.tolerance, 1e-16, 0.5, .initial = 1e-5,
	       WITH_PRESETS(1e-3, 1e-5), WITH_SPH(0.1),
	       .says = "of the residual, relative to the right-hand side"),
	WHOLE("max_iterations", struct scene, solver.max_iterations, 1, 100000, .initial = 200,
	      WITH_SPH(100),
	      .says = "of `gauss-seidel` an iteration is ten sweeps, of `multigrid` a cycle; a solve "
		      "that ends above the tolerance here is [counted](output.md#runjson), not an "
		      "error, unless it ends above its start"),
	/* Ten is what multigrid alone was published with; inside CG two are enough. */
	WHOLE("sweeps", struct scene, solver.sweeps, 1, 100, .initial = 2, NEEDS_SOLVER,
	      .other = 10, .other_when = KEY_WITH_MULTIGRID,
	      .solvers = READ_BY(SOLVER_MGPCG) | READ_BY(SOLVER_MULTIGRID),
	      .says = "smoothing sweeps before and after each coarser level (N_sweep)"),
	WHOLE("v_cycles", struct scene, solver.v_cycles, 0, 100, .initial = 4, NEEDS_SOLVER,
	      .solvers = READ_BY(SOLVER_MULTIGRID),
	      .says = "at most so many V-cycles (N_V), after the full ones; fewer where the "
		      "tolerance or `max_iterations` is reached"),
	WHOLE("full_cycles", struct scene, solver.full_cycles, 0, 100, .initial = 4, NEEDS_SOLVER,
	      .solvers = READ_BY(SOLVER_MULTIGRID),
	      .says = "at most so many full cycles (N_Full); not 0 together with `v_cycles`"),
	NUMBER("over_relaxation", struct scene, solver.over_relaxation, 0.1, 1.99, .initial = 1.9,
	       NEEDS_SOLVER, .solvers = READ_BY(SOLVER_GAUSS_SEIDEL)),
	WORD("advection", struct scene, solver.advection, advections, .initial = ADVECTION_RK2,
	     NEEDS_SOLVER,
	     .says = "Runge–Kutta scheme of the paths of particles, and of the velocity on a grid"),
	WORD("drift", struct scene, solver.drift, drifts, .initial = DRIFT_POSITION, NEEDS_FLIP,
	     .says = "how particles are kept evenly spread"),
	NUMBER("drift_time", struct scene, solver.drift_time, 1e-6, 1e6, .initial = 1.0 / 60.0,
	       .unit = "s", NEEDS_FLIP, .says = "in which an excess of particles is worked off"),
	NUMBER("push_distance", struct scene, solver.push_distance, 0.1, 2, .initial = 0.9,
	       .unit = "spacings", .flags = KEY_TOLD_IF_SET, NEEDS_FLIP,
	       .says = "of `push`: nearer particles are moved apart; a spacing is "
		       "h / `particles_per_cell`^(1/D)"),
	WHOLE("push_iterations", struct scene, solver.push_iterations, 1, 20, .initial = 2,
	      .flags = KEY_TOLD_IF_SET, NEEDS_FLIP, .says = "of `push`, per substep"),
	NUMBER("density_stiffness", struct scene, solver.density_stiffness, 0, 1000, .initial = 1,
	       .unit = "m/s", .flags = KEY_TOLD_IF_SET, NEEDS_FLIP,
	       .says = "of `push` and `springs`: what flows out of a cell for each particle more than at "
		       "the start"),
	NUMBER("spring_stiffness", struct scene, solver.spring_stiffness, 0, 1000, .initial = 50,
	       .unit = "1/s", .flags = KEY_TOLD_IF_SET, NEEDS_FLIP, .says = "of `springs`"),
	NUMBER("collision_distance", struct scene, solver.collision_distance, 0, 2, .initial = 0,
	       .unit = "spacings", .flags = KEY_TOLD_IF_SET, NEEDS_FLIP,
	       .says = "particles nearer than that are moved apart and come no nearer; 0: they "
		       "pass"),
	SWITCH("resample", struct scene, solver.resample, .initial = false,
	       .flags = KEY_TOLD_IF_SET, NEEDS_FLIP,
	       .says = "of `push` and `springs`: moved particles take the velocity of those around"),
	SWITCH("reposition", struct scene, solver.reposition, .initial = false,
	       .flags = KEY_TOLD_IF_SET, NEEDS_FLIP,
	       .says = "particles in solids are moved into the liquid"),
	SWITCH("separation", struct scene, solver.separation, .initial = true,
	       WITH_PRESETS(false, true), NEEDS_SOLVER,
	       .says = "liquid may leave walls rather than be pulled by them"),
	END_OF_KEYS,
};
