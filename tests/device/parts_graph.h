/* Nodes and links of a multigrid level with parts, read from a device into a dense matrix. */
#ifndef FRESHET_PARTS_GRAPH_H
#define FRESHET_PARTS_GRAPH_H

#include "solve_fixture.h"

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

static inline size_t cell_at(const struct mg_level *l, const int c[3])
{
	return ((size_t)c[2] * (size_t)l->ny + (size_t)c[1]) * (size_t)l->nx + (size_t)c[0];
}

static inline bool step(const struct mg_level *l, const int from[3], size_t axis, int by, int to[3])
{
	const int cells[3] = {l->nx, l->ny, l->nz};
	for (size_t a = 0; a < 3; a++)
		to[a] = from[a] + (a == axis ? by : 0);
	return to[axis] >= 0 && to[axis] < cells[axis];
}

/* Node of part p of a cell. */
static inline size_t node_of(const struct graph *g, const int cell[3], int p)
{
	const size_t at = cell_at(g->level, cell);
	return p == 0 ? at : g->first[at] + (size_t)p - 1;
}

static inline void graph_free(struct graph *g)
{
	test_free(g->node);
	test_free(g->link);
	test_free(g->first);
	test_free(g->further);
}

/* A level as it is on the device. */
static inline struct graph graph_read(const struct multigrid *mg, int n)
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
				g.further[at] = (int)(parts[entry] & 7u);
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
						p ? ((parts[entry] & 0x3fffffffu) >> 3) +
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
									    (MOST_PARTS + 1) * DIM +
								    (d % 2 ? d / 2 * MOST_PARTS +
										     (size_t)t
									   : MOST_PARTS * DIM +
										     d / 2)];
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

static inline bool is_unknown(const struct graph *g, size_t node)
{
	double diagonal = g->node[node].excess;
	for (size_t n = 0; n < g->count; n++)
		diagonal += g->link[node * g->count + n];
	return diagonal > 0.0;
}

/* Nodes of the block of a coarse cell, children x fastest. */
static inline size_t block_of(const struct graph *fine, const int cell[3], size_t nodes[BLOCK])
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

#endif
