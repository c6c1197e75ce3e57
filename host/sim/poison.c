#include "poison.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "sim_fields.h"

/* Words of a signalling NaN: whatever arithmetic makes of one has other bits. */
static const unsigned char pattern[4] = {0xa5, 0xa5, 0xa5, 0xff};

/* Sums, scalars and lists are the host's way to steer, and the scratch is one field for each part.
 */
static bool is_bookkeeping(const struct sim_field *field)
{
	return field->shape == SHAPE_SCALARS || field->shape == SHAPE_HASHES ||
	       field->shape == SHAPE_PARTIALS || field->shape == SHAPE_ALL_SCRATCH;
}

static bool is_listed(const struct field_use *uses, size_t member)
{
	while (uses->member && uses->member != member)
		uses++;
	return uses->member == member;
}

static bool uses_field(const struct stage *stage, const struct sim_field *field)
{
	return is_listed(stage->reads, field->member) || is_listed(stage->writes, field->member);
}

/* Outside the bricks buffers keep what they held, but for those that are lent. */
static bool is_hidden(const struct stage *stage, const struct sim_field *field)
{
	if (field->memory == LENT && is_listed(stage->writes, field->member))
		return !is_listed(stage->reads, field->member);
	return !uses_field(stage, field);
}

/* What is lent may be another's when the stage is over. */
static bool is_only_read(const struct stage *stage, const struct sim_field *field)
{
	return field->memory != LENT && is_listed(stage->reads, field->member) &&
	       !is_listed(stage->writes, field->member);
}

static void *allocate(size_t bytes)
{
	void *memory = malloc(bytes ? bytes : 1);
	if (!memory)
		message_memory(bytes, "what a stage may not see");
	return memory;
}

static unsigned char *allocate_marks(size_t bytes)
{
	unsigned char *marks = allocate(bytes);
	if (marks)
		memset(marks, 0, bytes);
	return marks;
}

static void fill(unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = pattern[i % 4];
}

static bool is_poison(const unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (bytes[i] != pattern[i % 4])
			return false;
	return true;
}

/* ---- fields of their own ------------------------------------------------------------------ */

/* A copy to compare with. */
static bool remember(struct sim *sim, const struct sim_field *field, void **copy)
{
	struct clx_buffer *buffer = sim_buffer(sim, field);
	const bool host = field->shape == SHAPE_HOST;
	const size_t bytes = host ? field->size : buffer->bytes;
	*copy = allocate(bytes);
	bool ok = *copy != NULL;
	if (ok && host)
		memcpy(*copy, buffer, bytes);
	else if (ok)
		ok = clx_read_raw(sim->cl, buffer, 0, bytes, *copy);
	if (!ok) {
		free(*copy);
		*copy = NULL;
	}
	return ok;
}

static bool hide(struct sim *sim, const struct sim_field *field, void **copy)
{
	struct clx_buffer *buffer = sim_buffer(sim, field);
	const bool host = field->shape == SHAPE_HOST;
	const size_t bytes = host ? field->size : buffer->bytes;
	unsigned char *poison = allocate(bytes);
	bool ok = poison && remember(sim, field, copy);
	if (ok)
		fill(poison, bytes);
	if (ok && host)
		memcpy(buffer, poison, bytes);
	else if (ok)
		ok = clx_write_raw(sim->cl, buffer, 0, bytes, poison);
	free(poison);
	return ok;
}

/* What the stage left of a field: true if it is untouched.  False after reporting. */
static bool is_untouched(struct sim *sim, const struct sim_field *field, const void *expected,
			 const char *stage)
{
	void *now = NULL;
	if (!remember(sim, field, &now))
		return false;
	const size_t bytes =
		field->shape == SHAPE_HOST ? field->size : sim_buffer(sim, field)->bytes;
	const bool same = expected ? memcmp(now, expected, bytes) == 0 : is_poison(now, bytes);
	free(now);
	return same || message_error("stage %s writes the field '%s', which its row does not list "
				     "as written",
				     stage, field->name);
}

static bool show(struct sim *sim, const struct sim_field *field, const void *copy)
{
	struct clx_buffer *buffer = sim_buffer(sim, field);
	if (field->shape == SHAPE_HOST)
		memcpy(buffer, copy, field->size);
	return field->shape == SHAPE_HOST || clx_write_raw(sim->cl, buffer, 0, buffer->bytes, copy);
}

/* ---- the scratch -------------------------------------------------------------------------- */

/* The parts that hold a value while `stage` runs: those that it reads, or those that it does not
 * know.  The solver's operator may be kept, which only stages that solve know. */
static void mark_parts(struct sim *sim, size_t stage, bool read, unsigned char *marks)
{
	struct scratch_part parts[SIM_PARTS];
	const struct method *m = sim->method;
	size_t bytes;
	const size_t count = sim_plan_scratch(sim, parts, &bytes);
	struct moments now = {{0}};
	moments_add(&now, stage, PHASE_LISTS, PHASE_AFTER);
	for (size_t p = 0; p < count; p++)
		if (stage > 0 && parts[p].kept &&
		    parts[p].live.at[PHASE_AFTER] >> (stage - 1) & 1 &&
		    (m->stages[stage].solves != 0) == read)
			memset(marks + parts[p].at, 1, parts[p].bytes);
	for (size_t i = 0; i < m->field_count; i++) {
		const struct sim_field *field = &m->fields[i];
		const struct clx_buffer *buffer = sim_buffer(sim, field);
		if (field->memory != SCRATCH ||
		    is_listed(m->stages[stage].reads, field->member) != read ||
		    (!read && uses_field(&m->stages[stage], field)))
			continue;
		for (size_t p = 0; p < count; p++)
			if (parts[p].view == buffer && moments_meet(&parts[p].live, &now))
				memset(marks + parts[p].at, 1, parts[p].bytes);
	}
}

static bool hide_scratch(struct poison *poison, struct sim *sim, size_t stage)
{
	const size_t bytes = sim->scratch.bytes;
	unsigned char *kept = allocate_marks(bytes), *hidden = allocate(bytes);
	poison->scratch = allocate(bytes);
	bool ok = kept && hidden && poison->scratch &&
		  clx_read(sim->cl, &sim->scratch, 0, bytes, poison->scratch);
	if (ok) {
		mark_parts(sim, stage, true, kept);
		for (size_t i = 0; i < bytes; i++)
			hidden[i] =
				kept[i] ? ((unsigned char *)poison->scratch)[i] : pattern[i % 4];
		ok = clx_write(sim->cl, &sim->scratch, 0, bytes, hidden);
	}
	free(kept);
	free(hidden);
	if (!ok) {
		free(poison->scratch);
		poison->scratch = NULL;
	}
	return ok;
}

static bool show_scratch(struct poison *poison, struct sim *sim, size_t stage)
{
	const size_t bytes = sim->scratch.bytes;
	unsigned char *unknown = allocate_marks(bytes), *now = allocate(bytes);
	bool written = false;
	bool ok = unknown && now && clx_read(sim->cl, &sim->scratch, 0, bytes, now);
	if (ok) {
		mark_parts(sim, stage, false, unknown);
		for (size_t i = 0; i < bytes; i++)
			if (unknown[i]) {
				written = written || now[i] != pattern[i % 4];
				now[i] = ((unsigned char *)poison->scratch)[i];
			}
		ok = clx_write(sim->cl, &sim->scratch, 0, bytes, now);
	}
	if (ok && written)
		ok = message_error("stage %s writes a part of the scratch that its row does not "
				   "list and another stage is going to read",
				   sim->method->stages[stage].name);
	free(unknown);
	free(now);
	return ok;
}

/* ---- a stage ------------------------------------------------------------------------------ */

bool poison_begin(struct poison *poison, struct sim *sim, size_t stage)
{
	const struct method *m = sim->method;
	const struct stage *row = &m->stages[stage];
	for (size_t i = 0; i < m->field_count; i++) {
		const struct sim_field *field = &m->fields[i];
		if (field->memory == SCRATCH || is_bookkeeping(field))
			continue;
		if (is_hidden(row, field) && !hide(sim, field, &poison->copies[i]))
			return false;
		if (is_only_read(row, field) && !remember(sim, field, &poison->copies[i]))
			return false;
	}
	return hide_scratch(poison, sim, stage);
}

bool poison_end(struct poison *poison, struct sim *sim, size_t stage)
{
	const struct method *m = sim->method;
	const struct stage *row = &m->stages[stage];
	bool ok = true;
	for (size_t i = 0; i < m->field_count; i++) {
		const struct sim_field *field = &m->fields[i];
		const void *copy = poison->copies[i];
		if (!copy)
			continue;
		const bool hidden = is_hidden(row, field);
		if (!is_listed(row->writes, field->member))
			ok = is_untouched(sim, field, hidden ? NULL : copy, row->name) && ok;
		if (hidden && !is_listed(row->writes, field->member))
			ok = show(sim, field, copy) && ok;
	}
	if (poison->scratch)
		ok = show_scratch(poison, sim, stage) && ok;
	for (size_t i = 0; i < m->field_count; i++)
		free(poison->copies[i]);
	free(poison->scratch);
	*poison = (struct poison){0};
	return ok;
}
