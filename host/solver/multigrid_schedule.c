/* What a cycle does on which level. */
#include "multigrid.h"

/* Coarse levels above those of one work-group that are visited twice beside many walls. */
#define TWICE_LEVELS 2

/* Conjugate gradients do better without a last level that walls part: pieces of many boxes are in
 * each of its cells. */
static bool leaves_out_last(const struct multigrid *mg)
{
	return mg->parted_last && mg->use == MULTIGRID_PRECONDITIONER;
}

int multigrid_last(const struct multigrid *mg)
{
	return mg->count - (leaves_out_last(mg) ? 2 : 1);
}

/* On a level of two cells per axis 4 do what 16 do; one of four, with up to eight parts in each of
 * its cells, needs more. */
int multigrid_last_sweeps(const struct multigrid *mg)
{
	return leaves_out_last(mg) ? 16 : 4;
}

/* Level 0 only if nothing is visited twice. */
int multigrid_first_of_group(const struct multigrid *mg)
{
	const int first = mg->many_walls && mg->group_from == 0 ? 1 : mg->group_from;
	const int last = multigrid_last(mg);
	return first < last ? first : last;
}

/* Small levels are cheap, and a second visit keeps iterations from growing with the grid. */
int multigrid_visits(const struct multigrid *mg, int n)
{
	if (mg->plain || n == 0 || n == multigrid_last(mg))
		return 1;
	const int deepest = mg->revisited < mg->count ? mg->revisited : 1;
	const bool walls = mg->many_walls && (n == deepest || (n < deepest && n <= TWICE_LEVELS));
	return walls || (mg->use == MULTIGRID_PRECONDITIONER && n == mg->revisited) ? 2 : 1;
}

/* A cycle may be repeated only if it overshoots nothing by more than twice, else the whole is not
 * positive: one sweep does not make sure of that.  In 3D, where coarse levels have a seventh of the
 * finest one's cells, one more there is paid back with conjugate gradients; grids that are small as
 * they are need none. */
int multigrid_sweeps(const struct multigrid *mg, int n)
{
	const bool conjugate = mg->use == MULTIGRID_PRECONDITIONER;
	if (mg->plain)
		return mg->sweeps;
	if (mg->dim == 3 && n > 0 && mg->revisited < mg->count && conjugate)
		return mg->sweeps + 1;
	const int first = mg->many_walls ? 1 : conjugate ? mg->revisited : mg->count;
	return n >= first && mg->sweeps < 2 ? 2 : mg->sweeps;
}

bool multigrid_repeats(const struct multigrid *mg)
{
	bool repeats = false;
	for (int n = 0; n <= multigrid_last(mg); n++)
		repeats |= multigrid_visits(mg, n) > 1;
	return repeats;
}

struct multigrid_work multigrid_work(const struct multigrid *mg, int n)
{
	struct multigrid_work work = {1, 1, 0};
	for (int level = 1; level <= n; level++) {
		work.from_zero = work.visits;
		work.visits *= multigrid_visits(mg, level);
	}
	work.sweeps =
		2 * (n == multigrid_last(mg) ? multigrid_last_sweeps(mg) : multigrid_sweeps(mg, n));
	return work;
}
