/* The smallest complete program: a drop falls into a pool; its speed is printed per frame. */
#include <freshet.h>

#include <stdio.h>
#include <string.h>

static const char scene_text[] = "domain: {size: [1.0, 1.0], cells: 32}\n"
				 "time: {fps: 24}\n"
				 "liquids:\n"
				 "  - {name: pool, box: {min: [0, 0], max: [1, 0.25]}}\n"
				 "  - {name: drop, sphere: {center: [0.5, 0.75], radius: 0.1}}\n";

int main(void)
{
	struct freshet_scene *scene =
		freshet_scene_parse(scene_text, strlen(scene_text), "drop and pool");
	struct freshet_context *context = scene ? freshet_context_create(NULL, 2) : NULL;
	struct freshet_simulation *simulation =
		context ? freshet_simulation_create(context, scene) : NULL;

	while (simulation && freshet_simulation_frame(simulation) < 3 &&
	       freshet_simulation_step_frame(simulation)) {
		struct freshet_statistics now;
		freshet_simulation_statistics(simulation, &now);
		printf("frame %d: %.4f s, %zu particles, fastest %.3f m/s\n", now.frame, now.time,
		       now.particles, now.max_speed);
	}

	const char *error = freshet_error_message();
	if (*error)
		fprintf(stderr, "%s\n", error);
	freshet_simulation_destroy(simulation);
	freshet_context_destroy(context);
	freshet_scene_destroy(scene);
	return *error ? 1 : 0;
}
