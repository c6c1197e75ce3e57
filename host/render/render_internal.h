/* Shared by render.c and render_3d.c only. */
#ifndef FRESHET_RENDER_INTERNAL_H
#define FRESHET_RENDER_INTERNAL_H

#include "distance.h"
#include "render.h"
#include "render_params.h"
#include "surface.h"

#define RENDER_SHADOW_CELLS 160 /* of the shadow map per axis; coarse, so that it is soft */

#define RENDER_RANGES 65 /* of ids, at first: as many as a scene has liquids, and a head */

struct render {
	struct subject subject;
	struct clx *cl; /* its device */
	enum render_field field;
	bool flat; /* false: seen by a camera */
	int width, height;
	u32 *host;	    /* the pixels as read: [height*width] */
	double solids_time; /* s, of the solids that move, in what is drawn once */

	union u32_buffer pixels;	  /* u32 [height*width] */
	union render_range_buffer ranges; /* struct render_range [], a head first; grows */
	struct render_map map;		  /* 3D: only counts, range and colours */

	/* flat */
	union u32_buffer bins;	/* u32 [2 or 5][bins_y][bins_x] */
	union u32_buffer cover; /* u32 [1 or 4][height][width] */
	/* view `levelset` only: phi as a distance everywhere, not just near the surface */
	union f32_buffer levelset; /* f32 [L], m */
	struct distance distance;

	/* view `surface` only: its own or shared */
	struct surface own_surface, *surface;

	/* 3D, W = working pixels */
	struct render_camera camera;
	union f32_buffer depth;	  /* f32 [W], m along the view */
	union f32_buffer other;	  /* f32 [W], smoothing scratch */
	union u32_buffer nearest; /* u32 [W], id of the nearest particle */
	union u32_buffer place;	  /* u32 [N], index of the particle with that id */
	union u32_buffer slabs;	  /* u32 [tiles*RENDER_SLABS+1], see render_count_spheres */
	union u32_buffer spheres; /* u32 [], of all slabs; grows */
	union u32_buffer scan_scratch;
	union u32_buffer thickness;   /* u32 [W/4], see render_gather_spheres */
	union f32_buffer box_near;    /* f32 [W], m, where the ray enters the box */
	union f32_buffer box_far;     /* f32 [W], m, and leaves it */
	union u32_buffer under;	      /* u32 [W], packed colours behind the water */
	union f32_buffer under_depth; /* f32 [W], m */
	union u32_buffer solid_color; /* u32 [W], packed; only where there are solids */
	union f32_buffer solid_depth; /* f32 [W], m; likewise */
	union u32_buffer shadow;      /* u32 [shadow_cells^2] */
	union f32_buffer edges;	      /* f32 [RENDER_EDGES][6] */
	union u32_buffer tile_floor, tile_edges, tile_state; /* u32 [tiles], render_survey_tiles */
	/* view `surface`: see render_calm_bricks */
	union u32_buffer bricks; /* u32 [bricks of its lattice] */
	union u8_buffer calm;	 /* u8, likewise */
	bool loops_cut;		 /* see loops_probe() */
	bool every_step;	 /* for tests: rays look at phi wherever they pass */
};

/* Sizes of a picture and what is drawn: everything the buffers depend on but r->map.capacity, no
 * device needed.  False after reporting if it cannot be drawn. */
bool render_plan(struct render *r, const struct scene *scene, const int size[2],
		 enum scene_view view);

/* The buffers of a planned picture, but for r->distance.  Returns how many. */
#define RENDER_FIELDS 25
size_t render_list_fields(struct render *r, const struct scene *scene,
			  struct field fields[RENDER_FIELDS]);

/* Bricks along so many intervals of the surface's lattice. */
size_t render_bricks(i32 intervals);

/* The camera; edges: those of the box on the picture, zeros where they are not seen.  False after
 * reporting that it cannot stand so. */
bool render_camera_init(struct render *r, float edges[RENDER_EDGES][6]);
/* The camera and what does not change from one picture to the next, when the buffers are there; the
 * next picture is drawn as a whole. */
bool render_3d_init(struct render *r);
/* Enqueues the picture, up to the finished pixels. */
bool render_3d_draw(struct render *r);

#endif
