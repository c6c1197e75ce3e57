/* The reader of stats.csv, from which `freshet hash` takes the frames of a killed run. */
#include <stdio.h>

#include "commands.h"
#include "fuzz.h"

static char folder[256];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_be_silent();
	snprintf(folder, sizeof(folder), "%s", fuzz_folder("stats.csv", true));
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *arguments[] = {folder, NULL};
	fuzz_file(data, size);
	const enum exit_code code = command_hash.run(&command_hash, arguments, arguments);
	fuzz_expect(code == CODE_DONE || code == CODE_REFUSED, "taken or refused");
	return 0;
}
