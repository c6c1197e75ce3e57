#include "native_kernels.h"

const struct native_kernel *native_kernel(int dim, enum kernel_id kernel)
{
	return (dim == 3 ? native_kernels_3d() : native_kernels_2d()) + kernel;
}

void native_run(int dim, enum kernel_id kernel, const size_t global[3], const size_t local[3],
		void *const *arguments)
{
	const struct native_kernel *native = native_kernel(dim, kernel);
	size_t size[3], id[3];
	for (int a = 0; a < 3; a++)
		size[a] = native->by_groups ? global[a] / local[a] : global[a];
	size[0] *= native->items;
	for (id[2] = 0; id[2] < size[2]; id[2]++)
		for (id[1] = 0; id[1] < size[1]; id[1]++)
			for (id[0] = 0; id[0] < size[0]; id[0]++) {
				if (dim == 3)
					native_item_3d(native, id, size, arguments);
				else
					native_item_2d(native, id, size, arguments);
			}
}
