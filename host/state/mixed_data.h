/* What the transfer needs where liquids differ in it. */
#ifndef FRESHET_MIXED_DATA_H
#define FRESHET_MIXED_DATA_H

#include "clx.h"

struct mixed_transfer {
	union f32_buffer flip;		/* f32 [liquids], F of the substep */
	union i32_buffer apic;		/* i32 [liquids] */
	union u32_buffer first, liquid; /* u32 [room], ids that are whose */
	size_t room;			/* ranges */
};

#endif
