/* The box: its size, its cells, its walls. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"

/* How far a size may be from a whole number of cells, relative. */
#define FIT 1e-6

/* Sizes closer than this to whole cells are kept as written rather than snapped. */
#define EXACT 1e-12

static const char axis_names[] = "xyz";

/* Is `size` a whole number of cells of `h`?  Sets *cells to the nearest number of cells. */
static bool fits_cells(double size, double h, double *cells)
{
	const double ratio = size / h;
	*cells = floor(ratio + 0.5);
	return *cells >= 1 && fabs(ratio - *cells) <= FIT * *cells;
}

static void report_misfit(struct scene_reader *reader, const struct scene_node *sizes, int axis,
			  double size, double h)
{
	const double ratio = size / h, below = floor(ratio) * h, above = (floor(ratio) + 1) * h;
	char nearest[80];
	if (below > 0)
		snprintf(nearest, sizeof(nearest), "%.10g and %.10g fit", below, above);
	else
		snprintf(nearest, sizeof(nearest), "the smallest that fits is %.10g", above);
	scene_node_error(&reader->errors, sizes->children[axis],
			 "'domain.size.%d' (%c) is %.10g m, which is %.7g cells of %.10g m; cells "
			 "are square, so it must be a whole number of them (nearest: %s)",
			 axis, axis_names[axis], size, ratio, h, nearest);
}

/* Reads `size`; returns its node when all its numbers are good. */
static const struct scene_node *read_size(struct scene_reader *reader,
					  const struct scene_node *domain)
{
	const struct scene_node *size = scene_node_get(domain, "size");
	if (!size) {
		scene_value_missing(reader, domain, "size");
		return NULL;
	}
	if (size->kind == SCENE_LIST && (size->count == 2 || size->count == 3)) {
		reader->dim = reader->scene->dim = (int)size->count;
	} else {
		char description[SCENE_DESCRIPTION];
		scene_node_error(&reader->errors, size,
				 "'domain.size' must be a list of 2 numbers (2D) or 3 (3D), not %s",
				 size->kind == SCENE_LIST ? "of another length"
							  : scene_describe(size, description));
		return NULL;
	}
	const struct scene_key *key = scene_key(SECTION_DOMAIN, "size");
	double read[3] = {NO_DEFAULT, NO_DEFAULT, NO_DEFAULT};
	if (!scene_vector_read(reader, size, key->low, key->high, read))
		return NULL;
	memcpy(reader->scene->size, read, sizeof(read));
	return size;
}

/* Cell size from `cells` or `cell_size`, 0 after reporting. */
static double read_cell_size(struct scene_reader *reader, const struct scene_node *domain,
			     const struct scene_node *size)
{
	const struct scene_node *cells = scene_node_get(domain, "cells");
	const struct scene_node *cell_size = scene_node_get(domain, "cell_size");
	if (cells && cell_size && cells->source != cell_size->source) {
		/* The later override wins over the file. */
		if (cells->source > cell_size->source)
			cell_size = NULL;
		else
			cells = NULL;
	}
	if (cells && cell_size) {
		scene_key_error(&reader->errors, cell_size,
				"give 'cells' or 'cell_size', not both");
		return 0;
	}
	const struct scene_key *key = scene_key(SECTION_DOMAIN, "cells");
	double h = 0, counts[3] = {NO_DEFAULT, NO_DEFAULT, NO_DEFAULT};
	if (cell_size)
		return scene_key_number(reader, domain, SECTION_DOMAIN, "cell_size", &h) ? h : 0;
	if (!cells) {
		scene_node_error(&reader->errors, domain,
				 "missing key 'cells' (or 'cell_size') in 'domain'");
		return 0;
	}
	if (cells->kind == SCENE_LIST) {
		if (!scene_vector_read(reader, cells, key->low, key->high, counts))
			return 0;
		for (size_t i = 0; i < cells->count; i++) {
			if (counts[i] > floor(counts[i])) {
				scene_node_error(&reader->errors, cells->children[i],
						 "'domain.cells.%zu' must be a whole number", i);
				return 0;
			}
		}
	} else {
		int64_t along_x = 0;
		if (!scene_value_integer(reader, domain, "cells", (int64_t)key->low,
					 (int64_t)key->high, &along_x))
			return 0;
		counts[0] = (double)along_x;
	}
	if (!size)
		return 0;
	h = reader->scene->size[0] / counts[0];
	for (int i = 1; cells->kind == SCENE_LIST && i < reader->dim; i++) {
		double fitting;
		if (fits_cells(reader->scene->size[i], h, &fitting) &&
		    fabs(fitting - counts[i]) < 0.5)
			continue;
		scene_node_error(&reader->errors, cells->children[i],
				 "'domain.cells.%d' is %.0f, but cells are square: %.10g m is "
				 "%.7g cells of %.10g m (a size of %.10g m would fit)",
				 i, counts[i], reader->scene->size[i], reader->scene->size[i] / h,
				 h, counts[i] * h);
		return 0;
	}
	return h;
}

static void read_cells(struct scene_reader *reader, const struct scene_node *domain)
{
	struct scene *scene = reader->scene;
	const struct scene_node *size = read_size(reader, domain);
	const double h = read_cell_size(reader, domain, size);
	if (!size || !(h > 0))
		return;
	const double most = scene_key(SECTION_DOMAIN, "cells")->high;
	double counts[3] = {1, 1, 1};
	int64_t lattice = 1;
	bool good = true;
	for (int i = 0; i < scene->dim; i++) {
		if (!fits_cells(scene->size[i], h, &counts[i])) {
			report_misfit(reader, size, i, scene->size[i], h);
			good = false;
		} else if (counts[i] > most) {
			scene_node_error(&reader->errors, size->children[i],
					 "'domain.size.%d' is %.0f cells along %c (allowed: 1 to "
					 "%.0f)",
					 i, counts[i], axis_names[i], most);
			good = false;
		}
	}
	if (!good)
		return;
	/* Kernels index with 32 bits: arrays of all components, halos and coarse levels included.
	 */
	double elements = scene->dim * (scene->dim == 2 ? 4.0 / 3 : 8.0 / 7);
	for (int i = 0; i < scene->dim; i++) {
		lattice *= (int64_t)counts[i] + 1;
		elements *= (double)counts[i] + 4;
	}
	if (elements > INT32_MAX) {
		scene_node_error(
			&reader->errors, size,
			"the grid would have %lld lattice points, %.0f with all components, "
			"halos and coarse levels, but 32-bit indices reach %d: use fewer or larger "
			"cells",
			(long long)lattice, elements, INT32_MAX);
		return;
	}
	scene->h = scene->size[0] / counts[0];
	for (int i = 0; i < 3; i++) {
		scene->cells[i] = (int)counts[i];
		const double whole = counts[i] * scene->h;
		if (i < scene->dim && fabs(scene->size[i] - whole) > EXACT * whole)
			scene->size[i] = whole;
	}
}

static void read_walls(struct scene_reader *reader, const struct scene_node *domain)
{
	const struct scene_node *walls =
		scene_value_mapping(reader, domain, "walls", SECTION_WALLS);
	const struct scene_key *key = scene_sections[SECTION_WALLS]->keys;
	for (int side = 0; side < 6; side++, key++) {
		int kind;
		const struct scene_node *node = scene_node_get(walls, key->name);
		if (node && side >= 4 && reader->dim == 2)
			scene_key_error(&reader->errors, node,
					"'domain.walls.%s' has no meaning in a 2D scene",
					key->name);
		else if (scene_value_choice(reader, walls, key->name, key->words, &kind))
			reader->scene->open[side] = kind == 1;
	}
}

void scene_read_domain(struct scene_reader *reader, const struct scene_node *root)
{
	if (!scene_node_get(root, "domain")) {
		scene_value_missing(reader, root, "domain");
		return;
	}
	const struct scene_node *domain =
		scene_value_mapping(reader, root, "domain", SECTION_DOMAIN);
	if (!domain)
		return;
	read_cells(reader, domain);
	read_walls(reader, domain);
	scene_read_wall_law(reader, domain, &reader->scene->wall_law);
	scene_read_side_walls(reader, domain);
}
