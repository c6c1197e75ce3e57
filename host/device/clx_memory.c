/* Buffers, views, transfers: see clx.h. */
#include "clx_internal.h"

#include "message.h"

#define MIB(bytes) ((double)(bytes) / 1048576.0)

bool clx_memory_fits(const struct clx *cl, uint64_t total, uint64_t largest)
{
	return largest <= cl->info.max_allocation && cl->memory_in_use <= cl->info.global_memory &&
	       total <= cl->info.global_memory - cl->memory_in_use;
}

bool clx_memory_refuse(const struct clx *cl, uint64_t total, uint64_t largest, const char *hint)
{
	const struct clx_device_info *info = &cl->info;
	return message_error("not enough device memory: %.0f MiB needed (%.0f MiB in use), the "
			     "largest buffer needs %.0f MiB; %s has %.0f MiB, at most %.0f MiB per "
			     "buffer; %s",
			     MIB(total), MIB(cl->memory_in_use), MIB(largest), info->name,
			     MIB(info->global_memory), MIB(info->max_allocation), hint);
}

bool clx_alloc_raw(struct clx *cl, struct clx_buffer *buffer, const char *name, size_t count,
		   size_t size)
{
	void *mem = NULL;
	size_t bytes = count * size;
	*buffer = (struct clx_buffer){0};
	if (count && bytes / count != size)
		return message_error("buffer %s: %zu elements of %zu B overflow the address space",
				     name, count, size);
	if (!bytes)
		bytes = size;
	if (!clx_memory_fits(cl, bytes, bytes)) {
		clx_memory_refuse(cl, bytes, bytes, "reduce domain.cells or particles_per_cell");
		return message_error("buffer %s could not be allocated", name);
	}
	if (!cl->driver->allocate(cl, name, bytes, &mem))
		return false;
	*buffer = (struct clx_buffer){mem, bytes, name, false};
	cl->memory_in_use += bytes;
	if (cl->memory_in_use > cl->memory_peak)
		cl->memory_peak = cl->memory_in_use;
	if (!clx_zero_raw(cl, buffer, 0, bytes)) {
		clx_free_raw(cl, buffer);
		return false;
	}
	return true;
}

void clx_free_raw(struct clx *cl, struct clx_buffer *buffer)
{
	if (buffer->mem) {
		cl->driver->release(buffer->mem);
		cl->buffers_freed++;
	}
	if (buffer->mem && !buffer->is_view)
		cl->memory_in_use -= buffer->bytes;
	*buffer = (struct clx_buffer){0};
}

static bool in_range(const struct clx_buffer *buffer, size_t offset, size_t bytes, const char *what)
{
	if (offset <= buffer->bytes && bytes <= buffer->bytes - offset)
		return true;
	return message_error("%s of %zu B at %zu is outside buffer %s (%zu B)", what, bytes, offset,
			     buffer->name ? buffer->name : "(none)", buffer->bytes);
}

bool clx_view_raw(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		  const char *name, struct clx_buffer *view)
{
	void *mem = NULL;
	*view = (struct clx_buffer){0};
	if (!in_range(buffer, offset, bytes, "view"))
		return false;
	if (offset % cl->info.view_alignment != 0)
		return message_error("view %s at %zu B: %s wants multiples of %zu B", name, offset,
				     cl->info.name, cl->info.view_alignment);
	if (!cl->driver->view(cl, buffer, offset, bytes, name, &mem))
		return false;
	*view = (struct clx_buffer){mem, bytes, name, true};
	return true;
}

bool clx_write_raw(struct clx *cl, struct clx_buffer *buffer, size_t offset, size_t bytes,
		   const void *data)
{
	if (!bytes)
		return true;
	cl->stage_counts[cl->stage].transfers++;
	return in_range(buffer, offset, bytes, "write") &&
	       cl->driver->write(cl, buffer, offset, bytes, data);
}

bool clx_read_raw(struct clx *cl, const struct clx_buffer *buffer, size_t offset, size_t bytes,
		  void *data)
{
	if (!bytes)
		return true;
	cl->stage_counts[cl->stage].transfers++;
	return in_range(buffer, offset, bytes, "read") &&
	       cl->driver->read(cl, buffer, offset, bytes, data);
}

bool clx_zero_raw(struct clx *cl, struct clx_buffer *buffer, size_t offset, size_t bytes)
{
	if (!bytes)
		return true;
	if (!in_range(buffer, offset, bytes, "fill"))
		return false;
	clx_count(cl);
	cl->stage_counts[cl->stage].filled += bytes;
	return cl->driver->fill(cl, buffer, offset, bytes);
}

bool clx_copy_raw(struct clx *cl, const struct clx_buffer *from, size_t from_offset,
		  struct clx_buffer *to, size_t to_offset, size_t bytes)
{
	if (!bytes)
		return true;
	if (!in_range(from, from_offset, bytes, "copy") || !in_range(to, to_offset, bytes, "copy"))
		return false;
	clx_count(cl);
	return cl->driver->copy(cl, from, from_offset, to, to_offset, bytes);
}

uint64_t clx_memory_in_use(const struct clx *cl)
{
	return cl->memory_in_use;
}

uint64_t clx_memory_peak(const struct clx *cl)
{
	return cl->memory_peak;
}

void *clx_read_copy_raw(struct clx *cl, const struct clx_buffer *buffer, size_t bytes)
{
	void *copy = malloc(bytes ? bytes : 1);
	if (!copy)
		message_error("out of host memory for %zu bytes of the buffer '%s'", bytes,
			      buffer->name);
	if (copy && !clx_read_raw(cl, buffer, 0, bytes, copy)) {
		free(copy);
		copy = NULL;
	}
	return copy;
}
