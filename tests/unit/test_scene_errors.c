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
		{HEAD_2D "liquid:\n- {box: {min: [0, 0], max: [1, 1]}}\n",
		 "scene.yaml:3:1: 'liquid' must be a mapping, not a list (that is called "
		 "'liquids')"},
		{HEAD_2D "output: {png: }\n",
		 "scene.yaml:2:15: 'output.png' must be a mapping, not empty (write {} for the "
		 "defaults)"},
		{HEAD_3D "output: {png: {view: speed, scale_bar: true}}\n",
		 "scene.yaml:2:40: 'output.png.scale_bar' does not go with view 'speed' in 3D"},
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
		/* A comment where a value should be, with what the parser then misses behind it. */
		{HEAD_2D "liquids:\n- {color: #ff8800, box: {min: [0, 0], max: [1, 1]}}\n",
		 "scene.yaml:3:11: not valid YAML: no value: without quotes # starts a comment"},
		{HEAD_2D "liquids:\n- {name: \"a: #\", color: #ff8800,\n   box: {min: [0, 0]]\n",
		 "scene.yaml:3:25: not valid YAML: no value: without quotes # starts a comment"},
		{HEAD_2D "liquids:\n- {name: a, # one\n  box: ]}\n",
		 "scene.yaml:4:8: not valid YAML: did not find expected"},
		{HEAD_2D "liquids: # fast: # 5\n- {box: {min: [0, 0}, max: [1, 1]}}\n",
		 "scene.yaml:3:20: not valid YAML: did not find expected"},
		{HEAD_2D "liquids:\n- {box: # the left one\n   {min: [0, 0]]\n",
		 "scene.yaml:4:16: not valid YAML: did not find expected"},
		{HEAD_2D "liquids:\n- {name: 'a: #b', box: ]}\n",
		 "scene.yaml:3:24: not valid YAML: did not find expected"},
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

#define WATER "liquids: [{name: water}]\n"
#define INFLOW(more) HEAD_2D WATER "inflows:\n- {" more "}\n"

static void test_inflows(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{HEAD_2D "inflows: [{wall: x-, velocity: [1, 0]}]\n",
		 "scene.yaml:2:11: an inflow needs a liquid: list it in 'liquids'"},
		{HEAD_2D WATER, "scene.yaml:2:11: 'liquids.0' has no shape"},
		{INFLOW("velocity: [1, 0]"), "scene.yaml:4:3: missing key 'wall' in 'inflows.0'"},
		{INFLOW("wall: x-"), "scene.yaml:4:3: missing key 'velocity' in 'inflows.0'"},
		{INFLOW("wall: left, velocity: [1, 0]"),
		 "scene.yaml:4:10: 'inflows.0.wall' must be one of x-, x+"},
		{INFLOW("wall: z-, velocity: [1, 0]"),
		 "scene.yaml:4:10: 'inflows.0.wall: z-' has no meaning in a 2D scene"},
		{INFLOW("wall: x+, velocity: [1, 0]"),
		 "scene.yaml:4:24: inflow 'inflow 0' goes into the box with a velocity, across its "
		 "wall, of -1 (more than 0 m/s)"},
		{INFLOW("wall: x-, box: {min: [0, 0.5], max: [0, 0.55]}, velocity: [1, 0]"),
		 "scene.yaml:4:3: inflow 'inflow 0' has a width, in the box, of 0.4 (of cells "
		 "along y: at least 1)"},
		{INFLOW("wall: x-, box: {min: [0, 2], max: [0, 3]}, velocity: [1, 0]"),
		 "scene.yaml:4:3: inflow 'inflow 0' has a width, in the box, of 0 (of cells"},
		{INFLOW("wall: x-, velocity: [1, 0], start: 2, stop: 1"),
		 "scene.yaml:4:48: inflow 'inflow 0' stops at 1 (after its start)"},
		{INFLOW("wall: x-, velocity: [1, 0], liquid: oil"),
		 "scene.yaml:4:40: 'inflows.0.liquid' names no entry of 'liquids': 'oil'"},
		{INFLOW("wall: x-, velocity: [1, 0]}\n- {wall: x-, velocity: [2, 0]"),
		 "scene.yaml:5:3: inflows 'inflow 0' and 'inflow 1' share cells of their wall"},
		{INFLOW("wall: x-, velocity: [1, 0], stop: 0"),
		 "scene.yaml:4:38: inflow 'inflow 0' stops at 0 (after its start)"},
		/* Apart in metres, but not in cells. */
		{INFLOW("wall: x-, box: {min: [0, 0], max: [0, 0.4]}, velocity: [1, 0]}\n- "
			"{wall: x-, box: {min: [0, 0.4], max: [0, 1]}, velocity: [2, 0]"),
		 "scene.yaml:5:3: inflows 'inflow 0' and 'inflow 1' share cells of their wall"},
		{HEAD_2D WATER "inflows: []\n", "scene.yaml:2:11: 'liquids.0' has no shape"},
		{HEAD_2D
		 "liquids: [{name: a}, {name: b}]\ninflows:\n- {wall: x-, velocity: [1, 0]}\n",
		 "scene.yaml:2:22: 'liquids.1' has no shape, and no inflow, outflow or emitter brings it"},
		{"domain: {size: [1, 1], cells: 8, walls: {x-: open}}\n" WATER
		 "inflows: [{wall: x-, velocity: [1, 0]}]\n",
		 "scene.yaml:3:18: 'inflows.0.wall: x-' is an open wall"},
	};
	REFUSE_ALL(cases);
}

#define MOTION(text) HEAD_2D "solids:\n- {sphere: {center: [0, 0], radius: 1}, " text "}\n"

static void test_solid_motion(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{MOTION("motion: [{translate: [1, 0]}]"),
		 "scene.yaml:3:50: missing key 'time' in 'solids.0.motion.0'"},
		{MOTION("motion: [{time: 1}, {time: 1}]"),
		 "scene.yaml:3:68: the times of 'solids.0.motion' must increase: 1 does not follow 1"},
		{MOTION("motion: [{time: 0}, {time: 1, rotate: 2e4}]"),
		 "scene.yaml:3:61: 'solids.0.motion.1' comes 1 s after the entry before it, too soon "
		 "for how far it is from there: at most 10000 m/s and rad/s"},
		{MOTION("axis: [0, 1], motion: [{time: 0}]"),
		 "scene.yaml:3:41: 'solids.0.axis' has no meaning in a 2D scene, where solids turn in "
		 "its plane"},
		{MOTION("center: [0, 1]"),
		 "scene.yaml:3:41: 'center' has no meaning without 'solids.0.motion'"},
	};
	REFUSE_ALL(cases);
}

#define RUBS(text) "domain: {size: [2, 1], cells: 20, " text "}\n"

static void test_wall_laws(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{RUBS("wall_law: rough"),
		 "scene.yaml:1:45: 'domain.wall_law' must be none, smooth or {roughness: METRES}, not"},
		{RUBS("wall_law: {}"),
		 "scene.yaml:1:45: missing key 'roughness' in 'domain.wall_law'"},
		{RUBS("wall_law: {roughness: 0.01, grain: 1}"),
		 "scene.yaml:1:63: unknown key 'grain' in 'domain.wall_law'"},
		{RUBS("wall_law: {roughness: 0.2}"),
		 "scene.yaml:1:57: 'domain.wall_law.roughness' is 0.2 m, more than a cell of 0.1 m"},
		{RUBS("side_walls: 0.5"),
		 "scene.yaml:1:35: 'domain.side_walls' needs 'domain.wall_law'"},
		{RUBS("wall_law: {roughness: 0.1}, side_walls: 0.1"),
		 "scene.yaml:1:75: 'domain.side_walls' is 0.1 m, less than twice the roughness"},
		{"domain: {size: [1, 1, 1], cells: 10, wall_law: smooth, side_walls: 1}\n",
		 "scene.yaml:1:56: 'domain.side_walls' has no meaning in a 3D scene"},
		{RUBS("wall_law: smooth") "liquid: {viscosity: -1}\n",
		 "scene.yaml:2:21: 'liquid.viscosity' is -1, out of range"},
		{RUBS("wall_law: smooth") "solids:\n- {sphere: {center: [1, 1], radius: 1}, "
					  "wall_law: {roughness: 1}}\n",
		 "scene.yaml:3:63: 'solids.0.wall_law.roughness' is 1 m, more than a cell"},
	};
	REFUSE_ALL(cases);
}

#define FORCE(text) HEAD_2D "forces:\n- {" text "}\n"

static void test_forces(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{FORCE("name: a"), "scene.yaml:3:3: 'forces.0' has no field (one of point, vortex, "
				   "wind, drag, custom, vorticity)"},
		{FORCE("gale: {velocity: [1, 0]}"),
		 "scene.yaml:3:4: unknown key 'gale' in 'forces.0'"},
		{FORCE("drag: {rate: 1}, wind: {velocity: [1, 0]}"),
		 "scene.yaml:3:21: 'forces.0' is a 'drag' already: give 'wind' an entry of its own"},
		{FORCE("wind: {}"), "scene.yaml:3:10: missing key 'velocity' in 'forces.0.wind'"},
		{FORCE("point: {power: 1}"),
		 "scene.yaml:3:11: missing key 'strength' in 'forces.0.point'"},
		{FORCE("drag: {rate: -1}"),
		 "scene.yaml:3:17: 'forces.0.drag.rate' is -1, out of range (allowed: 0 to 1000000)"},
		{FORCE("wind: {velocity: [1, 0], drag: -0.1}"),
		 "scene.yaml:3:35: 'forces.0.wind.drag' is -0.1, out of range (allowed: 0 to 1000)"},
		{FORCE("wind: {velocity: [1, 0, 0]}"),
		 "scene.yaml:3:21: 'forces.0.wind.velocity' has 3 numbers, it needs 2 (2D scene)"},
		{FORCE("point: {strength: 1, power: 1.3}"),
		 "scene.yaml:3:32: 'forces.0.point.power' must be a multiple of 0.5, not 1.3"},
		{FORCE("point: {strength: 1, power: 5}"),
		 "scene.yaml:3:32: 'forces.0.point.power' is 5, out of range (allowed: -1 to 4)"},
		{FORCE("point: {strength: 1e9, power: 4, core: 1e-3}"),
		 "scene.yaml:3:11: 'forces.0.point' is too strong at its core"},
		{FORCE("vortex: {strength: 1, axis: [0, 1]}"),
		 "scene.yaml:3:26: 'forces.0.vortex.axis' has no meaning in a 2D scene"},
		{HEAD_3D "forces:\n- {vortex: {strength: 1, axis: [0, 0, 0]}}\n",
		 "scene.yaml:3:32: 'forces.0.vortex.axis' must be longer than 1e-9"},
		{FORCE("custom: 3"),
		 "scene.yaml:3:12: 'forces.0.custom' must be a list of 2 numbers, not '3'"},
		{FORCE("custom: [{time: 0}]"),
		 "scene.yaml:3:13: missing key 'acceleration' in 'forces.0.custom.0'"},
		{FORCE("custom: [{time: 1, acceleration: [0, 0]}, {time: 1, acceleration: [0, 1]}]"),
		 "scene.yaml:3:53: the times of 'forces.0.custom' must increase: 1 does not follow "
		 "1"},
		{FORCE("custom: [1, 0], time: []"),
		 "scene.yaml:3:26: 'forces.0.time' is empty (it needs an entry with a time)"},
		{FORCE("custom: [1, 0], time: [{factor: 1}]"),
		 "scene.yaml:3:27: missing key 'time' in 'forces.0.time.0'"},
		{FORCE("drag: {rate: 1}, time: [{time: 0, factor: -1}]"),
		 "scene.yaml:3:28: 'forces.0.time.0' has the factor -1: that of 'drag' must be at "
		 "least 0"},
		{FORCE("custom: [1, 0], falloff: 1"),
		 "scene.yaml:3:29: 'forces.0.falloff' needs a shape, outside which the field "
		 "fades"},
	};
	REFUSE_ALL(cases);
}

#define OUTFLOW(more) HEAD_2D WATER "outflows:\n- {" more "}\n"

static void test_outflows(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{HEAD_2D "outflows: [{wall: x-, pressure: 1}]\n",
		 "scene.yaml:2:12: an outflow needs a liquid: list it in 'liquids'"},
		{OUTFLOW("pressure: 1"), "scene.yaml:4:3: missing key 'wall' in 'outflows.0'"},
		{OUTFLOW("wall: x-"),
		 "scene.yaml:4:3: 'outflows.0' must have one of 'pressure', 'hydrostatic' and "
		 "'velocity', and has 0 of them"},
		{OUTFLOW("wall: x-, pressure: 1, velocity: 1"),
		 "scene.yaml:4:3: 'outflows.0' must have one of 'pressure', 'hydrostatic' and "
		 "'velocity', and has 2 of them"},
		{OUTFLOW("wall: x-, velocity: 0"),
		 "scene.yaml:4:24: outflow 'outflow 0' takes liquid out with a speed of 0 (more "
		 "than 0 m/s)"},
		{OUTFLOW("wall: x-, velocity: [1, 0]"), "scene.yaml:4:24: "},
		{OUTFLOW("wall: x-, pressure: 1e10"),
		 "scene.yaml:4:24: 'outflows.0.pressure' is 1e10, out of range"},
		{OUTFLOW("wall: z-, pressure: 1"),
		 "scene.yaml:4:10: 'outflows.0.wall: z-' has no meaning in a 2D scene"},
		{OUTFLOW("wall: x-, pressure: 1, box: {min: [0, 0], max: [0, 0.01]}"),
		 "scene.yaml:4:3: outflow 'outflow 0' has a width, in the box, of "},
		{OUTFLOW("wall: x-, pressure: 1, liquid: oil"),
		 "scene.yaml:4:35: 'outflows.0.liquid' names no entry of 'liquids': 'oil'"},
		{OUTFLOW("wall: x-, pressure: 1}\n- {wall: x-, velocity: 1"),
		 "scene.yaml:5:3: outflows 'outflow 0' and 'outflow 1' share cells of their wall"},
		{INFLOW("wall: x-, velocity: [1, 0]}\noutflows:\n- {wall: x-, pressure: 0"),
		 "scene.yaml:6:3: inflow 'inflow 0' and outflow 'outflow 0' share cells of their "
		 "wall"},
	};
	REFUSE_ALL(cases);
}

static void test_points(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{HEAD_2D "liquids:\n- {points: {}}\n",
		 "scene.yaml:3:12: missing key 'file' in 'liquids.0.points'"},
		{HEAD_2D "liquids:\n- {points: {file: a.xyz}}\n",
		 "scene.yaml:3:19: 'liquids.0.points.file' must end in .vtkhdf, .ply or .geo"},
		{HEAD_2D "liquids:\n- {points: {file: a.ply, hash: 12}}\n",
		 "scene.yaml:3:32: 'liquids.0.points.hash' must be 16 hexadecimal digits"},
		{HEAD_2D "liquids:\n- {points: {file: a.ply, scale: 2}}\n",
		 "scene.yaml:3:26: unknown key 'scale' in 'liquids.0.points'"},
		{HEAD_2D
		 "liquids:\n- {points: {file: a.ply}, sphere: {center: [0, 0], radius: 1}}\n",
		 "scene.yaml:3:12: 'liquids.0.points' stands beside a shape"},
	};
	REFUSE_ALL(cases);
}

static void test_emitters(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{HEAD_2D "emitters: [{sphere: {center: [0, 0], radius: 1}}]\n",
		 "scene.yaml:2:12: an emitter needs a liquid: list it in 'liquids'"},
		{HEAD_2D WATER "emitters:\n- {fill: true}\n", "scene.yaml:4:3: "},
		{HEAD_2D WATER "emitters:\n- {sphere: {center: [0, 0], radius: 1}, at: -1}\n",
		 "scene.yaml:4:45: 'emitters.0.at' is -1, out of range"},
		{HEAD_2D WATER "emitters:\n- {sphere: {center: [0, 0], radius: 1}, rate: 1}\n",
		 "scene.yaml:4:41: unknown key 'rate' in 'emitters.0'"},
		{HEAD_2D WATER "emitters:\n- {sphere: {center: [0, 0], radius: 1}, liquid: oil}\n",
		 "scene.yaml:4:49: 'emitters.0.liquid' names no entry of 'liquids': 'oil'"},
	};
	REFUSE_ALL(cases);
}

static void test_drains(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{HEAD_2D "drains:\n- {rate: 1}\n", "scene.yaml:3:3: "},
		{HEAD_2D "drains:\n- {sphere: {center: [0, 0], radius: 1}, rate: 0}\n",
		 "scene.yaml:3:47: 'drains.0.rate' must be more than 0"},
		{HEAD_2D "drains:\n- {sphere: {center: [0, 0], radius: 1}, rate: -1}\n",
		 "scene.yaml:3:47: 'drains.0.rate' is -1, out of range (allowed: 0 to"},
		{HEAD_2D "drains:\n- {sphere: {center: [0, 0], radius: 1}, wall: x-}\n",
		 "scene.yaml:3:41: unknown key 'wall' in 'drains.0'"},
	};
	REFUSE_ALL(cases);
}

static void test_not_supported_yet(void **state)
{
	(void)state;
	static const struct refusal cases[] = {
		{HEAD_2D "solids:\n- {sphere: {center: [0, 0], radius: 1}, motion: []}\n",
		 "scene.yaml:3:49: 'solids.0.motion' is empty (it needs an entry with a time)"},
		{HEAD_2D "output: {surface: {resolution: 3}}\n",
		 "scene.yaml:2:32: 'output.surface.resolution' is 3, out of range"},
		{HEAD_2D "liquids:\n- {box: {min: [0, 0], max: [1, 1]}, density: 800}\n",
		 "scene.yaml:3:46: 'liquids.0.density' differs from 'liquid.density': liquids that "
		 "differ in it are not supported yet"},
		{HEAD_2D "liquids:\n- {box: {min: [0, 0], max: [1, 1]}, transfer: lbm}\n",
		 "scene.yaml:3:47: 'liquids.0.transfer' must be one of flip, pic, apic"},
		{HEAD_2D "liquids:\n- {box: {min: [0, 0], max: [1, 1]}, particles_per_cell: 9}\n",
		 "scene.yaml:3:57: 'liquids.0.particles_per_cell' differs from"},
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
		cmocka_unit_test(test_unknown_keys),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_unused_keys),
		cmocka_unit_test(test_inflows),
		cmocka_unit_test(test_solid_motion),
		cmocka_unit_test(test_forces),
		cmocka_unit_test(test_wall_laws),
		cmocka_unit_test(test_outflows),
		cmocka_unit_test(test_emitters),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_drains),
		cmocka_unit_test(test_not_supported_yet),
		cmocka_unit_test(test_bad_files),
		cmocka_unit_test(test_huge_files),
	};
	return cmocka_run_group_tests_name("scene errors", tests, fixture_enter, fixture_leave);
}
