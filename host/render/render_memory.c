/* The buffers of pictures: what there is and how large. */
#include <string.h>

#include "render_internal.h"
#include "scan.h"
#include "scene_grid.h"

#define SPHERE_TILES 2 /* that a sphere reaches, at first */

size_t render_bricks(i32 intervals)
{
	return ((size_t)intervals + RENDER_BRICK - 1) / RENDER_BRICK;
}

/* Bricks of the surface's lattice. */
static size_t brick_count(const struct scene *scene)
{
	size_t count = 1;
	for (int a = 0; a < 3; a++)
		count *= render_bricks(scene->cells[a] * (i32)scene->output.surface.resolution);
	return count;
}

/* To free them no scene is needed: sizes are then of no account. */
size_t render_list_fields(struct render *r, const struct scene *scene,
			  struct field fields[RENDER_FIELDS])
{
	const struct render_map *m = &r->map;
	const struct render_camera *c = &r->camera;
	const size_t pixels = (size_t)r->width * (size_t)r->height;
	const size_t working = (size_t)c->width * (size_t)c->height;
	const size_t quarter = (size_t)((c->width + 1) / 2) * (size_t)((c->height + 1) / 2);
	const bool surface = r->field == RENDER_SURFACE;
	const bool particles = r->field == RENDER_PARTICLES || r->field == RENDER_SPEED || surface;
	const size_t bins = particles ? (size_t)m->bins_x * (size_t)m->bins_y : 0;
	const size_t cover = particles ? pixels : 0;
	const size_t spheres = surface ? 0 : working;
	const size_t traced = scene && scene->solid_count > 0 ? spheres : 0;
	const size_t tiles = (size_t)c->tiles_x * (size_t)c->tiles_y;
	const size_t slabs = surface ? 0 : tiles * RENDER_SLABS + 1;
	const size_t listed = surface ? 0 : (size_t)m->capacity;
	const size_t bricks = scene && surface && !r->flat ? brick_count(scene) : 0;
	const size_t lattice = scene ? (size_t)scene_grid(scene).lattice : 0;
	const struct field common[] = {
		FIELD(&r->pixels, "picture", pixels),
		FIELD(&r->ranges, "picture colours", RENDER_RANGES),
	};
	const struct field flat[] = {
		FIELD(&r->bins, "picture bins", bins * (m->many_colors ? 5 : 2)),
		FIELD(&r->cover, "picture cover", cover * (m->many_colors ? 4 : 1)),
		FIELD(&r->levelset, "level set as distance",
		      r->field == RENDER_LEVELSET ? lattice : 0),
	};
	const struct field seen[] = {
		FIELD(&r->depth, "picture depth", spheres),
		FIELD(&r->other, "picture depth, next", spheres),
		FIELD(&r->nearest, "picture particles", spheres),
		FIELD(&r->place, "picture places", listed),
		FIELD(&r->slabs, "picture slabs", slabs),
		FIELD(&r->spheres, "picture spheres", SPHERE_TILES * listed),
		FIELD(&r->scan_scratch, "picture scan", scan_scratch_bytes(slabs) / sizeof(u32)),
		FIELD(&r->thickness, "picture thickness", surface ? 0 : quarter),
		FIELD(&r->box_near, "picture box, near", spheres),
		FIELD(&r->box_far, "picture box, far", spheres),
		FIELD(&r->under, "picture background", spheres),
		FIELD(&r->under_depth, "picture background depth", spheres),
		FIELD(&r->solid_color, "picture solids", traced),
		FIELD(&r->solid_depth, "picture solids depth", traced),
		FIELD(&r->shadow, "picture shadow", RENDER_SHADOW_CELLS * RENDER_SHADOW_CELLS),
		FIELD(&r->edges, "picture edges", (size_t)RENDER_EDGES * 6),
		FIELD(&r->tile_floor, "picture tiles, floor", tiles),
		FIELD(&r->tile_edges, "picture tiles, edges", tiles),
		FIELD(&r->tile_state, "picture tiles", tiles),
		FIELD(&r->bricks, "picture bricks", bricks),
		FIELD(&r->calm, "picture bricks, calm", bricks),
	};
	const size_t first = sizeof(common) / sizeof(common[0]);
	memcpy(fields, common, sizeof(common));
	if (r->flat)
		memcpy(fields + first, flat, sizeof(flat));
	else
		memcpy(fields + first, seen, sizeof(seen));
	return first + (r->flat ? sizeof(flat) / sizeof(flat[0]) : sizeof(seen) / sizeof(seen[0]));
}

bool render_memory(const struct scene *scene, u32 particles, uint64_t *bytes)
{
	struct render r = {0};
	struct field fields[RENDER_FIELDS];
	*bytes = 0;
	r.map.capacity = (i32)(particles ? particles : 1);
	if (!scene->output.png)
		return true;
	if (!render_plan(&r, scene, scene->output.png_size, scene->output.png_view))
		return false;
	const size_t count = render_list_fields(&r, scene, fields);
	for (size_t i = 0; i < count; i++)
		*bytes += (uint64_t)(fields[i].count ? fields[i].count : 1) * fields[i].size;
	if (r.field == RENDER_LEVELSET)
		*bytes += distance_bytes((size_t)scene_grid(scene).lattice, scene->dim);
	uint64_t surface = 0;
	if (r.field == RENDER_SURFACE && !scene->output.mesh &&
	    !surface_memory(scene, particles, &surface))
		return false;
	*bytes += surface;
	return true;
}
