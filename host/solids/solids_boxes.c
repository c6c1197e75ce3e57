#include "solids_boxes.h"

bool box_is_empty(const struct lattice_box *box)
{
	return box->nx == 0 || box->ny == 0 || box->nz == 0;
}

bool box_contains(const struct lattice_box *box, const struct lattice_box *part)
{
	return box_is_empty(part) || (part->i >= box->i && part->i + part->nx <= box->i + box->nx &&
				      part->j >= box->j && part->j + part->ny <= box->j + box->ny &&
				      part->k >= box->k && part->k + part->nz <= box->k + box->nz);
}

size_t box_size(const struct lattice_box *box)
{
	return (size_t)box->nx * (size_t)box->ny * (size_t)box->nz;
}

/* The box around two, of which either may be empty. */
struct lattice_box box_around(const struct lattice_box *a, const struct lattice_box *b)
{
	if (box_is_empty(a) || box_is_empty(b))
		return box_is_empty(a) ? *b : *a;
	const i32 low[3] = {a->i < b->i ? a->i : b->i, a->j < b->j ? a->j : b->j,
			    a->k < b->k ? a->k : b->k};
	const i32 ends[2][3] = {{a->i + a->nx, a->j + a->ny, a->k + a->nz},
				{b->i + b->nx, b->j + b->ny, b->k + b->nz}};
	i32 count[3];
	for (int c = 0; c < 3; c++)
		count[c] = (ends[0][c] > ends[1][c] ? ends[0][c] : ends[1][c]) - low[c];
	return (struct lattice_box){low[0], low[1], low[2], count[0], count[1], count[2]};
}

/* Boxes that are not larger as one become one, which the first of the movers has then. */
void solids_join_boxes(struct solids *solids)
{
	bool joined = true;
	while (joined) {
		joined = false;
		for (size_t m = 0; m < solids->mover_count; m++)
			for (size_t n = m + 1; n < solids->mover_count; n++) {
				struct lattice_box *a = &solids->movers[m].looked,
						   *b = &solids->movers[n].looked;
				const struct lattice_box both = box_around(a, b);
				if (box_is_empty(a) || box_is_empty(b) ||
				    box_size(&both) > box_size(a) + box_size(b))
					continue;
				*a = both;
				*b = (struct lattice_box){0};
				for (size_t k = n; k < solids->mover_count; k++)
					if (solids->movers[k].maker == n)
						solids->movers[k].maker = m;
				joined = true;
			}
	}
}
