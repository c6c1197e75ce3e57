#include "legend.h"

#include <stdio.h>
#include <string.h>

struct glyph {
	char character;
	const char *rows; /* LEGEND_GLYPH_HEIGHT rows, top first, a blank between them */
};

/* What titles, units, numbers and the labels of plots need. */
/* clang-format off */
static const struct glyph glyphs[] = {
	{'0', ".###. #...# #..## #.#.# ##..# #...# .###."},
	{'1', "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###."},
	{'2', ".###. #...# ....# ..##. .#... #.... #####"},
	{'3', ".###. #...# ....# ..##. ....# #...# .###."},
	{'4', "...#. ..##. .#.#. #..#. ##### ...#. ...#."},
	{'5', "##### #.... ####. ....# ....# #...# .###."},
	{'6', ".###. #.... #.... ####. #...# #...# .###."},
	{'7', "##### ....# ...#. ...#. ..#.. ..#.. ..#.."},
	{'8', ".###. #...# #...# .###. #...# #...# .###."},
	{'9', ".###. #...# #...# .#### ....# ....# .###."},
	{'%', "##..# ##.#. ...#. ..#.. .#... .#.## #..##"},
	{'(', "...#. ..#.. .#... .#... .#... ..#.. ...#."},
	{')', ".#... ..#.. ...#. ...#. ...#. ..#.. .#..."},
	{'+', "..... ..#.. ..#.. ##### ..#.. ..#.. ....."},
	{',', "..... ..... ..... ..... .##.. .##.. .#..."},
	{'-', "..... ..... ..... .###. ..... ..... ....."},
	{'.', "..... ..... ..... ..... ..... .##.. .##.."},
	{'/', "....# ....# ...#. ..#.. .#... #.... #...."},
	{':', "..... .##.. .##.. ..... .##.. .##.. ....."},
	{'=', "..... ..... ##### ..... ##### ..... ....."},
	{'^', "..#.. .#.#. #...# ..... ..... ..... ....."},
	{'|', "..#.. ..#.. ..#.. ..#.. ..#.. ..#.. ..#.."},
	{'A', "..#.. .#.#. #...# #...# ##### #...# #...#"},
	{'B', "####. #...# #...# ####. #...# #...# ####."},
	{'C', ".###. #...# #.... #.... #.... #...# .###."},
	{'D', "####. #...# #...# #...# #...# #...# ####."},
	{'E', "##### #.... #.... ####. #.... #.... #####"},
	{'F', "##### #.... #.... ####. #.... #.... #...."},
	{'G', ".###. #...# #.... #.### #...# #...# .####"},
	{'H', "#...# #...# #...# ##### #...# #...# #...#"},
	{'I', ".###. ..#.. ..#.. ..#.. ..#.. ..#.. .###."},
	{'J', "..### ...#. ...#. ...#. ...#. #..#. .##.."},
	{'K', "#...# #..#. #.#.. ##... #.#.. #..#. #...#"},
	{'L', "#.... #.... #.... #.... #.... #.... #####"},
	{'M', "#...# ##.## #.#.# #.#.# #...# #...# #...#"},
	{'N', "#...# ##..# ##..# #.#.# #..## #..## #...#"},
	{'O', ".###. #...# #...# #...# #...# #...# .###."},
	{'P', "####. #...# #...# ####. #.... #.... #...."},
	{'Q', ".###. #...# #...# #...# #.#.# #..#. .##.#"},
	{'R', "####. #...# #...# ####. #.#.. #..#. #...#"},
	{'S', ".#### #.... #.... .###. ....# ....# ####."},
	{'T', "##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#.."},
	{'U', "#...# #...# #...# #...# #...# #...# .###."},
	{'V', "#...# #...# #...# #...# #...# .#.#. ..#.."},
	{'W', "#...# #...# #...# #.#.# #.#.# #.#.# .#.#."},
	{'X', "#...# #...# .#.#. ..#.. .#.#. #...# #...#"},
	{'Y', "#...# #...# .#.#. ..#.. ..#.. ..#.. ..#.."},
	{'Z', "##### ....# ...#. ..#.. .#... #.... #####"},
	{'a', "..... ..... .###. ....# .#### #...# .####"},
	{'b', "#.... #.... ####. #...# #...# #...# ####."},
	{'c', "..... ..... .###. #.... #.... #...# .###."},
	{'d', "....# ....# .#### #...# #...# #...# .####"},
	{'e', "..... ..... .###. #...# ##### #.... .###."},
	{'f', "..##. .#..# .#... ###.. .#... .#... .#..."},
	{'g', "..... ..... .#### #...# .#### ....# .###."},
	{'h', "#.... #.... ####. #...# #...# #...# #...#"},
	{'i', "..#.. ..... .##.. ..#.. ..#.. ..#.. .###."},
	{'j', "...#. ..... ..##. ...#. ...#. #..#. .##.."},
	{'k', "#.... #.... #..#. #.#.. ##... #.#.. #..#."},
	{'l', ".##.. ..#.. ..#.. ..#.. ..#.. ..#.. .###."},
	{'m', "..... ..... ##.#. #.#.# #.#.# #.#.# #.#.#"},
	{'n', "..... ..... ####. #...# #...# #...# #...#"},
	{'o', "..... ..... .###. #...# #...# #...# .###."},
	{'p', "..... ..... ####. #...# ####. #.... #...."},
	{'q', "..... ..... .#### #...# .#### ....# ....#"},
	{'r', "..... ..... #.##. ##..# #.... #.... #...."},
	{'s', "..... ..... .#### #.... .###. ....# ####."},
	{'t', ".#... .#... ###.. .#... .#... .#..# ..##."},
	{'u', "..... ..... #...# #...# #...# #..## .##.#"},
	{'v', "..... ..... #...# #...# #...# .#.#. ..#.."},
	{'w', "..... ..... #...# #...# #.#.# #.#.# .#.#."},
	{'x', "..... ..... #...# .#.#. ..#.. .#.#. #...#"},
	{'y', "..... ..... #...# #...# .#### ....# .###."},
	{'z', "..... ..... ##### ...#. ..#.. .#... #####"},
};
/* clang-format on */

const uint8_t legend_ink[3] = {28, 34, 40};

int legend_scale(const struct image *image)
{
	const int shorter = image->width < image->height ? image->width : image->height;
	return shorter / 320 < 1 ? 1 : shorter / 320;
}

void legend_draw_panel(struct image *image, int x0, int y0, int x1, int y1)
{
	for (int y = y0; y < y1; y++)
		for (int x = x0; x < x1; x++) {
			uint8_t *p =
				image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
			for (int c = 0; c < 3; c++)
				p[c] = (uint8_t)((p[c] + 5 * 255) / 6);
		}
}

int legend_text_width(const char *text, int scale)
{
	int length = (int)strlen(text);
	return length ? (length * (LEGEND_GLYPH_WIDTH + 1) - 1) * scale : 0;
}

void legend_draw_text(struct image *image, int x, int y, int scale, const uint8_t color[3],
		      const char *text)
{
	for (; *text; text++, x += (LEGEND_GLYPH_WIDTH + 1) * scale) {
		const char *rows = NULL;
		for (size_t g = 0; g < sizeof(glyphs) / sizeof(glyphs[0]); g++)
			if (glyphs[g].character == *text)
				rows = glyphs[g].rows;
		for (int row = 0; rows && row < LEGEND_GLYPH_HEIGHT; row++)
			for (int column = 0; column < LEGEND_GLYPH_WIDTH; column++) {
				int left = x + column * scale, top = y + row * scale;
				if (rows[row * (LEGEND_GLYPH_WIDTH + 1) + column] == '#')
					image_fill(image, left, top, left + scale, top + scale,
						   color);
			}
	}
}

static void encode_srgb(const float linear[3], uint8_t color[3])
{
	for (int c = 0; c < 3; c++)
		color[c] = (uint8_t)(render_encode(linear[c]) * 255.0f + 0.5f);
}

void legend_use_points(char *text)
{
	for (; *text; text++)
		if (*text == ',')
			*text = '.';
}

/* Ends are 1-2-5 steps up to rounding, which six digits hide. */
static void number_text(double value, char text[32])
{
	snprintf(text, 32, "%.6g", value);
	legend_use_points(text);
}

static void draw_bar(struct image *image, int x, int y, int width, int height,
		     enum render_field field, double low, double high)
{
	for (int column = 0; column < width; column++) {
		float rgb[3], t = ((float)column + 0.5f) / (float)width;
		uint8_t color[3];
		if (field == RENDER_LEVELSET)
			render_levelset_color((float)((low + (high - low) * (double)t) / high),
					      rgb);
		else
			render_color_map(t, rgb);
		encode_srgb(rgb, color);
		image_fill(image, x + column, y, x + column + 1, y + height, color);
	}
}

static void draw_cell_names(struct image *image, int x, int y, int scale)
{
	static const char *const names[] = {"AIR", "LIQUID", "SOLID"};
	static const int types[] = {CELL_AIR, CELL_LIQUID, CELL_SOLID};
	for (int n = 0; n < 3; n++) {
		float rgb[3];
		uint8_t color[3];
		int top = y + n * 10 * scale;
		render_cell_color(types[n], rgb);
		encode_srgb(rgb, color);
		image_fill(image, x, top, x + 10 * scale, top + 7 * scale, legend_ink);
		image_fill(image, x + scale, top + scale, x + 9 * scale, top + 6 * scale, color);
		legend_draw_text(image, x + 14 * scale, top, scale, legend_ink, names[n]);
	}
}

static const char *field_title(enum render_field field)
{
	return field == RENDER_SPEED	  ? "SPEED m/s"
	       : field == RENDER_PRESSURE ? "PRESSURE Pa"
	       : field == RENDER_LEVELSET ? "DISTANCE m"
					  : "";
}

/* Title, bar and the numbers at its ends, or without the title and narrow. */
static void draw_scale(struct image *image, int x, int y, int width, int scale, bool small,
		       enum render_field field, double low, double high)
{
	char text[32];
	const int bar = small ? 0 : 10 * scale, thick = (small ? 4 : 10) * scale;
	const int numbers = bar + thick + (small ? 2 : 3) * scale;
	if (!small)
		legend_draw_text(image, x, y, scale, legend_ink, field_title(field));
	draw_bar(image, x, y + bar, width, thick, field, low, high);
	number_text(low, text);
	legend_draw_text(image, x, y + numbers, scale, legend_ink, text);
	number_text(high, text);
	legend_draw_text(image, x + width - legend_text_width(text, scale), y + numbers, scale,
			 legend_ink, text);
}

static int small_width(double low, double high)
{
	char one[32], two[32];
	number_text(low, one);
	number_text(high, two);
	return legend_text_width(one, 1) + 10 + legend_text_width(two, 1);
}

void legend_draw(struct image *image, enum render_field field, double low, double high)
{
	if (field == RENDER_PARTICLES || field == RENDER_SURFACE)
		return;
	const int scale = legend_scale(image);
	const bool cells = field == RENDER_CELLS;
	int pad = 5 * scale, margin = 4 * scale;
	int width = (cells ? 49 : 120) * scale, height = (cells ? 27 : 30) * scale;
	const bool small =
		3 * (height + 2 * pad) > image->height || 2 * (width + 2 * pad) > image->width;
	if (small) { /* too much of the picture */
		pad = margin = 2;
		width = small_width(low, high);
		height = 13;
		if (cells || 3 * (height + 2 * pad) > image->height ||
		    2 * (width + 2 * pad) > image->width)
			return;
	}
	const int x = image->width - width - pad - margin, y = pad + margin;
	legend_draw_panel(image, x - pad, y - pad, x + width + pad, y + height + pad);
	if (cells)
		draw_cell_names(image, x, y, scale);
	else
		draw_scale(image, x, y, width, scale, small, field, low, high);
}
