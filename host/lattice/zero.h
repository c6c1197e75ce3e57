/* Arrays set to zero, several in one launch (kernels/common/zero.cl): what one fill each would do.
 */
#ifndef FRESHET_ZERO_H
#define FRESHET_ZERO_H

#include "clx.h"

/* `bytes` of a buffer from byte `from` on, a multiple of 16. */
struct zero_part {
	union u8_buffer *buffer;
	size_t from, bytes;
};
/* All of a typed buffer; the first bytes of it. */
#define ZERO_ALL(of) ZERO_FIRST(of, (of)->bytes)
#define ZERO_FIRST(of, count)                              \
	(struct zero_part)                                 \
	{                                                  \
		.buffer = CLX_AS(u8, of), .bytes = (count) \
	}

/* Sets the parts to zero: a launch for every eight.  They may be empty and may not overlap.  False
 * after reporting. */
bool zero_parts(struct clx *cl, const struct zero_part *parts, size_t count);
#define ZERO(cl, ...)                                             \
	zero_parts((cl), (const struct zero_part[]){__VA_ARGS__}, \
		   sizeof((const struct zero_part[]){__VA_ARGS__}) / sizeof(struct zero_part))

#endif
