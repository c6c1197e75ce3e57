#include "render_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "legend.h"
#include "message.h"
#include "stamp.h"

/* ---- set-up ------------------------------------------------------------------------------- */

static float linear_from_srgb(uint8_t value)
{
	double x = value / 255.0;
	return (float)(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
}

static void set_color(const struct scene *scene, size_t liquid, struct render_range *range)
{
	for (int c = 0; c < 3 && liquid < scene->liquid_count; c++)
		range->color[c] = linear_from_srgb(scene->liquids[liquid].color[c]);
}

static bool write_ranges(struct render *r)
{
	const struct id_ranges *ids = &r->subject.particles->ids;
	const struct scene *scene = r->subject.scene;
	const size_t count = ids->count + 1, bytes = count * sizeof(struct render_range);
	struct render_range *ranges = calloc(count, sizeof(*ranges));
	if (!ranges)
		return message_memory(bytes, "the colours of liquids");
	ranges[0].first_id = (u32)ids->count;
	set_color(scene, 0, &ranges[0]);
	for (size_t i = 0; i < ids->count; i++) {
		ranges[i + 1].first_id = ids->range[i].first;
		set_color(scene, ids->range[i].liquid, &ranges[i + 1]);
	}
	bool ok = true;
	if (bytes > r->ranges.bytes) {
		clx_free(r->cl, &r->ranges);
		ok = clx_alloc(r->cl, &r->ranges, "picture colours", 2 * count);
	}
	ok = ok && clx_write(r->cl, &r->ranges, 0, bytes, ranges);
	free(ranges);
	return ok;
}

static bool init_render(struct render *r, struct subject subject, const int size[2],
			enum scene_view view, struct surface *shared)
{
	struct field fields[RENDER_FIELDS];
	const struct scene *scene = subject.scene;
	r->subject = subject;
	r->surface = shared ? shared : &r->own_surface;
	r->cl = subject.lattice->cl;
	r->map.capacity = (i32)subject.particles->capacity;
	if (!render_plan(r, scene, size, view))
		return false;
	r->host = malloc((size_t)size[0] * (size_t)size[1] * sizeof(u32));
	return (r->host || message_error("out of memory for pictures")) &&
	       fields_allocate(r->cl, fields, render_list_fields(r, scene, fields)) &&
	       (r->field != RENDER_LEVELSET || distance_init(&r->distance, subject.lattice)) &&
	       (r->field != RENDER_SURFACE || shared || surface_init(&r->own_surface, subject)) &&
	       (r->flat || render_3d_init(r));
}

struct render *render_create(struct subject subject, const int size[2], enum scene_view view,
			     struct surface *shared)
{
	struct render *r = calloc(1, sizeof(*r));
	if (!r) {
		message_error("out of memory for pictures");
		return NULL;
	}
	if (init_render(r, subject, size, view, shared))
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
	surface_finish(&r->own_surface);
	fields_free(r->cl, fields, render_list_fields(r, NULL, fields));
	free(r->host);
	free(r);
}

/* ---- frames ------------------------------------------------------------------------------- */

static bool splat_flat(struct render *r)
{
	struct clx *cl = r->cl;
	const struct particle_set *now = &r->subject.particles->now;
	const struct render_map *m = &r->map;
	return clx_zero(cl, &r->bins, 0, r->bins.bytes) &&
	       clx_zero(cl, &r->cover, 0, r->cover.bytes) &&
	       LAUNCH(cl, render_splat_density, clx_range1((size_t)m->count), .m = m,
		      .position = &now->position, .velocity = &now->velocity, .id = &now->id,
		      .ranges = &r->ranges, .bins = &r->bins) &&
	       LAUNCH(cl, render_splat_discs, clx_range3((size_t)m->count, (size_t)m->slices, 1),
		      .m = m, .position = &now->position, .id = &now->id, .ranges = &r->ranges,
		      .cover = &r->cover);
}

/* The field of the picture; phi is a distance only near the surface, contours need it everywhere.
 */
static const union f32_buffer *levelset_of(const struct render *r)
{
	return r->field == RENDER_LEVELSET ? &r->levelset : r->subject.phi;
}

static bool draw_flat(struct render *r)
{
	const struct subject *of = &r->subject;
	const struct solids *solids = of->solids;
	const i32 op_count = (i32)solids->op_count;
	if ((r->field == RENDER_PARTICLES || r->field == RENDER_SPEED ||
	     r->field == RENDER_SURFACE) &&
	    !splat_flat(r))
		return false;
	return LAUNCH(r->cl, render_shade_flat, clx_range3((size_t)r->width, (size_t)r->height, 1),
		      .m = &r->map, .g = &of->lattice->grid, .bins = &r->bins, .cover = &r->cover,
		      .ranges = &r->ranges, .phi = levelset_of(r), .cell_type = of->cell_type,
		      .pressure = of->pressure, .ops = &solids->ops, .op_count = I32(op_count),
		      .points = &solids->points, .solid_phi = &solids->phi, .s = &r->surface->grid,
		      .level = (r->field == RENDER_SURFACE ? &r->surface->level : of->phi),
		      .pixels = &r->pixels);
}

bool render_invalidate(struct render *r)
{
	return r->flat || render_3d_init(r);
}

/* Its buffers anew, where there is room for more particles than there was. */
static bool make_room(struct render *r)
{
	struct field fields[RENDER_FIELDS];
	const i32 capacity = (i32)r->subject.particles->capacity;
	if (r->map.capacity == capacity)
		return true;
	fields_free(r->cl, fields, render_list_fields(r, r->subject.scene, fields));
	r->map.capacity = capacity;
	return fields_allocate(r->cl, fields, render_list_fields(r, r->subject.scene, fields)) &&
	       render_invalidate(r);
}

bool render_frame(struct render *r, struct image *image)
{
	size_t pixels = (size_t)r->width * (size_t)r->height;
	const struct solids *solids = r->subject.solids;
	if (!make_room(r))
		return false;
	r->map.count = (i32)r->subject.particles->count;
	if (solids->moving && fabs(solids->time - r->solids_time) > 0.0) {
		r->solids_time = solids->time;
		if (!render_invalidate(r))
			return false;
	}
	if (r->field == RENDER_SURFACE && !surface_update(r->surface))
		return false;
	r->surface->current = r->field == RENDER_SURFACE;
	if (r->field == RENDER_LEVELSET &&
	    !distance_flood_redistance(&r->distance, r->subject.lattice, r->subject.phi,
				       &r->levelset))
		return false;
	if (!image_init(image, r->width, r->height) || !write_ranges(r) ||
	    !(r->flat ? draw_flat(r) : render_3d_draw(r)) ||
	    !clx_read(r->cl, &r->pixels, 0, pixels * sizeof(u32), r->host))
		return false;
	uint8_t *rgb = image->rgb;
	for (size_t p = 0; p < pixels; p++, rgb += 3) {
		const u32 color = r->host[p];
		rgb[0] = (uint8_t)(color & 255);
		rgb[1] = (uint8_t)(color >> 8 & 255);
		rgb[2] = (uint8_t)(color >> 16 & 255);
	}
	legend_draw(image, r->field, (double)r->map.low, (double)r->map.high);
	return true;
}

void render_stamp(const struct render *render, int frame, struct image *image)
{
	const struct scene *scene = render->subject.scene;
	if (scene->output.png_time_stamp)
		stamp_draw_time(image, frame / scene->time.fps,
				scene->output.png_every / scene->time.fps);
	if (scene->output.png_scale_bar && render->flat)
		stamp_draw_bar(image, (double)render->map.scale);
}
