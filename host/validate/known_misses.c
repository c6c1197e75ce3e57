#include "known_misses.h"

#include <string.h>

/* Values are those that the program finds, rounded away from the band. */
const struct known_miss known_misses[] = {
	{"standing-wave", "FLIP 0.97, 32 cells: energy lost in 4 periods, from the first 2", 0.325,
	 "two periods tell less than four, in which 28.8 % are lost"},
	{"rolled-tank", "90 cells: volume error, worst frame of 60 s", -0.0245,
	 "single frames of impacts are off, the mean is right"},
	{"rolled-tank", "180 cells: peak 1 at sensor 1", 8.3,
	 "the recorded roll is not the one that is run, which starts smoothly, without the "
	 "first impact"},
	{"rolled-tank", "180 cells: peak 3 at sensor 1", 252,
	 "a pocket without air closes over the sensor in one substep: its impulse over the step"},
	{"rolled-tank", "180 cells: peak 4 at sensor 1", 149,
	 "a pocket without air closes over the sensor in one substep: its impulse over the step"},
	{"vortex", "16 cells: farthest particle from its start", 0.0056,
	 "a grid of level 1, coarser than those that the band is for"},
	{0},
};

/* How far a value is out of the band. */
static double excess(double value, const struct validate_criterion *c)
{
	return fmax(c->low - value, value - c->high);
}

void known_miss_judge(const struct known_miss *list, const char *name, struct validate_criterion *c)
{
	/* What could not be measured fails. */
	const bool met = c->value >= c->low && c->value <= c->high;
	c->verdict = met ? VALIDATE_PASS : VALIDATE_FAIL;
	for (; list->name; list++) {
		if (strcmp(list->name, name) != 0 || strcmp(list->what, c->what) != 0)
			continue;
		c->known = list;
		if (met)
			c->verdict = VALIDATE_MET;
		else if ((c->value > c->high) == (list->worst > c->high) &&
			 excess(c->value, c) <= excess(list->worst, c))
			c->verdict = VALIDATE_KNOWN;
	}
}
