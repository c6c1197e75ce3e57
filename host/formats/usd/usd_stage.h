/*
 * OpenUSD stages as text, version 1.0: what particles and meshes of a frame have in common, and the
 * stage that joins the frames of a run (openusd.org: "USDA file format", "Value clips").
 *
 * A frame's file has its values as time samples at the time code that is the frame's number; the
 * joining stage takes them as value clips, from files that are there, whichever they are.  y is up,
 * a unit is a metre, velocities are per second.
 */
#ifndef FRESHET_USD_STAGE_H
#define FRESHET_USD_STAGE_H

#include "file_stream.h"
#include "scene.h"
#include "shared.h"

/* The lines before the prim "liquid".  `words`: what the file is. */
void usd_header(struct file_stream *stream, const struct scene *scene, int first, int last,
		const char *words);

/* A text in quotes, escaped. */
void usd_quoted(struct file_stream *stream, const char *text);

/* "    float[] widths = [x] (interpolation = "constant")" */
void usd_width(struct file_stream *stream, double width);

/* The colour of each liquid as the table of the primvar displayColor, linear as USD has it; its
 * indices are the particles' liquids.  One liquid: a colour for all. */
void usd_colours(struct file_stream *stream, const struct scene *scene, bool one);

/* Numbers of an attribute at a frame: begins "    TYPE NAME.timeSamples = {FRAME: [", ends it. */
void usd_samples_begin(struct file_stream *stream, const char *declaration, int frame);
void usd_samples_end(struct file_stream *stream);
/* `count` tuples of `width` (1 or 3) numbers, `stride` apart; 9 digits, which read back alike. */
void usd_floats(struct file_stream *stream, const f32 *values, size_t count, size_t width,
		size_t stride);
void usd_integers(struct file_stream *stream, const u32 *values, size_t count);
void usd_bytes(struct file_stream *stream, const uint8_t *values, size_t count);
/* The extent of `count` points, `stride` apart, each with a margin. */
void usd_extent(struct file_stream *stream, int frame, const f32 *points, size_t count,
		size_t stride, f32 margin);

/* The stage that joins "STEM.000000.usda" and every `every`-th after it, in the same folder: its
 * lines up to the prim's "{".  `type`: of the prim. */
void usd_clips(struct file_stream *stream, const struct scene *scene, const char *type,
	       const char *stem, int every);
/* Opens "folder/STEM.usda"; *path is to be freed after the stream is finished.  False: no memory.
 */
bool usd_joined(struct file_stream *stream, const char *folder, const char *stem, char **path);

#endif
