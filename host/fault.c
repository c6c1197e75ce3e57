#include "fault.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

static const char *const kinds[FAULT_KINDS] = {
	[FAULT_OPENCL] = "opencl:", [FAULT_WRITE] = "write:", [FAULT_ALLOC] = "alloc:"};
static atomic_long calls[FAULT_KINDS];

static const char *environment(void)
{
	const char *fault = getenv("FRESHET_FAULT");
	return fault && *fault ? fault : NULL;
}

/* The call that must fail, from 1; 0 = none of this kind. */
static long due_call(enum fault_kind kind)
{
	const char *fault = environment();
	const size_t length = strlen(kinds[kind]);
	return fault && strncmp(fault, kinds[kind], length) == 0 ? atol(fault + length) : 0;
}

bool fault_is_due(enum fault_kind kind)
{
	const long due = due_call(kind);
	return due > 0 && atomic_fetch_add(&calls[kind], 1) + 1 == due;
}

bool fault_check_environment(void)
{
	const char *fault = environment();
	if (!fault)
		return true;
	for (int kind = 0; kind < FAULT_KINDS; kind++) {
		const size_t length = strlen(kinds[kind]);
		char *end;
		if (strncmp(fault, kinds[kind], length) == 0 &&
		    strtol(fault + length, &end, 10) > 0 && !*end)
			return true;
	}
	return message_error("FRESHET_FAULT='%s' is not opencl:N, write:N or alloc:N with N from 1",
			     fault);
}

void fault_check_came(void)
{
	for (int kind = 0; kind < FAULT_KINDS; kind++) {
		const long due = due_call((enum fault_kind)kind), came = atomic_load(&calls[kind]);
		if (due > came)
			message_warning("FRESHET_FAULT=%s did not come: there were %ld such calls",
					environment(), came);
	}
}
