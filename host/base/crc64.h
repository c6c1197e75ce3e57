/* CRC-64/XZ: the checksum of checkpoints. */
#ifndef FRESHET_CRC64_H
#define FRESHET_CRC64_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of `length` bytes more; `crc` is that of the bytes before, 0 for none.  Polynomial
 * of ECMA-182, reflected, inverted at both ends, as the .xz format has it ("123456789" gives
 * 995dc9bbdf1939fa). */
uint64_t crc64(uint64_t crc, const void *data, size_t length);

#endif
