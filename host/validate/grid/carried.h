/* Shapes of liquid on the grid in given flows that bring them back. */
#ifndef FRESHET_CARRIED_H
#define FRESHET_CARRIED_H

#include "trial.h"

/* u = d/dy, v = -d/dx of a stream function of the unit box, times cos(pi t / reversal); 0: steady.
 */
struct carried_flow {
	const char *scene;
	double (*stream)(double x, double y);
	double reversal, end; /* s */
	double speed;	      /* greatest component, m/s */
};
extern const struct carried_flow carried_turn, carried_vortex;

struct carried {
	double error;  /* E1 = integral |C - C before|, m^2 */
	double volume; /* at the end / before - 1 */
	double units;  /* the same in units of C, end less before */
};

/* Carries the scene's liquid through a flow with `cells` across, so that the greatest component
 * goes `courant` of a cell in a step; sets: overrides, one a line.  False after reporting. */
bool carried_run(struct validate *v, const struct carried_flow *flow, int cells, double courant,
		 const char *sets, struct carried *result);

#endif
