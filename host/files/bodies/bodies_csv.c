#include "bodies/bodies_csv.h"

#include "csv_column.h"
#include "number.h"

void bodies_csv_header(struct append_file *file, const struct scene *scene)
{
	(void)scene;
	append_file_text(file, "frame,time,body,x,y,z,q_w,q_x,q_y,q_z,velocity_x,velocity_y,"
			       "velocity_z,spin_x,spin_y,spin_z,force_x,force_y,force_z,torque_x,"
			       "torque_y,torque_z,contact_x,contact_y,contact_z,contact_torque_x,"
			       "contact_torque_y,contact_torque_z,name\n");
}

static void add_numbers(struct append_file *file, const double *value, size_t count)
{
	char text[NUMBER_TEXT];
	for (size_t i = 0; i < count; i++)
		append_file_print(file, ",%s", number_from_double(value[i], text));
}

/* Impulses of the frame as means; nothing where there has been no time. */
static void add_means(struct append_file *file, const double *impulse, double seconds)
{
	char text[NUMBER_TEXT];
	for (size_t i = 0; i < BODY_VELOCITIES; i++)
		append_file_print(file, ",%s",
				  seconds > 0.0 ? number_from_double(impulse[i] / seconds, text)
						: "");
}

void bodies_csv_rows(struct append_file *file, const struct sim *sim, int frame, double time)
{
	const struct bodies *b = &sim->bodies;
	char text[NUMBER_TEXT];
	for (size_t n = 0; n < b->count; n++) {
		const struct body *body = &b->now[n];
		append_file_print(file, "%d,%s", frame, number_from_double(time, text));
		append_file_print(file, ",%zu", n);
		add_numbers(file, body->x, 3);
		add_numbers(file, body->q, 4);
		add_numbers(file, body->velocity, 3);
		add_numbers(file, body->spin, 3);
		add_means(file, b->accounts[n].liquid, b->seconds);
		add_means(file, b->accounts[n].contact, b->seconds);
		csv_column(file, sim->scene->solids[b->first + n].name, "");
		append_file_text(file, "\n");
	}
}
