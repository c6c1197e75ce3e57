/*
 * Particle files for other programs: particles/particles_000000.ply and so on.
 * docs/output.md describes them.  A row for each of PARTICLE_FORMATS (output_kinds.h), in a file of
 * particles/.
 */
#ifndef FRESHET_PARTICLE_FORMATS_H
#define FRESHET_PARTICLE_FORMATS_H

#include "joined_frames.h"
#include "particles_read.h"
#include "scene.h"

/* What the file of a frame holds. */
struct particle_file {
	const struct scene *scene;
	int frame;
	double time;			    /* s */
	struct particle_snapshot particles; /* owned */
};

/* Outcome of reading a file's bytes. */
enum read_result {
	READ_DONE,
	READ_FOREIGN, /* it is not such a file of freshet */
	READ_DAMAGED, /* it began like one */
	READ_NO_MEMORY,
};

struct particle_format {
	/* Writes the file `path`: 0 or an errno value.  Silent. */
	int (*write)(const char *path, const struct particle_file *file);
	/* Fills *snapshot, which must be finished whatever the result, from bytes behind which a
	 * zero stands.  What the numbers are has not been looked at. */
	enum read_result (*read)(char *bytes, size_t length, struct particle_snapshot *snapshot);
	/* About how long the file of one frame will be. */
	double (*bytes)(const struct scene *scene, double particles);
	bool sealed; /* ends in a seal (file_seal.h) */
	/* Writes the file in `folder` that joins those of frames, every `every`-th of them up to
	 * this one, or puts it off; `file` NULL, at the end: what was put off.  0 or an errno
	 * value; NULL: there is none.  Silent. */
	int (*join)(const char *folder, int every, const struct particle_file *file,
		    struct joined_frames *joined);
};

#define PARTICLE_FORMAT_ROW(KIND, name) extern const struct particle_format particle_format_##name;
PARTICLE_FORMATS(PARTICLE_FORMAT_ROW)
extern const struct particle_format *const particle_formats[PARTICLE_FORMAT_COUNT];

#endif
