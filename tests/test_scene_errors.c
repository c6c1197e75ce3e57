/* The scene reader: what it refuses, with what words, at which line and column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scene_fixture.h"

static void test_unknown_keys(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{HEAD_2D "gravty: [0, -1]\n",
		 "scene.yaml:2:1: unknown key 'gravty' at the top level (did you mean 'gravity'?)"},
		{HEAD_2D "Gravity: [0, -1]\n", "scene.yaml:2:1: unknown key 'Gravity' at the top "
					       "level (did you mean 'gravity'?)"},
		{HEAD_2D "time:\n  fsp: 3\n",
		 "scene.yaml:3:3: unknown key 'fsp' in 'time' (did you mean 'fps'?)"},
		{HEAD_2D "liquid: {tolerance: 1}\n",
		 "scene.yaml:2:10: unknown key 'tolerance' in 'liquid' (it belongs in 'solver')"},
		{HEAD_2D "time: {gravity: [0, 0]}\n",
		 "scene.yaml:2:8: unknown key 'gravity' in 'time' (it belongs at the top level)"},
		{HEAD_2D "time: {zzzzzzz: 1}\n", "scene.yaml:2:8: unknown key 'zzzzzzz' in 'time' "
						 "(known: frames, fps, cfl, max_dt, "
						 "dt)"},
		{HEAD_2D "liquids:\n- {box: {min: [0, 0], max: [1, 1], radius: 1}}\n",
		 "scene.yaml:3:36: unknown key 'radius' in 'liquids.0.box' (it belongs in 'sphere' "
		 "or in "
		 "'capsule' or 'cylinder')"},
		{HEAD_2D "time: {fps: 24, frames: 1, fps: 25}\n",
		 "scene.yaml:2:28: duplicate key 'fps' in 'time' (first at 2:8)"},
		{HEAD_2D "name: a\nname: b\n",
		 "scene.yaml:3:1: duplicate key 'name' (first at 2:1)"},
		{"time: {}\n", "scene.yaml:1:1: missing key 'domain'"},
		{"domain: {cells: 8}\n", "scene.yaml:1:9: missing key 'size' in 'domain'"},
		{"domain: {size: [1, 1]}\n",
		 "scene.yaml:1:9: missing key 'cells' (or 'cell_size') in 'domain'"},
		{"domain: {size: [1, 1], cells: 8, cell_size: 1}\n",
		 "scene.yaml:1:34: give 'cells' or 'cell_size', not both"},
		{"domain: {size: [1, 1], cells: 8, walls: {z-: open}}\n",
		 "scene.yaml:1:42: 'domain.walls.z-' has no meaning in a 2D scene"},
		{HEAD_2D "camera: {fov: 30}\n",
		 "scene.yaml:2:1: 'camera' has no meaning in a 2D scene"},
	};
	REFUSE_ALL(cases);
}

static void test_types(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{"domain: {size: [1, 1], cells: \"64\"}\n",
		 "scene.yaml:1:31: 'domain.cells' must be a number, not the quoted text \"64\" "
		 "(leave "
		 "the quotes out)"},
		{"domain: {size: [1, 1], cells: 64.5}\n",
		 "scene.yaml:1:31: 'domain.cells' must be a whole number, not '64.5'"},
		{"domain: {size: [1, 1], cells: true}\n",
		 "scene.yaml:1:31: 'domain.cells' must be a number, not 'true'"},
		{"domain: {size: [1], cells: 8}\n", "scene.yaml:1:16: 'domain.size' must be a list "
						    "of 2 numbers (2D) or 3 (3D), not of "
						    "another length"},
		{"domain: {size: 1, cells: 8}\n", "scene.yaml:1:16: 'domain.size' must be a list "
						  "of 2 numbers (2D) or 3 (3D), not '1'"},
		{"domain: {size: [1, 1], cells: [8, 8, 8]}\n",
		 "scene.yaml:1:31: 'domain.cells' has 3 numbers, it needs 2 (2D scene)"},
		{"- a\n", "scene.yaml:1:1: a scene must be a mapping, not a list"},
		{HEAD_2D "time: 3\n", "scene.yaml:2:7: 'time' must be a mapping, not '3'"},
		{HEAD_2D "output: {png: }\n",
		 "scene.yaml:2:15: 'output.png' must be a mapping, not empty (write {} for the "
		 "defaults)"},
		{HEAD_2D "output: {png: {ranges: {speed: [3, 1]}}}\n",
		 "scene.yaml:2:32: 'output.png.ranges.speed' must go from the least to the "
		 "greatest "
		 "value"},
		{HEAD_2D "output: {png: {ranges: {levelset: [-1, 2]}}}\n",
		 "scene.yaml:2:35: 'output.png.ranges.levelset' must be symmetric, as in [-0.5, "
		 "0.5]: "
		 "its colours change at the surface"},
		{HEAD_2D "liquids:\n",
		 "scene.yaml:2:9: 'liquids' must be a list, not empty (write [] "
		 "for an empty one)"},
		{HEAD_2D "gravity: -9.81\n",
		 "scene.yaml:2:10: 'gravity' must be a list of 2 numbers, not '-9.81'"},
		{HEAD_3D "gravity: [0, -9.81]\n",
		 "scene.yaml:2:10: 'gravity' has 2 numbers, it needs 3 (3D scene)"},
		{HEAD_2D "time: {fps: 0x10}\n",
		 "scene.yaml:2:13: 'time.fps' must be a number, not '0x10'"},
		{HEAD_2D "time:\n  fps: 24,5\n", "scene.yaml:3:8: 'time.fps' must be a number, not "
						 "'24,5' (the decimal mark is a point)"},
		{HEAD_2D "solver: {separation: 1}\n",
		 "scene.yaml:2:22: 'solver.separation' must be true or false, not '1'"},
		{HEAD_2D "solver: {pressure: mgpgc}\n",
		 "scene.yaml:2:20: 'solver.pressure' must be one of mgpcg, multigrid, cg, jacobi, "
		 "gauss-seidel, pcg-ic, not 'mgpgc' (did you mean 'mgpcg'?)"},
		{HEAD_2D "name: [a]\n", "scene.yaml:2:7: 'name' must be a text, not a list"},
		{HEAD_2D "name: \"a\\nb\"\n",
		 "scene.yaml:2:7: 'name' must be a text without control characters, not the quoted "
		 "text \"a?b\""},
		{HEAD_2D "liquids:\n- {box: {min: [0, 0], max: [1, 1]}, color: 300}\n",
		 "scene.yaml:3:44: 'liquids.0.color' must be a colour like \"#2b7fff\", not '300'"},
		{HEAD_2D
		 "liquids:\n- {box: {min: [0, 0], max: [1, 1]}, angular_velocity: [0, 0, 1]}\n",
		 "scene.yaml:3:55: 'liquids.0.angular_velocity' must be a number, not a list"},
		{HEAD_3D
		 "liquids:\n- {box: {min: [0, 0, 0], max: [1, 1, 1]}, angular_velocity: 1}\n",
		 "scene.yaml:3:61: 'liquids.0.angular_velocity' must be a list of 3 numbers, not "
		 "'1'"},
	};
	REFUSE_ALL(cases);
}

static void test_names(void **state)
{
	(void)state;
	static const char box[] = "box: {min: [0, 0], max: [1, 1]}}\n";
	char text[400];
	snprintf(text, sizeof(text), HEAD_2D "liquids:\n- {name: a, %s- {name: b, %s- {name: a, %s",
		 box, box, box);
	assert_refused(text, "scene.yaml:5:10: 'liquids.2' is called 'a' as 'liquids.0' is");
	snprintf(text, sizeof(text), HEAD_2D "liquids:\n- {name: liquid 1, %s- {%s", box, box);
	assert_refused(text, "scene.yaml:4:3: 'liquids.1' is called 'liquid 1' as 'liquids.0' is");
}

/* Settings of another solver than the scene's are told, unless they are the defaults. */
static void test_unused_keys(void **state)
{
	(void)state;
	scene_free(read_good(HEAD_2D "solver: {pressure: cg, sweeps: 4}\n"));
	assert_message("sweeps",
		       "scene.yaml:2:32: 'solver.sweeps' changes nothing: the solver is 'cg', "
		       "which does not read it ('mgpcg' and 'multigrid' do)");
	scene_free(read_good(HEAD_2D "solver: {over_relaxation: 1.5, v_cycles: 2}\n"));
	assert_int_equal(fixture_warning_count, 2);
	scene_free(read_good(HEAD_2D "solver: {pressure: jacobi, sweeps: 2, v_cycles: 4, "
				     "over_relaxation: 1.9}\n"));
	scene_free(read_good(HEAD_2D "solver: {pressure: multigrid, sweeps: 3, v_cycles: 2}\n"));
	assert_int_equal(fixture_warning_count, 0);
}

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
		{"time", "cfl", "0", "is 0, out of range (allowed: 0.01 to 4)"},
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
		 "scene.yaml:1:16: the grid would have 805140625 lattice points, more than 32-bit "
		 "indices reach"},
		/* 3 components, 8/7 for coarse levels: (852 + 4)^3 * 24/7 > 2^31 - 1. */
		{"domain: {size: [1, 1, 1], cells: 852}\n",
		 "scene.yaml:1:16: the grid would have 620650477 lattice points, more than 32-bit "
		 "indices reach"},
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

static void test_not_supported_yet(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{HEAD_2D "inflows: []\n", "scene.yaml:2:1: 'inflows' is not supported yet"},
		{HEAD_2D "outflows: []\n", "scene.yaml:2:1: 'outflows' is not supported yet"},
		{HEAD_2D "solids:\n- {sphere: {center: [0, 0], radius: 1}, motion: []}\n",
		 "scene.yaml:3:41: 'solids.0.motion' is not supported yet"},
		{HEAD_2D "solids:\n- {mesh: {file: a.obj}}\n",
		 "scene.yaml:3:4: 'solids.0.mesh' is not supported yet"},
		{HEAD_2D "output: {surface: {resolution: 3}}\n",
		 "scene.yaml:2:32: 'output.surface.resolution' is 3, out of range"},
		{HEAD_2D "liquids:\n- {box: {min: [0, 0], max: [1, 1]}, density: 800}\n",
		 "scene.yaml:3:46: 'liquids.0.density' differs from 'liquid.density': liquids that "
		 "differ in it are not supported yet"},
		{HEAD_2D "liquids:\n- {box: {min: [0, 0], max: [1, 1]}, transfer: pic}\n",
		 "scene.yaml:3:47: 'liquids.0.transfer' differs from 'liquid.transfer'"},
	};
	REFUSE_ALL(cases);
}

static void test_bad_files(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{"empty.yaml", ":1:1: empty, nothing to read"},
		{"comment_only.yaml", ":1:1: empty, nothing to read"},
		{"byte_order_mark.yaml", ":1:1: the file starts with a byte order mark"},
		{"utf16.yaml", ":1:1: UTF-16 text: save it as UTF-8"},
		{"latin1.yaml", ":2:11: not UTF-8 text"},
		{"nul_byte.yaml", ":2:3: a NUL byte"},
		{"tab_indent.yaml", ":2:1: not valid YAML: a tab cannot indent YAML, use spaces"},
		{"trailing_comma.json", ":2:15: a comma with nothing after it"},
		{"anchor.yaml", ":1:16: anchors (&name) are not supported"},
		{"alias.yaml", ":2:7: aliases (*name) are not supported"},
		{"tag.yaml", ":1:16: tags (!type) are not supported"},
		{"two_documents.yaml", ":2:1: a second document"},
		{"open_bracket.yaml", ":2:1: not valid YAML: did not find expected ',' or ']'"},
		{"complex_key.yaml", ":1:3: a key must be a plain name"},
		{"decimal_comma.yaml", ":3:11: 'time.max_dt' must be a number, not '0,5'"},
		{"missing.yaml", ": cannot be opened (No such file or directory)"},
		{"", ": is a directory, not a file"},
	};
	const char *source = getenv("FRESHET_SOURCE");
	assert_non_null(source);
	char path[1024], expected[1200];
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(path, sizeof(path), "%s/tests/scenes/%s", source, cases[i].text);
		snprintf(expected, sizeof(expected), "%s%s", path, cases[i].expected);
		assert_null(read_file(path, NULL, 0));
		assert_message(path, expected);
		assert_int_equal(fixture_message_count, 1);
	}
	/* All errors of a file, in one go. */
	snprintf(path, sizeof(path), "%s/tests/scenes/many_errors.yaml", source);
	assert_null(read_file(path, NULL, 0));
	assert_int_equal(fixture_message_count, 9);
	static const char *const places[] = {":3:1: ",	":4:13: ", ":4:16: ", ":5:19: ", ":5:26: ",
					     ":7:23: ", ":7:42: ", ":8:5: ",  ":9:20: "};
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		assert_message(path, places[i]);
	/* Tabs between JSON tokens are no indentation. */
	snprintf(path, sizeof(path), "%s/tests/scenes/tab_in_json.json", source);
	struct scene *s = read_file(path, NULL, 0);
	assert_non_null(s);
	assert_string_equal(s->name, "tab_in_json");
	scene_free(s);
}

static void test_huge_files(void **state)
{
	(void)state;
	const size_t length = 5u << 20;
	char *text = malloc(length);
	assert_non_null(text);
	memset(text, '[', 1000000);
	assert_null(read_bytes(text, 1000000, NULL, 0));
	assert_message("1 MB of [", "scene.yaml:1:65: nested too deeply (at most 64 levels)");
	memset(text, '#', length);
	assert_null(read_bytes(text, length, NULL, 0));
	assert_message("5 MiB", "scene.yaml: is too large (5242880 bytes, at most 4194304)");
	size_t used = (size_t)sprintf(text, HEAD_2D "solids: [");
	for (int i = 0; i < 100000; i++)
		used += (size_t)sprintf(text + used, "1, ");
	used += (size_t)sprintf(text + used, "1]\n");
	assert_null(read_bytes(text, used, NULL, 0));
	assert_message("100 001 errors", "scene.yaml:2:10: 'solids.0' must be a mapping, not '1'");
	assert_message("100 001 errors", "scene.yaml: more errors, not shown");
	assert_true(fixture_message_count < 100);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unknown_keys), cmocka_unit_test(test_types),
		cmocka_unit_test(test_names),	     cmocka_unit_test(test_unused_keys),
		cmocka_unit_test(test_ranges),	     cmocka_unit_test(test_shapes_refused),
		cmocka_unit_test(test_shape_stack),  cmocka_unit_test(test_not_supported_yet),
		cmocka_unit_test(test_bad_files),    cmocka_unit_test(test_huge_files),
	};
	return cmocka_run_group_tests_name("scene errors", tests, fixture_enter, fixture_leave);
}
