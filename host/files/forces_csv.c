#include "forces_csv.h"

#include "csv_column.h"
#include "number.h"

void forces_csv_header(struct append_file *file, const struct scene *scene)
{
	static const char *const endings[LOAD_NUMBERS] = {
		"_force_x", "_force_y", "_force_z", "_torque_x", "_torque_y", "_torque_z", "_work"};
	append_file_text(file, "frame,time");
	for (size_t n = 0; n < scene->solid_count; n++)
		for (size_t i = 0; i < LOAD_NUMBERS; i++)
			csv_column(file, scene->solids[n].name, endings[i]);
	append_file_text(file, "\n");
}

void forces_csv_row(struct append_file *file, const struct sim *sim, int frame, double time)
{
	const struct loads *l = &sim->loads;
	char text[NUMBER_TEXT];
	append_file_print(file, "%d,%s", frame, number_from_double(time, text));
	for (size_t n = 0; n < l->count; n++) {
		const struct load *load = &l->frame[n];
		const double values[LOAD_NUMBERS] = {load->impulse[0] / l->seconds,
						     load->impulse[1] / l->seconds,
						     load->impulse[2] / l->seconds,
						     load->turning[0] / l->seconds,
						     load->turning[1] / l->seconds,
						     load->turning[2] / l->seconds,
						     load->work};
		for (size_t i = 0; i < LOAD_NUMBERS; i++)
			append_file_print(file, ",%s",
					  l->seconds > 0.0 ? number_from_double(values[i], text)
							   : "");
	}
	append_file_text(file, "\n");
}
