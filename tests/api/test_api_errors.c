/* The public interface: what is refused, and how it is said. */
#include <math.h>

#include "api_support.h"

static const char pool[] = "domain: {size: [1, 1], cells: 32}\n"
			   "liquid: {jitter: 0}\n"
			   "liquids: [{box: {min: [0, 0], max: [1, 0.25]}}]\n";

static struct {
	int errors, warnings, notes;
	char last[512];
} heard;

static void hear(enum freshet_level level, const char *text, void *user)
{
	int *const counts[] = {&heard.errors, &heard.warnings, &heard.notes};
	assert_ptr_equal(user, &heard);
	++*counts[level];
	strncpy(heard.last, text, sizeof(heard.last) - 1);
}

static void assert_said(const char *part)
{
	if (!strstr(freshet_error_message(), part))
		fail_msg("'%s' is not in '%s'", part, freshet_error_message());
}

/* Every mistake of a scene is a line of the message, and comes to the callback. */
static void test_bad_scenes(void **state)
{
	(void)state;
	static const char text[] = "domain: {size: [1, 1], cells: 32}\ntime: {fsp: 24}\n"
				   "gravity: [0, no]\n";
	memset(&heard, 0, sizeof(heard));
	freshet_set_message_callback(hear, &heard);
	assert_null(freshet_scene_parse(text, strlen(text), "mine"));
	freshet_set_message_callback(NULL, NULL);
	assert_said("mine:2:8: unknown key 'fsp'");
	assert_said("\nmine:3:14: ");
	assert_int_equal(heard.errors, 2);
	/* only so many bytes are read */
	struct freshet_scene *scene = freshet_scene_parse(text, strcspn(text, "\n"), NULL);
	assert_non_null(scene);
	assert_string_equal(freshet_error_message(), "");
	freshet_scene_destroy(scene);

	assert_null(freshet_scene_read("/no/such/scene.yaml", NULL, 0));
	assert_said("/no/such/scene.yaml");
	assert_int_equal(heard.errors, 2); /* no callback any more */
}

static void test_scene_file(void **state)
{
	(void)state;
	static const char *const sets[] = {"domain.cells=20", "liquid.transfer=apic"};
	char path[1024];
	const char *root = getenv("FRESHET_SOURCE");
	snprintf(path, sizeof(path), "%s/scenes/dam_break_2d.yaml", root ? root : ".");
	struct freshet_scene *scene = freshet_scene_read(path, sets, 2);
	assert_non_null(scene);
	struct freshet_scene_info info;
	freshet_scene_get_info(scene, &info);
	assert_int_equal(info.dim, 2);
	assert_int_equal(info.cells[0], 20);
	assert_int_equal(info.cells[2], 1);
	assert_true(info.is_apic && info.liquids > 0);
	assert_true(fabs(info.cell_size * 20 - info.size[0]) < 1e-12);
	assert_string_equal(freshet_scene_name(scene), "dam break 2d");
	assert_string_equal(freshet_scene_liquid_name(scene, 0), "column");
	assert_null(freshet_scene_liquid_name(scene, 1));
	assert_null(freshet_scene_liquid_name(scene, -1));
	assert_null(freshet_scene_name(NULL));
	freshet_scene_destroy(scene);
}

/* Each field is found by its name, and no other. */
static void test_field_names(void **state)
{
	(void)state;
	enum freshet_field found;
	for (int i = FRESHET_VELOCITY_X; i <= FRESHET_CELL_TYPE; i++) {
		const char *name = freshet_field_name((enum freshet_field)i);
		assert_non_null(name);
		assert_true(freshet_field_find(name, &found));
		assert_int_equal(found, i);
	}
	assert_string_equal(freshet_field_name(FRESHET_LEVEL_SET), "level_set");
	assert_string_equal(freshet_field_name(FRESHET_OPEN_Z), "open_z");
	assert_null(freshet_field_name((enum freshet_field)(FRESHET_CELL_TYPE + 1)));
	assert_null(freshet_field_name((enum freshet_field)(-1)));
	assert_false(freshet_field_find("speed", &found));
	assert_non_null(strstr(freshet_error_message(), "no field 'speed' (known: velocity_x"));
	assert_false(freshet_field_find(NULL, &found));
	assert_false(freshet_field_find("pressure", NULL));
}

static void test_devices(void **state)
{
	(void)state;
	struct freshet_device devices[8];
	char name[32];
	size_t count = 0;
	int defaults = 0;
	assert_true(freshet_list_devices(NULL, 0, &count));
	assert_true(count > 0);
	assert_true(freshet_list_devices(devices, 8, &count));
	for (size_t i = 0; i < count && i < 8; i++) {
		defaults += devices[i].is_default;
		assert_true(devices[i].memory > 0 && devices[i].name[0] != '\0');
	}
	assert_int_equal(defaults, 1);
	snprintf(name, sizeof(name), "%u:%u", devices[0].platform_index, devices[0].device_index);
	freshet_context_destroy(freshet_context_create(name, 2));
	assert_string_equal(freshet_error_message(), "");
	assert_null(freshet_context_create("no such device", 2));
	assert_said("no such device");
	assert_said(devices[0].name); /* what there is */
	assert_null(freshet_context_create(NULL, 1));
	assert_said("2 or 3 dimensions");
}

static void test_wrong_dimension(void **state)
{
	(void)state;
	struct freshet_scene *scene = scene_of(pool);
	assert_null(freshet_simulation_create(contexts[3], scene));
	assert_said("is 2D");
	assert_said("for 3D");
	freshet_scene_destroy(scene);
}

/* Three particles, of which the second has something wrong. */
static void check_refused(const char *text, const float x[2], const float v[2], uint8_t liquid,
			  const char *first, const char *counts)
{
	float at[6] = {0.25f, 0.5f, x[0], x[1], 0.5f, 0.25f};
	float moving[6] = {0.0f, 0.0f, v[0], v[1], 1.0f, 0.0f};
	const uint8_t of[3] = {0, liquid, 0};
	const struct freshet_particles three = {
		.count = 3, .positions = at, .velocities = moving, .liquids = of};
	struct freshet_scene *scene = scene_of(text);
	assert_null(freshet_simulation_create_from_particles(contexts[2], scene, &three));
	assert_said(first);
	assert_said(counts);
	freshet_scene_destroy(scene);
}

static void test_bad_particles(void **state)
{
	(void)state;
	static const char text[] = "domain: {size: [1, 1], cells: 16}\n"
				   "solids: [{sphere: {center: [0.75, 0.75], radius: 0.1}}]\n";
	const float good[2] = {0.5f, 0.5f}, still[2] = {0.0f, 0.0f};
	const float nan_x[2] = {0.5f, NAN}, infinite_v[2] = {-INFINITY, 0.0f};
	const float fast[2] = {0.0f, 1.1e6f}, above[2] = {0.5f, 1.001f}, left[2] = {-1e-6f, 0.5f};
	const float in_ball[2] = {0.7f, 0.7f};
	check_refused(text, nan_x, still, 0, "particle 1 is not finite", "1 are not finite");
	check_refused(text, good, infinite_v, 0, "particle 1 is not finite", "1 are not finite");
	check_refused(text, good, fast, 0, "particle 1 is not finite or too fast",
		      "of 3 particles");
	check_refused(text, above, still, 0, "particle 1 is outside the box", "1 outside the box");
	check_refused(text, left, still, 0, "particle 1 is outside the box", "1 outside the box");
	check_refused(text, in_ball, still, 0, "particle 1 is inside a solid", "1 inside solids");
	check_refused(text, good, still, 1, "particle 1 is of a liquid", "1 of unknown liquids");

	const struct freshet_particles nowhere = {.count = 1};
	const struct freshet_particles many = {.count = (size_t)1 << 40, .positions = good};
	const float gradient[4] = {0};
	const struct freshet_particles with_affine = {
		.count = 1, .positions = good, .affine = gradient};
	struct freshet_scene *scene = scene_of(text);
	assert_null(freshet_simulation_create_from_particles(contexts[2], scene, &nowhere));
	assert_said("without positions");
	assert_null(freshet_simulation_create_from_particles(contexts[2], scene, &many));
	assert_said("too many");
	assert_null(freshet_simulation_create_from_particles(contexts[2], scene, &with_affine));
	assert_said("apic");
	freshet_scene_destroy(scene);

	/* the sides of the box belong to it */
	const float corners[4] = {0.0f, 0.0f, 1.0f, 1.0f};
	const struct freshet_particles two = {.count = 2, .positions = corners};
	struct freshet_simulation *simulation = simulation_of(2, text, &two);
	assert_true(freshet_simulation_step(simulation));
	assert_int_equal(read_all(simulation), 2);
	freshet_simulation_destroy(simulation);
}

/*
 * A pool given with one NaN velocity, one infinite velocity and one NaN position is refused at once
 * with particle, frame and number; a run that was offered it goes on as if nothing had been.
 */
static void test_bad_cell_does_not_spread(void **state)
{
	(void)state;
	static float x[2 * MOST], v[2 * MOST];
	struct freshet_simulation *clean = simulation_of(2, pool, NULL);
	struct freshet_simulation *offered = simulation_of(2, pool, NULL);
	const size_t count = read_all(clean);
	memcpy(x, positions, sizeof(x));
	memcpy(v, velocities, sizeof(v));
	v[2 * 100] = NAN;
	v[2 * 200 + 1] = INFINITY;
	x[2 * 300] = NAN;
	const struct freshet_particles bad = {.count = count, .positions = x, .velocities = v};
	struct freshet_scene *scene = scene_of(pool);
	assert_null(freshet_simulation_create_from_particles(contexts[2], scene, &bad));
	assert_said("frame 0: particle 100 is not finite");
	assert_said("particles 3 are not finite");
	freshet_scene_destroy(scene);
	for (int substep = 0; substep < 20; substep++) {
		assert_true(freshet_simulation_step(clean) && freshet_simulation_step(offered));
		if (substep == 10) {
			assert_false(freshet_simulation_restart(offered, &bad));
			assert_said("particle 100 is not finite");
		}
	}
	assert_true(hash_of(offered) == hash_of(clean));
	assert_int_equal(read_all(offered), count);
	for (size_t i = 0; i < 2 * count; i++)
		assert_true(isfinite(positions[i]) && isfinite(velocities[i]));
	freshet_simulation_destroy(clean);
	freshet_simulation_destroy(offered);
}

static void test_small_arrays(void **state)
{
	(void)state;
	static float values[32 * 33];
	struct freshet_simulation *simulation = simulation_of(2, pool, NULL);
	const size_t count = freshet_simulation_particle_count(simulation);
	const struct freshet_particle_arrays few = {.capacity = count - 1, .ids = ids};
	size_t shape[3] = {9, 9, 9};
	assert_int_equal(count, 32 * 8 * 4);
	assert_false(freshet_simulation_read_particles(simulation, &few, NULL));
	assert_said("1024 particles, but the arrays have room for 1023");
	assert_true(freshet_simulation_read_field(simulation, FRESHET_OPEN_X, values, 32 * 33));
	assert_false(
		freshet_simulation_read_field(simulation, FRESHET_OPEN_X, values, 32 * 33 - 1));
	assert_said("1 x 32 x 33");
	freshet_simulation_field_shape(simulation, FRESHET_VELOCITY_Z, shape);
	assert_int_equal(shape[0] + shape[1] + shape[2], 0);
	assert_false(
		freshet_simulation_read_field(simulation, FRESHET_VELOCITY_Z, values, 32 * 33));
	assert_said("2D");

	/* room is what the simulation started with */
	static float x[2 * 1025];
	for (size_t i = 0; i < 2 * 1025; i++)
		x[i] = 0.5f;
	struct freshet_particles more = {.count = count + 1, .positions = x};
	assert_false(freshet_simulation_restart(simulation, &more));
	assert_said("room for 1024");
	more.count = count;
	assert_true(freshet_simulation_restart(simulation, &more));
	assert_string_equal(freshet_error_message(), "");
	freshet_simulation_destroy(simulation);
}

static void test_nothing(void **state)
{
	(void)state;
	freshet_simulation_destroy(NULL);
	freshet_context_destroy(NULL);
	freshet_scene_destroy(NULL);
	assert_true(freshet_version()[0] >= '0' && freshet_version()[0] <= '9');
}

/* An error that names what is NULL, and zeros from what cannot fail. */
#define REFUSES_NULL(call, what)                     \
	do {                                         \
		assert_false(call);                  \
		assert_said("the " what " is NULL"); \
	} while (0)

static void test_null(void **state)
{
	(void)state;
	struct freshet_scene *scene = scene_of(pool);
	struct freshet_simulation *simulation = simulation_of(2, pool, NULL);
	struct freshet_scene_info info = {.dim = 9};
	struct freshet_statistics statistics = {.frame = 9};
	const struct freshet_particles none = {0};
	const struct freshet_particle_arrays room = {0};
	uint64_t number;
	size_t count, shape[3] = {9, 9, 9};
	float value;
	REFUSES_NULL(freshet_list_devices(NULL, 0, NULL), "place for the number of devices");
	REFUSES_NULL(freshet_list_devices(NULL, 1, &count), "array of devices");
	REFUSES_NULL(freshet_scene_read(NULL, NULL, 0), "path of a scene");
	REFUSES_NULL(freshet_scene_read("x", NULL, 1), "text of 'sets'");
	REFUSES_NULL(freshet_scene_parse(NULL, 5, NULL), "text of a scene");
	REFUSES_NULL(freshet_scene_memory(NULL, 1, NULL, NULL), "scene");
	REFUSES_NULL(freshet_simulation_create(NULL, scene), "context");
	REFUSES_NULL(freshet_simulation_create(contexts[2], NULL), "scene");
	REFUSES_NULL(freshet_simulation_create_from_particles(NULL, scene, &none), "context");
	REFUSES_NULL(freshet_simulation_create_from_particles(contexts[2], NULL, &none), "scene");
	/* never the scene's own liquids instead */
	REFUSES_NULL(freshet_simulation_create_from_particles(contexts[2], scene, NULL),
		     "struct freshet_particles");
	REFUSES_NULL(freshet_simulation_restart(NULL, &none), "simulation");
	REFUSES_NULL(freshet_simulation_restart(simulation, NULL), "struct freshet_particles");
	REFUSES_NULL(freshet_simulation_step(NULL), "simulation");
	REFUSES_NULL(freshet_simulation_step_frame(NULL), "simulation");
	REFUSES_NULL(freshet_simulation_hash(NULL, &number), "simulation");
	REFUSES_NULL(freshet_simulation_hash(simulation, NULL), "place for the hash");
	REFUSES_NULL(freshet_simulation_read_particles(NULL, &room, NULL), "simulation");
	REFUSES_NULL(freshet_simulation_read_particles(simulation, NULL, NULL),
		     "struct freshet_particle_arrays");
	REFUSES_NULL(freshet_simulation_read_field(NULL, FRESHET_PRESSURE, &value, 1),
		     "simulation");
	REFUSES_NULL(freshet_simulation_read_field(simulation, FRESHET_PRESSURE, NULL, 1024),
		     "array of values");
	freshet_scene_get_info(NULL, &info);
	freshet_simulation_statistics(NULL, &statistics);
	freshet_simulation_field_shape(NULL, FRESHET_PRESSURE, shape);
	freshet_scene_get_info(scene, NULL);
	freshet_simulation_statistics(simulation, NULL);
	freshet_simulation_field_shape(simulation, FRESHET_PRESSURE, NULL);
	assert_true(info.dim == 0 && statistics.frame == 0 && shape[0] + shape[1] + shape[2] == 0);
	assert_true(freshet_simulation_time(NULL) == 0.0 && freshet_simulation_frame(NULL) == 0);
	assert_true(freshet_simulation_memory(NULL) == 0);
	assert_true(freshet_simulation_particle_count(NULL) == 0);
	freshet_simulation_destroy(simulation);
	freshet_scene_destroy(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_scenes),
		cmocka_unit_test(test_scene_file),
		cmocka_unit_test(test_field_names),
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_wrong_dimension),
		cmocka_unit_test(test_bad_particles),
		cmocka_unit_test(test_bad_cell_does_not_spread),
		cmocka_unit_test(test_small_arrays),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_null),
	};
	return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
