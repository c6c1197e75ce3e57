/* The readers of run.json: what verify takes, hash must print, and its scene must be text. */
#include <string.h>

#include "commands.h"
#include "fuzz.h"
#include "run_json_read.h"
#include "scene.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_be_silent();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct published_run run;
	char path[64];
	strcpy(path, fuzz_file(data, size));
	char *arguments[] = {path, NULL};
	const bool taken = run_json_read(path, &run);
	if (taken)
		scene_free(scene_read_text(run.scene, strlen(run.scene),
					   run.scene_path ? run.scene_path : "run.json"));
	for (size_t i = 0; i < run.frame_count; i++)
		fuzz_expect(run.frames[i].frame >= 0, "frames count from 0");
	fuzz_expect(command_hash.run(&command_hash, arguments, arguments) ==
			    (taken ? CODE_DONE : CODE_REFUSED),
		    "hash takes what verify takes");
	published_run_free(&run);
	return 0;
}
