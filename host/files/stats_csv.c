#include "stats_csv.h"

#include <inttypes.h>

#include "number.h"
#include "sim.h"

static const char stats_columns[] =
	"frame,substep,time,dt,particles,liquid_cells,volume,volume_error,kinetic_energy,"
	"potential_energy,momentum_x,momentum_y,momentum_z,max_speed,divergence_before,"
	"divergence_after,pressure_iterations,pressure_residual,components,singular_components,"
	"air_regions,min_ppc,max_ppc,empty_interior,pushed,escaped,removed,retries,hash,ms_total";

/* Of the ledger, behind the times. */
static const char ledger_columns[] =
	",created,imbalances,gravity_work,kinetic_removed,kinetic_rest,potential_rest,"
	"wall_impulse_x,wall_impulse_y,wall_impulse_z,momentum_removed_x,momentum_removed_y,"
	"momentum_removed_z,momentum_rest_x,momentum_rest_y,momentum_rest_z,drift_swelled,"
	"drift_shrunk\n";

void stats_csv_header(struct append_file *file, const struct scene *scene)
{
	const struct method *method = sim_method(scene);
	append_file_text(file, stats_columns);
	for (size_t stage = 0; stage < method->stage_count; stage++)
		append_file_print(file, ",ms_%s", method->stages[stage].name);
	append_file_text(file, ledger_columns);
}

static void add_number(struct append_file *file, double x)
{
	char text[NUMBER_TEXT];
	append_file_print(file, "%s,", number_from_double(x, text));
}

static void add_count(struct append_file *file, u32 n)
{
	append_file_print(file, "%" PRIu32 ",", n);
}

static void add_milliseconds(struct append_file *file, const char *before, double ms)
{
	char text[NUMBER_TEXT];
	/* microseconds: more digits would only be noise */
	append_file_print(file, "%s%s", before,
			  number_from_double((double)(long long)(ms * 1000 + 0.5) / 1000, text));
}

static void write_flow(struct append_file *file, const struct step_stats *stats)
{
	const struct ledger_flow *f = &stats->flow;
	char text[NUMBER_TEXT];
	add_count(file, stats->created);
	add_count(file, stats->imbalances);
	add_number(file, f->gravity_work);
	add_number(file, f->kinetic_removed);
	add_number(file, f->kinetic_rest);
	add_number(file, f->potential_rest);
	const double *vectors[] = {f->walls, f->momentum_removed, f->momentum_rest};
	for (int i = 0; i < 9; i++)
		add_number(file, vectors[i / 3][i % 3]);
	add_number(file, f->swelled);
	append_file_print(file, "%s\n", number_from_double(f->shrunk, text));
}

void stats_csv_row(struct append_file *file, const struct scene *scene,
		   const struct step_stats *stats)
{
	const size_t stages = sim_method(scene)->stage_count;
	const struct step_report *report = &stats->report;
	append_file_print(file, "%d,%d,", stats->frame, stats->substep);
	add_number(file, stats->time);
	add_number(file, stats->dt);
	add_count(file, stats->particles);
	add_count(file, report->liquid_cells);
	add_number(file, report->volume);
	add_number(file, stats->volume_error);
	add_number(file, report->kinetic_energy);
	add_number(file, report->potential_energy);
	for (int axis = 0; axis < 3; axis++)
		add_number(file, report->momentum[axis]);
	add_number(file, report->max_speed);
	if (stats->substep > 0) {
		add_number(file, report->divergence_before);
		add_number(file, report->divergence_after);
	} else {
		append_file_text(file, ",,"); /* frame 0: nothing has been solved */
	}
	append_file_print(file, "%d,", stats->pressure_iterations);
	add_number(file, stats->pressure_residual);
	add_count(file, report->components);
	add_count(file, report->singular_components);
	add_count(file, report->air_regions);
	add_count(file, report->min_ppc);
	add_count(file, report->max_ppc);
	add_number(file, report->interior_cells
				 ? (double)report->interior_empty / (double)report->interior_cells
				 : 0.0);
	add_count(file, report->pushed);
	add_count(file, report->escaped);
	add_count(file, report->removed_open);
	add_count(file, stats->retries);
	if (stats->frame_end)
		append_file_print(file, "%016" PRIx64, stats->hash);
	add_milliseconds(file, ",", stats->ms_total);
	for (size_t stage = 0; stage < stages; stage++)
		add_milliseconds(file, ",", stats->ms_stage[stage]);
	append_file_text(file, ",");
	write_flow(file, stats);
}
