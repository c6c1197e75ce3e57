#include "solids.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "loops.h"
#include "message.h"
#include "shape_program.h"
#include "stages.h"

/* Of a work-item in a launch, about; llvmpipe allows 65535. */
#define LOOP_TURNS 60000

#define LONG_SECONDS 1.0 /* of its start, before it is said that the set-up takes long */

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Solids thinner than a cell hold liquid apart, but take up no room in the pressure solve: what has
 * no thickness loses nothing by that. */
static void warn_thin(const struct scene *scene, const struct scene_solid *solid)
{
	double cells = shape_program_thickness(&solid->shape, scene->dim) / scene->h;
	if (cells > 0.0 && cells < 1.0)
		message_warning("solid '%s' is %.2g cells thick: it keeps liquid on its side, but "
				"below 1 cell liquid feels it as a plate of no thickness",
				solid->name ? solid->name : "", cells);
}

/* Unites the solids; ends[s] as solid_slip wants it. */
static bool unite_solids(const struct scene *scene, struct shape_program *program, u32 *ends)
{
	for (size_t s = 0; s < scene->solid_count; s++) {
		const struct scene_solid *solid = &scene->solids[s];
		size_t end = program->op_count + solid->shape.op_count;
		if (!shape_program_append(program, &solid->shape, true))
			return false;
		if (program->op_count > INT32_MAX / 2 || program->point_count > INT32_MAX / 2)
			return message_error("solids: too many parts");
		ends[s] = (u32)end << 1 | (solid->free_slip ? 1u : 0u);
		warn_thin(scene, solid);
	}
	return true;
}

size_t solids_list_fields(struct sim *sim, struct sim_field fields[SOLIDS_FIELDS])
{
	const struct scene *scene = sim->scene;
	const size_t lattice = (size_t)sim->grid.lattice, dim = (size_t)sim->dim;
	/* One program of all solids, with a union after each but the first. */
	size_t ops = scene->solid_count > 1 ? scene->solid_count - 1 : 0, points = 0;
	for (size_t s = 0; s < scene->solid_count; s++) {
		ops += scene->solids[s].shape.op_count;
		points += scene->solids[s].shape.point_count;
	}
	const struct sim_field list[SOLIDS_FIELDS] = {
		{&sim->open_fraction, "open fractions", dim * lattice, sizeof(uint16_t)},
		{&sim->kernel_open, "open kernels", lattice, sizeof(uint16_t)},
		{&sim->volume_open, "open volumes", lattice, sizeof(uint16_t)},
		{&sim->solid_phi, "solid distance", scene->solid_count ? lattice : 0, sizeof(f32)},
		{&sim->shape_ops, "solid shapes", ops, sizeof(struct shape_op)},
		{&sim->shape_points, "solid polygons", points, 2 * sizeof(float)},
		{&sim->solid_slip, "solid slip", scene->solid_count, sizeof(u32)},
	};
	for (int i = 0; i < SOLIDS_FIELDS; i++)
		fields[i] = list[i];
	return SOLIDS_FIELDS;
}

static bool upload(struct sim *sim, const struct shape_program *program, const u32 *ends)
{
	struct clx *cl = sim->cl;
	struct sim_field fields[SOLIDS_FIELDS];
	size_t solids = sim->scene->solid_count;
	return sim_allocate(cl, fields, solids_list_fields(sim, fields)) &&
	       (program->op_count == 0 ||
		clx_write(cl, &sim->shape_ops, 0, program->op_count * sizeof(struct shape_op),
			  program->ops)) &&
	       (program->point_count == 0 ||
		clx_write(cl, &sim->shape_points, 0, program->point_count * 2 * sizeof(float),
			  program->points)) &&
	       (solids == 0 || clx_write(cl, &sim->solid_slip, 0, solids * sizeof(u32), ends));
}

bool solids_find_faces(struct sim *sim)
{
	const struct grid g = sim->grid;
	const i32 ops = (i32)sim->solid_op_count;
	return LAUNCH(sim->cl, K_SOLIDS_OPEN_FACES,
		      clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz), ARG(g),
		      BUF(sim->shape_ops), ARG(ops), BUF(sim->shape_points), BUF(sim->solid_phi),
		      BUF(sim->open_fraction), BUF(sim->scalars));
}

i32 solids_turns(const struct sim *sim, i32 first, i32 all, i32 evaluations)
{
	const int64_t others = 4; /* turns of loops about an evaluation */
	const int64_t parts = (int64_t)sim->solid_op_count + sim->solid_point_count + others;
	const int64_t turns = sim->loop_turns / (parts * evaluations);
	return turns < 1 ? first + 1 : turns < all - first ? first + (i32)turns : all;
}

/* volume_open and kernel_open. */
static bool open_cells(struct sim *sim)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->grid;
	const i32 ops = (i32)sim->solid_op_count;
	const struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	struct clx_buffer closed = {0};
	bool done = clx_alloc(cl, &closed, "closed kernels", (size_t)g.lattice, sizeof(f32));
	for (i32 first = 0, last = 0; done && first < SOLIDS_BLOCKS(sim->dim); first = last) {
		last = solids_turns(sim, first, SOLIDS_BLOCKS(sim->dim), 2 * 64 + 1);
		done = LAUNCH(cl, K_SOLIDS_OPEN_CELLS, points, ARG(g), BUF(sim->shape_ops),
			      ARG(ops), BUF(sim->shape_points), ARG(first), ARG(last), BUF(closed),
			      BUF(sim->volume_open), BUF(sim->kernel_open), BUF(sim->scalars));
	}
	done = done && clx_wait(cl);
	clx_free(cl, &closed);
	return done;
}

static bool compute(struct sim *sim)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->grid;
	i32 ops = (i32)sim->solid_op_count;
	struct clx_range points = clx_range3((size_t)g.px, (size_t)g.py, (size_t)g.pz);
	const double start = seconds();
	bool done = (ops == 0 || LAUNCH(cl, K_SOLIDS_DISTANCE, points, ARG(g), BUF(sim->shape_ops),
					ARG(ops), BUF(sim->shape_points), BUF(sim->solid_phi))) &&
		    solids_find_faces(sim) && clx_wait(cl);
	/* About a thirtieth of it all, or kernels had to be compiled. */
	if (done && ops > 0 && sim->loop_turns > 1 && seconds() - start > LONG_SECONDS)
		message_note("measuring the room that %zu solid%s may take a while",
			     sim->scene->solid_count,
			     sim->scene->solid_count == 1 ? " leaves" : "s leave");
	return done && open_cells(sim);
}

/* Do solids close any face, or part of one?  sim->solids_cut. */
static bool find_cuts(struct sim *sim)
{
	const struct grid *g = &sim->grid;
	const int cells[3] = {g->nx, g->ny, g->nz};
	const size_t plane = (size_t)g->px * (size_t)g->py;
	uint16_t *open = malloc(plane * sizeof(*open));
	bool ok = open || message_error("out of memory for a plane of faces");
	sim->solids_cut = false;
	for (int c = 0; ok && c < sim->dim; c++)
		for (int k = 0; ok && k < g->pz && !sim->solids_cut; k++) {
			const size_t first = (size_t)c * (size_t)g->lattice + (size_t)k * plane;
			ok = clx_read(sim->cl, &sim->open_fraction, first * sizeof(*open),
				      plane * sizeof(*open), open);
			for (size_t n = 0; ok && n < plane; n++) {
				const int at[3] = {(int)(n % (size_t)g->px),
						   (int)(n / (size_t)g->px), k};
				bool exists = true;
				for (int a = 0; a < sim->dim; a++)
					exists &= at[a] < cells[a] + (a == c);
				const int wall = at[c] == 0	     ? 2 * c
						 : at[c] == cells[c] ? 2 * c + 1
								     : -1;
				if (exists && (wall < 0 || g->open_walls >> wall & 1))
					sim->solids_cut |= open[n] < FRACTION_ONE;
			}
		}
	free(open);
	return ok;
}

static bool compute_all(struct sim *sim)
{
	sim->grid.gaps = 0;
	return compute(sim) &&
	       (sim->scene->solid_count == 0 ||
		(find_cuts(sim) && solids_find_split(sim) && solids_share_volumes(sim)));
}

/* Where a device has cut loops off, again, with launches that do as little as can be. */
static bool compute_whole(struct sim *sim)
{
	if (sim->solid_op_count > 0 && !loops_probe(sim))
		return false;
	for (int attempt = 0; attempt < 2; attempt++) {
		bool cut = false;
		sim->loop_turns = attempt == 0 ? LOOP_TURNS : 1;
		if (!stages_set_scalar(sim, SCALAR_LOOPS_CUT, 0) || !compute_all(sim) ||
		    !loops_read(sim, &cut))
			return false;
		if (!cut)
			return true;
	}
	return loops_report(sim);
}

bool solids_create(struct sim *sim)
{
	const struct scene *scene = sim->scene;
	struct shape_program program = {0};
	bool done = false;
	u32 *ends = calloc(scene->solid_count + 1, sizeof(*ends));
	if (!ends) {
		message_error("out of memory for %zu solids", scene->solid_count);
		goto out;
	}
	if (!unite_solids(scene, &program, ends))
		goto out;
	sim->solid_op_count = (u32)program.op_count;
	sim->solid_point_count = (u32)program.point_count;
	done = upload(sim, &program, ends) && compute_whole(sim);
out:
	shape_program_finish(&program);
	free(ends);
	if (!done)
		solids_destroy(sim);
	return done;
}

void solids_destroy(struct sim *sim)
{
	struct sim_field fields[SOLIDS_FIELDS];
	const size_t count = solids_list_fields(sim, fields);
	for (size_t i = 0; i < count; i++)
		clx_free(sim->cl, fields[i].buffer);
	sim->solid_op_count = sim->solid_point_count = 0;
}
