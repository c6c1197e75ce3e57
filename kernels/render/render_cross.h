/* Where rays meet the liquid's surface. */
#ifndef FRESHET_RENDER_CROSS_H
#define FRESHET_RENDER_CROSS_H

#include "render_calm.h"
#include "render_scene.h"
#include "surface_lattice.h"

#define RENDER_RAYS 4		/* traced side by side: those of 2 x 2 working pixels */
#define RENDER_LEVEL_STEPS 1200 /* per stretch; a step is a quarter interval or more */
#define RENDER_CALM_FROM 1.1f	/* cells from the surface where phi is cut off, and calm */

/* What rays are traced through. */
struct render_world {
	const struct render_camera *camera;
	struct grid g;
	struct surface_grid s;
	const struct render_solids *solids;
	global const float *level;
	struct render_calm calm;
	global const uint *shadow;
};

float render_level_at(const struct render_world *w, float3 point)
{
	return surface_interpolate(w->s, w->level, point.x, point.y, point.z);
}

/* Unit normal, out of the liquid. */
float3 render_level_normal(const struct render_world *w, float3 p)
{
	float e = 1.25f * w->g.h; /* wider than a cell: the particles' pattern is not to be seen */
	float3 dx = (float3)(e, 0.0f, 0.0f), dy = (float3)(0.0f, e, 0.0f),
	       dz = (float3)(0.0f, 0.0f, e);
	return render_unit((float3)(render_level_at(w, p + dx) - render_level_at(w, p - dx),
				    render_level_at(w, p + dy) - render_level_at(w, p - dy),
				    render_level_at(w, p + dz) - render_level_at(w, p - dz)));
}

/* Where phi changes to the other side along a ray of unit length, between two distances; `leave`
 * if it does not. */
float render_level_cross(const struct render_world *w, float3 from, float3 way, float enter,
			 float leave, int inside)
{
	float sign = inside ? -1.0f : 1.0f, t = enter;
	float before = sign * render_level_at(w, from + way * t);
	const float3 pace = render_pace(w->s.spacing, way);
	const float far = RENDER_CALM_FROM * w->g.h;
	for (int n = 0; n < RENDER_LEVEL_STEPS && t < leave; n++) {
		float step = max_float(0.9f * fabs(before), 0.25f * w->s.spacing);
		/* Steps that would find the same value once more. */
		if (before > far) {
			float calm = t + render_calm_way(&w->calm, from + way * t, way, pace);
			calm = min_float(calm, leave);
			for (; n < RENDER_LEVEL_STEPS && t + step <= calm; n++)
				t += step;
			if (n >= RENDER_LEVEL_STEPS || !(t < leave))
				return leave;
		}
		float next = min_float(t + step, leave);
		float value = sign * render_level_at(w, from + way * next);
		if (value < 0.0f) {
			/* Between t and next: regula falsi with a halving in between. */
			float low = t, high = next;
			for (int m = 0; m < 4; m++) {
				float middle =
					m & 1 ? 0.5f * (low + high)
					      : low + (high - low) * before / (before - value);
				float at = sign * render_level_at(w, from + way * middle);
				if (at < 0.0f) {
					high = middle;
					value = at;
				} else {
					low = middle;
					before = at;
				}
			}
			return high;
		}
		t = next;
		before = value;
	}
	return leave;
}

#ifndef FRESHET_NATIVE
float4 render_clamp_lanes(float4 x, float most)
{
	float4 low = x > 0.0f ? x : (float4)(0.0f);
	return low < most ? low : (float4)(most);
}

/* render_level_at() of four points. */
float4 render_level_lanes(const struct render_world *w, float4 x, float4 y, float4 z)
{
	const int px = w->s.px, layer = w->s.px * w->s.py;
	float4 u = render_clamp_lanes(x / w->s.spacing, (float)w->s.nx);
	float4 v = render_clamp_lanes(y / w->s.spacing, (float)w->s.ny);
	float4 q = render_clamp_lanes(z / w->s.spacing, (float)w->s.nz);
	int4 i = convert_int4(u), j = convert_int4(v), k = convert_int4(q);
	i = i > w->s.nx - 1 ? (int4)(w->s.nx - 1) : i;
	j = j > w->s.ny - 1 ? (int4)(w->s.ny - 1) : j;
	k = k > w->s.nz - 1 ? (int4)(w->s.nz - 1) : k;
	float4 a = u - convert_float4(i), b = v - convert_float4(j), c = q - convert_float4(k);
	int4 at = (k + 1) * layer + (j + 1) * px + i + 1;
	float4 sum[2];
#pragma unroll
	for (int n = 0; n < 2; n++) {
		global const float *l = w->level + n * layer;
		float4 v00 = (float4)(l[at.x], l[at.y], l[at.z], l[at.w]);
		float4 v10 = (float4)(l[at.x + 1], l[at.y + 1], l[at.z + 1], l[at.w + 1]);
		l += px;
		float4 v01 = (float4)(l[at.x], l[at.y], l[at.z], l[at.w]);
		float4 v11 = (float4)(l[at.x + 1], l[at.y + 1], l[at.z + 1], l[at.w + 1]);
		float4 low = v00 + (v10 - v00) * a, high = v01 + (v11 - v01) * a;
		sum[n] = low + (high - low) * b;
	}
	return sum[0] + (sum[1] - sum[0]) * c;
}
#endif /* FRESHET_NATIVE */

/* What is known of a ray before it is followed: where, and whether from inside; `wanted`: at all.
 */
struct render_stretch {
	float3 from, way;
	float enter, leave;
	int inside, wanted;
};

#ifndef FRESHET_NATIVE
/* Lets those rays go on that are far from the surface, as render_level_cross() does. */
void render_calm_lanes(const struct render_world *w, const struct render_stretch *rays,
		       const float step[RENDER_RAYS], const int far[RENDER_RAYS],
		       const float3 pace[RENDER_RAYS], float t[RENDER_RAYS], int n[RENDER_RAYS])
{
	for (int l = 0; l < RENDER_RAYS; l++) {
		const float leave = rays[l].leave;
		if (!far[l])
			continue;
		float at = t[l];
		float calm = at + render_calm_way(&w->calm, rays[l].from + rays[l].way * at,
						  rays[l].way, pace[l]);
		calm = min_float(calm, leave);
		for (; n[l] < RENDER_LEVEL_STEPS && at + step[l] <= calm; n[l]++)
			at += step[l];
		t[l] = at;
	}
}

/* render_level_cross() of rays side by side, step by step. */
void render_cross_lanes(const struct render_world *w, const struct render_stretch *r,
			float found[RENDER_RAYS])
{
	float3 pace[RENDER_RAYS];
	float each[RENDER_RAYS], steps[RENDER_RAYS];
	int mask[RENDER_RAYS], counts[RENDER_RAYS];
	const float far = RENDER_CALM_FROM * w->g.h;
	const float4 x0 = (float4)(r[0].from.x, r[1].from.x, r[2].from.x, r[3].from.x);
	const float4 y0 = (float4)(r[0].from.y, r[1].from.y, r[2].from.y, r[3].from.y);
	const float4 z0 = (float4)(r[0].from.z, r[1].from.z, r[2].from.z, r[3].from.z);
	const float4 wx = (float4)(r[0].way.x, r[1].way.x, r[2].way.x, r[3].way.x);
	const float4 wy = (float4)(r[0].way.y, r[1].way.y, r[2].way.y, r[3].way.y);
	const float4 wz = (float4)(r[0].way.z, r[1].way.z, r[2].way.z, r[3].way.z);
	const float4 leave = (float4)(r[0].leave, r[1].leave, r[2].leave, r[3].leave);
	const float4 sign = (float4)(r[0].inside ? -1.0f : 1.0f, r[1].inside ? -1.0f : 1.0f,
				     r[2].inside ? -1.0f : 1.0f, r[3].inside ? -1.0f : 1.0f);
	const int4 wanted = (int4)(r[0].wanted, r[1].wanted, r[2].wanted, r[3].wanted);
	float4 t = (float4)(r[0].enter, r[1].enter, r[2].enter, r[3].enter);
	for (int l = 0; l < RENDER_RAYS; l++)
		pace[l] = render_pace(w->s.spacing, r[l].way);
	float4 before = sign * render_level_lanes(w, x0 + wx * t, y0 + wy * t, z0 + wz * t);
	float4 low = t, high = leave, outer = before, inner = before;
	int4 n = (int4)(0), hit = (int4)(0), live = (wanted > 0) & (t < leave);
	for (int turn = 0; turn < RENDER_LEVEL_STEPS && any(live); turn++) {
		float4 step = 0.9f * fabs(before);
		step = step > 0.25f * w->s.spacing ? step : (float4)(0.25f * w->s.spacing);
		const int4 away = live & (before > far);
		if (any(away)) {
			vstore4(t, 0, each);
			vstore4(step, 0, steps);
			vstore4(away, 0, mask);
			vstore4(n, 0, counts);
			render_calm_lanes(w, r, steps, mask, pace, each, counts);
			t = vload4(0, each);
			n = vload4(0, counts);
			live = live & (n < RENDER_LEVEL_STEPS) & (t < leave);
		}
		float4 next = t + step;
		next = leave < next ? leave : next;
		float4 value = sign * render_level_lanes(w, x0 + wx * next, y0 + wy * next,
							 z0 + wz * next);
		const int4 now = live & (value < 0.0f);
		low = now ? t : low;
		high = now ? next : high;
		outer = now ? before : outer;
		inner = now ? value : inner;
		hit = hit | now;
		t = live ? next : t;
		before = live ? value : before;
		n += 1;
		live = live & (value >= 0.0f) & (t < leave) & (n < RENDER_LEVEL_STEPS);
	}
	/* Between low and high: regula falsi with a halving in between. */
	for (int m = 0; m < 4 && any(hit); m++) {
		float4 middle =
			m & 1 ? 0.5f * (low + high) : low + (high - low) * outer / (outer - inner);
		float4 at = sign * render_level_lanes(w, x0 + wx * middle, y0 + wy * middle,
						      z0 + wz * middle);
		const int4 in = at < 0.0f;
		high = in ? middle : high;
		inner = in ? at : inner;
		low = in ? low : middle;
		outer = in ? outer : at;
	}
	vstore4(hit ? high : leave, 0, found);
}
#endif /* FRESHET_NATIVE */

/* render_level_cross() of the rays that want it. */
void render_cross_rays(const struct render_world *w, const struct render_stretch *rays,
		       float found[RENDER_RAYS])
{
#ifndef FRESHET_NATIVE
	if (DIM == 3) {
		render_cross_lanes(w, rays, found);
		return;
	}
#endif /* FRESHET_NATIVE */
	for (int l = 0; l < RENDER_RAYS; l++)
		if (rays[l].wanted)
			found[l] = render_level_cross(w, rays[l].from, rays[l].way, rays[l].enter,
						      rays[l].leave, rays[l].inside);
}

#endif
