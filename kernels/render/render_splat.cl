/*
 * 2D particles added up into pixels and bins.
 *
 * Particles that have left the box (ID_REMOVED) are still in the arrays and are left out.
 * Sums are integers, so the order of particles does not matter: sharp discs go into the pixels
 * (`cover`), a smooth density into coarse bins, from which bulk liquid is told from spray.
 * Reads simulation buffers, writes only the renderer's own.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "render_common.h"

/*
 * bins: u32 [2 or 5][bins_y][bins_x], planes weight, weight*speed (255 = speed_ref; in the speed
 * view 0 to 255 = low to high), weight*red, green, blue (only when colours differ).  Weights that
 * fall outside the box are folded back, so that walls do not thin the liquid.
 * One work-item per particle; integer atomics.
 */
kernel void render_splat_density(const struct render_map m, global const float *position,
				 global const float *velocity, global const uint *id,
				 global const struct render_range *ranges, global uint *bins)
{
	int p = (int)get_global_id(0);
	if (p >= m.count || id[p] == ID_REMOVED)
		return;
	float u = position[p] * m.bins_per_metre - 0.5f;
	float v = position[m.capacity + p] * m.bins_per_metre - 0.5f;
	if (!(u > -1.0f && v > -1.0f && u < (float)m.bins_x && v < (float)m.bins_y))
		return;
	int i = convert_int_rte(floor(u + 0.5f)), j = convert_int_rte(floor(v + 0.5f));
	float wx[3], wy[3];
	render_spline(u - (float)i, wx);
	render_spline(v - (float)j, wy);

	float speed = render_speed(velocity, p, m.capacity);
	speed = m.field == RENDER_SPEED ? (speed - m.low) / (m.high - m.low) : speed / m.speed_ref;
	uint level = convert_uint_rte(255.0f * clamp_float(speed, 0.0f, 1.0f));
	int plane = m.bins_x * m.bins_y;
	int l = m.many_colors ? render_range_of(ranges, id[p]) : 0;
	for (int b = -1; b <= 1; b++) {
		int row = clamp_int(j + b, 0, m.bins_y - 1) * m.bins_x;
		for (int a = -1; a <= 1; a++) {
			global uint *bin = bins + row + clamp_int(i + a, 0, m.bins_x - 1);
			uint w = convert_uint_rte(wx[a + 1] * wy[b + 1] * (float)RENDER_WEIGHT_ONE);
			if (w == 0)
				continue;
			atomic_add(bin, w);
			atomic_add(bin + plane, w * level);
			for (int c = 0; m.many_colors && c < 3; c++)
				atomic_add(bin + (2 + c) * plane,
					   w * convert_uint_rte(255.0f * ranges[l].color[c]));
		}
	}
}

/*
 * cover: u32 [1 or 4][height][width], planes coverage and coverage*red, green, blue.
 * Each particle is a disc with an anti-aliased edge.  One work-item per particle and slice of its
 * rows; integer atomics.
 */
kernel void render_splat_discs(const struct render_map m, global const float *position,
			       global const uint *id, global const struct render_range *ranges,
			       global uint *cover)
{
	int p = (int)get_global_id(0), slice = (int)get_global_id(1);
	if (p >= m.count || slice >= m.slices || id[p] == ID_REMOVED)
		return;
	float x = m.left + position[p] * m.scale;
	float y = m.bottom - position[m.capacity + p] * m.scale;
	float reach = m.radius + 0.5f;
	if (!(x > -reach && y > -reach && x < (float)m.width + reach &&
	      y < (float)m.height + reach))
		return;
	int column0 = clamp_int(convert_int_rte(floor(x - reach)), 0, m.width);
	int column1 = clamp_int(convert_int_rte(floor(x + reach)) + 1, 0, m.width);
	int row0 = clamp_int(convert_int_rte(floor(y - reach)), 0, m.height);
	int row1 = clamp_int(convert_int_rte(floor(y + reach)) + 1, 0, m.height);
	int plane = m.width * m.height;
	int l = m.many_colors ? render_range_of(ranges, id[p]) : 0;
	for (int row = row0 + slice; row < row1; row += m.slices) {
		for (int column = column0; column < column1; column++) {
			float dx = (float)column + 0.5f - x, dy = (float)row + 0.5f - y;
			float part = reach - sqrt(dx * dx + dy * dy);
			uint a = convert_uint_rte(clamp_float(part, 0.0f, 1.0f) *
						  (float)RENDER_COVER_ONE);
			if (a == 0)
				continue;
			global uint *pixel = cover + row * m.width + column;
			atomic_add(pixel, a);
			for (int c = 0; m.many_colors && c < 3; c++)
				atomic_add(pixel + (1 + c) * plane,
					   a * convert_uint_rte(255.0f * ranges[l].color[c]));
		}
	}
}
