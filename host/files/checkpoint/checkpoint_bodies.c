#include "checkpoint_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hdf5_read.h"
#include "message.h"

/* Copies `count` elements; NULL, after reporting, only if memory is short. */
static void *copy_of(const void *from, size_t count, size_t size)
{
	void *copy = calloc(count + 1, size);
	if (!copy)
		message_memory(count * size, "the bodies in a checkpoint");
	else if (count > 0)
		memcpy(copy, from, count * size);
	return copy;
}

bool checkpoint_capture_bodies(struct checkpoint *c, const struct sim *sim)
{
	const struct bodies *b = &sim->bodies;
	if (b->count == 0)
		return true;
	c->body_count = b->count;
	c->contact_count = b->contacts.kept_count;
	c->contact_dt = b->contacts.kept_dt;
	c->accounts_seconds = b->seconds;
	c->bodies = copy_of(b->now, b->count, sizeof(*b->now));
	c->contacts = c->bodies ? copy_of(b->contacts.kept, c->contact_count, sizeof(*c->contacts))
				: NULL;
	c->accounts = c->contacts ? copy_of(b->accounts, b->count, sizeof(*b->accounts)) : NULL;
	return c->accounts != NULL;
}

bool checkpoint_has_bodies(const struct checkpoint *c, const struct sim *sim)
{
	return c->body_count == sim->bodies.count &&
	       contacts_can_be(sim->scene, c->contacts, c->contact_count, c->contact_dt);
}

bool checkpoint_restore_bodies(const struct checkpoint *c, struct sim *sim)
{
	struct bodies *b = &sim->bodies;
	if (b->count == 0)
		return true;
	memcpy(b->now, c->bodies, b->count * sizeof(*b->now));
	memcpy(b->next, c->bodies, b->count * sizeof(*b->next));
	memcpy(b->accounts, c->accounts, b->count * sizeof(*b->accounts));
	b->seconds = c->accounts_seconds;
	return contacts_restore(&b->contacts, c->contacts, c->contact_count, c->contact_dt);
}

/* ---- files --------------------------------------------------------------------------------- */

static bool read_doubles(hid_t file, const char *name, size_t each, size_t *count, double **values)
{
	hsize_t n = HDF5_LENGTH_UNKNOWN;
	void *read = NULL;
	const bool ok =
		hdf5_read_array(file, name, H5T_NATIVE_DOUBLE, sizeof(double), 1, &n, &read);
	*values = read;
	*count = ok ? (size_t)n / each : 0;
	return ok && n % each == 0;
}

/* Four whole numbers and four others each. */
static bool read_contacts(hid_t file, struct checkpoint *c)
{
	hsize_t n = HDF5_LENGTH_UNKNOWN;
	void *numbers = NULL;
	double *impulses = NULL;
	size_t count = 0;
	bool ok = hdf5_read_array(file, "bodies/contacts", H5T_NATIVE_UINT32, sizeof(u32), 1, &n,
				  &numbers) &&
		  read_doubles(file, "bodies/impulses", 4, &count, &impulses) && n == 4 * count;
	c->contacts = ok ? hdf5_allocate(count + 1, sizeof(*c->contacts)) : NULL;
	ok = ok && c->contacts;
	for (size_t i = 0; ok && i < count; i++) {
		const u32 *number = (const u32 *)numbers + 4 * i;
		const double *impulse = impulses + 4 * i;
		c->contacts[i] = (struct contact_impulse){
			number[0], number[1],  number[2],
			number[3], impulse[0], {impulse[1], impulse[2], impulse[3]}};
	}
	c->contact_count = ok ? count : 0;
	free(numbers);
	free(impulses);
	return ok;
}

bool checkpoint_read_bodies(hid_t file, struct checkpoint *c, unsigned format)
{
	double *states = NULL, *accounts = NULL;
	size_t count = 0;
	c->bodies_bytes = format < 8 ? -1 : c->bodies_bytes;
	if (format < 8 || H5Lexists(file, "bodies/states", H5P_DEFAULT) <= 0)
		return true;
	bool ok = read_doubles(file, "bodies/states", BODY_NUMBERS, &c->body_count, &states);
	c->bodies = (struct body *)(void *)states;
	ok = ok && read_doubles(file, "bodies/accounts", BODY_ACCOUNT_NUMBERS, &count, &accounts);
	c->accounts = (struct body_account *)(void *)accounts;
	ok = ok && count == c->body_count && read_contacts(file, c);
	for (size_t i = 0; ok && i < count * BODY_ACCOUNT_NUMBERS; i++)
		ok = isfinite(accounts[i]);
	return ok && isfinite(c->accounts_seconds) && c->accounts_seconds >= 0.0 &&
	       bodies_are_sound(c->bodies, c->body_count);
}
