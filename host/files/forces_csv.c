#include "forces_csv.h"

#include "csv_column.h"
#include "number.h"

static void add_names(struct append_file *file, const char *solid, const char *const *endings)
{
	for (size_t i = 0; i < LOAD_NUMBERS; i++)
		csv_column(file, solid, endings[i]);
}

void forces_csv_header(struct append_file *file, const struct scene *scene, bool friction)
{
	static const char *const pressure[LOAD_NUMBERS] = {
		"_force_x", "_force_y", "_force_z", "_torque_x", "_torque_y", "_torque_z", "_work"};
	static const char *const of_friction[LOAD_NUMBERS] = {
		"_friction_x",	      "_friction_y",	    "_friction_z",    "_friction_torque_x",
		"_friction_torque_y", "_friction_torque_z", "_friction_work",
	};
	append_file_text(file, "frame,time");
	for (size_t n = 0; n < scene->solid_count; n++) {
		add_names(file, scene->solids[n].name, pressure);
		if (friction)
			add_names(file, scene->solids[n].name, of_friction);
	}
	append_file_text(file, "\n");
}

static void add_load(struct append_file *file, const struct load *load, double seconds)
{
	const double values[LOAD_NUMBERS] = {load->impulse[0] / seconds,
					     load->impulse[1] / seconds,
					     load->impulse[2] / seconds,
					     load->turning[0] / seconds,
					     load->turning[1] / seconds,
					     load->turning[2] / seconds,
					     load->work};
	char text[NUMBER_TEXT];
	for (size_t i = 0; i < LOAD_NUMBERS; i++)
		append_file_print(file, ",%s",
				  seconds > 0.0 ? number_from_double(values[i], text) : "");
}

void forces_csv_row(struct append_file *file, const struct sim *sim, int frame, double time)
{
	const struct loads *l = &sim->loads;
	char text[NUMBER_TEXT];
	append_file_print(file, "%d,%s", frame, number_from_double(time, text));
	for (size_t n = 0; n < l->count; n++) {
		add_load(file, &l->frame[n], l->seconds);
		if (l->frame_friction)
			add_load(file, &l->frame_friction[n], l->seconds);
	}
	append_file_text(file, "\n");
}
