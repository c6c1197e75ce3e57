/* freshet stages */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "field_access.h"
#include "message.h"
#include "methods/methods.h"
#include "scene_methods.h"

static const struct option options[] = {
	{"method", 'm', "NAME",
	 "the stages of this method (default: the first that scenes may name)"},
	OPTION_HELP,
	OPTION_LAST,
};
enum { OPTION_METHOD, OPTION_HELP_ME };

static void print_uses(const struct method *method, const char *title, const struct field_use *uses)
{
	if (!uses->member)
		return;
	printf("    %-7s", title);
	for (const char *comma = ""; uses->member; uses++, comma = "; ")
		printf("%s%s", comma, method_field(method, uses->member)->name);
	printf("\n");
}

/* "16 + 16 d + 8 d^2 (apic)" */
static void print_sum(double fixed, double axis, double affine)
{
	const char *plus = "";
	if (fixed > 0.0) {
		printf("%.0f", fixed);
		plus = " + ";
	}
	if (axis > 0.0) {
		printf("%s%.0f d", plus, axis);
		plus = " + ";
	}
	if (affine > 0.0)
		printf("%s%.0f d^2 (apic)", plus, affine);
}

static void print_bytes(const struct stage *stage)
{
	const struct stage_bytes *m = &stage->model;
	const bool particle = m->particle + m->particle_axis + m->particle_affine > 0.0;
	const bool cell = m->cell + m->cell_axis > 0.0;
	if (!particle && !cell)
		return;
	printf("    bytes  ");
	if (particle) {
		print_sum(m->particle, m->particle_axis, m->particle_affine);
		printf(" a particle%s", cell ? ", " : "");
	}
	if (cell) {
		print_sum(m->cell, m->cell_axis, 0.0);
		printf(" a liquid cell");
	}
	printf("%s\n", stage->solves ? ", and those of its solve" : "");
}

static enum exit_code print_stages(const struct method *method, const char *says)
{
	printf("%s: %s\n\nOne substep from t to t + dt, in d dimensions:\n\n", method->name, says);
	for (size_t s = 0; s < method->stage_count; s++) {
		const struct stage *stage = &method->stages[s];
		printf("%-18s %s\n", stage->name, stage->says);
		print_uses(method, "reads", stage->reads);
		print_uses(method, "writes", stage->writes);
		print_bytes(stage);
	}
	return CODE_DONE;
}

static enum exit_code print_stages_of(const char *name)
{
	for (size_t i = 0; i < sim_method_count; i++)
		if (strcmp(sim_methods[i]->name, name) == 0)
			return print_stages(sim_methods[i], sim_methods[i]->says
								    ? sim_methods[i]->says
								    : scene_methods[i].says);
	char known[256] = "";
	for (size_t i = 0; i < sim_method_count; i++)
		snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s",
			 i ? ", " : "", sim_methods[i]->name);
	message_error("there is no method '%.40s' (known: %s)", name, known);
	return CODE_REFUSED;
}

static enum exit_code run_stages_command(const struct command *self, char **arguments,
					 char *const *all)
{
	(void)all;
	struct option_reader reader = {.options = options, .arguments = arguments};
	const char *value, *name = scene_methods[0].name;
	for (bool ok = true; ok;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			return print_stages_of(name);
		case OPTION_METHOD:
			ok = option_take(&name, value, "method", "a name");
			break;
		case OPTION_HELP_ME:
			command_print_help(self);
			return CODE_DONE;
		case OPTION_OPERAND:
			message_error("stages takes no argument, but there is '%.200s'", value);
			return CODE_REFUSED;
		default:
			return CODE_REFUSED;
		}
	}
	return CODE_REFUSED;
}

const struct command command_stages = {
	.name = "stages",
	.usage = "[--method NAME]",
	.summary = "prints the stages of a substep: what each does, reads, writes and moves",
	.details = "No device is needed.  Bytes are those that must be moved (docs/benchmark.md).",
	.options = options,
	.run = run_stages_command,
};
