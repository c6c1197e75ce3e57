#include "sim_fields.h"

#include "bodies/bodies.h"
#include "scan.h"
#include "scene_grid.h"
#include "seed.h"
#include "sim_method.h"

/* For solids that cut the solver's cells and for none: only the device can tell. */
static void size_scratch(struct sim *sim)
{
	struct scratch_part parts[SIM_PARTS];
	sim->scratch_bytes = 0;
	for (int split = 0; split <= (sim->scene->solid_count > 0); split++) {
		size_t bytes;
		sim_plan_solver(sim, split != 0);
		sim_plan_scratch(sim, parts, &bytes);
		if (bytes > sim->scratch_bytes)
			sim->scratch_bytes = bytes;
	}
}

void sim_outline(struct sim *sim, const struct scene *scene, u32 capacity)
{
	sim->scene = scene;
	sim->method = sim_method(scene);
	sim->dim = scene->dim;
	sim->lattice.dim = scene->dim;
	sim->lattice.grid = scene_grid(scene);
	sim->particles.capacity = capacity;
	solids_init(&sim->solids, &sim->lattice, scene->solids, scene->solid_count, scene->h);
	sim->poisson.lattice = &sim->lattice;
	sim->poisson.settings = &scene->solver;
	sim->poisson.cell_type = &sim->cell_type;
	sim->poisson.phi = &sim->phi;
	sim->poisson.open_fraction = &sim->solids.open_fraction;
	sim->poisson.opened = &sim->opened;
	sim->method->outline(sim);
	size_scratch(sim);
}

void sim_plan_solver(struct sim *sim, bool split)
{
	const struct multigrid *mg = &sim->poisson.mg;
	if (!(sim->method->parts & PART_SOLVER))
		return;
	poisson_plan(&sim->poisson, split);
	/* Even: others' sums are zeroed by 16 bytes. */
	sim->lattice.sums = (mg->finest / PAIRS_CHUNK + 1) / 2 * 2;
	bricks_plan(&sim->lattice.bricks, &sim->lattice.grid, sim->dim, sim->layers, mg->levels,
		    mg->count, mg->finest);
}

size_t sim_list_fields(struct sim *sim, bool of_particles, struct field *fields)
{
	const struct method *m = sim->method;
	size_t count = 0;
	for (size_t i = 0; i < m->field_count; i++) {
		const struct sim_field *f = &m->fields[i];
		if (f->memory == SCRATCH || f->shape == SHAPE_SOLIDS || f->shape == SHAPE_HOST ||
		    sim_field_of_particles(f) != of_particles)
			continue;
		fields[count++] = (struct field){sim_buffer(sim, f), f->name,
						 sim_field_elements(sim, f), f->size};
	}
	return count;
}

/* ---- lives -------------------------------------------------------------------------------- */

static const struct field_use *find_use(const struct field_use *uses, size_t member)
{
	for (size_t i = 0; i < MOST_USES && uses[i].member; i++)
		if (uses[i].member == member)
			return &uses[i];
	return NULL;
}

/* Where the value that a stage leaves is wanted last: up to the next stage that writes without
 * reading.  Kept fields are wanted after the last. */
static void add_life(const struct method *m, const struct sim_field *field, size_t from,
		     const struct field_use *write, struct moments *live)
{
	size_t last = from;
	enum phase to = write->to;
	for (size_t s = from + 1; s < m->stage_count; s++) {
		const struct field_use *read = find_use(m->stages[s].reads, field->member);
		const struct field_use *next = find_use(m->stages[s].writes, field->member);
		if (next && !read)
			break;
		if (read || next) {
			last = s;
			to = read ? read->to : next->to;
			to = next && next->to > to ? next->to : to;
		}
		if (s + 1 == m->stage_count && field->memory == KEPT) {
			last = s;
			to = PHASE_AFTER;
		}
	}
	moments_add_span(live, from, write->from, last, to);
}

/* Is what the last substep left wanted?  Not if a stage writes it anew before any reads it. */
static bool is_read_first(const struct method *m, size_t member)
{
	for (size_t s = 0; s < m->stage_count; s++) {
		if (find_use(m->stages[s].reads, member))
			return true;
		if (find_use(m->stages[s].writes, member))
			return false;
	}
	return false;
}

static struct moments life_of(const struct method *m, const struct sim_field *field)
{
	static const struct field_use begin = {.from = PHASE_LISTS, .to = PHASE_AFTER};
	struct moments live = {{0}};
	if (field->memory == KEPT && is_read_first(m, field->member))
		add_life(m, field, 0, &begin, &live);
	for (size_t s = 0; s < m->stage_count; s++) {
		const struct field_use *write = find_use(m->stages[s].writes, field->member);
		if (write && !find_use(m->stages[s].reads, field->member))
			add_life(m, field, s, write, &live);
	}
	return live;
}

size_t sim_plan_scratch(struct sim *sim, struct scratch_part *parts, size_t *bytes)
{
	const struct method *m = sim->method;
	struct scratch_lender lenders[SIM_FIELDS];
	uint32_t solving[POISSON_PURPOSES] = {0};
	size_t count = 0, lender_count = 0;
	for (size_t s = 0; s < m->stage_count; s++)
		if (m->stages[s].solves)
			solving[m->stages[s].solves - 1] |= 1u << s;
	for (size_t i = 0; i < m->field_count; i++) {
		const struct sim_field *f = &m->fields[i];
		const size_t size = sim_field_elements(sim, f) * f->size;
		struct clx_buffer *buffer = sim_buffer(sim, f);
		if (f->memory == SCRATCH)
			parts[count++] =
				(struct scratch_part){buffer, f->name, size, life_of(m, f)};
		else if (f->shape == SHAPE_UNKNOWNS || f->shape == SHAPE_STARTS)
			lenders[lender_count++] =
				(struct scratch_lender){buffer, size, life_of(m, f)};
	}
	/* Before there are particles nothing of the step lives. */
	if (m->parts & PART_PARTICLES) {
		struct scratch_part *seed = &parts[count++];
		*seed = (struct scratch_part){.name = "seeding",
					      .bytes = seed_scratch_bytes(&sim->lattice.grid)};
		moments_add(&seed->live, MOMENT_START, PHASE_LISTS, PHASE_AFTER);
	}
	if (!(m->parts & PART_SOLVER)) {
		*bytes = scratch_plan(parts, count, lenders, lender_count);
		return count;
	}
	/* The operator is kept where that takes no memory. */
	size_t all = count, bytes_kept = 0;
	for (int kept = 1; kept >= 0; kept--) {
		sim->poisson.kept = kept;
		all = count + poisson_list_parts(&sim->poisson, solving, parts + count);
		*bytes = scratch_plan(parts, all, lenders, lender_count);
		bytes_kept = kept ? *bytes : bytes_kept;
	}
	if (bytes_kept > *bytes)
		return all;
	sim->poisson.kept = true;
	poisson_list_parts(&sim->poisson, solving, parts + count);
	*bytes = scratch_plan(parts, all, lenders, lender_count);
	return all;
}

double sim_saved_bytes(const struct scene *scene, double particles)
{
	struct sim sim = {0};
	double bytes = 0.0;
	sim_outline(&sim, scene, 1);
	for (size_t i = 0; i < sim.method->field_count; i++) {
		const struct sim_field *f = &sim.method->fields[i];
		if (f->saved)
			bytes += (double)(sim_field_elements(&sim, f) * f->size) *
				 (sim_field_of_particles(f) ? particles : 1.0);
	}
	return bytes;
}

/* ---- memory ------------------------------------------------------------------------------- */

size_t sim_memory(const struct scene *scene, u32 particles, bool split, struct sim_memory_row *rows,
		  size_t capacity, uint64_t *total, uint64_t *largest)
{
	struct sim sim = {0};
	struct field fields[SIM_FIELDS];
	size_t count, written = 0;
	sim_outline(&sim, scene, particles ? particles : 1);
	sim.solids.split = split;
	count = sim_list_fields(&sim, false, fields);
	count += sim_list_fields(&sim, true, fields + count);
	count += solids_list_fields(&sim.solids, fields + count);
	if (sim.method->parts & PART_SOLVER) {
		count += poisson_list_fields(&sim.poisson, fields + count);
		count += bricks_list_fields(&sim.lattice.bricks, fields + count);
	}
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
	size_t places, of_rows;
	bodies_room(scene, &places, &of_rows);
	if (scene->body_count > 0) {
		const uint64_t bytes =
			coupling_bytes(scene->dim, scene->body_count, places, of_rows);
		*total += bytes;
		if (written < capacity)
			rows[written++] = (struct sim_memory_row){"bodies in the solve", bytes};
	}
	return written;
}
