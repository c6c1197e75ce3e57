/* A film of a run's pictures, made by ffmpeg, which gets them one after the other. */
#ifndef FRESHET_FILM_H
#define FRESHET_FILM_H

#include <stdbool.h>

#include "exit_code.h"

struct film_options {
	const char *run;    /* directory */
	const char *output; /* NULL: film.mp4 in it; ends in .mp4, .mov or .mkv */
	double rate; /* pictures a second; 0: that of the run, which shows it as fast as it is */
	bool overwrite, quiet;
};

/* Writes the film: H.264, 4:2:0, sizes padded to even ones, the file whole or absent.  A picture
 * that lasts longer than others, as where the run was resumed with another output.png.every, is
 * shown as long. */
enum exit_code film_make(const struct film_options *options);

#endif
