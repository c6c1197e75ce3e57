#include "sim_copies.h"

#include <stdlib.h>

struct subject subject_of(const struct sim *sim)
{
	return (struct subject){
		.scene = sim->scene,
		.lattice = &sim->lattice,
		.solids = &sim->solids,
		.particles = &sim->particles,
		.u_face = &sim->u_face,
		.phi = &sim->phi,
		.pressure = &sim->pressure,
		.valid = &sim->valid,
		.cell_type = &sim->cell_type,
		.volume = &sim->vof.volume,
	};
}

static size_t centre_member(enum centre_field field)
{
	switch (field) {
	case CENTRE_PRESSURE:
		return offsetof(struct sim, pressure.raw);
	case CENTRE_LEVELSET:
		return offsetof(struct sim, phi.raw);
	case CENTRE_CELLS:
		return offsetof(struct sim, cell_type.raw);
	}
	abort(); /* compilers see that there is no other */
}

bool grid_copy_read(const struct sim *sim, unsigned wanted, struct grid_copy *copy)
{
	const size_t lattice = (size_t)sim->lattice.grid.lattice, dim = (size_t)sim->dim;
	*copy = (struct grid_copy){0};
	if (wanted & FIELD_VELOCITY) {
		copy->u_face = clx_read_copy(sim->cl, &sim->u_face, dim * lattice * sizeof(f32));
		copy->valid = copy->u_face ? clx_read_copy(sim->cl, &sim->valid, lattice) : NULL;
		if (!copy->valid)
			return false;
	}
	if (wanted & FIELD_VOLUME) {
		copy->volume =
			clx_read_copy(sim->cl, &sim->vof.volume, lattice * sizeof(*copy->volume));
		if (!copy->volume)
			return false;
	}
	for (int f = 0; f < CENTRE_FIELDS; f++) {
		const void *buffer = (const char *)sim + centre_member((enum centre_field)f);
		if (!(wanted & centre_fields[f].bit))
			continue;
		copy->centre[f] =
			clx_read_copy_raw(sim->cl, buffer, lattice * centre_fields[f].size);
		if (!copy->centre[f])
			return false;
	}
	return true;
}

bool grid_copy_load(const struct grid_copy *copy, struct sim *sim)
{
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	for (int f = 0; f < CENTRE_FIELDS; f++)
		if (copy->centre[f] &&
		    !clx_write_raw(sim->cl,
				   (void *)((char *)sim + centre_member((enum centre_field)f)), 0,
				   lattice * centre_fields[f].size, copy->centre[f]))
			return false;
	return true;
}
