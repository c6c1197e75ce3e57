/* The lines of the doctor. */
#include "doctor.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const verdict_names[] = {"ok", "note", "FAULT"};
static const char *const verdict_words[] = {"ok", "note", "fault"};

void doctor_say(struct doctor *d, enum doctor_verdict verdict, const char *check,
		const char *format, ...)
{
	char text[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	d->checks++;
	d->faults += verdict == DOCTOR_FAULT;
	d->notes += verdict == DOCTOR_NOTE;
	if (!d->options->quiet || verdict == DOCTOR_FAULT)
		printf("%-5s  %-38s  %s\n", verdict_names[verdict], check, text);
	fflush(stdout);
	json_begin_object(&d->json, NULL);
	json_string(&d->json, "check", check);
	json_string(&d->json, "verdict", verdict_words[verdict]);
	json_string(&d->json, "text", text);
	json_end_object(&d->json);
}

void doctor_say_error(struct doctor *d, const char *check)
{
	doctor_say(d, DOCTOR_FAULT, check, "%s", d->error[0] ? d->error : "a call failed");
	d->error[0] = '\0';
}
