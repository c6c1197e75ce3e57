/*
 * Shading of flat pictures: particles in 2D, and fields on the x-y plane (in 3D a slice).
 * Reads simulation buffers, writes only the renderer's own.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "render_common.h"
#include "render_solid.h"
#include "surface_lattice.h"

/* A field at a point, with its gradient per cell; between samples bilinear, constant beyond the
 * outermost.  values: lattice, samples at (i + offset, j + offset) h; last = greatest index. */
float3 render_sample(global const float *values, const struct grid g, int k, float x, float y,
		     float offset, int last_i, int last_j)
{
	float u = clamp_float(x * g.inv_h - offset, 0.0f, (float)last_i);
	float v = clamp_float(y * g.inv_h - offset, 0.0f, (float)last_j);
	int i = clamp_int(convert_int_rte(floor(u)), 0, last_i > 0 ? last_i - 1 : 0);
	int j = clamp_int(convert_int_rte(floor(v)), 0, last_j > 0 ? last_j - 1 : 0);
	int di = last_i > 0 ? 1 : 0, dj = last_j > 0 ? g.px : 0;
	int c = lattice_index(g, i, j, k);
	float s = u - (float)i, t = v - (float)j;
	float v00 = values[c], v10 = values[c + di], v01 = values[c + dj],
	      v11 = values[c + di + dj];
	float low = v00 + (v10 - v00) * s, high = v01 + (v11 - v01) * s;
	return (float3)(low + (high - low) * t, (v10 - v00) * (1.0f - t) + (v11 - v01) * t,
			high - low);
}

/* Distance to the solids on the shown plane, m; exact where it decides about a pixel. */
float render_solid_distance(const struct render_solids *solids, const struct render_map m,
			    const struct grid g, float x, float y)
{
	float3 point = (float3)(x, y, ((float)m.layer + 0.5f) * g.h);
	return render_solid_at(solids, g, 2.0f * g.h + 4.0f * m.line / m.scale, point).distance;
}

/* Weighted mean of the bins around a point: (weight, weight*speed) or two colour planes. */
float render_sample_bins(global const uint *plane, const struct render_map m, float x, float y)
{
	float u = x * m.bins_per_metre - 0.5f, v = y * m.bins_per_metre - 0.5f;
	int i = convert_int_rte(floor(u + 0.5f)), j = convert_int_rte(floor(v + 0.5f));
	float wx[3], wy[3];
	render_spline(u - (float)i, wx);
	render_spline(v - (float)j, wy);
	float sum = 0.0f;
	for (int b = -1; b <= 1; b++) {
		int row = clamp_int(j + b, 0, m.bins_y - 1) * m.bins_x;
		for (int a = -1; a <= 1; a++)
			sum += wx[a + 1] * wy[b + 1] *
			       (float)plane[row + clamp_int(i + a, 0, m.bins_x - 1)];
	}
	return sum;
}

/* Particles and the water between them, over `under`.  open = how much of a bin's surroundings is
 * not solid. */
float3 render_liquid(const struct render_map m, global const uint *bins, global const uint *cover,
		     global const struct render_range *ranges, int pixel, float x, float y,
		     float open, float3 under)
{
	int plane = m.bins_x * m.bins_y, pixels = m.width * m.height;
	float weight = render_sample_bins(bins, m, x, y);
	float disc = min_float((float)cover[pixel] / (float)RENDER_COVER_ONE, 1.0f);
	if (weight == 0.0f && disc == 0.0f)
		return under;
	float density = weight / ((float)RENDER_WEIGHT_ONE * m.bin_rest * open);
	/* Across a flat surface the density rises by about one per bin and a half. */
	float edge = (density - 0.5f) * 1.5f * m.scale / m.bins_per_metre;
	float alpha = max_float(disc, clamp_float(0.5f + edge, 0.0f, 1.0f));
	if (alpha == 0.0f)
		return under;
	float speed = 0.0f;
	if (weight > 0.0f)
		speed = render_sample_bins(bins + plane, m, x, y) / (weight * 255.0f);
	if (m.field == RENDER_SPEED)
		return render_mix(under, render_mapped(speed), alpha);

	float3 body = (float3)(ranges->color[0], ranges->color[1], ranges->color[2]);
	if (m.many_colors) {
		float3 sharp = body;
		if (weight > 0.0f)
			body = (float3)(render_sample_bins(bins + 2 * plane, m, x, y),
					render_sample_bins(bins + 3 * plane, m, x, y),
					render_sample_bins(bins + 4 * plane, m, x, y)) /
			       (weight * 255.0f);
		if (disc > 0.0f) {
			sharp = (float3)((float)cover[pixels + pixel],
					 (float)cover[2 * pixels + pixel],
					 (float)cover[3 * pixels + pixel]) /
				((float)cover[pixel] * 255.0f);
			body = weight > 0.0f ? render_mix(body, sharp, disc) : sharp;
		}
	}
	/* Deeper is darker, fast and thin is paler: the surface and the spray stand out. */
	float deep = render_ramp(density, 0.45f, 0.95f);
	float down = clamp_float((m.bottom - (float)(pixel / m.width)) / m.bottom, 0.0f, 1.0f);
	float3 white = (float3)(0.80f, 0.90f, 1.0f);
	float3 bulk = body * (0.70f + 0.35f * down) * (0.94f + 0.06f * disc);
	bulk = render_mix(bulk, white, 0.30f * speed * speed);
	float3 thin = render_mix(body, white, 0.12f + 0.30f * speed);
	float3 color = render_mix(thin, bulk, deep);
	return render_mix(under, color, alpha);
}

/* The liquid within its surface, over `under`: an outline, brighter below it, darker deeper in the
 * picture.  phi: distance to the surface, m. */
float3 render_body(const struct render_map m, global const uint *bins,
		   global const struct render_range *ranges, int pixel, float x, float y, float phi,
		   float solid, float h, float3 under)
{
	int plane = m.bins_x * m.bins_y;
	float alpha = clamp_float(0.5f - phi * m.scale, 0.0f, 1.0f);
	if (alpha == 0.0f)
		return under;
	float3 body = (float3)(ranges->color[0], ranges->color[1], ranges->color[2]);
	if (m.many_colors) {
		float weight = render_sample_bins(bins, m, x, y);
		if (weight > 0.0f)
			body = (float3)(render_sample_bins(bins + 2 * plane, m, x, y),
					render_sample_bins(bins + 3 * plane, m, x, y),
					render_sample_bins(bins + 4 * plane, m, x, y)) /
			       (weight * 255.0f);
	}
	float down = clamp_float((m.bottom - (float)(pixel / m.width)) / m.bottom, 0.0f, 1.0f);
	float3 color = body * (0.62f + 0.40f * down);
	/* Where the nearest boundary is a solid there is no surface. */
	float wall = clamp_float((-phi / max_float(solid, 1e-6f * h) - 0.5f) * 2.5f, 0.0f, 1.0f);
	/* Light comes in through the surface; what is thin keeps its colour. */
	float bright = (1.0f - wall) * (1.0f - render_ramp(-phi / h, 0.0f, 1.1f));
	color = render_mix(color, body * 1.04f + (float3)(0.01f, 0.03f, 0.05f), 0.75f * bright);
	float line = clamp_float(m.line + 0.5f - fabs(phi * m.scale + 0.5f * m.line), 0.0f, 1.0f);
	color = render_mix(color, body * 0.55f, 0.5f * line * (1.0f - wall));
	return render_mix(under, color, alpha);
}

float3 render_pressure(const struct render_map m, const struct grid g, global const float *phi,
		       global const uchar *cell_type, global const float *pressure, float x,
		       float y, float3 under)
{
	float u = x * g.inv_h - 0.5f, v = y * g.inv_h - 0.5f;
	int i = convert_int_rte(floor(u)), j = convert_int_rte(floor(v)), liquid = 0;
	float weight = 0.0f, sum = 0.0f;
	for (int b = 0; b < 2; b++)
		for (int a = 0; a < 2; a++) {
			int c = lattice_index(g, clamp_int(i + a, 0, g.nx - 1),
					      clamp_int(j + b, 0, g.ny - 1), m.layer);
			float s = u - (float)i, t = v - (float)j;
			float w = (a ? s : 1.0f - s) * (b ? t : 1.0f - t);
			if (cell_type[c] != CELL_LIQUID)
				continue;
			liquid++;
			weight += w;
			sum += w * pressure[c];
		}
	if (weight <= 0.0f)
		return under;
	float distance = render_sample(phi, g, m.layer, x, y, 0.5f, g.nx - 1, g.ny - 1).x;
	float alpha = liquid == 4 ? 1.0f : clamp_float(0.5f - distance * m.scale, 0.0f, 1.0f);
	return render_mix(under, render_mapped((sum / weight - m.low) / (m.high - m.low)), alpha);
}

float3 render_levelset(const struct render_map m, const struct grid g, global const float *phi,
		       float x, float y)
{
	float3 sample = render_sample(phi, g, m.layer, x, y, 0.5f, g.nx - 1, g.ny - 1);
	float rgb[3];
	render_levelset_color(sample.x / m.high, rgb);
	float3 color = (float3)(rgb[0], rgb[1], rgb[2]);
	float slope = sqrt(sample.y * sample.y + sample.z * sample.z) * g.inv_h / m.scale;
	if (slope > 0.0f && fabs(sample.x) < RENDER_FAR) {
		float steps = sample.x / m.contour;
		float off = fabs(steps - rint(steps)) * m.contour / slope;
		float line = clamp_float(0.5f * m.line + 0.5f - off, 0.0f, 1.0f);
		color = render_mix(color, (float3)(0.10f, 0.10f, 0.10f), 0.45f * line);
		line = clamp_float(1.25f * m.line + 0.5f - fabs(sample.x) / slope, 0.0f, 1.0f);
		color = render_mix(color, (float3)(0.01f, 0.01f, 0.01f), line);
	}
	return color;
}

float3 render_cells(const struct render_map m, const struct grid g, global const uchar *cell_type,
		    float x, float y)
{
	int i = clamp_int(convert_int_rte(floor(x * g.inv_h)), 0, g.nx - 1);
	int j = clamp_int(convert_int_rte(floor(y * g.inv_h)), 0, g.ny - 1);
	float rgb[3];
	render_cell_color(cell_type[lattice_index(g, i, j, m.layer)], rgb);
	float3 color = (float3)(rgb[0], rgb[1], rgb[2]);
	float cell = g.h * m.scale;
	if (cell >= 6.0f) {
		float u = (x * g.inv_h - (float)i) * cell, v = (y * g.inv_h - (float)j) * cell;
		float edge = min_float(min_float(u, cell - u), min_float(v, cell - v));
		float line = clamp_float(0.5f * m.line + 0.5f - edge, 0.0f, 1.0f);
		color = render_mix(color, color * 0.6f, line);
	}
	return color;
}

float3 render_draw_solids(const struct render_map m, float distance, float3 color)
{
	float px = distance * m.scale;
	if (m.field != RENDER_CELLS)
		color = render_mix(color, (float3)(0.36f, 0.38f, 0.41f),
				   clamp_float(0.5f - px, 0.0f, 1.0f));
	/* On the boundary, not within it: a plate may have no thickness. */
	float line = clamp_float(0.5f * m.line + 0.5f - fabs(px), 0.0f, 1.0f);
	return render_mix(color, (float3)(0.10f, 0.11f, 0.12f), line);
}

/* The edge of the box, drawn just inside: dark at closed walls, faint at open ones. */
float3 render_draw_walls(const struct render_map m, const struct grid g, float x, float y,
			 float3 color)
{
	const float off[4] = {x, g.size_x - x, y, g.size_y - y};
	for (int side = 0; side < 4; side++) {
		int open = g.open_walls >> side & 1;
		float width = open ? 0.5f * m.line : 1.5f * m.line;
		float line = clamp_float(width + 0.5f - off[side] * m.scale, 0.0f, 1.0f);
		float3 ink = open ? (float3)(0.55f, 0.58f, 0.60f) : (float3)(0.08f, 0.09f, 0.10f);
		color = render_mix(color, ink, line);
	}
	return color;
}

/*
 * The finished flat picture.  pixels: u32 [height][width], red in the low byte.  phi, pressure
 * (cells), solid_phi (nodes), cell_type: lattice; level: the surface, for that view.  One work-item
 * per pixel; no neighbours are written, so no race.
 */
kernel void render_shade_flat(const struct render_map m, const struct grid g,
			      global const uint *bins, global const uint *cover,
			      global const struct render_range *ranges, global const float *phi,
			      global const uchar *cell_type, global const float *pressure,
			      global const struct shape_op *ops, int op_count,
			      global const float *points, global const float *solid_phi,
			      const struct surface_grid s, global const float *level,
			      global uint *pixels)
{
	int column = (int)get_global_id(0), row = (int)get_global_id(1);
	if (column >= m.width || row >= m.height)
		return;
	int pixel = row * m.width + column;
	float x = ((float)column + 0.5f - m.left) / m.scale;
	float y = (m.bottom - (float)row - 0.5f) / m.scale;
	if (x < 0.0f || y < 0.0f || x > g.size_x || y > g.size_y) {
		pixels[pixel] = render_pack((float3)(0.72f, 0.74f, 0.76f));
		return;
	}
	float solid = 1e30f, open = 1.0f;
	if (m.has_solids) {
		const struct render_solids solids = {{ops, op_count, points, 0}, solid_phi};
		solid = render_solid_distance(&solids, m, g, x, y);
		open = clamp_float(0.5f + solid * m.bins_per_metre / 3.0f, 0.5f, 1.0f);
	}
	float3 color = (float3)(0.92f, 0.945f, 0.96f);
	if (m.field == RENDER_PRESSURE)
		color = render_pressure(m, g, phi, cell_type, pressure, x, y, color);
	else if (m.field == RENDER_LEVELSET)
		color = render_levelset(m, g, phi, x, y);
	else if (m.field == RENDER_CELLS)
		color = render_cells(m, g, cell_type, x, y);
	else if (m.field == RENDER_SURFACE)
		color = render_body(m, bins, ranges, pixel, x, y,
				    surface_interpolate(s, level, x, y, 0.0f), solid, g.h, color);
	else
		color = render_liquid(m, bins, cover, ranges, pixel, x, y, open, color);
	if (m.has_solids)
		color = render_draw_solids(m, solid, color);
	color = render_draw_walls(m, g, x, y, color);
	pixels[pixel] = render_pack(color);
}
