/* The kernels for 2D as C. */
#define DIM 2
#include "native_kernels.h"

#include "native.h"

#include "kernels_native.h" /* generated; needs native.h */

const struct native_kernel *native_kernels_2d(void)
{
	return native_table;
}

void native_item_2d(const struct native_kernel *kernel, const size_t id[3], const size_t size[3],
		    void *const *arguments)
{
	memcpy(native_id, id, sizeof(native_id));
	memcpy(native_size, size, sizeof(native_size));
	kernel->call(arguments);
}
