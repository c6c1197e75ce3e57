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
	MG_PEAK_B,  /* max |b| */
	MG_REACHED, /* 1: the last check found the residual small enough */
	MG_CHANGES, /* cells whose walls let go or closed, after the end */
	MG_STATE_WORDS
};

/* What groups of a launch tell each other: how many are through, and the greatest |v|. */
#define CG_MEETING_WORDS 2

/* A residual is nowhere more than so many times the tolerance of the greatest |b|: the norm alone
 * would let a small body of liquid go beside a large one. */
#define RESIDUAL_PEAK 10

/* What a sum is for. */
enum cg_scalar {
	CG_NONE,       /* other launches */
	CG_START,      /* b.b and max |b|: begin with q = 0, r = b */
	CG_START_LAST, /* the same: begin with another q, whose residual is due */
	CG_RZ,	       /* r.z: beta */
	CG_SQ,	       /* s.q: alpha */
	CG_RR,	       /* r.r after the update: is a check due? */
	CG_CHECKED,    /* true r.r and max |r|: done? */
	CG_STATIONARY  /* as CG_CHECKED, for iterations that check every time */
};

#endif
