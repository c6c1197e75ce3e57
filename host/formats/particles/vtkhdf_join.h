/* All frames of a run as one VTKHDF file with steps in time: particles/particles.vtkhdf. */
#ifndef FRESHET_VTKHDF_JOIN_H
#define FRESHET_VTKHDF_JOIN_H

#include "particle_formats.h"

/*
 * Writes the file that joins those of frames in `folder`, every `every`-th up to this one, which is
 * there: its arrays are virtual, their numbers those of the frames' files.  It grows with the
 * frames, so that from the hundredth on it is put off for a hundredth of them; at the end `file` is
 * NULL.  What frames before the first call have it knows of the file that is there, or looks into
 * theirs.  As particle_format.join (particle_formats.h): 0 or an errno value, silent.
 */
int vtkhdf_join(const char *folder, int every, const struct particle_file *file,
		struct joined_frames *joined);

#endif
