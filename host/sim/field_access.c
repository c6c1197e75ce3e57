#include "field_access.h"

#include "load_params.h"
#include "neighbours/neighbours.h"
#include "scan.h"

const struct sim_field *method_field(const struct method *method, size_t member)
{
	for (size_t i = 0; i < method->field_count; i++)
		if (method->fields[i].member == member)
			return &method->fields[i];
	return NULL;
}

struct clx_buffer *sim_buffer(struct sim *sim, const struct sim_field *field)
{
	return (void *)((char *)sim + field->member);
}

bool sim_field_of_particles(const struct sim_field *field)
{
	return field->shape == SHAPE_PARTICLE || field->shape == SHAPE_VECTOR ||
	       field->shape == SHAPE_MATRIX || field->shape == SHAPE_ORDER ||
	       field->shape == SHAPE_PLACES || field->shape == SHAPE_PARTIALS ||
	       field->shape == SHAPE_PARTICLE_CHUNKS || field->shape == SHAPE_NEIGHBOURS ||
	       field->shape == SHAPE_NEAR || field->shape == SHAPE_NEAR_VECTORS;
}

/* Is it of particles that do not carry it in this scene? */
static bool is_missing(const struct sim *sim, const struct sim_field *field)
{
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++) {
		const size_t member = attribute_rows[a].member;
		if (attribute_rows[a].on_device &&
		    (field->member == offsetof(struct sim, particles.now) + member ||
		     field->member == offsetof(struct sim, particles.before) + member))
			return !(sim->particles.carried & ATTRIBUTE_BIT(a));
	}
	return false;
}

static size_t greater(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Sums of chunks: of the solver's vectors; and, behind them, of particles or cells. */
static size_t partials(const struct sim *sim)
{
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	const size_t finest = (size_t)sim->poisson.mg.finest;
	const size_t chunks = greater(finest, lattice) / PAIRS_CHUNK + 1;
	const size_t particles =
		PARTICLE_SUMS * ((size_t)sim->particles.capacity / PAIRS_CHUNK + 1);
	/* The ledger sums along every axis at once, loads of solids have torques too; without
	 * particles their sums are of cells. */
	const bool of_cells = !(sim->method->parts & PART_PARTICLES);
	const bool loads = sim->solids.moving || sim->scene->output.forces;
	const size_t most = of_cells ? (size_t)PARTICLE_SUMS
			    : loads  ? LOAD_MOST_SUMS
				     : (size_t)sim->dim;
	const size_t rubs = scene_has_friction(sim->scene) ? FRICTION_SUMS : 0;
	return (size_t)sim->lattice.sums + greater(chunks * greater(most, rubs), particles);
}

size_t sim_field_elements(const struct sim *sim, const struct sim_field *field)
{
	const size_t d = (size_t)sim->dim, lattice = (size_t)sim->lattice.grid.lattice;
	const size_t particles = sim->particles.capacity, keys = (size_t)sim->lattice.grid.keys;
	const size_t finest = (size_t)sim->poisson.mg.finest;
	if (is_missing(sim, field))
		return 0;
	switch (field->shape) {
	case SHAPE_POINTS:
	case SHAPE_MASK:
		return lattice;
	case SHAPE_FACES:
		return d * lattice;
	case SHAPE_SOLID_FACES:
		return sim->scene->solid_count > 0 ? d * lattice : 1;
	case SHAPE_FLOW:
		return sim->scene->inflow_count + sim->scene->outflow_count > 0 ||
				       sim->solids.moving
			       ? d * lattice
			       : 1;
	case SHAPE_SPHERES:
		return sim->scene->liquid_surface == LIQUID_SURFACE_SPHERES ? lattice : 1;
	case SHAPE_FORCE:
		return sim->scene->force_count > 0 ? d * lattice : 1;
	case SHAPE_FRICTION:
		return scene_has_friction(sim->scene) ? d * lattice : 1;
	case SHAPE_UNKNOWNS:
		return greater(finest, lattice);
	case SHAPE_STARTS:
		return greater(finest, keys + 2);
	case SHAPE_SCAN:
		return scan_scratch_bytes(keys + 1) / sizeof(u32);
	case SHAPE_SCALARS:
		return SCALAR_COUNT;
	case SHAPE_HASHES:
		return SIM_HASH_ITEMS;
	case SHAPE_PARTIALS:
		return partials(sim);
	case SHAPE_PARTICLE:
		return particles;
	case SHAPE_VECTOR:
		return d * particles;
	case SHAPE_MATRIX:
		return d * d * particles;
	case SHAPE_PLACES:
		return sim->solids.split && sim->solids.moving ? d * particles : 0;
	case SHAPE_ORDER:
		return sim->solids.split ? particles : 0;
	case SHAPE_PARTICLE_CHUNKS:
		return 2 * (particles / PAIRS_CHUNK + 1);
	case SHAPE_NEIGHBOURS:
		return (size_t)sim->sph.slots * particles;
	case SHAPE_NEAR:
		return neighbours_wanted(sim->scene) ? particles + 1 : 0;
	case SHAPE_NEAR_VECTORS:
		return neighbours_wanted(sim->scene) ? d * particles : 0;
	case SHAPE_ALL_SCRATCH:
		return sim->scratch_bytes;
	case SHAPE_SOLIDS:
	case SHAPE_HOST:
		break;
	}
	return 0;
}
