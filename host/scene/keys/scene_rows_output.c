/* The keys of what a scene writes, and of the camera. */
#include "scene_key_rows.h"
#include "scene_shape.h"

#define MAX_RANGE 1e15 /* of colours */

#define EVERY(member, default_, ...)                                                 \
	WHOLE("every", struct scene, output.member, 1, 1000000, .initial = default_, \
	      .unit = "frames", __VA_ARGS__)

const struct scene_key scene_output_keys[] = {
	SWITCH("stats", struct scene, output.stats, .initial = true,
	       .says = "`stats.csv`, a row per substep"),
	SWITCH("forces", struct scene, output.forces, .initial = false,
	       .says = "`forces.csv`, a row per frame: [force, torque and work](output.md#forcescsv) "
		       "of the liquid on each of the solids"),
	MAPPING("png", SECTION_PNG, .otherwise = "none", .says = "`frames/`, pictures"),
	LIST("probes", SECTION_PROBES, .otherwise = "[]", .says = "`probes.csv`, a row per frame"),
	MAPPING("checkpoint", SECTION_CHECKPOINT, .otherwise = "by the clock only",
		.says = "`checkpoints/`"),
	MAPPING("particles", SECTION_PARTICLES, NEEDS_PARTICLES, .otherwise = "none",
		.says = "`particles/`, for other programs ([output.md](output.md#particles))"),
	MAPPING("fields", SECTION_FIELDS, .otherwise = "none",
		.says = "`fields/` ([output.md](output.md#fields))"),
	MAPPING("mesh", SECTION_MESH, NEEDS_PARTICLES, .otherwise = "none",
		.says = "`mesh/`, a [mesh](output.md#meshes) of the surface, in 2D its outline"),
	MAPPING("surface", SECTION_SURFACE, NEEDS_PARTICLES,
		.says = "how the surface of meshes and of the view `surface` is made from the "
			"particles"),
	END_OF_KEYS,
};

const struct scene_key scene_png_keys[] = {
	/* Squared, still below the 2^28 pixels that can be drawn. */
	OWN("size", "width, height", BETWEEN(1, 16383), .unit = "pixels",
	    .otherwise = "2D: the box, longer side 1280; 3D: [1280, 720]"),
	WORD("view", struct scene, output.png_view, picture_view_names, .initial = VIEW_PARTICLES,
	     .other = VIEW_LEVELSET, .other_when = KEY_WITH_GRID,
	     .says = "with `grid` that is `levelset`; 3D: pressure, levelset and cells show a slice"),
	EVERY(png_every, 1, .says = "one frame in so many"),
	SWITCH("time_stamp", struct scene, output.png_time_stamp, .initial = false,
	       .says = "the frame's time, upper left"),
	SWITCH("scale_bar", struct scene, output.png_scale_bar, .initial = false,
	       .says = "a bar and its length, lower left; of 2D scenes and slices: what is seen in "
		       "perspective has no one scale"),
	MAPPING("ranges", SECTION_RANGES, .says = "what the colours of views span, in all frames"),
	END_OF_KEYS,
};

const struct scene_key scene_ranges_keys[] = {
	OWN("speed", "least, greatest", BETWEEN(0, MAX_RANGE), .unit = "m/s",
	    .otherwise =
		    "0, fast: what a fall from a liquid's top to the floor of the box, and its "
		    "velocity and turning, can give, rounded up to 1, 2 or 5 times a power of "
		    "ten; from the top of the box where that moves, where there is no liquid, "
		    "and of liquids from `points`",
	    .says = "at the ends of the colours of view `speed`; what is beyond has the colour of "
		    "the end"),
	OWN("pressure", "least, greatest", BETWEEN(-MAX_RANGE, MAX_RANGE), .unit = "Pa",
	    .otherwise = "0, ½ ρ fast² (liquid at rest has ρ g depth), rounded up",
	    .says = "view `pressure`"),
	OWN("levelset", "−x, x", BETWEEN(-MAX_RANGE, MAX_RANGE), .unit = "m",
	    .otherwise = "half the box's shortest side, rounded up", .says = "view `levelset`"),
	END_OF_KEYS,
};

const struct scene_key scene_particles_keys[] = {
	WORD("format", struct scene, output.particles_format, particle_format_names,
	     .initial = PARTICLES_VTKHDF),
	EVERY(particles_every, 1, .says = "one frame in so many"),
	END_OF_KEYS,
};

const struct scene_key scene_fields_keys[] = {
	WORD("format", struct scene, output.fields_format, field_format_names,
	     .initial = FIELDS_VTKHDF),
	EVERY(fields_every, 10, .says = "one frame in so many"),
	LIST("names", SECTION_NONE, .words = grid_field_names, .otherwise = "all"),
	END_OF_KEYS,
};

const struct scene_key scene_mesh_keys[] = {
	WORD("format", struct scene, output.mesh_format, mesh_format_names, .initial = MESH_PLY),
	EVERY(mesh_every, 1, .says = "one frame in so many"),
	END_OF_KEYS,
};

static const char *const surface_methods[] = {
	[SURFACE_AVERAGED] = "averaged",
	[SURFACE_BLOBS] = "blobs",
	[SURFACE_ANISOTROPIC] = "anisotropic",
	NULL,
};

const struct scene_key scene_surface_keys[] = {
	WORD("method", struct scene, output.surface.method, surface_methods,
	     .initial = SURFACE_AVERAGED),
	/* Fine ones are cheap in 2D. */
	WHOLE("resolution", struct scene, output.surface.resolution, 1, 2, .initial = 2, .other = 1,
	      .other_when = KEY_IN_3D, .says = "lattice intervals of the surface per cell"),
	END_OF_KEYS,
};

static const char *const quantities[] = {
	[QUANTITY_PRESSURE] = "pressure",
	[QUANTITY_VELOCITY] = "velocity",
	[QUANTITY_HEIGHT] = "height",
	[QUANTITY_FRONT] = "front",
	NULL,
};

const struct scene_key scene_probes_keys[] = {
	OWN("name", NAME_TYPE, .otherwise = "`probe 0`, `probe 1`, …", .says = "no two alike"),
	OWN("point", "vector", COORDINATES, .unit = "m",
	    .says = "inside the domain; for `pressure` and `velocity`"),
	OWN("column", "`[x]`; `[x, z]` in 3D", COORDINATES, .unit = "m",
	    .says = "inside the domain; for `height`"),
	OWN("quantity", NULL, .words = quantities,
	    .otherwise = "`pressure` of a point, `height` of a column",
	    .says = "`front`: how far liquid has come towards +x"),
	NUMBER("depth", struct scene_probe, depth, 1e-9, SCENE_MAX_COORDINATE, .unit = "m",
	       .otherwise = "half a cell", .says = "of the layer that counts; for `front`"),
	END_OF_KEYS,
};

const struct scene_key scene_checkpoint_keys[] = {
	EVERY(checkpoint_every, 24, .says = "one frame in so many, and by the clock"),
	WHOLE("keep", struct scene, output.checkpoint_keep, 1, 1000000, .initial = 2,
	      .unit = "files", .says = "the latest, which are kept"),
	END_OF_KEYS,
};

const struct scene_key scene_camera_keys[] = {
	VECTOR("eye", struct scene, camera.eye, SCENE_MAX_COORDINATE, .unit = "m",
	       .otherwise = "1.5 diagonals of the box from its centre, along (2, 2, 5)",
	       .says = "not equal to `target`"),
	VECTOR("target", struct scene, camera.target, SCENE_MAX_COORDINATE, .unit = "m",
	       .otherwise = "centre of the box"),
	VECTOR("up", struct scene, camera.up, SCENE_MAX_COORDINATE, .initial_vector = {0, 1, 0},
	       .says = "not along the line of sight"),
	NUMBER("fov", struct scene, camera.fov, 1, 170, .initial = 40, .unit = "degrees",
	       .says = "vertical"),
	END_OF_KEYS,
};
