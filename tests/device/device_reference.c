/*
 * The kernels for GPUs and CPUs on a device against the plain forms of kernels/ as C: the same
 * bits, launch by launch, in substeps of a splash on every splat path.
 */
#include "stage_fixture.h"

#include <string.h>

#include "native/native_kernels.h"

/* ---- launches, before `global` is a word of OpenCL C ---------------------------------------- */

static const struct clx_arg *argument(const struct clx_launch_info *launch, const char *name)
{
	const struct native_kernel *native = native_kernel(DIM, launch->kernel);
	for (size_t n = 0; n < native->count; n++)
		if (strcmp(native->arguments[n].name, name) == 0)
			return &launch->args[n];
	fail_msg("%s has no %s", kernel_names[launch->kernel], name);
	return NULL;
}

static void get_value(const struct clx_launch_info *launch, const char *name, void *value)
{
	const struct clx_arg *arg = argument(launch, name);
	memcpy(value, arg->value, arg->size);
}

static i32 get_int(const struct clx_launch_info *launch, const char *name)
{
	i32 value;
	get_value(launch, name, &value);
	return value;
}

static f32 get_float(const struct clx_launch_info *launch, const char *name)
{
	f32 value;
	get_value(launch, name, &value);
	return value;
}

/* What a buffer holds; free with test_free(). */
static void *get_array(const struct clx_launch_info *launch, const char *name, size_t *bytes)
{
	struct clx_buffer buffer;
	assert_true(clx_argument_buffer(fixture_device, argument(launch, name), &buffer));
	const size_t size = buffer.mem ? buffer.bytes : 0; /* one that is not used may be none */
	void *data = test_malloc(size + 1);
	assert_true(size == 0 || clx_read_raw(fixture_device, &buffer, 0, size, data));
	if (bytes)
		*bytes = size;
	return data;
}

/* Compares with what a buffer holds, then frees the expected array. */
static void check_array(const struct clx_launch_info *launch, const char *name, void *expected)
{
	size_t bytes, n = 0;
	unsigned char *got = get_array(launch, name, &bytes);
	while (n < bytes && got[n] == ((const unsigned char *)expected)[n])
		n++;
	if (n < bytes)
		fail_msg("%s: byte %zu of %zu of %s differs", kernel_names[launch->kernel], n,
			 bytes, name);
	test_free(got);
	test_free(expected);
}

#define FRESHET_NATIVE
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-variable"
#include "native.h"
/* Of this file alone: some ask for the work-item, which is static. */
#undef ALWAYS_INLINE
#define ALWAYS_INLINE static inline __attribute__((unused))

#include "blocks.h"
#include "collide_count.h"
#include "density_reference.h"
#include "drift_reference.h"
#include "g2p_reference.h"
#include "mg_state.h"
#include "p2g_reference.h"
#include "restrict_reference.h"
#include "runge_kutta.h"

/* Launches of each kernel that are compared in one simulation. */
#define MOST 3

struct check {
	struct sim *sim;
	int count[KERNEL_COUNT];
	int bits;				 /* of the last density */
	void *near;				 /* bits of the blocks of the sort */
	void *position, *velocity, *id, *affine; /* before a kernel that changes them */
	unsigned pushed;			 /* by collisions, as the reference counts them */
};

/* Keeps what a kernel is about to change, or to read for the last time. */
static void *keep(void *kept, const struct clx_launch_info *launch, const char *name)
{
	return kept ? kept : get_array(launch, name, NULL);
}

static void forget(void **kept)
{
	if (*kept)
		test_free(*kept);
	*kept = NULL;
}

/* ---- particles to grid ----------------------------------------------------------------------- */

/* Is the point's brick listed? */
static bool listed(struct check *check, int i, int j, int k)
{
	const struct bricks *b = &check->sim->lattice.bricks;
	const struct brick_layout *l = &b->layout[BRICKS_BAND];
	const int edge = DIM == 3 ? BRICK_EDGE_3D : BRICK_ROWS;
	const size_t at = (size_t)(l->first + (k / edge * l->ny + j / edge) * l->nx + i / BRICK_X);
	u32 state;
	assert_true(clx_read(fixture_device, &b->state, at * sizeof(state), sizeof(state), &state));
	return state >> 1 & 1;
}

/* Where no particle is near, sums are those of none, and not looked at: expected is what is there.
 */
static void forget_sum(struct check *check, const struct grid g, int at, const void *got,
		       void *expected, size_t size)
{
	static const long none;
	const int i = at % g.px, j = at / g.px % g.py, k = at / g.px / g.py;
	if (memcmp(expected, &none, size) != 0 || memcmp(got, &none, size) == 0)
		return;
	assert_false(blocks_hold_sums(g, check->near, i, j, k) && listed(check, i, j, k));
	memcpy(expected, got, size);
}

/* The quotient of P2G on faces that hold a value, and its sums, where a launch keeps them. */
static void check_p2g(struct check *check, const struct clx_launch_info *launch, bool keeps_sums)
{
	const struct particles *p = &check->sim->particles;
	const struct grid g = check->sim->lattice.grid;
	const int apic = check->sim->scene->transfer == TRANSFER_APIC;
	size_t bytes_w = (size_t)g.lattice * DIM * sizeof(int);
	size_t bytes_wv = (size_t)g.lattice * DIM * sizeof(long);
	struct splat_scale scale;
	get_value(launch, "scale", &scale);
	if (keeps_sums) {
		test_free(get_array(launch, "sum_w", &bytes_w));
		test_free(get_array(launch, "sum_wv", &bytes_wv));
	}
	int *sum_w = test_calloc(1, bytes_w);
	long *sum_wv = test_calloc(1, bytes_wv);
	for (int n = 0; n < (int)p->count; n++)
		p2g_reference(g, scale, check->position, check->velocity, check->affine, apic,
			      (int)p->capacity, n, sum_w, sum_wv);
	float *u = get_array(launch, "u_face", NULL);
	unsigned char *valid = get_array(launch, "valid", NULL);
	for (int c = 0; c < DIM; c++)
		for (int at = 0; at < g.lattice; at++) {
			const int face = c * g.lattice + at;
			assert_int_equal(valid[at] >> c & 1, sum_w[face] > 0);
			assert_true(u[face] == (sum_w[face] > 0 ? p2g_velocity(scale, sum_w[face],
									       sum_wv[face])
								: 0.0f));
		}
	if (keeps_sums) {
		int *got_w = get_array(launch, "sum_w", NULL);
		long *got_wv = get_array(launch, "sum_wv", NULL);
		for (int face = 0; face < DIM * g.lattice; face++) {
			const int at = face % g.lattice;
			forget_sum(check, g, at, &got_w[face], &sum_w[face], sizeof(*sum_w));
			forget_sum(check, g, at, &got_wv[face], &sum_wv[face], sizeof(*sum_wv));
		}
		test_free(got_w);
		test_free(got_wv);
		check_array(launch, "sum_w", sum_w);
		check_array(launch, "sum_wv", sum_wv);
	} else {
		test_free(sum_w);
		test_free(sum_wv);
	}
	test_free(u);
	test_free(valid);
}

/* The sums of levelset_density_* or of drift_density_*, which `launch` reads. */
static void check_density(struct check *check, const struct clx_launch_info *launch, bool is_drift)
{
	const struct particles *p = &check->sim->particles;
	const struct grid g = check->sim->lattice.grid;
	size_t bytes;
	test_free(get_array(launch, "sum", &bytes));
	uint *sum = test_calloc(1, bytes);
	const uint *id = check->id;
	for (int n = 0; n < (int)p->count; n++)
		if (!is_drift)
			density_reference(g, check->bits, check->position, (int)p->capacity, n,
					  sum);
		else if (id[n] != ID_REMOVED)
			drift_reference(g, check->bits, check->position, (int)p->capacity, n, sum);
	/* The memory behind the cells may hold anything. */
	const size_t cells = (size_t)g.lattice * sizeof(*sum);
	unsigned char *got = get_array(launch, "sum", NULL);
	memcpy((unsigned char *)sum + cells, got + cells, bytes - cells);
	for (int at = 0; at < g.lattice && !is_drift; at++)
		forget_sum(check, g, at, (uint *)(void *)got + at, sum + at, sizeof(*sum));
	test_free(got);
	check_array(launch, "sum", sum);
}

/* ---- grid to particles ----------------------------------------------------------------------- */

static void check_g2p(struct check *check, const struct clx_launch_info *launch)
{
	const struct grid g = check->sim->lattice.grid;
	const int apic = get_int(launch, "apic"), stride = get_int(launch, "stride");
	float *u = get_array(launch, "u_face", NULL), *du = get_array(launch, "delta_face", NULL);
	float *x = get_array(launch, "position", NULL);
	for (int n = 0; n < get_int(launch, "n"); n++)
		g2p_reference(g, u, du, get_float(launch, "flip"), apic, x, check->velocity,
			      check->affine, stride, n);
	check_array(launch, "velocity", check->velocity);
	check_array(launch, "affine", check->affine);
	check->velocity = check->affine = NULL;
	test_free(u);
	test_free(du);
	test_free(x);
}

/* Advection, or the move of the drift correction. */
static void check_moves(struct check *check, const struct clx_launch_info *launch, bool is_drift)
{
	const struct grid g = check->sim->lattice.grid;
	const int stride = get_int(launch, "stride");
	u32 salt, scalars[SCALAR_COUNT] = {0};
	get_value(launch, "salt", &salt);
	float *field = get_array(launch, is_drift ? "displacement" : "u_face", NULL);
	struct shape_op *ops = get_array(launch, "ops", NULL);
	const int order = is_drift ? 1 : get_int(launch, "order");
	float *points = get_array(launch, "points", NULL);
	float *phi = get_array(launch, "solid_phi", NULL);
	uint *slip = get_array(launch, "solid_slip", NULL), *id = check->id;
	const struct collide_solids solids = {ops,  get_int(launch, "op_count"),   points, phi,
					      slip, get_int(launch, "solid_count")};
	for (int n = 0; n < get_int(launch, "n"); n++) {
		float x[3] = {0.0f, 0.0f, 0.0f}, moved[3] = {0.0f, 0.0f, 0.0f};
		if (id[n] == ID_REMOVED)
			continue;
		for (int a = 0; a < DIM; a++)
			x[a] = ((float *)check->position)[a * stride + n];
		if (is_drift)
			drift_shift(g, field, get_float(launch, "limit"), x, moved);
		else
			runge_kutta(g, field, order, get_float(launch, "dt"), x, moved);
		collide_move(g, &solids, salt, x, moved, check->position, check->velocity, is_drift,
			     id, stride, n, scalars);
	}
	check->pushed += scalars[SCALAR_PUSHED];
	check_array(launch, "position", check->position);
	check_array(launch, "velocity", check->velocity);
	check_array(launch, "id", check->id);
	check->position = check->velocity = check->id = NULL;
	test_free(field);
	test_free(ops);
	test_free(points);
	test_free(phi);
	test_free(slip);
}

/* ---- restriction ----------------------------------------------------------------------------- */

static void check_restrict(const struct clx_launch_info *launch, bool red_only)
{
	struct mg_level fine, coarse;
	const int total = get_int(launch, "total");
	get_value(launch, "fine", &fine);
	get_value(launch, "coarse", &coarse);
	uint *state = get_array(launch, "state", NULL);
	uint *stencil = get_array(launch, "stencil", NULL);
	float *b = get_array(launch, "b", NULL);
	float *r = red_only ? get_array(launch, "residual", NULL) : b;
	size_t unknowns = 0;
	for (int k = 0; k < coarse.nz && !state[MG_DONE]; k++)
		for (int j = 0; j < coarse.ny; j++)
			for (int i = 0; i < coarse.nx; i++) {
				const long word = mg_stencil_at(coarse, i, j, k);
				if (!(mg_stencil_open(stencil, coarse, word) & MG_KNOWN))
					continue;
				unknowns++;
				const float expected = restrict_reference(
					fine, coarse, total, stencil, r, red_only, i, j, k);
				if (b[mg_at_cell(coarse, i, j, k)] != expected)
					fail_msg("cell (%d %d %d): %.9g, not %.9g", i, j, k,
						 (double)b[mg_at_cell(coarse, i, j, k)],
						 (double)expected);
			}
	assert_true(state[MG_DONE] || unknowns > 0);
	if (red_only)
		test_free(r);
	test_free(b);
	test_free(state);
	test_free(stencil);
}

/* ---- the observer ---------------------------------------------------------------------------- */

static bool before(void *user, const struct clx_launch_info *launch)
{
	struct check *check = user;
	if (check->count[launch->kernel] >= MOST)
		return true;
	switch (launch->kernel) {
	case K_transfer_p2g_block:
	case K_transfer_p2g_brick:
		check->position = keep(check->position, launch, "position");
		check->velocity = keep(check->velocity, launch, "velocity");
		check->affine = keep(check->affine, launch, "affine");
		break;
	case K_levelset_density_block:
	case K_levelset_density_brick:
	case K_drift_density_block:
	case K_drift_density_tile:
		if (launch->kernel == K_levelset_density_block ||
		    launch->kernel == K_levelset_density_brick)
			check->bits = get_int(launch, "bits");
		check->position = keep(check->position, launch, "position");
		if (launch->kernel == K_drift_density_block ||
		    launch->kernel == K_drift_density_tile)
			check->id = keep(check->id, launch, "id");
		break;
	case K_transfer_g2p:
	case K_transfer_g2p_lanes:
		check->velocity = keep(NULL, launch, "velocity");
		check->affine = keep(NULL, launch, "affine");
		break;
	case K_particles_advect:
	case K_particles_advect_lanes:
	case K_drift_move:
	case K_drift_move_lanes:
		check->position = keep(NULL, launch, "position");
		check->velocity = keep(NULL, launch, "velocity");
		check->id = keep(NULL, launch, "id");
		break;
	case K_transfer_normalise:
		check->near = keep(NULL, launch, "near");
		break;
	case K_levelset_phi:
	case K_drift_rhs:
		if (launch->kernel == K_levelset_phi)
			check->near = keep(NULL, launch, "near");
		/* Solids take from the sums what they cut off. */
		if (check->sim->solids.op_count == 0)
			check_density(check, launch, launch->kernel == K_drift_rhs);
		forget(&check->position);
		forget(&check->id);
		forget(&check->near);
		break;
	default:
		break;
	}
	return true;
}

static bool after(void *user, const struct clx_launch_info *launch)
{
	struct check *check = user;
	/* Kernels by blocks come once for each colour; what reads their sums counts. */
	const bool is_splat = launch->kernel == K_transfer_p2g_block ||
			      launch->kernel == K_levelset_density_block ||
			      launch->kernel == K_drift_density_block;
	if (check->count[launch->kernel] >= MOST)
		return true;
	check->count[launch->kernel] += !is_splat || check->count[launch->kernel] == 0;
	switch (launch->kernel) {
	case K_transfer_normalise:
	case K_transfer_p2g_brick:
		check_p2g(check, launch, launch->kernel == K_transfer_normalise);
		forget(&check->position);
		forget(&check->velocity);
		forget(&check->affine);
		forget(&check->near);
		break;
	case K_transfer_g2p:
	case K_transfer_g2p_lanes:
		check_g2p(check, launch);
		break;
	case K_particles_advect:
	case K_particles_advect_lanes:
	case K_drift_move:
	case K_drift_move_lanes:
		check_moves(check, launch,
			    launch->kernel == K_drift_move || launch->kernel == K_drift_move_lanes);
		break;
	case K_mg_restrict:
	case K_mg_restrict_all:
		check_restrict(launch, launch->kernel == K_mg_restrict);
		break;
	default:
		break;
	}
	return true;
}

/* ---- the runs -------------------------------------------------------------------------------- */

/* A column and a drop that fall, onto a ball if there is a solid. */
static void check_run(const char *path, const char *transfer, const char *advection,
		      const char *pressure, bool solid, int count[KERNEL_COUNT])
{
	const char *ball = DIM == 2
				   ? "solids: [{sphere: {center: [0.6, 0.2], radius: 0.12}}]\n"
				   : "solids: [{sphere: {center: [0.6, 0.2, 0.5], radius: 0.2}}]\n";
	fixture_reopen(path);
	struct fixture f =
		fixture_make("domain: {size: [%s], cells: %d, walls: {y+: open}}\n"
			     "liquid: {transfer: %s, flip_ratio: 0.9}\n"
			     "solver: {pressure: %s, advection: %s}\n"
			     "liquids: [{box: {min: [%s], max: [0.55, 0.6%s]}},"
			     " {sphere: {center: [0.75, 0.7%s], radius: 0.15}}]\n%s",
			     DIM == 2 ? "1, 1" : "1, 1, 1", DIM == 2 ? 96 : 24, transfer, pressure,
			     advection, DIM == 2 ? "0, 0" : "0, 0, 0", DIM == 2 ? "" : ", 1",
			     DIM == 2 ? "" : ", 0.5", solid ? ball : "");
	struct check check = {.sim = f.sim};
	const struct clx_observer observer = {.before = before, .after = after, .user = &check};
	clx_observe(fixture_device, &observer);
	for (int n = 0; n < MOST; n++)
		assert_true(sim_substep(f.sim));
	clx_observe(fixture_device, NULL);
	assert_true(!solid || check.pushed > 0);
	forget(&check.position);
	forget(&check.velocity);
	forget(&check.id);
	forget(&check.affine);
	forget(&check.near);
	for (int k = 0; k < KERNEL_COUNT; k++)
		count[k] += check.count[k];
	fixture_free(&f);
}

static void expect(const enum kernel_id *kernels, size_t kernel_count,
		   const int count[KERNEL_COUNT])
{
	for (size_t n = 0; n < kernel_count; n++)
		if (count[kernels[n]] == 0)
			fail_msg("%s was not launched", kernel_names[kernels[n]]);
}

static void test_blocks_and_lanes(void **state)
{
	(void)state;
	static const enum kernel_id kernels[] = {
		K_transfer_p2g_block,	  K_transfer_normalise,
		K_transfer_g2p_lanes,	  K_levelset_density_block,
		K_particles_advect_lanes, K_drift_density_block,
		K_drift_move_lanes,	  K_mg_restrict,
		K_mg_restrict_all,
	};
	int count[KERNEL_COUNT] = {0};
	check_run("block", "flip", "rk2", "multigrid", false, count);
	check_run("block", "apic", "rk3", "mgpcg", true, count);
	check_run("block", "pic", "rk4", "mgpcg", false, count);
	expect(kernels, sizeof(kernels) / sizeof(kernels[0]), count);
	fixture_reopen(NULL);
}

static void test_bricks(void **state)
{
	(void)state;
	static const enum kernel_id kernels[] = {
		K_transfer_p2g_brick, K_transfer_g2p,	    K_levelset_density_brick,
		K_particles_advect,   K_drift_density_tile, K_drift_move,
	};
	int count[KERNEL_COUNT] = {0};
	check_run("brick", "flip", "rk1", "mgpcg", true, count);
	check_run("brick", "apic", "rk2", "mgpcg", false, count);
	check_run("brick", "apic", "rk4", "mgpcg", false, count);
	expect(kernels, sizeof(kernels) / sizeof(kernels[0]), count);
	fixture_reopen(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks_and_lanes),
		cmocka_unit_test(test_bricks),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
