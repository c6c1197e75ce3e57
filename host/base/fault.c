#include "fault.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "number.h"

static const char *const kinds[FAULT_KINDS] = {
	[FAULT_OPENCL] = "opencl", [FAULT_KERNEL] = "kernel", [FAULT_WRITE] = "write",
	[FAULT_ALLOC] = "alloc",   [FAULT_PARSER] = "parser", [FAULT_NAN] = "nan",
	[FAULT_SPEED] = "speed",   [FAULT_SOLVER] = "solver", [FAULT_HASH] = "hash",
	[FAULT_STAGE] = "stage",
};
static atomic_long calls[FAULT_KINDS];

/* What FRESHET_FAULT asks for. */
struct wish {
	enum fault_kind kind;
	const char *place; /* where, behind an @; NULL: anywhere */
	size_t place_length;
	long first;  /* call that must fail, from 1 */
	bool sticky; /* and all after it */
};

/* Leaves errno, which callers of what fails look at, as it is. */
static bool read_number(const char *text, struct wish *wish)
{
	uint64_t number;
	if (!number_take_count(&text, INT32_MAX, &number) || number == 0)
		return false;
	wish->first = (long)number;
	wish->sticky = *text == '+';
	return text[wish->sticky] == '\0';
}

/* Kinds that are counted in a place, which must be named; NAN may be. */
static bool takes_place(enum fault_kind kind, bool given)
{
	return kind == FAULT_NAN || (kind == FAULT_STAGE) == given;
}

static bool read_wish(const char *text, struct wish *wish)
{
	const size_t length = strcspn(text, "@:");
	*wish = (struct wish){.kind = FAULT_KINDS};
	for (int kind = 0; kind < FAULT_KINDS; kind++)
		if (strlen(kinds[kind]) == length && strncmp(text, kinds[kind], length) == 0)
			wish->kind = (enum fault_kind)kind;
	text += length;
	if (*text == '@') {
		wish->place = ++text;
		text += wish->place_length = strcspn(text, ":");
	}
	return wish->kind != FAULT_KINDS && *text == ':' &&
	       takes_place(wish->kind, wish->place_length > 0) && read_number(text + 1, wish);
}

static const char *environment(void)
{
	const char *fault = getenv("FRESHET_FAULT");
	return fault && *fault ? fault : NULL;
}

static bool count_call(const struct wish *wish)
{
	const long call = atomic_fetch_add(&calls[wish->kind], 1) + 1;
	return wish->sticky ? call >= wish->first : call == wish->first;
}

bool fault_is_due(enum fault_kind kind)
{
	struct wish wish;
	const char *fault = environment();
	return fault && read_wish(fault, &wish) && wish.kind == kind && !wish.place &&
	       count_call(&wish);
}

bool fault_is_due_in(enum fault_kind kind, const char *place)
{
	struct wish wish;
	const char *fault = environment();
	return fault && read_wish(fault, &wish) && wish.kind == kind && wish.place &&
	       strlen(place) == wish.place_length &&
	       strncmp(place, wish.place, wish.place_length) == 0 && count_call(&wish);
}

bool fault_check_environment(void)
{
	struct wish wish;
	const char *fault = environment();
	if (!fault || read_wish(fault, &wish))
		return true;
	char names[128];
	size_t length = 0;
	for (int kind = 0; kind < FAULT_KINDS; kind++)
		length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s%s",
					   kind ? ", " : "", kinds[kind],
					   kind == FAULT_STAGE ? "@NAME" : "");
	return message_error(
		"FRESHET_FAULT='%s' is not KIND:N or, for all from the Nth on, KIND:N+ "
		"(KIND: %s; N: 1 to %d)",
		fault, names, INT32_MAX);
}

void fault_check_came(void)
{
	struct wish wish;
	const char *fault = environment();
	if (!fault || !read_wish(fault, &wish))
		return;
	const long came = atomic_load(&calls[wish.kind]);
	if (wish.first > came)
		message_warning("FRESHET_FAULT=%s did not come: there were %ld such calls", fault,
				came);
}
