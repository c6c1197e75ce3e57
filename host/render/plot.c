#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "legend.h"

#define SCALE 2 /* pixels per dot of the letters */
#define LETTER_HEIGHT (LEGEND_GLYPH_HEIGHT * SCALE)
#define TICKS 6

static const uint8_t ink[3] = {28, 34, 40}, grid_color[3] = {222, 226, 230};
/* Told apart by most colour-blind people too (after Okabe & Ito 2008). */
static const uint8_t palette[PLOT_MAX_CURVES][3] = {
	{0, 114, 178},	{213, 94, 0},  {0, 158, 115},	{204, 121, 167},
	{86, 180, 233}, {230, 159, 0}, {100, 100, 100}, {20, 20, 20},
};

/* The axes: their box in pixels and the values at its edges. */
struct axes {
	struct image *image;
	int left, right, top, bottom;
	double low[2], high[2], step[2];
};

void plot_add(struct plot *plot, const char *name, enum plot_style style, const double *x,
	      const double *y, size_t count)
{
	if (plot->curve_count < PLOT_MAX_CURVES)
		plot->curves[plot->curve_count++] = (struct plot_curve){name, x, y, count, style};
}

double plot_step(double span, int parts)
{
	static const double round[] = {1.0, 2.0, 5.0, 10.0};
	if (!(span > 0.0) || parts < 1)
		return 1.0;
	const double raw = span / parts, power = pow(10.0, floor(log10(raw)));
	for (int i = 0; i < 3; i++)
		if (raw <= round[i] * power * (1.0 + 1e-9))
			return round[i] * power;
	return round[3] * power;
}

/* Round ends that hold every point. */
static void find_range(const struct plot *plot, struct axes *f)
{
	for (int axis = 0; axis < 2; axis++) {
		double low = (double)INFINITY, high = -(double)INFINITY;
		for (size_t c = 0; c < plot->curve_count; c++)
			for (size_t n = 0; n < plot->curves[c].count; n++) {
				const double x = plot->curves[c].x[n], y = plot->curves[c].y[n];
				if (!isfinite(x) || !isfinite(y))
					continue;
				low = fmin(low, axis ? y : x);
				high = fmax(high, axis ? y : x);
			}
		if (axis == 1 && plot->y_from_zero) {
			low = fmin(low, 0.0);
			high = fmax(high, 0.0);
		}
		if (!(low <= high))
			low = high = 0.0;
		/* A constant: some room around it. */
		if (!(high - low > 1e-12 * fmax(fabs(low), fabs(high)))) {
			const double room = fmax(0.1 * fabs(high), 1e-9);
			low -= room;
			high += room;
		}
		f->step[axis] = plot_step(high - low, TICKS);
		f->low[axis] = floor(low / f->step[axis] + 1e-9) * f->step[axis];
		f->high[axis] = ceil(high / f->step[axis] - 1e-9) * f->step[axis];
	}
}

/* ---- pixels ------------------------------------------------------------------------------- */

static void blend_pixel(struct image *image, int x, int y, const uint8_t color[3], double cover)
{
	if (x < 0 || y < 0 || x >= image->width || y >= image->height || !(cover > 0.0))
		return;
	uint8_t *p = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
	cover = cover > 1.0 ? 1.0 : cover;
	for (int c = 0; c < 3; c++)
		p[c] = (uint8_t)(p[c] + (color[c] - p[c]) * cover + 0.5);
}

/* A line with round ends; a pixel's cover falls over one pixel at its edge. */
static void draw_segment(struct image *image, const double a[2], const double b[2], double width,
			 const uint8_t color[3])
{
	const double dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy;
	const double reach = 0.5 * width + 1.0;
	const int x1 = (int)fmin(ceil(fmax(a[0], b[0]) + reach), image->width);
	const int y1 = (int)fmin(ceil(fmax(a[1], b[1]) + reach), image->height);
	for (int y = (int)fmax(floor(fmin(a[1], b[1]) - reach), 0.0); y < y1; y++)
		for (int x = (int)fmax(floor(fmin(a[0], b[0]) - reach), 0.0); x < x1; x++) {
			const double px = x + 0.5 - a[0], py = y + 0.5 - a[1];
			double t = length2 > 0.0 ? (px * dx + py * dy) / length2 : 0.0;
			t = fmin(fmax(t, 0.0), 1.0);
			const double distance = hypot(px - t * dx, py - t * dy);
			blend_pixel(image, x, y, color, 0.5 * width + 0.5 - distance);
		}
}

static void draw_marker(struct image *image, const double at[2], const uint8_t color[3])
{
	draw_segment(image, at, at, 8.0, color);
	draw_segment(image, at, at, 4.0, (const uint8_t[]){255, 255, 255});
}

/* ---- the parts ---------------------------------------------------------------------------- */

static void place_point(const struct axes *f, double x, double y, double at[2])
{
	at[0] = f->left + (x - f->low[0]) / (f->high[0] - f->low[0]) * (f->right - f->left);
	at[1] = f->bottom - (y - f->low[1]) / (f->high[1] - f->low[1]) * (f->bottom - f->top);
}

/* A tick's number: multiples of a round step need few digits; a '.' in any locale. */
static void number_text(double value, double step, char text[32])
{
	snprintf(text, 32, "%.5g", fabs(value) < 1e-6 * step ? 0.0 : value);
	for (char *c = text; *c; c++)
		if (*c == ',')
			*c = '.';
}

static void draw_axes(struct axes *f)
{
	char text[32];
	double at[2];
	for (int axis = 0; axis < 2; axis++) {
		const int ticks = (int)((f->high[axis] - f->low[axis]) / f->step[axis] + 0.5);
		for (int n = 0; n <= ticks; n++) {
			const double value = f->low[axis] + n * f->step[axis];
			place_point(f, axis ? f->low[0] : value, axis ? value : f->low[1], at);
			const int x = (int)at[0], y = (int)at[1];
			number_text(value, f->step[axis], text);
			const int width = legend_text_width(text, SCALE);
			if (axis == 0) {
				image_fill(f->image, x, f->top, x + 1, f->bottom, grid_color);
				legend_draw_text(f->image, x - width / 2, f->bottom + 8, SCALE, ink,
						 text);
			} else {
				image_fill(f->image, f->left, y, f->right, y + 1, grid_color);
				legend_draw_text(f->image, f->left - 8 - width,
						 y - LETTER_HEIGHT / 2, SCALE, ink, text);
			}
		}
	}
	image_fill(f->image, f->left, f->top, f->left + 2, f->bottom + 2, ink);
	image_fill(f->image, f->left, f->bottom, f->right, f->bottom + 2, ink);
}

static void draw_curve(struct axes *f, const struct plot_curve *curve, const uint8_t color[3])
{
	double before[2], at[2];
	bool joined = false;
	for (size_t n = 0; n < curve->count; n++) {
		if (!isfinite(curve->x[n]) || !isfinite(curve->y[n])) {
			joined = false;
			continue;
		}
		place_point(f, curve->x[n], curve->y[n], at);
		if (curve->style == PLOT_MARKERS)
			draw_marker(f->image, at, color);
		else if (joined)
			draw_segment(f->image, before, at, 2.0, color);
		memcpy(before, at, sizeof(before));
		joined = true;
	}
}

/* The names of the curves, below the title. */
static void draw_key(const struct plot *plot, struct axes *f, int y)
{
	int x = f->left;
	for (size_t c = 0; c < plot->curve_count; c++) {
		const struct plot_curve *curve = &plot->curves[c];
		const int width = legend_text_width(curve->name, SCALE) + 56;
		if (x > f->left && x + width > f->right) {
			x = f->left;
			y += LETTER_HEIGHT + 8;
		}
		const double a[2] = {x + 2, y + 0.5 * LETTER_HEIGHT}, b[2] = {x + 26, a[1]};
		const double middle[2] = {x + 14, a[1]};
		if (curve->style == PLOT_MARKERS)
			draw_marker(f->image, middle, palette[c]);
		else
			draw_segment(f->image, a, b, 3.0, palette[c]);
		legend_draw_text(f->image, x + 34, y, SCALE, ink, curve->name);
		x += width;
	}
}

/* Rows that the key takes. */
static int key_rows(const struct plot *plot, const struct axes *f)
{
	int x = f->left, rows = 1;
	for (size_t c = 0; c < plot->curve_count; c++) {
		const int width = legend_text_width(plot->curves[c].name, SCALE) + 56;
		if (x > f->left && x + width > f->right) {
			x = f->left;
			rows++;
		}
		x += width;
	}
	return rows;
}

bool plot_draw(const struct plot *plot, int width, int height, struct image *image)
{
	if (!image_init(image, width, height))
		return false;
	memset(image->rgb, 255, 3 * (size_t)width * (size_t)height);
	struct axes f = {.image = image, .left = 110, .right = width - 40, .bottom = height - 64};
	const int rows = key_rows(plot, &f);
	f.top = 68 + rows * (LETTER_HEIGHT + 8) + LETTER_HEIGHT;
	find_range(plot, &f);
	draw_axes(&f);
	for (size_t c = 0; c < plot->curve_count; c++)
		draw_curve(&f, &plot->curves[c], palette[c]);
	legend_draw_text(image, f.left, 16, SCALE, ink, plot->title);
	draw_key(plot, &f, 46);
	legend_draw_text(image, 12, f.top - LETTER_HEIGHT - 14, SCALE, ink, plot->y_label);
	legend_draw_text(image, f.right - legend_text_width(plot->x_label, SCALE), height - 26,
			 SCALE, ink, plot->x_label);
	return true;
}
