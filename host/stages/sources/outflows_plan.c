/* Faces of outflows, found once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "sources.h"
#include "sources/outflows.h"

/* Less of a face is closed, as everywhere. */
#define LEAST_SHARE 1e-3

static size_t faces_of(const struct outflow *own)
{
	return (size_t)own->count[0] * (size_t)own->count[1] * (size_t)own->count[2];
}

/* A face: what the outflow has of it, and its places in the arrays of the grid. */
static void place_face(const struct sim *sim, size_t index, const int at[3],
		       struct outflow_face *face, i32 *slot, i32 *cell)
{
	const struct scene_opening *part = &sim->scene->outflows[index].part;
	const struct grid *g = &sim->lattice.grid;
	const int across = (int)part->wall / 2;
	const double h = sim->scene->h;
	int point[3] = {at[0], at[1], at[2]};
	*cell = at[0] + g->px * (at[1] + g->py * at[2]);
	point[across] += (int)part->wall % 2;
	*slot = across * g->lattice + point[0] + g->px * (point[1] + g->py * point[2]);
	*face = (struct outflow_face){.share = 1.0, .outflow = (u32)index};
	for (int a = 0; a < sim->dim; a++) {
		face->low[a] = fmax(at[a] * h, part->low[a]);
		face->high[a] = fmin((at[a] + 1) * h, part->high[a]);
		if (a == across)
			face->low[a] = face->high[a] = part->wall % 2 ? sim->scene->size[a] : 0.0;
		else
			face->share *= fmax(0.0, (face->high[a] - face->low[a]) / h);
	}
	face->share *= sources_open_part(sim, part, face->low, face->high);
	if (face->share < LEAST_SHARE)
		face->share = 0.0;
}

/* Those of one outflow, x fastest; and its particles' sum of shares. */
static bool list_faces(struct sim *sim, size_t index, i32 *slot, i32 *cell, i32 *part)
{
	struct outflows *o = &sim->outflows;
	const struct outflow *own = &o->outflow[index];
	double area = 0.0;
	int at[3];
	size_t i = (size_t)own->base;
	for (int k = 0; k < own->count[2]; k++)
		for (int j = 0; j < own->count[1]; j++)
			for (int n = 0; n < own->count[0]; n++, i++) {
				at[0] = own->first[0] + n;
				at[1] = own->first[1] + j;
				at[2] = own->first[2] + k;
				place_face(sim, index, at, &o->face[i], &slot[i], &cell[i]);
				part[i] = (i32)(o->face[i].share * FRACTION_ONE + 0.5);
				area += o->face[i].share;
			}
	return area > 0.0 || message_error("outflow '%s': solids close all of it",
					   sim->scene->outflows[index].part.name);
}

static bool make_buffers(struct sim *sim, const i32 *slot, const i32 *cell, const i32 *part)
{
	struct outflows *o = &sim->outflows;
	struct clx *cl = sim->cl;
	const size_t n = o->faces, bytes = n * sizeof(i32);
	return clx_alloc(cl, &o->slot, "faces of outflows", n) &&
	       clx_alloc(cl, &o->cell, "cells of outflows", n) &&
	       clx_alloc(cl, &o->part, "open parts of outflows", n) &&
	       clx_alloc(cl, &o->inward, "sides of outflows", n) &&
	       clx_alloc(cl, &o->push, "push of outflows", n) &&
	       clx_alloc(cl, &o->pushed, "push in a substep", n) &&
	       clx_alloc(cl, &o->left, "particles that leave", n) &&
	       clx_alloc(cl, &o->report, "report of outflows", 2 * n) &&
	       clx_alloc(cl, &o->place, "places of what comes in", 4 * (size_t)o->most) &&
	       clx_write(cl, &o->slot, 0, bytes, slot) && clx_write(cl, &o->cell, 0, bytes, cell) &&
	       clx_write(cl, &o->part, 0, bytes, part) &&
	       clx_write(cl, &o->inward, 0, bytes, o->values);
}

/* Lists, once it is known how many there are. */
static bool make_faces(struct sim *sim)
{
	struct outflows *o = &sim->outflows;
	const size_t n = o->faces;
	o->most = 2 * (u32)sim->scene->particles_per_cell * o->faces;
	o->face = calloc(n, sizeof(*o->face));
	o->values = malloc(4 * (size_t)o->most * sizeof(*o->values));
	i32 *lists = malloc(3 * n * sizeof(*lists));
	bool ok = (o->face && o->values && lists) ||
		  message_memory(n * sizeof(*o->face), "the faces of outflows");
	for (size_t i = 0; i < o->count && ok; i++)
		ok = o->outflow[i].base < 0 || list_faces(sim, i, lists, lists + n, lists + 2 * n);
	for (size_t f = 0; f < n && ok; f++)
		o->values[f] =
			sim->scene->outflows[o->face[f].outflow].part.wall % 2 ? -1.0f : 1.0f;
	ok = ok && make_buffers(sim, lists, lists + n, lists + 2 * n);
	free(lists);
	return ok;
}

bool outflows_create(struct sim *sim)
{
	const struct scene *scene = sim->scene;
	struct outflows *o = &sim->outflows;
	if (scene->outflow_count == 0)
		return true;
	o->count = scene->outflow_count;
	o->outflow = calloc(o->count, sizeof(*o->outflow));
	if (!o->outflow)
		return message_memory(o->count * sizeof(*o->outflow), "outflows");
	for (size_t i = 0; i < o->count; i++) {
		struct outflow *own = &o->outflow[i];
		int end[3];
		sources_cells(sim, &scene->outflows[i].part, own->first, end);
		for (int a = 0; a < 3; a++)
			own->count[a] = end[a] - own->first[a];
		own->base = -1;
		if (scene->outflows[i].kind != OUTFLOW_VELOCITY) {
			own->base = (i32)o->faces;
			o->faces += (u32)faces_of(own);
		}
	}
	return o->faces > 0 ? make_faces(sim)
			    : clx_alloc(sim->cl, &o->left, "particles that leave", 1);
}

void outflows_destroy(struct sim *sim)
{
	struct outflows *o = &sim->outflows;
	clx_free(sim->cl, &o->slot);
	clx_free(sim->cl, &o->cell);
	clx_free(sim->cl, &o->part);
	clx_free(sim->cl, &o->inward);
	clx_free(sim->cl, &o->push);
	clx_free(sim->cl, &o->pushed);
	clx_free(sim->cl, &o->left);
	clx_free(sim->cl, &o->report);
	clx_free(sim->cl, &o->place);
	free(o->outflow);
	free(o->face);
	free(o->values);
	*o = (struct outflows){0};
}
