/*
 * The operator in a later stage of the substep: returned to what it was when it was built, byte for
 * byte what building it anew gives, on all levels, with and without walls that had let go.
 */
#include "multigrid_support.h"

#include <string.h>

#include "state.h"

/* What a solve reads and writes, and how many bytes of it mean something whatever was there before:
 * of parts that a cell no longer has, what it had stays behind. */
struct array {
	const struct clx_buffer *buffer;
	size_t bytes;
};
#define ARRAYS 5
static void list_arrays(struct poisson *p, struct array arrays[ARRAYS])
{
	struct multigrid *mg = &p->mg;
	const size_t cells = (size_t)mg->total * sizeof(float);
	const size_t words = multigrid_coarse_total(mg) * (DIM == 3 ? 2 : 1) * sizeof(u32);
	const struct array all[ARRAYS] = {
		{&mg->open.raw, mg->open.bytes},   {&mg->link.raw, mg->link.bytes},
		{&mg->excess.raw, cells},	   {&mg->stencil.raw, words},
		{&mg->tally.raw, mg->tally.bytes},
	};
	memcpy(arrays, all, sizeof(all));
}

static void read_all(struct poisson *p, unsigned char *copies[ARRAYS])
{
	struct array arrays[ARRAYS];
	list_arrays(p, arrays);
	for (size_t n = 0; n < ARRAYS; n++) {
		copies[n] = test_malloc(arrays[n].bytes);
		assert_true(clx_read_raw(p->lattice->cl, arrays[n].buffer, 0, arrays[n].bytes,
					 copies[n]));
	}
}

static bool same(struct poisson *p, unsigned char *a[ARRAYS], unsigned char *b[ARRAYS],
		 const char *what, bool must)
{
	struct array arrays[ARRAYS];
	bool all = true;
	list_arrays(p, arrays);
	for (size_t n = 0; n < ARRAYS; n++) {
		const bool alike = memcmp(a[n], b[n], arrays[n].bytes) == 0;
		if (must && !alike)
			fail_msg("%s: other bytes in '%s'", what, arrays[n].buffer->name);
		all = all && alike;
	}
	return all;
}

static void free_all(unsigned char *copies[ARRAYS])
{
	for (size_t n = 0; n < ARRAYS; n++)
		test_free(copies[n]);
}

/* The solution for a random right-hand side, which parts of cells have a share in. */
static void solve_random_rhs(struct poisson *p, const struct reference_operator *op,
			     uint64_t random, double *q)
{
	const size_t lattice = (size_t)p->lattice->grid.lattice;
	double *b = test_calloc(lattice, sizeof(double));
	solve_random(op, b, &random);
	(void)solve_run(p, op, b, q, 1e-5, 20);
	test_free(b);
}

/* Lets every wall go, or closes all. */
static void set_walls(struct sim *sim, unsigned char bits)
{
	unsigned char *opened = test_malloc(sim->opened.bytes);
	memset(opened, bits, sim->opened.bytes);
	fixture_write(&sim->opened, opened, sim->opened.bytes);
	test_free(opened);
}

static void check_returned(struct sim *sim, const struct reference_operator *op, bool let_go,
			   const char *what, uint64_t random)
{
	struct poisson *p = &sim->poisson;
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	double *q = test_calloc(2 * lattice, sizeof(double)), *again = q + lattice;
	unsigned char *returned[ARRAYS], *built[ARRAYS], *without[ARRAYS];
	if (let_go) {
		set_walls(sim, 0x0f);
		assert_true(poisson_update_operator(p));
		read_all(p, without);
	}
	solve_random_rhs(p, op, random, q);
	set_walls(sim, 0);
	assert_true(poisson_return_operator(p));
	read_all(p, returned);
	solve_random_rhs(p, op, random, q);
	assert_true(poisson_build_operator(p));
	read_all(p, built);
	solve_random_rhs(p, op, random, again);
	same(p, returned, built, what, true);
	assert_memory_equal(q, again, lattice * sizeof(double));
	if (let_go) {
		assert_false(same(p, without, built, what, false));
		free_all(without);
	}
	free_all(returned);
	free_all(built);
	test_free(q);
}

static void test_returned(void **state)
{
	(void)state;
	uint64_t random = 7;
	for (size_t n = 0; n < 2 * BLENDS; n++) {
		const struct blend *blend = &blends[n % BLENDS];
		struct reference_operator op;
		struct fixture f = make(n >= BLENDS);
		struct poisson *p = &f.sim->poisson;
		struct mixture m = mixture_make(&f.sim->lattice.grid, blend->solid, blend->air,
						blend->closed, &random);
		solve_prepare(f.sim, &m, &op);
		/* Without solids there is room to keep it. */
		assert_true(p->kept || n >= BLENDS);
		for (int round = 0; round < 4; round++) {
			check_returned(f.sim, &op, round & 1, blend->name, random);
			/* As where there is no room. */
			if (round == 1)
				p->kept = false;
		}
		reference_operator_finish(&op);
		mixture_free(&m);
		fixture_free(&f);
	}
}

/* A run goes the same way whether it is kept or made anew. */
static void test_run(void **state)
{
	(void)state;
	struct fixture f[2];
	for (int kept = 0; kept < 2; kept++) {
		f[kept] = fixture_make(
			DIM == 2 ? "domain: {size: [1, 1], cells: 24}\n"
				   "liquids: [{box: {min: [0, 0], max: [0.4, 0.7]}}]\n"
				 : "domain: {size: [1, 1, 1], cells: 12}\n"
				   "liquids: [{box: {min: [0, 0, 0], max: [0.4, 0.7, 1]}}]\n");
		assert_true(f[kept].sim->poisson.kept);
		f[kept].sim->poisson.kept = kept;
	}
	for (int step = 0; step < 12; step++) {
		u64 hash[2];
		for (int kept = 0; kept < 2; kept++) {
			assert_true(sim_substep(f[kept].sim));
			assert_true(sim_hash(f[kept].sim, step, &hash[kept]));
		}
		assert_true(hash[0] == hash[1]);
	}
	for (int kept = 0; kept < 2; kept++)
		fixture_free(&f[kept]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_returned),
		cmocka_unit_test(test_run),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
