#include "probes_csv.h"

#include <string.h>

#include "number.h"
#include "probes.h"

/* A field of a CSV line (RFC 4180): quoted where the text would break the line. */
static void add_column(struct append_file *file, const char *name, const char *ending)
{
	append_file_text(file, ",");
	if (!strpbrk(name, ",\"\r\n")) {
		append_file_text(file, name);
		append_file_text(file, ending);
		return;
	}
	append_file_text(file, "\"");
	for (const char *c = name; *c; c++)
		append_file_text(file, *c == '"' ? "\"\"" : (const char[]){*c, '\0'});
	append_file_text(file, ending);
	append_file_text(file, "\"");
}

void probes_csv_header(struct append_file *file, const struct scene *scene)
{
	static const char *const component[] = {"_x", "_y", "_z"};
	append_file_text(file, "frame,time");
	for (size_t i = 0; i < scene->output.probe_count; i++) {
		const struct scene_probe *probe = &scene->output.probes[i];
		if (probe->quantity != QUANTITY_VELOCITY) {
			add_column(file, probe->name, "");
			continue;
		}
		for (int axis = 0; axis < 3; axis++)
			add_column(file, probe->name, component[axis]);
	}
	append_file_text(file, "\n");
}

bool probes_csv_row(struct append_file *file, struct subject subject, int frame, double time)
{
	const struct scene *scene = subject.scene;
	char text[NUMBER_TEXT];
	append_file_print(file, "%d,%s", frame, number_from_double(time, text));
	for (size_t i = 0; i < scene->output.probe_count; i++) {
		struct probe_value value;
		if (!probe_sample(subject, &scene->output.probes[i], &value)) {
			append_file_take_back(file);
			return false;
		}
		for (int n = 0; n < value.count; n++)
			append_file_print(file, ",%s",
					  value.known ? number_from_float(value.value[n], text)
						      : "");
	}
	append_file_text(file, "\n");
	return true;
}
