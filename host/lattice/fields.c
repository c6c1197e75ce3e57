#include "fields.h"

bool fields_allocate(struct clx *cl, const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!clx_alloc_raw(cl, fields[i].buffer, fields[i].name, fields[i].count,
				   fields[i].size))
			return false;
	return true;
}

void fields_free(struct clx *cl, const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		clx_free_raw(cl, fields[i].buffer);
}

bool fields_make_views(struct clx *cl, const union u8_buffer *whole, const struct field_view *views,
		       size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!clx_view_raw(cl, &whole->raw, views[i].at, views[i].bytes, views[i].name,
				  views[i].view))
			return false;
	return true;
}

void fields_free_views(struct clx *cl, const struct field_view *views, size_t count)
{
	for (size_t i = 0; i < count; i++)
		clx_free_raw(cl, views[i].view);
}

size_t fields_aligned(size_t bytes)
{
	return (bytes + CLX_VIEW_ALIGNMENT - 1) / CLX_VIEW_ALIGNMENT * CLX_VIEW_ALIGNMENT;
}
