/*
 * Read by both compilers: the C11 host and OpenCL C 1.2.
 *
 * Everything the two sides must agree on: parameter structs, cell types, index functions and the
 * scalar maths whose bits must match.  Rules for this file:
 *   - structs hold 4-byte scalars only; the host asserts their size, the device reports its own
 *     layout at start-up (kernel `probe_layout`) and the two are compared;
 *   - functions use correctly rounded operations only (+ - * / sqrt), no contraction;
 *   - FRESHET_DEVICE is defined for OpenCL C, and only there.
 */
#ifndef FRESHET_SHARED_H
#define FRESHET_SHARED_H

#if defined(FRESHET_DEVICE) != (defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__))
#error "shared.h: FRESHET_DEVICE must be set for OpenCL C, and only there"
#endif

#ifdef FRESHET_DEVICE
typedef int i32;
typedef uint u32;
typedef ulong u64;
typedef long i64;
typedef float f32;
#define SHARED_GLOBAL global
#define SHARED_INLINE
#define shared_sqrt(x) sqrt(x)
#define shared_floor(x) floor(x)
#define shared_fabs(x) fabs(x)
#define REAL(x) x##f
#else
#include <math.h>
#include <stdint.h>
typedef int32_t i32;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;
typedef float f32;
#define SHARED_GLOBAL
#define SHARED_INLINE static inline
#define shared_sqrt(x) sqrtf(x)
#define shared_floor(x) floorf(x)
#define shared_fabs(x) fabsf(x)
#define REAL(x) x
#endif

/* Sides of the box, bit numbers of grid.open_walls. */
enum wall_side { WALL_X_LOW, WALL_X_HIGH, WALL_Y_LOW, WALL_Y_HIGH, WALL_Z_LOW, WALL_Z_HIGH };

/* Units of a whole cell, where liquid counts in integers (kernels/grid/vof_cell.h). */
#define VOLUME_ONE (1 << 30)

/* Cell types (u8 array `cell_type`, one per lattice point). */
enum cell_type {
	CELL_AIR = 0,	 /* holds no liquid, pressure 0 */
	CELL_LIQUID = 1, /* unknown of the pressure solve */
	CELL_SOLID = 2,	 /* every face closed, or outside the box */
};

/*
 * The grid and its lattice.
 *
 * One index serves every field: lattice point (i,j,k) -> (k*py + j)*px + i, x fastest, with
 * px = nx+1, py = ny+1, pz = nz+1 (pz = 1 in 2D, where nz = 1 and k = 0).
 *   node (i,j,k)            at (i, j, k) h
 *   cell (i,j,k)            centre at (i+1/2, j+1/2, k+1/2) h; exists for i<nx, j<ny, k<nz
 *   face of component 0     at (i, j+1/2, k+1/2) h; exists for i<=nx, j<ny, k<nz
 *   component 1, 2          likewise on y-faces and z-faces
 * Face arrays hold DIM components one after the other, component c at offset c*lattice.
 * Slots that belong to no cell or face hold 0 (cell_type: CELL_SOLID).
 */
struct grid {
	i32 nx, ny, nz;		    /* cells */
	i32 px, py, pz;		    /* lattice points per axis */
	i32 lattice;		    /* px*py*pz */
	i32 bx, by, bz;		    /* sort blocks per axis, see block_key() */
	i32 keys;		    /* bx*by*bz*BLOCK_CELLS, number of sort keys */
	i32 open_walls;		    /* bit per wall_side: 1 = open (air outside), 0 = closed */
	f32 h, inv_h;		    /* cell size, m, and its reciprocal */
	f32 size_x, size_y, size_z; /* box, m (size_z = h in 2D) */
	i32 gaps;		    /* 1 = beside plates are gaps that hold no cell's centre */
};

/* A part of the lattice: points (i,j,k) to (i + nx - 1, ...). */
struct lattice_box {
	i32 i, j, k, nx, ny, nz;
};

/* Words of a solid that moves, for one substep; f32.  Turns are unit quaternions, the real part
 * first. */
enum mover_word {
	MOVER_FROM_TURN = 0, /* [4] at the start */
	MOVER_TO_TURN = 4,   /* [4] at the end */
	MOVER_FROM = 8,	     /* [3] m, where its center is at the start */
	MOVER_TO = 11,	     /* [3] m, at the end */
	MOVER_CENTER = 14,   /* [3] m, of the shape as it is told */
	MOVER_VELOCITY = 17, /* [3] m/s, of the center, over the substep */
	MOVER_SPIN = 20,     /* [3] rad/s */
	MOVER_WAY = 23,	     /* m, bounds how far the center goes */
	MOVER_ANGLE = 24,    /* rad, bounds the turn */
	MOVER_REACH = 25,    /* m, bounds distances from the center */
	MOVER_WORDS = 32,
};

/* An unevaluated sum of two floats. */
struct pair {
	float high, low;
};

/* Shape of the sums in float pairs (kernels/common/pairs.h): chunks of 1024 elements, 8 to a
 * work-group, in 32 lanes each; the chunk sums in 256 lanes. */
#define PAIRS_CHUNK 1024
#define PAIRS_LANES 32
#define PAIRS_GROUP_CHUNKS 8
#define PAIRS_FINAL_LANES 256

/* How a launch over chunks ends that sums them up (kernels/pressure/cg_end.h): what for, enum
 * cg_scalar; how many chunks there are, listed or not; when a solve is done. */
struct cg_end {
	i32 what, chunks;
	f32 tolerance;
	i32 max_iterations;
};

/* The density kernel k(s) = (1 - s^2)^3, s = distance / (DENSITY_RADIUS h) (Ando et al. 2012): its
 * integral over h^dim, and -d(rho/rho0)/d(distance / radius) at a flat surface, where rho/rho0 =
 * 1/2. */
#define DENSITY_RADIUS 2.0f
#define DENSITY_INTEGRAL(dim) ((dim) == 3 ? REAL(5.10633473059) : REAL(3.14159265358979))
#define DENSITY_SLOPE(dim) ((dim) == 3 ? 1.230f : 1.164f)

/* Parts that a coarse cell of the multigrid may have (kernels/multigrid/mg_parts.h). */
#define MG_CELL_PARTS(dim) ((dim) == 3 ? 8 : 4)

/* A fraction of 1 in the u16 arrays open_fraction, volume_open, kernel_open. */
#define FRACTION_ONE 32768

/* Turns of kernels' loops over a cell's surroundings, which launches share (solids_turns()): blocks
 * of a cell by their middles and points; its corners with middles of edges and faces, and those and
 * samples. */
#define SOLIDS_SHARES(dim) ((dim) == 2 ? 16 * 17 : 8 * 9)
#define SOLIDS_CORNERS(dim) ((dim) == 2 ? 9 : 27)
#define SOLIDS_POINTS(dim) (SOLIDS_CORNERS(dim) + 64)

/* volume_open counts in steps of 1/FRACTION_ONE up to ROOM_FINE, then of ROOM_COARSE/FRACTION_ONE:
 * inner corners of plates are counted to cells that then hold several. */
#define ROOM_FINE 61440
#define ROOM_COARSE 64
/* What volume_open holds, in 1/FRACTION_ONE. */
SHARED_INLINE u32 room_units(u32 stored)
{
	return stored <= ROOM_FINE ? stored : ROOM_FINE + (stored - ROOM_FINE) * ROOM_COARSE;
}

/* `component` (u16): liquid without a tie to pressure 0 is numbered, all else holds SEALED_NONE. */
#define SEALED_NONE 0xffffu
#define SEALED_MOST 0xffffu
/* Particles of a work-item of solids_cut_density(): most share their cell with the one before. */
#define SOLIDS_SUMS_RUN 8

/* Cells along a row, and such rows, whose sums over singular components a work-item makes. */
struct components_share {
	i32 cells, rows;
};

/* A removed particle's id; the sort moves it behind the living ones. */
#define ID_REMOVED 0xffffffffu

/* Two hashes of an id: 2^32 to one each that a lost or doubled one goes unseen in their sums.  Any
 * mixing will do; this is the finaliser of MurmurHash3. */
#define LEDGER_FIRST 0x6c656467u
#define LEDGER_SECOND 0x65723032u
SHARED_INLINE u32 ledger_hash(u32 id, u32 which)
{
	u32 h = id * 0x9e3779b9u ^ which;
	h = (h ^ h >> 16) * 0x85ebca6bu;
	h = (h ^ h >> 13) * 0xc2b2ae35u;
	return h ^ h >> 16;
}

/*
 * Bricks of the grid, and the lists of those near liquid or with unknowns (host/lattice/bricks.h).
 * A brick has BRICK_X points along x and BRICK_ROWS rows: along y in 2D, 4 x 4 in 3D.  A list has
 * BRICK_WORDS words for each: its first point, or the number of a chunk, and which of its rows
 * count, those of a chunk being the elements that its lanes take in one step.
 */
#define BRICK_X 32
#define BRICK_ROWS 16
#define BRICK_POINTS (BRICK_X * BRICK_ROWS)
#define BRICK_EDGE_3D 4
#define BRICK_WORDS 4
#define CHUNK_ROWS (PAIRS_CHUNK / PAIRS_LANES)
#define MG_MAX_LEVELS 16
enum brick_list {
	BRICKS_BAND,   /* of lattice points within reach of extrapolation */
	BRICKS_CHUNKS, /* chunks of PAIRS_CHUNK lattice points with liquid, for sums */
	BRICKS_SOLVER, /* chunks of elements of level 0 of the multigrid hierarchy with unknowns */
	BRICKS_LEVEL,  /* of cells of level 0, those with unknowns; then of the other levels */
	BRICK_LISTS = BRICKS_LEVEL + MG_MAX_LEVELS
};
/* One list: which of the `slots` it owns, and what a slot stands for. */
struct brick_layout {
	i32 first, slots;
	i32 nx, ny; /* bricks per axis; of chunks none */
	i32 reach;  /* in cells, of a particle; of BRICKS_SOLVER and BRICKS_LEVEL none */
};
/* One launch over a list: its first slot, its length, and bricks per layer of work-items, since
 * devices have few along the last two axes (clx_bricks()). */
struct brick_run {
	i32 first, count;
	i32 per_layer;
};
#define BRICK_LAYER 1024
/* Cells of a brick along x and along the other axes. */
#define MG_TILE_X BRICK_X
#define MG_TILE_Y(dim) ((dim) == 3 ? BRICK_EDGE_3D : BRICK_ROWS)
/* Places of a row of n cells with one more on both sides, an even number. */
#define MG_WHOLE_WIDTH(n) (((n) + 3) / 2 * 2)

/* Sums of the particle statistics, see kernels/common/reduce.cl. */
enum particle_sum {
	SUM_KINETIC, /* sum of |v|^2 / 2, m^2/s^2 */
	SUM_X,
	SUM_Y,
	SUM_Z, /* positions, m */
	SUM_VX,
	SUM_VY,
	SUM_VZ, /* velocities, m/s */
	PARTICLE_SUMS
};
/* Words of the counts that go with them (kernels/particles/statistics.cl). */
#define STATISTICS_COUNTS 5

/* Sums that force fields make at once: force . v, and the force by component. */
#define FORCE_SUMS 4

/* Sums among the scalars, after those. */
enum total {
	TOTAL_VOLUME = PARTICLE_SUMS,
	TOTAL_WALLS, /* one per axis */
	TOTAL_SWELLED = TOTAL_WALLS + 3,
	TOTAL_SHRUNK,
	/* Of force fields, by particles (kernels/transfer/force_fields.cl): force . v before, the
	 * force, force . v after. */
	TOTAL_FORCE_BEFORE,
	TOTAL_FORCE,
	TOTAL_FORCE_AFTER = TOTAL_FORCE + 3,
	/* The work of friction, and its impulse by axis. */
	TOTAL_FRICTION,
	TOTALS = TOTAL_FRICTION + 4
};

/* Most drains, outflows and emitters of a scene. */
#define DRAINS_MOST 16
#define OUTFLOWS_MOST 16
#define EMITTERS_MOST 16

/*
 * Words of the device's scalar buffer (u32; floats as their bits).  Maxima of non-negative floats
 * are taken over the bits as integers, which order the same way.
 */
enum scalar {
	SCALAR_SPEED_BOUND,	  /* f32, max over particles of |v_c| + h sum_j |C_cj| */
	SCALAR_PARTICLE_SPEED,	  /* f32, max over particles of |v|^2 at its start */
	SCALAR_MAX_PPC,		  /* most particles in a cell */
	SCALAR_NON_FINITE,	  /* NON_FINITE_... after a NaN or Inf was seen */
	SCALAR_GRID_SPEED,	  /* f32, max over faces near liquid of |u| per component */
	SCALAR_DIVERGENCE_BEFORE, /* f32, max |flux sum| over liquid cells, m/s (divide by h) */
	SCALAR_DIVERGENCE_AFTER,
	SCALAR_LIQUID_CELLS,
	SCALAR_COMPONENTS,
	SCALAR_SINGULAR_COMPONENTS,
	SCALAR_AIR_REGIONS,
	SCALAR_FEWEST_PPC, /* greatest complement of the number in a cell that holds particles */
	SCALAR_INTERIOR_CELLS,
	SCALAR_INTERIOR_EMPTY,
	SCALAR_DRIFT_REACH, /* cells that particles are outside the blocks of their sort */
	SCALAR_LIVING,	    /* particles, counted; sums of ledger_hash() of their ids */
	SCALAR_LIVING_FIRST,
	SCALAR_LIVING_SECOND,
	SCALAR_LOOPS_CUT,   /* 1 after the device ended a kernel's loops early,
			       kernels/common/loop_guard.h */
	SCALAR_SORTED,	    /* particles that the sort has kept */
	SCALAR_SPEED_AFTER, /* f32, max over particles or liquid cells of |v|^2 at the end of the
			       substep */
	/* Of liquid on the grid alone (kernels/grid/), in units of VOLUME_ONE; sums: the lower
	 * word, then the upper one. */
	SCALAR_CELL_FLOW,     /* f32, max over cells of what flows in or out, m/s times a face */
	SCALAR_VOLUME_BEFORE, /* in cells, then */
	SCALAR_VOLUME_AFTER = SCALAR_VOLUME_BEFORE + 2,
	SCALAR_VOLUME_OUT = SCALAR_VOLUME_AFTER + 2, /* through open walls */
	SCALAR_VOLUME_LACK = SCALAR_VOLUME_OUT + 2,  /* most below 0 in a cell */
	SCALAR_VOLUME_EXCESS,			     /* most above VOLUME_ONE */
	SCALAR_VOLUME_CLIPPED,			     /* outflows cut to what was there */
	SCALAR_LEVELSET_UNITS, /* sums below a level set, and below it less a step */
	SCALAR_LEVELSET_WIDER = SCALAR_LEVELSET_UNITS + 2,
	/* Of particles that smooth (kernels/sph/): sums, the lower word, then the upper one, of
	 * their neighbours and of densities above 1, in units of 2^-24; most neighbours; f32, the
	 * greatest density; the greatest |shift|^2, m^2. */
	SCALAR_SPH_NEIGHBOURS = SCALAR_LEVELSET_WIDER + 2,
	SCALAR_SPH_EXCESS = SCALAR_SPH_NEIGHBOURS + 2,
	SCALAR_SPH_MOST = SCALAR_SPH_EXCESS + 2,
	SCALAR_SPH_DENSEST,
	SCALAR_SPH_SHIFT,
	SCALAR_TOTALS = (SCALAR_SPH_SHIFT + 2) / 2 * 2, /* struct pair [TOTALS], enum total */
	SCALAR_BRICKS = SCALAR_TOTALS + 2 * TOTALS,	/* bricks listed, by list */
	SCALAR_PUSHED = SCALAR_BRICKS + BRICK_LISTS,	/* totals over the run */
	SCALAR_ESCAPED,
	SCALAR_REMOVED_OPEN,
	SCALAR_REMOVED_FIRST, /* sums over all that were removed, as above */
	SCALAR_REMOVED_SECOND,
	SCALAR_DRAINED,				     /* removed by drains, [DRAINS_MOST] */
	SCALAR_FLOWN = SCALAR_DRAINED + DRAINS_MOST, /* by outflows, [OUTFLOWS_MOST] */
	SCALAR_COUNT = SCALAR_FLOWN + OUTFLOWS_MOST
};

/* Values from here on count as not finite: their squares still are. */
#define HUGE_FROM 1e18f
/* Where one was. */
#define NON_FINITE_PARTICLE 1u
#define NON_FINITE_GRID 2u

/* Fixed point of the splats: a weight is weight_bits wide, a velocity component is an integer
 * times 2^velocity_exponent m/s.  Chosen so that no sum can overflow, see host/stages/transfer.c.
 */
struct splat_scale {
	i32 weight_bits;
	i32 velocity_bits;
	f32 to_integer;	 /* 2^-velocity_exponent, s/m */
	f32 to_velocity; /* 2^velocity_exponent, m/s */
};

/*
 * What body forces add to the velocity of a face in a substep, m/s: of component c,
 *   first[c] + i slope[3c] + j slope[3c + 1] + k slope[3c + 2]  at the face of lattice point
 * (i,j,k).
 */
struct kick {
	f32 first[3];
	f32 slope[9];
	i32 varies; /* 0: every slope is 0 */
};

/* A matrix that turns vectors, less the unit matrix; row = component.  Small where the turn is, so
 * that rounding it does not change lengths. */
struct turn {
	f32 m[9];
};

/* Particles are sorted by blocks of 64 cells (8x8 in 2D, 4x4x4 in 3D), then by cell within. */
#define BLOCK_CELLS 64
#define BLOCK_EDGE(dim) ((dim) == 3 ? 4 : 8)

/* How particles are splatted onto the grid; all give the same integers. */
enum splat_path {
	SPLAT_BLOCK, /* a work-item owns a block of particles, for CPUs */
	SPLAT_BRICK, /* a work-group owns a brick of the grid, in local memory */
};

/* Particles for one work-item of a kernel that goes through them in vectors
 * (kernels/common/lanes.h). */
#define LANES_CHUNK 1024

/*
 * Shapes: a program in reverse Polish order.  Primitives push a distance, pairs combine the two
 * topmost values.  X(KIND, name, ...): SHAPE_KIND; `name`, the word in scenes; shape_name() of
 * shape.h, of primitives with its arguments; shape_primitive_name or shape_pair_name of
 * host/scene/shapes/.
 */
#define SHAPE_ANALYTIC(X)                                                                          \
	X(BOX, box, (dim, op, p))	   /* a[0..2] min, a[3..5] max */                          \
	X(SPHERE, sphere, (op, p))	   /* a[0..2] centre, a[3] radius; a disc in 2D */         \
	X(HALF_SPACE, half_space, (op, p)) /* a[0..2] point, a[3..5] unit normal; solid behind */  \
	X(CAPSULE, capsule, (op, p))	   /* a[0..2], a[3..5] end points, a[6] radius */          \
	X(CYLINDER, cylinder, (op, p))	   /* a[0..2], a[3..5] centres of the caps, a[6] radius */ \
	X(POLYGON, polygon, (op, points, p)) /* 2D; first vertex, count of vertices */
/* And what kernels have only where a scene asks for it (clx_use_meshes()). */
#define SHAPE_PRIMITIVES(X) \
	SHAPE_ANALYTIC(X)   \
	X(MESH, mesh,       \
	  (op, points, p)) /* 3D; first, count of the pairs of its words, shape_mesh.h */
#define SHAPE_PAIRS(X)                                     \
	X(UNION, union)		      /* min of the two */ \
	X(INTERSECTION, intersection) /* max of the two */ \
	X(DIFFERENCE, difference)     /* max of the lower and minus the topmost value */

#define SHAPE_PRIMITIVE_KIND(KIND, name, arguments) SHAPE_##KIND,
#define SHAPE_PRIMITIVE_ONE(KIND, name, arguments) +1
#define SHAPE_PAIR_KIND(KIND, name) SHAPE_##KIND,
#define SHAPE_PAIR_ONE(KIND, name) +1
enum shape_kind {
	SHAPE_PRIMITIVES(SHAPE_PRIMITIVE_KIND) /* SHAPE_BOX, ... */
	SHAPE_PAIRS(SHAPE_PAIR_KIND)	       /* SHAPE_UNION, ... */
	SHAPE_INVERT,			       /* minus the topmost value */
	/* Around what moves, in programs of solids only: from the first to the second the point is
	 * looked at in the axes that the shape is told in.  first, count: of its pairs of words;
	 * a[0]: radius of a ball about its centre that holds it, 0: not told; a[1]: m from it
	 * beyond which that distance is enough; a[2]: instructions on to SHAPE_PLACED */
	SHAPE_PLACE,
	SHAPE_PLACED,
};
/* f32: rotation, row by row; where its centre is, m; its centre; 0. */
#define SHAPE_PLACE_PAIRS 8
/* How many there are of the first ones. */
#define SHAPE_PRIMITIVE_KINDS (0 SHAPE_PRIMITIVES(SHAPE_PRIMITIVE_ONE))
#define SHAPE_PAIR_KINDS (0 SHAPE_PAIRS(SHAPE_PAIR_ONE))
#define SHAPE_STACK 16 /* deepest program accepted, checked by the scene reader */

/* One instruction, 40 bytes.  Lengths in metres, coordinates in the scene's frame. */
struct shape_op {
	i32 kind;
	i32 first, count; /* of a polygon's vertices, of a mesh's or a place's words in pairs; else
			     0 */
	f32 a[7];
};

/*
 * Smoothed particles (kernels/sph/).  q = r/R, R the radius of the kernel; V the volume of a
 * particle, a constant.
 */
enum sph_kernel { SPH_WENDLAND, SPH_CUBIC, SPH_GAUSSIAN };
struct sph_params {
	i32 stride, n; /* of arrays of particles; how many there are */
	/* Lists of neighbours: so many of a particle at most, those with more look for them; the
	 * n-th of particle i is at i particle_step + n slot_step. */
	i32 slots, particle_step, slot_step;
	i32 keeps;  /* gradients are kept beside the lists */
	i32 reach;  /* cells that R may span */
	i32 shape;  /* enum sph_kernel */
	f32 square; /* R^2, m^2 */
	f32 inv_radius;
	f32 weight; /* V W = weight * sph_weight(q) */
	f32 slope;  /* V grad W = slope * sph_slope(q) * x_ij, 1/m^2 */
	f32 least;  /* of a diagonal of the operator that counts, 1/m^2 */
};
/* An entry of a list: the particle, and for each axis 0: itself, 1: its image beyond the lower
 * wall, 2: beyond the upper one, in base 3. */
#define SPH_INDEX_BITS 27

/* How sums of a solve of smoothed particles end (kernels/sph/sph_end.h). */
enum sph_sum { SPH_SUM_SOURCE, SPH_SUM_BEGIN, SPH_SUM_PRODUCT, SPH_SUM_UPDATE };
struct sph_end {
	i32 what, chunks; /* enum sph_sum */
	i32 n;
	i32 max_iterations;
	f32 tolerance; /* of |r| beside that of what is to be pushed apart */
	f32 floor;     /* and for each particle, root mean square */
};
enum sph_word {
	SPH_SOURCE, /* f32, sum of the squares of the positive parts of b */
	SPH_RR,	    /* f32 */
	SPH_RZ,
	SPH_ALPHA,
	SPH_BETA,
	SPH_ITERATIONS,
	SPH_DONE,
	SPH_WORDS
};

/*
 * One level of the multigrid hierarchy.  A vector of a level is stored as two compact arrays, red
 * cells (i+j+k even) then black ones, each with a halo of one:
 *   element (colour, m, j, k), i = 2m + ((j+k+colour) & 1), is at
 *   offset + colour*colour_stride + (k+halo_z)*plane + (j+1)*pitch + m + 1
 * so that the neighbours of a cell are at the same place (y, z: one pitch or plane away) in the
 * other colour's array.  The halo holds zeros.
 */
struct mg_level {
	i32 nx, ny, nz;	  /* cells */
	i32 row;	  /* ceil(nx/2): compact cells per row of one colour */
	i32 pitch, plane; /* elements per row and per plane of one colour */
	i32 colour_stride;
	i32 offset;	  /* of this level within the array that holds all levels */
	f32 full_link[3]; /* value of a fully open link per axis */
	/* Second and further parts of cells, kernels/multigrid/mg_parts.h. */
	i32 extras;	  /* room for so many; 0: every cell is one unknown */
	i32 extra_offset; /* of the first one within the array that holds all levels */
	i32 row_offset;	  /* of the first one's links */
	i32 coarse_shift; /* from a cell's place to that in arrays of the coarse levels alone */
};

#endif
