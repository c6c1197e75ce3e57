#include "sim_fields.h"

#include <math.h>
#include <string.h>

#include "scan.h"
#include "scene_grid.h"
#include "seed.h"
#include "stages.h"

/* Layers of extrapolation after the projection.  A layer is one step along an axis, so that cells
 * ceil(cfl) + 1 away along all of them take dim times as many. */
static int band_layers(const struct scene *scene)
{
	double cells = ceil(scene->time.dt > 0.0 ? FIXED_DT_CELLS : scene->time.cfl) + 1.0;
	return scene->dim * (int)cells;
}

void sim_outline(struct sim *sim, const struct scene *scene, u32 capacity)
{
	sim->scene = scene;
	sim->dim = scene->dim;
	sim->lattice.dim = scene->dim;
	sim->lattice.grid = scene_grid(scene);
	sim->layers = band_layers(scene);
	sim->particles.capacity = capacity;
	sim->particles.has_affine = scene->transfer == TRANSFER_APIC;
	solids_init(&sim->solids, &sim->lattice, scene->solids, scene->solid_count, scene->h);
	sim->poisson.lattice = &sim->lattice;
	sim->poisson.settings = &scene->solver;
	sim->poisson.cell_type = &sim->cell_type;
	sim->poisson.phi = &sim->phi;
	sim->poisson.open_fraction = &sim->solids.open_fraction;
	sim->poisson.opened = &sim->opened;
}

void sim_plan_bricks(struct sim *sim)
{
	const struct multigrid *mg = &sim->poisson.mg;
	bricks_plan(&sim->lattice.bricks, &sim->lattice.grid, sim->dim, sim->layers, mg->levels,
		    mg->count, mg->finest);
}

/* Bytes of scratch: the greatest need of any stage. */
static size_t scratch_bytes(const struct grid *g, int dim, bool solids)
{
	size_t faces = (size_t)g->lattice * (size_t)dim;
	size_t splat = fields_aligned(faces * sizeof(i32)) + fields_aligned(faces * sizeof(i64));
	size_t level = 2 * fields_aligned((size_t)g->lattice * 4);
	size_t projected = 3 * fields_aligned(faces * sizeof(f32));
	size_t scan = fields_aligned(scan_scratch_bytes((size_t)g->keys + 1));
	size_t needs[] = {splat,
			  level,
			  projected,
			  scan,
			  fields_aligned(seed_scratch_bytes(g)),
			  poisson_scratch_bytes(g, dim, solids)};
	size_t most = 0;
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
		most = most > needs[i] ? most : needs[i];
	return most;
}

size_t sim_list_grid_fields(struct sim *sim, struct field *f)
{
	const size_t d = (size_t)sim->dim, lattice = (size_t)sim->lattice.grid.lattice;
	const size_t starts = (size_t)sim->lattice.grid.keys + 2;
	/* Right-hand sides of the solver lie in two of these (poisson.h). */
	struct multigrid mg = {0};
	multigrid_plan(&mg, &sim->lattice.grid, sim->dim, 1, false);
	const size_t rhs = (size_t)mg.finest;
	const struct field list[] = {
		FIELD(&sim->u_face, "grid velocity", d * lattice),
		FIELD(&sim->valid, "valid faces", lattice),
		FIELD(&sim->phi, "level set", lattice),
		FIELD(&sim->cell_type, "cell types", lattice),
		FIELD(&sim->pressure, "pressure", rhs > lattice ? rhs : lattice),
		FIELD(&sim->poisson.component, "components", lattice),
		FIELD(&sim->opened, "opened walls", lattice),
		FIELD(&sim->scratch, "scratch",
		      scratch_bytes(&sim->lattice.grid, sim->dim, sim->scene->solid_count > 0)),
		FIELD(&sim->lattice.scalars, "scalars", SCALAR_COUNT),
		FIELD(&sim->lattice.totals, "totals", TOTALS),
		FIELD(&sim->hashes, "hashes", SIM_HASH_ITEMS),
		FIELD(&sim->particles.cell_start, "cell starts", rhs > starts ? rhs : starts),
	};
	memcpy(f, list, sizeof(list));
	return sizeof(list) / sizeof(list[0]);
}

size_t sim_list_particle_fields(struct sim *sim, u32 n, struct field *f)
{
	struct particles *p = &sim->particles;
	const size_t d = (size_t)sim->dim, count = n;
	const size_t affine = sim->scene->transfer == TRANSFER_APIC ? d * d * count : 0;
	const size_t lattice = (size_t)sim->lattice.grid.lattice;
	/* Chunk sums: particle statistics, cells, and the solver's vectors. */
	struct multigrid mg = {0};
	multigrid_plan(&mg, &sim->lattice.grid, sim->dim, 1, false);
	size_t chunks = (size_t)mg.finest / PAIRS_CHUNK + 1,
	       stats = PARTICLE_SUMS * (count / PAIRS_CHUNK + 1);
	if (chunks < lattice / PAIRS_CHUNK + 1)
		chunks = lattice / PAIRS_CHUNK + 1;
	chunks *= d; /* the ledger sums along every axis at once */
	const struct field list[] = {
		FIELD(&p->now.position, "positions", d * count),
		FIELD(&p->before.position, "positions before", d * count),
		FIELD(&p->now.velocity, "velocities", d * count),
		FIELD(&p->before.velocity, "velocities before", d * count),
		FIELD(&p->now.id, "ids", count),
		FIELD(&p->before.id, "ids before", count),
		FIELD(&p->now.affine, "affine matrices", affine),
		FIELD(&p->before.affine, "affine matrices before", affine),
		FIELD(&sim->particles.order, "order of the sort", sim->solids.split ? count : 0),
		FIELD(&sim->lattice.partial, "chunk sums", chunks > stats ? chunks : stats),
	};
	memcpy(f, list, sizeof(list));
	return sizeof(list) / sizeof(list[0]);
}

size_t sim_memory(const struct scene *scene, u32 particles, bool split, struct sim_memory_row *rows,
		  size_t capacity, uint64_t *total, uint64_t *largest)
{
	struct sim sim = {0};
	struct field fields[SIM_FIELDS];
	size_t count, written = 0;
	sim_outline(&sim, scene, particles ? particles : 1);
	sim.solids.split = split;
	count = sim_list_grid_fields(&sim, fields);
	count += sim_list_particle_fields(&sim, sim.particles.capacity, fields + count);
	count += solids_list_fields(&sim.solids, fields + count);
	multigrid_plan(&sim.poisson.mg, &sim.lattice.grid, sim.dim, 1, false);
	count += poisson_list_fields(&sim.poisson, fields + count);
	sim_plan_bricks(&sim);
	count += bricks_list_fields(&sim.lattice.bricks, fields + count);
	*total = *largest = 0;
	for (size_t i = 0; i < count; i++) {
		const size_t elements = fields[i].count ? fields[i].count : 1;
		const uint64_t bytes = (uint64_t)elements * fields[i].size;
		*total += bytes;
		if (bytes > *largest)
			*largest = bytes;
		if (written < capacity && fields[i].count)
			rows[written++] = (struct sim_memory_row){fields[i].name, bytes};
	}
	return written;
}

/*
 * Who shares the scratch, besides the solver.  Parts that are needed at the same time keep clear of
 * each other: sums; densities; delta and u_old, while the projection still reads the solution at
 * the end (stages/pressure.c); those and valid_next; those and slip; displacement and both masks.
 */
void sim_list_views(struct sim *sim, struct field_view views[SIM_VIEWS])
{
	const size_t faces = (size_t)sim->lattice.grid.lattice * (size_t)sim->dim;
	const size_t u = faces * sizeof(f32), cells = (size_t)sim->lattice.grid.lattice * 4;
	const size_t second = fields_aligned(u), third = 2 * fields_aligned(u);
	const struct field_view list[SIM_VIEWS] = {
		FIELD_VIEW(&sim->lattice.scan_scratch, "scan",
			   scan_scratch_bytes((size_t)sim->lattice.grid.keys + 1), 0),
		FIELD_VIEW(&sim->sum_wv, "momentum sums", 2 * u, 0),
		FIELD_VIEW(&sim->sum_w, "weight sums", u, third),
		FIELD_VIEW(&sim->density, "density sums", cells, 0),
		FIELD_VIEW(&sim->phi_raw, "level set, raw", cells, fields_aligned(cells)),
		FIELD_VIEW(&sim->valid_next, "valid faces, next", cells / 4, third),
		FIELD_VIEW(&sim->delta, "velocity change", u, 0),
		FIELD_VIEW(&sim->u_old, "velocity before forces", u, second),
		FIELD_VIEW(&sim->slip, "slip velocity", u, third),
		FIELD_VIEW(&sim->displacement, "drift displacement", u, 0),
		FIELD_VIEW(&sim->drift_valid, "drift faces", cells / 4, second),
	};
	memcpy(views, list, sizeof(list));
}
