/*
 * What both compilers must lay out alike: sizes of the shared structs and places of members, for
 * the self-test.  PROBE_LAYOUT(STRUCT, MEMBER) goes through them in a fixed order.
 */
#ifndef FRESHET_PROBE_LAYOUT_H
#define FRESHET_PROBE_LAYOUT_H

#include "coupling_params.h"
#include "force_params.h"
#include "friction_params.h"
#include "inflow_params.h"
#include "load_params.h"
#include "render_params.h"
#include "seed_params.h"
#include "shared.h"
#include "surface_params.h"

#define PROBE_LAYOUT(STRUCT, MEMBER)          \
	STRUCT(grid)                          \
	MEMBER(grid, px)                      \
	MEMBER(grid, lattice)                 \
	MEMBER(grid, h)                       \
	MEMBER(grid, size_z)                  \
	STRUCT(lattice_box)                   \
	MEMBER(lattice_box, nz)               \
	STRUCT(splat_scale)                   \
	MEMBER(splat_scale, to_velocity)      \
	STRUCT(kick)                          \
	MEMBER(kick, varies)                  \
	STRUCT(turn)                          \
	STRUCT(shape_op)                      \
	MEMBER(shape_op, a[6])                \
	STRUCT(mg_level)                      \
	MEMBER(mg_level, offset)              \
	MEMBER(mg_level, full_link[2])        \
	STRUCT(brick_layout)                  \
	MEMBER(brick_layout, reach)           \
	STRUCT(brick_run)                     \
	MEMBER(brick_run, per_layer)          \
	STRUCT(seed_params)                   \
	MEMBER(seed_params, pivot[2])         \
	STRUCT(inflow_params)                 \
	MEMBER(inflow_params, velocity[2])    \
	STRUCT(load_params)                   \
	MEMBER(load_params, spin_change[2])   \
	STRUCT(coupling_body)                 \
	MEMBER(coupling_body, relax)          \
	STRUCT(coupling_pair)                 \
	STRUCT(coupling_row)                  \
	STRUCT(force_params)                  \
	MEMBER(force_params, vector[2])       \
	STRUCT(friction_params)               \
	MEMBER(friction_params, across_rough) \
	STRUCT(friction_part)                 \
	MEMBER(friction_part, center[2])      \
	STRUCT(render_range)                  \
	MEMBER(render_range, color[2])        \
	STRUCT(render_map)                    \
	MEMBER(render_map, scale)             \
	MEMBER(render_map, contour)           \
	STRUCT(render_camera)                 \
	MEMBER(render_camera, eye[2])         \
	MEMBER(render_camera, line)           \
	STRUCT(surface_grid)                  \
	MEMBER(surface_grid, size[2])

/* All words of struct mg_level, which the kernel gets by value. */
#define PROBE_BY_VALUE(WORD) \
	WORD(nx)             \
	WORD(ny)             \
	WORD(nz)             \
	WORD(row)            \
	WORD(pitch)          \
	WORD(plane)          \
	WORD(colour_stride)  \
	WORD(offset)         \
	WORD(full_link[0])   \
	WORD(full_link[1])   \
	WORD(full_link[2])   \
	WORD(extras)         \
	WORD(extra_offset)   \
	WORD(row_offset)     \
	WORD(coarse_shift)
#define PROBE_WORDS (sizeof(struct mg_level) / sizeof(u32))

/* Results of probe_arithmetic per triple. */
enum probe_operation {
	PROBE_DIVIDE,  /* a / b */
	PROBE_SQRT,    /* sqrt |a| */
	PROBE_FMA,     /* a b + c, rounded once */
	PROBE_MUL_ADD, /* a b + c, rounded twice */
	PROBE_RINT,    /* to the nearest whole number, ties to even */
	PROBE_CONVERT, /* float of the product of the bits of a and b as i32 */
	PROBE_OPERATIONS
};

/* Results of the atomics, u32. */
enum probe_atomic {
	PROBE_SUM,
	PROBE_MAX,
	PROBE_MIN,
	PROBE_OR,
	PROBE_COUNT,
	PROBE_PAIR_LOW, /* a 64-bit sum in two words, the low one carries */
	PROBE_PAIR_HIGH,
	PROBE_LOCAL_SUM, /* in local memory, one work-group */
	PROBE_LOCAL_PAIR_LOW,
	PROBE_LOCAL_PAIR_HIGH,
	PROBE_ATOMICS
};

#endif
