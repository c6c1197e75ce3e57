#include "loops.h"

#include "message.h"
#include "shared.h"

/* More than the 65535 of llvmpipe (docs/portability.md). */
#define PROBE_TURNS 100000

bool loops_probe(struct clx *cl, bool *cut)
{
	union u32_buffer word = {0};
	const i32 turns = PROBE_TURNS;
	const u32 first = 1;
	u32 expected = first, got = 0;
	for (i32 turn = 0; turn < turns; turn++)
		expected = expected * 1664525u + 1013904223u;
	const bool done = clx_alloc(cl, &word, "probe of loops", 1) &&
			  clx_write(cl, &word, 0, sizeof(first), &first) &&
			  LAUNCH(cl, probe_loops, clx_range1(1), .turns = I32(turns), .x = &word) &&
			  clx_read(cl, &word, 0, sizeof(got), &got);
	clx_free(cl, &word);
	*cut = done && got != expected;
	return done;
}

bool loops_report(const struct clx *cl)
{
	return message_error("device %s ends long loops of kernels early, as Mesa's llvmpipe does "
			     "after 65535 turns, and this scene needs longer ones: results on it "
			     "would be wrong; choose another device (freshet devices lists them), "
			     "or solids and liquids of fewer shapes and vertices",
			     clx_info(cl)->name);
}

bool loops_read(struct clx *cl, const union u32_buffer *scalars, bool *cut)
{
	u32 word = 0;
	if (!clx_read(cl, scalars, SCALAR_LOOPS_CUT * sizeof(word), sizeof(word), &word))
		return false;
	*cut = word != 0;
	return true;
}
