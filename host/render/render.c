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
	const size_t count = render_list_fields(r, NULL, fields);
	distance_finish(&r->distance, r->cl);
	surface_finish(&r->surface, r->cl);
	for (size_t i = 0; i < count; i++)
		clx_free(r->cl, fields[i].buffer);
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
	       LAUNCH(cl, K_RENDER_SPLAT_DENSITY, clx_range1((size_t)m->count), ARG(*m),
		      BUF(now->position), BUF(now->velocity), BUF(now->id), BUF(r->liquids),
		      BUF(r->bins)) &&
	       LAUNCH(cl, K_RENDER_SPLAT_DISCS, clx_range3((size_t)m->count, (size_t)m->slices, 1),
		      ARG(*m), BUF(now->position), BUF(now->id), BUF(r->liquids), BUF(r->cover));
}

/* The field of the picture; phi is a distance only near the surface, contours need it everywhere.
 */
static const struct clx_buffer *levelset_of(const struct render *r, const struct sim *sim)
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
		r->cl, K_RENDER_SHADE_FLAT, clx_range3((size_t)r->width, (size_t)r->height, 1),
		ARG(r->map), ARG(sim->lattice.grid), BUF(r->bins), BUF(r->cover), BUF(r->liquids),
		BUF(*levelset_of(r, sim)), BUF(sim->cell_type), BUF(sim->pressure),
		BUF(sim->solids.ops), ARG(op_count), BUF(sim->solids.points), BUF(sim->solids.phi),
		ARG(r->surface.grid),
		BUF(*(r->field == RENDER_SURFACE ? &r->surface.level : &sim->phi)), BUF(r->pixels));
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
