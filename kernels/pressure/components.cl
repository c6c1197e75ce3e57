/*
 * Connected components of the liquid (and of the air) over open faces.
 *
 * Union-find with the least lattice index as root: whatever the order of the unions, every cell
 * ends with the least index of its component.  A component without a tie to pressure 0 is
 * singular: its pressure is known up to a constant.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "faces.h"
#include "mg.h"

#define COMPONENT_NONE 0xffffffffu

/* Reads a label that other work-items may be changing. */
uint components_load(volatile global uint *label, uint at)
{
	return atomic_or(label + at, 0u);
}

/* Root of a tree, halving the path to it on the way: labels only ever fall, towards the root. */
uint components_root(volatile global uint *label, uint at)
{
	uint parent = components_load(label, at);
	while (parent != at) {
		uint above = components_load(label, parent);
		if (above != parent)
			atomic_min(label + at, above);
		at = parent;
		parent = above;
	}
	return at;
}

void components_unite(volatile global uint *label, uint a, uint b)
{
	a = components_root(label, a);
	b = components_root(label, b);
	while (a != b) {
		uint high = a > b ? a : b, low = a > b ? b : a;
		uint old = atomic_min(label + high, low);
		if (old == high)
			return;
		a = components_root(label, old);
		b = components_root(label, low);
	}
}

/* label = first cell of the run of open neighbours of one type along x, none for solids; nothing
 * is tied or counted yet.  One work-item per row. */
kernel void components_init(const struct grid g, global const uchar *cell_type,
			    global const ushort *open_fraction, global uint *label,
			    global uint *tied, global uint *scalars)
{
	int j = (int)get_global_id(0), k = (int)get_global_id(1);
	if (j == 0 && k == 0)
		scalars[SCALAR_COMPONENTS] = scalars[SCALAR_SINGULAR_COMPONENTS] =
			scalars[SCALAR_AIR_REGIONS] = 0;
	if (j >= g.py || k >= g.pz)
		return;
	int row = lattice_index(g, 0, j, k);
	uint first = COMPONENT_NONE;
	uchar before = CELL_SOLID;
	for (int at = row; at < row + g.px; at++) {
		uchar type = cell_type[at];
		if (type == CELL_SOLID)
			first = COMPONENT_NONE;
		else if (type != before || open_fraction[at] == 0)
			first = (uint)at;
		label[at] = first;
		tied[at] = 0;
		before = type;
	}
}

/* Joins each cell with its upper neighbours of the same type along y and z; pairs of runs that the
 * cell before has joined already are skipped.  One work-item per lattice point. */
kernel void components_join(const struct grid g, global const uchar *cell_type,
			    global const ushort *open_fraction, global uint *label)
{
	int i = (int)get_global_id(0), j = (int)get_global_id(1), k = (int)get_global_id(2);
	if (!cell_exists(g, i, j, k))
		return;
	int at = lattice_index(g, i, j, k);
	uchar type = cell_type[at];
	if (type == CELL_SOLID)
		return;
	int run = i > 0 && cell_type[at - 1] == type && open_fraction[at] != 0;
	for (int a = 1; a < DIM; a++) {
		int next = at + lattice_stride(g, a);
		global const ushort *open = open_fraction + a * g.lattice;
		if (!cell_exists(g, i, j + (a == 1), k + (a == 2)) || cell_type[next] != type ||
		    open[next] == 0)
			continue;
		if (run && cell_type[next - 1] == type && open_fraction[next] != 0 &&
		    open[next - 1] != 0)
			continue;
		components_unite(label, (uint)at, (uint)next);
	}
}

/* label = root; tied[root] = 1 where a liquid cell of the component has a tie to pressure 0.  One
 * work-item per lattice point. */
kernel void components_flatten(const struct grid g, global const uchar *cell_type,
			       global const ushort *open_fraction, global const uchar *opened,
			       global const uint *label, global uint *root, global uint *tied)
{
	const int here[3] = {(int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2)};
	if (here[0] >= g.px || here[1] >= g.py || here[2] >= g.pz)
		return;
	int at = lattice_index(g, here[0], here[1], here[2]);
	/* Nobody joins any more: plain reads do. */
	uint cell = (uint)at, above = label[at];
	while (above != COMPONENT_NONE && above != cell) {
		cell = above;
		above = label[cell];
	}
	root[at] = above;
	if (cell_exists(g, here[0], here[1], here[2]) && cell_type[at] == CELL_LIQUID &&
	    faces_have_tie(g, cell_type, open_fraction, opened, at, here))
		atomic_or(tied + above, 1u);
}

/* Counts components; tied becomes 1 at the roots of singular components, 0 elsewhere; no cell has a
 * number yet. */
kernel void components_count(const struct grid g, global const uchar *cell_type,
			     global const uint *root, global uint *tied, global ushort *index,
			     global uint *scalars)
{
	int at = (int)get_global_id(0);
	if (at >= g.lattice)
		return;
	uint singular = 0;
	if (root[at] == (uint)at) {
		if (cell_type[at] == CELL_AIR) {
			atomic_inc(scalars + SCALAR_AIR_REGIONS);
		} else {
			atomic_inc(scalars + SCALAR_COMPONENTS);
			singular = tied[at] == 0;
			if (singular)
				atomic_inc(scalars + SCALAR_SINGULAR_COMPONENTS);
		}
	}
	tied[at] = singular;
	index[at] = (ushort)SEALED_NONE;
}

/* index[cell] = number of its singular component (numbers: scan of the root marks), SEALED_NONE for
 * all other cells; there are at most SEALED_MOST of them.  One work-item per lattice point. */
kernel void components_number(const struct grid g, global const uchar *cell_type,
			      global const uint *root, global const uint *numbers,
			      global ushort *index)
{
	int at = (int)get_global_id(0);
	if (at >= g.lattice)
		return;
	uint number = SEALED_NONE;
	if (cell_type[at] == CELL_LIQUID) {
		uint r = root[at];
		if (numbers[r + 1] != numbers[r])
			number = numbers[r];
	}
	index[at] = (ushort)number;
}

/*
 * The kernels below go through cells of rows, many in a work-item, as all their sums meet at a few
 * words (struct components_share).  Sums are of integers: how they are shared out changes no bit.
 * A row's cells are taken colour by colour, as they lie in the solver's arrays.
 */
struct components_row {
	int first, last; /* cells along x, the last not among them */
	int j, k;
};

/* Rows of a work-item: none beyond the grid. */
ALWAYS_INLINE int components_rows(const struct grid g, const struct components_share share)
{
	return (int)get_global_id(0) * share.cells < g.nx ? share.rows : 0;
}

/* The nth of them. */
ALWAYS_INLINE struct components_row components_row(const struct grid g,
						   const struct components_share share, int n)
{
	struct components_row row;
	const int number = (int)get_global_id(1) * share.rows + n;
	row.first = (int)get_global_id(0) * share.cells;
	row.last = number < g.ny * g.nz ? min_int(row.first + share.cells, g.nx) : row.first;
	row.j = modulo(number, g.ny);
	row.k = number / g.ny;
	return row;
}

/* Cells of its colour that begin with `start`. */
ALWAYS_INLINE int components_cells(const struct components_row row, int start)
{
	return (row.last - start + 1) / 2;
}

/* The least and the greatest component that `cells` of a row's cells of one colour, the first at
 * lattice point `at`, are in; SEALED_NONE and 0: none. */
struct components_span {
	uint least, most;
};

ALWAYS_INLINE struct components_span components_span(global const ushort *restrict index, int at,
						     int cells)
{
	struct components_span span;
	span.least = SEALED_NONE;
	span.most = 0;
	for (int m = 0; m < cells; m++) {
		const uint c = index[at + 2 * m], counts = c != SEALED_NONE ? c : 0u;
		span.least = c < span.least ? c : span.least;
		span.most = counts > span.most ? counts : span.most;
	}
	return span;
}

/* scale = max |v| over cells of singular components. */
kernel void components_scale(const struct grid g, const struct mg_level level,
			     const struct components_share share,
			     global const ushort *restrict index, global const float *restrict v,
			     global uint *scale)
{
	uint largest = 0;
	for (int n = 0; n < components_rows(g, share); n++) {
		const struct components_row row = components_row(g, share, n);
		for (int start = row.first; start < min_int(row.first + 2, row.last); start++) {
			const int at = lattice_index(g, start, row.j, row.k);
			const int place = mg_at_cell(level, start, row.j, row.k);
			for (int m = 0; m < components_cells(row, start); m++) {
				const uint bits = as_uint(fabs(v[place + m]));
				const uint kept = index[at + 2 * m] != SEALED_NONE ? bits : 0u;
				largest = kept > largest ? kept : largest;
			}
		}
	}
	if (largest > 0)
		atomic_max(scale, largest);
}

/* 2^n <= x < 2^(n+1), as a float power of two; x positive and normal. */
float components_power_of_two(float x)
{
	return as_float(as_uint(x) & 0x7f800000u);
}

/* Sums of v are whole numbers of these parts of the power of two below its largest element: then an
 * element fits 31 bits, and 2^33 of them a sum. */
#define COMPONENTS_UNITS 0x1p29f
/* Where v is smaller units would come near the denormals, and there is nothing to gain; where a
 * solve has overflowed they would be infinite. */
int components_has_units(float largest)
{
	return largest > 0x1p-90f && largest < INFINITY;
}

/* Adds to the sum and the count of component c. */
void components_add(global uint *sums, uint c, long sum, uint count)
{
	const uint low = (uint)(ulong)sum, high = (uint)((ulong)sum >> 32);
	const uint old = atomic_add(sums + 3 * c, low);
	const uint carry = old + low < low ? 1u : 0u;
	atomic_add(sums + 3 * c + 1, high + carry);
	atomic_add(sums + 3 * c + 2, count);
}

/* The sum that a work-item is at. */
struct components_part {
	uint of, count;
	long sum;
};

/* Goes on with component c: adds what there is of another. */
ALWAYS_INLINE void components_enter(global uint *sums, struct components_part *part, uint c)
{
	if (c != part->of && part->count > 0) {
		components_add(sums, part->of, part->sum, part->count);
		part->sum = 0;
		part->count = 0;
	}
	part->of = c;
}

/* v in whole units. */
ALWAYS_INLINE long components_whole(float v, float per_unit)
{
	return (long)(int)rint(v * per_unit);
}

/* sums[3c], sums[3c+1]: low and high word of the sum of v in units of scale 2^-29; sums[3c+2]:
 * cells. */
kernel void components_sum(const struct grid g, const struct mg_level level,
			   const struct components_share share, global const ushort *restrict index,
			   global const float *restrict v, global const uint *scale,
			   global uint *sums)
{
	const float largest = as_float(scale[0]);
	if (!components_has_units(largest))
		return;
	const float per_unit = COMPONENTS_UNITS / components_power_of_two(largest);
	struct components_part part;
	part.of = SEALED_NONE;
	part.count = 0;
	part.sum = 0;
	for (int n = 0; n < components_rows(g, share); n++) {
		const struct components_row row = components_row(g, share, n);
		for (int start = row.first; start < min_int(row.first + 2, row.last); start++) {
			const int at = lattice_index(g, start, row.j, row.k);
			const int place = mg_at_cell(level, start, row.j, row.k);
			const int cells = components_cells(row, start);
			const struct components_span span = components_span(index, at, cells);
			/* Nearly all rows meet one component: then no cell asks for its own. */
			if (span.least == SEALED_NONE)
				continue;
			if (span.least == span.most) {
				components_enter(sums, &part, span.least);
				for (int m = 0; m < cells; m++) {
					const uint counts = index[at + 2 * m] != SEALED_NONE;
					const float value = counts ? v[place + m] : 0.0f;
					part.sum += components_whole(value, per_unit);
					part.count += counts;
				}
				continue;
			}
			for (int m = 0; m < cells; m++) {
				const uint c = index[at + 2 * m];
				if (c == SEALED_NONE)
					continue;
				components_enter(sums, &part, c);
				part.sum += components_whole(v[place + m], per_unit);
				part.count++;
			}
		}
	}
	if (part.count > 0)
		components_add(sums, part.of, part.sum, part.count);
}

/* Mean of v over component c, of its sum in `unit`. */
float components_mean(global const uint *sums, uint c, float unit)
{
	const long sum = (long)((ulong)sums[3 * c] | (ulong)sums[3 * c + 1] << 32);
	/* Whole units apart: the mean of equal values is that value, and leaves nothing to solve.
	 */
	const long count = (long)sums[3 * c + 2], whole = sum / count;
	return (convert_float_rte(whole) +
		convert_float_rte(sum - whole * count) / convert_float_rte(count)) *
	       unit;
}

/* v -= mean over the component, for singular components. */
kernel void components_subtract_mean(const struct grid g, const struct mg_level level,
				     const struct components_share share,
				     global const ushort *restrict index, global const uint *scale,
				     global const uint *sums, global float *restrict v)
{
	const float largest = as_float(scale[0]);
	if (!components_has_units(largest))
		return;
	const float unit = components_power_of_two(largest) * (1.0f / COMPONENTS_UNITS);
	uint of = SEALED_NONE;
	float mean = 0.0f;
	for (int n = 0; n < components_rows(g, share); n++) {
		const struct components_row row = components_row(g, share, n);
		for (int start = row.first; start < min_int(row.first + 2, row.last); start++) {
			const int at = lattice_index(g, start, row.j, row.k);
			const int place = mg_at_cell(level, start, row.j, row.k);
			const int cells = components_cells(row, start);
			const struct components_span span = components_span(index, at, cells);
			if (span.least == SEALED_NONE)
				continue;
			if (span.least == span.most) {
				mean = span.least == of ? mean
							: components_mean(sums, span.least, unit);
				of = span.least;
				for (int m = 0; m < cells; m++)
					v[place + m] -=
						index[at + 2 * m] != SEALED_NONE ? mean : 0.0f;
				continue;
			}
			for (int m = 0; m < cells; m++) {
				const uint c = index[at + 2 * m];
				if (c == SEALED_NONE)
					continue;
				mean = c == of ? mean : components_mean(sums, c, unit);
				of = c;
				v[place + m] -= mean;
			}
		}
	}
}
