#include "usd_stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "version.h"

#define ITEM (3 * (NUMBER_TEXT + 1) + 4) /* bytes of a tuple at most */
#define LINE 256

void usd_quoted(struct file_stream *stream, const char *text)
{
	file_stream_text(stream, "\"");
	for (; *text; text++) {
		const unsigned byte = (unsigned char)*text;
		char escaped[8] = {*text, '\0'};
		if (*text == '"' || *text == '\\')
			snprintf(escaped, sizeof(escaped), "\\%c", *text);
		else if (byte < 0x20 || byte == 0x7f)
			snprintf(escaped, sizeof(escaped), "\\x%02x", byte);
		file_stream_text(stream, escaped);
	}
	file_stream_text(stream, "\"");
}

void usd_header(struct file_stream *stream, const struct scene *scene, int first, int last,
		const char *words)
{
	char line[2 * LINE], fps[NUMBER_TEXT];
	number_from_double(scene->time.fps, fps);
	snprintf(line, sizeof(line),
		 "#usda 1.0\n(\n    doc = \"freshet " FRESHET_VERSION ": %s\"\n"
		 "    defaultPrim = \"liquid\"\n    endTimeCode = %d\n    framesPerSecond = %s\n"
		 "    metersPerUnit = 1\n    startTimeCode = %d\n    timeCodesPerSecond = %s\n"
		 "    upAxis = \"Y\"\n)\n\n",
		 words, last, fps, first, fps);
	file_stream_text(stream, line);
}

void usd_width(struct file_stream *stream, double width)
{
	char line[LINE], number[NUMBER_TEXT];
	snprintf(line, sizeof(line),
		 "    float[] widths = [%s] (\n        interpolation = \"constant\"\n    )\n",
		 number_from_float(width, number));
	file_stream_text(stream, line);
}

/* Of sRGB, in thousandths. */
static double linear(uint8_t value)
{
	const double v = value / 255.0;
	return floor(1000.0 * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)) + 0.5) /
	       1000.0;
}

void usd_colours(struct file_stream *stream, const struct scene *scene, bool one)
{
	char line[LINE], number[3][NUMBER_TEXT];
	const size_t most = one && scene->liquid_count > 1 ? 1 : scene->liquid_count;
	if (most == 0)
		return;
	file_stream_text(stream, "    color3f[] primvars:displayColor = [");
	for (size_t l = 0; l < most; l++) {
		const uint8_t *colour = scene->liquids[l].color;
		for (int c = 0; c < 3; c++)
			number_from_double(linear(colour[c]), number[c]);
		snprintf(line, sizeof(line), "%s(%s, %s, %s)", l > 0 ? ", " : "", number[0],
			 number[1], number[2]);
		file_stream_text(stream, line);
	}
	snprintf(line, sizeof(line), "] (\n        interpolation = \"%s\"\n    )\n",
		 one ? "constant" : "vertex");
	file_stream_text(stream, line);
}

/* ---- samples ------------------------------------------------------------------------------ */

void usd_samples_begin(struct file_stream *stream, const char *declaration, int frame)
{
	char line[LINE];
	snprintf(line, sizeof(line), "    %s.timeSamples = {\n        %d: [", declaration, frame);
	file_stream_text(stream, line);
}

void usd_samples_end(struct file_stream *stream)
{
	file_stream_text(stream, "],\n    }\n");
}

static char *put_text(char *at, const char *text)
{
	const size_t length = strlen(text);
	memcpy(at, text, length);
	return at + length;
}

static char *put_tuple(char *at, const f32 *values, size_t width)
{
	char number[NUMBER_TEXT];
	at = put_text(at, width > 1 ? "(" : "");
	for (size_t c = 0; c < width; c++) {
		at = put_text(at, c > 0 ? ", " : "");
		at = put_text(at, number_from_float_fast((double)values[c], number));
	}
	return put_text(at, width > 1 ? ")" : "");
}

void usd_floats(struct file_stream *stream, const f32 *values, size_t count, size_t width,
		size_t stride)
{
	for (size_t i = 0; i < count; i++) {
		char *item = file_stream_room(stream, ITEM), *at = item;
		if (!item)
			return;
		at = put_text(at, i > 0 ? ", " : "");
		at = put_tuple(at, values + stride * i, width);
		file_stream_advance(stream, (size_t)(at - item));
	}
}

/* One of `count` integers. */
static bool put_integer(struct file_stream *stream, size_t i, u32 value)
{
	char *item = file_stream_room(stream, NUMBER_TEXT);
	if (!item)
		return false;
	file_stream_advance(stream, (size_t)sprintf(item, "%s%" PRIu32, i > 0 ? ", " : "", value));
	return true;
}

void usd_integers(struct file_stream *stream, const u32 *values, size_t count)
{
	for (size_t i = 0; i < count && put_integer(stream, i, values[i]); i++)
		;
}

void usd_bytes(struct file_stream *stream, const uint8_t *values, size_t count)
{
	for (size_t i = 0; i < count && put_integer(stream, i, values[i]); i++)
		;
}

void usd_extent(struct file_stream *stream, int frame, const f32 *points, size_t count,
		size_t stride, f32 margin)
{
	f32 extent[2][3] = {{0}};
	for (size_t i = 0; i < count; i++)
		for (int a = 0; a < 3; a++) {
			const f32 x = points[stride * i + (size_t)a];
			extent[0][a] = i == 0 || x < extent[0][a] ? x : extent[0][a];
			extent[1][a] = i == 0 || x > extent[1][a] ? x : extent[1][a];
		}
	for (int a = 0; a < 3 && count > 0; a++) {
		extent[0][a] -= margin;
		extent[1][a] += margin;
	}
	usd_samples_begin(stream, "float3[] extent", frame);
	usd_floats(stream, extent[0], 2, 3, 3);
	usd_samples_end(stream);
}

/* ---- the stage that joins frames ------------------------------------------------------------ */

bool usd_joined(struct file_stream *stream, const char *folder, const char *stem, char **path)
{
	const size_t bytes = strlen(folder) + strlen(stem) + sizeof("/.usda");
	*path = malloc(bytes);
	if (!*path)
		return false;
	snprintf(*path, bytes, "%s/%s.usda", folder, stem);
	file_stream_open(stream, *path);
	return true;
}

void usd_clips(struct file_stream *stream, const struct scene *scene, const char *type,
	       const char *stem, int every)
{
	char line[4 * LINE];
	const int last = scene->time.frames / every * every;
	usd_header(stream, scene, 0, last, "all frames of a run");
	/* It is the manifest of its clips, too: it declares every attribute that they have. */
	snprintf(line, sizeof(line),
		 "def %s \"liquid\" (\n    clips = {\n        dictionary default = {\n"
		 "            asset manifestAssetPath = @./%s.usda@\n"
		 "            string primPath = \"/liquid\"\n"
		 "            string templateAssetPath = \"./%s.######.usda\"\n"
		 "            double templateEndTime = %d\n"
		 "            double templateStartTime = 0\n"
		 "            double templateStride = %d\n        }\n    }\n)\n{\n",
		 type, stem, stem, last, every);
	file_stream_text(stream, line);
}
