/*
 * The Poisson equation of the liquid, -div (open grad q) = b: its memory, operator and solution.
 * Equations: kernels/pressure/pressure.cl, kernels/pressure/cg.cl; docs/solver.md.
 *
 * Knows the lattice, the types of cells, the surface and what is open of faces, nothing else.
 */
#ifndef FRESHET_POISSON_H
#define FRESHET_POISSON_H

#include "coupling.h"
#include "fields.h"
#include "lattice.h"
#include "multigrid.h"
#include "scratch.h"
#include "solver_settings.h"

/* What is solved for: each has a place for its right-hand side, and its own expectations. */
enum poisson_purpose { POISSON_PRESSURE, POISSON_DRIFT, POISSON_PURPOSES };
/* Where a solve begins. */
enum poisson_start { POISSON_FROM_ZERO, POISSON_FROM_LAST, POISSON_STARTS };

struct poisson {
	struct lattice *lattice;		/* borrowed, as is what follows */
	const struct solver_settings *settings; /* read at every solve */
	/* What the operator is made of. */
	const union u8_buffer *cell_type;      /* u8 [L], enum cell_type */
	const union f32_buffer *phi;	       /* f32 [L], m, at cell centres, < 0 in liquid */
	const union u16_buffer *open_fraction; /* u16 [D][L] */
	const union u8_buffer *opened; /* u8 [L], bit c = closed face of component c has let go */

	struct multigrid mg;
	/* Bodies that the pressure moves; borrowed, NULL without. */
	struct coupling *coupling;
	/* u16 [L]: number of the cell's component if that has no tie to pressure 0, else
	 * SEALED_NONE. */
	union u16_buffer component;
	union u32_buffer component_sums, component_scale;
	u32 singular; /* components without a tie, of the current operator */

	union u32_buffer rows, place; /* of the lists of unknowns, while these are made */
	/* Level-0 vectors, f32 [mg.finest], m/s. */
	union f32_buffer solution;		     /* q, high part */
	union f32_buffer solution_low;		     /* q, low part */
	union f32_buffer direction;		     /* s */
	union f32_buffer place_of[POISSON_PURPOSES]; /* of b, in memory of others */
	union f32_buffer rhs;			     /* b: the place in use, not to be freed */
	enum poisson_purpose purpose;
	/* Iterations of the last solve of this purpose that began so, and the fewer of the last
	 * two: how many to enqueue before looking. */
	int last[POISSON_PURPOSES][POISSON_STARTS], expected[POISSON_PURPOSES][POISSON_STARTS];
	/* Over all solves so far, but those on the host. */
	uint64_t enqueued, needed;
	/* What the next solve enqueues before each look: it asks the state on the device whether
	 * there is a solution, and may count in MG_CHANGES.  NULL: nothing. */
	bool (*follow)(void *user);
	void *follow_user;
	bool kept; /* by the plan of the scratch: the operator outlives the stage that built it */
	bool updated;	   /* by poisson_update_operator(), since it was built */
	bool stalled;	   /* the last solve ended before its iterations were used up */
	bool parts_warned; /* of parts of coarse cells without room */
};

/* The hierarchy for lattice->grid, once the borrowed members are set.  split: walls may cut coarse
 * cells into parts.  No device is needed. */
void poisson_plan(struct poisson *p, bool split);

/* The scratch of a planned solver whose lattice's bricks are planned too; stages[purpose]: bit s =
 * stage s solves for it.  p->kept: the operator lives from the first stage that solves to the last
 * one.  The right-hand sides borrow.  Returns how many. */
#define POISSON_PARTS (20 + POISSON_PURPOSES)
size_t poisson_list_parts(struct poisson *p, const uint32_t stages[POISSON_PURPOSES],
			  struct scratch_part parts[POISSON_PARTS]);

/* Its own buffers but `component`.  Returns how many. */
#define POISSON_FIELDS 7
size_t poisson_list_fields(struct poisson *p, struct field fields[POISSON_FIELDS]);

/* Makes the small buffers of a planned solver whose scratch is there.  False after reporting; what
 * was made stays to be freed. */
bool poisson_create(struct poisson *p);
void poisson_destroy(struct poisson *p); /* accepts one that is zeroed but for `lattice` */

/* Coefficients of the operator on all levels, from phi, types, open fractions, `opened`; reads the
 * scalars. */
bool poisson_build_operator(struct poisson *p);
/* The same in two: lists of unknowns, `opened`, if given, zeroed before; and, once the scalars have
 * been read, the rest. */
bool poisson_list_unknowns(struct poisson *p, union u8_buffer *opened);
bool poisson_set_up(struct poisson *p);
/* The same after `opened` alone has changed. */
bool poisson_update_operator(struct poisson *p);
/* The same in another stage of the substep, with no wall let go, as there was none when it was
 * built: what is kept of it is not made again. */
bool poisson_return_operator(struct poisson *p);

/* Before a right-hand side is made for a solve: b at the purpose's place, zeroed, as is what the
 * solve needs of the coarse levels, after whatever else has used this memory. */
bool poisson_begin(struct poisson *p, enum poisson_purpose purpose);

/* How a solve ended.  Reaching the limit or the rounding floor is no failure; a residual that is
 * not finite or above its start is. */
struct poisson_result {
	int iterations;
	double residual; /* true, relative; NaN for a b that is not finite */
	bool reached;	 /* the tolerance, in the mean and everywhere */
	bool failed;
	bool followed; /* poisson.follow had a solution */
	u32 changes;   /* and counted so many */
};

/* cg.c, after poisson_begin(): solves A q = b to ||b - A q||_2 <= tolerance ||b||_2 and ||b - A
 * q||_max <= 10 tolerance
 * ||b||_max with the solver of the settings, from
 * q = 0 or, if warm, from the solution as it is (`pcg-ic` always from 0).  False after reporting
 * an error of the device. */
bool poisson_solve(struct poisson *p, bool warm, double tolerance, int max_iterations,
		   struct poisson_result *result);

#endif
