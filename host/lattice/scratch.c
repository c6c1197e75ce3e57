#include "scratch.h"

void moments_add(struct moments *moments, size_t stage, enum phase first, enum phase last)
{
	for (int p = (int)first; p <= (int)last; p++)
		moments->at[p] |= (uint32_t)1 << stage;
}

void moments_add_span(struct moments *moments, size_t from, enum phase first, size_t to,
		      enum phase last)
{
	for (size_t stage = from; stage <= to; stage++)
		moments_add(moments, stage, stage == from ? first : PHASE_LISTS,
			    stage == to ? last : PHASE_AFTER);
}

bool moments_meet(const struct moments *a, const struct moments *b)
{
	for (int p = 0; p < PHASES; p++)
		if (a->at[p] & b->at[p])
			return true;
	return false;
}

/* The lowest place in `in` that no part of the first `count` has while `part` is alive. */
static size_t first_fit(const struct scratch_part *parts, size_t count, const struct clx_buffer *in,
			const struct scratch_part *part)
{
	size_t at = 0;
	for (size_t i = 0; i < count; i++) {
		const struct scratch_part *other = &parts[i];
		const size_t end = other->at + fields_aligned(other->bytes);
		if (other->in != in || !moments_meet(&other->live, &part->live) || end <= at ||
		    other->at >= at + fields_aligned(part->bytes))
			continue;
		/* Behind it, and all are asked again. */
		at = end;
		i = (size_t)-1;
	}
	return at;
}

/* Finds a lender whose memory is free, and large enough behind what it has lent already. */
static bool borrow(struct scratch_part *parts, size_t count, struct scratch_part *part,
		   const struct scratch_lender *lenders, size_t lender_count)
{
	for (size_t i = 0; i < lender_count; i++) {
		const struct scratch_lender *l = &lenders[i];
		if (moments_meet(&l->busy, &part->live))
			continue;
		part->at = first_fit(parts, count, l->buffer, part);
		part->in = l->buffer;
		if (part->at <= l->bytes && part->bytes <= l->bytes - part->at)
			return true;
	}
	return false;
}

size_t scratch_plan(struct scratch_part *parts, size_t count, const struct scratch_lender *lenders,
		    size_t lender_count)
{
	size_t bytes = 0;
	for (size_t i = 0; i < count; i++) {
		struct scratch_part *part = &parts[i];
		if (part->borrows && borrow(parts, i, part, lenders, lender_count))
			continue;
		part->in = NULL;
		part->at = first_fit(parts, i, NULL, part);
		const size_t end = part->at + fields_aligned(part->bytes);
		bytes = end > bytes ? end : bytes;
	}
	return bytes;
}

bool scratch_make_views(struct clx *cl, const struct clx_buffer *scratch,
			const struct scratch_part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct scratch_part *p = &parts[i];
		if (p->view &&
		    !clx_view_raw(cl, p->in ? p->in : scratch, p->at, p->bytes, p->name, p->view))
			return false;
	}
	return true;
}

void scratch_free_views(struct clx *cl, const struct scratch_part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (parts[i].view)
			clx_free_raw(cl, parts[i].view);
}
