#include "probes.h"

#include <stdlib.h>

#include "measure.h"
#include "message.h"

static struct measure_stencil stencil_at(const struct subject *of, const double point[3], int c)
{
	return measure_stencil_at(&of->lattice->grid, of->lattice->dim, of->scene->h, point, c);
}

/* The samples of a stencil from a field, at and behind `first`, and flags beside them. */
static bool read_samples(const struct subject *of, const struct measure_stencil *s,
			 const union f32_buffer *field, size_t first, const union u8_buffer *flags,
			 double value[8], uint8_t flag[8])
{
	for (int corner = 0; corner < 8; corner++) {
		const size_t at = measure_sample(&of->lattice->grid, s, corner);
		f32 read;
		if (!clx_read(of->lattice->cl, field, (first + at) * sizeof(f32), sizeof(f32),
			      &read) ||
		    !clx_read(of->lattice->cl, flags, at, 1, &flag[corner]))
			return false;
		value[corner] = (double)read;
	}
	return true;
}

static bool sample_pressure(const struct subject *of, const double point[3],
			    struct probe_value *out)
{
	const struct measure_stencil s = stencil_at(of, point, -1);
	double value[8];
	uint8_t type[8];
	bool counts[8];
	if (!read_samples(of, &s, of->pressure, 0, of->cell_type, value, type))
		return false;
	for (int corner = 0; corner < 8; corner++)
		counts[corner] = type[corner] != CELL_SOLID;
	out->count = 1;
	out->known = measure_mean(&s, value, counts, &out->value[0]);
	return true;
}

static bool sample_velocity(const struct subject *of, const double point[3],
			    struct probe_value *out)
{
	out->count = 3;
	out->known = true;
	for (int c = 0; c < of->lattice->dim; c++) {
		const struct measure_stencil s = stencil_at(of, point, c);
		const size_t first = (size_t)c * (size_t)of->lattice->grid.lattice;
		double value[8];
		uint8_t valid[8];
		bool counts[8];
		if (!read_samples(of, &s, of->u_face, first, of->valid, value, valid))
			return false;
		for (int corner = 0; corner < 8; corner++)
			counts[corner] = valid[corner] >> c & 1;
		out->known = measure_mean(&s, value, counts, &out->value[c]) && out->known;
	}
	return true;
}

static bool sample_height(const struct subject *of, const double point[3], struct probe_value *out)
{
	const struct grid *g = &of->lattice->grid;
	struct measure_stencil s = stencil_at(of, point, -1);
	size_t plane = (size_t)g->px * (size_t)g->py;
	size_t first = (size_t)s.base[2] * plane;
	size_t count = (size_t)(s.step[2] + 1) * plane;
	f32 *phi = malloc(count * sizeof(*phi));
	uint8_t *type = malloc(count);
	bool ok = phi && type;
	if (!ok)
		message_error("out of memory for a height probe (%zu values)", count);
	ok = ok &&
	     clx_read(of->lattice->cl, of->phi, first * sizeof(*phi), count * sizeof(*phi), phi) &&
	     clx_read(of->lattice->cl, of->cell_type, first, count, type);
	if (ok) {
		out->count = 1;
		out->known = true;
		const struct measure_cells cells = {.grid = g,
						    .h = of->scene->h,
						    .top = of->scene->size[1],
						    .first = first,
						    .phi = phi,
						    .type = type};
		out->value[0] = measure_height(&cells, &s);
	}
	free(type);
	free(phi);
	return ok;
}

static bool sample_front_of_cells(const struct subject *of, double depth, struct probe_value *out)
{
	u32 *units = malloc(of->volume->bytes);
	if (!units)
		return message_memory(of->volume->bytes, "a front probe");
	if (!clx_read(of->lattice->cl, of->volume, 0, of->volume->bytes, units)) {
		free(units);
		return false;
	}
	measure_front_cells(&of->lattice->grid, of->scene->h, depth, units, &out->value[0],
			    &out->farthest);
	out->count = 1;
	out->known = true;
	free(units);
	return true;
}

static bool sample_front(const struct subject *of, double depth, struct probe_value *out)
{
	if (of->volume && of->volume->bytes > 0)
		return sample_front_of_cells(of, depth, out);
	const struct particles *p = of->particles;
	const size_t count = p->count, room = count ? count : 1;
	f32 *x = malloc(room * sizeof(*x));
	u32 *id = malloc(room * sizeof(*id));
	bool ok = x && id;
	if (!ok)
		message_error("out of memory for a front probe (%zu particles)", count);
	ok = ok && (count == 0 ||
		    (clx_read(of->lattice->cl, &p->now.position, 0, count * sizeof(*x), x) &&
		     clx_read(of->lattice->cl, &p->now.id, 0, count * sizeof(*id), id)));
	out->count = 1;
	out->known = true;
	ok = ok && measure_front(&of->lattice->grid, of->scene->h, of->scene->particles_per_cell,
				 depth, x, id, count, &out->value[0], &out->farthest);
	free(id);
	free(x);
	return ok;
}

bool probe_sample(struct subject subject, const struct scene_probe *probe,
		  struct probe_value *value)
{
	*value = (struct probe_value){0};
	switch (probe->quantity) {
	case QUANTITY_PRESSURE:
		return sample_pressure(&subject, probe->point, value);
	case QUANTITY_VELOCITY:
		return sample_velocity(&subject, probe->point, value);
	case QUANTITY_HEIGHT:
		return sample_height(&subject, probe->point, value);
	case QUANTITY_FRONT:
		return sample_front(&subject, probe->depth, value);
	}
	return false;
}
