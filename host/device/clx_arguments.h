/* Device buffers, and the arguments of kernels by name and type. */
#ifndef FRESHET_CLX_ARGUMENTS_H
#define FRESHET_CLX_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel_list.h" /* generated: enum kernel_id { K_NAME..., KERNEL_COUNT } */
#include "shared.h"

/* A device buffer.  Zeroed = none.  Owned by whoever declares it; freed by clx_free().  name:
 * static, used in messages and in the memory table. */
#define CLX_BUFFER_MEMBERS      \
	void *mem; /* cl_mem */ \
	size_t bytes;           \
	const char *name;       \
	bool is_view
struct clx_buffer {
	CLX_BUFFER_MEMBERS;
};

/* One that knows the type of its elements: union f32_buffer, u32_buffer, ... for all that kernels
 * take.  `element` is only there for its type. */
#define CLX_TYPED_BUFFER(name, type)        \
	union name##_buffer {               \
		struct clx_buffer raw;      \
		struct {                    \
			CLX_BUFFER_MEMBERS; \
		};                          \
		type *element;              \
	}
/* A buffer's memory taken for another type: what lies there must have been written as that. */
#define CLX_AS(name, buffer) ((union name##_buffer *)(void *)&(buffer)->raw)

/* Arguments by value, and local memory, as members of struct args_NAME. */
struct clx_i32 {
	i32 value;
	bool given;
};
struct clx_u32 {
	u32 value;
	bool given;
};
struct clx_f32 {
	f32 value;
	bool given;
};
struct clx_local {
	size_t bytes;
};
/* clang-format off: it takes these for something else */
static inline struct clx_i32 I32(i32 value) {
	return (struct clx_i32){value, true};
} static inline struct clx_u32 U32(u32 value) {
	return (struct clx_u32){value, true};
} static inline struct clx_f32 F32(f32 value) {
	return (struct clx_f32){value, true};
} static inline struct clx_local LOCAL(size_t bytes) {
	return (struct clx_local){bytes};
}
/* clang-format on */

/* Where the arguments of a kernel lie in its struct. */
enum clx_parameter_kind {
	CLX_BUFFER,
	CLX_STRUCT,
	CLX_SCALAR,
	CLX_LOCAL
};
struct clx_parameter {
	const char *name;
	enum clx_parameter_kind kind;
	size_t offset, size; /* size: of what a pointer to a struct shows */
};
struct clx_signature {
	const struct clx_parameter *parameters;
	size_t count;
};
extern const struct clx_signature clx_signatures[KERNEL_COUNT];

/* Generated: struct args_NAME of every kernel, and the types of buffers. */
#include "kernel_launches.h"

#endif
