/* What a stage has made, as a number, to find the first stage that differs between two devices. */
#ifndef FRESHET_STAGE_HASH_H
#define FRESHET_STAGE_HASH_H

#include "sim.h"

/*
 * Hash of the fields of the grid that a stage writes, taken right after it: CRC-64/XZ of
 * their arrays, -0 counted as +0, or the state hash where it moves particles, or writes none of
 * them.  Equal for equal scenes on every device, from frame 0 on; a resumed run may differ in parts
 * of the grid that nothing reads.  Reads whole fields, so it is slow.  False after reporting.
 */
bool stage_hash(struct sim *sim, size_t stage, u64 *hash);

#endif
