#include "method_check.h"

#include <string.h>

#include "field_access.h"
#include "message.h"

static bool check_uses(const struct method *m, const struct stage *stage,
		       const struct field_use *uses)
{
	for (; uses->member; uses++)
		if (!method_field(m, uses->member))
			return message_error("method %s: stage %s lists a member of struct sim, at "
					     "%zu, that is no field",
					     m->name, stage->name, uses->member);
	return true;
}

static bool lists(const struct field_use *uses, size_t member)
{
	while (uses->member && uses->member != member)
		uses++;
	return uses->member != 0;
}

/* From the stage that leaves a kick to the one that adds it, whoever reads the velocity on faces
 * needs both (struct velocity_view). */
static bool check_kick(const struct method *m)
{
	const size_t kick = offsetof(struct sim, kick), faces = offsetof(struct sim, u_face);
	bool pending = false;
	for (size_t s = 0; s < m->stage_count; s++) {
		const struct stage *stage = &m->stages[s];
		if (pending && lists(stage->reads, faces) && !lists(stage->reads, kick))
			return message_error("method %s: stage %s reads the grid velocity without "
					     "the kick of the forces, which it lacks until then",
					     m->name, stage->name);
		pending = lists(stage->writes, kick) || (pending && !stage->takes_kick);
	}
	return true;
}

static bool is_terminated(const struct field_use *uses)
{
	return uses[MOST_USES - 1].member == 0;
}

/* A value that a substep does not keep must have been made before it is read. */
static bool check_reads(const struct method *m, size_t s)
{
	for (const struct field_use *use = m->stages[s].reads; use->member; use++) {
		const struct sim_field *field = method_field(m, use->member);
		bool made = field->memory == KEPT || field->shape == SHAPE_HOST;
		for (size_t before = 0; before < s && !made; before++)
			made = lists(m->stages[before].writes, use->member);
		/* An array that some scenes do not have, or that a stage fills before it reads. */
		made = made || lists(m->stages[s].writes, use->member);
		if (!made)
			return message_error("method %s: stage %s reads '%s', which no stage makes "
					     "before",
					     m->name, m->stages[s].name, field->name);
	}
	return true;
}

static bool check_stage(const struct method *m, size_t s)
{
	const struct stage *stage = &m->stages[s];
	if (!is_terminated(stage->reads) || !is_terminated(stage->writes))
		return message_error("method %s: stage %s lists too many fields", m->name,
				     stage->name);
	return check_uses(m, stage, stage->reads) && check_uses(m, stage, stage->writes) &&
	       check_reads(m, s);
}

static bool check_saved(const struct method *m, const struct sim_field *field)
{
	if (!field->saved)
		return true;
	if (field->type != FIELD_F32 && field->type != FIELD_U32)
		return message_error("method %s: the field '%s' cannot be saved", m->name,
				     field->name);
	return strncmp(field->saved, "particles/", 10) == 0 ||
	       strncmp(field->saved, "grid/", 5) == 0 ||
	       message_error("method %s: '%s' is saved outside particles/ and grid/", m->name,
			     field->name);
}

/* Memory that others take while no stage needs it. */
static bool check_listed(const struct method *m, const struct sim_field *field)
{
	bool listed = field->memory == KEPT;
	for (size_t s = 0; s < m->stage_count && !listed; s++)
		listed = lists(m->stages[s].writes, field->member);
	return listed ||
	       message_error("method %s: no stage writes the field '%s'", m->name, field->name);
}

bool method_check(const struct method *m)
{
	size_t saved = 0;
	if (m->stage_count > MOMENT_START || m->field_count > METHOD_MOST_FIELDS ||
	    m->column_count > STEP_OWN)
		return message_error("method %s: more than %d stages, %d fields or %d columns",
				     m->name, MOMENT_START, METHOD_MOST_FIELDS, STEP_OWN);
	for (size_t s = 0; s < m->stage_count; s++)
		if (!check_stage(m, s))
			return false;
	for (size_t i = 0; i < m->field_count; i++) {
		saved += m->fields[i].saved != NULL;
		if (!check_saved(m, &m->fields[i]) || !check_listed(m, &m->fields[i]))
			return false;
	}
	if (saved > METHOD_MOST_SAVED)
		return message_error("method %s: more than %d fields are saved", m->name,
				     METHOD_MOST_SAVED);
	return check_kick(m);
}
