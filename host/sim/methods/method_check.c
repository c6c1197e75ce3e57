#include "method_check.h"

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
		pending = lists(stage->writes, kick) ||
			  (pending && !(lists(stage->reads, kick) && lists(stage->writes, faces)));
	}
	return true;
}

bool method_check(const struct method *m)
{
	if (!check_kick(m))
		return false;
	for (size_t s = 0; s < m->stage_count; s++)
		if (!check_uses(m, &m->stages[s], m->stages[s].reads) ||
		    !check_uses(m, &m->stages[s], m->stages[s].writes))
			return false;
	for (size_t i = 0; i < m->field_count; i++)
		if (m->fields[i].saved && m->fields[i].type != FIELD_F32 &&
		    m->fields[i].type != FIELD_U32)
			return message_error("method %s: the field '%s' cannot be saved", m->name,
					     m->fields[i].name);
	return m->stage_count < MOMENT_START && m->field_count <= METHOD_MOST_FIELDS;
}
