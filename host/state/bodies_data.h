/* Bodies: solids that liquid and contacts move. */
#ifndef FRESHET_BODIES_DATA_H
#define FRESHET_BODIES_DATA_H

#include "body.h"
#include "contacts.h"
#include "coupling.h"

/* Velocities of a body: m/s along the axes, rad/s about them. */
#define BODY_VELOCITIES 6

/* Impulses on a body and their moments about its centre: N s, N m s (2D: per metre). */
struct body_account {
	double liquid[BODY_VELOCITIES], contact[BODY_VELOCITIES];
};
#define BODY_ACCOUNT_NUMBERS (2 * BODY_VELOCITIES)

struct bodies {
	size_t count;
	size_t first;	   /* the first one's place in the scene's solids, behind all others */
	struct body *now;  /* [count]: the state, at the start of the substep under way */
	struct body *next; /* [count]: at its end */
	/* [count][BODY_VELOCITIES], of the substep under way: before the pressure; with it, as
	 * faces have been told. */
	double *before, *told;
	/* [count][BODY_VELOCITIES], N s and N m s about the centre: of the liquid in the substep.
	 */
	double *impulse;
	double *lift; /* the same, of what is known of the pressure before it is solved for */
	struct coupling coupling;
	struct contacts contacts;
	double *apart; /* as `before`, but for contacts */
	int rounds;    /* of contacts in the substep */
	bool again;    /* they want the pressure to be solved for again */
	/* Since the last frame: [count], and how long, s. */
	struct body_account *accounts;
	double seconds;
};

#endif
