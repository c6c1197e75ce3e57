/*
 * freshet: liquids by particles and grid (PIC, FLIP, APIC) in 2D and 3D, on any OpenCL device.
 *
 * A context is an open device; a scene says what there is; a simulation is the state of a scene on
 * a device.  tests/api/example_minimal.c is the smallest complete program.
 *
 *   - Units are SI.  x points right, y up, z towards the viewer; the lower corner of the box is the
 *     origin.  Where a vector has three elements, the third is 0 in 2D.  h is the cell size.
 *   - Results are the same bits for the same scene, version and particles, whatever the device.
 *   - Errors: functions that can fail return false or NULL.  What went wrong is then in
 *     freshet_error_message(), as one line per mistake.  Nothing is printed and nothing exits.
 *     A NULL where there must be an object or an array is such an error; functions that cannot fail
 *     give zeros for it, and do nothing where there is no place for what they give.
 *   - Ownership: what a *_create, *_read or *_parse function returns is yours until you pass it to
 *     the matching *_destroy function; those accept NULL.  A simulation keeps its context and its
 *     scene alive: they may be destroyed before it.  Arrays you pass in are only read during the
 *     call, arrays you get back are filled by the call.
 *   - Threads: a context and its simulations are one thread's at a time.  Different contexts may be
 *     used by different threads at once.  A scene never changes and may be shared by all.
 */
#ifndef FRESHET_H
#define FRESHET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FRESHET_API __attribute__((visibility("default")))
#else
#define FRESHET_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct freshet_context;	   /* opaque: an open device */
struct freshet_scene;	   /* opaque: a checked scene */
struct freshet_simulation; /* opaque: a state on a device */

/* Version of the library, "MAJOR.MINOR.PATCH".  Static. */
FRESHET_API const char *freshet_version(void);

/* ---- messages --------------------------------------------------------------------------- */

enum freshet_level { FRESHET_ERROR, FRESHET_WARNING, FRESHET_NOTE };

/*
 * Receives every message as it is made: errors too, which also end up in freshet_error_message().
 * One line, without a newline at its end; `text` lives until the callback returns.  Called in the
 * thread that is inside a freshet function, but for the note that kernels are being compiled, which
 * comes from another one while that waits; it must not call freshet itself.
 */
typedef void (*freshet_message_callback)(enum freshet_level level, const char *text, void *user);

/* Sets the callback of the whole process.  NULL (the start): warnings and notes are dropped. */
FRESHET_API void freshet_set_message_callback(freshet_message_callback callback, void *user);

/*
 * The errors of the calling thread's last freshet function that can fail, one per line; "" if it
 * succeeded.  Never NULL; lives until the thread's next freshet call.
 */
FRESHET_API const char *freshet_error_message(void);

/* ---- devices ---------------------------------------------------------------------------- */

struct freshet_device {
	char name[128], vendor[128], platform[128];
	char device_version[128], driver_version[128];
	unsigned platform_index, device_index; /* "P:D" names the device */
	bool is_gpu, is_cpu;
	bool is_default;		 /* picked where none is named, FRESHET_DEVICE aside */
	uint64_t memory, largest_buffer; /* bytes; most in one buffer */
	unsigned compute_units;
};

/*
 * Lists the OpenCL devices.  Writes the first `capacity` of them to `devices` (may be NULL if
 * capacity is 0) and how many there are to *count.  No device at all is no error.
 */
FRESHET_API bool freshet_list_devices(struct freshet_device *devices, size_t capacity,
				      size_t *count);

/*
 * Opens a device for `dim` (2 or 3) dimensions.  The first simulation on it builds the kernels,
 * once it is known to fit; the first time on a machine this takes seconds, later a driver's cache
 * shortens it.  `device`: "gpu", "cpu", "native", "P:D" (indices of platform and device), or a part
 * of a name, in any case; NULL or "" = the environment variable FRESHET_DEVICE, else the GPU with
 * the most memory, else a CPU.  A device that is named and missing is an error, never replaced by
 * another.  NULL on error.
 */
FRESHET_API struct freshet_context *freshet_context_create(const char *device, int dim);
FRESHET_API void freshet_context_destroy(struct freshet_context *context);

/* ---- scenes ----------------------------------------------------------------------------- */

/*
 * Reads a scene file (docs/scene.md).  `sets`: `set_count` texts "key.path=value" that replace
 * values of the file, like --set on the command line; NULL if set_count is 0.  NULL on error; every
 * mistake is reported, with its line and column.
 */
FRESHET_API struct freshet_scene *freshet_scene_read(const char *path, const char *const *sets,
						     size_t set_count);

/* The same from `length` bytes of text in memory.  `name` stands for the path in messages and names
 * the scene; NULL = "scene". */
FRESHET_API struct freshet_scene *freshet_scene_parse(const char *text, size_t length,
						      const char *name);
FRESHET_API void freshet_scene_destroy(struct freshet_scene *scene);

/* What a caller needs to size its arrays and loops. */
struct freshet_scene_info {
	int dim;		/* 2 or 3 */
	int cells[3];		/* along x, y, z; 1 along z in 2D */
	double size[3];		/* of the box, m; 0 along z in 2D */
	double cell_size;	/* h, m */
	int particles_per_cell; /* a particle's volume is h^dim / particles_per_cell */
	double density;		/* kg/m^3 */
	bool is_apic;		/* particles carry affine matrices */
	int liquids, solids;	/* listed in the scene */
	int frames;		/* index of the last frame asked for */
	double frames_per_second;
};
FRESHET_API void freshet_scene_get_info(const struct freshet_scene *scene,
					struct freshet_scene_info *info);

/* Name of the scene, UTF-8; lives as long as the scene does.  NULL without a scene. */
FRESHET_API const char *freshet_scene_name(const struct freshet_scene *scene);

/* Name of a liquid, 0 to freshet_scene_info.liquids - 1, UTF-8; lives as long as the scene does.
 * NULL for one that the scene does not have. */
FRESHET_API const char *freshet_scene_liquid_name(const struct freshet_scene *scene, int liquid);

/*
 * Device memory that a simulation of the scene with this many particles will hold: in all, and its
 * largest buffer, bytes.  Exact without solids; with solids that of a scene whose solids cut a part
 * off some cell, which only the device can tell, else 4 bytes per particle and dimension less.
 * Lists of the faces and sites of inflows, some bytes each, are not counted.  Either pointer may be
 * NULL.  False if the numbers are beyond what can be addressed.
 * docs/memory.md has the parts.
 */
FRESHET_API bool freshet_scene_memory(const struct freshet_scene *scene, size_t particles,
				      uint64_t *total, uint64_t *largest);

/* ---- simulations ------------------------------------------------------------------------ */

/*
 * The scene at time 0 (frame 0), with particles seeded in its liquids.  The scene must have the
 * context's dimension.  A context may have several simulations.  NULL on error.
 */
FRESHET_API struct freshet_simulation *freshet_simulation_create(struct freshet_context *context,
								 struct freshet_scene *scene);

/*
 * Particles of your own: `count` of them, one after the other, D = the scene's dimension.  They are
 * refused as a whole, and the message says which is the first bad one and how many there are of
 * each kind, if any
 *   - is not finite, or faster than 1e6 m/s along an axis (affine: 1e6 m/s across a cell);
 *   - lies outside the box (on its sides is inside) or inside a solid;
 *   - names a liquid that the scene does not have.
 */
struct freshet_particles {
	size_t count;		 /* may be 0 */
	size_t capacity;	 /* room for freshet_simulation_restart(); less than count: count */
	const float *positions;	 /* [count][D], m */
	const float *velocities; /* [count][D], m/s; NULL = at rest */
	const float *affine;	 /* [count][D][D], 1/s: d v_row / d x_column; NULL = 0; APIC only */
	const uint8_t *liquids;	 /* [count], index in the scene's liquids (its colour); NULL = 0 */
};

/*
 * The scene at time 0 with these particles instead of its liquids', of which it needs none.
 * Particles get ids from 0 in order of liquid, then as given; ids break ties, so the same particles
 * in another order are another run.  Without `liquids` a particle's id is its index.  A liquid's
 * bulk should have the scene's particles_per_cell: a particle counts for that share of a cell.
 * NULL on error.
 */
FRESHET_API struct freshet_simulation *
freshet_simulation_create_from_particles(struct freshet_context *context,
					 struct freshet_scene *scene,
					 const struct freshet_particles *particles);

/*
 * Back to time 0 with other particles, in the memory that is there: the state is what
 * freshet_simulation_create_from_particles() would make.  At most as many as the simulation started
 * with, or its `capacity`.  On error because of the particles nothing has changed.
 */
FRESHET_API bool freshet_simulation_restart(struct freshet_simulation *simulation,
					    const struct freshet_particles *particles);

FRESHET_API void freshet_simulation_destroy(struct freshet_simulation *simulation);

/*
 * One substep towards the next frame, of the length that the scene's `time` asks for.  A substep
 * that would move liquid too far, or whose pressure solve fails, is taken back and repeated with
 * half its length, up to four times.  On false the state is that before the substep, or, when the
 * device failed, undefined: only freshet_simulation_destroy() is safe then.
 */
FRESHET_API bool freshet_simulation_step(struct freshet_simulation *simulation);

/* Substeps until the next frame, which is at exactly (frame + 1) / frames_per_second.  May go past
 * the scene's last frame. */
FRESHET_API bool freshet_simulation_step_frame(struct freshet_simulation *simulation);

/* Time reached, s, and last frame reached. */
FRESHET_API double freshet_simulation_time(const struct freshet_simulation *simulation);
FRESHET_API int freshet_simulation_frame(const struct freshet_simulation *simulation);

/* After the last substep (at time 0: of the start, solver values and divergences 0). docs/output.md
 * (stats.csv) defines them.  In 2D extensive quantities are per metre of depth. */
struct freshet_statistics {
	int frame;   /* being reached; reached if frame_end */
	int substep; /* within it, from 1; 0 at time 0 */
	bool frame_end;
	double time, dt; /* s */
	size_t particles;
	size_t liquid_cells; /* unknowns of the pressure solve */
	double volume;	     /* m^dim, of phi < 0 */
	double volume_error; /* relative to the particles' own volume; negative = loss */
	double kinetic_energy, potential_energy;    /* J */
	double momentum[3];			    /* kg m/s */
	double max_speed;			    /* m/s, of particles */
	double divergence_before, divergence_after; /* 1/s, largest over liquid cells */
	int pressure_iterations;
	double pressure_residual; /* true ||b - A x|| / ||b|| at the end */
	int components, singular_components, air_regions;
	int min_per_cell, max_per_cell;		    /* particles in an occupied cell */
	double empty_interior;			    /* share of inner cells without a particle */
	uint64_t pushed, escaped, removed, retries; /* totals since time 0 */
	double milliseconds;			    /* of the device */
};
FRESHET_API void freshet_simulation_statistics(const struct freshet_simulation *simulation,
					       struct freshet_statistics *statistics);

/* Hash of the state: frame, ids, positions, velocities, affine matrices, bit for bit.  At the end
 * of a frame it is the `hash` of stats.csv. */
FRESHET_API bool freshet_simulation_hash(struct freshet_simulation *simulation, uint64_t *hash);

/* Device memory of the simulation's context now, bytes; several simulations share a context. */
FRESHET_API uint64_t freshet_simulation_memory(const struct freshet_simulation *simulation);

/* ---- read-back -------------------------------------------------------------------------- */

/* Particles in the box.  Those that left through open walls are gone. */
FRESHET_API size_t freshet_simulation_particle_count(const struct freshet_simulation *simulation);

/* Where to put particles; NULL = not wanted. */
struct freshet_particle_arrays {
	size_t capacity;   /* particles that fit, at least freshet_simulation_particle_count() */
	float *positions;  /* [capacity][D], m */
	float *velocities; /* [capacity][D], m/s */
	float *affine;	   /* [capacity][D][D], 1/s; 0 unless APIC */
	uint32_t *ids;	   /* [capacity], ascending; a particle keeps its id for life */
	uint8_t *liquids;  /* [capacity], index in the scene's liquids */
};

/* Reads the particles, in order of id; *count (may be NULL) of them. */
FRESHET_API bool freshet_simulation_read_particles(struct freshet_simulation *simulation,
						   const struct freshet_particle_arrays *arrays,
						   size_t *count);

/*
 * Grid fields, as C arrays with x fastest, [shape[0]][shape[1]][shape[2]] = [z][y][x]; in 2D
 * shape[0] is 1.  Velocity and pressure are those of the last projection (0 at time 0); the level
 * set and the cell types belong to the particles at the start of the last substep.
 */
enum freshet_field {
	FRESHET_VELOCITY_X, /* m/s at the x-faces (i, j+1/2, k+1/2) h, [nz][ny][nx+1] */
	FRESHET_VELOCITY_Y, /* y-faces (i+1/2, j, k+1/2) h, [nz][ny+1][nx] */
	FRESHET_VELOCITY_Z, /* z-faces (i+1/2, j+1/2, k) h, [nz+1][ny][nx]; 3D only */
	FRESHET_KNOWN_X,    /* 1 where that velocity is known: on faces in the liquid and near it */
	FRESHET_KNOWN_Y,    /*   and on closed walls of the box; elsewhere it reads as 0 */
	FRESHET_KNOWN_Z,
	FRESHET_OPEN_X, /* open part of each face, 0 to 1: not covered by solids */
	FRESHET_OPEN_Y,
	FRESHET_OPEN_Z,
	FRESHET_PRESSURE,  /* Pa at the cell centres (i+1/2, j+1/2, k+1/2) h, [nz][ny][nx] */
	FRESHET_LEVEL_SET, /* m there; < 0 in liquid, near the surface a distance */
	FRESHET_CELL_TYPE, /* 0 air, 1 liquid, 2 solid */
};

/* Name of a field: "velocity_x", "pressure", "level_set", "cell_type", that is the constant's
 * without FRESHET_, in small letters.  NULL for what is none.  Static. */
FRESHET_API const char *freshet_field_name(enum freshet_field field);

/* The field of that name, whether or not a scene has it.  False for a name that is none's. */
FRESHET_API bool freshet_field_find(const char *name, enum freshet_field *field);

/* Shape of a field; {0, 0, 0} for one that the scene does not have. */
FRESHET_API void freshet_simulation_field_shape(const struct freshet_simulation *simulation,
						enum freshet_field field, size_t shape[3]);

/* Reads a field into `values`, which has room for `capacity` floats. */
FRESHET_API bool freshet_simulation_read_field(struct freshet_simulation *simulation,
					       enum freshet_field field, float *values,
					       size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
