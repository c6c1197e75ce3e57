/* `method: sph`. */
#include <math.h>
#include <string.h>

#include "keys/scene_key_values.h"
#include "scene_parts.h"

/* What the other solver reads changes nothing: told, unless it is the default, which run.json has.
 */
static void warn_of_other_solver(struct scene_reader *reader, const struct scene_node *sph)
{
	static const struct {
		const char *key;
		enum scene_sph_solver solver;
	} read_by[] = {{"damping", SPH_SOLVER_PROJECTION},
		       {"equation_of_state", SPH_SOLVER_WCSPH},
		       {"sound_speed", SPH_SOLVER_WCSPH},
		       {"artificial_viscosity", SPH_SOLVER_WCSPH}};
	const char *const *names = scene_key(SECTION_SPH, "solver")->words;
	for (size_t i = 0; i < sizeof(read_by) / sizeof(read_by[0]); i++) {
		const struct scene_node *node = sph ? scene_node_get(sph, read_by[i].key) : NULL;
		if (node && read_by[i].solver != reader->scene->sph.solver &&
		    !scene_key_is_default(reader, scene_key(SECTION_SPH, read_by[i].key),
					  reader->scene))
			scene_warning_at(&reader->errors, node->source, node->line, node->column,
					 "'sph.%s' changes nothing: the solver is '%s', which does "
					 "not read it ('%s' does)",
					 read_by[i].key, names[reader->scene->sph.solver],
					 names[read_by[i].solver]);
	}
}

/* The whole number whose power by the dimensions is n, or 0. */
static int root_of(int n, int dim)
{
	int root = 1;
	while ((dim == 3 ? root * root * root : root * root) < n)
		root++;
	return (dim == 3 ? root * root * root : root * root) == n ? root : 0;
}

/* Particles stand on a lattice; images beyond a wall are of particles before that. */
static void check_lattice(struct scene_reader *reader, const struct scene_node *root)
{
	const struct scene *scene = reader->scene;
	const struct scene_node *liquid = scene_node_get(root, "liquid");
	const struct scene_node *per_cell =
		liquid ? scene_node_get(liquid, "particles_per_cell") : NULL;
	const int across = root_of(scene->particles_per_cell, reader->dim);
	if (across == 0) {
		scene_node_error(
			&reader->errors, per_cell ? per_cell : root,
			"'liquid.particles_per_cell' must be %s with 'method: sph', not %d: "
			"particles stand on a lattice",
			reader->dim == 3 ? "1, 8, 27 or 64" : "1, 4, 9, 16, 25, 36, 49 or 64",
			scene->particles_per_cell);
		return;
	}
	const int least = (int)floor(scene->sph.support / across) + 1;
	for (int a = 0; a < reader->dim; a++)
		if (scene->cells[a] > 0 && scene->cells[a] < least) {
			scene_node_error(
				&reader->errors, scene_node_get(root, "domain"),
				"the domain has %d cells along %c: with 'method: sph' and "
				"'sph.support' %g it must have %d or more along every axis",
				scene->cells[a], "xyz"[a], scene -> sph.support, least);
			return;
		}
}

void scene_read_sph(struct scene_reader *reader, const struct scene_node *root)
{
	struct scene *scene = reader->scene;
	const struct scene_node *sph = scene_value_mapping(reader, root, "sph", SECTION_SPH);
	scene_keys_read(reader, sph, SECTION_SPH, KEY_ALL_KINDS, scene);
	if (strcmp(scene->method, "sph") != 0)
		return;
	warn_of_other_solver(reader, sph);
	check_lattice(reader, root);
	if (scene->sph.kernel == SPH_GAUSSIAN && scene->sph.solver != SPH_SOLVER_WCSPH)
		scene_node_error(
			&reader->errors, scene_node_get(sph, "kernel"),
			"'sph.kernel' gaussian is for 'sph.solver' wcsph only: its gradient "
			"does not end at 0");
}
