#include "render_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "legend.h"
#include "message.h"

#define PARTICLE_RADIUS 0.35 /* of a disc, cells: discs of liquid at rest just meet */
#define CONTOUR_PIXELS 14.0  /* closer contour lines blur into a tone */
#define SLICE_ROWS 64.0	     /* rows of one disc per work-item */
/* 3D: four working pixels each up to here: cheap and smooth. */
#define SUPERSAMPLED_PIXELS 1000000

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

static bool colors_differ(const struct scene *scene)
{
	for (size_t l = 1; l < scene->liquid_count; l++)
		if (memcmp(scene->liquids[l].color, scene->liquids[0].color, 3) != 0)
			return true;
	return false;
}

static void fit_map(struct render *r, const struct scene *scene)
{
	struct render_map *m = &r->map;
	double wide = r->width / scene->size[0], high = r->height / scene->size[1];
	double scale = wide < high ? wide : high, cell = scene->h * scale;
	int shorter = r->width < r->height ? r->width : r->height;
	/* Bins of a cell even out the chance of jitter; finer than a pixel they would only cost. */
	double bin = fmax(scene->h, 1 / scale);
	double contour = fmax(1, (double)render_round_up((float)(CONTOUR_PIXELS / cell)));

	m->width = r->width;
	m->height = r->height;
	m->field = (i32)r->field;
	m->layer = scene->dim == 3 ? scene->cells[2] / 2 : 0;
	m->has_solids = scene->solid_count > 0;
	m->many_colors = (r->field == RENDER_PARTICLES || r->field == RENDER_SURFACE) &&
			 colors_differ(scene);
	m->scale = (f32)scale;
	m->left = (f32)(0.5 * (r->width - scene->size[0] * scale));
	m->bottom = (f32)(0.5 * (r->height + scene->size[1] * scale));
	m->radius = (f32)fmax(PARTICLE_RADIUS * cell, 0.75); /* always meets a pixel centre */
	m->slices = (i32)ceil(2 * (double)m->radius / SLICE_ROWS);
	m->line = shorter < 480 ? 1.0f : (f32)shorter / 480.0f;
	m->bins_x = (i32)fmax(1, ceil(scene->size[0] / bin - 1e-6));
	m->bins_y = (i32)fmax(1, ceil(scene->size[1] / bin - 1e-6));
	m->bins_per_metre = (f32)(1 / bin);
	m->bin_rest = (f32)(scene->particles_per_cell * (bin / scene->h) * (bin / scene->h));
	m->speed_ref = (f32)scene_fast_speed(scene);
	m->contour = (f32)(contour * scene->h);
}

/* False for views that cannot be drawn. */
static bool field_of_view(enum scene_view view, enum render_field *field)
{
	switch (view) {
	case VIEW_PARTICLES:
		*field = RENDER_PARTICLES;
		return true;
	case VIEW_SPEED:
		*field = RENDER_SPEED;
		return true;
	case VIEW_PRESSURE:
		*field = RENDER_PRESSURE;
		return true;
	case VIEW_LEVELSET:
		*field = RENDER_LEVELSET;
		return true;
	case VIEW_CELLS:
		*field = RENDER_CELLS;
		return true;
	case VIEW_SURFACE:
		*field = RENDER_SURFACE;
		return true;
	}
	return message_error("output.png.view: %d is no view", (int)view);
}

bool render_plan(struct render *r, const struct scene *scene, const int size[2],
		 enum scene_view view)
{
	/* Working pixels and their neighbours are counted in int. */
	if (size[0] < 1 || size[1] < 1 || (int64_t)size[0] * size[1] > INT32_MAX / 8)
		return message_error(
			"output.png.size: %d x %d is not possible (1 pixel to 2^28 in all)",
			size[0], size[1]);
	if (!field_of_view(view, &r->field))
		return false;
	r->flat = scene->dim == 2 || (r->field != RENDER_PARTICLES && r->field != RENDER_SPEED &&
				      r->field != RENDER_SURFACE);
	r->width = size[0];
	r->height = size[1];
	r->map.low = (f32)scene->output.png_range[view][0];
	r->map.high = (f32)scene->output.png_range[view][1];
	fit_map(r, scene);
	r->camera.samples = (int64_t)r->width * r->height <= SUPERSAMPLED_PIXELS ? 2 : 1;
	r->camera.width = r->width * r->camera.samples;
	r->camera.height = r->height * r->camera.samples;
	return true;
}

static bool create(struct render *r, struct sim *sim, const int size[2], enum scene_view view)
{
	struct sim_field fields[RENDER_FIELDS];
	const struct scene *scene = sim->scene;
	r->cl = sim->cl;
	r->map.capacity = (i32)sim->particles.capacity;
	if (!render_plan(r, scene, size, view))
		return false;
	r->host = malloc((size_t)size[0] * (size_t)size[1] * sizeof(u32));
	return (r->host || message_error("out of memory for pictures")) &&
	       sim_allocate(r->cl, fields, render_list_fields(r, scene, fields)) &&
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
	struct sim_field fields[RENDER_FIELDS];
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
	const i32 op_count = (i32)sim->solid_op_count;
	if ((r->field == RENDER_PARTICLES || r->field == RENDER_SPEED ||
	     r->field == RENDER_SURFACE) &&
	    !splat_flat(r, sim))
		return false;
	return LAUNCH(
		r->cl, K_RENDER_SHADE_FLAT, clx_range3((size_t)r->width, (size_t)r->height, 1),
		ARG(r->map), ARG(sim->grid), BUF(r->bins), BUF(r->cover), BUF(r->liquids),
		BUF(*levelset_of(r, sim)), BUF(sim->cell_type), BUF(sim->pressure),
		BUF(sim->shape_ops), ARG(op_count), BUF(sim->shape_points), BUF(sim->solid_phi),
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
