/*
 * The launches of 3D pictures: see kernels/render/render_spheres.cl and the following.
 *
 * What does not change from one picture to the next stays: solids and camera stand still, so solids
 * and all that lies behind the liquid are drawn once, and later pictures draw the tiles of liquid
 * and shadow anew, now or before (kernels/render/render_tiles.cl).
 */
#include "render_internal.h"

#include <stdlib.h>

#include "loops.h"
#include "scan.h"

/* Spheres of a tile in a launch, where loops end early: some 50 turns each, of 65535. */
#define SHORT_LIST 256
#define SMOOTHING_ROUNDS 3 /* each of half the reach of the one before */

static struct clx_range all_tiles(const struct render_camera *c)
{
	return clx_range1((size_t)c->tiles_x * (size_t)c->tiles_y);
}

/* Work-items for the rows of all tiles. */
static struct clx_range all_rows(const struct render_camera *c)
{
	return clx_range3((size_t)c->tiles_x, (size_t)c->height, 1);
}

/* Those that fill most of a side of the
 * box are a container, seen cut open from there. */
static bool draw_solids(struct render *r)
{
	u32 counts[12];
	const struct grid *g = &r->subject.lattice->grid;
	const struct solids *solids = r->subject.solids;
	const i32 op_count = (i32)solids->op_count;
	r->camera.has_solids = r->subject.scene->solid_count > 0;
	r->camera.cut_faces = 0;
	if (!r->camera.has_solids)
		return true;
	/* The shadow map serves as scratch; it is cleared before each frame. */
	if (!clx_zero(r->cl, &r->shadow, 0, sizeof(counts)) ||
	    !LAUNCH(r->cl, render_count_cut,
		    clx_range3((size_t)g->px, (size_t)g->py, (size_t)g->pz), .g = g,
		    .solid_phi = &solids->phi, .counts = &r->shadow) ||
	    !clx_read(r->cl, &r->shadow, 0, sizeof(counts), counts))
		return false;
	for (int side = 0; side < 6; side++)
		if (counts[2 * side + 1] > counts[2 * side] / 2)
			r->camera.cut_faces |= 1 << side;
	return r->field == RENDER_SURFACE || /* its rays are bent: they meet solids elsewhere */
	       LAUNCH(r->cl, render_solids,
		      clx_range3((size_t)r->camera.width, (size_t)r->camera.height, 1),
		      .c = &r->camera, .g = g, .ops = &solids->ops, .op_count = I32(op_count),
		      .points = &solids->points, .solid_phi = &solids->phi,
		      .solid_color = &r->solid_color, .solid_depth = &r->solid_depth);
}

bool render_3d_init(struct render *r)
{
	const struct render_camera *c = &r->camera;
	float edges[RENDER_EDGES][6];
	return loops_probe(r->cl, &r->loops_cut) && render_camera_init(r, edges) &&
	       clx_write(r->cl, &r->edges, 0, sizeof(edges), edges) &&
	       (r->field == RENDER_SURFACE ||
		LAUNCH(r->cl, render_box_depths, clx_range3((size_t)c->width, (size_t)c->height, 1),
		       .c = c, .g = &r->subject.lattice->grid, .near = &r->box_near,
		       .far = &r->box_far)) &&
	       draw_solids(r) &&
	       LAUNCH(r->cl, render_survey_tiles,
		      clx_range3((size_t)c->tiles_x, (size_t)c->tiles_y, 1), .c = c,
		      .edges = &r->edges, .tile_floor = &r->tile_floor,
		      .tile_edges = &r->tile_edges, .tile_state = &r->tile_state);
}

/* Shadows, and the tiles that show them. */
static bool begin_picture(struct render *r)
{
	const struct particle_set *now = &r->subject.particles->now;
	return clx_zero(r->cl, &r->shadow, 0, r->shadow.bytes) &&
	       LAUNCH(r->cl, render_splat_shadow, clx_range1((size_t)r->camera.count),
		      .c = &r->camera, .position = &now->position, .id = &now->id,
		      .shadow = &r->shadow) &&
	       LAUNCH(r->cl, render_begin_tiles, all_tiles(&r->camera), .c = &r->camera,
		      .tile_floor = &r->tile_floor, .shadow = &r->shadow,
		      .tile_state = &r->tile_state);
}

/* The list of spheres by tile; it grows as spheres reach more tiles. */
static bool list_spheres(struct render *r)
{
	struct clx *cl = r->cl;
	const struct render_camera *c = &r->camera;
	const struct particle_set *now = &r->subject.particles->now;
	const struct clx_range each = clx_range1((size_t)c->count);
	const size_t slabs = (size_t)c->tiles_x * (size_t)c->tiles_y * RENDER_SLABS;
	u32 total = 0;
	if (!clx_zero(cl, &r->slabs, 0, r->slabs.bytes) ||
	    !LAUNCH(cl, render_count_spheres, each, .c = c, .position = &now->position,
		    .id = &now->id, .slabs = &r->slabs, .place = &r->place) ||
	    !scan_exclusive(cl, &r->slabs, slabs, &r->scan_scratch) ||
	    !clx_read(cl, &r->slabs, slabs * sizeof(u32), sizeof(u32), &total))
		return false;
	if (total * sizeof(u32) > r->spheres.bytes) {
		clx_free(cl, &r->spheres);
		if (!clx_alloc(cl, &r->spheres, "picture spheres", (size_t)total + total / 4))
			return false;
	}
	return LAUNCH(cl, render_list_spheres, each, .c = c, .position = &now->position,
		      .id = &now->id, .slabs = &r->slabs, .spheres = &r->spheres);
}

/* The greatest number of spheres that a tile has. */
static bool longest_list(struct render *r, u32 *longest)
{
	const size_t tiles = (size_t)r->camera.tiles_x * (size_t)r->camera.tiles_y;
	u32 *slabs = clx_read_copy(r->cl, &r->slabs, r->slabs.bytes), before = 0;
	*longest = 0;
	for (size_t t = 0; t < tiles && slabs; t++) {
		const u32 end = slabs[t * RENDER_SLABS + RENDER_SLABS - 1];
		*longest = end - before > *longest ? end - before : *longest;
		before = end;
	}
	const bool ok = slabs != NULL;
	free(slabs);
	return ok;
}

/* In one launch, or in as many as the longest list needs where loops end early. */
static bool gather_spheres(struct render *r)
{
	const struct render_camera *c = &r->camera;
	const struct particle_set *now = &r->subject.particles->now;
	const u32 most = r->loops_cut ? SHORT_LIST : UINT32_MAX;
	u32 longest = 0, skip = 0;
	bool ok = !r->loops_cut || longest_list(r, &longest), more = true;
	for (; ok && more; skip += SHORT_LIST) {
		ok = LAUNCH(r->cl, render_gather_spheres, all_tiles(c), .c = c,
			    .position = &now->position, .id = &now->id, .near = &r->box_near,
			    .far = &r->box_far, .slabs = &r->slabs, .spheres = &r->spheres,
			    .skip = U32(skip), .most = U32(most), .tile_state = &r->tile_state,
			    .depth = &r->depth, .nearest = &r->nearest, .thickness = &r->thickness);
		more = longest > skip + SHORT_LIST;
	}
	return ok;
}

/* Leaves the result in r->depth. */
static bool smooth_depth(struct render *r)
{
	const struct render_camera *c = &r->camera;
	const int across = 0, down = 1;
	float share = 1;
	bool ok = true;
	for (int n = 0; n < SMOOTHING_ROUNDS && ok; n++, share *= 0.5f)
		ok = LAUNCH(r->cl, render_smooth_depth, all_rows(c), .c = c,
			    .vertical = I32(across), .share = F32(share),
			    .tile_state = &r->tile_state, .from = &r->depth, .to = &r->other) &&
		     LAUNCH(r->cl, render_smooth_depth, all_rows(c), .c = c, .vertical = I32(down),
			    .share = F32(share), .tile_state = &r->tile_state, .from = &r->other,
			    .to = &r->depth);
	return ok;
}

static bool draw_spheres(struct render *r)
{
	struct clx *cl = r->cl;
	const struct render_camera *c = &r->camera;
	const struct particle_set *now = &r->subject.particles->now;
	return list_spheres(r) && gather_spheres(r) && smooth_depth(r) &&
	       LAUNCH(cl, render_background, all_rows(c), .c = c, .g = &r->subject.lattice->grid,
		      .solid_color = &r->solid_color, .solid_depth = &r->solid_depth,
		      .shadow = &r->shadow, .edges = &r->edges, .tile_edges = &r->tile_edges,
		      .tile_state = &r->tile_state, .under = &r->under,
		      .under_depth = &r->under_depth) &&
	       LAUNCH(cl, render_compose, clx_range3((size_t)r->width, (size_t)r->height, 1),
		      .c = c, .depth = &r->depth, .nearest = &r->nearest, .place = &r->place,
		      .thickness = &r->thickness, .under = &r->under,
		      .under_depth = &r->under_depth, .edges = &r->edges,
		      .tile_edges = &r->tile_edges, .tile_state = &r->tile_state,
		      .velocity = &now->velocity, .ranges = &r->ranges, .pixels = &r->pixels);
}

static bool draw_surface(struct render *r)
{
	struct clx *cl = r->cl;
	const struct render_camera *c = &r->camera;
	const struct surface *s = r->surface;
	const struct solids *solids = r->subject.solids;
	const i32 ops = (i32)solids->op_count;
	const struct clx_range bricks = clx_range3(
		render_bricks(s->grid.nx), render_bricks(s->grid.ny), render_bricks(s->grid.nz));
	return LAUNCH(cl, render_survey_bricks, bricks, .c = c, .s = &s->grid, .level = &s->level,
		      .bricks = &r->bricks, .tile_state = &r->tile_state) &&
	       (r->every_step ? clx_zero(cl, &r->calm, 0, r->calm.bytes)
			      : LAUNCH(cl, render_calm_bricks, bricks, .s = &s->grid,
				       .bricks = &r->bricks, .calm = &r->calm)) &&
	       LAUNCH(cl, render_surface_3d,
		      clx_range3(((size_t)c->width + 1) / 2, ((size_t)c->height + 1) / 2, 1),
		      .c = c, .g = &r->subject.lattice->grid, .s = &s->grid, .level = &s->level,
		      .calm = &r->calm, .ops = &solids->ops, .op_count = I32(ops),
		      .points = &solids->points, .solid_phi = &solids->phi, .shadow = &r->shadow,
		      .edges = &r->edges, .tile_edges = &r->tile_edges,
		      .tile_state = &r->tile_state, .start = &s->start, .position = &s->position,
		      .id = &s->id, .many_colors = I32(r->map.many_colors), .ranges = &r->ranges,
		      .pixels = &r->pixels);
}

bool render_3d_draw(struct render *r)
{
	r->camera.count = r->map.count;
	r->camera.capacity = r->map.capacity;
	return begin_picture(r) && (r->field == RENDER_SURFACE ? draw_surface(r) : draw_spheres(r));
}
