/*
 * kernels/surface/surface.cl as plain C: where the surface of given particles lies, what it encloses, and
 * that its meshes are whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "full.h"
#include "native_surface_clouds.h"

#define PI 3.14159265358979323846

static const char *const methods[] = {"averaged", "blobs", "anisotropic"};

/* ---- flat tanks ------------------------------------------------------------------------- */

/* Tanks of jittered particles at heights all over a cell: the surface lies at the liquid's height,
 * up to the walls, and the volume is the particles'. */
static void test_tanks(void **unused)
{
	(void)unused;
	const int n = DIM == 2 ? 64 : 16;
	for (int fine = 1; fine <= 2; fine++)
		for (int method = SURFACE_AVERAGED; method <= SURFACE_ANISOTROPIC; method++) {
			double squares = 0.0, edge = 0.0, worst = 0.0, worst_volume = 0.0;
			int nodes = 0, edge_nodes = 0;
			for (int step = 0; step < 6; step++) {
				const double level = (10.0 + step / 6.0) / n, height = level * n;
				struct cloud c =
					seed(box_grid(n, 16, n, 1.0f / (float)n, 0), below, &level);
				const struct surface_grid s = cloud_lattice(&c, fine, method);
				float *phi = cloud_level(&c, s);
				double mean = 0.0;
				int columns = 0;
				for (int k = 0; k <= s.nz; k++)
					for (int i = 0; i <= s.nx; i++) {
						const double e =
							height_at(&c, s, phi, i, k) - height;
						mean += e;
						squares += e * e;
						columns++;
						if (i == 0 || i == s.nx) {
							edge += e;
							edge_nodes++;
						}
					}
				nodes += columns;
				mean /= columns;
				const double off = enclosed(s, phi) / volume_of(&c) - 1.0;
				worst = absolute(mean) > absolute(worst) ? mean : worst;
				worst_volume =
					absolute(off) > absolute(worst_volume) ? off : worst_volume;
				free(phi);
				cloud_free(&c);
			}
			const double spread = (sqrt)(squares / nodes);
			edge /= edge_nodes;
			print_message("%s, resolution %d: worst bias %+.3f h, spread %.3f h, at "
				      "walls %+.3f h, volume %+.4f\n",
				      methods[method], fine, worst, spread, edge, worst_volume);
			/* The bars of the level set of the pressure solve, bias with room for few
			 * heights. */
			assert_true(absolute(worst) <= 0.06);
			assert_true(spread <= 0.12);
			assert_true(absolute(edge) <= 0.1);
			assert_true(absolute(worst_volume) <= 0.01);
		}
}

/* ---- balls ------------------------------------------------------------------------------ */

/* Discs and balls of particles: mean place of the surface within 0.1 h, without the pattern of the
 * seeds. */
static void test_balls(void **unused)
{
	(void)unused;
	const int n = DIM == 2 ? 32 : 20;
	for (int test = 0; test < 4; test++) {
		const int fine = 1 + (test & 1);
		const int method = test < 2 ? SURFACE_AVERAGED : SURFACE_ANISOTROPIC;
		const double h = 1.0 / n, ball[4] = {0.47, 0.52, 0.49, 6.3 * h};
		struct cloud c = seed(box_grid(n, n, n, (float)h, 0), in_ball, ball);
		const struct surface_grid s = cloud_lattice(&c, fine, method);
		float *phi = cloud_level(&c, s);
		double sum = 0.0, squares = 0.0, volume;
		int count = 0;
		/* Where lattice edges cross the surface. */
		for (int axis = 0; axis < DIM; axis++)
			for (int k = 0; k <= s.nz; k++)
				for (int j = 0; j < s.ny; j++)
					for (int i = 0; i < s.nx; i++) {
						const int at = surface_index(s, i, j, k);
						const double a = (double)phi[at];
						const double b =
							(double)phi[at + surface_stride(s, axis)];
						if ((a < 0.0) == (b < 0.0))
							continue;
						double x[3] = {i, j, k}, square = 0.0;
						x[axis] += a / (a - b);
						for (int d = 0; d < DIM; d++) {
							const double off =
								x[d] * (double)s.spacing - ball[d];
							square += off * off;
						}
						const double e = ((sqrt)(square)-ball[3]) / h;
						sum += e;
						squares += e * e;
						count++;
					}
		const double mean = sum / count;
		check_mesh(s, phi, &volume);
		const double spread = (sqrt)(squares / count - mean * mean);
		print_message(
			"ball, %s, resolution %d: mean %+.3f h, spread %.3f h, volume %+.4f\n",
			methods[method], fine, mean, spread, volume / volume_of(&c) - 1.0);
		assert_true(absolute(mean) <= 0.1);
		assert_true(spread <= 0.12);
		free(phi);
		cloud_free(&c);
	}
}

/* ---- few particles ---------------------------------------------------------------------- */

/* One particle, anywhere, also on walls: it is there, and wets nodes within 0.9 h only. */
static void test_one_particle(void **unused)
{
	(void)unused;
	for (int method = SURFACE_AVERAGED; method <= SURFACE_ANISOTROPIC; method++)
		for (int n = 0; n < 200; n++) {
			const int fine = 1 + (n & 1);
			struct cloud c = {.g = box_grid(7, 6, 5, 0.5f, 0), .ppc = PPC};
			double x[3] = {3.5 * random_unit(&state), 3.0 * random_unit(&state),
				       2.5 * random_unit(&state)};
			double volume;
			if (n % 5 == 0)
				x[n % DIM] = 0.0;
			cloud_add(&c, x);
			cloud_finish(&c);
			const struct surface_grid s = cloud_lattice(&c, fine, method);
			float *phi = cloud_level(&c, s);
			int inside = 0;
			for (int k = 0; k <= s.nz; k++)
				for (int j = 0; j <= s.ny; j++)
					for (int i = 0; i <= s.nx; i++) {
						const int node[3] = {i, j, k};
						if (phi[surface_index(s, i, j, k)] >= 0.0f)
							continue;
						inside++;
						for (int a = 0; a < DIM; a++)
							assert_true(absolute((double)s.spacing *
										     node[a] -
									     x[a]) <= 0.9 * 0.5);
					}
			assert_true(inside > 0);
			check_mesh(s, phi, &volume);
			free(phi);
			cloud_free(&c);
		}
}

static void test_no_particles(void **unused)
{
	(void)unused;
	struct cloud c = {.g = box_grid(4, 5, 6, 0.1f, 0), .ppc = PPC};
	double volume;
	cloud_finish(&c);
	const struct surface_grid s = cloud_lattice(&c, 1, SURFACE_AVERAGED);
	float *phi = cloud_level(&c, s);
	for (int n = 0; n < s.count; n++)
		assert_true(phi[n] > 0.0f);
	check_mesh(s, phi, &volume);
	assert_true(volume >= 0.0 && volume <= 0.0);
	free(phi);
	cloud_free(&c);
}

/* The box full to the ceiling. */
static void test_full_box(void **unused)
{
	(void)unused;
	const double level = 10.0;
	struct cloud c = seed(box_grid(6, 7, 5, 0.25f, 0), below, &level);
	const struct surface_grid s = cloud_lattice(&c, 1, SURFACE_AVERAGED);
	float *phi = cloud_level(&c, s);
	double volume;
	for (int k = 0; k <= s.nz; k++)
		for (int j = 0; j <= s.ny; j++)
			for (int i = 0; i <= s.nx; i++)
				assert_true(phi[surface_index(s, i, j, k)] < 0.0f);
	check_mesh(s, phi, &volume);
	assert_true(absolute(volume / volume_of(&c) - 1.0) < 1e-3);
	free(phi);
	cloud_free(&c);
}

/* Sheets of two layers of particles, half a cell apart, tilted: hardly a gap, and not much thicker
 * than the grid makes them. */
static void test_sheets(void **unused)
{
	(void)unused;
	for (int test = 0; test < 4; test++) {
		const int fine = 1 + (test & 1);
		const int method = test < 2 ? SURFACE_AVERAGED : SURFACE_ANISOTROPIC;
		double gaps = 0.0, columns = 0.0, ratio = 0.0;
		const int rounds = DIM == 2 ? 24 : 4, n = DIM == 2 ? 32 : 16;
		for (int round = 0; round < rounds; round++) {
			struct cloud c = {.g = box_grid(n, 12, n, 1.0f, 0), .ppc = PPC};
			const double base = 4.0 + random_unit(&state), slope = 2.0 / n;
			for (int l = 0; l < 2; l++)
				for (int k = 0; k < (DIM == 3 ? 2 * n : 1); k++)
					for (int i = 0; i < 2 * n; i++) {
						double x[3] = {0.5 * (i + random_unit(&state)), 0.0,
							       0.5 * (k + random_unit(&state))};
						x[1] = base + slope * x[0] +
						       0.5 * (l + random_unit(&state));
						cloud_add(&c, x);
					}
			cloud_finish(&c);
			const struct surface_grid s = cloud_lattice(&c, fine, method);
			float *phi = cloud_level(&c, s);
			double volume;
			for (int k = 0; k <= s.nz; k++)
				for (int i = 0; i <= s.nx; i++) {
					gaps += height_at(&c, s, phi, i, k) < 0.0;
					columns += 1.0;
				}
			check_mesh(s, phi, &volume);
			ratio += volume / volume_of(&c) / rounds;
			free(phi);
			cloud_free(&c);
		}
		print_message(
			"sheets, %s, resolution %d: gaps %.4f, volume %.3f of the particles'\n",
			methods[method], fine, gaps / columns, ratio);
		/* At one interval per cell the ellipsoids are thinner than the lattice sees. */
		assert_true(gaps / columns <
			    (method == SURFACE_ANISOTROPIC && fine == 1 ? 0.1 : 0.01));
		assert_true(ratio > (method == SURFACE_ANISOTROPIC && fine == 1 ? 0.7 : 0.8) &&
			    ratio < 1.4);
	}
}

/* ---- solids ----------------------------------------------------------------------------- */

/* Those of a cloud's particles that are beyond a plane. */
static struct cloud beyond(const struct cloud *all, const double normal[3], double offset)
{
	struct cloud c = *all;
	c.count = 0;
	c.position = NULL;
	for (int p = 0; p < all->count; p++) {
		double x[3] = {0.0, 0.0, 0.0};
		for (int a = 0; a < DIM; a++)
			x[a] = (double)all->position[a * all->count + p];
		if (dot(normal, x) > offset)
			cloud_add(&c, x);
	}
	cloud_finish(&c);
	return c;
}

/* Water beside an oblique plane and over it: no gap on the plane, and the surface meets it at the
 * liquid's height. */
static void check_oblique_solid(int method)
{
	const int n = DIM == 2 ? 32 : 20;
	const double h = 1.0 / n, level = 0.52;
	/* Solid where 0.8 (x - 0.3) + 0.6 (y - 0.3) < 0. */
	struct shape_op op = {.kind = SHAPE_HALF_SPACE, .a = {0.3f, 0.3f, 0.5f, 0.8f, 0.6f, 0.0f}};
	const double across[3] = {0.8, 0.6, 0.0};
	struct cloud all = seed(box_grid(n, n, n, (float)h, 0), below, &level);
	struct cloud c = beyond(&all, across, 0.42);
	c.ops = &op;
	c.op_count = 1;
	const struct surface_grid s = cloud_lattice(&c, 2, method);
	float *phi = cloud_level(&c, s);
	double volume, mean = 0.0;
	int count = 0;
	for (int k = 0; k <= s.nz; k++)
		for (int j = 0; j <= s.ny; j++)
			for (int i = 0; i <= s.nx; i++) {
				const double x = i * (double)s.spacing, y = j * (double)s.spacing;
				const double d = 0.8 * (x - 0.3) + 0.6 * (y - 0.3);
				const float value = phi[surface_index(s, i, j, k)];
				if (d < -1e-6)
					assert_true(value > 0.0f);
				/* In the liquid, right up to the plane. */
				if (d > 1e-3 * h && y < level - 0.4 * h)
					assert_true(value < 0.0f);
			}
	for (int k = 0; k <= s.nz; k++)
		for (int i = 0; i <= s.nx; i++) {
			const double height = height_at(&c, s, phi, i, k) * h;
			if (i * (double)s.spacing > 0.3 && height > 0.0) {
				mean += (height - level) / h;
				count++;
			}
		}
	check_mesh(s, phi, &volume);
	print_message("oblique solid, %s: surface %+.3f h, volume %+.4f\n", methods[method],
		      mean / count, volume / volume_of(&c) - 1.0);
	assert_true(absolute(mean / count) < 0.1);
	assert_true(absolute(volume / volume_of(&c) - 1.0) < 0.01);
	free(phi);
	cloud_free(&c);
	cloud_free(&all);
}

static void test_oblique_solid(void **unused)
{
	(void)unused;
	check_oblique_solid(SURFACE_AVERAGED);
	check_oblique_solid(SURFACE_ANISOTROPIC);
}

/* Water on one side of a plate, which may have a thickness: the surface is on the plate, wherever
 * that lies on the lattice; and level beside it. */
static void check_plate(int method, int fine, const double normal[2], double offset,
			double thickness)
{
	const int n = DIM == 2 ? 24 : 14;
	const double h = 1.0 / n, level = 0.52;
	const double across[3] = {normal[0], normal[1], 0.0};
	struct shape_op ops[3];
	struct cloud all = seed(box_grid(n, n, n, (float)h, 0), below, &level);
	struct cloud c = beyond(&all, across, offset);
	double farthest = 0.0, mean = 0.0, volume;
	/* Beside a solid that holds nodes smoothing takes some depth off those in the liquid. */
	const double bar = thickness > 0.0 ? 0.1 : 0.01;
	int count = 0, leaks = 0, astray = 0, columns = 0;
	c.ops = ops;
	c.op_count = make_slab(ops, across, offset - 0.5 * thickness, thickness);
	const struct surface_grid s = cloud_lattice(&c, fine, method);
	float *phi = cloud_level(&c, s);
	for (int k = 0; k <= s.nz; k++)
		for (int j = 0; j <= s.ny; j++)
			for (int i = 0; i < s.nx; i++) {
				const double spacing = (double)s.spacing, y = j * spacing;
				const float low = phi[surface_index(s, i, j, k)];
				const float high = phi[surface_index(s, i + 1, j, k)];
				if ((low < 0.0f) == (high < 0.0f) || y > level - h)
					continue;
				const double x = (i + (double)(low / (low - high))) * spacing;
				const double off = (normal[0] * x + normal[1] * y - offset) / h;
				/* Smoothing may wet a node behind the plate. */
				const double wet =
					normal[0] * (i + (low >= 0.0f)) * spacing + normal[1] * y;
				if (wet < offset - 0.01 * h) {
					leaks++;
					continue;
				}
				farthest = absolute(off) > farthest ? absolute(off) : farthest;
				astray += absolute(off) > bar;
				count++;
			}
	for (int k = 0; k <= s.nz; k++)
		for (int i = 0; i <= s.nx; i++) {
			const double height = height_at(&c, s, phi, i, k) * h;
			if (height > level - h) {
				mean += (height - level) / h;
				columns++;
			}
		}
	check_mesh(s, phi, &volume);
	print_message("plate of %.2f h at %.3f, %s, %d: %.3f h from it at most, level %+.3f h, "
		      "volume %+.4f\n",
		      thickness / h, offset / h, methods[method], fine, farthest, mean / columns,
		      volume / volume_of(&c) - 1.0);
	assert_true(count > 5 && columns > 5 && 50 * leaks <= count);
	/* Smoothing may dry or wet a node where plate and wall meet. */
	assert_true(farthest < 0.5 && 8 * astray <= count);
	assert_true(absolute(mean / columns) < 0.1);
	free(phi);
	cloud_free(&c);
	cloud_free(&all);
}

/* at: x of the plate, level left and right of it. */
static bool below_two(const double x[3], const double *at)
{
	return x[1] < (x[0] < at[0] ? at[1] : at[2]);
}

/* Two pools of two levels, a plate of no thickness between them: what ends on the plate takes
 * nothing from the levels beside it. */
static void check_two_pools(const double cells[3])
{
	const int n = DIM == 2 ? 24 : 14;
	const double h = 1.0 / n, at[3] = {cells[0] * h, cells[1] * h, cells[2] * h};
	const double across[3] = {1.0, 0.0, 0.0};
	struct shape_op ops[3];
	struct cloud c = seed(box_grid(n, n, n, (float)h, 0), below_two, at);
	c.ops = ops;
	c.op_count = make_slab(ops, across, at[0], 0.0);
	const struct surface_grid s = cloud_lattice(&c, 1, SURFACE_AVERAGED);
	float *phi = cloud_level(&c, s);
	cloud_meets = false;
	float *apart = cloud_level(&c, s);
	cloud_meets = true;
	int levels = 0, ends = 0;
	for (int k = 0; k <= s.nz; k++)
		for (int j = 0; j < s.ny; j++)
			for (int i = 0; i <= s.nx; i++) {
				const int low = surface_index(s, i, j, k);
				const int high = surface_index(s, i, j + 1, k);
				ends += phi[low] != apart[low];
				if ((phi[low] < 0.0f) == (phi[high] < 0.0f))
					continue;
				assert_true(phi[low] == apart[low] && phi[high] == apart[high]);
				levels++;
			}
	assert_true(levels >= 2 * (s.nz + 1) && ends > 0);
	free(phi);
	free(apart);
	cloud_free(&c);
}

static void test_plates(void **unused)
{
	(void)unused;
	static const double upright[2] = {1.0, 0.0}, oblique[2] = {0.8, 0.6};
	const double h = DIM == 2 ? 1.0 / 24.0 : 1.0 / 14.0;
	for (int part = 0; part < 4; part++)
		for (int fine = 1; fine <= 2; fine++)
			check_plate(SURFACE_AVERAGED, fine, upright, (7.0 + 0.26 * part) * h, 0.0);
	check_plate(SURFACE_ANISOTROPIC, 1, upright, 7.99 * h, 0.0);
	check_plate(SURFACE_BLOBS, 1, upright, 7.99 * h, 0.0);
	check_plate(SURFACE_AVERAGED, 1, oblique, 0.6, 0.0);
	check_plate(SURFACE_ANISOTROPIC, 2, oblique, 0.6, 0.0);
	for (int part = 0; part < 4; part++) {
		static const double cells[] = {0.3, 0.5, 0.99, 1.5};
		check_plate(SURFACE_AVERAGED, 1, upright, 7.26 * h, cells[part] * h);
		check_plate(SURFACE_AVERAGED, 1, upright, 7.51 * h, cells[part] * h);
		check_plate(SURFACE_AVERAGED, 1, upright, 7.74 * h, cells[part] * h);
		check_plate(SURFACE_AVERAGED, 1, oblique, 0.6, cells[part] * h);
	}
	check_two_pools((const double[]){8.3, 11.0, 6.95});
	check_two_pools((const double[]){8.95, 11.0, 6.1});
	check_two_pools((const double[]){7.6, 5.4, 9.5});
}

/* ---- anything --------------------------------------------------------------------------- */

/* Random sets: clumps, strays, crowds in one place, on walls; all methods and resolutions. */
static void test_random_sets(void **unused)
{
	(void)unused;
	const int sets = tests_are_full() ? 2000 : 200;
	for (int set = 0; set < sets; set++) {
		const float h = 0.125f;
		struct cloud c = {.g = box_grid(2 + (int)(7.0 * random_unit(&state)),
						2 + (int)(7.0 * random_unit(&state)),
						2 + (int)(7.0 * random_unit(&state)), h,
						(int)(64.0 * random_unit(&state))),
				  .ppc = PPC};
		const double size[3] = {(double)c.g.size_x, (double)c.g.size_y, (double)c.g.size_z};
		const int clumps = 1 + (int)(6.0 * random_unit(&state));
		for (int n = 0; n < clumps; n++) {
			const int count = (int)(60.0 * random_unit(&state));
			const double spread =
				(double)h * 4.0 * random_unit(&state) * random_unit(&state);
			double centre[3];
			for (int a = 0; a < 3; a++)
				centre[a] = size[a] * random_unit(&state);
			for (int p = 0; p < count; p++) {
				double x[3];
				for (int a = 0; a < 3; a++) {
					x[a] = centre[a] + spread * (random_unit(&state) - 0.5);
					x[a] = x[a] < 0.0		? 0.0
					       : x[a] > 0.999 * size[a] ? 0.999 * size[a]
									: x[a];
				}
				cloud_add(&c, x);
			}
		}
		cloud_finish(&c);
		const struct surface_grid s = cloud_lattice(&c, 1 + (set & 1), set / 2 % 3);
		float *phi = cloud_level(&c, s);
		double volume;
		check_mesh(s, phi, &volume);
		assert_true(c.count == 0 || volume > 0.0);
		free(phi);
		cloud_free(&c);
	}
}

/* A crowd in one place beside an edge of the box, or in a corner of it, about to leave or not. */
static void test_crowds(void **unused)
{
	(void)unused;
	const float h = 0.125f;
	for (int n = 0; n < 64; n++)
		for (int method = 0; method < 3; method++) {
			struct cloud c = {.g = box_grid(8, 8, 7, h, n), .ppc = PPC};
			const int count = 1 << n % 6;
			for (int p = 0; p < count; p++) {
				const double spread = 0.01 * random_unit(&state);
				const double x[3] = {((n & 1 ? 2.31 : 7.95) + spread) * (double)h,
						     (7.95 + spread) * (double)h,
						     ((n & 2 ? 6.73 : 3.4) + spread) * (double)h};
				cloud_add(&c, x);
			}
			cloud_finish(&c);
			const struct surface_grid s = cloud_lattice(&c, 1 + (n >> 5 & 1), method);
			float *phi = cloud_level(&c, s);
			double volume;
			check_mesh(s, phi, &volume);
			assert_true(volume > 0.0);
			free(phi);
			cloud_free(&c);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tanks),	      cmocka_unit_test(test_balls),
		cmocka_unit_test(test_one_particle),  cmocka_unit_test(test_no_particles),
		cmocka_unit_test(test_full_box),      cmocka_unit_test(test_sheets),
		cmocka_unit_test(test_oblique_solid), cmocka_unit_test(test_plates),
		cmocka_unit_test(test_random_sets),   cmocka_unit_test(test_crowds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
