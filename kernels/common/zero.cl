/* Several arrays set to zero in one launch (host/lattice/zero.h). */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"

/* Pieces of `run` bytes that an array of so many has. */
uint zero_pieces(uint bytes, uint run)
{
	return bytes / run + (bytes % run ? 1u : 0u);
}

/* Piece `n` of an array; it begins at a multiple of 16 bytes, and so does the array. */
void zero_piece(global uchar *array, uint bytes, uint run, uint n)
{
	uint at = n * run;
	const uint end = bytes - at < run ? bytes : at + run;
#ifndef FRESHET_NATIVE
	for (; end - at >= 16; at += 16)
		*(global uint4 *)(array + at) = (uint4)(0u);
#endif /* FRESHET_NATIVE */
	for (; at < end; at++)
		array[at] = 0;
}

/* From byte *_from on *_bytes of each array.  One work-item per `run` bytes, one array after the
 * other. */
kernel void zero_arrays(uint run, global uchar *a, uint a_from, uint a_bytes, global uchar *b,
			uint b_from, uint b_bytes, global uchar *c, uint c_from, uint c_bytes,
			global uchar *d, uint d_from, uint d_bytes, global uchar *e, uint e_from,
			uint e_bytes, global uchar *f, uint f_from, uint f_bytes, global uchar *g,
			uint g_from, uint g_bytes, global uchar *h, uint h_from, uint h_bytes)
{
	uint n = (uint)get_global_id(0);
	if (n < zero_pieces(a_bytes, run)) {
		zero_piece(a + a_from, a_bytes, run, n);
		return;
	}
	n -= zero_pieces(a_bytes, run);
	if (n < zero_pieces(b_bytes, run)) {
		zero_piece(b + b_from, b_bytes, run, n);
		return;
	}
	n -= zero_pieces(b_bytes, run);
	if (n < zero_pieces(c_bytes, run)) {
		zero_piece(c + c_from, c_bytes, run, n);
		return;
	}
	n -= zero_pieces(c_bytes, run);
	if (n < zero_pieces(d_bytes, run)) {
		zero_piece(d + d_from, d_bytes, run, n);
		return;
	}
	n -= zero_pieces(d_bytes, run);
	if (n < zero_pieces(e_bytes, run)) {
		zero_piece(e + e_from, e_bytes, run, n);
		return;
	}
	n -= zero_pieces(e_bytes, run);
	if (n < zero_pieces(f_bytes, run)) {
		zero_piece(f + f_from, f_bytes, run, n);
		return;
	}
	n -= zero_pieces(f_bytes, run);
	if (n < zero_pieces(g_bytes, run)) {
		zero_piece(g + g_from, g_bytes, run, n);
		return;
	}
	n -= zero_pieces(g_bytes, run);
	if (n < zero_pieces(h_bytes, run))
		zero_piece(h + h_from, h_bytes, run, n);
}
