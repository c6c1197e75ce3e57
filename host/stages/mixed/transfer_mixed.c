#include "mixed/transfer_mixed.h"

#include <stdlib.h>

#include "exp_log.h"
#include "message.h"
#include "seed.h"

f32 transfer_blend(const struct sim *sim, enum scene_transfer transfer, double flip_ratio)
{
	f32 flip = 0.0f;
	if (transfer == TRANSFER_FLIP)
		flip = (f32)exact_pow(flip_ratio, sim->dt / sim->scene->flip_time);
	return flip < 1e-30f ? 0.0f : flip;
}

/* Room for as many ranges of ids as there are, and as many again. */
static bool make_room(struct sim *sim, size_t ranges)
{
	struct mixed_transfer *m = &sim->mixed;
	const size_t liquids = sim->scene->liquid_count;
	if (ranges <= m->room && m->room > 0)
		return true;
	transfer_mixed_destroy(sim);
	const size_t room = 2 * ranges + 16;
	if (!clx_alloc(sim->cl, &m->flip, "blends of liquids", liquids) ||
	    !clx_alloc(sim->cl, &m->apic, "transfers of liquids", liquids) ||
	    !clx_alloc(sim->cl, &m->first, "ids of liquids", room) ||
	    !clx_alloc(sim->cl, &m->liquid, "liquids of ids", room))
		return false;
	m->room = room;
	return true;
}

void transfer_mixed_destroy(struct sim *sim)
{
	struct mixed_transfer *m = &sim->mixed;
	clx_free(sim->cl, &m->flip);
	clx_free(sim->cl, &m->apic);
	clx_free(sim->cl, &m->first);
	clx_free(sim->cl, &m->liquid);
	*m = (struct mixed_transfer){0};
}

static bool write_ranges(struct sim *sim)
{
	struct mixed_transfer *m = &sim->mixed;
	const struct id_ranges *ids = &sim->particles.ids;
	const size_t n = ids->count, bytes = n * sizeof(u32);
	u32 *words = malloc(2 * bytes + sizeof(u32));
	if (!words)
		return message_memory(2 * bytes, "the ids of liquids");
	for (size_t i = 0; i < n; i++) {
		words[i] = ids->range[i].first;
		words[n + i] = ids->range[i].liquid;
	}
	const bool ok = n == 0 || (clx_write(sim->cl, &m->first, 0, bytes, words) &&
				   clx_write(sim->cl, &m->liquid, 0, bytes, words + n));
	free(words);
	return ok;
}

static bool write_liquids(struct sim *sim)
{
	struct mixed_transfer *m = &sim->mixed;
	const struct scene *scene = sim->scene;
	f32 flip[SEED_MAX_LIQUIDS];
	i32 apic[SEED_MAX_LIQUIDS];
	for (size_t l = 0; l < scene->liquid_count; l++) {
		const struct scene_liquid *liquid = &scene->liquids[l];
		flip[l] = transfer_blend(sim, liquid->transfer, liquid->flip_ratio);
		apic[l] = liquid->transfer == TRANSFER_APIC;
	}
	return clx_write(sim->cl, &m->flip, 0, scene->liquid_count * sizeof(*flip), flip) &&
	       clx_write(sim->cl, &m->apic, 0, scene->liquid_count * sizeof(*apic), apic);
}

bool transfer_mixed_g2p(struct sim *sim)
{
	struct particles *p = &sim->particles;
	struct mixed_transfer *m = &sim->mixed;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count, ranges = (i32)p->ids.count;
	const i32 affine = scene_has_affine(sim->scene);
	return make_room(sim, p->ids.count) && write_ranges(sim) && write_liquids(sim) &&
	       (n == 0 ||
		LAUNCH(sim->cl, transfer_g2p_mixed, clx_range1(p->count), .g = &g,
		       .u_face = &sim->u_face, .delta_face = &sim->delta, .flip = &m->flip,
		       .apic = &m->apic, .has_affine = I32(affine), .first = &m->first,
		       .liquid = &m->liquid, .ranges = I32(ranges), .id = &p->now.id,
		       .position = &p->now.position, .velocity = &p->now.velocity,
		       .affine = &p->now.affine, .stride = I32(stride), .n = I32(n)));
}
