/* Words of the pressure solver's state on the device (u32, floats as their bits). */
#ifndef FRESHET_MG_STATE_H
#define FRESHET_MG_STATE_H

enum mg_state {
	MG_DONE,       /* 1: nothing more to do */
	MG_ITERATIONS, /* completed */
	MG_CHECK,      /* 1: the true residual is due */
	MG_RESTART,    /* 1: the next search direction starts afresh */
	MG_STALLED,    /* 1: stopped because the residual no longer falls */
	MG_RZ,	       /* r.z */
	MG_ALPHA,
	MG_BETA,
	MG_BB,	    /* b.b, high part */
	MG_RR,	    /* recurrence r.r, high part */
	MG_TRUE_RR, /* true r.r at the last check */
	MG_SINCE_CHECK,
	MG_PEAK,    /* max |v| of the vector measured last, until that is judged */
	MG_PEAK_B,  /* max |b| */
	MG_REACHED, /* 1: the last check found the residual small enough */
	MG_CHANGES, /* walls that let go, or closed, at its end */
	MG_STATE_WORDS
};

/* A residual is nowhere more than so many times the tolerance of the greatest |b|: the norm alone
 * would let a small body of liquid go beside a large one. */
#define RESIDUAL_PEAK 10

/* What cg_scalars() makes of a finished sum. */
enum cg_scalar {
	CG_START,     /* partial = b.b, MG_PEAK = max |b|: begin */
	CG_RZ,	      /* partial = r.z: beta */
	CG_SQ,	      /* partial = s.q: alpha */
	CG_RR,	      /* partial = r.r after the update: is a check due? */
	CG_CHECKED,   /* partial = true r.r, MG_PEAK = max |r|: done? */
	CG_STATIONARY /* as CG_CHECKED, for iterations that check every time */
};

#endif
