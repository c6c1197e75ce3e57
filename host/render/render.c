#include "render_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "legend.h"
#include "message.h"

/* ---- set-up ------------------------------------------------------------------------------- */

static float linear_from_srgb(uint8_t value)
{
	double x = value / 255.0;
	return (float)(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
}

static bool write_liquids(struct render *r, const struct sim *sim)
{
	struct render_liquids liquids = {0};
	const struct scene *scene = sim->scene;
	size_t count = scene->liquid_count < RENDER_LIQUIDS ? scene->liquid_count : RENDER_LIQUIDS;
	liquids.count = (i32)count;
	for (size_t l = 0; l < count; l++) {
		liquids.first_id[l] = sim->particles.first_id[l];
		for (int c = 0; c < 3; c++)
			liquids.color[3 * l + (size_t)c] =
				linear_from_srgb(scene->liquids[l].color[c]);
	}
	return clx_write(r->cl, &r->liquids, 0, sizeof(liquids), &liquids);
}

static bool create(struct render *r, struct sim *sim, const int size[2], enum scene_view view)
{
	struct field fields[RENDER_FIELDS];
	const struct scene *scene = sim->scene;
	r->cl = sim->cl;
	r->map.capacity = (i32)sim->particles.capacity;
	if (!render_plan(r, scene, size, view))
		return false;
	r->host = malloc((size_t)size[0] * (size_t)size[1] * sizeof(u32));
	return (r->host || message_error("out of memory for pictures")) &&
	       fields_allocate(r->cl, fields, render_list_fields(r, scene, fields)) &&
	       (r->field != RENDER_LEVELSET || distance_init(&r->distance, sim)) &&
	       (r->field != RENDER_SURFACE || surface_init(&r->surface, sim)) &&
	       (r->flat || render_3d_init(r, sim));
}

struct render *render_create(struct sim *sim, const int size[2], enum scene_view view)
{
	struct render *r = calloc(1, sizeof(*r));
	if (!r) {
		message_error("out of memory for pictures");
		return NULL;
	}
	if (create(r, sim, size, view))
		return r;
	render_destroy(r);
	return NULL;
}

void render_destroy(struct render *r)
{
	if (!r)
		return;
	struct field fields[RENDER_FIELDS];
	distance_finish(&r->distance, r->cl);
	surface_finish(&r->surface, r->cl);
	fields_free(r->cl, fields, render_list_fields(r, NULL, fields));
	free(r->host);
	free(r);
}

/* ---- frames ------------------------------------------------------------------------------- */

static bool splat_flat(struct render *r, struct sim *sim)
{
	struct clx *cl = r->cl;
	const struct particle_set *now = &sim->particles.now;
	const struct render_map *m = &r->map;
	return clx_zero(cl, &r->bins, 0, r->bins.bytes) &&
	       clx_zero(cl, &r->cover, 0, r->cover.bytes) &&
	       LAUNCH(cl, render_splat_density, clx_range1((size_t)m->count), .m = m,
		      .position = &now->position, .velocity = &now->velocity, .id = &now->id,
		      .liquids = &r->liquids, .bins = &r->bins) &&
	       LAUNCH(cl, render_splat_discs, clx_range3((size_t)m->count, (size_t)m->slices, 1),
		      .m = m, .position = &now->position, .id = &now->id, .liquids = &r->liquids,
		      .cover = &r->cover);
}

/* The field of the picture; phi is a distance only near the surface, contours need it everywhere.
 */
static const union f32_buffer *levelset_of(const struct render *r, const struct sim *sim)
{
	return r->field == RENDER_LEVELSET ? &r->levelset : &sim->phi;
}

static bool draw_flat(struct render *r, struct sim *sim)
{
	const i32 op_count = (i32)sim->solids.op_count;
	if ((r->field == RENDER_PARTICLES || r->field == RENDER_SPEED ||
	     r->field == RENDER_SURFACE) &&
	    !splat_flat(r, sim))
		return false;
	return LAUNCH(
		r->cl, render_shade_flat, clx_range3((size_t)r->width, (size_t)r->height, 1),
		.m = &r->map, .g = &sim->lattice.grid, .bins = &r->bins, .cover = &r->cover,
		.liquids = &r->liquids, .phi = levelset_of(r, sim), .cell_type = &sim->cell_type,
		.pressure = &sim->pressure, .ops = &sim->solids.ops, .op_count = I32(op_count),
		.points = &sim->solids.points, .solid_phi = &sim->solids.phi, .s = &r->surface.grid,
		.level = (r->field == RENDER_SURFACE ? &r->surface.level : &sim->phi),
		.pixels = &r->pixels);
}

bool render_frame(struct render *r, struct sim *sim, struct image *image)
{
	size_t pixels = (size_t)r->width * (size_t)r->height;
	r->map.count = (i32)sim->particles.count;
	if (r->field == RENDER_SURFACE && !surface_update(&r->surface, sim))
		return false;
	if (r->field == RENDER_LEVELSET &&
	    !distance_flood_redistance(&r->distance, sim, &sim->phi, &r->levelset))
		return false;
	if (!image_init(image, r->width, r->height) || !write_liquids(r, sim) ||
	    !(r->flat ? draw_flat(r, sim) : render_3d_draw(r, sim)) ||
	    !clx_read(r->cl, &r->pixels, 0, pixels * sizeof(u32), r->host))
		return false;
	for (size_t p = 0; p < pixels; p++)
		for (int c = 0; c < 3; c++)
			image->rgb[3 * p + (size_t)c] = (uint8_t)(r->host[p] >> (8 * c) & 255);
	legend_draw(image, r->field, (double)r->map.low, (double)r->map.high);
	return true;
}
