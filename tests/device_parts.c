/*
 * Coarse cells of several parts on a device, against their definition (docs/pressure.md), level by
 * level: the parts of a block are the sets of its nodes that links inside the block join, largest
 * first; links of parts are the fine links between them in series with half the inside of both.
 * The reference keeps no structure: a dense matrix of links between nodes in double.
 */
#include "solve_fixture.h"

#include <math.h>
#include <stdlib.h>

#define EPS 0x1p-24
/* As the documentation says it. */
#define MOST_PARTS 4
#define WIDER (double)1.9f
/* Nodes of a block. */
#define BLOCK (MOST_PARTS << DIM)

struct node {
	int cell[3];
	int part;
	double excess;
};

/* A level: nodes, their links, and how many there are in each cell. */
struct graph {
	const struct mg_level *level;
	size_t count, cells;
	struct node *node;
	double *link;  /* [count][count] */
	size_t *first; /* [cells]: part 1, if there is one */
	int *further;  /* [cells] */
};

static size_t cell_at(const struct mg_level *l, const int c[3])
{
	return ((size_t)c[2] * (size_t)l->ny + (size_t)c[1]) * (size_t)l->nx + (size_t)c[0];
}

static bool step(const struct mg_level *l, const int from[3], size_t axis, int by, int to[3])
{
	const int cells[3] = {l->nx, l->ny, l->nz};
	for (size_t a = 0; a < 3; a++)
		to[a] = from[a] + (a == axis ? by : 0);
	return to[axis] >= 0 && to[axis] < cells[axis];
}

/* Node of part p of a cell. */
static size_t node_of(const struct graph *g, const int cell[3], int p)
{
	const size_t at = cell_at(g->level, cell);
	return p == 0 ? at : g->first[at] + (size_t)p - 1;
}

static void graph_free(struct graph *g)
{
	test_free(g->node);
	test_free(g->link);
	test_free(g->first);
	test_free(g->further);
}

/* A level as it is on the device. */
static struct graph graph_read(const struct multigrid *mg, int n)
{
	const struct mg_level *l = &mg->levels[n];
	struct graph g = {.level = l, .cells = (size_t)l->nx * (size_t)l->ny * (size_t)l->nz};
	const size_t total = (size_t)mg->total;
	float *link = links_read(mg);
	float *excess = fixture_read(&mg->excess, mg->excess.bytes);
	float *row = fixture_read(&mg->row, mg->row.bytes);
	uint32_t *parts = fixture_read(&mg->parts, mg->parts.bytes);
	g.first = test_calloc(g.cells, sizeof(*g.first));
	g.further = test_calloc(g.cells, sizeof(*g.further));
	g.count = g.cells;
	for (int k = 0; n > 0 && k < l->nz; k++)
		for (int j = 0; j < l->ny; j++)
			for (int i = 0; i < l->nx; i++) {
				const int cell[3] = {i, j, k};
				const size_t at = cell_at(l, cell);
				const size_t entry =
					(size_t)((int)level_at(l, i, j, k) + l->coarse_shift);
				g.further[at] = (int)(parts[entry] & 3u);
				g.first[at] = g.count;
				g.count += (size_t)g.further[at];
			}
	g.node = test_calloc(g.count, sizeof(*g.node));
	g.link = test_calloc(g.count * g.count, sizeof(*g.link));
	for (int k = 0; k < l->nz; k++)
		for (int j = 0; j < l->ny; j++)
			for (int i = 0; i < l->nx; i++) {
				const int cell[3] = {i, j, k};
				const size_t at = cell_at(l, cell), place = level_at(l, i, j, k);
				const size_t entry = (size_t)((int)place + l->coarse_shift);
				for (int p = 0; p <= g.further[at]; p++) {
					const size_t self = node_of(&g, cell, p);
					const size_t extra =
						p ? ((parts[entry] & 0x3fffffffu) >> 2) +
								(size_t)p - 1
						  : 0;
					g.node[self] = (struct node){{i, j, k}, p, 0.0};
					g.node[self].excess = (double)
						excess[p ? (size_t)l->extra_offset + extra : place];
					for (size_t d = 0; d < 2 * DIM; d++) {
						int to[3];
						if (!step(l, cell, d / 2, d % 2 ? 1 : -1, to))
							continue;
						/* Links of two are in the row of the lower one. */
						const int last =
							d % 2 ? g.further[cell_at(l, to)] : 0;
						for (int t = 0; p && t <= last; t++) {
							const size_t other = node_of(&g, to, t);
							const double w = (double)
								row[((size_t)l->row_offset +
								     extra) *
									    5 * DIM +
								    (d % 2 ? d / 2 * 4 + (size_t)t
									   : 4 * DIM + d / 2)];
							g.link[self * g.count + other] = w;
							g.link[other * g.count + self] = w;
						}
						if (!p && d % 2) {
							const size_t other = node_of(&g, to, 0);
							const double w =
								(double)link[d / 2 * total + place];
							g.link[self * g.count + other] = w;
							g.link[other * g.count + self] = w;
						}
					}
				}
			}
	test_free(link);
	test_free(excess);
	test_free(row);
	test_free(parts);
	return g;
}

static bool is_unknown(const struct graph *g, size_t node)
{
	double diagonal = g->node[node].excess;
	for (size_t n = 0; n < g->count; n++)
		diagonal += g->link[node * g->count + n];
	return diagonal > 0.0;
}

/* Nodes of the block of a coarse cell, children x fastest. */
static size_t block_of(const struct graph *fine, const int cell[3], size_t nodes[BLOCK])
{
	const struct mg_level *l = fine->level;
	size_t count = 0;
	for (int q = 0; q < 1 << DIM; q++) {
		const int c[3] = {2 * cell[0] + (q & 1), 2 * cell[1] + (q >> 1 & 1),
				  2 * cell[2] + (q >> 2)};
		if (c[0] < l->nx && c[1] < l->ny && c[2] < l->nz)
			for (int p = 0; p <= fine->further[cell_at(l, c)]; p++)
				nodes[count++] = node_of(fine, c, p);
	}
	return count;
}

/* owner[fine node] = its part of its coarse cell, -1 if it is no unknown.  Returns how many parts
 * there are, the last one with all the rest. */
static int find_parts(const struct graph *fine, const int cell[3], int *owner)
{
	size_t nodes[BLOCK], sizes[BLOCK] = {0};
	int label[BLOCK], order[BLOCK], sets = 0;
	const size_t count = block_of(fine, cell, nodes);
	for (size_t n = 0; n < count; n++)
		label[n] = is_unknown(fine, nodes[n]) ? (int)n : -1;
	/* The least label spreads over links. */
	for (size_t round = 0; round < count; round++)
		for (size_t a = 0; a < count; a++)
			for (size_t b = 0; b < count; b++)
				if (fine->link[nodes[a] * fine->count + nodes[b]] > 0.0 &&
				    label[b] < label[a])
					label[a] = label[b];
	for (size_t n = 0; n < count; n++)
		if (label[n] >= 0) {
			sizes[label[n]]++;
			if (label[n] == (int)n)
				order[sets++] = (int)n;
		}
	/* Largest first, else as they come. */
	for (int i = 1; i < sets; i++)
		for (int j = i; j > 0 && sizes[order[j]] > sizes[order[j - 1]]; j--) {
			const int swap = order[j];
			order[j] = order[j - 1];
			order[j - 1] = swap;
		}
	for (size_t n = 0; n < count; n++) {
		owner[nodes[n]] = -1;
		for (int i = 0; i < sets; i++)
			if (order[i] == label[n])
				owner[nodes[n]] = i < MOST_PARTS ? i : MOST_PARTS - 1;
	}
	return sets < MOST_PARTS ? sets : MOST_PARTS;
}

/* Half the inside of part p along an axis, in units of the resistance of links of sum w. */
static double half_inside(const struct graph *fine, const int cell[3], const int *owner, int p,
			  bool several, size_t axis, double w)
{
	size_t nodes[BLOCK];
	const size_t count = block_of(fine, cell, nodes);
	bool seen[2] = {false, false};
	double inside = 0.0;
	for (size_t a = 0; a < count; a++) {
		if (owner[nodes[a]] != p)
			continue;
		const struct node *node = &fine->node[nodes[a]];
		seen[node->cell[axis] % 2] = true;
		/* All its links upwards: nodes of a block that have a link are of one part. */
		for (size_t b = 0; b < count; b++)
			if (fine->node[nodes[b]].cell[axis] > node->cell[axis])
				inside += fine->link[nodes[a] * fine->count + nodes[b]];
	}
	if (!several && !(seen[0] && seen[1]))
		return 0.0;
	return inside > WIDER * w ? 0.5 * w / inside : 0.5;
}

/* Is a part a single layer along some axis that has several? */
static bool single_layer(const struct graph *fine, const int cell[3], const int *owner, int p)
{
	const int cells[3] = {fine->level->nx, fine->level->ny, fine->level->nz};
	size_t nodes[BLOCK];
	const size_t count = block_of(fine, cell, nodes);
	for (size_t axis = 0; axis < DIM; axis++) {
		bool seen[2] = {false, false};
		for (size_t n = 0; n < count; n++)
			if (owner[nodes[n]] == p)
				seen[fine->node[nodes[n]].cell[axis] % 2] = true;
		if (cells[axis] > 1 && !(seen[0] && seen[1]))
			return true;
	}
	return false;
}

static void expect_near(const char *what, int level, double value, double expected)
{
	/* A sum of at most BLOCK links, a quotient, a product. */
	if (!(fabs(value - expected) <= 4.0 * BLOCK * EPS * expected))
		fail_msg("level %d, %s: %.9g, not %.9g", level, what, value, expected);
}

/* Links of coarse nodes that hold fine ones: sums, then in series. */
static void check_links(const struct graph *fine, const struct graph *coarse, const int *owner,
			int level)
{
	double *sum = test_calloc(coarse->count * coarse->count, sizeof(double));
	size_t *to = test_calloc(fine->count, sizeof(*to));
	for (size_t n = 0; n < fine->count; n++) {
		const int *c = fine->node[n].cell, cell[3] = {c[0] / 2, c[1] / 2, c[2] / 2};
		if (owner[n] >= 0)
			to[n] = node_of(coarse, cell, owner[n]);
	}
	for (size_t a = 0; a < fine->count; a++)
		for (size_t b = 0; b < fine->count; b++)
			if (owner[a] >= 0 && owner[b] >= 0)
				sum[to[a] * coarse->count + to[b]] +=
					fine->link[a * fine->count + b];
	for (size_t a = 0; a < coarse->count; a++)
		for (size_t b = 0; b < coarse->count; b++) {
			const struct node *x = &coarse->node[a], *y = &coarse->node[b];
			const double w = sum[a * coarse->count + b];
			const bool same =
				cell_at(coarse->level, x->cell) == cell_at(coarse->level, y->cell);
			size_t axis = 0;
			if (same)
				continue;
			while (axis < DIM - 1 && x->cell[axis] == y->cell[axis])
				axis++;
			const bool split[2] = {coarse->further[cell_at(coarse->level, x->cell)] > 0,
					       coarse->further[cell_at(coarse->level, y->cell)] >
						       0};
			const double distance =
				w > 0.0 ? 1.0 +
						  half_inside(fine, x->cell, owner, x->part,
							      split[0], axis, w) +
						  half_inside(fine, y->cell, owner, y->part,
							      split[1], axis, w)
					: 1.0;
			const double link = coarse->link[a * coarse->count + b];
			expect_near("link", level, link, w / distance);
			/* Conjugate gradients need a symmetric operator: to the last bit. */
			assert_true(link == coarse->link[b * coarse->count + a]);
		}
	test_free(sum);
	test_free(to);
}

/* Without room for them all parts become one. */
static size_t merge(const struct graph *fine, const int cell[3], int *owner, int further)
{
	size_t nodes[BLOCK];
	const size_t count = block_of(fine, cell, nodes);
	for (size_t n = 0; n < count; n++)
		if (owner[nodes[n]] > 0)
			owner[nodes[n]] = 0;
	return (size_t)further;
}

/* Level n of the device from its level n - 1.  Returns how many further parts it has; adds those
 * that found no room. */
static size_t check_level(const struct multigrid *mg, int n, size_t *merged)
{
	struct graph fine = graph_read(mg, n - 1), coarse = graph_read(mg, n);
	int *owner = test_calloc(fine.count, sizeof(*owner));
	const size_t extras = coarse.count - coarse.cells;
	for (size_t c = 0; c < coarse.cells; c++) {
		const int *cell = coarse.node[c].cell;
		const int found = find_parts(&fine, cell, owner);
		const int further = found > 1 ? found - 1 : 0;
		if (further > 0 && coarse.further[c] == 0)
			*merged += merge(&fine, cell, owner, further);
		else
			assert_int_equal(coarse.further[c], further);
	}
	for (size_t c = 0; c < coarse.count; c++) {
		const struct node *node = &coarse.node[c];
		size_t nodes[BLOCK];
		const size_t count = block_of(&fine, node->cell, nodes);
		double ties = 0.0;
		for (size_t i = 0; i < count; i++)
			if (owner[nodes[i]] == node->part)
				ties += fine.node[nodes[i]].excess;
		expect_near("tie", n, node->excess,
			    single_layer(&fine, node->cell, owner, node->part) ? ties : 0.5 * ties);
	}
	check_links(&fine, &coarse, owner, n);
	test_free(owner);
	graph_free(&fine);
	graph_free(&coarse);
	return extras;
}

static void test_operators(void **state)
{
	static const struct {
		const char *name;
		double solid, air, closed;
	} blends[] = {{"thin walls", 0.0, 0.1, 0.3},
		      {"pockets", 0.4, 0.05, 0.2},
		      {"a maze", 0.0, 0.0, 0.45}};
	(void)state;
	uint64_t random = 6;
	for (size_t b = 0; b < sizeof(blends) / sizeof(blends[0]); b++) {
		struct reference_operator op;
		/* Odd sizes; the solid makes room for parts, its faces are not used. */
		struct fixture f =
			DIM == 2
				? fixture_make(
					  "domain: {size: [2.3, 1.7], cells: 46, walls: {y+: "
					  "open}}\n"
					  "solids: [{sphere: {center: [0.5, 0.5], radius: 0.1}}]\n")
				: fixture_make("domain: {size: [0.9, 1.1, 0.7], cells: 9,"
					       " walls: {y+: open}}\n"
					       "solids: [{sphere: {center: [0.5, 0.5, 0.5], "
					       "radius: 0.1}}]\n");
		struct multigrid *mg = &f.sim->solver->mg;
		struct mixture m = mixture_make(&f.sim->grid, blends[b].solid, blends[b].air,
						blends[b].closed, &random);
		solve_prepare(f.sim, &m, &op);
		size_t extras = 0, merged = 0;
		bool many = false;
		for (int n = 1; n < mg->count; n++) {
			const struct mg_level *l = &mg->levels[n];
			const size_t before = merged;
			const size_t found = check_level(mg, n, &merged);
			const double longest = fmax(fmax(l->nx, l->ny), l->nz);
			const double face = (double)l->nx * l->ny * l->nz / longest;
			many |= n <= 3 && longest >= 8.0 &&
				(double)(found + merged - before) > face;
			extras += found;
		}
		print_message("%s: %zu further parts, %zu without room\n", blends[b].name, extras,
			      merged);
		assert_true(extras > 10);
		/* The count that is reported. */
		assert_int_equal(mg->further, extras + merged);
		assert_int_equal(mg->merged, merged);
		/* The first grid in 2D, the maze, has more than fit. */
		assert_int_equal(merged > 0, DIM == 2 && blends[b].closed > 0.4);
		/* Three levels are looked at; a plate makes a face of the box of parts. */
		assert_int_equal(mg->twice, many);
		reference_operator_finish(&op);
		mixture_free(&m);
		fixture_free(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_operators)};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
