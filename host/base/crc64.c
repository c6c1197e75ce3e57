#include "crc64.h"

#include <pthread.h>

#define POLYNOMIAL 0xc96c5795d7870f42u /* of ECMA-182, bits reversed */

/* table[k][b]: what byte b does when k bytes follow it. */
static uint64_t table[8][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_table(void)
{
	for (unsigned b = 0; b < 256; b++) {
		uint64_t crc = b;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
		table[0][b] = crc;
	}
	for (unsigned b = 0; b < 256; b++)
		for (int k = 1; k < 8; k++)
			table[k][b] = table[0][table[k - 1][b] & 0xff] ^ table[k - 1][b] >> 8;
}

uint64_t crc64(uint64_t crc, const void *data, size_t length)
{
	const uint8_t *p = data;
	pthread_once(&once, make_table);
	crc = ~crc;
	for (; length >= 8; length -= 8, p += 8) {
		for (int i = 0; i < 8; i++)
			crc ^= (uint64_t)p[i] << 8 * i;
		uint64_t next = 0;
		for (int i = 0; i < 8; i++)
			next ^= table[7 - i][crc >> 8 * i & 0xff];
		crc = next;
	}
	for (; length > 0; length--, p++)
		crc = table[0][(crc ^ *p) & 0xff] ^ crc >> 8;
	return ~crc;
}
