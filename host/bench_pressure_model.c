/*
 * Bytes that the pressure solvers must move, kernel by kernel: every array that a kernel has to
 * read counted once, every one that it has to write once, neighbours from the cache, coefficients
 * included.  Per unknown of the level; D = 2 or 3.
 *
 * The coefficients of a half-sweep: the links towards both sides along every axis (half of which
 * the other colour stores) and the excess.  Follow kernels/multigrid.cl and cg.cl when they change.
 */
#include "bench_pressure.h"

#define F 4.0 /* sizeof(f32) */
/* Bytes of a link. */
#define FINEST 2.0
#define COARSE F

/* Coefficients read for the cells of one colour, and for both on level 0: there each link serves
 * twice. */
static double one_colour(int dim, double link)
{
	return 2.0 * dim * link + F;
}

static double both_colours(int dim)
{
	return dim * FINEST + F;
}

/* b, x of the neighbours; x written.  Two half-sweeps over half of the cells each. */
static double sweep_bytes(int dim, double link)
{
	return one_colour(dim, link) + 3.0 * F;
}

double bench_sweep_bytes(int dim)
{
	return sweep_bytes(dim, FINEST);
}

/* One level of a V-cycle with s sweeps before and after, transfers to the next level included. */
static double level_bytes(int dim, int sweeps, double link)
{
	const double children = dim == 3 ? 8.0 : 4.0;
	/* the first half-sweep starts from zero: no x to read */
	const double first = 0.5 * (one_colour(dim, link) + 2.0 * F) + 0.5 * sweep_bytes(dim, link);
	const double others = (2.0 * sweeps - 1.0) * sweep_bytes(dim, link);
	/* red cells: b, both x, the residual written */
	const double residual = 0.5 * (one_colour(dim, link) + 4.0 * F);
	/* the residual of red cells; coarse b written, its type */
	const double restricted = 0.5 * F + (F + 1.0) / children;
	/* red cells: coefficients (is it an unknown?), x read and written; coarse x and type */
	const double prolonged = 0.5 * (one_colour(dim, link) + 2.0 * F) + (F + 1.0) / children;
	return first + others + residual + restricted + prolonged;
}

static double cycle_bytes(int dim, int sweeps)
{
	const double children = dim == 3 ? 8.0 : 4.0;
	return level_bytes(dim, sweeps, FINEST) +
	       level_bytes(dim, sweeps, COARSE) / (children - 1.0);
}

/* b - A x in float pairs: b, x, its low part, r written; and r.r */
static double true_residual_bytes(int dim)
{
	return both_colours(dim) + 4.0 * F + F;
}

/* r.z: 2; s = z + beta s: 3; q = A s: s, q and coefficients; s.q: 2; the update reads s, q, x, its
 * low part and r and writes the last three: 8; every third time the true residual. */
static double krylov_bytes(int dim)
{
	return (2.0 + 3.0 + 2.0 + 2.0 + 8.0) * F + both_colours(dim) +
	       true_residual_bytes(dim) / 3.0;
}

/* x += z in pairs, and the true residual. */
static double correction_bytes(int dim)
{
	return 5.0 * F + true_residual_bytes(dim);
}

double bench_solver_bytes(enum scene_solver solver, int dim, int sweeps)
{
	/* z = r / diagonal */
	const double diagonal = both_colours(dim) + 2.0 * F;
	switch (solver) {
	case SOLVER_MGPCG:
		return cycle_bytes(dim, sweeps) + krylov_bytes(dim);
	case SOLVER_MULTIGRID:
		return cycle_bytes(dim, sweeps) + correction_bytes(dim);
	case SOLVER_CG:
		return diagonal + krylov_bytes(dim);
	case SOLVER_JACOBI:
		return diagonal + correction_bytes(dim);
	case SOLVER_GAUSS_SEIDEL:
		/* ten sweeps between two looks at the residual, x set to zero before them */
		return 10.0 * bench_sweep_bytes(dim) + F + correction_bytes(dim);
	default:
		return 0.0;
	}
}
