/* Tables row by row. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare_parts.h"
#include "number.h"
#include "table.h"

/* The rows of two tables that belong together. */
struct pair {
	const struct table *tables[2];
	long frame[2], substep[2]; /* columns; -1 */
	bool ends_only;		   /* of each frame its last row alone */
	size_t at[2];
};

static double value_at(const struct table *table, long column, size_t row)
{
	return column >= 0 ? table_column(table, (size_t)column)[row] : 0.0;
}

/* Goes to the last row of the frame that row at[t] is of. */
static void skip_to_end(struct pair *pair, int t)
{
	const struct table *table = pair->tables[t];
	while (pair->ends_only && pair->at[t] + 1 < table->row_count &&
	       !(value_at(table, pair->frame[t], pair->at[t] + 1) >
		 value_at(table, pair->frame[t], pair->at[t])))
		pair->at[t]++;
}

/* <0: the next row is of the first table alone; >0: of the second; 0: of both.  2 behind the end.
 */
static int next_row(struct pair *pair)
{
	for (int t = 0; t < 2; t++)
		if (pair->at[t] < pair->tables[t]->row_count)
			skip_to_end(pair, t);
	const bool over[2] = {pair->at[0] >= pair->tables[0]->row_count,
			      pair->at[1] >= pair->tables[1]->row_count};
	if (over[0] || over[1])
		return over[0] && over[1] ? 2 : over[0] ? 1 : -1;
	const double frame[2] = {value_at(pair->tables[0], pair->frame[0], pair->at[0]),
				 value_at(pair->tables[1], pair->frame[1], pair->at[1])};
	if (frame[0] < frame[1] || frame[0] > frame[1])
		return frame[0] < frame[1] ? -1 : 1;
	if (pair->ends_only)
		return 0;
	const double substep[2] = {value_at(pair->tables[0], pair->substep[0], pair->at[0]),
				   value_at(pair->tables[1], pair->substep[1], pair->at[1])};
	return substep[0] < substep[1] ? -1 : substep[0] > substep[1] ? 1 : 0;
}

static struct pair start_pair(const struct table tables[2], bool ends_only)
{
	struct pair pair = {.ends_only = ends_only};
	for (int t = 0; t < 2; t++) {
		pair.tables[t] = &tables[t];
		pair.frame[t] = table_find(&tables[t], "frame");
		pair.substep[t] = table_find(&tables[t], "substep");
	}
	return pair;
}

/* What a column's rows come to. */
struct column_difference {
	size_t rows, differ;
	double most, a, b; /* the greatest difference, and the values there */
	double frame;
	bool undefined; /* there a value is missing on one side */
};

static void look_at(struct column_difference *sum, double a, double b, double allowed, double frame)
{
	const bool one_missing = isnan(a) != isnan(b);
	const double off = isnan(a) && isnan(b) ? 0.0 : a > b || a < b ? fabs(a - b) : 0.0;
	sum->rows++;
	if (!one_missing && !(off > allowed))
		return;
	sum->differ++;
	if (sum->undefined || !(one_missing || off > sum->most))
		return;
	*sum = (struct column_difference){sum->rows, sum->differ, off, a, b, frame, one_missing};
}

static double greatest(const double *values, size_t count)
{
	double most = 0.0;
	for (size_t i = 0; i < count; i++)
		most = fabs(values[i]) > most ? fabs(values[i]) : most;
	return most;
}

static struct column_difference compare_column(const struct table tables[2], const char *name,
					       const struct compare_tolerance *tolerance)
{
	struct column_difference sum = {0};
	struct pair pair = start_pair(tables, tolerance != NULL);
	const long column[2] = {table_find(&tables[0], name), table_find(&tables[1], name)};
	double allowed = tolerance ? tolerance->value : 0.0;
	if (tolerance && tolerance->relative)
		allowed *=
			greatest(table_column(&tables[0], (size_t)column[0]), tables[0].row_count);
	int side;
	while ((side = next_row(&pair)) != 2) {
		if (side == 0)
			look_at(&sum, value_at(&tables[0], column[0], pair.at[0]),
				value_at(&tables[1], column[1], pair.at[1]), allowed,
				value_at(&tables[0], pair.frame[0], pair.at[0]));
		pair.at[0] += side <= 0;
		pair.at[1] += side >= 0;
	}
	return sum;
}

static const char *show(double value, char text[NUMBER_TEXT])
{
	return isnan(value) ? "(empty)" : number_from_double(value, text);
}

static void tell_column(struct comparison *self, const char *file, const char *name,
			const struct column_difference *sum, bool counts)
{
	char what[200], a[NUMBER_TEXT], b[NUMBER_TEXT];
	snprintf(what, sizeof(what), "%s %.150s", file, name);
	compare_say(self, counts, what,
		    "%zu of %zu rows differ, by %.4g at most: %s and %s, frame %.0f", sum->differ,
		    sum->rows, sum->most, show(sum->a, a), show(sum->b, b), sum->frame);
}

/* Rows that only one table has. */
static void compare_rows(struct comparison *self, const struct table tables[2], const char *file,
			 bool ends_only, bool counts)
{
	size_t alone[2] = {0, 0}, both = 0;
	struct pair pair = start_pair(tables, ends_only);
	int side;
	while ((side = next_row(&pair)) != 2) {
		alone[0] += side < 0;
		alone[1] += side > 0;
		both += side == 0;
		pair.at[0] += side <= 0;
		pair.at[1] += side >= 0;
	}
	if (alone[0] || alone[1])
		compare_say(self, counts, file, "%zu rows in both, %zu in A alone, %zu in B alone",
			    both, alone[0], alone[1]);
}

static bool is_clock(const char *name)
{
	return strncmp(name, "ms_", 3) == 0;
}

/* All columns, equal to the bit. */
static void compare_exactly(struct comparison *self, const struct table tables[2], const char *file)
{
	size_t same = 0, differ = 0;
	compare_rows(self, tables, file, false, true);
	for (int t = 0; t < 2; t++)
		for (size_t c = 0; c < tables[t].column_count; c++) {
			const char *name = tables[t].names[c];
			if (is_clock(name) || strcmp(name, "hash") == 0)
				continue;
			if (table_find(&tables[1 - t], name) < 0) {
				compare_say(self, true, file, "column '%.150s' in %s alone", name,
					    t == 0 ? "A" : "B");
				differ++;
			} else if (t == 0) {
				const struct column_difference sum =
					compare_column(tables, name, NULL);
				differ += sum.differ > 0;
				same += sum.differ == 0;
				if (sum.differ)
					tell_column(self, file, name, &sum, true);
			}
		}
	compare_say(self, false, file,
		    "%zu columns are the same, %zu differ; times on the clock left out", same,
		    differ);
}

/* The columns that tolerances name. */
static bool compare_within(struct comparison *self, const struct table tables[2], const char *file)
{
	bool any = false;
	for (size_t i = 0; i < self->options->tolerance_count; i++) {
		struct compare_tolerance *tolerance = &self->options->tolerances[i];
		const bool in[2] = {table_find(&tables[0], tolerance->name) >= 0,
				    table_find(&tables[1], tolerance->name) >= 0};
		if (!in[0] && !in[1])
			continue;
		any = tolerance->found = true;
		if (!in[0] || !in[1]) {
			compare_say(self, true, file, "column '%.150s' in %s alone",
				    tolerance->name, in[0] ? "A" : "B");
			continue;
		}
		const struct column_difference sum =
			compare_column(tables, tolerance->name, tolerance);
		if (sum.differ)
			tell_column(self, file, tolerance->name, &sum, true);
		else
			compare_say(
				self, false, file,
				"%.150s: within %.4g%s at the ends of %zu frames", tolerance->name,
				tolerance->relative ? 100.0 * tolerance->value : tolerance->value,
				tolerance->relative ? " %" : "", sum.rows);
	}
	if (any)
		compare_rows(self, tables, file, true, true);
	return any;
}

static bool compare_table(struct comparison *self, const char *file)
{
	struct table tables[2] = {{0}, {0}};
	bool there[2] = {false, false};
	bool ok = table_read(self->options->runs[0], file, &tables[0], &there[0]) &&
		  table_read(self->options->runs[1], file, &tables[1], &there[1]);
	if (ok && there[0] && there[1]) {
		if (self->options->tolerance_count)
			compare_within(self, tables, file);
		else
			compare_exactly(self, tables, file);
	} else if (ok && (there[0] || there[1])) {
		compare_say(self, self->options->tolerance_count == 0, file, "in %s alone",
			    there[0] ? "A" : "B");
	}
	const int code = errno;
	table_free(&tables[0]);
	table_free(&tables[1]);
	errno = code;
	return ok;
}

bool compare_tables(struct comparison *self)
{
	return compare_table(self, "stats.csv") && compare_table(self, "probes.csv") &&
	       compare_table(self, "forces.csv");
}
