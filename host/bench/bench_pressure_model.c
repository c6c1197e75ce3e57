/*
 * Bytes that the pressure solvers must move, kernel by kernel: every array that a kernel has to
 * read counted once, every one that it has to write once, neighbours from the cache, coefficients
 * included.  Per unknown of the level; D = 2 or 3.
 *
 * The coefficients of a half-sweep: the links towards both sides along every axis (half of which
 * the other colour stores) and the excess.  Follow kernels/multigrid/ and pressure/cg.cl when they
 * change.
 */
#include "bench_pressure.h"

#define F 4.0 /* sizeof(f32) */
/* Bytes of a link. */
#define FINEST 2.0
#define COARSE F

/* Coefficients read for the cells of one colour, and for both: there each link serves twice. */
static double one_colour(int dim, double link)
{
	return 2.0 * dim * link + F;
}

static double both_colours(int dim, double link)
{
	return dim * link + F;
}

/* Words of a coarse cell's stencil. */
static double stencil_bytes(int dim)
{
	return dim == 3 ? 2.0 * F : F;
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

static double cells_of(const struct mg_level *level)
{
	return (double)level->nx * level->ny * level->nz;
}

/* All visits of a level by one cycle, transfers to the next level included; coarse: cells of that
 * per cell of this, 0 = there is none. */
static double level_bytes(int dim, struct multigrid_work work, double link, double coarse)
{
	/* Where x is 0 the first half-sweep does not read it. */
	const double smoothed =
		work.visits * work.sweeps * sweep_bytes(dim, link) - work.from_zero * 0.5 * F;
	/* red cells: b, both x, the residual written */
	const double residual = 0.5 * (one_colour(dim, link) + 4.0 * F);
	/* the residual of red cells; coarse b written, its stencil */
	const double restricted = 0.5 * F + coarse * (F + stencil_bytes(dim));
	/* red cells: x read and written; coarse x and stencil */
	const double prolonged = 0.5 * 2.0 * F + coarse * (F + stencil_bytes(dim));
	return smoothed + (coarse > 0.0 ? work.visits * (residual + restricted + prolonged) : 0.0);
}

/* The same of a level in two launches: on both ways coefficients and b; down the red x written, and
 * coarse b, its stencil read; up the red x read, coarse x and stencil, and x written. */
static double tile_bytes(int dim, double link, double coarse)
{
	const double each =
		both_colours(dim, link) + F + 0.5 * F + coarse * (F + stencil_bytes(dim));
	return 2.0 * each + F;
}

/* All cycles of small levels are one launch, which keeps x and residuals in local memory: the
 * coefficients, and of the first level b read and x written. */
static double small_bytes(int dim, double link, double coarse, bool first)
{
	return both_colours(dim, link) + coarse * stencil_bytes(dim) + (first ? 2.0 * F : 0.0);
}

/* Coarser levels have as many unknowns per cell as the finest one. */
static double cycle_bytes(const struct multigrid *mg)
{
	const int first = multigrid_first_of_group(mg);
	const bool small = multigrid_small_by_tiles(mg, first);
	double sum = 0.0;
	for (int n = 0; n <= multigrid_last(mg); n++) {
		const double cells = cells_of(&mg->levels[n]);
		const double coarse =
			n < multigrid_last(mg) ? cells_of(&mg->levels[n + 1]) / cells : 0.0;
		const double link = n == 0 ? FINEST : COARSE;
		const struct multigrid_work work = multigrid_work(mg, n);
		double bytes;
		if (n >= first && small)
			bytes = small_bytes(mg->dim, link, coarse, n == first);
		else if (n < first && work.visits == 1 && multigrid_by_tiles(mg, n))
			bytes = tile_bytes(mg->dim, link, coarse);
		else
			bytes = level_bytes(mg->dim, work, link, coarse);
		sum += cells / cells_of(&mg->levels[0]) * bytes;
	}
	return sum;
}

/* b - A x in float pairs: b, x, its low part, r written; and r.r, where that is a launch of its
 * own. by_chunks: on the path of GPUs products come with their sums. */
static double true_residual_bytes(int dim, bool by_chunks)
{
	return both_colours(dim, FINEST) + 4.0 * F + (by_chunks ? 0.0 : F);
}

/* r.z: 2; s = z + beta s: 3; q = A s: s, q and coefficients; s.q: 2, or none; the update reads s,
 * q, x, its low part and r and writes the last three: 8; every third time the true residual. */
static double krylov_bytes(int dim, bool by_chunks)
{
	return (2.0 + 3.0 + 2.0 + (by_chunks ? 0.0 : 2.0) + 8.0) * F + both_colours(dim, FINEST) +
	       true_residual_bytes(dim, by_chunks) / 3.0;
}

/* x += z in pairs, and the true residual. */
static double correction_bytes(int dim, bool by_chunks)
{
	return 5.0 * F + true_residual_bytes(dim, by_chunks);
}

double bench_solver_bytes(enum scene_solver solver, const struct multigrid *mg)
{
	const int dim = mg->dim;
	const bool by_chunks = mg->tiles;
	/* z = r / diagonal */
	const double diagonal = both_colours(dim, FINEST) + 2.0 * F;
	switch (solver) {
	case SOLVER_MGPCG:
		return cycle_bytes(mg) + krylov_bytes(dim, by_chunks);
	case SOLVER_MULTIGRID:
		return cycle_bytes(mg) + correction_bytes(dim, by_chunks);
	case SOLVER_CG:
		return diagonal + krylov_bytes(dim, by_chunks);
	case SOLVER_JACOBI:
		return diagonal + correction_bytes(dim, by_chunks);
	case SOLVER_GAUSS_SEIDEL:
		/* ten sweeps between two looks at the residual, x set to zero before them */
		return 10.0 * bench_sweep_bytes(dim) + F + correction_bytes(dim, by_chunks);
	default:
		return 0.0;
	}
}
