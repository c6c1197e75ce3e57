#include "bits.h"

#include <string.h>

f32 float_from_bits(u32 bits)
{
	f32 value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

int log2_ceil(u64 x)
{
	int n = 0;
	while (n < 63 && ((u64)1 << n) < x)
		n++;
	return n;
}
