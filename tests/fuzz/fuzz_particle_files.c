/* The readers of particle files, of which `freshet render` and `freshet mesh` make pictures, on any
 * bytes: what is taken is a state that the scene can have.  VTKHDF without a right seal is refused
 * before the library parses it; what is in a sealed one: fuzz_particle_values.c. */
#include "fuzz.h"
#include "fuzz_hdf5.h"
#include "fuzz_snapshot.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_be_silent();
	fuzz_hdf5_begin();
	fuzz_snapshot_begin();
	return 0;
}

/* A byte of choices, then the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	const unsigned format = (data[0] / 2 + 1) % PARTICLE_FORMAT_COUNT; /* 0: PLY */
	fuzz_snapshot_read(fuzz_file(data + 1, size - 1), (enum scene_particle_format)format,
			   fuzz_snapshot_scene(data[0] & 1));
	return 0;
}
