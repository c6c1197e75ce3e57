/* What a mesh and a picture of the surface cost, beside the substep. */
#include "bench.h"
#include "render.h"
#include "sim_copies.h"
#include "surface.h"

/* Pixels of films in HD; the median of the meshes and of the pictures counts. */
#define PICTURE_WIDTH 1280
#define PICTURE_HEIGHT 720
#define MESHES 3
#define PICTURES 3

/* Commands of all stages so far, into a row without times. */
static struct bench_stage count_commands(struct clx *cl)
{
	struct clx_stage_count counts[CLX_MAX_STAGES];
	struct bench_stage all = {0};
	clx_stage_counts(cl, counts);
	for (int i = 0; i < CLX_MAX_STAGES; i++) {
		all.launches += (double)counts[i].launches;
		all.transfers += (double)counts[i].transfers;
		all.filled += (double)counts[i].filled;
	}
	return all;
}

static struct bench_stage *begin_row(struct bench_result *result, struct clx *cl, const char *name)
{
	struct bench_stage *row = &result->extras[result->extra_count++];
	*row = count_commands(cl);
	row->name = name;
	return row;
}

static void end_row(struct bench_stage *row, struct clx *cl, double rounds)
{
	const struct bench_stage all = count_commands(cl);
	row->launches = (all.launches - row->launches) / rounds;
	row->transfers = (all.transfers - row->transfers) / rounds;
	row->filled = (all.filled - row->filled) / rounds;
	row->by_particle = true;
}

/* Particles in, mesh on the host. */
static bool measure_mesh(struct sim *sim, struct clx *cl, struct bench_result *result)
{
	struct surface surface = {0};
	struct mesh mesh = {0};
	struct bench_stage *row = NULL;
	double ms[MESHES];
	bool ok = true;
	if (!surface_init(&surface, subject_of(sim))) { /* no room: said so, and left out */
		surface_finish(&surface);
		return true;
	}
	for (int i = -1; i < MESHES && ok; i++) { /* the first compiles and makes room */
		if (i == 0)
			row = begin_row(result, cl, "mesh");
		mesh_free(&mesh);
		const double start = bench_clock();
		ok = surface_update(&surface) && surface_mesh(&surface, &mesh);
		if (i >= 0)
			ms[i] = bench_clock() - start;
	}
	if (ok && row) {
		end_row(row, cl, MESHES);
		row->ms = bench_median(ms, MESHES);
		/* x, v, id read; vertices and triangles written */
		row->bytes = result->particles * (8.0 * result->dim + 4.0) + 36.0 * mesh.vertices +
			     12.0 * mesh.faces;
		result->mesh_triangles = mesh.faces;
	}
	mesh_free(&mesh);
	surface_finish(&surface);
	return ok;
}

static bool time_picture(struct render *render, double *ms)
{
	struct image image = {0};
	const double start = bench_clock();
	const bool ok = render_frame(render, &image);
	*ms = bench_clock() - start;
	image_finish(&image);
	return ok;
}

/* Particles in, pixels on the host. */
static bool measure_picture(struct sim *sim, struct clx *cl, struct bench_result *result,
			    enum scene_view view, const char *name)
{
	struct bench_stage *row = NULL;
	double ms[PICTURES];
	bool ok = true;
	struct render *render = render_create(
		subject_of(sim), (const int[2]){PICTURE_WIDTH, PICTURE_HEIGHT}, view, NULL);
	if (!render) /* no room: said so, and left out */
		return true;
	for (int i = -1; i < PICTURES && ok; i++) { /* the first compiles and draws what stays */
		double first;
		if (i == 0)
			row = begin_row(result, cl, name);
		ok = time_picture(render, i < 0 ? &first : &ms[i]);
	}
	render_destroy(render);
	if (!ok || !row)
		return false;
	end_row(row, cl, PICTURES);
	row->ms = bench_median(ms, PICTURES);
	/* x, id read, of spheres v; pixels written */
	row->bytes = result->particles * ((view == VIEW_SURFACE ? 4.0 : 8.0) * result->dim + 4.0) +
		     4.0 * PICTURE_WIDTH * PICTURE_HEIGHT;
	return true;
}

bool bench_measure_surface(struct sim *sim, struct clx *cl, struct bench_result *result)
{
	result->extra_count = 0;
	return (result->dim == 2 || measure_mesh(sim, cl, result)) &&
	       measure_picture(sim, cl, result, VIEW_PARTICLES, "particle picture") &&
	       measure_picture(sim, cl, result, VIEW_SURFACE, "surface picture");
}
