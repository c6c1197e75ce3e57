/* Devices that end long loops of a kernel early (kernels/common/loop_guard.h). */
#ifndef FRESHET_LOOPS_H
#define FRESHET_LOOPS_H

#include "clx.h"

/* Is the device one?  *cut.  False after reporting. */
bool loops_probe(struct clx *cl, bool *cut);

/* Reports that it has ended loops that were needed.  False. */
bool loops_report(const struct clx *cl);

/* Has it, since the word SCALAR_LOOPS_CUT of `scalars` was 0?  For what runs before the first
 * substep; a substep has the word among those that it reads anyhow. */
bool loops_read(struct clx *cl, const union u32_buffer *scalars, bool *cut);

#endif
