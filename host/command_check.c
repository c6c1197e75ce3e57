/* freshet check */
#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "message.h"
#include "scene.h"
#include "shape.h"
#include "sim.h"

#define MEMORY_ROWS 64
#define SAMPLES_MOST 2.0e6 /* points at which the liquids are looked at */

static const struct option options[] = {
	{"set", 0, "KEY.PATH=VALUE", "changes a value of the scene; may be repeated"},
	OPTION_HELP,
	OPTION_LAST,
};
enum { OPTION_SET, OPTION_HELP_ME };

#define SETS_MOST 256

static bool is_inside(const struct shape_program *shape, int dim, const f32 p[3])
{
	return shape_distance(dim, shape->ops, (int)shape->op_count, shape->points, p[0], p[1],
			      p[2]) < 0.0f;
}

static bool is_liquid(const struct scene *scene, const f32 p[3])
{
	for (size_t i = 0; i < scene->solid_count; i++)
		if (is_inside(&scene->solids[i].shape, scene->dim, p))
			return false;
	for (size_t i = 0; i < scene->liquid_count; i++)
		if (is_inside(&scene->liquids[i].shape, scene->dim, p))
			return true;
	return false;
}

/* Cells per axis are looked at 2^dim points each, or at fewer points where that is too many. */
static void sample_counts(const struct scene *scene, int64_t count[3])
{
	double scale = 2.0;
	double points = 1.0;
	for (int axis = 0; axis < scene->dim; axis++)
		points *= scale * scene->cells[axis];
	for (; points > SAMPLES_MOST; points /= scene->dim == 2 ? 4.0 : 8.0)
		scale /= 2.0;
	for (int axis = 0; axis < 3; axis++) {
		count[axis] = axis < scene->dim ? (int64_t)(scale * scene->cells[axis]) : 1;
		if (count[axis] < 1)
			count[axis] = 1;
	}
}

/* Particles from the share of sample points that lie in liquid. */
static double estimate_particles(const struct scene *scene)
{
	int64_t count[3], inside = 0;
	sample_counts(scene, count);
	for (int64_t k = 0; k < count[2]; k++)
		for (int64_t j = 0; j < count[1]; j++)
			for (int64_t i = 0; i < count[0]; i++) {
				int64_t at[3] = {i, j, k};
				f32 p[3] = {0.0f, 0.0f, 0.0f};
				for (int axis = 0; axis < scene->dim; axis++)
					p[axis] = (f32)(((double)at[axis] + 0.5) *
							scene->size[axis] / (double)count[axis]);
				inside += is_liquid(scene, p);
			}
	double cells = 1.0, points = 1.0;
	for (int axis = 0; axis < scene->dim; axis++) {
		cells *= scene->cells[axis];
		points *= (double)count[axis];
	}
	return (double)inside / points * cells * scene->particles_per_cell;
}

static double mebibytes(uint64_t bytes)
{
	return (double)bytes / 1048576.0;
}

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

static void print_memory(const struct scene *scene, u32 particles)
{
	struct sim_memory_row rows[MEMORY_ROWS];
	uint64_t total, largest;
	size_t count = sim_memory(scene, particles, rows, MEMORY_ROWS, &total, &largest);
	printf("\ndevice memory\n");
	for (size_t i = 0; i < count && i < MEMORY_ROWS; i++)
		printf("  %-24s %14" PRIu64 " B\n", rows[i].name, rows[i].bytes);
	printf("  %-24s %14" PRIu64 " B = %.1f MiB, largest buffer %.1f MiB\n", "total", total,
	       mebibytes(total), mebibytes(largest));
}

static void print_disk(const struct scene *scene)
{
	printf("\ndisk per frame\n");
	if (scene->output.png)
		printf("  frames/frame_*.png       at most %.2f MiB (%d x %d), one frame in %d\n",
		       3.0 * scene->output.png_size[0] * scene->output.png_size[1] / 1048576.0,
		       scene->output.png_size[0], scene->output.png_size[1],
		       scene->output.png_every);
	if (scene->output.mesh)
		printf("  mesh/mesh_*              %s, one frame in %d\n",
		       scene->output.mesh_format == MESH_PLY ? "about 62 B per vertex"
							     : "about 150 B per vertex",
		       scene->output.mesh_every);
	if (scene->output.stats)
		printf("  stats.csv                about 0.5 KiB per substep\n");
	if (scene->output.probe_count > 0)
		printf("  probes.csv               about %.2f KiB\n",
		       (20.0 + 15.0 * (double)scene->output.probe_count) / 1024.0);
	printf("  log.txt, run.json        about 0.3 KiB\n");
}

static enum exit_code check_scene(const char *path, const char *const *sets, size_t set_count)
{
	struct scene *scene = scene_read(path, sets, set_count);
	if (!scene)
		return CODE_REFUSED;
	double particles = estimate_particles(scene);
	print_grid(scene);
	printf("particles  about %.0f (%d per cell)\n", particles, scene->particles_per_cell);
	print_memory(scene, particles < (double)UINT32_MAX ? (u32)particles : UINT32_MAX);
	print_disk(scene);
	scene_free(scene);
	return CODE_DONE;
}

static enum exit_code run_command(const struct command *self, char **arguments, char *const *all)
{
	(void)all;
	struct option_reader reader = {.options = options, .arguments = arguments};
	const char *value, *path = NULL, *sets[SETS_MOST];
	size_t set_count = 0;
	for (;;) {
		switch (options_next(&reader, &value)) {
		case OPTION_END:
			if (path)
				return check_scene(path, sets, set_count);
			message_error("check needs a scene file ('freshet check --help')");
			return CODE_REFUSED;
		case OPTION_OPERAND:
			if (path) {
				message_error("check takes one scene: '%.200s' or '%.200s'?", path,
					      value);
				return CODE_REFUSED;
			}
			path = value;
			break;
		case OPTION_SET:
			if (set_count == SETS_MOST) {
				message_error("more than %d --set", SETS_MOST);
				return CODE_REFUSED;
			}
			sets[set_count++] = value;
			break;
		case OPTION_HELP_ME:
			command_print_help(self);
			return CODE_DONE;
		default:
			return CODE_REFUSED;
		}
	}
}

const struct command command_check = {
	.name = "check",
	.usage = "SCENE.yaml [--set KEY.PATH=VALUE]...",
	.summary = "checks a scene and prints its grid, memory and disk needs",
	.details = "No device is needed.  The number of particles is estimated from sample points.",
	.options = options,
	.run = run_command,
};
