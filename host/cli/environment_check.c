#include "environment_check.h"

#include "bricks.h"
#include "clx.h"
#include "fault.h"
#include "resume.h"

bool environment_check(void)
{
	bool all_bricks;
	double seconds;
	return fault_check_environment() && clx_check_environment() &&
	       bricks_read_environment(&all_bricks) && resume_read_environment(&seconds);
}
