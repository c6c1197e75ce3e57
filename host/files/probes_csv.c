#include "probes_csv.h"

#include <string.h>

#include "csv_column.h"
#include "number.h"
#include "probes.h"

void probes_csv_header(struct append_file *file, const struct scene *scene)
{
	static const char *const component[] = {"_x", "_y", "_z"};
	append_file_text(file, "frame,time");
	for (size_t i = 0; i < scene->output.probe_count; i++) {
		const struct scene_probe *probe = &scene->output.probes[i];
		if (probe->quantity != QUANTITY_VELOCITY) {
			csv_column(file, probe->name, "");
			continue;
		}
		for (int axis = 0; axis < 3; axis++)
			csv_column(file, probe->name, component[axis]);
	}
	append_file_text(file, "\n");
}

/* Numbers that were read from texts: equal to the bit if they are the same. */
static bool is_same_probe(const struct scene_probe *a, const struct scene_probe *b)
{
	return strcmp(a->name, b->name) == 0 && a->quantity == b->quantity &&
	       memcmp(a->point, b->point, sizeof(a->point)) == 0 &&
	       memcmp(&a->depth, &b->depth, sizeof(a->depth)) == 0;
}

bool probes_csv_same(const struct scene *a, const struct scene *b)
{
	if (a->output.probe_count == 0 || b->output.probe_count == 0)
		return true;
	if (a->output.probe_count != b->output.probe_count)
		return false;
	for (size_t i = 0; i < a->output.probe_count; i++)
		if (!is_same_probe(&a->output.probes[i], &b->output.probes[i]))
			return false;
	return true;
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
