/* The JSON echo of a scene says everything: reading it gives the same scene. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "keys/scene_key_values.h"
#include "mesh_make.h"
#include "scene_fixture.h"

static void assert_same_shape(const struct shape_program *a, const struct shape_program *b)
{
	assert_int_equal(a->op_count, b->op_count);
	assert_memory_equal(a->ops, b->ops, a->op_count * sizeof(*a->ops));
	assert_int_equal(a->point_count, b->point_count);
	if (a->point_count > 0)
		assert_memory_equal(a->points, b->points, 2 * a->point_count * sizeof(*a->points));
}

/* What the rows of plain keys fill. */
static void assert_same_section(enum scene_section section, const void *a, const void *b)
{
	for (const struct scene_key *key = scene_sections[section]->keys; key->name; key++) {
		if (!scene_key_is_same(key, a, b))
			fail_msg("'%s' differs %s", key->name, scene_sections[section]->title);
		if (key->kind == KEY_VECTOR)
			assert_memory_equal((const char *)a + key->offset,
					    (const char *)b + key->offset, sizeof(double[3]));
	}
}

static void assert_same_scene(const struct scene *a, const struct scene *b)
{
#define SAME(member) assert_memory_equal(&a->member, &b->member, sizeof(a->member))
	static const enum scene_section sections[] = {
		SECTION_ROOT,	SECTION_TIME,	SECTION_MOTION,	 SECTION_LIQUID,
		SECTION_SOLVER, SECTION_OUTPUT, SECTION_PNG,	 SECTION_PARTICLES,
		SECTION_FIELDS, SECTION_MESH,	SECTION_SURFACE, SECTION_CHECKPOINT,
		SECTION_CAMERA, SECTION_GRID,	SECTION_SPH};
	for (size_t s = 0; s < sizeof(sections) / sizeof(*sections); s++)
		assert_same_section(sections[s], a, b);
	assert_string_equal(a->name, b->name);
	assert_ptr_equal(a->method, b->method);
	SAME(dim);
	SAME(cells);
	SAME(size);
	SAME(h);
	SAME(open);
	SAME(gravity_count);
	assert_memory_equal(a->gravity, b->gravity, a->gravity_count * sizeof(*a->gravity));
	SAME(motion.given);
	SAME(motion.axis);
	SAME(motion.turn_keys);
	SAME(motion.shift_keys);
	SAME(motion.roll);
	SAME(motion.sway);
	SAME(motion.key_count);
	if (a->motion.key_count > 0)
		assert_memory_equal(a->motion.keys, b->motion.keys,
				    a->motion.key_count * sizeof(*a->motion.keys));
	SAME(liquid_count);
	for (size_t i = 0; i < a->liquid_count; i++) {
		assert_same_section(SECTION_LIQUIDS, &a->liquids[i], &b->liquids[i]);
		assert_string_equal(a->liquids[i].name, b->liquids[i].name);
		assert_same_shape(&a->liquids[i].shape, &b->liquids[i].shape);
		SAME(liquids[i].angular_velocity);
		SAME(liquids[i].pivot);
		SAME(liquids[i].color);
		SAME(liquids[i].jitter);
		SAME(liquids[i].seed);
	}
	SAME(solid_count);
	SAME(body_count);
	for (size_t i = 0; i < a->solid_count; i++) {
		assert_string_equal(a->solids[i].name, b->solids[i].name);
		assert_same_shape(&a->solids[i].shape, &b->solids[i].shape);
		SAME(solids[i].free_slip);
		SAME(solids[i].wall_law.kind);
		SAME(solids[i].wall_law.roughness);
		SAME(solids[i].motion.spline);
		SAME(solids[i].motion.center);
		SAME(solids[i].body.given);
		SAME(solids[i].body.mass);
		SAME(solids[i].body.density);
		SAME(solids[i].body.velocity);
		SAME(solids[i].body.spin);
		SAME(solids[i].body.friction);
		SAME(solids[i].body.restitution);
		SAME(solids[i].body.lock);
		SAME(solids[i].body.release);
		SAME(solids[i].body.of);
		SAME(solids[i].motion.key_count);
		if (a->solids[i].motion.key_count > 0)
			assert_memory_equal(a->solids[i].motion.keys, b->solids[i].motion.keys,
					    a->solids[i].motion.key_count *
						    sizeof(*a->solids[i].motion.keys));
	}
	SAME(inflow_count);
	for (size_t i = 0; i < a->inflow_count; i++) {
		assert_same_section(SECTION_INFLOWS, &a->inflows[i], &b->inflows[i]);
		assert_string_equal(a->inflows[i].part.name, b->inflows[i].part.name);
		SAME(inflows[i].part.wall);
		SAME(inflows[i].part.low);
		SAME(inflows[i].part.high);
		SAME(inflows[i].part.liquid);
	}
	SAME(outflow_count);
	for (size_t i = 0; i < a->outflow_count; i++) {
		assert_string_equal(a->outflows[i].part.name, b->outflows[i].part.name);
		SAME(outflows[i].part.wall);
		SAME(outflows[i].part.low);
		SAME(outflows[i].part.high);
		SAME(outflows[i].part.liquid);
		SAME(outflows[i].kind);
		SAME(outflows[i].pressure);
		SAME(outflows[i].level);
		SAME(outflows[i].velocity);
	}
	SAME(emitter_count);
	for (size_t i = 0; i < a->emitter_count; i++) {
		assert_same_section(SECTION_EMITTERS, &a->emitters[i], &b->emitters[i]);
		assert_string_equal(a->emitters[i].name, b->emitters[i].name);
		assert_same_shape(&a->emitters[i].shape, &b->emitters[i].shape);
		SAME(emitters[i].liquid);
	}
	for (size_t i = 0; i < a->liquid_count; i++) {
		SAME(liquids[i].transfer);
		SAME(liquids[i].flip_ratio);
	}
	SAME(drain_count);
	for (size_t i = 0; i < a->drain_count; i++) {
		assert_same_section(SECTION_DRAINS, &a->drains[i], &b->drains[i]);
		assert_string_equal(a->drains[i].name, b->drains[i].name);
		assert_same_shape(&a->drains[i].shape, &b->drains[i].shape);
	}
	SAME(force_count);
	for (size_t i = 0; i < a->force_count; i++) {
		static const enum scene_section kinds[] = {
			SECTION_FORCE_POINT, SECTION_FORCE_VORTEX, SECTION_FORCE_WIND,
			SECTION_FORCE_DRAG,  SECTION_FORCES,	   SECTION_FORCE_VORTICITY};
		const struct scene_force *one = &a->forces[i], *other = &b->forces[i];
		SAME(forces[i].kind);
		assert_same_section(SECTION_FORCES, one, other);
		assert_same_section(kinds[one->kind], one, other);
		assert_string_equal(one->name, other->name);
		assert_same_shape(&one->shape, &other->shape);
		SAME(forces[i].axis);
		SAME(forces[i].factor_count);
		SAME(forces[i].acceleration_count);
		if (one->factor_count > 0)
			assert_memory_equal(one->factors, other->factors,
					    one->factor_count * sizeof(*one->factors));
		if (one->acceleration_count > 0)
			assert_memory_equal(one->accelerations, other->accelerations,
					    one->acceleration_count * sizeof(*one->accelerations));
	}
	SAME(output.png);
	SAME(output.png_size);
	SAME(output.png_range);
	SAME(output.fields);
	SAME(output.mesh);
	SAME(output.probe_count);
	for (size_t i = 0; i < a->output.probe_count; i++) {
		assert_string_equal(a->output.probes[i].name, b->output.probes[i].name);
		SAME(output.probes[i].quantity);
		SAME(output.probes[i].point);
		SAME(output.probes[i].depth);
	}
	SAME(camera.given);
#undef SAME
}

/* ---- every row is told ------------------------------------------------------------------- */

static bool told[SECTION_COUNT][SECTION_KEYS_MOST];

/* Marks the keys of an echo, a value of `section` or a list of such. */
static void mark_told(const struct scene_node *node, enum scene_section section)
{
	for (size_t i = 0; i < node->count; i++) {
		const struct scene_node *child = node->children[i];
		if (!child->key) {
			mark_told(child, section);
			continue;
		}
		const struct scene_key *key = scene_key_find(section, child->key);
		if (!key)
			fail_msg("the echo has '%s', which is no key %s", child->key,
				 scene_sections[section]->title);
		/* Of shapes, wherever they stand, the rows of a shape in another one. */
		const enum scene_section at = key->flags & KEY_SHAPE ? SECTION_SHAPE : section;
		told[at][scene_key(at, key->name) - scene_sections[at]->keys] = true;
		mark_told(child, key->inside);
	}
}

static void mark_echo(const char *json)
{
	struct scene_errors errors = {.path = "echo"};
	struct scene_node *root = scene_yaml_parse(json, strlen(json), SCENE_SOURCE_FILE, &errors);
	assert_non_null(root);
	mark_told(root, SECTION_ROOT);
	scene_node_free(root);
}

static void assert_all_told(void)
{
	for (int s = SECTION_ROOT; s < SECTION_COUNT; s++)
		for (const struct scene_key *key = scene_sections[s]->keys; key->name; key++)
			if (!told[s][key - scene_sections[s]->keys] && key->kind != KEY_PLANNED &&
			    key->kind != KEY_METHOD && !(key->flags & KEY_UNTOLD) &&
			    (s == SECTION_SHAPE || !(key->flags & KEY_SHAPE)))
				fail_msg("no echo of this test has '%s' %s: is it forgotten?",
					 key->name, scene_sections[s]->title);
}

static void test_round_trip(void **state)
{
	(void)state;
	struct made box = made_box(0.3, 0.4, 0.5);
	made_write_ply(&box, "box.ply");
	made_free(&box);
	static const char *const texts[] = {
		HEAD_2D,
		HEAD_3D "output: {png: {}}\n",
		"name: \"q\\\"b\\\\s\\u00fc\\u65e5 \\U0001F4A7\"\n"
		"domain: {size: [1.1, 0.30000000001], cell_size: 0.1, walls: {y+: open},\n"
		"  wall_law: smooth, side_walls: 0.3}\n"
		"time: {dt: 0.0166666666666666, fps: 59.94}\n"
		"gravity: [{time: 0.1, g: [0.1, -9.80665]}, {time: 0.7, g: [1e-17, 123456.789]}]\n"
		"liquid: {jitter: 0.7, seed: 12, viscosity: 0.003}\n"
		"solver: {pressure: multigrid, tolerance: 3.3e-7}\n"
		"liquids:\n"
		"- {polygon: {points: [[0.1, 0.123456789], [1e-7, 0.2], [0.3333333333, 0.7]]},\n"
		"   angular_velocity: 0.1, seed: 4294967295, jitter: 0.3}\n"
		"- {name: 12, difference: [{box: {min: [0.1, 0.1], max: [0.7, 0.7]}},\n"
		"   {sphere: {center: [0.3, 0.3], radius: 0.1}, invert: true},\n"
		"   {union: [{capsule: {a: [0.1, 0.2], b: [0.3, 0.4], radius: 0.05}},\n"
		"            {polygon: {points: [[0, 0], [1, 0], [1, 1], [0, 1]]}}]}],\n"
		"   invert: true}\n"
		"- {union: [{union: [{sphere: {center: [0, 0], radius: 0.1}, invert: true}],\n"
		"   invert: true}], velocity: [0.1, -0.2]}\n"
		"solids:\n"
		"- {half_space: {point: [0.1, 0.2], normal: [1, 3]}, slip: none, wall_law: {roughness: 0.01}}\n"
		"- {half_space: {point: [0.1, 0.2], normal: [-0.3, 0.7]},\n"
		"   motion: [{time: 0.1, rotate: 0.3}, {time: 0.7, translate: [0.1, -0.3]}],\n"
		"   interpolation: spline, center: [0.1, 0.7]}\n"
		"output: {stats: false, png: {size: [33, 44], view: levelset, every: 7,\n"
		"  ranges: {speed: [0.1, 0.7], levelset: [-0.3, 0.3]}},\n"
		"  particles: {format: geo, every: 3}, fields: {every: 2, names: [cells, "
		"velocity]},\n"
		"  probes: [{point: [0.1, 0.2]}, {name: x, column: [0.3]},\n"
		"    {quantity: front, depth: 0.07}, {quantity: front}]}\n",
		HEAD_2D
		"bodies:\n"
		"- {box: {min: [0.1, 0.1], max: [0.7, 0.3]}, density: 331.7, velocity: [0.1, -0.3],\n"
		"   angular_velocity: 0.7, friction: 0.31, restitution: 0.17, lock: [x, rz],\n"
		"   slip: none}\n"
		"- {name: disc, sphere: {center: [0.3, 0.7], radius: 0.15}, mass: 0.7, release: 0.3,\n"
		"   motion: [{time: 0.1, rotate: 0.3}, {time: 0.7, translate: [0.1, 0]}],\n"
		"   interpolation: spline}\n",
		HEAD_2D
		"frame: {center: [0.1, -0.7], roll: {amplitude: 0.0698, frequency: 0.6137},\n"
		"  motion: [{time: 0, angle: 0.1}, {time: 0.3, angle: -0.7}]}\n",
		HEAD_2D
		"frame: {motion: [{time: 0, position: [0.1, 0]}, {time: 2, position: [0, 0.7]}]}\n"
		"output: {checkpoint: {every: 7, keep: 3}}\n",
		HEAD_3D "frame: {axis: [0.3, -0.7, 0.1], sway: {amplitude: [0.1, 0, 0.3],\n"
			"  frequency: 1.1, phase: 1.57, ramp: 0.7}, motion:\n"
			"  [{time: 0.1, angular_velocity: 0.3, velocity: [0.1, 0.2, 0.3]},\n"
			"   {time: 0.7, angular_velocity: -3, velocity: [0, 1e-7, 0]}]}\n",
		HEAD_3D "camera: {eye: [3, 3.3, 3], fov: 31.4}\n"
			"liquids:\n"
			"- {cylinder: {a: [0.1, 0.2, 0.3], b: [0.7, 0.9, 0.4], radius: 0.123},\n"
			"   angular_velocity: [0.1, 0.2, 0.3]}\n"
			"solids:\n"
			"- {half_space: {point: [0.1, 0.2, 0.3], normal: [0.3, 0.5, 0.7]}}\n"
			"- {union: [{sphere: {center: [0, 0, 0], radius: 0.1}}], invert: true,\n"
			"   axis: [0.3, 0.5, 0.7], motion: [{time: 0, rotate: 0.3},\n"
			"   {time: 0.1, rotate: [0.1, 0.2, 0.3]}]}\n"
			"- {intersection: [{half_space: {point: [0, 0, 0], normal: [1, 1, 1]}},\n"
			"   {half_space: {point: [1, 1, 1], normal: [-1, 1, -2]}},\n"
			"   {box: {min: [0, 0, 0.3], max: [1, 1, 0.3]}}]}\n"
			"- {mesh: {file: box.ply}}\n"
			"- {mesh: {file: box.ply, scale: [0.1, 1.7, -0.3], rotate: [0.1, 1e-7, "
			"-2.3],\n"
			"   translate: [0.1, 0.3, 0.7], thin: true}}\n"
			"output: {probes: [{column: [0.3, 0.6]}], mesh: {format: obj, every: 9},\n"
			"  surface: {method: anisotropic, resolution: 2}}\n",
		HEAD_3D
		"bodies:\n"
		"- {mesh: {file: box.ply, scale: 0.6, translate: [0.05, 0.1, 0.1]}, density: 700,\n"
		"   velocity: [0.1, 0.2, 0.3], angular_velocity: [0.1, -0.3, 0.7], lock: [z, rx]}\n"
		"- {name: b, capsule: {a: [0.85, 0.85, 0.2], b: [0.85, 0.85, 0.8], radius: 0.13},\n"
		"   mass: 12.3, release: 0.3, axis: [0.3, -0.7, 0.1],\n"
		"   motion: [{time: 0, translate: [-0.1, 0, 0]}]}\n",
		HEAD_3D
		"liquids: [{name: oil}, {name: water}]\n"
		"inflows:\n"
		"- {wall: y+, velocity: [0.1, -0.7, 0]}\n"
		"- {name: jet, wall: z-, box: {min: [0.1, 0.2, 0], max: [0.3, 0.7, 0.1]},\n"
		"   velocity: [0, 0.3, 1e-3], start: 0.1, stop: 0.7, ramp: 0.3, liquid: water}\n",
		HEAD_3D
		"liquids: [{name: oil, transfer: apic}, {name: water, flip_ratio: 0.3}, {name: tar},\n"
		"  {points: {file: /nowhere/points.ply, hash: 0123456789abcdef}}]\n"
		"outflows:\n"
		"- {wall: y+, pressure: 1234.5678901}\n"
		"- {name: sea, wall: z-, box: {min: [0.1, 0.2, 0], max: [0.3, 0.7, 0.1]},\n"
		"   hydrostatic: 0.7, liquid: water}\n"
		"- {wall: x-, velocity: 0.3}\n"
		"emitters:\n"
		"- {sphere: {center: [0.1, 0.2, 0.3], radius: 0.1}, at: 0.7, liquid: tar}\n"
		"- {name: spring, box: {min: [0, 0, 0.3], max: [0.3, 0.7, 1]}, fill: true,\n"
		"   velocity: [0.1, -0.7, 1e-3]}\n",
		HEAD_3D
		"forces:\n"
		"- {point: {center: [0.1, 0.2, 0.3], strength: -0.7, power: 2.5, core: 0.03}}\n"
		"- {name: whirl, vortex: {strength: 0.1, pull: 1e-3, axis: [0.3, -0.7, 0.1]},\n"
		"   cylinder: {a: [0, 0, 0], b: [1, 1, 1], radius: 0.3}, falloff: 0.07}\n"
		"- {wind: {velocity: [0.1, 0.2, 0.3], drag: 0.07, air_density: 1.3}}\n"
		"- {drag: {rate: 0.1}, time: [{time: 0.1, factor: 0.3}, {time: 0.7, factor: 3}]}\n"
		"- {custom: [{time: 0.1, acceleration: [0.1, 0.2, 0.3]},\n"
		"   {time: 0.3, acceleration: [0, 0, -1e-3]}]}\n"
		"- {vorticity: {strength: 0.3}, box: {min: [0, 0, 0], max: [1, 0.7, 1]}}\n",
		HEAD_2D
		"drains:\n- {sphere: {center: [0.1, 0.2], radius: 0.3}}\n"
		"- {name: sink, rate: 0.07, box: {min: [0, 0], max: [0.3, 0.7]}, invert: true}\n"
		"forces:\n"
		"- {custom: [0.1, -0.7], union: [{sphere: {center: [0, 0], radius: 0.1}}]}\n"
		"- {vortex: {strength: 0.1}, sphere: {center: [0.3, 0.7], radius: 0.1}, invert: "
		"true}\n",
		HEAD_2D
		"method: grid\ngrid: {velocity_advection: semi_lagrangian}\nsolids: []\n"
		"frame: {sway: {amplitude: [0.1, 0.3], frequency: 1.1}}\n"
		"liquids: [{box: {min: [0, 0], max: [1, 0.3]}, velocity: [0.1, 0.3]}]\noutput: {png: {}}\n",
		HEAD_2D
		"method: grid\ngrid: {surface: levelset, interpolation: cubic, redistance: 7,\n"
		"  volume_correction: true}\ntime: {cfl: 4.7}\n"
		"liquids: [{box: {min: [0, 0], max: [1, 0.3]}}]\n",
		HEAD_2D "liquid: {kernel: stiff, vortex_boost: 0.3}\n"
			"solver: {drift: springs, density_stiffness: 0.7, spring_stiffness: 33.3, "
			"resample: true, collision_distance: 0.3, reposition: true}\n"
			"liquids: [{box: {min: [0, 0], max: [1, 0.3]}}]\n",
		HEAD_2D "solver: {drift: push, push_distance: 0.7, push_iterations: 3}\n"
			"liquids: [{box: {min: [0, 0], max: [1, 0.3]}}]\n",
		HEAD_2D "liquid: {surface: spheres}\n"
			"liquids: [{box: {min: [0, 0], max: [1, 0.3]}}]\n",
		HEAD_2D "method: grid\ngrid: {surface: levelset, redistance: step}\n"
			"liquids: [{box: {min: [0, 0], max: [1, 0.3]}}]\n",
		HEAD_2D
		"method: sph\nsph: {solver: wcsph, kernel: cubic, support: 2.7, damping: 0.07, "
		"tension: true, equation_of_state: linear, sound_speed: 13, "
		"artificial_viscosity: 0.03}\nliquid: {particles_per_cell: 4, jitter: 0.3}\n"
		"liquids: [{box: {min: [0, 0], max: [1, 0.3]}, velocity: [0.1, 0.3]}]\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		for (int indent = 0; indent < 3; indent++) {
			struct scene *first = read_good(texts[i]);
			char *json = scene_to_json(first, indent);
			assert_non_null(json);
			mark_echo(json);
			assert_int_equal(json[0], '{');
			assert_int_equal(json[strlen(json) - 1], '}');
			struct scene *second = read_good(json);
			assert_same_scene(first, second);
			scene_free(first);
			scene_free(second);
			free(json);
		}
	}
	assert_all_told();
	remove("box.ply");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip)};
	return cmocka_run_group_tests_name("scene json", tests, fixture_enter, fixture_leave);
}
