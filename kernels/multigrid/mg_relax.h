/* Gauss-Seidel half-sweeps and residuals, cell by cell. */
#ifndef FRESHET_MG_RELAX_H
#define FRESHET_MG_RELAX_H

#include "common.h"
#include "mg.h"
#include "mg_parts.h"
#include "mg_stencil.h"

/* Links of a cell of any level. */
struct mg_links mg_links_of(const struct mg_graph g, const struct mg_level l,
			    const struct mg_cell c)
{
	return l.offset == 0 ? mg_finest_links(l, c, g.open)
			     : mg_coarse_links(l, c, g.total, g.link);
}

/* The value that solves a row, 0 where there is no unknown. */
float mg_solve_row(const struct mg_row r, float b)
{
	return r.diagonal > 0.0f ? (b + r.off) / r.diagonal : 0.0f;
}

float mg_row_residual(const struct mg_row r, float b, float x)
{
	return r.diagonal > 0.0f ? b + r.off - r.diagonal * x : 0.0f;
}

/* Does this cell or one around have several parts? */
int mg_is_split(const struct mg_graph g, const struct mg_level l, global const uint *stencil,
		const struct mg_cell c)
{
	return l.extras > 0 &&
	       (mg_stencil_rest(stencil, l, g.total, mg_stencil_of(l, c)) & MG_SPLIT) != 0;
}

/* All parts of such a cell; parts of one cell have no links between them.  from_zero: x is taken
 * as 0. */
void mg_smooth_parts(const struct mg_graph g, const struct mg_level l, const struct mg_cell c,
		     global const float *excess, global const float *b, global float *x,
		     int from_zero)
{
	const uint parts = mg_parts_of(g, l, c.at);
	const struct mg_around around = mg_look_around(g, l, c);
	for (int s = 0; s <= mg_extra_count(parts); s++) {
		struct mg_row r = mg_apply_part(g, l, around, parts, c.at, s, excess, x);
		int node = mg_node(l, parts, c.at, s);
		if (from_zero)
			r.off = 0.0f;
		x[node] = mg_solve_row(r, b[node]);
	}
}

/* r = b - A x at such a red cell; of extras in residual_extra. */
void mg_residual_parts(const struct mg_graph g, const struct mg_level l, const struct mg_cell c,
		       global const float *excess, global const float *b, global const float *x,
		       global float *residual, global float *residual_extra)
{
	const uint parts = mg_parts_of(g, l, c.at);
	const struct mg_around around = mg_look_around(g, l, c);
	for (int s = 0; s <= mg_extra_count(parts); s++) {
		struct mg_row r = mg_apply_part(g, l, around, parts, c.at, s, excess, x);
		int node = mg_node(l, parts, c.at, s);
		float value = mg_row_residual(r, b[node], x[node]);
		if (s == 0)
			residual[c.at - (l.offset >> 1)] = value;
		else
			residual_extra[l.row_offset + node - l.extra_offset] = value;
	}
}

#endif
