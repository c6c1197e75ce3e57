/* What a simulation's arrays are: one row tells name, shape, unit, and who keeps it. */
#ifndef FRESHET_SIM_FIELD_H
#define FRESHET_SIM_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "shared.h"

/* Elements, for L lattice points, D dimensions, N particles of capacity. */
enum field_shape {
	SHAPE_POINTS,	   /* [L], at cell centres */
	SHAPE_FACES,	   /* [D][L], at faces across each axis */
	SHAPE_SOLID_FACES, /* the same; [1] if the scene has no solids */
	SHAPE_FLOW,	   /* the same; [1] without inflows, outflows and solids that move */
	SHAPE_FORCE,	   /* the same; [1] if the scene has no force fields */
	SHAPE_FRICTION,	   /* the same; [1] if nothing rubs */
	SHAPE_SPHERES,	   /* [L], at cell centres; [1] unless liquid.surface is `spheres` */
	SHAPE_MASK,	   /* [L], bits for the D faces of a point */
	SHAPE_UNKNOWNS,	   /* [max(L, unknowns of the solver)], the first L at cell centres */
	SHAPE_STARTS,	   /* [max(sort keys + 2, unknowns)] */
	SHAPE_SCAN,	   /* scratch of a scan over the sort keys */
	SHAPE_SCALARS,	   /* [SCALAR_COUNT] */
	SHAPE_HASHES,	   /* [SIM_HASH_ITEMS] */
	SHAPE_PARTIALS,	   /* sums of chunks of particles, cells, unknowns */
	SHAPE_PARTICLE,	   /* [N]; as those below, empty if the scene's particles do not carry it */
	SHAPE_VECTOR,	   /* [D][N] */
	SHAPE_MATRIX,	   /* [D*D][N] */
	SHAPE_ORDER,	   /* [N]; empty unless solids split cells */
	SHAPE_PLACES,	   /* [D][N]; empty unless they do, and move */
	SHAPE_PARTICLE_CHUNKS, /* [2][chunks of N], two sums */
	SHAPE_NEIGHBOURS,      /* [slots of a list][N] */
	SHAPE_NEAR,	       /* [N + 1]; empty unless particles act on those near them */
	SHAPE_NEAR_VECTORS,    /* [D][N]; likewise */
	SHAPE_ALL_SCRATCH,     /* the scratch itself, in bytes */
	SHAPE_SOLIDS,	       /* of struct solids, which owns it */
	SHAPE_HOST,	       /* one struct on the host, not a buffer */
};

enum field_memory {
	KEPT,	 /* a buffer of its own, whose contents are wanted between substeps */
	LENT,	 /* a buffer of its own, free for others while nobody needs what it holds */
	SCRATCH, /* in the shared scratch, for as long as stages need it */
};

enum field_type { FIELD_OTHER, FIELD_F32, FIELD_U32, FIELD_U8 };
#define FIELD_TYPE(value)             \
	_Generic((value), f32         \
		 : FIELD_F32, u32     \
		 : FIELD_U32, uint8_t \
		 : FIELD_U8, default  \
		 : FIELD_OTHER)

struct sim_field {
	size_t member;	  /* offset in struct sim: of a buffer's `raw`, or of the struct */
	const char *name; /* static, of the buffer: messages, `freshet check`, docs/memory.md */
	enum field_shape shape;
	enum field_memory memory;
	size_t size; /* bytes of an element */
	enum field_type type;
	/* Its name in checkpoints, and part of the hash of the state; NULL: it is made anew in
	 * every substep.  Of particles, the living ones are saved.  `unit` says its unit there. */
	const char *saved;
	const char *unit;    /* NULL: a number */
	bool saved_negative; /* words of two's complement: i32 there, whatever the buffer's type */
	/* What the values of an f32 field are, where people are to see one that is not finite;
	 * NULL: nobody looks.  Vectors are told by component. */
	const char *quantity;
	bool hashed;   /* in the hash of a stage that writes it: equal on every device */
	bool sparse;   /* holds values only where the mask of valid faces has its bit */
	u32 hash_mask; /* of words, for the hash of a stage; 0: all bits */
};

/* A typed buffer of struct sim as the row's first members. */
#define SIM_FIELD(member_, name_, shape_, memory_)                                       \
	.member = offsetof(struct sim, member_), .name = name_, .shape = SHAPE_##shape_, \
	.memory = memory_, .size = sizeof(*((struct sim *)0)->member_.element),          \
	.type = FIELD_TYPE(*((struct sim *)0)->member_.element)

#endif
