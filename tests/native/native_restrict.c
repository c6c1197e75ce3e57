/*
 * kernels/multigrid/restrict_reference.h as plain C, 2D and 3D: weights of a fine cell add up to 1,
 * and mg_restrict_plain() gives the same bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "multigrid.h"

#include "cl_native.h"
/* Of this file alone: some ask for the work-item, which is static. */
#undef ALWAYS_INLINE
#define ALWAYS_INLINE static inline __attribute__((unused))

#include "mg_transfer.h"
#include "restrict_reference.h"

#include "native_support.h"

/* Odd, so that the last coarse cells stick out of the box. */
#define CELLS (DIM == 2 ? 29 : 13)

/* Openings in sixteenths: walls, all open, between. */
static uint random_stencil(unsigned *state, uint *rest)
{
	uint open = MG_KNOWN;
	for (int side = 0; side < 2 * DIM; side++) {
		const double kind = random_unit(state);
		const uint f = kind < 0.25  ? 0u
			       : kind < 0.5 ? 16u
					    : (uint)(17.0 * random_unit(state));
		open |= f << MG_OPEN_BITS * side;
	}
	*rest = 0;
	for (int n = 0; n < MG_DIAGONALS; n++)
		*rest |= (random_unit(state) < 0.2 ? 1u : 0u) << n;
	return open;
}

/* What a fine cell gives to its corners: all of its residual, and exactly that, if none is air. */
static void test_weights(void **state)
{
	(void)state;
	unsigned random = 1;
	for (int n = 0; n < 1000; n++) {
		uint rest;
		const uint open = random_stencil(&random, &rest);
		for (int child = 0; child < 1 << DIM; child++) {
			double sum = (double)restrict_weight_own(open, rest, child);
			for (int corner = 1; corner < 1 << DIM; corner++) {
				const float weight = restrict_weight(open, child, corner);
				assert_true(weight >= 0.0f);
				if (!mg_stencil_is_solid(rest, child, corner))
					sum += (double)weight;
			}
			assert_true(sum == 1.0);
		}
	}
}

/* In open water: 3/4 and 1/4 along each axis. */
static void test_open_water(void **state)
{
	(void)state;
	uint open = MG_KNOWN;
	for (int side = 0; side < 2 * DIM; side++)
		open |= 16u << MG_OPEN_BITS * side;
	for (int corner = 0; corner < 1 << DIM; corner++) {
		float expected = 1.0f;
		for (int a = 0; a < DIM; a++)
			expected *= corner >> a & 1 ? 0.25f : 0.75f;
		assert_true(restrict_weight(open, 0, corner) == expected);
	}
}

/* Random words and residuals on a level of the hierarchy and the next. */
static void check_level(const struct multigrid *mg, int level, bool red_only, unsigned *random)
{
	const struct mg_level fine = mg->levels[level - 1], coarse = mg->levels[level];
	const size_t total = (size_t)mg->total;
	uint32_t *stencil = test_calloc(multigrid_stencil_words(mg, DIM), sizeof(*stencil));
	float *residual = test_calloc(total, sizeof(*residual));
	for (int k = 0; k < fine.nz; k++)
		for (int j = 0; j < fine.ny; j++)
			for (int i = 0; i < fine.nx; i++) {
				const bool red = ((i + j + k) & 1) == 0;
				const int at = mg_at_cell(fine, i, j, k);
				if (red || !red_only)
					residual[at - (red_only ? fine.offset >> 1 : 0)] =
						(float)(random_unit(random) - 0.5);
			}
	for (int k = 0; k < coarse.nz; k++)
		for (int j = 0; j < coarse.ny; j++)
			for (int i = 0; i < coarse.nx; i++) {
				uint rest;
				const uint open = random_stencil(random, &rest);
				if (random_unit(random) < 0.8)
					mg_stencil_store(stencil, coarse, mg->total,
							 mg_stencil_at(coarse, i, j, k), open,
							 rest);
			}
	size_t unknowns = 0;
	for (int k = 0; k < coarse.nz; k++)
		for (int j = 0; j < coarse.ny; j++)
			for (int i = 0; i < coarse.nx; i++) {
				const float plain =
					mg_restrict_plain(fine, coarse, mg->total, stencil,
							  residual, red_only, i, j, k);
				const float reference =
					restrict_reference(fine, coarse, mg->total, stencil,
							   residual, red_only, i, j, k);
				unknowns += reference != 0.0f;
				if (memcmp(&plain, &reference, sizeof(plain)) != 0)
					fail_msg("level %d, cell (%d %d %d): %.9g, not %.9g", level,
						 i, j, k, (double)plain, (double)reference);
			}
	assert_true(unknowns > 20);
	test_free(stencil);
	test_free(residual);
}

static void test_same_bits(void **state)
{
	(void)state;
	unsigned random = 2;
	struct multigrid mg = {0};
	const struct grid grid = make_grid(CELLS, 0);
	multigrid_plan(&mg, &grid, DIM, 1, false);
	for (int n = 0; n < 20; n++)
		for (int level = 1; level <= 2; level++) {
			check_level(&mg, level, true, &random);
			check_level(&mg, level, false, &random);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_weights),
		cmocka_unit_test(test_open_water),
		cmocka_unit_test(test_same_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
