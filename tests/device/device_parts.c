/*
 * Coarse cells of several parts on a device, against their definition (docs/solver.md), level by
 * level: the parts of a block are the sets of its nodes that links inside the block join, but for
 * holes in walls, largest first; links of parts are the fine links between them in series with half
 * the inside of both. The reference keeps no structure: a dense matrix of links between nodes in
 * double.
 */
#include "parts_graph.h"

#include <math.h>
#include <stdlib.h>

#define EPS 0x1p-24
/* As the documentation says it. */
#define WIDER (double)1.9f
#define HOLE 5.0
#define LEAST_HOLE 0.5

/* The least label spreads over links, unless along `axis`. */
static void spread(const struct graph *fine, const size_t nodes[BLOCK], size_t count,
		   bool joined[BLOCK][BLOCK], size_t axis, int label[BLOCK])
{
	for (size_t n = 0; n < count; n++)
		label[n] = is_unknown(fine, nodes[n]) ? (int)n : -1;
	for (size_t round = 0; round < count; round++)
		for (size_t a = 0; a < count; a++)
			for (size_t b = 0; b < count; b++)
				if (joined[a][b] && label[b] < label[a] &&
				    (axis == DIM || fine->node[nodes[a]].cell[axis] ==
							    fine->node[nodes[b]].cell[axis]))
					label[a] = label[b];
}

/* Links of a node at right angles to an axis. */
static double across(const struct graph *fine, size_t node, size_t axis)
{
	double sum = 0.0;
	for (size_t n = 0; n < fine->count; n++)
		if (fine->node[n].cell[axis] == fine->node[node].cell[axis])
			sum += fine->link[node * fine->count + n];
	return sum;
}

/* The node beyond `node`, up or down an axis, over the strongest link; fine->count: none. */
static size_t beyond(const struct graph *fine, size_t node, size_t axis, int by)
{
	size_t best = fine->count;
	double most = 0.0;
	for (size_t n = 0; n < fine->count; n++)
		if (fine->node[n].cell[axis] == fine->node[node].cell[axis] + by &&
		    fine->link[node * fine->count + n] > most) {
			most = fine->link[node * fine->count + n];
			best = n;
		}
	return best;
}

/* Has a node of the lower layer no link to the upper one? */
static bool layers_parted(const struct graph *fine, const size_t nodes[BLOCK], size_t count,
			  bool joined[BLOCK][BLOCK], size_t axis)
{
	for (size_t a = 0; a < count; a++) {
		bool linked = fine->node[nodes[a]].cell[axis] % 2 > 0;
		for (size_t b = 0; b < count; b++)
			linked |= joined[a][b] && fine->node[nodes[b]].cell[axis] % 2 > 0;
		if (!linked && is_unknown(fine, nodes[a]))
			return true;
	}
	return false;
}

/* Where the two layers of a block hang together by a hole: links between a set of nodes that links
 * inside the one layer join and one of the other, whose sum is a fifth of half of either set's
 * links at right angles, and half a face at least.  One that leads nowhere on both sides stays. */
static void cut_holes(const struct graph *fine, const size_t nodes[BLOCK], size_t count,
		      bool joined[BLOCK][BLOCK])
{
	bool cut[BLOCK][BLOCK] = {{false}};
	for (size_t axis = 0; axis < DIM; axis++) {
		int label[BLOCK];
		double inside[BLOCK] = {0.0}, sum[BLOCK][BLOCK] = {{0.0}};
		bool stays[BLOCK][BLOCK] = {{false}};
		spread(fine, nodes, count, joined, axis, label);
		if (!layers_parted(fine, nodes, count, joined, axis))
			continue;
		for (size_t a = 0; a < count; a++) {
			if (label[a] < 0)
				continue;
			inside[label[a]] += across(fine, nodes[a], axis);
			for (size_t b = 0; b < count; b++) {
				if (!joined[a][b] || fine->node[nodes[b]].cell[axis] !=
							     fine->node[nodes[a]].cell[axis] + 1)
					continue;
				sum[label[a]][label[b]] +=
					fine->link[nodes[a] * fine->count + nodes[b]];
				stays[label[a]][label[b]] |=
					beyond(fine, nodes[b], axis, 1) == fine->count &&
					beyond(fine, nodes[a], axis, -1) == fine->count;
			}
		}
		for (size_t a = 0; a < count; a++)
			for (size_t b = 0; b < count; b++) {
				if (!joined[a][b] || fine->node[nodes[b]].cell[axis] !=
							     fine->node[nodes[a]].cell[axis] + 1)
					continue;
				const double w = sum[label[a]][label[b]];
				cut[a][b] |= !stays[label[a]][label[b]] && w >= LEAST_HOLE &&
					     inside[label[a]] >= 2.0 * HOLE * w &&
					     inside[label[b]] >= 2.0 * HOLE * w;
			}
	}
	for (size_t a = 0; a < count; a++)
		for (size_t b = 0; b < count; b++)
			joined[a][b] &= !cut[a][b] && !cut[b][a];
}

/* owner[fine node] = its part of its coarse cell, -1 if it is no unknown.  Returns how many parts
 * there are, the last one with all the rest. */
static int find_parts(const struct graph *fine, const int cell[3], int *owner)
{
	size_t nodes[BLOCK], sizes[BLOCK] = {0};
	int label[BLOCK], order[BLOCK], sets = 0;
	bool joined[BLOCK][BLOCK];
	const size_t count = block_of(fine, cell, nodes);
	for (size_t a = 0; a < count; a++)
		for (size_t b = 0; b < count; b++)
			joined[a][b] = fine->link[nodes[a] * fine->count + nodes[b]] > 0.0;
	cut_holes(fine, nodes, count, joined);
	spread(fine, nodes, count, joined, DIM, label);
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
				owner[nodes[n]] = i < (int)MOST_PARTS ? i : (int)MOST_PARTS - 1;
	}
	return sets < (int)MOST_PARTS ? sets : (int)MOST_PARTS;
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

/* Does node a lie above b? */
static bool upper(const struct graph *fine, size_t a, size_t b)
{
	return cell_at(fine->level, fine->node[a].cell) > cell_at(fine->level, fine->node[b].cell);
}

/* A link between fine nodes a and b, b above a, of two parts of one coarse cell: it leads from a's
 * part to what lies above b, or to b's part from what lies below a. */
static void add_hole(const struct graph *fine, const struct graph *coarse, const size_t *to,
		     double *hole, size_t a, size_t b)
{
	size_t axis = 0;
	while (axis < DIM - 1 && fine->node[a].cell[axis] == fine->node[b].cell[axis])
		axis++;
	const double w = fine->link[a * fine->count + b];
	const double link =
		w / (1.0 + 0.5 * w / across(fine, a, axis) + 0.5 * w / across(fine, b, axis));
	const size_t above = beyond(fine, b, axis, 1), below = beyond(fine, a, axis, -1);
	const size_t from = above < fine->count ? to[a] : to[b];
	const size_t target = to[above < fine->count ? above : below];
	hole[from * coarse->count + target] += link;
	hole[target * coarse->count + from] += link;
}

/* Links of coarse nodes that hold fine ones: sums, then in series, and holes inside coarse cells.
 */
static void check_links(const struct graph *fine, const struct graph *coarse, const int *owner,
			int level, size_t *holes)
{
	double *sum = test_calloc(coarse->count * coarse->count, sizeof(double));
	double *hole = test_calloc(coarse->count * coarse->count, sizeof(double));
	size_t *to = test_calloc(fine->count, sizeof(*to));
	for (size_t n = 0; n < fine->count; n++) {
		const int *c = fine->node[n].cell, cell[3] = {c[0] / 2, c[1] / 2, c[2] / 2};
		if (owner[n] >= 0)
			to[n] = node_of(coarse, cell, owner[n]);
	}
	for (size_t a = 0; a < fine->count; a++)
		for (size_t b = 0; b < fine->count; b++)
			if (owner[a] >= 0 && owner[b] >= 0) {
				const double w = fine->link[a * fine->count + b];
				const size_t x = to[a], y = to[b];
				sum[x * coarse->count + y] += w;
				if (w > 0.0 && a < b && x != y &&
				    cell_at(coarse->level, coarse->node[x].cell) ==
					    cell_at(coarse->level, coarse->node[y].cell) &&
				    ++*holes)
					add_hole(fine, coarse, to, hole, upper(fine, a, b) ? b : a,
						 upper(fine, a, b) ? a : b);
			}
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
			expect_near("link", level, link,
				    w / distance + hole[a * coarse->count + b]);
			/* Conjugate gradients need a symmetric operator: to the last bit. */
			assert_true(link == coarse->link[b * coarse->count + a]);
		}
	test_free(sum);
	test_free(hole);
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
 * that found no room, and holes inside coarse cells.  most: parts of a cell. */
static size_t check_level(const struct multigrid *mg, int n, size_t *merged, size_t *holes,
			  int *most)
{
	struct graph fine = graph_read(mg, n - 1), coarse = graph_read(mg, n);
	int *owner = test_calloc(fine.count, sizeof(*owner));
	const size_t extras = coarse.count - coarse.cells;
	for (size_t c = 0; c < coarse.cells; c++) {
		const int *cell = coarse.node[c].cell;
		const int found = find_parts(&fine, cell, owner);
		const int further = found > 1 ? found - 1 : 0;
		*most = found > *most ? found : *most;
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
	check_links(&fine, &coarse, owner, n, holes);
	test_free(owner);
	graph_free(&fine);
	graph_free(&coarse);
	return extras;
}

/* Walls without thickness every three cells, with holes of one cell. */
static void pierced_walls(const struct grid *g, struct mixture *m)
{
	FOR_CELLS(g, i, j, k, at)
	if (i % 3 == 0 && !(j % 4 == 2 && (DIM == 2 || k % 3 == 2)))
		m->open[at] = 0;
}

/* Two walls without thickness or holes across each axis, in blocks of level 1 side by side: where
 * they meet these have a part in every corner, the block of level 2 one in each of its boxes. */
static void crossing_walls(const struct grid *g, struct mixture *m)
{
	FOR_CELLS(g, i, j, k, at)
	{
		const int here[3] = {i, j, k};
		for (size_t a = 0; a < DIM; a++)
			if (here[a] == 1 || here[a] == 3)
				m->open[a * (size_t)g->lattice + at] = 0;
	}
}

static void test_operators(void **state)
{
	static const struct {
		const char *name;
		double solid, air, closed;
		void (*walls)(const struct grid *, struct mixture *);
	} blends[] = {{"thin walls", 0.0, 0.1, 0.3, NULL},
		      {"pockets", 0.4, 0.05, 0.2, NULL},
		      {"a maze", 0.0, 0.0, 0.45, NULL},
		      {"pierced walls", 0.0, 0.0, 0.0, pierced_walls},
		      {"crossing walls", 0.0, 0.0, 0.0, crossing_walls}};
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
		struct multigrid *mg = &f.sim->poisson.mg;
		struct mixture m = mixture_make(&f.sim->lattice.grid, blends[b].solid,
						blends[b].air, blends[b].closed, &random);
		if (blends[b].walls)
			blends[b].walls(&f.sim->lattice.grid, &m);
		solve_prepare(f.sim, &m, &op);
		size_t extras = 0, merged = 0, holes = 0;
		int most = 0;
		bool many = false;
		for (int n = 1; n < mg->count; n++) {
			const struct mg_level *l = &mg->levels[n];
			const size_t before = merged;
			const size_t found = check_level(mg, n, &merged, &holes, &most);
			const double longest = fmax(fmax(l->nx, l->ny), l->nz);
			const double face = (double)l->nx * l->ny * l->nz / longest;
			many |= n <= 3 && longest >= 8.0 &&
				(double)(found + merged - before) > face;
			extras += found;
		}
		print_message("%s: %zu further parts, %zu without room, %zu holes\n",
			      blends[b].name, extras, merged, holes);
		/* In 2D a hole is half of what a block has. */
		assert_true(DIM == 2 ? holes == 0 : blends[b].walls != pierced_walls || holes > 5);
		assert_true(extras > 10);
		assert_true(blends[b].walls != crossing_walls || most == (int)MOST_PARTS);
		/* The count that is reported. */
		assert_int_equal(mg->further, extras + merged);
		assert_int_equal(mg->merged, merged);
		/* The first grid in 2D, the maze, has more than fit. */
		assert_int_equal(merged > 0, DIM == 2 && blends[b].closed > 0.4);
		/* Three levels are looked at; a plate makes a face of the box of parts. */
		assert_int_equal(mg->many_walls, many);
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
