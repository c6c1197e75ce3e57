#include "native_kernels.h"

const struct native_kernel *native_kernel(int dim, enum kernel_id kernel)
{
#ifdef NATIVE_WIDE
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		return (dim == 3 ? native_kernels_3d_wide() : native_kernels_2d_wide()) + kernel;
#endif
	return (dim == 3 ? native_kernels_3d() : native_kernels_2d()) + kernel;
}

void native_run(int dim, enum kernel_id kernel, const size_t global[3], const size_t local[3],
		void *const *arguments)
{
	const struct native_kernel *native = native_kernel(dim, kernel);
	size_t size[3];
	for (int a = 0; a < 3; a++)
		size[a] = native->by_groups ? global[a] / local[a] : global[a];
	size[0] *= native->items;
	native->call(arguments, size);
}
