/*
 * Static solids: distances and open parts of faces, cells and density kernels, computed once.
 * L = lattice points, D = dimensions.
 */
#ifndef FRESHET_SOLIDS_H
#define FRESHET_SOLIDS_H

#include "fields.h"
#include "lattice.h"
#include "scene_solid.h"

struct solids {
	struct lattice *lattice;	/* borrowed */
	const struct scene_solid *list; /* borrowed */
	size_t count;
	double h; /* m, as the scene has it */

	union u16_buffer open_fraction; /* u16 [D][L], open part of each face, 32768 = all */
	union u16_buffer kernel_open;	/* u16 [L], part of a kernel not in solids, 32768 = all */
	union u16_buffer volume_open;	/* u16 [L], open part of each cell, see room_units() */
	union f32_buffer phi;		/* f32 [L], m, at nodes, < 0 inside solids; none without */
	union shape_op_buffer ops;	/* struct shape_op [], all solids united */
	union f32_buffer points;	/* f32 [], polygon vertices */
	union u32_buffer slip;		/* u32 [count], see solids_create() */
	u32 op_count, point_count;
	u32 parts; /* turns of loops that an evaluation takes, about */

	bool meshes;	/* some solid has one */
	bool split;	/* a part of some cell is cut off (solids_sides.c) */
	bool cut;	/* some face is closed, or part of one, by a solid */
	bool loops_cut; /* the device ends long loops early (loops.h) */
	i32 loop_turns; /* that a launch of the set-up may take (solids_turns()) */
};

/* The buffers, for a lattice whose grid and dim are set.  Returns how many. */
#define SOLIDS_FIELDS 7
void solids_init(struct solids *solids, struct lattice *lattice, const struct scene_solid *list,
		 size_t count, double h);
size_t solids_list_fields(struct solids *solids, struct field fields[SOLIDS_FIELDS]);

/*
 * Allocates and fills the buffers, after solids_init().  Without solids the open parts are those of
 * the walls, and phi is one element that nobody reads.  Sets lattice->grid.gaps.
 *
 * slip[s] = 2 e + free: solid s's own program ends before op e of ops, free = 1 where particles
 * slide along it.  It starts at op 0 (s = 0), e of the one before (s = 1), or one further (s > 1),
 * as a union follows every program but the first.
 *
 * Warns of solids thinner than a cell.  False after reporting; the buffers are then freed.
 */
bool solids_create(struct solids *solids);
void solids_destroy(struct solids *solids); /* accepts buffers that are zeroed */

/* ---- parts of solids_create() ------------------------------------------------------------- */

/* solids_faces.c: the end of what one launch does of the `all` turns of a kernel's loop, from turn
 * `first` on, where each evaluates solids up to so many times: some devices cut long loops off
 * (loops.h; docs/portability.md).  One turn at least. */
i32 solids_turns(const struct solids *solids, i32 first, i32 all, i32 evaluations);
/* open_fraction, for grid.gaps. */
bool solids_find_faces(struct solids *solids);

/* solids_samples.c: volume_open and kernel_open in scenes with meshes. */
bool solids_sum_samples(struct solids *solids);

/*
 * solids_sides.c: rooms that solids cut off from their cells are counted to the next cell.
 *
 * Is there such room?  solids->split; volume_open is then made that of what each cell holds.  Are
 * there gaps that hold no cell's centre?  grid.gaps; cells that cannot but belong to one then do,
 * and faces open accordingly.
 */
bool solids_find_split(struct solids *solids);

/* solids_shares.c.  Near solids volume_open becomes what a cell holds, by the particles' linear
 * weights, of liquid that fills the open room; before that it is the room between its faces, or
 * what solids_find_split() counts to it. */
bool solids_share_volumes(struct solids *solids);

#endif
