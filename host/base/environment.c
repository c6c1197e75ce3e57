#include "environment.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

const char *environment_value(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

bool environment_switch(const char *name, const char *off, const char *on, bool *is_on)
{
	const char *value = environment_value(name);
	*is_on = value && strcmp(value, on) == 0;
	return *is_on || !value || strcmp(value, off) == 0 ||
	       message_error("%s='%.100s' is not %s or %s", name, value, off, on);
}
