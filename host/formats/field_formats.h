/*
 * Field files for other programs: fields/fields_000000.vtkhdf.  docs/output.md describes them.  A
 * row for each of FIELD_FORMATS (output_kinds.h), in a file of fields/.
 */
#ifndef FRESHET_FIELD_FORMATS_H
#define FRESHET_FIELD_FORMATS_H

#include "file_read.h"
#include "grid_copy.h"

/* What the file of a frame holds. */
struct field_file {
	const struct scene *scene;
	double time; /* s */
	struct grid_copy fields;
	int frame;
};

struct field_format {
	/* Writes the file `path`: 0 or an errno value.  Silent. */
	int (*write)(const char *path, const struct field_file *file);
	/* Reads fields at cell centres of the scene, `wanted` of enum scene_field.  *fields is
	 * theirs, to be freed also on false, with `reason`, a sentence whose subject is the file.
	 * Reports nothing. */
	bool (*read)(const char *path, const struct scene *scene, unsigned wanted,
		     struct grid_copy *fields, char reason[FILE_READ_REASON]);
	/* About how long the file of one frame will be. */
	double (*bytes)(const struct scene *scene);
	bool series; /* ParaView is told the times (write_series.h) */
};

#define FIELD_FORMAT_ROW(KIND, name) extern const struct field_format field_format_##name;
FIELD_FORMATS(FIELD_FORMAT_ROW)
extern const struct field_format *const field_formats[FIELD_FORMAT_COUNT];

#endif
