#include "fields.h"

bool fields_allocate(struct clx *cl, const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!clx_alloc(cl, fields[i].buffer, fields[i].name, fields[i].count,
			       fields[i].size))
			return false;
	return true;
}

void fields_free(struct clx *cl, const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		clx_free(cl, fields[i].buffer);
}

size_t fields_aligned(size_t bytes)
{
	return (bytes + CLX_VIEW_ALIGNMENT - 1) / CLX_VIEW_ALIGNMENT * CLX_VIEW_ALIGNMENT;
}
