/* Criteria and figures of the case under way. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "known_misses.h"
#include "number.h"
#include "validate.h"

/* Pixels of a plot: as wide as pages show it, letters included. */
#define FIGURE_WIDTH 1000
#define FIGURE_HEIGHT 640

/* ---- criteria ----------------------------------------------------------------------------- */

const char *validate_band_text(const struct validate_criterion *c, char text[64])
{
	const bool low = isfinite(c->low), high = isfinite(c->high);
	if (c->verdict == VALIDATE_NO_BAND)
		snprintf(text, 64, "-");
	else if (low && high)
		snprintf(text, 64, "%.4g to %.4g", c->low, c->high);
	else if (low)
		snprintf(text, 64, ">= %.4g", c->low);
	else
		snprintf(text, 64, "<= %.4g", c->high);
	return text;
}

static void print_criterion(const struct validate_criterion *c)
{
	static const char *const words[VALIDATE_VERDICTS] = {
		[VALIDATE_PASS] = "pass", [VALIDATE_FAIL] = "FAIL",  [VALIDATE_NO_BAND] = "",
		[VALIDATE_MET] = "FAIL",  [VALIDATE_KNOWN] = "miss",
	};
	char band[64], reference[32] = "-";
	if (isfinite(c->reference))
		snprintf(reference, sizeof(reference), "%.4g", c->reference);
	printf("  %-4s  %-54s %11.4g %-6s  reference %-9s  band %-20s  %s\n", words[c->verdict],
	       c->what, c->value, c->unit, reference, validate_band_text(c, band), c->origin);
	if (c->verdict == VALIDATE_KNOWN)
		printf("        known, up to %.4g: %s\n", c->known->worst, c->known->reason);
	else if (c->verdict == VALIDATE_MET)
		printf("        is met, but on the list of known misses: take it off\n");
	else if (c->known)
		printf("        is known to be missed, but only up to %.4g\n", c->known->worst);
	fflush(stdout);
}

MESSAGE_PRINTF(3, 0)
static void add_criterion(struct validate *v, struct validate_criterion c, const char *format,
			  va_list args)
{
	struct validate_result *result = v->result;
	vsnprintf(c.what, sizeof(c.what), format, args);
	if (result->criterion_count == VALIDATE_MAX_CRITERIA) {
		/* A programming mistake: it must not pass unnoticed. */
		result->broken = true;
		snprintf(result->reason, sizeof(result->reason), "more than %d criteria",
			 VALIDATE_MAX_CRITERIA);
		return;
	}
	if (c.verdict != VALIDATE_NO_BAND)
		known_miss_judge(known_misses, result->self->name, &c);
	result->criteria[result->criterion_count++] = c;
	print_criterion(&c);
}

static struct validate_criterion make_criterion(const char *unit, double value, double reference,
						double low, double high, const char *origin)
{
	struct validate_criterion c = {
		.value = value, .reference = reference, .low = low, .high = high};
	snprintf(c.unit, sizeof(c.unit), "%s", unit);
	snprintf(c.origin, sizeof(c.origin), "%s", origin);
	return c;
}

void validate_band(struct validate *v, const char *unit, double value, double reference, double low,
		   double high, const char *origin, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add_criterion(v, make_criterion(unit, value, reference, low, high, origin), format, args);
	va_end(args);
}

void validate_within(struct validate *v, const char *unit, double value, double reference,
		     double most, const char *origin, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add_criterion(
		v,
		make_criterion(unit, value, reference, reference - most, reference + most, origin),
		format, args);
	va_end(args);
}

void validate_note(struct validate *v, const char *unit, double value, double reference,
		   const char *origin, const char *format, ...)
{
	struct validate_criterion c =
		make_criterion(unit, value, reference, -(double)INFINITY, (double)INFINITY, origin);
	va_list args;
	c.verdict = VALIDATE_NO_BAND;
	va_start(args, format);
	add_criterion(v, c, format, args);
	va_end(args);
}

/* ---- figures ------------------------------------------------------------------------------ */

/* One row per point: curve, x, y. */
static bool write_curves(const char *directory, const char *name, const struct plot *plot)
{
	struct append_file file = {0};
	char x[NUMBER_TEXT], y[NUMBER_TEXT];
	if (!append_file_open(&file, directory, name))
		return false;
	append_file_print(&file, "# %s\n# x: %s; y: %s\ncurve,x,y\n", plot->title, plot->x_label,
			  plot->y_label);
	for (size_t c = 0; c < plot->curve_count; c++) {
		const struct plot_curve *curve = &plot->curves[c];
		for (size_t n = 0; n < curve->count; n++)
			append_file_print(&file, "\"%s\",%s,%s\n", curve->name,
					  number_from_float(curve->x[n], x),
					  number_from_float(curve->y[n], y));
	}
	return append_file_close(&file);
}

bool validate_figure(struct validate *v, const char *name, const struct plot *plot,
		     const char *caption)
{
	struct validate_result *result = v->result;
	struct image image = {0};
	char file[64], table[64];
	const char *directory = v->options->directory;
	if (result->figure_count == VALIDATE_MAX_FIGURES)
		return message_error("%s has more than %d figures", result->self->name,
				     VALIDATE_MAX_FIGURES);
	snprintf(file, sizeof(file), "%.28s_%.28s.png", result->self->name, name);
	snprintf(table, sizeof(table), "%.28s_%.28s.csv", result->self->name, name);
	char *path = file_join(directory, file);
	const bool ok = path && plot_draw(plot, FIGURE_WIDTH, FIGURE_HEIGHT, &image) &&
			image_write_png(path, &image) && write_curves(directory, table, plot);
	image_finish(&image);
	free(path);
	if (!ok)
		return false;
	struct validate_figure *figure = &result->figures[result->figure_count++];
	snprintf(figure->file, sizeof(figure->file), "%s", file);
	snprintf(figure->caption, sizeof(figure->caption), "%s", caption);
	return true;
}
