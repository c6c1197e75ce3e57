/* Whole buffers written where a part would do (FRESHET_WRITES=whole), for Oclgrind --uninitialized
 * (docs/portability.md).
 *
 * Its record of what is defined in a buffer is made anew by every store of the host (a write, a
 * copy, each byte of a fill) with that store's size: behind it everything counts as undefined, and
 * stores of kernels there are not recorded.  So the host stores whole buffers only.  What kernels
 * left undefined in them counts as defined then, but was reported when they stored it. */
#include "clx_internal.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

/* The buffer that a view shows and the place of the view in it; a buffer's own otherwise. */
static bool find_whole(const struct clx_buffer *buffer, cl_mem *mem, size_t *offset, size_t *bytes)
{
	cl_int code = CL_SUCCESS;
	*mem = buffer->mem;
	*offset = 0;
	if (buffer->is_view) {
		code = clGetMemObjectInfo(buffer->mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem),
					  mem, NULL);
		if (code == CL_SUCCESS)
			code = clGetMemObjectInfo(buffer->mem, CL_MEM_OFFSET, sizeof(*offset),
						  offset, NULL);
	}
	if (code == CL_SUCCESS)
		code = clGetMemObjectInfo(*mem, CL_MEM_SIZE, sizeof(*bytes), bytes, NULL);
	return clx_check(code, "clGetMemObjectInfo", buffer->name, 0);
}

bool clx_store_whole(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		     const void *data)
{
	cl_mem mem = NULL;
	size_t start = 0, size = 0;
	if (!find_whole(buffer, &mem, &start, &size))
		return false;
	unsigned char *content = malloc(size);
	if (!content)
		return message_memory(size, buffer->name);
	bool ok = clx_check_wait(
		cl, clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, 0, size, content, 0, NULL, NULL),
		"clEnqueueReadBuffer", buffer->name, size);
	if (ok) {
		if (data)
			memcpy(content + start + offset, data, bytes);
		else
			memset(content + start + offset, 0, bytes);
		ok = clx_check_wait(cl,
				    clEnqueueWriteBuffer(cl->queue, mem, CL_TRUE, 0, size, content,
							 0, NULL, NULL),
				    "clEnqueueWriteBuffer", buffer->name, size);
	}
	free(content);
	return ok;
}

bool clx_copy_whole(struct clx *cl, const struct clx_buffer *from, size_t from_offset,
		    const struct clx_buffer *to, size_t to_offset, size_t bytes)
{
	void *data = malloc(bytes);
	if (!data)
		return message_memory(bytes, to->name);
	const bool ok = clx_check_wait(cl,
				       clEnqueueReadBuffer(cl->queue, from->mem, CL_TRUE,
							   from_offset, bytes, data, 0, NULL, NULL),
				       "clEnqueueReadBuffer", from->name, bytes) &&
			clx_store_whole(cl, to, to_offset, bytes, data);
	free(data);
	return ok;
}
