/* What tests of the multigrid cycle share: mixtures, and a box of odd sizes. */
#ifndef FRESHET_MULTIGRID_SUPPORT_H
#define FRESHET_MULTIGRID_SUPPORT_H

#include "solve_fixture.h"

#define EPS 0x1p-24

#define MIDDLE_BALL                                                           \
	(DIM == 2 ? "solids: [{sphere: {center: [0.5, 0.5], radius: 0.1}}]\n" \
		  : "solids: [{sphere: {center: [0.5, 0.5, 0.5], radius: 0.1}}]\n")

static const struct blend {
	const char *name;
	double solid, air, closed;
} blends[] = {
	{"full", 0.0, 0.0, 0.0},	   {"partly open", 0.0, 0.0, 0.2},
	{"mostly liquid", 0.05, 0.1, 0.1}, {"pockets", 0.4, 0.05, 0.2},
	{"half air", 0.1, 0.5, 0.1},
};
#define BLENDS (sizeof(blends) / sizeof(blends[0]))

/* Odd sizes: the last coarse cells stick out of the box.  A solid lets coarse cells have several
 * parts; the faces that it closes are not used. */
static inline struct fixture make(bool solid)
{
	const char *solids = solid ? MIDDLE_BALL : "";
	return DIM == 2 ? fixture_make(
				  "domain: {size: [4.7, 3.3], cells: 47, walls: {y+: open}}\n%s",
				  solids)
			: fixture_make("domain: {size: [1.3, 1.1, 0.7], cells: 13,"
				       " walls: {y+: open}}\n%s",
				       solids);
}

#endif
