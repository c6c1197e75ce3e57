/* What a picture shows and how its pixels lie on the box. */
#include "render_internal.h"

#include <math.h>
#include <string.h>

#include "message.h"

#define PARTICLE_RADIUS 0.35 /* of a disc, cells: discs of liquid at rest just meet */
#define CONTOUR_PIXELS 14.0  /* closer contour lines blur into a tone */
#define SLICE_ROWS 64.0	     /* rows of one disc per work-item */
/* 3D: four working pixels each up to here: cheap and smooth. */
#define SUPERSAMPLED_PIXELS 1000000

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
	r->flat = picture_view_is_flat(scene->dim, view);
	r->width = size[0];
	r->height = size[1];
	r->map.low = (f32)scene->output.png_range[view][0];
	r->map.high = (f32)scene->output.png_range[view][1];
	fit_map(r, scene);
	r->camera.samples = (int64_t)r->width * r->height <= SUPERSAMPLED_PIXELS ? 2 : 1;
	r->camera.width = r->width * r->camera.samples;
	r->camera.height = r->height * r->camera.samples;
	r->camera.tiles_x = (r->camera.width + RENDER_TILE - 1) / RENDER_TILE;
	r->camera.tiles_y = (r->camera.height + RENDER_TILE - 1) / RENDER_TILE;
	return true;
}
