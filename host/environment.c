#include "environment.h"

#include <stdlib.h>
#include <string.h>

#include "bricks.h"
#include "clx.h"
#include "fault.h"
#include "message.h"
#include "resume.h"

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

bool environment_check(void)
{
	bool all_bricks;
	double seconds;
	return fault_check_environment() && clx_check_environment() &&
	       bricks_read_environment(&all_bricks) && resume_read_environment(&seconds);
}
