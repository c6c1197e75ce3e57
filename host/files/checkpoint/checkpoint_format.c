#include "checkpoint_format.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void checkpoint_block(char block[CHECKPOINT_BLOCK], unsigned format, unsigned long long bytes,
		      unsigned long long crc)
{
	memset(block, 0, CHECKPOINT_BLOCK);
	snprintf(block, CHECKPOINT_BLOCK,
		 "freshet checkpoint\nformat %u\nbytes %llu\ncrc64 %016llx\n", format, bytes, crc);
}

const char *const checkpoint_groups[] = {
	"time", "totals",   "interventions", "ledger",		"loads",  "particles",
	"ids",	"grid",	    "statistics",    "statistics/last", "frames", "files",
	"run",	"outflows", "neighbours",    "bodies"};
const size_t checkpoint_group_count = sizeof(checkpoint_groups) / sizeof(checkpoint_groups[0]);

#define NUMBER(group, name, type, member)                                              \
	{                                                                              \
		group, name, CHECKPOINT_##type, offsetof(struct checkpoint, member), 2 \
	}

const struct checkpoint_number checkpoint_numbers[] = {
	NUMBER("time", "frame", I32, frame),
	NUMBER("time", "substep", I32, substep),
	NUMBER("time", "time", F64, time),
	NUMBER("time", "grid_speed", F64, grid_speed),
	NUMBER("time", "steps", U64, steps),
	NUMBER("totals", "pushed", U32, pushed),
	NUMBER("totals", "escaped", U32, escaped),
	NUMBER("totals", "removed_open", U32, removed_open),
	NUMBER("totals", "retries", U32, retries),
	NUMBER("totals", "seeds_in_solids", U32, seeds_in_solids),
	NUMBER("interventions", "too_far", U32, interventions[STEP_TOO_FAR]),
	NUMBER("interventions", "pressure_diverged", U32, interventions[STEP_DIVERGED]),
	NUMBER("interventions", "pressure_unsolved", U32, interventions[STEP_UNSOLVED]),
	NUMBER("interventions", "grid_not_finite", U32, interventions[STEP_GRID_NOT_FINITE]),
	NUMBER("interventions", "particle_not_finite", U32,
	       interventions[STEP_PARTICLE_NOT_FINITE]),
	NUMBER("interventions", "sum_not_finite", U32, interventions[STEP_SUM_NOT_FINITE]),
	NUMBER("ledger", "seeded", U32, ledger.seeded),
	NUMBER("ledger", "loaded", U32, ledger.loaded),
	{"ledger", "entered", CHECKPOINT_U32, offsetof(struct checkpoint, ledger.entered), 4},
	{"ledger", "entered_outflows", CHECKPOINT_U32,
	 offsetof(struct checkpoint, ledger.entered_outflows), 6},
	{"ledger", "entered_emitters", CHECKPOINT_U32,
	 offsetof(struct checkpoint, ledger.entered_emitters), 6},
	NUMBER("ledger", "removed_ids_first", U32, removed_ids[0]),
	NUMBER("ledger", "removed_ids_second", U32, removed_ids[1]),
	NUMBER("ledger", "imbalances", U32, ledger.imbalances),
	NUMBER("ledger", "imbalance_frame", I32, ledger.bad_frame),
	NUMBER("ledger", "imbalance_substep", I32, ledger.bad_substep),
	{"loads", "seconds", CHECKPOINT_F64, offsetof(struct checkpoint, loads_seconds), 6},
	{"loads", "squeeze_warned", CHECKPOINT_I32, offsetof(struct checkpoint, squeeze_warned), 6},
	{"neighbours", "rest_density", CHECKPOINT_F64, offsetof(struct checkpoint, rest_density),
	 7},
	{"neighbours", "repositioned", CHECKPOINT_U32, offsetof(struct checkpoint, repositioned),
	 7},
	{"bodies", "contact_dt", CHECKPOINT_F64, offsetof(struct checkpoint, contact_dt), 8},
	{"bodies", "seconds", CHECKPOINT_F64, offsetof(struct checkpoint, accounts_seconds), 8},
	NUMBER("particles", "count", U32, state.particles),
	{"ids", "end", CHECKPOINT_U32, offsetof(struct checkpoint, state.ids.end), 3},
	NUMBER("particles", "hash", U64, hash),
	NUMBER("statistics", "particles_start", U32, summary.first.particles),
	NUMBER("statistics", "substeps", U64, summary.substeps),
	NUMBER("statistics", "pressure_iterations", U64, summary.iterations),
	NUMBER("statistics", "pressure_iterations_max", I32, summary.iterations_most),
	NUMBER("statistics", "pressure_solves", U64, summary.solves),
	NUMBER("statistics", "pressure_limit_hits", U64, summary.limit_hits),
	NUMBER("statistics", "drift_solves", U64, summary.drift_solves),
	NUMBER("statistics", "drift_limit_hits", U64, summary.drift_limit_hits),
	NUMBER("statistics", "volume_error_worst", F64, summary.volume_error_worst),
	NUMBER("statistics", "volume_error_worst_frame", I32, summary.volume_error_frame),
	NUMBER("statistics", "substeps_timed", U64, summary.substeps_timed),
	NUMBER("statistics", "substep_seconds", F64, summary.substep_seconds),
	NUMBER("statistics", "first_seconds", F64, summary.first_seconds),
	NUMBER("statistics/last", "frame", I32, summary.last.frame),
	NUMBER("statistics/last", "substep", I32, summary.last.substep),
	NUMBER("statistics/last", "time", F64, summary.last.time),
	NUMBER("statistics/last", "dt", F64, summary.last.dt),
	NUMBER("statistics/last", "particles", U32, summary.last.particles),
	NUMBER("statistics/last", "volume_error", F64, summary.last.volume_error),
	NUMBER("statistics/last", "pressure_iterations", I32, summary.last.pressure_iterations),
	NUMBER("statistics/last", "pushed", U32, summary.last.report.pushed),
	NUMBER("statistics/last", "escaped", U32, summary.last.report.escaped),
	NUMBER("statistics/last", "removed_open", U32, summary.last.report.removed_open),
	{"statistics/last", "drained", CHECKPOINT_U32,
	 offsetof(struct checkpoint, summary.last.report.drained), 5},
	{"statistics/last", "flown", CHECKPOINT_U32,
	 offsetof(struct checkpoint, summary.last.report.flown), 6},
	NUMBER("statistics/last", "retries", U32, summary.last.retries),
	NUMBER("files", "stats_csv", I64, stats_bytes),
	NUMBER("files", "probes_csv", I64, probes_bytes),
	{"files", "forces_csv", CHECKPOINT_I64, offsetof(struct checkpoint, forces_bytes), 6},
	{"files", "bodies_csv", CHECKPOINT_I64, offsetof(struct checkpoint, bodies_bytes), 8},
	NUMBER("files", "log_txt", I64, log_bytes),
	NUMBER("run", "seconds", F64, seconds),
	NUMBER("run", "warnings_dropped", U64, warnings_dropped),
};
const size_t checkpoint_number_count = sizeof(checkpoint_numbers) / sizeof(checkpoint_numbers[0]);

hid_t checkpoint_memory_type(enum checkpoint_type type)
{
	switch (type) {
	case CHECKPOINT_I32:
		return H5T_NATIVE_INT32;
	case CHECKPOINT_U32:
		return H5T_NATIVE_UINT32;
	case CHECKPOINT_I64:
		return H5T_NATIVE_INT64;
	case CHECKPOINT_U64:
		return H5T_NATIVE_UINT64;
	case CHECKPOINT_F64:
		break;
	}
	return H5T_NATIVE_DOUBLE;
}

hid_t checkpoint_file_type(enum checkpoint_type type)
{
	switch (type) {
	case CHECKPOINT_I32:
		return H5T_STD_I32LE;
	case CHECKPOINT_U32:
		return H5T_STD_U32LE;
	case CHECKPOINT_I64:
		return H5T_STD_I64LE;
	case CHECKPOINT_U64:
		return H5T_STD_U64LE;
	case CHECKPOINT_F64:
		break;
	}
	return H5T_IEEE_F64LE;
}

hid_t checkpoint_array_type(const struct sim_field *field)
{
	return field->type == FIELD_F32 ? H5T_NATIVE_FLOAT
	       : field->saved_negative	? H5T_NATIVE_INT32
					: H5T_NATIVE_UINT32;
}
