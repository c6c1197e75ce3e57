/* Whole runs against the hashes that are published with the program. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "doctor.h"
#include "doctor_golden.h" /* generated: golden_runs[] */
#include "sim_view.h"

static void compare_hash(struct doctor *d, struct clx *cl, const struct golden_run *golden,
			 const struct scene *scene)
{
	char title[64];
	u64 hash;
	snprintf(title, sizeof(title), "run %.40s", golden->name);
	struct sim *sim = sim_create(scene, cl);
	if (!sim || !sim_reach(sim, 0, NULL) || !sim_reach(sim, golden->frame, &hash))
		doctor_say_error(d, title);
	else if (hash == golden->hash)
		doctor_say(d, DOCTOR_OK, title, "frame %d has the published state hash %016" PRIx64,
			   golden->frame, golden->hash);
	else
		doctor_say(d, DOCTOR_FAULT, title,
			   "the state hash of frame %d is %016" PRIx64 " but must be %016" PRIx64,
			   golden->frame, hash, golden->hash);
	sim_destroy(sim);
}

void doctor_examine_golden(struct doctor *d, struct clx *cl)
{
	for (size_t i = 0; i < GOLDEN_RUNS; i++) {
		const struct golden_run *golden = &golden_runs[i];
		if (golden->is_long && !d->options->full)
			continue;
		d->error[0] = '\0';
		struct scene *scene =
			scene_read_text(golden->scene, strlen(golden->scene), golden->name);
		if (!scene)
			doctor_say_error(d, golden->name);
		else if (scene->dim == clx_dim(cl))
			compare_hash(d, cl, golden, scene);
		scene_free(scene);
	}
}
