/* Memory and commands of OpenCL, for its row of struct clx_driver, which says what each does. */
#ifndef FRESHET_CLX_OPENCL_H
#define FRESHET_CLX_OPENCL_H

#include "clx_internal.h"

bool opencl_allocate(struct clx *cl, const char *name, size_t bytes, void **taken);
bool opencl_view(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		 const char *name, void **taken);
void opencl_release(void *mem);
bool opencl_size(void *mem, size_t *bytes);
bool opencl_write(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		  const void *data);
bool opencl_read(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		 void *data);
bool opencl_fill(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes);
bool opencl_copy(struct clx *cl, const struct clx_buffer *from, size_t from_offset,
		 const struct clx_buffer *to, size_t to_offset, size_t bytes);
bool opencl_launch(struct clx *cl, const struct clx_launch_info *launch);
bool opencl_wait(struct clx *cl);
bool opencl_collect(struct clx *cl);

#endif
