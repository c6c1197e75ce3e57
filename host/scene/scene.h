/*
 * A scene: what a YAML file says, with every default filled in and every value checked.
 *
 * docs/scene.md lists the keys, keys/ has a row for each.  Lengths in metres, times in seconds, SI
 * throughout.  Vectors hold three numbers; in 2D the third is 0.  All memory belongs to the scene;
 * scene_free() frees it.
 */
#ifndef FRESHET_SCENE_H
#define FRESHET_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "motion/key_spline.h"
#include "output_kinds.h"
#include "scene_solid.h"
#include "shape_program.h"
#include "shared.h"
#include "solver_settings.h"
#include "surface_params.h"

#define SCENE_TEXT_MOST 200 /* characters of a name */
#define SCENE_BODIES_MOST 256

/* How the grid carries liquid, and velocity: `method: grid`. */
enum scene_grid_surface { GRID_SURFACE_VOF, GRID_SURFACE_MARKERS, GRID_SURFACE_LEVELSET };
enum scene_interpolation { INTERPOLATION_LINEAR, INTERPOLATION_CUBIC };
enum scene_velocity_advection { VELOCITY_MACCORMACK, VELOCITY_SEMI_LAGRANGIAN };
/* How the surface is made from particles: `liquid.surface`. */
enum scene_liquid_surface { LIQUID_SURFACE_PARTICLES, LIQUID_SURFACE_SPHERES };
/* How particles push each other: `method: sph`. */
enum scene_sph_solver { SPH_SOLVER_PROJECTION, SPH_SOLVER_WCSPH };
enum scene_sph_equation { SPH_EQUATION_TAIT, SPH_EQUATION_LINEAR };
struct scene_sph {
	enum scene_sph_solver solver;
	enum sph_kernel kernel;
	double support; /* spacings of particles */
	double damping; /* share of neighbours' velocity that is taken over in 1/240 s */
	bool tension;
	enum scene_sph_equation equation;
	double sound_speed; /* by scene_fast_speed() */
	double artificial_viscosity;
};
enum scene_transfer { TRANSFER_FLIP, TRANSFER_PIC, TRANSFER_APIC };
/* Weights of particles at faces. */
enum scene_kernel { KERNEL_LINEAR, KERNEL_STIFF };
enum scene_quantity { QUANTITY_PRESSURE, QUANTITY_VELOCITY, QUANTITY_HEIGHT, QUANTITY_FRONT };

/* A vector that is linear between such keys, whose times ascend, and constant beyond. */
struct scene_vector_key {
	double time, value[3];
};

/*
 * How the box moves: the frame of reference that everything is told in.  It turns by an angle about
 * `axis` through `center` and shifts by `position` (axes at rest); each is the sum of what the keys
 * say and of a harmonic motion.  box_motion.h evaluates it.
 */
enum scene_motion_keys {
	MOTION_KEYS_NONE,
	MOTION_KEYS_PLACE, /* of angle or position: cubic spline, at rest outside */
	MOTION_KEYS_RATE,  /* of their rates: linear between, constant outside */
};
#define BOX_CHANNELS 4 /* of the keys: angle, then position */
/* amplitude sin(2 pi frequency t + phase), growing smoothly from 0 to `ramp` seconds. */
struct scene_oscillation {
	double amplitude[3];	       /* rad (the first alone) or m */
	double frequency, phase, ramp; /* Hz, rad, s */
};
struct scene_motion {
	bool given;
	double center[3], axis[3]; /* axis: unit vector; 2D: z */
	enum scene_motion_keys turn_keys, shift_keys;
	/* more: from box_motion_prepare(), of rates their integrals */
	struct motion_key *keys;
	size_t key_count;
	struct scene_oscillation roll, sway;
};

/* Points of a file that a liquid starts with. */
struct scene_points {
	char *file;	     /* as it can be opened from anywhere; NULL: there are none */
	size_t line, column; /* of its name in the scene */
	bool has_hash;	     /* told in the scene, or found when the file was read */
	uint64_t hash;	     /* of the file's bytes */
	/* Once they are read (formats/read_points.h), which the reader of scenes does not. */
	bool loaded;
	size_t count;
	float *position, *velocity; /* [count][3], m, m/s; velocity: NULL if the file has none */
};

struct scene_liquid {
	char *name;
	struct shape_program shape;
	struct scene_points points;
	double velocity[3];
	double angular_velocity[3]; /* rad/s about the shape's bounding-box centre; 2D: only z */
	/* Of points in place of a shape: the domain, but for the pivot, which is there once they
	 * are read. */
	double low[3], high[3]; /* of that box, as far as it is in the domain */
	double pivot[3];	/* its centre */
	double reach;		/* half its diagonal, m */
	uint8_t color[3];
	double jitter;
	uint32_t seed;
	enum scene_transfer transfer;
	double flip_ratio;
};

/* A part of a closed wall through which liquid flows. */
struct scene_opening {
	char *name;
	enum wall_side wall;
	double low[3], high[3]; /* m, inside the box; along the wall's axis of no meaning */
	size_t liquid;		/* that comes in, an index in liquids */
};

/* Liquid comes in with a given velocity. */
struct scene_inflow {
	struct scene_opening part;
	double velocity[3];	  /* m/s, into the box */
	double start, stop, ramp; /* s; stop 0: never; the velocity grows linearly over ramp */
};

/* Liquid flows out with a given speed, or in and out under a pressure. */
enum scene_outflow_kind { OUTFLOW_PRESSURE, OUTFLOW_HYDROSTATIC, OUTFLOW_VELOCITY };
struct scene_outflow {
	struct scene_opening part;
	enum scene_outflow_kind kind;
	double pressure; /* Pa, at the wall */
	double level;	 /* m, y of the surface that the liquid outside has */
	double velocity; /* m/s, out of the box */
};

/* A shape that is filled with liquid, once or for good. */
struct scene_emitter {
	char *name;
	struct shape_program shape;
	double velocity[3];	/* m/s */
	double at;		/* s, of the first substep's end that it is filled at */
	bool fill;		/* kept full from then on */
	double low[3], high[3]; /* m, encloses the shape; infinite where that is */
	size_t liquid;
};

/* Where liquid vanishes. */
struct scene_drain {
	char *name;
	struct shape_program shape;
	double rate; /* m^3/s (2D: m^2/s); 0: all that is in the shape */
};

/* What acts on the liquid besides gravity: docs/method.md, "Force fields". */
enum scene_force_kind {
	FORCE_POINT,
	FORCE_VORTEX,
	FORCE_WIND,
	FORCE_DRAG,
	FORCE_CUSTOM,
	FORCE_VORTICITY,
	FORCE_KINDS
};
struct scene_force {
	char *name;
	enum scene_force_kind kind;
	struct shape_program shape;	  /* where it acts; empty: everywhere */
	double falloff;			  /* m outside the shape, over which it fades to nothing */
	struct scene_vector_key *factors; /* value[0]: of all that follows */
	size_t factor_count;		  /* 0: the factor is 1 */
	double center[3], axis[3];	  /* axis: unit vector; 2D: z */
	double strength;		  /* point, vortex: m^(power+1)/s^2; vorticity: 1/s */
	double power, core, pull;
	double velocity[3], drag, air_density;	/* wind: m/s, 1, kg/m^3 */
	double rate;				/* drag: 1/s */
	struct scene_vector_key *accelerations; /* custom: m/s^2 */
	size_t acceleration_count;
};

struct scene_probe {
	char *name;
	enum scene_quantity quantity;
	double point[3]; /* height: x (and z in 3D) of the column */
	double depth;	 /* front: of the layer that counts, m */
};

struct scene {
	char *path; /* as given on the command line */
	char *name;
	const char *method; /* of scene_methods */
	int dim;	    /* 2 or 3 */
	int cells[3];
	double size[3];
	double h;
	bool open[6]; /* by enum wall_side */
	struct scene_wall_law wall_law;
	double side_walls; /* 2D: m, how far apart walls across are that rub, too; 0: none */

	struct {
		int frames; /* index of the last frame */
		double fps, cfl, max_dt;
		double dt; /* 0 = adaptive */
	} time;
	struct scene_vector_key *gravity; /* at least one, times ascending, linear between */
	size_t gravity_count;
	struct scene_motion motion;

	double density;
	double viscosity; /* m^2/s, of the wall laws */
	int particles_per_cell;
	double jitter; /* this and seed: of liquids that do not say */
	uint32_t seed;
	enum scene_transfer transfer;
	double flip_ratio, flip_time;
	enum scene_liquid_surface liquid_surface;
	enum scene_kernel kernel;
	double vortex_boost;
	enum scene_grid_surface grid_surface;
	enum scene_velocity_advection velocity_advection;
	/* of GRID_SURFACE_LEVELSET */
	enum scene_interpolation interpolation;
	int redistance; /* once in so many substeps; 0: at the end of every frame */
	bool volume_correction;
	struct scene_sph sph;

	struct solver_settings solver;

	struct scene_liquid *liquids;
	size_t liquid_count;
	struct scene_solid *solids; /* bodies are the last ones */
	size_t solid_count;	    /* with bodies */
	size_t body_count;
	struct scene_inflow *inflows;
	size_t inflow_count;
	struct scene_outflow *outflows;
	size_t outflow_count;
	struct scene_emitter *emitters;
	size_t emitter_count;
	struct scene_drain *drains;
	size_t drain_count;
	struct scene_force *forces;
	size_t force_count;

	struct {
		bool stats, forces;
		bool png;
		int png_size[2];
		enum scene_view png_view;
		/* By view: values at the ends of its colours, m/s, Pa or m; 0 for views without. */
		double png_range[PICTURE_VIEW_COUNT][2];
		int png_every;
		bool png_time_stamp, png_scale_bar;
		struct {
			enum surface_method method;
			int resolution; /* intervals per cell: 1 or 2 */
		} surface;		/* of meshes and of the surface view */
		bool mesh;
		enum scene_mesh_format mesh_format;
		int mesh_every;
		int particles_every; /* 0 = none */
		enum scene_particle_format particles_format;
		int fields_every; /* 0 = none */
		enum scene_field_format fields_format;
		unsigned fields;      /* enum scene_field */
		int checkpoint_every; /* 0 = none */
		int checkpoint_keep;
		struct scene_probe *probes;
		size_t probe_count;
	} output;

	struct {
		bool given;
		double eye[3], target[3], up[3], fov; /* fov: vertical, degrees */
	} camera;
};

/*
 * Reads and checks a scene.  `sets` are `key.path=value` overrides from the command line, applied
 * before validation (they may create mappings, and index lists: liquids.0.velocity=[1,0]).
 * Every error of the file is reported through message_error() as
 * "PATH:LINE:COLUMN: what is wrong (what is allowed)"; then NULL is returned.  errno is then ENOMEM
 * if it was for lack of memory (the scene may be good), else 0.
 */
struct scene *scene_read(const char *path, const char *const *sets, size_t set_count);
/* The same for a scene in memory: `length` bytes of YAML.  `name` stands for the path in messages
 * and gives the scene its name. */
struct scene *scene_read_text(const char *text, size_t length, const char *name);
/* The same with overrides, as scene_read() takes them. */
struct scene *scene_read_text_with(const char *text, size_t length, const char *name,
				   const char *const *sets, size_t set_count);
void scene_free(struct scene *scene); /* accepts NULL */

/* The scene with all defaults as a JSON object (also valid YAML that scene_read() accepts), for
 * run.json.  Numbers in shortest form that reads back to the same double.  Every line but the
 * first is indented by `indent` levels (of two spaces) more; no newline at the end.  malloc'ed,
 * NULL after reporting. */
char *scene_to_json(const struct scene *scene, int indent);

/* The word of `solver.pressure`. */
const char *scene_solver_name(enum scene_solver solver);

/* Does a liquid carry affine matrices?  Have all liquids the transfer and flip_ratio of `liquid`?
 */
bool scene_has_affine(const struct scene *scene);
bool scene_transfers_agree(const struct scene *scene);

/* Does anything rub? */
bool scene_has_friction(const struct scene *scene);

/* Speed that counts as fast, m/s: what liquid can have that falls from the top of where it is at
 * the start, with its velocity there, to the floor of the box. */
double scene_fast_speed(const struct scene *scene);

/* One of the meshes among its shapes, those of liquids first, and what holds it. */
struct scene_mesh {
	const struct mesh_shape *shape;
	const char *kind, *name; /* "liquid", "solid" or "body" */
};
/* By index; false behind the last. */
bool scene_mesh_at(const struct scene *scene, size_t index, struct scene_mesh *mesh);

/* Gravity at time t (seconds), and its mean over t ... t + dt; in axes at rest. */
void scene_gravity(const struct scene *scene, double t, double g[3]);
void scene_gravity_mean(const struct scene *scene, double t, double dt, double g[3]);
/* The same of any keys, at least one; and the greatest length from t to t + dt. */
void scene_vector_at(const struct scene_vector_key *keys, size_t count, double t, double v[3]);
void scene_vector_mean(const struct scene_vector_key *keys, size_t count, double t, double dt,
		       double v[3]);
double scene_vector_most(const struct scene_vector_key *keys, size_t count, double t, double dt);

#endif
