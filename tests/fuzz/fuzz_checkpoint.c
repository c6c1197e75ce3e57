/* The reader of checkpoints on any bytes.  The checksum keeps HDF5 from all that is not whole; what
 * is whole but forged is the matter of fuzz_checkpoint_values. */
#include "checkpoint/checkpoint.h"
#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_be_silent();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct checkpoint c;
	char reason[FILE_READ_REASON] = "";
	if (checkpoint_read(fuzz_file(data, size), true, &c, reason))
		checkpoint_free(&c);
	else
		fuzz_expect(reason[0] && !c.scene && c.state.array_count == 0,
			    "refused with a reason");
	return 0;
}
