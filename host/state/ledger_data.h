/*
 * The ledger: every particle, what becomes of energy and momentum, what the drift correction moves.
 *
 * Particles are counted exactly: created = alive + removed, and so are their ids, by two sums of
 * 32-bit hashes each.  Nothing that the simulation reads is touched.  docs/method.md, "Ledger".
 */
#ifndef FRESHET_LEDGER_DATA_H
#define FRESHET_LEDGER_DATA_H

#include <stdbool.h>

#include "shared.h"

/* Sums over particles, SI, per metre of depth in 2D. */
struct ledger_sums {
	double kinetic;	    /* J */
	double position[3]; /* sum of m x, kg m */
	double momentum[3]; /* kg m/s */
};

/* What a substep did, or a run so far. */
struct ledger_flow {
	double gravity_work;	/* J, dt g . (momentum before + after)/2 */
	double kinetic_removed; /* J, left with removed particles */
	double kinetic_rest;	/* J, change of the kinetic energy that the others leave */
	double potential_rest;	/* J, change of -sum m g.x that the work of gravity leaves */
	double gravity[3];	/* kg m/s, impulse M g dt */
	double walls[3];	/* kg m/s, impulse of walls and solids on the liquid */
	double momentum_removed[3];
	double momentum_rest[3];
	double swelled, shrunk; /* m^2, m^3: what drift `position` asked for, each > 0 */
	/* What inflows brought; last, as checkpoints before format 4 have none. */
	double kinetic_entered, momentum_entered[3];
	/* Of force fields, J and kg m/s; none in checkpoints before format 5. */
	double force_work, force[3];
	/* J, of solids that move on the liquid; m^2, m^3, what sealed liquid could not give way by.
	 * None in checkpoints before format 6. */
	double solid_work, squeezed;
	/* Of friction, J and kg m/s on the liquid; none in checkpoints before format 7. */
	double friction_work, friction[3];
};

/* Only doubles, so that checkpoints can hold it as an array. */
struct ledger_accounts {
	struct ledger_sums start, now;
	struct ledger_flow total;
};
#define LEDGER_NUMBERS (sizeof(struct ledger_accounts) / sizeof(double))
#define LEDGER_NUMBERS_6 (LEDGER_NUMBERS - 4)	 /* without friction */
#define LEDGER_NUMBERS_5 (LEDGER_NUMBERS - 6)	 /* and without solids */
#define LEDGER_NUMBERS_4 (LEDGER_NUMBERS - 10)	 /* and without force fields */
#define LEDGER_NUMBERS_OLD (LEDGER_NUMBERS - 14) /* and without what came in */

struct ledger {
	u32 seeded, loaded, entered;		/* particles created, by cause */
	u32 entered_outflows, entered_emitters; /* of those that came in; the rest by inflows */
	u32 created_ids[2];			/* hash sums of theirs */
	struct ledger_accounts accounts;
	u32 missed[DRAINS_MOST];    /* particles that were due in a drain with a rate, not there */
	u32 imbalances;		    /* states after which particles or volume did not add up */
	i32 bad_frame, bad_substep; /* of the first */
	bool strict;		    /* an imbalance is an error: debug builds */
};

#endif
