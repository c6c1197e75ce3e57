/* Every kernel of the program on tiny simulations that use everything there is, each launch
 * compared with the host. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "doctor_mesh.h"
#include "launch_check.h"
#include "rare_kernels.h"
#include "render.h"
#include "selftest.h"
#include "sim_copies.h"
#include "sim_view.h"

/* The second finds what the first has left, as a warm start. */
#define SUBSTEPS 2
/* Launches of a kernel that are checked in each part of a scene, unless all are. */
#define MOST_CHECKED 6

/* ---- scenes ------------------------------------------------------------------------------- */

struct variant {
	const char *transfer, *solver, *drift, *advection, *separation;
	enum splat_path splat;
	bool sealed;	  /* a full box without air */
	bool levels;	  /* multigrid levels by launches of their own, not in one work-group */
	bool outputs;	  /* pictures, meshes, distances */
	bool rolls;	  /* in a moving box */
	bool anisotropic; /* the surface */
	bool uncut;	  /* no solid cuts a part off some cell */
	bool bare;	  /* no solid at all */
	bool inflow;	  /* through a wall */
	bool forces; /* fields of every kind, outflows, emitters, drains; liquids that differ */
	bool moves;  /* the ball does, and the plate turns: kernels are built anew */
	bool grid;   /* method: grid, of which `transfer` is how it carries velocity */
	const char *surface; /* of `grid` or `liquid`, and its keys */
	bool sph;  /* method: sph, of which `transfer` is the solver, `solver` the kernel */
	bool mesh; /* 3D only: the ball is one of triangles, and kernels are built anew */
	bool near; /* particles act on those near them, in every way; the stiff kernel */
	enum { OWN, CPU, GPU } path; /* the device's own, or one of these */
};
/* Together they use all there is. */
static const struct variant variants[] = {
	{"flip", "mgpcg", "position", "rk2", "true", SPLAT_BLOCK, .outputs = true},
	{"apic", "multigrid", "density", "rk3", "true", SPLAT_BRICK, .levels = true, .rolls = true,
	 .inflow = true},
	{"pic", "gauss-seidel", "none", "rk4", "false", SPLAT_BRICK, .outputs = true,
	 .anisotropic = true},
	{"apic", "mgpcg", "position", "rk1", "false", SPLAT_BRICK, .sealed = true},
	{"flip", "cg", "position", "rk2", "true", SPLAT_BRICK, .rolls = true},
	{"flip", "jacobi", "none", "rk2", "true", SPLAT_BLOCK, .uncut = true, .forces = true},
	{"flip", "pcg-ic", "none", "rk2", "true", SPLAT_BLOCK},
	{"flip", "mgpcg", "position", "rk2", "true", SPLAT_BRICK, .bare = true, .forces = true,
	 .path = GPU},
	{"flip", "mgpcg", "none", "rk2", "true", SPLAT_BRICK, .bare = true, .levels = true,
	 .path = GPU},
	{"flip", "mgpcg", "none", "rk2", "true", SPLAT_BRICK, .bare = true, .levels = true,
	 .path = CPU},
	{"flip", "jacobi", "none", "rk2", "true", SPLAT_BLOCK, .uncut = true, .mesh = true},
	{"flip", "mgpcg", "position", "rk2", "true", SPLAT_BLOCK, .moves = true},
	{"apic", "cg", "position", "rk1", "true", SPLAT_BRICK, .moves = true, .uncut = true},
	{"flip", "mgpcg", "push", "rk2", "true", SPLAT_BLOCK, .near = true},
	{"pic", "mgpcg", "springs", "rk4", "true", SPLAT_BRICK, .bare = true, .near = true},
	{"maccormack", "mgpcg", NULL, "rk3", "true", SPLAT_BLOCK, .bare = true, .grid = true},
	{"semi_lagrangian", "cg", NULL, "rk1", "false", SPLAT_BRICK, .sealed = true, .grid = true},
	{"maccormack", "mgpcg", NULL, "rk3", "true", SPLAT_BLOCK, .bare = true, .grid = true,
	 .surface = ", surface: levelset, redistance: step, interpolation: cubic"},
	{"maccormack", "cg", NULL, "rk2", "true", SPLAT_BLOCK, .sealed = true, .grid = true,
	 .surface = ", surface: levelset, volume_correction: true"},
	{"maccormack", "mgpcg", NULL, "rk2", "true", SPLAT_BLOCK, .bare = true, .grid = true,
	 .surface = ", surface: markers"},
	{"flip", "mgpcg", "none", "rk2", "true", SPLAT_BLOCK, .bare = true,
	 .surface = ", surface: spheres"},
	{"projection", "wendland", NULL, NULL, NULL, SPLAT_BLOCK, .bare = true, .sph = true},
	{"projection", "cubic", NULL, NULL, NULL, SPLAT_BRICK, .sealed = true, .sph = true,
	 .path = GPU},
	{"wcsph", "gaussian", NULL, NULL, NULL, SPLAT_BLOCK, .bare = true, .sph = true},
};
#define VARIANTS (sizeof(variants) / sizeof(variants[0]))

/* Odd sizes. */
static const char *const open_scene[] = {
	"domain: {size: [1.3, 1.1], cells: [13, 11], walls: {x+: open, y+: open}}\n"
	"liquids:\n"
	"  - {name: column, box: {min: [0, 0], max: [0.7, 0.8]}, velocity: [1, 0]}\n"
	"  - {name: drop, sphere: {center: [1.0, 0.9], radius: 0.15}, velocity: [-1, -2]}\n",
	"domain: {size: [0.9, 0.7, 0.8], cells: [9, 7, 8], walls: {x+: open, y+: open}}\n"
	"liquids:\n"
	"  - {name: column, box: {min: [0, 0, 0], max: [0.5, 0.5, 0.7]}, velocity: [1, 0, 0]}\n"
	"  - {name: drop, sphere: {center: [0.7, 0.55, 0.4], radius: 0.13}, velocity: [-1, -2, "
	"0]}\n",
};
static const char *const ball[] = {
	"solids:\n"
	"  - {name: ball, sphere: {center: [0.95, 0.3], radius: 0.17}, slip: none}\n",
	"solids:\n"
	"  - {name: ball, sphere: {center: [0.65, 0.2, 0.4], radius: 0.13}, slip: none}\n",
};
/* Another solid of these, thinner than a cell: it splits cells of all levels. */
static const char *const plate[] = {
	"  - {name: plate, capsule: {a: [0.31, 0], b: [0.47, 0.7], radius: 0.01}}\n",
	"  - {name: plate, capsule: {a: [0.23, 0, 0.3], b: [0.35, 0.5, 0.4], radius: 0.02}}\n",
};
static const char *const moving_ball[] = {
	"solids:\n"
	"  - {name: ball, sphere: {center: [0.95, 0.3], radius: 0.17}, slip: none,\n"
	"     motion: [{time: 0}, {time: 1, translate: [-1, 0.5], rotate: 2}]}\n",
	"solids:\n"
	"  - {name: ball, sphere: {center: [0.65, 0.2, 0.4], radius: 0.13}, slip: none,\n"
	"     motion: [{time: 0}, {time: 1, translate: [-1, 0.5, 0], rotate: [0, 0, 2]}]}\n",
};
static const char *const moving_plate[] = {
	"  - {name: plate, capsule: {a: [0.31, 0], b: [0.47, 0.7], radius: 0.01},\n"
	"     motion: [{time: 0}, {time: 1, rotate: 3}]}\n",
	"  - {name: plate, capsule: {a: [0.23, 0, 0.3], b: [0.35, 0.5, 0.4], radius: 0.02},\n"
	"     motion: [{time: 0}, {time: 1, rotate: 3}]}\n",
};
static const char *const sealed_scene[] = {
	"domain: {size: [0.9, 0.7], cells: [9, 7]}\n"
	"liquids:\n"
	"  - {name: water, box: {min: [0, 0], max: [0.9, 0.7]}, velocity: [1, -1]}\n",
	"domain: {size: [0.5, 0.6, 0.7], cells: [5, 6, 7]}\n"
	"liquids:\n"
	"  - {name: water, box: {min: [0, 0, 0], max: [0.5, 0.6, 0.7]}, velocity: [1, -1, 1]}\n",
};
/* Into it, with more than there is room for. */
static const char *const excess[] = {
	"inflows: [{wall: x-, box: {min: [0, 0.2], max: [0, 0.5]}, velocity: [0.5, 0]}]\n",
	"inflows: [{wall: x-, box: {min: [0, 0.2, 0.2], max: [0, 0.4, 0.5]}, velocity: [0.5, 0, "
	"0]}]\n",
};
/* A layer of particles comes in within a substep. */
static const char *const jet[] = {
	"inflows: [{wall: x-, box: {min: [0, 0.8], max: [0, 1]}, velocity: [6, 0]}]\n",
	"inflows: [{wall: x-, box: {min: [0, 0.5, 0], max: [0, 0.7, 0.8]}, velocity: [6, 0, 0]}]\n",
};

static const char *const fields[] = {
	"outflows:\n"
	"  - {wall: x-, box: {min: [0, 0], max: [0, 0.5]}, hydrostatic: 0.9}\n"
	"  - {wall: y-, box: {min: [0, 0], max: [0.5, 0]}, velocity: 5}\n"
	"emitters: [{sphere: {center: [1.1, 0.9], radius: 0.2}, fill: true}]\n"
	"drains:\n"
	"  - {box: {min: [0, 0], max: [0.3, 0.2]}, rate: 3}\n"
	"  - {box: {min: [1, 0], max: [1.3, 0.2]}}\n"
	"forces:\n"
	"  - {point: {strength: 1}}\n  - {vortex: {strength: 1, pull: 1, power: 0.5}}\n"
	"  - {wind: {velocity: [9, 2]}}\n  - {drag: {rate: 2}}\n  - {vorticity: {strength: 1}}\n"
	"  - {custom: [3, 1], sphere: {center: [0.4, 0.4], radius: 0.2}, falloff: 0.2}\n",
	"outflows:\n"
	"  - {wall: x-, box: {min: [0, 0, 0], max: [0, 0.4, 0.8]}, hydrostatic: 0.9}\n"
	"  - {wall: y-, box: {min: [0, 0, 0], max: [0.5, 0, 0.5]}, velocity: 5}\n"
	"emitters: [{sphere: {center: [0.7, 0.5, 0.4], radius: 0.2}, fill: true}]\n"
	"drains:\n"
	"  - {box: {min: [0, 0, 0], max: [0.3, 0.2, 0.3]}, rate: 1}\n"
	"  - {box: {min: [0.3, 0, 0], max: [0.5, 0.2, 0.3]}}\n"
	"forces:\n"
	"  - {point: {strength: 1}}\n  - {vortex: {strength: 1, pull: 1, power: 0.5}}\n"
	"  - {wind: {velocity: [9, 2, 1]}}\n  - {drag: {rate: 2}}\n"
	"  - {vorticity: {strength: 1}}\n"
	"  - {custom: [3, 1, 1], sphere: {center: [0.4, 0.4, 0.4], radius: 0.2}, falloff: 0.2}\n",
};

/* What its method alone has: how liquid, or velocity, is carried. */
static const char *method_text(const struct variant *v, char text[160])
{
	if (v->grid)
		snprintf(text, 160, "method: grid\ngrid: {velocity_advection: %s%s}\n", v->transfer,
			 v->surface ? v->surface : "");
	else if (v->sph)
		snprintf(text, 160, "method: sph\nsph: {solver: %s, kernel: %s}\n", v->transfer,
			 v->solver);
	else
		snprintf(text, 160, "liquid: {transfer: %s%s}\n", v->transfer,
			 v->surface ? v->surface : "");
	return text;
}

/* Of the solve on the grid. */
static const char *solver_text(const struct variant *v, char text[96])
{
	if (v->sph)
		return "";
	snprintf(text, 96, "pressure: %s%s%s, advection: %s, separation: %s, ", v->solver,
		 v->drift ? ", drift: " : "", v->drift ? v->drift : "", v->advection,
		 v->separation);
	return text;
}

static struct scene *read_variant(const struct variant *v, int dim)
{
	char method[160], solver[96], text[3072];
	snprintf(text, sizeof(text),
		 "version: 1\nname: doctor\n%s%s%s%s%s%s%s%stime: {frames: 9, fps: 50, dt: 0.01}\n"
		 "%ssolver: {%smax_iterations: 10}\n",
		 (v->sealed ? sealed_scene : open_scene)[dim == 3],
		 v->sealed || v->bare ? "" : (v->moves ? moving_ball : ball)[dim == 3],
		 v->sealed || v->bare || v->uncut ? ""
						  : (v->moves ? moving_plate : plate)[dim == 3],
		 v->sealed && !v->grid && !v->sph ? excess[dim == 3] : "",
		 v->inflow ? jet[dim == 3] : "", v->forces ? fields[dim == 3] : "",
		 v->anisotropic ? "output: {surface: {method: anisotropic}}\n" : "",
		 !v->rolls ? "" : "frame: {roll: {amplitude: 0.3, frequency: 2}}\n",
		 method_text(v, method), solver_text(v, solver));
	static const char *const mixed[] = {"liquids.1.transfer=pic", "liquids.0.transfer=apic",
					    "domain.wall_law=smooth"};
	static const char *const near[] = {"liquid.kernel=stiff", "liquid.vortex_boost=1",
					   "solver.collision_distance=0.5", "solver.resample=true",
					   "solver.reposition=true"};
	return scene_read_text_with(text, strlen(text), "doctor", v->near ? near : mixed,
				    v->near	? 5
				    : v->forces ? 3
						: 0);
}

/* ---- what is run -------------------------------------------------------------------------- */

static void set_where(struct launch_check *check, const struct variant *v, const char *part)
{
	char where[sizeof(check->where)];
	snprintf(where, sizeof(where), "%s %s%s: %s", v->transfer, v->solver,
		 v->sealed ? " sealed" : "", part);
	launch_check_begin(check, where);
}

struct variant_check {
	struct launch_check *check;
	const struct variant *variant;
};

static bool name_next_stage(struct sim *sim, size_t stage, void *user)
{
	const struct variant_check *c = user;
	if (stage + 1 < sim_stage_count(sim))
		set_where(c->check, c->variant, sim_stage_name(sim, stage + 1));
	return true;
}

static bool draw_view(struct sim *sim, enum scene_view view)
{
	const int size[2] = {48, 32};
	struct image image = {0};
	struct render *render = render_create(subject_of(sim), size, view, NULL);
	const bool ok = render && render_frame(render, &image);
	image_finish(&image);
	render_destroy(render);
	return ok;
}

static bool make_outputs(struct launch_check *check, const struct variant *v, struct sim *sim)
{
	static const struct {
		enum scene_view view;
		const char *name;
	} views[] = {
		{VIEW_PARTICLES, "picture of the particles"},
		{VIEW_SPEED, "picture of the speed"},
		{VIEW_PRESSURE, "picture of the pressure"},
		{VIEW_LEVELSET, "picture of the level set"},
		{VIEW_CELLS, "picture of the cells"},
		{VIEW_SURFACE, "picture of the surface"},
	};
	_Static_assert(sizeof(views) / sizeof(views[0]) == PICTURE_VIEW_COUNT, "all views");
	for (size_t i = 0; i < PICTURE_VIEW_COUNT; i++) {
		set_where(check, v, views[i].name);
		if (!draw_view(sim, views[i].view))
			return false;
	}
	set_where(check, v, "surface");
	if (!rare_kernels_surface(sim))
		return false;
	set_where(check, v, "distances");
	if (!rare_kernels_distances(sim))
		return false;
	set_where(check, v, "copy");
	return rare_kernels_copy(sim);
}

static bool run_substeps(struct launch_check *check, const struct variant *v, struct sim *sim)
{
	set_where(check, v, "state at the start");
	if (!sim_measure(sim))
		return false;
	for (int i = 0; i < SUBSTEPS; i++) {
		set_where(check, v, sim_stage_name(sim, 0));
		if (!sim_substep(sim))
			return false;
	}
	return true;
}

static bool run_variant(struct launch_check *check, const struct variant *v, struct clx *cl)
{
	if (v->mesh && clx_dim(cl) != 3)
		return true;
	struct scene *scene = read_variant(v, clx_dim(cl));
	if (!scene || (v->mesh && !doctor_place_mesh(scene))) {
		scene_free(scene);
		return false;
	}
	clx_set_splat_path(cl, v->splat);
	set_where(check, v, "start");
	const enum clx_path own = clx_path(cl);
	if (v->path != OWN)
		clx_set_path(cl, v->path == GPU ? CLX_PATH_GPU : CLX_PATH_CPU);
	struct sim *sim = sim_create(scene, cl);
	if (sim && v->levels) {
		struct multigrid *mg = &sim_poisson(sim)->mg;
		mg->group_from = mg->count - 1;
	}
	struct variant_check watched = {check, v};
	if (sim)
		sim_watch_stages(sim, name_next_stage, &watched);
	const bool ok = sim && run_substeps(check, v, sim) &&
			(!v->near || rare_kernels_stuck(sim)) &&
			(!v->outputs || make_outputs(check, v, sim));
	sim_destroy(sim);
	scene_free(scene);
	clx_set_path(cl, own);
	return ok;
}

/* ---- report ------------------------------------------------------------------------------- */

static size_t stage_length(const char *kernel)
{
	return strcspn(kernel, "_");
}

/* One line for the kernels of a file, from `first`; returns the one after them. */
static int say_stage(struct doctor *d, const struct launch_check *check, int first)
{
	const char *name = kernel_names[first];
	const size_t length = stage_length(name);
	unsigned used = 0, sound = 0, checked = 0;
	char title[48];
	int k = first;
	for (; k < KERNEL_COUNT && stage_length(kernel_names[k]) == length &&
	       strncmp(kernel_names[k], name, length) == 0;
	     k++) {
		used += check->kernels[k].checked > 0;
		sound += check->kernels[k].checked > 0 && check->kernels[k].different == 0;
		checked += check->kernels[k].checked;
	}
	snprintf(title, sizeof(title), "%dD kernels %.*s", clx_dim(check->cl), (int)length, name);
	if (sound == used)
		doctor_say(d, DOCTOR_OK, title, "%u, in %u launches as on the host", used, checked);
	else
		doctor_say(d, DOCTOR_NOTE, title, "%u of %u as on the host, see below", sound,
			   used);
	return k;
}

/* In the order in which they went wrong. */
static void say_differences(struct doctor *d, const struct launch_check *check)
{
	for (unsigned order = 1; order <= check->differences; order++)
		for (int k = 0; k < KERNEL_COUNT; k++) {
			const struct launch_check_kernel *kernel = &check->kernels[k];
			char title[64];
			if (kernel->order != order)
				continue;
			snprintf(title, sizeof(title), "%dD kernel %.40s", clx_dim(check->cl),
				 kernel_names[k]);
			doctor_say(d, DOCTOR_FAULT, title,
				   "%s; %u of %u launches differ, the first in %s%s",
				   kernel->difference, kernel->different, kernel->checked,
				   kernel->where, order == 1 ? " (first of all)" : "");
		}
}

static void say_compilation(struct doctor *d, const struct launch_check *check)
{
	double total = 0.0;
	int longest = 0;
	char title[48];
	for (int k = 0; k < KERNEL_COUNT; k++) {
		total += check->kernels[k].first_ms;
		if (check->kernels[k].first_ms > check->kernels[longest].first_ms)
			longest = k;
	}
	snprintf(title, sizeof(title), "%dD first launches", clx_dim(check->cl));
	doctor_say(d, DOCTOR_OK, title, "%.2f s of %d kernels, longest %s (%.2f s)", total * 1e-3,
		   KERNEL_COUNT, kernel_names[longest], check->kernels[longest].first_ms * 1e-3);
}

void doctor_examine_kernels(struct doctor *d, struct clx *cl, struct launch_check *check)
{
	const enum splat_path splat = clx_splat_path(cl);
	char title[80];
	for (size_t i = 0; i < VARIANTS; i++) {
		d->error[0] = '\0';
		if (run_variant(check, &variants[i], cl))
			continue;
		snprintf(title, sizeof(title), "%dD simulation, %s", clx_dim(cl), check->where);
		doctor_say_error(d, title);
	}
	clx_set_splat_path(cl, splat);
	say_compilation(d, check);
	for (int k = 0; k < KERNEL_COUNT;)
		k = say_stage(d, check, k);
	say_differences(d, check);
}

void doctor_say_unreached(struct doctor *d, const struct launch_check *checks, size_t count)
{
	for (int k = 0; k < KERNEL_COUNT; k++) {
		unsigned checked = 0;
		for (size_t i = 0; i < count; i++)
			checked += checks[i].kernels[k].checked;
		if (checked == 0)
			doctor_say(d, DOCTOR_NOTE, "kernel not reached", "%s", kernel_names[k]);
	}
}

unsigned doctor_most_checked(const struct doctor *d)
{
	return d->options->full ? UINT32_MAX : MOST_CHECKED;
}
