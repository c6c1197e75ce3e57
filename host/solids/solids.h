/*
 * Solids: distances and open parts of faces, cells and density kernels, computed once; where some
 * move, again around these in every substep (solids_motion.h).  L = lattice points, D = dimensions.
 */
#ifndef FRESHET_SOLIDS_H
#define FRESHET_SOLIDS_H

#include "fields.h"
#include "lattice.h"
#include "scene_solid.h"

/* A solid that moves: by its keys, or as a body, whose poses others tell (solids_guide()). */
struct solids_mover {
	const struct scene_solid *solid; /* borrowed */
	u32 place;			 /* of its words, a pair of `points` */
	struct solid_pose pose, next;	 /* of a body: where it is to be, and a substep later */
	double speed, turning; /* of a body: what to expect in the next substep, m/s, rad/s */
	f32 placed[2 * SHAPE_PLACE_PAIRS]; /* its words as they are */
	struct lattice_box box;		   /* where the fields know of it */
	struct lattice_box looked; /* where they are made, for it and all whose `maker` it is */
	size_t maker;
	struct lattice_box left; /* where they did, and points of cells are as then */
};

struct solids {
	struct lattice *lattice;	/* borrowed */
	const struct scene_solid *list; /* borrowed */
	size_t count;
	double h; /* m, as the scene has it */

	union u16_buffer open_fraction; /* u16 [D][L], open part of each face, 32768 = all */
	union u16_buffer kernel_open;	/* u16 [L], part of a kernel not in solids, 32768 = all */
	union u16_buffer volume_open;	/* u16 [L], open part of each cell, see room_units() */
	union f32_buffer phi;		/* f32 [L], m, at nodes, < 0 inside solids; none without */
	union f32_buffer
		references; /* f32 [L][4], m, points that stand for cells; if split or moving */
	union shape_op_buffer ops; /* struct shape_op [], all solids united */
	union f32_buffer points;   /* f32 [], polygon vertices */
	union u32_buffer slip;	   /* u32 [count], see solids_create() */
	u32 op_count, point_count;
	u32 parts; /* turns of loops that an evaluation takes, about */

	/* Where some solids move; those that rest come first in `ops`. */
	struct solids_mover *movers;
	size_t mover_count;
	bool moving; /* there are movers */
	u32 rest_ops;
	double time;		      /* s, of the fields as they are */
	union f32_buffer mover_words; /* f32 [movers][MOVER_WORDS] */
	/* The fields of what rests alone; and the place where those around a mover are made. */
	union u16_buffer rest_fraction, rest_kernel, rest_volume, own_fraction, own_kernel,
		own_volume;
	union f32_buffer rest_phi, own_phi;
	/* For the set-up only, or kept for the next substep. */
	union u32_buffer split_cells; /* u32 [L][3] */
	union u32_buffer found;	      /* u32 [2] */
	union u32_buffer sum;	      /* u32 [L] */
	union u16_buffer samples;     /* u16, as many as of some layers */
	union u16_buffer weights;     /* u16 [SAMPLES_AROUND][SAMPLES_CELL], sample_weight() */
	u32 weight;		      /* of all of them */

	bool meshes;	/* some solid has one */
	bool split;	/* a part of some cell is cut off (solids_sides.c) */
	bool cut;	/* some face is closed, or part of one, by a solid */
	bool loops_cut; /* the device ends long loops early (loops.h) */
	i32 loop_turns; /* that a launch of the set-up may take (solids_turns()) */
};

/* The buffers, for a lattice whose grid and dim are set.  Returns how many. */
#define SOLIDS_FIELDS 22
#define SOLIDS_FIELDS_AT_REST 9
/* In cells: solid_phi tells no distances beyond, where solids move. */
#define SOLIDS_FARTHEST 6.0
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

/* What is thin, or of which nothing is known, splits cells wherever it is.  Of all, or the movers.
 */
bool solids_may_split(const struct solids *solids, bool movers_only);

/* ---- parts of solids_create() ------------------------------------------------------------- */

/* One measurement: what it fills, where, by which part of the program. */
struct solids_pass {
	struct lattice_box box;
	i32 ops; /* the first of `ops` */
	union u16_buffer *open_fraction, *kernel_open, *volume_open;
	union f32_buffer *phi;
	f32 farthest; /* m, phi is not more than that */
};
#define SOLIDS_RANGE(pass) \
	clx_range3((size_t)(pass)->box.nx, (size_t)(pass)->box.ny, (size_t)(pass)->box.nz)
/* Arguments that its kernels share. */
#define SOLIDS_SHAPES(solids, pass)                                               \
	.box = &(pass)->box, .ops = &(solids)->ops, .op_count = I32((pass)->ops), \
	.points = &(solids)->points

/* All of the lattice, of all solids, into the fields. */
struct solids_pass solids_whole(struct solids *solids);
/* solids_measure.c: phi and open_fraction; then, once solids->split is decided, and sides marked
 * if so, volume_open and kernel_open; all of it, for grid.gaps and solids->split as decided. */
bool solids_measure_faces(struct solids *solids, const struct solids_pass *pass);
bool solids_measure_rooms(struct solids *solids, const struct solids_pass *pass);
bool solids_measure(struct solids *solids, const struct solids_pass *pass);
/* Memory of the set-up, which is freed unless solids move. */
#define SOLIDS_BORROW(solids, member, name, count) \
	((solids)->member.raw.bytes > 0 ||         \
	 clx_alloc((solids)->lattice->cl, &(solids)->member, name, count))
#define SOLIDS_RETURN(solids, member)                                       \
	do {                                                                \
		if (!(solids)->moving)                                      \
			clx_free((solids)->lattice->cl, &(solids)->member); \
	} while (0)

/* solids_faces.c: the end of what one launch does of the `all` turns of a kernel's loop, from turn
 * `first` on, where each evaluates solids up to so many times: some devices cut long loops off
 * (loops.h; docs/portability.md).  One turn at least. */
i32 solids_turns(const struct solids *solids, i32 first, i32 all, i32 evaluations);
/* solids_references.c: of all cells of the box, for grid.gaps. */
bool solids_place_references(struct solids *solids, const struct solids_pass *pass);
/* After the set-up: they stay where particles ask for them, that is with solids->split. */
bool solids_keep_references(struct solids *solids);
/* The same, and open_fraction. */
bool solids_find_faces(struct solids *solids, const struct solids_pass *pass);

/* solids_samples.c: how many samples are kept at once. */
size_t solids_samples_room(const struct lattice *lattice);
/* volume_open, of what each cell sees and recesses that are counted to it, and kernel_open. */
bool solids_sum_rooms(struct solids *solids, const struct solids_pass *pass);
/* solids->weights and weight. */
bool solids_make_weights(struct solids *solids);

/*
 * solids_sides.c: rooms that solids cut off from their cells are counted to the next cell.
 *
 * Is there such room?  solids->split, and split_cells.  Are there gaps that hold no cell's centre?
 * grid.gaps; cells that cannot but belong to one then do, and faces open accordingly.
 */
bool solids_find_split(struct solids *solids, const struct solids_pass *pass);
/* split_cells, once that is decided. */
bool solids_mark_sides(struct solids *solids, const struct solids_pass *pass);

/* solids_shares.c.  Near solids volume_open becomes what a cell holds, by the particles' linear
 * weights, of liquid that fills the open room; before that it is the room between its faces, or
 * what solids_sum_rooms() counts to it. */
bool solids_share_volumes(struct solids *solids, const struct solids_pass *pass);

#endif
