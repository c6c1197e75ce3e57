/* The totals of collisions. */
#ifndef FRESHET_COLLIDE_COUNT_H
#define FRESHET_COLLIDE_COUNT_H

#include "collide.h"

/* Counts what a collision did; a particle that left is marked removed. */
void collide_count(int result, global uint *scalars, global uint *id, int p)
{
	if (result & COLLIDE_PUSHED)
		atomic_inc(scalars + SCALAR_PUSHED);
	if (result & COLLIDE_ESCAPED)
		atomic_inc(scalars + SCALAR_ESCAPED);
	if (result & COLLIDE_LEFT) {
		atomic_inc(scalars + SCALAR_REMOVED_OPEN);
		atomic_add(scalars + SCALAR_REMOVED_FIRST, ledger_hash(id[p], LEDGER_FIRST));
		atomic_add(scalars + SCALAR_REMOVED_SECOND, ledger_hash(id[p], LEDGER_SECOND));
		id[p] = ID_REMOVED;
	}
}

#endif
