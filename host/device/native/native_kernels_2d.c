/* The kernels for 2D as C. */
#define DIM 2
#include "native_kernels.h"

#include "native.h"

#include "kernels_native.h" /* generated; needs native.h */

#ifdef NATIVE_WIDE
const struct native_kernel *native_kernels_2d_wide(void)
#else
const struct native_kernel *native_kernels_2d(void)
#endif
{
	return native_table;
}
