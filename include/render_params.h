/*
 * Read by both compilers: what the host tells the render kernels, and the maths that the pictures
 * and their legends share.  The rules of shared.h hold here too.
 *
 * Pictures use correctly rounded operations and integer atomics only, so a PNG has the same bytes
 * on every device.  Colours are linear light in [0, 1] until they are written.
 */
#ifndef FRESHET_RENDER_PARAMS_H
#define FRESHET_RENDER_PARAMS_H

#include "shared.h"

/* What a flat picture shows; a subset of enum scene_view that the kernels can read. */
enum render_field {
	RENDER_PARTICLES,
	RENDER_SPEED,
	RENDER_PRESSURE,
	RENDER_LEVELSET,
	RENDER_CELLS,
	RENDER_SURFACE,
};

/* Ids of particles of one colour, from first_id up to the next range's.  An array of them begins
 * with a head: their number, and the colour of liquid of which nothing else is known. */
struct render_range {
	u32 first_id;
	f32 color[3]; /* linear red, green, blue */
};

/*
 * A flat picture of the x-y plane (in 3D: a slice).  Pixel (column, row) has its centre at
 * (column + 1/2, row + 1/2), row 0 on top.  A point (x, y) of the box lies at column
 * left + x*scale, row bottom - y*scale.
 */
struct render_map {
	i32 width, height; /* pixels */
	i32 field;	   /* enum render_field */
	i32 layer;	   /* lattice layer k that is shown, 0 in 2D */
	i32 has_solids;
	i32 many_colors;     /* 1 = liquids differ in colour */
	i32 count, capacity; /* particles; distance between components in their arrays */
	i32 bins_x, bins_y;  /* density bins over the box, see render_splat_density */
	i32 slices;	     /* work-items that share one particle's pixels */
	f32 scale;	     /* pixels per metre */
	f32 left, bottom;    /* pixels */
	f32 radius;	     /* of a particle, pixels */
	f32 line;	     /* width of lines, pixels */
	f32 bins_per_metre;
	f32 bin_rest;  /* particles per bin in liquid at rest */
	f32 low, high; /* ends of what the colours span: m/s, Pa or m */
	f32 speed_ref; /* m/s that counts as fast */
	f32 contour;   /* m between contour lines of the level set */
};

/* A pinhole camera and the 3D picture.  Lengths in metres, pixels are those of the working
 * picture, `samples` times finer per axis than the one that is written. */
struct render_camera {
	i32 width, height, samples;
	i32 count, capacity;
	i32 tiles_x, tiles_y; /* of the working picture */
	i32 speed_view;	      /* 1 = colour by speed */
	i32 has_solids;
	i32 cut_faces;	  /* bit per wall_side: solids are cut open there, not capped */
	i32 shadow_cells; /* shadow map cells per axis */
	f32 eye[3], right[3], up[3], forward[3]; /* unit axes */
	f32 focal;				 /* pixels per unit of slope */
	f32 near_plane;
	f32 radius;	  /* of a particle */
	f32 reach, range; /* the surface is smoothed over this distance, across this depth */
	f32 fill;	  /* sum of chords along a ray / depth of liquid at rest */
	f32 absorption;	  /* 1/m */
	f32 speed_ref;	  /* m/s that counts as fast */
	f32 speed_low, speed_high; /* m/s, ends of what the colours of the speed view span */
	f32 shadow_x, shadow_z, shadow_inv; /* corner of the shadow map, 1/cell size */
	f32 shadow_rest;	  /* particles above a map cell under a box full of liquid */
	f32 floor_radius;	  /* the floor fades out at this distance from the box's centre */
	f32 line;		  /* half width of lines, pixels */
	f32 slab_first, slab_inv; /* where slabs begin, m, and 1/their thickness */
};

/* Working pixels of a 3D picture's tile, per axis; the thickness of water is sampled in every
 * second one, so it is even. */
#define RENDER_TILE 16
/* Intervals per axis of the surface's lattice in a brick in which rays look whether phi varies. */
#define RENDER_BRICK 4
/* Slabs of depth into which the spheres of a tile are sorted. */
#define RENDER_SLABS 8

/* Bits of the state of a tile: what it shows now, and what it showed in the picture before. */
#define RENDER_TILE_LIQUID 1u
#define RENDER_TILE_SHADOW 2u
#define RENDER_TILE_NOW (RENDER_TILE_LIQUID | RENDER_TILE_SHADOW)
#define RENDER_TILE_BEFORE(bits) ((bits) << 2)
#define RENDER_TILE_ALL (RENDER_TILE_NOW | RENDER_TILE_BEFORE(RENDER_TILE_NOW))

#define RENDER_EDGES                                                                \
	12 /* of the box; each 6 floats: x, y, 1/depth of both ends, pixels and 1/m \
	    */

/* Fixed point of coverage: 63 x colour 255 x 200 000 particles on one pixel stay below 2^32. */
#define RENDER_COVER_ONE 63
/* Of density weights: 9/16 x 128 x speed 255 x 200 000 particles in one bin, likewise. */
#define RENDER_WEIGHT_ONE 128
/* Of thickness, per particle diameter. */
#define RENDER_CHORD_ONE 128

/* Linear light to sRGB in [0, 1], within 0.02; own least-squares fit in x, sqrt x, x^(1/4). */
SHARED_INLINE f32 render_encode(f32 x)
{
	f32 root = shared_sqrt(x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x);
	f32 value = 1.25470f * root - 0.19493f * root * root - 0.05977f * shared_sqrt(root);
	return value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
}

/*
 * Colour map, t in [0, 1] -> linear red, green, blue: violet, teal, green, yellow.
 * Perceptually uniform by construction: a path in the Oklab space (Ottosson 2020) whose lightness
 * is linear in t and whose two colour axes are quadratic through three chosen hues.
 */
SHARED_INLINE void render_color_map(f32 t, f32 rgb[3])
{
	t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
	f32 first = (1.0f - t) * (1.0f - 2.0f * t);
	f32 middle = 4.0f * t * (1.0f - t);
	f32 last = t * (2.0f * t - 1.0f);
	f32 light = 0.30f + 0.60f * t;
	f32 a = 0.055f * first - 0.095f * middle - 0.028f * last;
	f32 b = -0.125f * first - 0.015f * middle + 0.172f * last;
	f32 l = light + 0.39633778f * a + 0.21580376f * b;
	f32 m = light - 0.10556135f * a - 0.06385417f * b;
	f32 s = light - 0.08948418f * a - 1.29148555f * b;
	l = l * l * l;
	m = m * m * m;
	s = s * s * s;
	rgb[0] = 4.07674166f * l - 3.30771159f * m + 0.23096993f * s;
	rgb[1] = -1.26843800f * l + 2.60975740f * m - 0.34131940f * s;
	rgb[2] = -0.00419609f * l - 0.70341861f * m + 1.70761470f * s;
}

/* Level set: blues inside, sands outside; t = distance / top of the range, in [-1, 1].  The square
 * root spends most of the colours near the surface. */
SHARED_INLINE void render_levelset_color(f32 t, f32 rgb[3])
{
	f32 far = shared_sqrt(shared_fabs(t) < 1.0f ? shared_fabs(t) : 1.0f);
	rgb[0] = t < 0.0f ? 0.60f - 0.59f * far : 0.96f - 0.26f * far;
	rgb[1] = t < 0.0f ? 0.78f - 0.71f * far : 0.90f - 0.65f * far;
	rgb[2] = t < 0.0f ? 0.93f - 0.61f * far : 0.78f - 0.73f * far;
}

SHARED_INLINE void render_cell_color(i32 type, f32 rgb[3])
{
	rgb[0] = type == CELL_LIQUID ? 0.06f : type == CELL_SOLID ? 0.24f : 0.82f;
	rgb[1] = type == CELL_LIQUID ? 0.25f : type == CELL_SOLID ? 0.25f : 0.87f;
	rgb[2] = type == CELL_LIQUID ? 0.66f : type == CELL_SOLID ? 0.27f : 0.90f;
}

/* The least of 1, 2, 5 times a power of ten that is >= x; 0 for x <= 0. */
SHARED_INLINE f32 render_round_up(f32 x)
{
	f32 power = 1.0f;
	if (!(x > 1e-30f))
		return 0.0f;
	if (x > 1e30f)
		return x;
	while (power > x)
		power /= 10.0f;
	while (power * 10.0f < x)
		power *= 10.0f;
	return x <= power	   ? power
	       : x <= 2.0f * power ? 2.0f * power
	       : x <= 5.0f * power ? 5.0f * power
				   : 10.0f * power;
}

#endif
