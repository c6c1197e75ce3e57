#include "scene_grid.h"

struct grid scene_grid(const struct scene *scene)
{
	struct grid g = {0};
	const i32 edge = BLOCK_EDGE(scene->dim);
	g.nx = scene->cells[0];
	g.ny = scene->cells[1];
	g.nz = scene->dim == 3 ? scene->cells[2] : 1;
	g.px = g.nx + 1;
	g.py = g.ny + 1;
	g.pz = scene->dim == 3 ? g.nz + 1 : 1;
	g.lattice = g.px * g.py * g.pz;
	g.bx = (g.nx + edge - 1) / edge;
	g.by = (g.ny + edge - 1) / edge;
	g.bz = scene->dim == 3 ? (g.nz + edge - 1) / edge : 1;
	g.keys = g.bx * g.by * g.bz * BLOCK_CELLS;
	for (int side = 0; side < 2 * scene->dim; side++)
		g.open_walls |= scene->open[side] ? 1 << side : 0;
	g.h = (f32)scene->h;
	g.inv_h = (f32)(1.0 / scene->h);
	g.size_x = (f32)scene->size[0];
	g.size_y = (f32)scene->size[1];
	g.size_z = scene->dim == 3 ? (f32)scene->size[2] : g.h;
	return g;
}
