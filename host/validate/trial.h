/*
 * A scene that a validation case runs, and what the case sees of it: statistics, probes, particles
 * and fields on the host.  trial.c alone knows the simulation behind it.
 */
#ifndef FRESHET_TRIAL_H
#define FRESHET_TRIAL_H

#include "curves.h"
#include "probes.h"
#include "scene.h"
#include "step.h"
#include "validate.h"

struct particle_snapshot; /* particles_read.h */
struct sim_particles;	  /* particles_load.h */

/* Of the scenes of scenes/validation/: m/s^2, kg/m^3. */
#define G 9.81
#define RHO 1000.0
/* The digits that published figures of this program were made with. */
#define PI 3.14159265358979

struct trial {
	struct scene *scene; /* owned */
	const struct grid *grid;
	const struct step_stats *stats; /* of the last substep, or of the state at the start */
	struct sim *sim;		/* for trial.c */
	/* May be set: changes the level set that each substep has made, f32 [lattice], m. */
	void (*set_phi)(const struct trial *trial, f32 *phi);
};

/*
 * Opens a scene of scenes/validation/ with overrides: "key.path=value", one a line, made by printf;
 * "" for none.  The state is frame 0, measured.  NULL after reporting.
 */
struct trial *trial_open(struct validate *v, const char *file, const char *format, ...)
	MESSAGE_PRINTF(3, 4);
/* The same from the text of a scene, without measuring, for cases that use its grid and run no
 * steps: every brick is listed (bricks.h), so that fields may be set anywhere.  `name` is for
 * messages. */
struct trial *trial_open_text(struct validate *v, const char *name, const char *text);
void trial_close(struct trial *trial); /* accepts NULL */

/* All of these: false after reporting. */

/* Steps up to time t and past no frame, calling `frame` (may be NULL) after each frame reached; it
 * returns false after reporting. */
bool trial_advance(struct trial *trial, double t, bool (*frame)(struct trial *trial, void *user),
		   void *user);
/* The same from the state as it is, which `frame` sees too; closes the trial.  NULL: false. */
bool trial_watch(struct trial *trial, double t, bool (*frame)(struct trial *trial, void *user),
		 void *user);
/* Such a `frame`; user: the curve that the kinetic energy, J or J/m, is added to. */
bool trial_add_energy(struct trial *trial, void *user);
bool trial_substep(struct trial *trial);
/* The end of the scene's last frame, s. */
double trial_end(const struct trial *trial);
/* Time that phi, and with it heights, belong to: the start of the last substep. */
double trial_phi_time(const struct trial *trial);

/* The scene's probe of that name; a value that is not known is NAN. */
bool trial_probe(struct trial *trial, const char *name, struct probe_value *sample);

/* Mean force of the liquid on the solid of that name over the last frame, N (2D: N/m), in scenes
 * with output.forces. */
bool trial_force(struct trial *trial, const char *solid, double force[3]);

bool trial_particles(struct trial *trial, struct particle_snapshot *snapshot);
/* Starts again with these particles, and measures. */
bool trial_restart(struct trial *trial, const struct sim_particles *given);
/* Moves the particles, and nothing else, for a time dt through face velocities u, f32
 * [dim][lattice]; NULL: those of the last call. */
bool trial_advect(struct trial *trial, double dt, const f32 *u);
bool trial_measure(struct trial *trial);
/* Carries what `method: grid` has of a surface, and nothing else, for a time dt through face
 * velocities u, as above; no frame ends. */
bool trial_carry(struct trial *trial, double dt, const f32 *u);
/* Milliseconds of a stage in the last substep. */
double trial_stage_ms(const struct trial *trial, const char *stage);

enum trial_field {
	TRIAL_PHI,	     /* f32 [lattice], m */
	TRIAL_CELL_TYPE,     /* u8 [lattice], enum cell_type */
	TRIAL_PRESSURE,	     /* f32 [lattice], Pa */
	TRIAL_VELOCITY,	     /* f32 [dim][lattice], m/s, at faces */
	TRIAL_VALID,	     /* u8 [lattice], bit c = face of component c holds a velocity */
	TRIAL_VOLUME,	     /* i32 [lattice], C of the grid, in units of VOLUME_ONE */
	TRIAL_OPEN_FRACTION, /* u16 [dim][lattice], of faces, in 1/FRACTION_ONE */
};
/* A whole field, malloc'ed; NULL after reporting. */
void *trial_read(struct trial *trial, enum trial_field field);
bool trial_write(struct trial *trial, enum trial_field field, const void *values);

enum trial_distance { TRIAL_SWEEP, TRIAL_FLOOD, TRIAL_NEAREST };
/* Distances (distance.h) from a level set, f32 [lattice], in one of both ways, or the cells whose
 * seeds are nearest, u32 [lattice].  malloc'ed; NULL after reporting. */
void *trial_distances(struct trial *trial, enum trial_distance way, const f32 *phi);

/* The solver that the scene's projection uses, made for its grid. */
struct poisson *trial_poisson(struct trial *trial);

#endif
