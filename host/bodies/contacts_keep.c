/* What contacts keep from one substep to the next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contacts.h"
#include "message.h"

static bool make_room(struct contacts *contacts, size_t count)
{
	if (count <= contacts->kept_capacity)
		return true;
	struct contact_impulse *kept = realloc(contacts->kept, 2 * count * sizeof(*kept));
	if (!kept)
		return message_memory(2 * count * sizeof(*kept), "contacts of bodies");
	contacts->kept = kept;
	contacts->kept_capacity = 2 * count;
	return true;
}

bool contacts_keep(struct contacts *contacts)
{
	if (!make_room(contacts, contacts->count))
		return false;
	contacts->kept_count = 0;
	contacts->kept_dt = contacts->dt;
	for (size_t n = 0; n < contacts->count; n++) {
		const struct contact *c = &contacts->list[n];
		if (!(c->impulse > 0.0))
			continue;
		struct contact_impulse *k = &contacts->kept[contacts->kept_count++];
		*k = (struct contact_impulse){
			c->body,   c->other,   c->feature,
			c->number, c->impulse, {c->tangent[0], c->tangent[1], c->tangent[2]}};
	}
	return true;
}

static bool may_be(const struct scene *scene, const struct contact_impulse *k)
{
	const size_t solids = scene->solid_count - scene->body_count;
	const uint32_t other = k->other;
	const bool known = other < CONTACT_SOLID ? other < k->body
			   : other < CONTACT_WALL
				   ? other - CONTACT_SOLID < solids
				   : other - CONTACT_WALL < 2u * (unsigned)scene->dim;
	return k->body < scene->body_count && known && isfinite(k->normal) && k->normal >= 0.0 &&
	       isfinite(k->tangent[0]) && isfinite(k->tangent[1]) && isfinite(k->tangent[2]);
}

bool contacts_can_be(const struct scene *scene, const struct contact_impulse *kept, size_t count,
		     double dt)
{
	bool good = isfinite(dt) && dt >= 0.0;
	for (size_t n = 0; n < count; n++) {
		good = good && may_be(scene, &kept[n]);
		good = good &&
		       (n == 0 || kept[n - 1].body < kept[n].body ||
			(kept[n - 1].body == kept[n].body && kept[n - 1].other <= kept[n].other));
	}
	return good;
}

bool contacts_restore(struct contacts *contacts, const struct contact_impulse *kept, size_t count,
		      double dt)
{
	if (!contacts_can_be(contacts->scene, kept, count, dt))
		return message_error("contacts of bodies that the scene does not have");
	if (!make_room(contacts, count))
		return false;
	if (count > 0)
		memcpy(contacts->kept, kept, count * sizeof(*kept));
	contacts->kept_count = count;
	contacts->kept_dt = dt;
	return true;
}
