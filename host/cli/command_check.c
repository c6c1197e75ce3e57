/* freshet check */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "data_files.h"
#include "keys/scene_key.h"
#include "mesh_formats.h"
#include "message.h"
#include "number.h"
#include "read_points.h"
#include "scene.h"
#include "scene_meshes.h"
#include "scene_needs.h"
#include "sim.h"
#include "sim_fields.h"
#include "sim_full.h"

#define MEMORY_ROWS 64

static const struct option options[] = {
	{"set", 0, "KEY.PATH=VALUE", "changes a value of the scene; may be repeated"},
	{"verbose", 'v', NULL, "lists the buffers on the device, too"},
	{"keys", 0, NULL, "prints all keys of scenes, as tables in Markdown, and checks none"},
	{"schema", 0, NULL,
	 "prints a JSON Schema of scenes, by which editors complete and check them"},
	OPTION_HELP,
	OPTION_LAST,
};
enum { OPTION_SET, OPTION_VERBOSE, OPTION_KEYS, OPTION_SCHEMA, OPTION_HELP_ME };

#define SETS_MOST 256

static void print_grid(const struct scene *scene)
{
	double cells = 1.0;
	printf("scene      %s\ngrid       ", scene->name);
	for (int axis = 0; axis < scene->dim; axis++) {
		printf("%s%d", axis ? " x " : "", scene->cells[axis]);
		cells *= scene->cells[axis];
	}
	printf(" = %.0f cells of %.6g m, box", cells, scene->h);
	for (int axis = 0; axis < scene->dim; axis++)
		printf("%s%.6g", axis ? " x " : " ", scene->size[axis]);
	printf(" m\ntime       frames 0 to %d at %.6g per second, %.6g s\n", scene->time.frames,
	       scene->time.fps, (double)scene->time.frames / scene->time.fps);
}

/* Of what is beside the simulation; added to *total. */
static void print_beside(const char *name, uint64_t bytes, uint64_t *total)
{
	if (bytes == 0)
		return;
	*total += bytes;
	printf("  %-24s %14" PRIu64 " B = %.1f MiB, together %.1f MiB\n", name, bytes,
	       number_mebibytes(bytes), number_mebibytes(*total));
}

static void print_memory(const struct scene *scene, u32 particles, uint64_t pictures,
			 uint64_t meshes, bool verbose)
{
	struct sim_memory_row rows[MEMORY_ROWS];
	uint64_t total, largest;
	const bool may_split = scene->solid_count > 0;
	size_t count = sim_memory(scene, particles, may_split, rows, MEMORY_ROWS, &total, &largest);
	printf("\ndevice memory\n");
	for (size_t i = 0; verbose && i < count && i < MEMORY_ROWS; i++)
		printf("  %-24s %14" PRIu64 " B\n", rows[i].name, rows[i].bytes);
	printf("  %-24s %14" PRIu64 " B = %.1f MiB, largest buffer %.1f MiB\n", "total", total,
	       number_mebibytes(total), number_mebibytes(largest));
	print_beside("pictures", pictures, &total);
	print_beside("surface for meshes", meshes, &total);
	if (verbose && may_split)
		printf("  (the order of the sort is held only where solids cut a part off some cell)\n");
}

static void print_disk(const struct scene *scene, double particles)
{
	printf("\ndisk per frame\n");
	if (scene->output.png)
		printf("  frames/frame_*.png       at most %.2f MiB (%d x %d), one frame in %d\n",
		       3.0 * scene->output.png_size[0] * scene->output.png_size[1] / 1048576.0,
		       scene->output.png_size[0], scene->output.png_size[1],
		       scene->output.png_every);
	data_files_print_bytes(scene, particles);
	if (scene->output.mesh)
		printf("  mesh/mesh_*              about %d B per vertex, one frame in %d\n",
		       mesh_formats[scene->output.mesh_format]->vertex_bytes,
		       scene->output.mesh_every);
	if (scene->output.stats)
		printf("  stats.csv                about 0.5 KiB per substep\n");
	if (scene->output.probe_count > 0)
		printf("  probes.csv               about %.2f KiB\n",
		       (20.0 + 15.0 * (double)scene->output.probe_count) / 1024.0);
	if (scene->output.forces)
		printf("  forces.csv               about %.2f KiB\n",
		       (20.0 + 80.0 * (double)scene->solid_count) / 1024.0);
	printf("  log.txt, run.json        about 0.3 KiB\n");
	printf("  checkpoints/             about %.2f MiB each, the latest %d are kept\n",
	       sim_saved_bytes(scene, particles) / 1048576.0 + 0.02, scene->output.checkpoint_keep);
}

static void print_bodies(const struct scene *scene)
{
	const char *volume = scene->dim == 3 ? "m3" : "m2", *mass = scene->dim == 3 ? "kg" : "kg/m";
	for (size_t s = scene->solid_count - scene->body_count; s < scene->solid_count; s++) {
		const struct scene_solid *solid = &scene->solids[s];
		const struct body_mass *of = &solid->body.of;
		printf("\nbody '%s'\n  %.6g %s: %.6g kg/m3 on %.6g %s, ", solid->name, of->mass,
		       mass, solid->body.density, of->volume, volume);
		for (int axis = 0; axis < scene->dim; axis++)
			printf("%s%.3g", axis ? " x " : "",
			       (solid->high[axis] - solid->low[axis]) / scene->h);
		printf(" cells\n  centre of mass at");
		for (int axis = 0; axis < scene->dim; axis++)
			printf("%s%.6g", axis ? ", " : " ", of->center[axis]);
		if (scene->dim == 2)
			printf(" m; moment of inertia %.6g kg m\n", of->inertia[2][2]);
		else
			printf(" m; moments of inertia %.6g, %.6g, %.6g kg m2\n", of->inertia[0][0],
			       of->inertia[1][1], of->inertia[2][2]);
	}
}

static void print_points(const struct scene *scene)
{
	for (size_t l = 0; l < scene->liquid_count; l++) {
		const struct scene_points *points = &scene->liquids[l].points;
		if (points->file)
			printf("\npoints of liquid '%s': %s\n  %zu points%s; hash %016" PRIx64 "\n",
			       scene->liquids[l].name, points->file, points->count,
			       points->velocity ? " with velocities" : "", points->hash);
	}
}

static enum exit_code check_scene(const char *path, const char *const *sets, size_t set_count,
				  bool verbose)
{
	struct scene *scene = scene_read(path, sets, set_count);
	if (!scene)
		return errno == ENOMEM ? CODE_FAILED : CODE_REFUSED;
	struct scene_needs needs;
	if (!read_points(scene) || !scene_needs(scene, &needs)) {
		scene_free(scene);
		return CODE_REFUSED;
	}
	print_grid(scene);
	if (sim_has(scene, PART_PARTICLES))
		printf("particles  about %.0f (%d per cell)\n", needs.particles,
		       scene->particles_per_cell);
	print_memory(scene, (u32)needs.particles, needs.pictures, needs.meshes, verbose);
	print_disk(scene, needs.particles);
	scene_meshes_print(scene);
	print_bodies(scene);
	print_points(scene);
	if (sim_has(scene, PART_PARTICLES) && !(needs.particles > 0.0))
		message_warning("no liquid was found inside the box and outside solids");
	for (size_t l = 0; l < scene->liquid_count && needs.particles > 0.0; l++)
		if (needs.missing[l])
			message_warning(
				"liquid '%s' has no particles, or very few: no place looked "
				"at lies in its shape, the box, and outside solids and "
				"earlier liquids",
				scene->liquids[l].name);
	scene_warn_of_probes(scene);
	sim_warn_of_full(scene);
	scene_free(scene);
	return CODE_DONE;
}

static enum exit_code run_check_command(const struct command *self, char **arguments,
					char *const *all)
{
	(void)all;
	struct option_reader reader = {.options = options, .arguments = arguments};
	const char *value, *path = NULL, *sets[SETS_MOST];
	size_t set_count = 0;
	bool verbose = false;
	for (bool ok = true; ok;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			if (path)
				return check_scene(path, sets, set_count, verbose);
			message_error("check needs a scene file ('freshet check --help')");
			return CODE_REFUSED;
		case OPTION_OPERAND:
			ok = option_take_operand(&path, value, "check takes one scene");
			break;
		case OPTION_SET:
			if (set_count == SETS_MOST) {
				message_error("more than %d --set", SETS_MOST);
				return CODE_REFUSED;
			}
			sets[set_count++] = value;
			break;
		case OPTION_VERBOSE:
			verbose = true;
			break;
		case OPTION_KEYS:
			scene_keys_print();
			return CODE_DONE;
		case OPTION_SCHEMA:
			return scene_schema_print() ? CODE_DONE : CODE_FAILED;
		case OPTION_HELP_ME:
			command_print_help(self);
			return CODE_DONE;
		default:
			return CODE_REFUSED;
		}
	}
	return CODE_REFUSED;
}

const struct command command_check = {
	.name = "check",
	.usage = "SCENE.yaml [--set KEY.PATH=VALUE]... [--verbose] | --keys | --schema",
	.summary = "checks a scene and prints its grid, memory and disk needs",
	.details =
		"No device is needed.  The number of particles is estimated from a sample of places.",
	.options = options,
	.run = run_check_command,
};
