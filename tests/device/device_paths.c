/*
 * The pressure solve on the path of CPUs and on that of GPUs, whose kernels do the same in other
 * pieces: the same bits, after the same number of iterations, by every solver that runs on the
 * device; in boxes of odd sizes, thin ones, with and without solids that cut coarse cells apart.
 */
#include "multigrid_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

/* Cells along the axes. */
static const int sizes[][3] = {
#if DIM == 2
	{47, 33, 1}, {67, 65, 1}, {150, 3, 1}, {1, 130, 1}, {131, 2, 1}, {90, 70, 1}, {5, 4, 1},
#else
	{13, 11, 7}, {17, 17, 15}, {40, 2, 9}, {3, 33, 21}, {35, 1, 18}, {21, 19, 22}, {2, 3, 2},
#endif
};
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

static const char *const solvers[] = {
	"pressure: mgpcg",
	"pressure: mgpcg, sweeps: 1",
	"pressure: mgpcg, sweeps: 3",
	"pressure: multigrid",
	"pressure: cg",
	"pressure: gauss-seidel",
};
#define SOLVERS (sizeof(solvers) / sizeof(solvers[0]))

/* Bits of what a solve leaves, by path. */
struct answer {
	size_t bytes;
	float *q;
	int iterations;
};
#define ANSWERS (2 * SIZES * SOLVERS * BLENDS)

static struct fixture box(const int cells[3], bool solid, const char *solver)
{
	char size[96] = "", count[64] = "", solids[160] = "";
	for (int a = 0; a < DIM; a++) {
		const char *comma = a ? ", " : "";
		snprintf(size + strlen(size), sizeof(size) - strlen(size), "%s%g", comma,
			 0.1 * cells[a]);
		snprintf(count + strlen(count), sizeof(count) - strlen(count), "%s%d", comma,
			 cells[a]);
	}
	/* Coarse cells then have room for parts. */
	if (solid)
		snprintf(solids, sizeof(solids),
			 "solids: [{sphere: {center: [%s], radius: 0.06}}]\n",
			 DIM == 2 ? "0.05, 0.05" : "0.05, 0.05, 0.05");
	return fixture_make("domain: {size: [%s], cells: [%s], walls: {y+: open}}\n%s"
			    "solver: {%s}\n",
			    size, count, solids, solver);
}

static void keep_answer(struct poisson *p, const struct solve_result *r, struct answer *answer)
{
	answer->bytes = p->solution.bytes;
	answer->iterations = r->iterations;
	answer->q = test_malloc(2 * answer->bytes);
	assert_true(clx_read(p->lattice->cl, &p->solution, 0, answer->bytes, answer->q));
	assert_true(clx_read(p->lattice->cl, &p->solution_low, 0, answer->bytes,
			     answer->q + answer->bytes / sizeof(float)));
}

static void solve_all(const char *path, struct answer answers[ANSWERS])
{
	size_t count = 0;
	uint64_t random = 11;
	void *none = NULL;
	assert_int_equal(fixture_close(&none), 0);
	assert_int_equal(setenv("FRESHET_PATH", path, 1), 0);
	assert_int_equal(fixture_open(&none), 0);
	for (size_t n = 0; n < 2 * SIZES * SOLVERS; n++) {
		const size_t size = n % SIZES, solver = n / SIZES % SOLVERS;
		struct fixture f = box(sizes[size], n >= SIZES * SOLVERS, solvers[solver]);
		struct poisson *p = &f.sim->poisson;
		const size_t lattice = (size_t)f.sim->lattice.grid.lattice;
		double *b = test_calloc(2 * lattice, sizeof(double));
		for (size_t m = 0; m < BLENDS; m++) {
			const struct blend *blend = &blends[m];
			struct reference_operator op;
			struct mixture mixture = mixture_make(&f.sim->lattice.grid, blend->solid,
							      blend->air, blend->closed, &random);
			solve_prepare(f.sim, &mixture, &op);
			solve_random(&op, b, &random);
			const struct solve_result r =
				solve_run(p, &op, b, b + lattice, 1e-5, solver < 4 ? 30 : 12);
			keep_answer(p, &r, &answers[count++]);
			reference_operator_finish(&op);
			mixture_free(&mixture);
		}
		test_free(b);
		fixture_free(&f);
	}
	assert_int_equal(count, ANSWERS);
}

static void test_paths(void **state)
{
	(void)state;
	struct answer *cpu = test_calloc(2 * ANSWERS, sizeof(*cpu)), *gpu = cpu + ANSWERS;
	const char *before = getenv("FRESHET_PATH");
	char *kept = before ? strdup(before) : NULL;
	solve_all("cpu", cpu);
	solve_all("gpu", gpu);
	assert_int_equal(kept ? setenv("FRESHET_PATH", kept, 1) : unsetenv("FRESHET_PATH"), 0);
	free(kept);
	for (size_t n = 0; n < ANSWERS; n++) {
		const size_t box = n / BLENDS;
		if (cpu[n].iterations != gpu[n].iterations ||
		    memcmp(cpu[n].q, gpu[n].q, 2 * cpu[n].bytes) != 0)
			fail_msg("%s, %d x %d x %d%s, %s: %d iterations and %d, or other bits",
				 solvers[box / SIZES % SOLVERS], sizes[box % SIZES][0],
				 sizes[box % SIZES][1], sizes[box % SIZES][2],
				 box >= SIZES * SOLVERS ? " with a solid" : "",
				 blends[n % BLENDS].name, cpu[n].iterations, gpu[n].iterations);
		test_free(cpu[n].q);
		test_free(gpu[n].q);
	}
	test_free(cpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_paths)};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
