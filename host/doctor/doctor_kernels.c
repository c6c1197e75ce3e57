/* Every kernel of the program on tiny simulations that use everything there is, each launch
 * compared with the host. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "doctor_mesh.h"
#include "doctor_variants.h"
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
	struct scene *scene = doctor_read_variant(v, clx_dim(cl));
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
	for (size_t i = 0; i < DOCTOR_VARIANTS; i++) {
		d->error[0] = '\0';
		if (run_variant(check, &doctor_variants[i], cl))
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
