#include "loops.h"

#include "message.h"
#include "stages.h"

/* More than the 65535 of llvmpipe. */
#define PROBE_TURNS 100000

bool loops_probe(struct sim *sim)
{
	struct clx_buffer word = {0};
	const i32 turns = PROBE_TURNS;
	const u32 first = 1;
	u32 expected = first, got = 0;
	for (i32 turn = 0; turn < turns; turn++)
		expected = expected * 1664525u + 1013904223u;
	const bool done = clx_alloc(sim->cl, &word, "probe of loops", 1, sizeof(got)) &&
			  clx_write(sim->cl, &word, 0, sizeof(first), &first) &&
			  LAUNCH(sim->cl, K_PROBE_LOOPS, clx_range1(1), ARG(turns), BUF(word)) &&
			  clx_read(sim->cl, &word, 0, sizeof(got), &got);
	clx_free(sim->cl, &word);
	sim->loops_cut = done && got != expected;
	return done;
}

bool loops_report(const struct sim *sim)
{
	return message_error("device %s ends long loops of kernels early, as Mesa's llvmpipe does "
			     "after 65535 turns, and this scene needs longer ones: results on it "
			     "would be wrong; choose another device (freshet devices lists them), "
			     "or solids and liquids of fewer shapes and vertices",
			     clx_info(sim->cl)->name);
}

bool loops_read(struct sim *sim, bool *cut)
{
	u32 word = 0;
	if (!clx_read(sim->cl, &sim->scalars, SCALAR_LOOPS_CUT * sizeof(word), sizeof(word), &word))
		return false;
	*cut = word != 0;
	return true;
}
