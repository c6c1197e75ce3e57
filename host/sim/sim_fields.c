/* The fields of a simulation: what there is, how large, created and freed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "particles_load.h"
#include "pressure.h"
#include "scan.h"
#include "seed.h"
#include "selftest.h"
#include "sim.h"
#include "sim_memory.h"
#include "solids.h"
#include "stages.h"

/* Layers of extrapolation after the projection.  A layer is one step along an axis, so that cells
 * ceil(cfl) + 1 away along all of them take dim times as many. */
static int band_layers(const struct scene *scene)
{
	double cells = ceil(scene->time.dt > 0.0 ? FIXED_DT_CELLS : scene->time.cfl) + 1.0;
	return scene->dim * (int)cells;
}

static struct grid grid_of(const struct scene *scene)
{
	struct grid g = {0};
	const i32 edge = scene->dim == 3 ? BLOCK_EDGE_3D : BLOCK_EDGE_2D;
	g.nx = scene->cells[0];
	g.ny = scene->cells[1];
	g.nz = scene->dim == 3 ? scene->cells[2] : 1;
	g.px = g.nx + 1;
	g.py = g.ny + 1;
	g.pz = scene->dim == 3 ? g.nz + 1 : 1;
	g.lattice = g.px * g.py * g.pz;
	g.bx = (g.nx + edge - 1) / edge;
	g.by = (g.ny + edge - 1) / edge;
	g.bz = scene->dim == 3 ? (g.nz + edge - 1) / edge : 1;
	g.keys = g.bx * g.by * g.bz * BLOCK_CELLS;
	for (int side = 0; side < 2 * scene->dim; side++)
		g.open_walls |= scene->open[side] ? 1 << side : 0;
	g.h = (f32)scene->h;
	g.inv_h = (f32)(1.0 / scene->h);
	g.size_x = (f32)scene->size[0];
	g.size_y = (f32)scene->size[1];
	g.size_z = scene->dim == 3 ? (f32)scene->size[2] : g.h;
	return g;
}

void sim_outline(struct sim *sim, const struct scene *scene, u32 capacity)
{
	sim->scene = scene;
	sim->dim = scene->dim;
	sim->grid = grid_of(scene);
	sim->layers = band_layers(scene);
	sim->particles.capacity = capacity;
}

#define MAX_FIELDS 64

static size_t aligned(size_t bytes)
{
	return (bytes + CLX_VIEW_ALIGNMENT - 1) / CLX_VIEW_ALIGNMENT * CLX_VIEW_ALIGNMENT;
}

/* Bytes of scratch: the greatest need of any stage. */
static size_t scratch_bytes(const struct grid *g, int dim, bool solids)
{
	size_t faces = (size_t)g->lattice * (size_t)dim;
	size_t splat = aligned(faces * sizeof(i32)) + aligned(faces * sizeof(i64));
	size_t level = 2 * aligned((size_t)g->lattice * 4);
	size_t projected = 3 * aligned(faces * sizeof(f32));
	size_t scan = aligned(scan_scratch_bytes((size_t)g->keys + 1));
	size_t needs[] = {splat,
			  level,
			  projected,
			  scan,
			  aligned(seed_scratch_bytes(g)),
			  pressure_scratch_bytes(g, dim, solids)};
	size_t most = 0;
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
		most = most > needs[i] ? most : needs[i];
	return most;
}

static size_t list_grid_fields(struct sim *sim, struct sim_field *f)
{
	const size_t d = (size_t)sim->dim, lattice = (size_t)sim->grid.lattice;
	const size_t starts = (size_t)sim->grid.keys + 2;
	/* Right-hand sides of the solver lie in two of these (pressure.h). */
	struct multigrid mg = {0};
	multigrid_plan(&mg, &sim->grid, sim->dim, 1, false);
	const size_t rhs = (size_t)mg.finest;
	const struct sim_field list[] = {
		{&sim->u_face, "grid velocity", d * lattice, sizeof(f32)},
		{&sim->valid, "valid faces", lattice, 1},
		{&sim->phi, "level set", lattice, sizeof(f32)},
		{&sim->cell_type, "cell types", lattice, 1},
		{&sim->pressure, "pressure", rhs > lattice ? rhs : lattice, sizeof(f32)},
		{&sim->component, "components", lattice, sizeof(uint16_t)},
		{&sim->opened, "opened walls", lattice, 1},
		{&sim->scratch, "scratch",
		 scratch_bytes(&sim->grid, sim->dim, sim->scene->solid_count > 0), 1},
		{&sim->scalars, "scalars", SCALAR_COUNT, sizeof(u32)},
		{&sim->totals, "totals", TOTALS, 2 * sizeof(f32)},
		{&sim->hashes, "hashes", SIM_HASH_ITEMS, sizeof(u64)},
		{&sim->particles.cell_start, "cell starts", rhs > starts ? rhs : starts,
		 sizeof(u32)},
	};
	memcpy(f, list, sizeof(list));
	return sizeof(list) / sizeof(list[0]);
}

static size_t list_particle_fields(struct sim *sim, u32 n, struct sim_field *f)
{
	struct particles *p = &sim->particles;
	const size_t d = (size_t)sim->dim, count = n;
	const size_t affine = sim->scene->transfer == TRANSFER_APIC ? d * d * count : 0;
	const size_t lattice = (size_t)sim->grid.lattice;
	/* Chunk sums: particle statistics, cells, and the solver's vectors. */
	struct multigrid mg = {0};
	multigrid_plan(&mg, &sim->grid, sim->dim, 1, false);
	size_t chunks = (size_t)mg.finest / PAIRS_CHUNK + 1,
	       stats = PARTICLE_SUMS * (count / PAIRS_CHUNK + 1);
	if (chunks < lattice / PAIRS_CHUNK + 1)
		chunks = lattice / PAIRS_CHUNK + 1;
	chunks *= d; /* the ledger sums along every axis at once */
	const struct sim_field list[] = {
		{&p->now.position, "positions", d * count, sizeof(f32)},
		{&p->before.position, "positions before", d * count, sizeof(f32)},
		{&p->now.velocity, "velocities", d * count, sizeof(f32)},
		{&p->before.velocity, "velocities before", d * count, sizeof(f32)},
		{&p->now.id, "ids", count, sizeof(u32)},
		{&p->before.id, "ids before", count, sizeof(u32)},
		{&p->now.affine, "affine matrices", affine, sizeof(f32)},
		{&p->before.affine, "affine matrices before", affine, sizeof(f32)},
		{&sim->order, "order of the sort", sim->solids_split ? count : 0, sizeof(u32)},
		{&sim->partial, "chunk sums", chunks > stats ? chunks : stats, 2 * sizeof(f32)},
	};
	memcpy(f, list, sizeof(list));
	return sizeof(list) / sizeof(list[0]);
}

size_t sim_memory(const struct scene *scene, u32 particles, bool split, struct sim_memory_row *rows,
		  size_t capacity, uint64_t *total, uint64_t *largest)
{
	struct sim sim = {0};
	struct pressure solver = {0};
	struct sim_field fields[MAX_FIELDS];
	size_t count, written = 0;
	sim_outline(&sim, scene, particles ? particles : 1);
	sim.solids_split = split;
	count = list_grid_fields(&sim, fields);
	count += list_particle_fields(&sim, sim.particles.capacity, fields + count);
	count += solids_list_fields(&sim, fields + count);
	multigrid_plan(&solver.mg, &sim.grid, sim.dim, 1, false);
	count += pressure_list_fields(&solver, fields + count);
	bricks_plan(&sim.bricks, &sim, &solver.mg);
	count += bricks_list_fields(&sim.bricks, fields + count);
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

bool sim_allocate(struct clx *cl, const struct sim_field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!clx_alloc(cl, fields[i].buffer, fields[i].name, fields[i].count,
			       fields[i].size))
			return false;
	return true;
}

#define VIEWS 11
struct view {
	struct clx_buffer *view;
	const char *name;
	size_t at, bytes;
};

/*
 * Who shares the scratch, besides the solver.  Parts that are needed at the same time keep clear of
 * each other: sums; densities; delta and u_old, while the projection still reads the solution at
 * the end (pressure.c); those and valid_next; those and slip; displacement and both masks.
 */
static void list_views(struct sim *sim, struct view views[VIEWS])
{
	const size_t faces = (size_t)sim->grid.lattice * (size_t)sim->dim;
	const size_t u = faces * sizeof(f32), cells = (size_t)sim->grid.lattice * 4;
	const size_t second = aligned(u), third = 2 * aligned(u);
	const struct view list[VIEWS] = {
		{&sim->scan_scratch, "scan", 0, scan_scratch_bytes((size_t)sim->grid.keys + 1)},
		{&sim->sum_wv, "momentum sums", 0, 2 * u},
		{&sim->sum_w, "weight sums", third, u},
		{&sim->density, "density sums", 0, cells},
		{&sim->phi_raw, "level set, raw", aligned(cells), cells},
		{&sim->valid_next, "valid faces, next", third, cells / 4},
		{&sim->delta, "velocity change", 0, u},
		{&sim->u_old, "velocity before forces", second, u},
		{&sim->slip, "slip velocity", third, u},
		{&sim->displacement, "drift displacement", 0, u},
		{&sim->drift_valid, "drift faces", second, cells / 4},
	};
	memcpy(views, list, sizeof(list));
}

static bool make_views(struct sim *sim)
{
	struct view views[VIEWS];
	list_views(sim, views);
	for (size_t i = 0; i < VIEWS; i++)
		if (!clx_view(sim->cl, &sim->scratch, views[i].at, views[i].bytes, views[i].name,
			      views[i].view))
			return false;
	return true;
}

/* With the particles of the scene's liquids, or with those given. */
static struct sim *create(const struct scene *scene, struct clx *cl,
			  const struct sim_particles *given)
{
	struct sim_field fields[MAX_FIELDS];
	const uint64_t others = clx_memory_in_use(cl);
	u32 particles = 0;
	struct sim *sim = calloc(1, sizeof(*sim));
	if (!sim) {
		message_memory(sizeof(*sim), "a simulation");
		return NULL;
	}
	sim_outline(sim, scene, 0);
	sim->cl = cl;
#ifdef FRESHET_DEBUG
	sim->watch = sim->ledger.strict = true;
#endif
	forces_gravity(sim, 0.0);

	if (given)
		particles = given->capacity > given->count ? given->capacity : given->count;
	/* Of seeds there is an estimate before there are buffers, and nothing is known of what
	 * solids do to cells; the check is sharp when seeds are counted. */
	struct sim_particle_need about = {
		.count = particles, .sure = particles, .follows_cells = !given};
	if (!given)
		about.count = sim_estimate_particles(scene, &about.sure, NULL);
	if (!sim_check_memory(scene, cl, about, 0) || !clx_build(cl) || !selftest_once(cl) ||
	    !sim_allocate(cl, fields, list_grid_fields(sim, fields)) || !solids_create(sim))
		goto fail;
	if (!given && !seed_count(sim, &particles))
		goto fail;
	if (particles > SIM_MAX_PARTICLES) {
		message_error("%u particles are too many: at most %d", particles,
			      SIM_MAX_PARTICLES);
		goto fail;
	}
	if (!given && particles == 0)
		message_warning("0 particles: the scene has no liquid inside the box and outside "
				"solids");
	sim->particles.capacity = particles ? particles : 1;
	const struct sim_particle_need exact = {
		.count = particles,
		.sure = particles,
		.follows_cells = !given,
		.split = sim->solids_split,
	};
	if (!sim_check_memory(scene, cl, exact, clx_memory_in_use(cl) - others))
		goto fail;
	if (!sim_allocate(cl, fields, list_particle_fields(sim, sim->particles.capacity, fields)) ||
	    !make_views(sim) || !pressure_create(sim) || !bricks_create(sim) ||
	    !(given ? particles_load(sim, given) : seed_particles(sim)))
		goto fail;
	ledger_open(sim, given ? 0 : particles, given ? given->count : 0);
	return sim;
fail:
	sim_destroy(sim);
	return NULL;
}

struct sim *sim_create(const struct scene *scene, struct clx *cl)
{
	return create(scene, cl, NULL);
}

struct sim *sim_create_from_particles(const struct scene *scene, struct clx *cl,
				      const struct sim_particles *given)
{
	return particles_load_check(scene, given) ? create(scene, cl, given) : NULL;
}

bool sim_restart(struct sim *sim, const struct sim_particles *given)
{
	struct particles *p = &sim->particles;
	struct clx_buffer *fields[] = {&sim->u_face, &sim->valid, &sim->pressure, &sim->opened,
				       &sim->scalars};
	if (given->count > p->capacity)
		return message_error("%u particles, but the simulation has room for %u",
				     given->count, p->capacity);
	if (!particles_load_check(sim->scene, given))
		return false;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (!clx_zero(sim->cl, fields[i], 0, fields[i]->bytes))
			return false;
	memset(sim->host_scalars, 0, sizeof(sim->host_scalars));
	memset(&sim->stats, 0, sizeof(sim->stats));
	sim->frame = sim->substep = 0;
	sim->time = sim->dt = sim->u_max = sim->grid_speed = 0.0;
	sim->steps = 0;
	sim->retries = sim->seeds_in_solids = 0;
	sim->tiny_warned = sim->solver->parts_warned = false;
	memset(sim->interventions, 0, sizeof(sim->interventions));
	sim->solver->limit_warned = false;
	if (!bricks_reset(sim))
		return false;
	p->removed_at_sort = 0;
	forces_gravity(sim, 0.0);
	if (!particles_load(sim, given))
		return false;
	ledger_open(sim, 0, given->count);
	return true;
}

void sim_destroy(struct sim *sim)
{
	struct sim_field fields[MAX_FIELDS];
	if (!sim)
		return;
	bricks_destroy(sim);
	pressure_destroy(sim);
	struct view views[VIEWS];
	list_views(sim, views);
	for (size_t i = 0; i < VIEWS; i++)
		clx_free(sim->cl, views[i].view);
	solids_destroy(sim);
	size_t count = list_grid_fields(sim, fields);
	count += list_particle_fields(sim, 1, fields + count);
	for (size_t i = 0; i < count; i++)
		clx_free(sim->cl, fields[i].buffer);
	free(sim);
}
