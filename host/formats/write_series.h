/* `.series` files: they tell ParaView the times of numbered files. */
#ifndef FRESHET_WRITE_SERIES_H
#define FRESHET_WRITE_SERIES_H

/*
 * Writes "directory/STEM.ENDING.series", which lists "STEM_000000.ENDING" and every `every`-th
 * frame after it up to `frame`.  Silent: 0 or an errno value.
 */
int write_series(const char *directory, const char *stem, const char *ending, int every, int frame,
		 double fps);

#endif
