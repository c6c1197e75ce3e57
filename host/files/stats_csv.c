#include "stats_csv.h"

#include <inttypes.h>

#include "number.h"
#include "sim.h"

enum column_type {
	COLUMN_INT,
	COLUMN_U32,
	COLUMN_DOUBLE,
	COLUMN_SOLVED,	  /* a double; empty at frame 0, where nothing has been solved */
	COLUMN_HASH,	  /* at the end of a frame */
	COLUMN_MS,	  /* milliseconds, to the microsecond: more digits would only be noise */
	COLUMN_EMPTINESS, /* interior cells without particles, of all */
};

/* One row is one column.  Those of parts that a method does not have are empty. */
struct column {
	const char *name;
	enum column_type type;
	unsigned part; /* enum method_part; 0 = all methods */
	size_t offset; /* in struct step_stats */
};
#define COLUMN(name, type, part, member)                                       \
	{                                                                      \
		name, COLUMN_##type, part, offsetof(struct step_stats, member) \
	}

static const struct column columns[] = {
	COLUMN("frame", INT, 0, frame),
	COLUMN("substep", INT, 0, substep),
	COLUMN("time", DOUBLE, 0, time),
	COLUMN("dt", DOUBLE, 0, dt),
	COLUMN("particles", U32, PART_PARTICLES, particles),
	COLUMN("liquid_cells", U32, PART_LEVELSET, report.liquid_cells),
	COLUMN("volume", DOUBLE, PART_VOLUME, report.volume),
	COLUMN("volume_error", DOUBLE, PART_VOLUME, volume_error),
	COLUMN("kinetic_energy", DOUBLE, PART_MOTION, report.kinetic_energy),
	COLUMN("potential_energy", DOUBLE, PART_MOTION, report.potential_energy),
	COLUMN("momentum_x", DOUBLE, PART_MOTION, report.momentum[0]),
	COLUMN("momentum_y", DOUBLE, PART_MOTION, report.momentum[1]),
	COLUMN("momentum_z", DOUBLE, PART_MOTION, report.momentum[2]),
	COLUMN("max_speed", DOUBLE, PART_MOTION, report.max_speed),
	COLUMN("divergence_before", SOLVED, PART_SOLVER, report.divergence_before),
	COLUMN("divergence_after", SOLVED, PART_SOLVER, report.divergence_after),
	COLUMN("pressure_iterations", INT, PART_SOLVER, pressure_iterations),
	COLUMN("pressure_residual", DOUBLE, PART_SOLVER, pressure_residual),
	COLUMN("components", U32, PART_SOLVER, report.components),
	COLUMN("singular_components", U32, PART_SOLVER, report.singular_components),
	COLUMN("air_regions", U32, PART_SOLVER, report.air_regions),
	COLUMN("min_ppc", U32, PART_PARTICLES, report.min_ppc),
	COLUMN("max_ppc", U32, PART_PARTICLES, report.max_ppc),
	COLUMN("empty_interior", EMPTINESS, PART_PARTICLES, report),
	COLUMN("pushed", U32, PART_PARTICLES, report.pushed),
	COLUMN("escaped", U32, PART_PARTICLES, report.escaped),
	COLUMN("removed", U32, PART_PARTICLES, report.removed_open),
	COLUMN("retries", U32, 0, retries),
	COLUMN("hash", HASH, 0, hash),
	COLUMN("ms_total", MS, 0, ms_total),
};

/* Behind the times of the stages. */
static const struct column ledger_columns[] = {
	COLUMN("created", U32, PART_PARTICLES, created),
	COLUMN("imbalances", U32, PART_VOLUME, imbalances),
	COLUMN("gravity_work", DOUBLE, PART_PARTICLES, flow.gravity_work),
	COLUMN("kinetic_removed", DOUBLE, PART_PARTICLES, flow.kinetic_removed),
	COLUMN("kinetic_rest", DOUBLE, PART_PARTICLES, flow.kinetic_rest),
	COLUMN("potential_rest", DOUBLE, PART_PARTICLES, flow.potential_rest),
	COLUMN("wall_impulse_x", DOUBLE, PART_PARTICLES, flow.walls[0]),
	COLUMN("wall_impulse_y", DOUBLE, PART_PARTICLES, flow.walls[1]),
	COLUMN("wall_impulse_z", DOUBLE, PART_PARTICLES, flow.walls[2]),
	COLUMN("momentum_removed_x", DOUBLE, PART_PARTICLES, flow.momentum_removed[0]),
	COLUMN("momentum_removed_y", DOUBLE, PART_PARTICLES, flow.momentum_removed[1]),
	COLUMN("momentum_removed_z", DOUBLE, PART_PARTICLES, flow.momentum_removed[2]),
	COLUMN("momentum_rest_x", DOUBLE, PART_PARTICLES, flow.momentum_rest[0]),
	COLUMN("momentum_rest_y", DOUBLE, PART_PARTICLES, flow.momentum_rest[1]),
	COLUMN("momentum_rest_z", DOUBLE, PART_PARTICLES, flow.momentum_rest[2]),
	COLUMN("drift_swelled", DOUBLE, PART_PARTICLES, flow.swelled),
	COLUMN("drift_shrunk", DOUBLE, PART_PARTICLES, flow.shrunk),
	COLUMN("kinetic_entered", DOUBLE, PART_PARTICLES, flow.kinetic_entered),
	COLUMN("momentum_entered_x", DOUBLE, PART_PARTICLES, flow.momentum_entered[0]),
	COLUMN("momentum_entered_y", DOUBLE, PART_PARTICLES, flow.momentum_entered[1]),
	COLUMN("momentum_entered_z", DOUBLE, PART_PARTICLES, flow.momentum_entered[2]),
	COLUMN("force_work", DOUBLE, PART_PARTICLES, flow.force_work),
	COLUMN("force_impulse_x", DOUBLE, PART_PARTICLES, flow.force[0]),
	COLUMN("force_impulse_y", DOUBLE, PART_PARTICLES, flow.force[1]),
	COLUMN("force_impulse_z", DOUBLE, PART_PARTICLES, flow.force[2]),
	COLUMN("drained", U32, PART_PARTICLES, report.drained),
	COLUMN("solid_work", DOUBLE, PART_PARTICLES, flow.solid_work),
	COLUMN("squeezed", DOUBLE, PART_PARTICLES, flow.squeezed),
	COLUMN("flown_out", U32, PART_PARTICLES, report.flown),
	COLUMN("friction_work", DOUBLE, PART_PARTICLES, flow.friction_work),
	COLUMN("friction_impulse_x", DOUBLE, PART_PARTICLES, flow.friction[0]),
	COLUMN("friction_impulse_y", DOUBLE, PART_PARTICLES, flow.friction[1]),
	COLUMN("friction_impulse_z", DOUBLE, PART_PARTICLES, flow.friction[2]),
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void add_name(struct append_file *file, const char *before, const char *name)
{
	append_file_print(file, "%s%s", before, name);
}

void stats_csv_header(struct append_file *file, const struct scene *scene)
{
	const struct method *method = sim_method(scene);
	for (size_t i = 0; i < COUNT(columns); i++)
		add_name(file, i ? "," : "", columns[i].name);
	for (size_t s = 0; s < method->stage_count; s++)
		add_name(file, ",ms_", method->stages[s].name);
	for (size_t i = 0; i < COUNT(ledger_columns); i++)
		add_name(file, ",", ledger_columns[i].name);
	for (size_t i = 0; i < method->column_count; i++)
		add_name(file, ",", method->columns[i]);
	append_file_text(file, "\n");
}

static void add_number(struct append_file *file, double x)
{
	char text[NUMBER_TEXT];
	append_file_text(file, number_from_double(x, text));
}

static void add_milliseconds(struct append_file *file, double ms)
{
	add_number(file, (double)(long long)(ms * 1000 + 0.5) / 1000);
}

static void add_value(struct append_file *file, const struct column *column,
		      const struct step_stats *stats)
{
	const void *value = (const char *)stats + column->offset;
	const struct step_report *r = &stats->report;
	switch (column->type) {
	case COLUMN_INT:
		append_file_print(file, "%d", *(const int *)value);
		break;
	case COLUMN_U32:
		append_file_print(file, "%" PRIu32, *(const u32 *)value);
		break;
	case COLUMN_SOLVED:
		if (stats->substep > 0)
			add_number(file, *(const double *)value);
		break;
	case COLUMN_DOUBLE:
		add_number(file, *(const double *)value);
		break;
	case COLUMN_HASH:
		if (stats->frame_end)
			append_file_print(file, "%016" PRIx64, stats->hash);
		break;
	case COLUMN_MS:
		add_milliseconds(file, *(const double *)value);
		break;
	case COLUMN_EMPTINESS:
		add_number(file, r->interior_cells
					 ? (double)r->interior_empty / (double)r->interior_cells
					 : 0.0);
		break;
	}
}

static void add_values(struct append_file *file, const struct column *list, size_t count,
		       const struct method *method, const struct step_stats *stats)
{
	for (size_t i = 0; i < count; i++) {
		if (list != columns || i > 0)
			append_file_text(file, ",");
		if ((method->parts & list[i].part) == list[i].part)
			add_value(file, &list[i], stats);
	}
}

void stats_csv_row(struct append_file *file, const struct scene *scene,
		   const struct step_stats *stats)
{
	const struct method *method = sim_method(scene);
	add_values(file, columns, COUNT(columns), method, stats);
	for (size_t s = 0; s < method->stage_count; s++) {
		append_file_text(file, ",");
		add_milliseconds(file, stats->ms_stage[s]);
	}
	add_values(file, ledger_columns, COUNT(ledger_columns), method, stats);
	for (size_t i = 0; i < method->column_count; i++) {
		append_file_text(file, ",");
		add_number(file, stats->own[i]);
	}
	append_file_text(file, "\n");
}
