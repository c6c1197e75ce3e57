/* Keys of particles that need each other: kernels and transfers, ways of keeping particles apart.
 */
#include "keys/scene_key_values.h"
#include "scene_parts.h"

/* Of `solver`, and the `drift` that reads it. */
static const struct {
	const char *key;
	enum scene_drift drift;
} users[] = {
	{"push_distance", DRIFT_PUSH},
	{"push_iterations", DRIFT_PUSH},
	{"spring_stiffness", DRIFT_SPRINGS},
	{"density_stiffness", DRIFT_PUSH},
};

static void check_transfer(struct scene_reader *reader, const struct scene_node *root)
{
	const struct scene *scene = reader->scene;
	const struct scene_node *liquid = scene_node_get(root, "liquid");
	const struct scene_node *boost = scene_node_get(liquid, "vortex_boost");
	const struct scene_node *kernel = scene_node_get(liquid, "kernel");
	if (boost && scene->vortex_boost > 0 && scene->kernel != KERNEL_STIFF)
		scene_node_error(&reader->errors, boost,
				 "'liquid.vortex_boost' is a part of the stiff kernel: it needs "
				 "'liquid.kernel: stiff'");
	if (kernel && scene->kernel == KERNEL_STIFF && scene_has_affine(scene))
		scene_node_error(&reader->errors, kernel,
				 "'liquid.kernel: stiff' has no affine velocities: a 'transfer' is "
				 "'apic' (allowed: flip, pic)");
}

/* Another value than the default of a key that nobody reads is worth a word. */
static void warn_unused(struct scene_reader *reader, const struct scene_node *solver)
{
	const enum scene_drift drift = reader->scene->solver.drift;
	const char *const *words = scene_key(SECTION_SOLVER, "drift")->words;
	for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); i++) {
		const struct scene_node *node = scene_node_get(solver, users[i].key);
		const struct scene_key *key = scene_key(SECTION_SOLVER, users[i].key);
		/* What `push` reads of densities `springs` does, too. */
		const bool both = i == sizeof(users) / sizeof(users[0]) - 1;
		if (node && users[i].drift != drift && !(both && drift == DRIFT_SPRINGS) &&
		    !scene_key_is_default(reader, key, reader->scene))
			scene_warning_at(
				&reader->errors, node->source, node->line, node->column,
				"'solver.%s' changes nothing: 'solver.drift' is '%s' ('%s'%s "
				"it)",
				users[i].key, words[drift], words[users[i].drift],
				both ? " and 'springs' read" : " reads");
	}
}

void scene_check_particles(struct scene_reader *reader, const struct scene_node *root)
{
	const struct solver_settings *s = &reader->scene->solver;
	const struct scene_node *solver = scene_node_get(root, "solver");
	const struct scene_node *resample = scene_node_get(solver, "resample");
	check_transfer(reader, root);
	warn_unused(reader, solver);
	if (resample && s->resample && s->drift != DRIFT_PUSH && s->drift != DRIFT_SPRINGS)
		scene_node_error(
			&reader->errors, resample,
			"'solver.resample' is of particles that 'solver.drift' has moved by "
			"those around: it needs 'push' or 'springs'");
}
