#include "solids.h"

#include <math.h>
#include <stdlib.h>

#include "loops.h"
#include "message.h"
#include "shape.h"
#include "solid_samples.h"
#include "solids_motion.h"

/* Of a work-item in a launch, about; llvmpipe allows 65535, others are not kept busy for long. */
#define LOOP_TURNS_CUT 60000
#define LOOP_TURNS 4000000

/* Solids thinner than a cell hold liquid apart, but take up no room in the pressure solve: what has
 * no thickness loses nothing by that. */
static void warn_thin(const struct solids *solids, const struct scene_solid *solid)
{
	double cells = shape_program_thickness(&solid->shape, solids->lattice->dim) / solids->h;
	if (cells > 0.0 && cells < 1.0)
		message_warning("solid '%s' is %.2g cells thick: it keeps liquid on its side, but "
				"below 1 cell liquid feels it as a plate of no thickness",
				solid->name ? solid->name : "", cells);
}

/* The solid at place n of the program: those that rest come first. */
static const struct scene_solid *solid_at(const struct solids *solids, size_t n)
{
	const size_t rest = solids->count - solids->mover_count;
	const bool moves = n >= rest;
	size_t left = moves ? n - rest : n;
	for (size_t s = 0;; s++)
		if (scene_solid_moves(&solids->list[s]) == moves && left-- == 0)
			return &solids->list[s];
}

/* Beyond BODY_CLEARANCE cells from the ball around a body its shape is not looked at; no field asks
 * for distances as great. */
#define BODY_CLEARANCE (SOLIDS_FARTHEST + 2.0)
static void bound_body(const struct solids *solids, const struct scene_solid *solid,
		       struct shape_op *place)
{
	place->a[0] = (f32)(1.0001 * solid->body.of.radius);
	place->a[1] = (f32)(BODY_CLEARANCE * solids->h);
	place->a[2] = (f32)(solid->shape.op_count - 1);
}

/* ends[s] as solids->slip wants it. */
static bool unite(struct solids *solids, struct shape_program *program, u32 *ends)
{
	for (size_t s = 0; s < solids->count; s++) {
		const struct scene_solid *solid = solid_at(solids, s);
		const size_t mover = s - (solids->count - solids->mover_count);
		size_t end = program->op_count + solid->shape.op_count;
		if (scene_solid_moves(solid))
			solids->movers[mover] =
				(struct solids_mover){.solid = solid,
						      .place = (u32)program->point_count +
							       (u32)solid->shape.ops[0].first};
		else
			solids->rest_ops = (u32)end + (s > 0);
		const size_t start = program->op_count;
		if (!shape_program_append(program, &solid->shape, true))
			return false;
		if (solid->body.given)
			bound_body(solids, solid, &program->ops[start]);
		if (program->op_count > INT32_MAX / 2 || program->point_count > INT32_MAX / 2)
			return message_error("solids: too many parts");
		ends[s] = (u32)end << 1 | (solid->free_slip ? 1u : 0u);
		warn_thin(solids, solid);
	}
	return true;
}

/* Ops, vertices of polygons, and what a walk through a mesh looks at. */
static u32 count_parts(const struct shape_program *program)
{
	const u32 of_mesh = 500;
	u32 parts = (u32)program->op_count;
	for (size_t i = 0; i < program->op_count; i++)
		parts += program->ops[i].kind == SHAPE_MESH ? of_mesh : (u32)program->ops[i].count;
	return parts;
}

void solids_init(struct solids *solids, struct lattice *lattice, const struct scene_solid *list,
		 size_t count, double h)
{
	*solids = (struct solids){.lattice = lattice, .list = list, .count = count, .h = h};
	for (size_t s = 0; s < count; s++)
		solids->mover_count += scene_solid_moves(&list[s]);
	solids->moving = solids->mover_count > 0;
}

size_t solids_list_fields(struct solids *solids, struct field fields[SOLIDS_FIELDS])
{
	const size_t lattice = (size_t)solids->lattice->grid.lattice;
	const size_t dim = (size_t)solids->lattice->dim;
	/* One program of all solids, with a union after each but the first. */
	size_t ops = solids->count > 1 ? solids->count - 1 : 0, points = 0;
	for (size_t s = 0; s < solids->count; s++) {
		ops += solids->list[s].shape.op_count;
		points += solids->list[s].shape.point_count;
	}
	const struct field list[] = {
		FIELD(&solids->open_fraction, "open fractions", dim * lattice),
		FIELD(&solids->kernel_open, "open kernels", lattice),
		FIELD(&solids->volume_open, "open volumes", lattice),
		FIELD(&solids->phi, "solid distance", solids->count ? lattice : 0),
		FIELD(&solids->references, "points of cells",
		      solids->moving || solids_may_split(solids, false) ? 4 * lattice : 0),
		FIELD(&solids->ops, "solid shapes", ops),
		{&solids->points.raw, "solid polygons", points, 2 * sizeof(f32)},
		FIELD(&solids->slip, "solid slip", solids->count),
		FIELD(&solids->weights, "weights of samples", SAMPLES_AROUND(dim) * SAMPLES_CELL),
		/* Where solids move. */
		FIELD(&solids->rest_fraction, "open fractions at rest", dim * lattice),
		FIELD(&solids->rest_kernel, "open kernels at rest", lattice),
		FIELD(&solids->rest_volume, "open volumes at rest", lattice),
		FIELD(&solids->rest_phi, "solid distance at rest", lattice),
		FIELD(&solids->own_fraction, "open fractions of a mover", dim * lattice),
		FIELD(&solids->own_kernel, "open kernels of a mover", lattice),
		FIELD(&solids->own_volume, "open volumes of a mover", lattice),
		FIELD(&solids->own_phi, "solid distance of a mover", lattice),
		FIELD(&solids->split_cells, "split cells", 3 * lattice),
		FIELD(&solids->found, "sides", 2),
		FIELD(&solids->sum, "shares of cells", lattice),
		FIELD(&solids->samples, "samples of cells", solids_samples_room(solids->lattice)),
		FIELD(&solids->mover_words, "motion of solids", solids->mover_count * MOVER_WORDS),
	};
	const size_t count = solids->moving ? SOLIDS_FIELDS : SOLIDS_FIELDS_AT_REST;
	for (size_t i = 0; i < count; i++)
		fields[i] = list[i];
	return count;
}

static bool upload(struct solids *solids, const struct shape_program *program, const u32 *ends)
{
	struct clx *cl = solids->lattice->cl;
	struct field fields[SOLIDS_FIELDS];
	return fields_allocate(cl, fields, solids_list_fields(solids, fields)) &&
	       (program->op_count == 0 ||
		clx_write(cl, &solids->ops, 0, program->op_count * sizeof(struct shape_op),
			  program->ops)) &&
	       (program->point_count == 0 ||
		clx_write(cl, &solids->points, 0, program->point_count * 2 * sizeof(float),
			  program->points)) &&
	       (solids->count == 0 ||
		clx_write(cl, &solids->slip, 0, solids->count * sizeof(u32), ends));
}

/* Do solids close any face, or part of one?  solids->cut. */
static bool find_cuts(struct solids *solids)
{
	const struct grid *g = &solids->lattice->grid;
	const int cells[3] = {g->nx, g->ny, g->nz};
	const size_t plane = (size_t)g->px * (size_t)g->py;
	uint16_t *open = malloc(plane * sizeof(*open));
	bool ok = open || message_error("out of memory for a plane of faces");
	solids->cut = false;
	for (int c = 0; ok && c < solids->lattice->dim; c++)
		for (int k = 0; ok && k < g->pz && !solids->cut; k++) {
			const size_t first = (size_t)c * (size_t)g->lattice + (size_t)k * plane;
			ok = clx_read(solids->lattice->cl, &solids->open_fraction,
				      first * sizeof(*open), plane * sizeof(*open), open);
			for (size_t n = 0; ok && n < plane; n++) {
				const int at[3] = {(int)(n % (size_t)g->px),
						   (int)(n / (size_t)g->px), k};
				bool exists = true;
				for (int a = 0; a < solids->lattice->dim; a++)
					exists &= at[a] < cells[a] + (a == c);
				const int wall = at[c] == 0	     ? 2 * c
						 : at[c] == cells[c] ? 2 * c + 1
								     : -1;
				if (exists && (wall < 0 || g->open_walls >> wall & 1))
					solids->cut |= open[n] < FRACTION_ONE;
			}
		}
	free(open);
	return ok;
}

/* Where solids move, what is told of all of the lattice is so for good: gaps are looked for, and
 * cells split, in every substep or in none. */
static bool measure_moving(struct solids *solids)
{
	struct solids_pass rest = solids_whole(solids);
	const struct solids_pass all = rest;
	solids->lattice->grid.gaps = 1;
	solids->cut = true;
	solids->split = false;
	rest.ops = (i32)solids->rest_ops;
	if (!solids_measure_faces(solids, &all) || !solids_find_split(solids, &all))
		return false;
	solids->split |= solids_may_split(solids, true); /* wherever they go */
	return solids_measure(solids, &rest) && solids_start_motion(solids);
}

static bool measure_all(struct solids *solids)
{
	const struct solids_pass pass = solids_whole(solids);
	if (solids->moving)
		return measure_moving(solids);
	solids->lattice->grid.gaps = 0;
	const bool done =
		solids_measure_faces(solids, &pass) &&
		(solids->count == 0 || (find_cuts(solids) && solids_find_split(solids, &pass))) &&
		solids_measure_rooms(solids, &pass);
	SOLIDS_RETURN(solids, split_cells);
	return solids_keep_references(solids) && done;
}

/* Where a device has cut loops off, again, with launches that do as little as can be. */
static bool measure_whole(struct solids *solids)
{
	if (solids->op_count > 0 && !loops_probe(solids->lattice->cl, &solids->loops_cut))
		return false;
	for (int attempt = 0; attempt < 2; attempt++) {
		bool cut = false;
		solids->loop_turns = attempt > 0	 ? 1
				     : solids->loops_cut ? LOOP_TURNS_CUT
							 : LOOP_TURNS;
		if (!lattice_set_scalar(solids->lattice, SCALAR_LOOPS_CUT, 0) ||
		    !measure_all(solids) ||
		    !loops_read(solids->lattice->cl, &solids->lattice->scalars, &cut))
			return false;
		if (!cut)
			return true;
	}
	return loops_report(solids->lattice->cl);
}

bool solids_create(struct solids *solids)
{
	struct shape_program program = {0};
	bool done = false;
	u32 *ends = calloc(solids->count + 1, sizeof(*ends));
	free(solids->movers);
	solids->movers = calloc(solids->mover_count + 1, sizeof(*solids->movers));
	if (!ends || !solids->movers) {
		message_error("out of memory for %zu solids", solids->count);
		goto out;
	}
	if (!unite(solids, &program, ends))
		goto out;
	solids->op_count = (u32)program.op_count;
	solids->point_count = (u32)program.point_count;
	solids->parts = count_parts(&program);
	solids->meshes = false;
	for (size_t s = 0; s < solids->count; s++)
		solids->meshes |= solids->list[s].shape.mesh_count > 0;
	done = upload(solids, &program, ends) && solids_make_weights(solids) &&
	       measure_whole(solids);
out:
	shape_program_finish(&program);
	free(ends);
	if (!done)
		solids_destroy(solids);
	return done;
}

void solids_destroy(struct solids *solids)
{
	struct field fields[SOLIDS_FIELDS];
	fields_free(solids->lattice->cl, fields, solids_list_fields(solids, fields));
	free(solids->movers);
	solids->movers = NULL;
	solids->op_count = solids->point_count = 0;
}
