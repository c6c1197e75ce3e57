/* The scene reader: which values and shapes it takes, which it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene_fixture.h"

static void test_ranges(void **state)
{
	(void)state;
	/* A key, a value, and what the message says after the place. */
	static const struct {
		const char *section, *key, *value, *expected;
	} cases[] = {
		{"time", "dt", "0", "is 0, out of range (allowed: 1e-07 to 10)"},
		{"time", "dt", "-1", "is -1, out of range (allowed: 1e-07 to 10)"},
		{"time", "dt", ".nan", "is .nan, it must be finite (allowed: 1e-07 to 10)"},
		{"time", "dt", "NaN", "is NaN, it must be finite (allowed: 1e-07 to 10)"},
		{"time", "dt", "1e-30", "is 1e-30, out of range (allowed: 1e-07 to 10)"},
		{"time", "fps", "0", "is 0, out of range (allowed: 0.01 to 100000)"},
		{"time", "frames", "-1", "is -1, out of range (allowed: 0 to 999999)"},
		{"time", "max_dt", "-.inf", "is -.inf, it must be finite (allowed: 1e-07 to 10)"},
		{"time", "max_dt", "1e999", "is 1e999, it must be finite (allowed: 1e-07 to 10)"},
		{"time", "cfl", "0", "is 0, out of range (allowed: 0.01 to 5)"},
		{"time", "cfl", "4.5", "must be at most 4 with 'method: flip', not 4.5"},
		{"liquid", "density", "0", "is 0, out of range (allowed: 0.001 to 1000000)"},
		{"liquid", "flip_ratio", "1.5", "is 1.5, out of range (allowed: 0 to 1)"},
		{"liquid", "jitter", "-0.1", "is -0.1, out of range (allowed: 0 to 1)"},
		{"liquid", "seed", "4294967296",
		 "is 4294967296, out of range (allowed: 0 to 4294967295)"},
		{"liquid", "particles_per_cell", "0", "is 0, out of range (allowed: 1 to 64)"},
		{"liquid", "particles_per_cell", "1000",
		 "is 1000, out of range (allowed: 1 to 64)"},
		{"solver", "tolerance", "0", "is 0, out of range (allowed: 1e-16 to 0.5)"},
		{"solver", "max_iterations", "0", "is 0, out of range (allowed: 1 to 100000)"},
		{"solver", "sweeps", "0", "is 0, out of range (allowed: 1 to 100)"},
		{"solver", "over_relaxation", "2", "is 2, out of range (allowed: 0.1 to 1.99)"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[256], expected[256];
		snprintf(text, sizeof(text), HEAD_2D "%s:\n  %s: %s\n", cases[i].section,
			 cases[i].key, cases[i].value);
		snprintf(expected, sizeof(expected), "scene.yaml:3:%zu: '%s.%s' %s",
			 strlen(cases[i].key) + 5, cases[i].section, cases[i].key,
			 cases[i].expected);
		assert_refused(text, expected);
	}
	static const struct refusal others[] = {
		{"version: 2\n" HEAD_2D,
		 "scene.yaml:1:10: 'version' is 2, out of range (allowed: 1 to 1)"},
		{"domain: {size: [1, 1], cells: 0}\n",
		 "scene.yaml:1:31: 'domain.cells' is 0, out of range (allowed: 1 to 1048576)"},
		{"domain: {size: [1, 1], cells: -5}\n",
		 "scene.yaml:1:31: 'domain.cells' is -5, out of range (allowed: 1 to 1048576)"},
		{"domain: {size: [1, 1], cells: 1e9}\n",
		 "scene.yaml:1:31: 'domain.cells' is 1e9, out of range (allowed: 1 to 1048576)"},
		{"domain: {size: [0, 1], cells: 8}\n",
		 "scene.yaml:1:17: 'domain.size.0' is 0, out of range (allowed: 1e-06 to 1000000)"},
		{"domain: {size: [1, .inf], cells: 8}\n",
		 "scene.yaml:1:20: 'domain.size.1' is .inf, it must be finite (allowed: 1e-06 to "
		 "1000000)"},
		/* 2 components, 4/3 for coarse levels: (28374 + 4)^2 * 8/3 > 2^31 - 1, (28373 +
		 * 4)^2 * 8/3 is not. */
		{"domain: {size: [1, 1], cells: 28374}\n",
		 "scene.yaml:1:16: the grid would have 805140625 lattice points, 2147495691 "
		 "with all components, halos and coarse levels, but 32-bit indices reach "
		 "2147483647: use fewer or larger cells"},
		/* 3 components, 8/7 for coarse levels: (852 + 4)^3 * 24/7 > 2^31 - 1. */
		{"domain: {size: [1, 1, 1], cells: 852}\n",
		 "scene.yaml:1:16: the grid would have 620650477 lattice points, 2150475483 "
		 "with all components, halos and coarse levels, but 32-bit indices reach "
		 "2147483647: use fewer or larger cells"},
		{"domain: {size: [1, 1e-5], cell_size: 5e-7}\n",
		 "scene.yaml:1:17: 'domain.size.0' is "
		 "2000000 cells along x"},
		{HEAD_2D "time: {fps: 1, dt: 1e-7}\n",
		 "scene.yaml:2:20: 'time.dt' gives 1e+07 substeps per frame at 1 fps (at most "
		 "1000000)"},
		{HEAD_2D "gravity: [{time: 1, g: [0, 0]}, {time: 1, g: [0, 1]}]\n",
		 "scene.yaml:2:40: the times of 'gravity' must increase: 1 does not follow 1"},
		{HEAD_2D "gravity: [{g: [0, 0]}]\n",
		 "scene.yaml:2:11: missing key 'time' in 'gravity.0'"},
		{HEAD_2D "gravity: [{time: 1, g: [0, 0]}, {time: 0.5, g: [0, 1]}]\n",
		 "scene.yaml:2:40: the times of 'gravity' must increase: 0.5 does not follow 1"},
		{HEAD_2D "gravity: [{time: 0}]\n",
		 "scene.yaml:2:11: missing key 'g' in 'gravity.0'"},
		{HEAD_2D "gravity: []\n",
		 "scene.yaml:2:10: 'gravity' has 0 numbers, it needs 2 (2D scene)"},
		{HEAD_2D "gravity: [{time: 0, g: [0, 0]}, [0, -9.81]]\n",
		 "scene.yaml:2:33: 'gravity.1' must be a mapping, not a list"},
		{HEAD_2D "gravity: [{time: 0, g: [0, 0, 0]}]\n",
		 "scene.yaml:2:24: 'gravity.0.g' has 3 numbers, it needs 2 (2D scene)"},
		{HEAD_2D "gravity: [{time: 0, g: [0, .nan]}]\n",
		 "scene.yaml:2:28: 'gravity.0.g.1' is .nan, it must be finite"},
		{HEAD_2D "frame: {}\n",
		 "scene.yaml:2:8: 'frame' says no motion (it needs 'motion', "
		 "'roll' or 'sway')"},
		{HEAD_2D "frame: {motion: [{time: 0, angle: 0}, {time: 1e-300, angle: 1}]}\n",
		 "scene.yaml:2:39: 'frame.motion.1' comes 1e-300 s after the entry before it, too "
		 "soon for how far "
		 "it "
		 "turns: at most 10000 rad/s"},
		{HEAD_2D
		 "frame: {motion: [{time: 0, velocity: [0, 0]}, {time: 1e-9, velocity: [0, 2]}]}\n",
		 "scene.yaml:2:47: 'frame.motion.1' comes 1e-09 s after the entry before it, too "
		 "soon "
		 "for how far it moves: at most 1e+09 m/s^2"},
		{HEAD_2D "frame: {motion: []}\n", "scene.yaml:2:17: 'frame.motion' is empty"},
		{HEAD_2D "frame: {motion: [{time: 0}]}\n",
		 "scene.yaml:2:18: 'frame.motion.0' says nothing but a time"},
		{HEAD_2D "frame: {motion: [{angle: 0}]}\n",
		 "scene.yaml:2:18: missing key 'time' in 'frame.motion.0'"},
		{HEAD_2D "frame: {motion: [{time: 1, angle: 0}, {time: 1, angle: 1}]}\n",
		 "scene.yaml:2:46: the times of 'frame.motion' must increase: 1 does not follow 1"},
		{HEAD_2D "frame: {motion: [{time: 0, angle: 0, angular_velocity: 1}]}\n",
		 "scene.yaml:2:38: 'frame.motion.0' has 'angle' already: give one of them, "
		 "'angular_velocity' follows from it"},
		{HEAD_2D "frame: {motion: [{time: 0, angle: 0}, {time: 1, angular_velocity: 1}]}\n",
		 "scene.yaml:2:39: 'frame.motion.1' must have 'angle', like the first entry"},
		{HEAD_2D "frame: {motion: [{time: 0, angle: 0}, {time: 1, angle: 1, velocity: [0, "
			 "1]}]}\n",
		 "scene.yaml:2:39: 'frame.motion.1' must have neither 'position' nor 'velocity', "
		 "like the first entry"},
		{HEAD_2D "frame: {motion: [{time: 0, position: [0, 0, 0]}]}\n",
		 "scene.yaml:2:38: 'frame.motion.0.position' has 3 numbers, it needs 2 (2D scene)"},
		{HEAD_2D "frame: {axis: [0, 1], roll: {amplitude: 1, frequency: 1}}\n",
		 "scene.yaml:2:9: 'frame.axis' has no meaning in a 2D scene"},
		{HEAD_3D "frame: {axis: [0, 0, 0], roll: {amplitude: 1, frequency: 1}}\n",
		 "scene.yaml:2:15: 'frame.axis' must be longer than 1e-9"},
		{HEAD_2D "frame: {roll: {amplitude: 1}}\n",
		 "scene.yaml:2:15: missing key 'frequency' in 'frame.roll'"},
		{HEAD_2D "frame: {roll: {amplitude: [1, 2], frequency: 1}}\n",
		 "scene.yaml:2:27: 'frame.roll.amplitude' must be a number, not a list"},
		{HEAD_2D "frame: {sway: {amplitude: 1, frequency: 1}}\n",
		 "scene.yaml:2:27: 'frame.sway.amplitude' must be a list of 2 numbers, not '1'"},
		{HEAD_2D "frame: {sway: {amplitude: [1, 0], frequency: -1}}\n",
		 "scene.yaml:2:46: 'frame.sway.frequency' is -1, out of range (allowed: 0 to "
		 "10000)"},
		{HEAD_2D "frame: {sway: {amplitude: [0, 1e3], frequency: 200}}\n",
		 "scene.yaml:2:15: 'frame.sway' moves with up to 1.257e+06 m/s, at most 1e+06 m/s "
		 "are allowed"},
		{HEAD_2D "frame: {roll: {amplitude: 0.5, frequency: 3000}}\n",
		 "scene.yaml:2:15: 'frame.roll' turns with up to 1.777e+08 rad/s^2, at most 1e+08 "
		 "rad/s^2 are allowed"},
		{HEAD_2D "frame: {roll: {amplitude: -1, frequency: 1, phase: 1, ramp: 1e-300}}\n",
		 "scene.yaml:2:15: 'frame.roll' turns with up to 1.578e+300 rad/s, at most 10000 "
		 "rad/s are allowed"},
		{HEAD_2D "frame: {rol: {amplitude: 1}, motion: [{time: 0, angle: 1}]}\n",
		 "scene.yaml:2:9: unknown key 'rol' in 'frame' (did you mean 'roll'?)"},
		{HEAD_2D "solver: {pressure: multigrid, v_cycles: 0, full_cycles: 0}\n",
		 "scene.yaml:2:9: 'solver.v_cycles' and 'solver.full_cycles' are both 0"},
		{HEAD_2D "output: {particles: {every: 0}}\n",
		 "scene.yaml:2:29: 'output.particles.every' is 0, out of range (allowed: 1 to "
		 "1000000)"},
		{HEAD_2D "output: {fields: {names: []}}\n",
		 "scene.yaml:2:26: 'output.fields.names' is empty (known: velocity, pressure, "
		 "levelset, cells)"},
		{HEAD_2D "output: {fields: {names: [cells, pressure, cells]}}\n",
		 "scene.yaml:2:44: 'output.fields.names' has 'cells' twice"},
		{HEAD_2D "output: {probes: [{point: [0.5, 1.5]}]}\n",
		 "scene.yaml:2:33: 'output.probes.0.point.1' is outside the domain (allowed: 0 to "
		 "1)"},
		{HEAD_2D "output: {probes: [{point: [0.5, 0.5], quantity: height}]}\n",
		 "scene.yaml:2:20: 'output.probes.0.point' does not go with quantity 'height', "
		 "which "
		 "needs 'column'"},
		{HEAD_2D "output: {probes: [{point: [0.5, 0.5], quantity: front}]}\n",
		 "scene.yaml:2:20: 'output.probes.0.point' does not go with quantity 'front'"},
		{HEAD_2D "output: {probes: [{column: [0.5], depth: 0.1}]}\n",
		 "scene.yaml:2:35: 'output.probes.0.depth' goes with quantity 'front' only"},
		{HEAD_2D "output: {probes: [{name: \"\", point: [0.5, 0.5]}]}\n",
		 "scene.yaml:2:26: the name of a probe must not be empty"},
		{HEAD_2D "output: {probes: [{name: time, point: [0.5, 0.5]}]}\n",
		 "scene.yaml:2:26: 'time' is the name of another column of probes.csv"},
		{HEAD_2D
		 "output: {probes: [{name: a, point: [0.5, 0.5]}, {name: a, column: [0.5]}]}\n",
		 "scene.yaml:2:56: 'a' is the name of another column of probes.csv"},
		{HEAD_2D "solids: [{name: a, sphere: {center: [0, 0], radius: 1}}, {name: a, "
			 "sphere: {center: [0, 0], radius: 2}}]\noutput: {forces: true}\n",
		 "scene.yaml:3:18: 'output.forces' needs solids of different names: two are 'a'"},
		{HEAD_2D "output: {forces: 1}\n", "scene.yaml:2:18: 'output.forces'"},
		{HEAD_2D "output: {probes: [{quantity: front, depth: 0}]}\n",
		 "scene.yaml:2:44: 'output.probes.0.depth' is 0, out of range"},
		{HEAD_2D "output: {probes: [{name: a}]}\n",
		 "scene.yaml:2:19: missing key 'point' in 'output.probes.0'"},
		{HEAD_3D "camera: {eye: [1, 1, 1], target: [1, 1, 1]}\n",
		 "scene.yaml:2:9: 'camera.eye' and 'camera.target' are the same point"},
		{HEAD_3D "camera: {eye: [0, 9, 0], target: [0, 0, 0], up: [0, 1, 0]}\n",
		 "scene.yaml:2:9: 'camera.up' must not be zero or along the line of sight"},
	};
	REFUSE_ALL(others);
	struct scene *s = read_good("domain: {size: [1, 1], cells: 28373}\n"
				    "time: {frames: 0}\n");
	assert_int_equal(s->time.frames, 0);
	scene_free(s);
}

static void test_shapes_refused(void **state)
{
	(void)state;
#define SOLID_2D HEAD_2D "solids:\n- "
	static const struct refusal cases[] = {
		{SOLID_2D "{sphere: {center: [0, 0], radius: -1}}\n",
		 "scene.yaml:3:37: 'solids.0.sphere.radius' is -1, out of range (allowed: 1e-06 to "
		 "1000000)"},
		{SOLID_2D "{sphere: {radius: 1}}\n",
		 "scene.yaml:3:12: missing key 'center' in 'solids.0.sphere'"},
		{SOLID_2D "{box: {min: [1, 0], max: [0, 1]}}\n",
		 "scene.yaml:3:9: 'solids.0.box' has min above max"},
		{SOLID_2D "{box: {min: [0, 0], max: [0, 0]}}\n",
		 "scene.yaml:3:9: 'solids.0.box' is empty: min may equal max along one axis only"},
		{HEAD_2D "liquids:\n- {box: {min: [0, 0], max: [1, 0]}}\n",
		 "scene.yaml:3:9: 'liquids.0.box' is empty: min must be below max along every "
		 "axis"},
		{SOLID_2D "{half_space: {point: [0, 0], normal: [0, 0]}}\n",
		 "scene.yaml:3:40: 'solids.0.half_space.normal' has no direction"},
		{HEAD_3D "solids:\n- {cylinder: {a: [1, 1, 1], b: [1, 1, 1], radius: 1}}\n",
		 "scene.yaml:3:14: 'solids.0.cylinder' has no axis"},
		{SOLID_2D "{polygon: {points: []}}\n",
		 "scene.yaml:3:22: 'solids.0.polygon.points' needs at least 3 points"},
		{SOLID_2D "{polygon: {points: [[0, 0], [1, 0], [1]]}}\n",
		 "scene.yaml:3:39: 'solids.0.polygon.points.2' has 1 number, it needs 2 (x and y)"},
		/* Edges, by the points they run between: 0-1 through 2-3; 1-2 through 4-0. */
		{SOLID_2D "{polygon: {points: [[0, 0], [1, 1], [1, 0], [0, 1]]}}\n",
		 "scene.yaml:3:22: 'solids.0.polygon.points' crosses itself: the edge from point 0 "
		 "to 1 and that from 2 to 3 (from 0)"},
		{SOLID_2D "{polygon: {points: [[0, 0], [4, 0], [1, 3], [3, 3], [3, 2]]}}\n",
		 "scene.yaml:3:22: 'solids.0.polygon.points' crosses itself: the edge from point 1 "
		 "to 2 and that from 4 to 0 (from 0)"},
		{SOLID_2D "{polygon: {points: [[0, 0], [1, 1], [2, 2], [2, 0], [1, 1], [0, 2]]}}\n",
		 "scene.yaml:3:22: 'solids.0.polygon.points' crosses itself: the edge from point 1 "
		 "to 2 and that from 4 to 5 (from 0)"},
		{SOLID_2D "{polygon: {points: [[0, 0], [1, 1], [3, 3]]}}\n",
		 "scene.yaml:3:22: 'solids.0.polygon.points' has no area"},
		{SOLID_2D "{polygon: {points: [[1, 1], [1, 1], [1, 1]]}}\n",
		 "scene.yaml:3:22: 'solids.0.polygon.points' has no area"},
		{HEAD_2D "liquids:\n- {polygon: {points: [[0, 0], [1, 0], [0, 0], [1, 0]]}}\n",
		 "scene.yaml:3:22: 'liquids.0.polygon.points' has no area"},
		{SOLID_2D "{union: [{polygon: {points: [[0, 0], [2, 0], [0.1, 0.3]]}}, "
			  "{polygon: {points: [[0, 0], [1, 1], [1, 0], [0, 1]]}}]}\n",
		 "scene.yaml:3:82: 'solids.0.union.1.polygon.points' crosses itself"},
		{HEAD_3D "solids:\n- {polygon: {points: [[0, 0], [1, 0], [1, 1]]}}\n",
		 "scene.yaml:3:13: 'solids.0.polygon' is a shape of 2D scenes only"},
		{SOLID_2D "{union: []}\n",
		 "scene.yaml:3:11: 'solids.0.union' must be a list of shapes"},
		{SOLID_2D "{union: [{}]}\n",
		 "scene.yaml:3:12: 'solids.0.union.0' has no shape (box,"},
		{SOLID_2D "{union: [{slip: free}]}\n", "scene.yaml:3:13: unknown key 'slip'"},
		{SOLID_2D "{name: a}\n", "scene.yaml:3:3: 'solids.0' has no shape (box,"},
		{SOLID_2D
		 "{box: {min: [0, 0], max: [1, 1]}, sphere: {center: [0, 0], radius: 1}}\n",
		 "scene.yaml:3:37: a second shape, 'sphere' beside 'box'"},
		{SOLID_2D "{box: {min: [0, 0], max: [1, 1]}, invert: 1}\n",
		 "scene.yaml:3:45: 'solids.0.invert' must be true or false, not '1'"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		/* An unknown key in a shape also means that there is no shape. */
		struct scene *scene = read_text(cases[i].text);
		assert_null(scene);
		if (strncmp(fixture_messages, cases[i].expected, strlen(cases[i].expected)) != 0)
			fail_msg("expected '%s' for\n%s\nbut got\n%s", cases[i].expected,
				 cases[i].text, fixture_messages);
	}
}

/* Not crossed: concave, clockwise, a star, a spiral, one that touches itself at a point. */
static void test_outlines(void **state)
{
	(void)state;
	static const char *const outlines[] = {
		"[0, 0], [1, 0], [1, 1], [0.5, 0.1], [0, 1]",
		"[0, 0], [0, 1], [1, 1], [1, 0]",
		"[0, 3], [1, 1], [3, 0], [1, -1], [0, -3], [-1, -1], [-3, 0], [-1, 1]",
		"[0, 0], [4, 0], [4, 4], [1, 4], [1, 2], [2, 2], [2, 3], [3, 3], [3, 1], [0, 1]",
		"[0, 0], [1, 0], [0.5, 0.5], [1, 1], [0, 1], [0.5, 0.5]",
		"[0, 0], [1, 0], [1, 1e-4]",
		"[1000, 1000], [1001, 1000], [1000.5, 1000.1]",
	};
	for (size_t i = 0; i < sizeof(outlines) / sizeof(*outlines); i++) {
		char text[400];
		snprintf(text, sizeof(text), SOLID_2D "{polygon: {points: [%s]}}\n", outlines[i]);
		scene_free(read_good(text));
	}
}

/* A shape program may hold 16 values at once, not 17; wide lists hold only two. */
static void test_shape_stack(void **state)
{
	(void)state;
	for (int depth = 15; depth <= 17; depth++) {
		static const char ball[] = "{sphere: {center: [0, 0], radius: 1}}";
		char text[4096] = HEAD_2D "solids:\n- ";
		for (int i = 1; i < depth; i++) {
			strcat(text, "{union: [");
			strcat(text, ball);
			strcat(text, ", ");
		}
		strcat(text, ball);
		for (int i = 1; i < depth; i++)
			strcat(text, "]}");
		strcat(text, "\n");
		struct scene *s = read_text(text);
		assert_true((s != NULL) == (depth <= 16));
		if (!s)
			assert_message(text, "is combined too deeply (at most 16 shapes may wait)");
		scene_free(s);
	}
	static char wide[100000] = HEAD_2D "solids:\n- union: [";
	size_t used = strlen(wide);
	for (int i = 0; i < 1000; i++)
		used += (size_t)sprintf(wide + used, "%s{sphere: {center: [%d, 0], radius: 1}}",
					i ? ", " : "", i);
	strcat(wide, "]\n");
	struct scene *s = read_good(wide);
	assert_int_equal(s->solids[0].shape.op_count, 1999);
	scene_free(s);
}

/* Keys of particles that need each other, or are not read. */
static void test_neighbours(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{HEAD_2D "liquid: {vortex_boost: 0.5}\n",
		 "scene.yaml:2:24: 'liquid.vortex_boost' is a part of the stiff kernel: it needs "
		 "'liquid.kernel: stiff'"},
		{HEAD_2D "liquid: {kernel: stiff, vortex_boost: 1.5}\n",
		 "scene.yaml:2:39: 'liquid.vortex_boost' is 1.5, out of range (allowed: 0 to 1)"},
		{HEAD_2D "liquid: {kernel: stiff, transfer: apic}\n",
		 "scene.yaml:2:18: 'liquid.kernel: stiff' has no affine velocities: a 'transfer' is "
		 "'apic' (allowed: flip, pic)"},
		{HEAD_2D "liquid: {kernel: stiff}\nliquids:\n"
			 "- {box: {min: [0, 0], max: [1, 1]}, transfer: apic}\n",
		 "scene.yaml:2:18: 'liquid.kernel: stiff' has no affine velocities: a 'transfer' is "
		 "'apic' (allowed: flip, pic)"},
		{HEAD_2D "solver: {resample: true}\n",
		 "scene.yaml:2:20: 'solver.resample' is of particles that 'solver.drift' has moved "
		 "by those around: it needs 'push' or 'springs'"},
		{HEAD_2D "solver: {drift: push, push_distance: 3}\n",
		 "scene.yaml:2:38: 'solver.push_distance' is 3, out of range (allowed: 0.1 to 2)"},
	};
	REFUSE_ALL(cases);
	scene_free(read_good(HEAD_2D "solver: {push_distance: 0.5}\n"));
	assert_message("push", "scene.yaml:2:25: 'solver.push_distance' changes nothing: "
			       "'solver.drift' is 'position' ('push' reads it)");
	scene_free(read_good(HEAD_2D "solver: {density_stiffness: 2, spring_stiffness: 2}\n"));
	assert_int_equal(fixture_warning_count, 2);
	scene_free(read_good(HEAD_2D
			     "solver: {drift: springs, density_stiffness: 2, "
			     "resample: true}\nliquid: {kernel: stiff, vortex_boost: 1}\n"));
	assert_int_equal(fixture_warning_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),	   cmocka_unit_test(test_shapes_refused),
		cmocka_unit_test(test_outlines),   cmocka_unit_test(test_shape_stack),
		cmocka_unit_test(test_neighbours),
	};
	return cmocka_run_group_tests_name("scene ranges", tests, fixture_enter, fixture_leave);
}
