/* What the program ends with; the rule is in docs/output.md. */
#ifndef FRESHET_EXIT_CODE_H
#define FRESHET_EXIT_CODE_H

enum exit_code {
	CODE_DONE = 0,
	CODE_FAILED = 1,   /* no device, out of memory, output not writable, solver failure */
	CODE_REFUSED = 2,  /* bad command line, variable or scene, named device missing */
	CODE_SIGNAL = 128, /* plus the number of the signal */
};

#endif
