/*
 * A program outside of the source tree, for install.py: a square of particles given as arrays is
 * thrown and falls, and every field is read.  Without pressure or drift correction its centre is at
 * x0 + v0 t - g t (t + dt) / 2, the path of a step that kicks before it moves.
 */
#include <freshet.h>
#include <math.h>
#include <stdio.h>

enum { SIDE = 16, COUNT = SIDE * SIDE, FRAMES = 5, CELLS = 32, ROOM = (CELLS + 1) * (CELLS + 1) };

static const char scene_text[] = "domain: {size: [1, 1], cells: 32}\n"
				 "time: {fps: 25, dt: 0.005}\n"
				 "solver: {drift: none}\n";

/* Names of fields as in freshet.h; how far their arrays are longer than the cells along y and x. */
static const struct {
	enum freshet_field field;
	size_t more_y, more_x;
} fields[] = {
	{FRESHET_VELOCITY_X, 0, 1}, {FRESHET_VELOCITY_Y, 1, 0}, {FRESHET_KNOWN_X, 0, 1},
	{FRESHET_KNOWN_Y, 1, 0},    {FRESHET_OPEN_X, 0, 1},	{FRESHET_OPEN_Y, 1, 0},
	{FRESHET_PRESSURE, 0, 0},   {FRESHET_LEVEL_SET, 0, 0},	{FRESHET_CELL_TYPE, 0, 0},
};

static int read_fields(struct freshet_simulation *simulation)
{
	static float values[ROOM];
	size_t shape[3], liquid = 0;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		freshet_simulation_field_shape(simulation, fields[i].field, shape);
		if (shape[0] != 1 || shape[1] != CELLS + fields[i].more_y ||
		    shape[2] != CELLS + fields[i].more_x)
			return 0;
		if (!freshet_simulation_read_field(simulation, fields[i].field, values, ROOM))
			return 0;
	}
	/* the last one: as many liquid cells as the square covers, more or less its edge */
	for (size_t i = 0; i < CELLS * CELLS; i++)
		liquid += values[i] > 0.5f && values[i] < 1.5f;
	return liquid >= 64 - 32 && liquid <= 64 + 36;
}

static int simulate(struct freshet_simulation *simulation, float (*positions)[2])
{
	static float now[COUNT][2];
	const struct freshet_particle_arrays arrays = {.capacity = COUNT, .positions = &now[0][0]};
	double way[2] = {0, 0};
	size_t count = 0;
	while (freshet_simulation_frame(simulation) < FRAMES)
		if (!freshet_simulation_step_frame(simulation))
			return 0;
	if (!freshet_simulation_read_particles(simulation, &arrays, &count) || count != COUNT)
		return 0;
	for (size_t i = 0; i < COUNT; i++)
		for (int a = 0; a < 2; a++)
			way[a] += ((double)now[i][a] - (double)positions[i][a]) / COUNT;
	const double t = freshet_simulation_time(simulation), dt = 0.005;
	const double off[2] = {way[0] - 0.5 * t, way[1] - (0.25 * t - 0.5 * 9.81 * t * (t + dt))};
	printf("after %.3f s off the path by %.2g m, %.2g m\n", t, off[0], off[1]);
	return fabs(off[0]) < 1e-3 / CELLS && fabs(off[1]) < 1e-3 / CELLS;
}

int main(void)
{
	static float positions[COUNT][2], velocities[COUNT][2];
	for (int i = 0; i < COUNT; i++) {
		positions[i][0] = 0.4f + ((float)(i % SIDE) + 0.5f) / (2 * CELLS);
		positions[i][1] = 0.6f + ((float)(i / SIDE) + 0.5f) / (2 * CELLS);
		velocities[i][0] = 0.5f;
		velocities[i][1] = 0.25f;
	}
	const struct freshet_particles particles = {
		.count = COUNT, .positions = &positions[0][0], .velocities = &velocities[0][0]};
	struct freshet_scene *scene =
		freshet_scene_parse(scene_text, sizeof(scene_text) - 1, "thrown square");
	struct freshet_context *context = scene ? freshet_context_create(NULL, 2) : NULL;
	struct freshet_simulation *simulation =
		context ? freshet_simulation_create_from_particles(context, scene, &particles)
			: NULL;
	const int good = simulation && simulate(simulation, positions) && read_fields(simulation);
	if (!good)
		fprintf(stderr, "%s\n", freshet_error_message());
	freshet_simulation_destroy(simulation);
	freshet_context_destroy(context);
	freshet_scene_destroy(scene);
	return good ? 0 : 1;
}
