/* The keys of what fills a scene: the box, liquids, solids, shapes. */
#include "scene_key_rows.h"
#include "scene_shape.h"

/* Positions are single precision: at this many cells a cell still holds 16 of them. */
#define MAX_CELLS (1 << 20)
#define MAX_SIZE 1e6

#define WALL_LAW(usual, text)                                                              \
	OWN("wall_law", "`none`, `smooth`, or mapping of `roughness`", .otherwise = usual, \
	    .inside = SECTION_WALL_LAW, NEEDS_SOLVER, .says = text)

const struct scene_key scene_domain_keys[] = {
	OWN("size", "2 or 3 numbers", BETWEEN(1e-6, MAX_SIZE), .unit = "m", .otherwise = "required",
	    .says = "their number is that of the dimensions"),
	OWN("cells", "whole number (along x) or one per axis", BETWEEN(1, MAX_CELLS),
	    .otherwise = "required, or `cell_size`", .says = "the range is that of each axis"),
	OWN("cell_size", "number", BETWEEN(1e-9, MAX_SIZE), .unit = "m", .flags = KEY_UNTOLD,
	    .says = "in place of `cells`"),
	MAPPING("walls", SECTION_WALLS, .otherwise = "all `closed`", .says = "`closed` or `open`"),
	WALL_LAW("`none`", "how liquid rubs at them: [friction](method.md#friction)"),
	OWN("side_walls", "number", BETWEEN(1e-6, MAX_SIZE), .unit = "m", .otherwise = "none",
	    NEEDS_SOLVER,
	    .says = "2D only: how far apart walls in front and behind are that rub as `wall_law` "
		    "says"),
	END_OF_KEYS,
};

static const char *const walls[] = {"closed", "open", NULL};
#define WALL(side) OWN(side, NULL, .words = walls)

/* By enum wall_side. */
const struct scene_key scene_walls_keys[] = {
	WALL("x-"), WALL("x+"), WALL("y-"), WALL("y+"), WALL("z-"), WALL("z+"), END_OF_KEYS,
};

const struct scene_key scene_wall_law_keys[] = {
	NUMBER("roughness", struct scene_wall_law, roughness, 1e-9, MAX_SIZE,
	       .otherwise = "required", .unit = "m",
	       .says = "k_s, the size of sand grains; at most a cell"),
	END_OF_KEYS,
};

static const char *const transfers[] = {
	[TRANSFER_FLIP] = "flip",
	[TRANSFER_PIC] = "pic",
	[TRANSFER_APIC] = "apic",
	NULL,
};

static const char *const liquid_surfaces[] = {
	[LIQUID_SURFACE_PARTICLES] = "particles",
	[LIQUID_SURFACE_SPHERES] = "spheres",
	"!advected",
	NULL,
};

static const char *const kernels[] = {
	[KERNEL_LINEAR] = "linear",
	[KERNEL_STIFF] = "stiff",
	NULL,
};

const struct scene_key scene_liquid_keys[] = {
	NUMBER("density", struct scene, density, 1e-3, 1e6, .initial = 1000, .unit = "kg/m³"),
	NUMBER("viscosity", struct scene, viscosity, 0, 1e3, .initial = 1e-6, .unit = "m²/s",
	       .flags = KEY_TOLD_IF_SET, NEEDS_SOLVER,
	       .says = "kinematic, of friction at smooth walls"),
	WHOLE("particles_per_cell", struct scene, particles_per_cell, 1, 64, .initial = 4,
	      .other = 8, .other_when = KEY_IN_3D, WITH_SPH(1), NEEDS_PARTICLES,
	      .says = "with `sph` a power of a whole number: they stand on a lattice"),
	/* Every liquid has a jitter and a seed of its own in the echo: these are only defaults. */
	NUMBER("jitter", struct scene, jitter, 0, 1, .initial = 1, WITH_SPH(0),
	       .flags = KEY_MAY_CHANGE, NEEDS_PARTICLES,
	       .says = "0: a regular sub-grid, 1: anywhere in the sub-cell"),
	UNSIGNED("seed", struct scene, seed, UINT32_MAX, .initial = 1, .flags = KEY_MAY_CHANGE,
		 NEEDS_PARTICLES, .says = "of random places"),
	WORD("transfer", struct scene, transfer, transfers, .initial = TRANSFER_FLIP, NEEDS_FLIP,
	     .says = "between particles and grid"),
	NUMBER("flip_ratio", struct scene, flip_ratio, 0, 1, .initial = 0.97, NEEDS_FLIP,
	       .says = "0: PIC, 1: FLIP"),
	NUMBER("flip_time", struct scene, flip_time, 1e-6, 1e6, .initial = 1.0 / 240.0, .unit = "s",
	       NEEDS_FLIP, .says = "for which `flip_ratio` is given"),
	WORD("surface", struct scene, liquid_surface, liquid_surfaces,
	     .initial = LIQUID_SURFACE_PARTICLES, .flags = KEY_TOLD_IF_SET, NEEDS_FLIP,
	     .says = "how the solver sees the surface: `particles`: by their density; `spheres`: by "
		     "spheres about them, a third of a cell higher; without solids"),
	WORD("kernel", struct scene, kernel, kernels, .initial = KERNEL_LINEAR,
	     .flags = KEY_TOLD_IF_SET, NEEDS_FLIP,
	     .says = "weights of particles on the grid; `stiff`: R²/r² − 1 within 1.4 cells"),
	NUMBER("vortex_boost", struct scene, vortex_boost, 0, 1, .initial = 0,
	       .flags = KEY_TOLD_IF_SET, NEEDS_FLIP,
	       .says = "how much the grid gains on the particles' speeds; with `kernel: stiff`"),
	END_OF_KEYS,
};

/* Of a key of `liquid` that an entry may give, and where it has the value; or may only repeat. */
#define AS_LIQUID(key, member)                                                \
	{                                                                     \
		.name = key, .kind = KEY_AS_LIQUID,                           \
		.stored = _Generic(((struct scene_liquid *)0)->member, double \
				   : KEY_NUMBER, int                          \
				   : KEY_WHOLE, uint32_t                      \
				   : KEY_UNSIGNED),                           \
		.offset = offsetof(struct scene_liquid, member)               \
	}
#define SAME_AS_LIQUID(key)                                                             \
	{                                                                               \
		.name = key, .kind = KEY_AS_LIQUID, .flags = KEY_ONE_VALUE | KEY_UNTOLD \
	}

const struct scene_key scene_liquids_keys[] = {
	OWN("name", NAME_TYPE, .flags = KEY_MAY_CHANGE, .otherwise = "`liquid 0`, `liquid 1`, …",
	    .says = "no two alike"),
	VECTOR("velocity", struct scene_liquid, velocity, 1e6, .unit = "m/s"),
	OWN("angular_velocity", "number (2D), 3 numbers (3D)", BETWEEN(-1e6, 1e6), .unit = "rad/s",
	    .otherwise = "0"),
	OWN("color", "`\"#rrggbb\"`, with quotes", .flags = KEY_MAY_CHANGE, NEEDS_PARTICLES,
	    .otherwise = "from a palette, by index"),
	SAME_AS_LIQUID("density"),
	SAME_AS_LIQUID("particles_per_cell"),
	AS_LIQUID("jitter", jitter),
	AS_LIQUID("seed", seed),
	/* Told in the echo where they differ: scene_json.c. */
	{.name = "transfer",
	 .kind = KEY_AS_LIQUID,
	 .stored = KEY_WORD,
	 .flags = KEY_UNTOLD,
	 .offset = offsetof(struct scene_liquid, transfer)},
	{.name = "flip_ratio",
	 .kind = KEY_AS_LIQUID,
	 .stored = KEY_NUMBER,
	 .flags = KEY_UNTOLD,
	 .offset = offsetof(struct scene_liquid, flip_ratio)},
	MAPPING("points", SECTION_POINTS, .otherwise = "none", NEEDS_FLIP,
		.says = "in place of a shape: a particle at each point of a file"),
	SHAPE_ROWS,
	END_OF_KEYS,
};

const struct scene_key scene_points_keys[] = {
	OWN("file", "text", .flags = KEY_MAY_CHANGE, .otherwise = "required",
	    .says = "`.vtkhdf`, `.ply` or `.geo`, as freshet writes them, relative to the scene"),
	OWN("hash", "text", .otherwise = "not checked", .says = "what `freshet check` tells"),
	END_OF_KEYS,
};

static const char *const slips[] = {"free", "none", NULL};
static const char *const interpolations[] = {"linear", "spline", NULL};
static const char *const locks[] = {
	[LOCK_X] = "x",	      [LOCK_Y] = "y",	    [LOCK_Z] = "z", [LOCK_TURN_X] = "rx",
	[LOCK_TURN_Y] = "ry", [LOCK_TURN_Z] = "rz", NULL,
};

const struct scene_key scene_solids_keys[] = {
	OWN("name", NAME_TYPE, .flags = KEY_MAY_CHANGE, .otherwise = "`solid 0`, `solid 1`, …"),
	OWN("slip", NULL, .words = slips, .initial = 0,
	    .says = "`none`: particles that hit it lose their tangential velocity too"),
	WALL_LAW("that of `domain`", "how liquid rubs at it"),
	LIST("motion", SECTION_SOLID_KEY, .otherwise = "at rest", .says = "where it is, by time"),
	OWN("interpolation", NULL, .words = interpolations, .initial = 0,
	    .says = "of `motion`: between its entries straight, or a cubic spline that is at rest at "
		    "both ends"),
	OWN("center", "vector", COORDINATES, .unit = "m",
	    .otherwise = "middle of its bounding box, where that is infinite of the domain",
	    .says = "of `motion`: the point about which it turns"),
	OWN("axis", "vector", COORDINATES, .initial_vector = {0, 0, 1}, .flags = KEY_UNTOLD,
	    .says = "of `motion`, 3D only, not 0: about which a `rotate` of one number turns"),
	SHAPE_ROWS,
	END_OF_KEYS,
};

const struct scene_key scene_bodies_keys[] = {
	OWN("name", NAME_TYPE, .flags = KEY_MAY_CHANGE, .otherwise = "`body 0`, `body 1`, …",
	    .says = "no two alike"),
	OWN("density", "number", BETWEEN(1e-3, 1e6), .unit = "kg/m³", .flags = KEY_UNTOLD,
	    .otherwise = "required, or `mass`"),
	NUMBER("mass", struct scene_body, mass, 1e-30, 1e30, .unit = "kg (2D: kg/m)",
	       .otherwise = "density times volume", .says = "in place of `density`"),
	OWN("velocity", "vector", BETWEEN(-1e4, 1e4), .unit = "m/s", .otherwise = "0",
	    .says = "of the centre of mass, at the start or at its release"),
	OWN("angular_velocity", "number (2D), 3 numbers (3D)", BETWEEN(-1e4, 1e4), .unit = "rad/s",
	    .otherwise = "0"),
	NUMBER("friction", struct scene_body, friction, 0, 100, .initial = 0.5,
	       .says = "Coulomb's; of two bodies the geometric mean counts, of a body and a solid "
		       "or a wall its own"),
	NUMBER("restitution", struct scene_body, restitution, 0, 1, .initial = 0,
	       .says = "share of the speed that an impact gives back; of two bodies the greater "
		       "one counts"),
	OWN("lock", "list of `x`, `y`, `z`, `rx`, `ry`, `rz`", .words = locks, .otherwise = "[]",
	    .says = "axes of the box along which it does not move, about which it does not turn; "
		    "2D: `x`, `y`, `rz`"),
	NUMBER("release", struct scene_body, release, 0, 1e9, .unit = "s", .flags = KEY_TOLD_IF_SET,
	       .says = "until then it is held, or follows `motion`"),
	LIST("motion", SECTION_SOLID_KEY, .otherwise = "held at its place",
	     .says = "where it is until `release`, as of solids; then it goes on as fast"),
	OWN("interpolation", NULL, .words = interpolations, .initial = 0, .says = "of `motion`"),
	OWN("axis", "vector", COORDINATES, .initial_vector = {0, 0, 1}, .flags = KEY_UNTOLD,
	    .says = "of `motion`, as of solids"),
	OWN("center", "none", .flags = KEY_UNTOLD, .otherwise = "the centre of mass",
	    .says = "refused: bodies turn about their centre of mass"),
	OWN("slip", NULL, .words = slips, .initial = 0, .says = "as of solids"),
	SHAPE_ROWS,
	END_OF_KEYS,
};

const struct scene_key scene_solid_key_keys[] = {
	NUMBER("time", struct motion_key, time, 0, 1e9, .otherwise = "required", .unit = "s",
	       .says = "must increase; before the first entry and after the last it is at rest"),
	OWN("translate", "vector", COORDINATES, .unit = "m", .otherwise = "0",
	    .says = "from where its shape is told"),
	OWN("rotate", "number, or rotation vector (3D)", BETWEEN(-1e6, 1e6), .unit = "rad",
	    .otherwise = "0", .says = "about `center`"),
	END_OF_KEYS,
};

const struct scene_key scene_shape_keys[] = {SHAPE_ROWS, END_OF_KEYS};

static const char *const sides[] = {
	[WALL_X_LOW] = "x-",
	[WALL_X_HIGH] = "x+",
	[WALL_Y_LOW] = "y-",
	[WALL_Y_HIGH] = "y+",
	[WALL_Z_LOW] = "z-",
	[WALL_Z_HIGH] = "z+",
	NULL,
};

const struct scene_key scene_inflows_keys[] = {
	OWN("name", NAME_TYPE, .flags = KEY_MAY_CHANGE, .otherwise = "`inflow 0`, `inflow 1`, …"),
	OWN("wall", NULL, .words = sides, .otherwise = "required", .says = "a closed one"),
	MAPPING("box", (enum scene_section)(SECTION_PRIMITIVES + (int)SHAPE_BOX),
		.otherwise = "all of the wall",
		.says = "the part of the wall inside it, at least a cell along each axis"),
	VECTOR("velocity", struct scene_inflow, velocity, 1e4, .unit = "m/s",
	       .otherwise = "required", .says = "into the box"),
	NUMBER("start", struct scene_inflow, start, 0, 1e9, .unit = "s"),
	NUMBER("stop", struct scene_inflow, stop, 0, 1e9, .unit = "s", .otherwise = "never",
	       .flags = KEY_ZERO_ABSENT, .says = "after `start`"),
	NUMBER("ramp", struct scene_inflow, ramp, 0, 1e9, .unit = "s",
	       .says = "in which the velocity grows from 0"),
	OWN("liquid", "name of a liquid", .otherwise = "the first of `liquids`",
	    .says = "what comes in"),
	END_OF_KEYS,
};

const struct scene_key scene_outflows_keys[] = {
	OWN("name", NAME_TYPE, .flags = KEY_MAY_CHANGE, .otherwise = "`outflow 0`, `outflow 1`, …"),
	OWN("wall", NULL, .words = sides, .otherwise = "required", .says = "a closed one"),
	MAPPING("box", (enum scene_section)(SECTION_PRIMITIVES + (int)SHAPE_BOX),
		.otherwise = "all of the wall",
		.says = "the part of the wall inside it, at least a cell along each axis"),
	OWN("pressure", "number", BETWEEN(-1e9, 1e9), .unit = "Pa",
	    .otherwise = "one of these three is required",
	    .says = "at the wall; that of the air is 0"),
	OWN("hydrostatic", "number", COORDINATES, .unit = "m", .otherwise = "as `pressure`",
	    .says = "y of the level of liquid at rest outside, whose pressure it has"),
	OWN("velocity", "number", BETWEEN(0, 1e4), .unit = "m/s", .otherwise = "as `pressure`",
	    .says = "out of the box, across the wall, more than 0"),
	OWN("liquid", "name of a liquid", .otherwise = "the first of `liquids`",
	    .says = "what comes in where the pressure outside is the greater one"),
	END_OF_KEYS,
};

const struct scene_key scene_emitters_keys[] = {
	OWN("name", NAME_TYPE, .flags = KEY_MAY_CHANGE, .otherwise = "`emitter 0`, `emitter 1`, …"),
	VECTOR("velocity", struct scene_emitter, velocity, 1e4, .unit = "m/s",
	       .says = "of what it emits"),
	NUMBER("at", struct scene_emitter, at, 0, 1e9, .unit = "s",
	       .says = "when it is filled: at the end of the first substep that reaches it"),
	SWITCH("fill", struct scene_emitter, fill,
	       .says = "from then on it is kept full; otherwise it is filled once"),
	OWN("liquid", "name of a liquid", .otherwise = "the first of `liquids`",
	    .says = "what it emits"),
	SHAPE_ROWS,
	END_OF_KEYS,
};

const struct scene_key scene_drains_keys[] = {
	OWN("name", NAME_TYPE, .flags = KEY_MAY_CHANGE, .otherwise = "`drain 0`, `drain 1`, …"),
	NUMBER("rate", struct scene_drain, rate, 0, 1e9, .unit = "m³/s (2D: m²/s)",
	       .otherwise = "all that comes in", .flags = KEY_ZERO_ABSENT,
	       .says = "at most, more than 0"),
	SHAPE_ROWS,
	END_OF_KEYS,
};
