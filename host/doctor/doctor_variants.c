#include "doctor_variants.h"

#include <stdio.h>
#include <string.h>

/* Together they use all there is. */
const struct variant doctor_variants[DOCTOR_VARIANTS] = {
	{"flip", "mgpcg", "position", "rk2", "true", SPLAT_BLOCK, .outputs = true},
	{"apic", "multigrid", "density", "rk3", "true", SPLAT_BRICK, .levels = true, .rolls = true,
	 .inflow = true},
	{"pic", "gauss-seidel", "none", "rk4", "false", SPLAT_BRICK, .outputs = true,
	 .anisotropic = true},
	{"apic", "mgpcg", "position", "rk1", "false", SPLAT_BRICK, .sealed = true},
	{"flip", "cg", "position", "rk2", "true", SPLAT_BRICK, .rolls = true},
	{"flip", "jacobi", "none", "rk2", "true", SPLAT_BLOCK, .uncut = true, .forces = true},
	{"flip", "pcg-ic", "none", "rk2", "true", SPLAT_BLOCK},
	{"flip", "mgpcg", "position", "rk2", "true", SPLAT_BRICK, .bare = true, .forces = true,
	 .path = GPU},
	{"flip", "mgpcg", "none", "rk2", "true", SPLAT_BRICK, .bare = true, .levels = true,
	 .path = GPU},
	{"flip", "mgpcg", "none", "rk2", "true", SPLAT_BRICK, .bare = true, .levels = true,
	 .path = CPU},
	{"flip", "jacobi", "none", "rk2", "true", SPLAT_BLOCK, .uncut = true, .mesh = true},
	{"flip", "mgpcg", "position", "rk2", "true", SPLAT_BLOCK, .moves = true},
	{"apic", "cg", "position", "rk1", "true", SPLAT_BRICK, .moves = true, .uncut = true},
	{"flip", "mgpcg", "push", "rk2", "true", SPLAT_BLOCK, .near = true},
	{"pic", "mgpcg", "springs", "rk4", "true", SPLAT_BRICK, .bare = true, .near = true},
	{"maccormack", "mgpcg", NULL, "rk3", "true", SPLAT_BLOCK, .bare = true, .grid = true},
	{"semi_lagrangian", "cg", NULL, "rk1", "false", SPLAT_BRICK, .sealed = true, .grid = true},
	{"maccormack", "mgpcg", NULL, "rk3", "true", SPLAT_BLOCK, .bare = true, .grid = true,
	 .surface = ", surface: levelset, redistance: step, interpolation: cubic"},
	{"maccormack", "cg", NULL, "rk2", "true", SPLAT_BLOCK, .sealed = true, .grid = true,
	 .surface = ", surface: levelset, volume_correction: true"},
	{"maccormack", "mgpcg", NULL, "rk2", "true", SPLAT_BLOCK, .bare = true, .grid = true,
	 .surface = ", surface: markers"},
	{"flip", "mgpcg", "none", "rk2", "true", SPLAT_BLOCK, .bare = true,
	 .surface = ", surface: spheres"},
	{"projection", "wendland", NULL, NULL, NULL, SPLAT_BLOCK, .bare = true, .sph = true},
	{"projection", "cubic", NULL, NULL, NULL, SPLAT_BRICK, .sealed = true, .sph = true,
	 .path = GPU},
	{"wcsph", "gaussian", NULL, NULL, NULL, SPLAT_BLOCK, .bare = true, .sph = true},
};

/* Odd sizes. */
static const char *const open_scene[] = {
	"domain: {size: [1.3, 1.1], cells: [13, 11], walls: {x+: open, y+: open}}\n"
	"liquids:\n"
	"  - {name: column, box: {min: [0, 0], max: [0.7, 0.8]}, velocity: [1, 0]}\n"
	"  - {name: drop, sphere: {center: [1.0, 0.9], radius: 0.15}, velocity: [-1, -2]}\n",
	"domain: {size: [0.9, 0.7, 0.8], cells: [9, 7, 8], walls: {x+: open, y+: open}}\n"
	"liquids:\n"
	"  - {name: column, box: {min: [0, 0, 0], max: [0.5, 0.5, 0.7]}, velocity: [1, 0, 0]}\n"
	"  - {name: drop, sphere: {center: [0.7, 0.55, 0.4], radius: 0.13}, velocity: [-1, -2, "
	"0]}\n",
};
static const char *const ball[] = {
	"solids:\n"
	"  - {name: ball, sphere: {center: [0.95, 0.3], radius: 0.17}, slip: none}\n",
	"solids:\n"
	"  - {name: ball, sphere: {center: [0.65, 0.2, 0.4], radius: 0.13}, slip: none}\n",
};
/* Beside what moves by keys. */
static const char *const bodies[] = {
	"bodies:\n"
	"  - {name: crate, box: {min: [0.5, 0.1], max: [0.75, 0.35]}, density: 500}\n",
	"bodies:\n"
	"  - {name: buoy, sphere: {center: [0.11, 0.3, 0.65], radius: 0.1}, density: 500}\n",
};
/* Another solid of these, thinner than a cell: it splits cells of all levels. */
static const char *const plate[] = {
	"  - {name: plate, capsule: {a: [0.31, 0], b: [0.47, 0.7], radius: 0.01}}\n",
	"  - {name: plate, capsule: {a: [0.23, 0, 0.3], b: [0.35, 0.5, 0.4], radius: 0.02}}\n",
};
static const char *const moving_ball[] = {
	"solids:\n"
	"  - {name: ball, sphere: {center: [0.95, 0.3], radius: 0.17}, slip: none,\n"
	"     motion: [{time: 0}, {time: 1, translate: [-1, 0.5], rotate: 2}]}\n",
	"solids:\n"
	"  - {name: ball, sphere: {center: [0.65, 0.2, 0.4], radius: 0.13}, slip: none,\n"
	"     motion: [{time: 0}, {time: 1, translate: [-1, 0.5, 0], rotate: [0, 0, 2]}]}\n",
};
static const char *const moving_plate[] = {
	"  - {name: plate, capsule: {a: [0.31, 0], b: [0.47, 0.7], radius: 0.01},\n"
	"     motion: [{time: 0}, {time: 1, rotate: 3}]}\n",
	"  - {name: plate, capsule: {a: [0.23, 0, 0.3], b: [0.35, 0.5, 0.4], radius: 0.02},\n"
	"     motion: [{time: 0}, {time: 1, rotate: 3}]}\n",
};
static const char *const sealed_scene[] = {
	"domain: {size: [0.9, 0.7], cells: [9, 7]}\n"
	"liquids:\n"
	"  - {name: water, box: {min: [0, 0], max: [0.9, 0.7]}, velocity: [1, -1]}\n",
	"domain: {size: [0.5, 0.6, 0.7], cells: [5, 6, 7]}\n"
	"liquids:\n"
	"  - {name: water, box: {min: [0, 0, 0], max: [0.5, 0.6, 0.7]}, velocity: [1, -1, 1]}\n",
};
/* Into it, with more than there is room for. */
static const char *const excess[] = {
	"inflows: [{wall: x-, box: {min: [0, 0.2], max: [0, 0.5]}, velocity: [0.5, 0]}]\n",
	"inflows: [{wall: x-, box: {min: [0, 0.2, 0.2], max: [0, 0.4, 0.5]}, velocity: [0.5, 0, "
	"0]}]\n",
};
/* A layer of particles comes in within a substep. */
static const char *const jet[] = {
	"inflows: [{wall: x-, box: {min: [0, 0.8], max: [0, 1]}, velocity: [6, 0]}]\n",
	"inflows: [{wall: x-, box: {min: [0, 0.5, 0], max: [0, 0.7, 0.8]}, velocity: [6, 0, 0]}]\n",
};

static const char *const fields[] = {
	"outflows:\n"
	"  - {wall: x-, box: {min: [0, 0], max: [0, 0.5]}, hydrostatic: 0.9}\n"
	"  - {wall: y-, box: {min: [0, 0], max: [0.5, 0]}, velocity: 5}\n"
	"emitters: [{sphere: {center: [1.1, 0.9], radius: 0.2}, fill: true}]\n"
	"drains:\n"
	"  - {box: {min: [0, 0], max: [0.3, 0.2]}, rate: 3}\n"
	"  - {box: {min: [1, 0], max: [1.3, 0.2]}}\n"
	"forces:\n"
	"  - {point: {strength: 1}}\n  - {vortex: {strength: 1, pull: 1, power: 0.5}}\n"
	"  - {wind: {velocity: [9, 2]}}\n  - {drag: {rate: 2}}\n  - {vorticity: {strength: 1}}\n"
	"  - {custom: [3, 1], sphere: {center: [0.4, 0.4], radius: 0.2}, falloff: 0.2}\n",
	"outflows:\n"
	"  - {wall: x-, box: {min: [0, 0, 0], max: [0, 0.4, 0.8]}, hydrostatic: 0.9}\n"
	"  - {wall: y-, box: {min: [0, 0, 0], max: [0.5, 0, 0.5]}, velocity: 5}\n"
	"emitters: [{sphere: {center: [0.7, 0.5, 0.4], radius: 0.2}, fill: true}]\n"
	"drains:\n"
	"  - {box: {min: [0, 0, 0], max: [0.3, 0.2, 0.3]}, rate: 1}\n"
	"  - {box: {min: [0.3, 0, 0], max: [0.5, 0.2, 0.3]}}\n"
	"forces:\n"
	"  - {point: {strength: 1}}\n  - {vortex: {strength: 1, pull: 1, power: 0.5}}\n"
	"  - {wind: {velocity: [9, 2, 1]}}\n  - {drag: {rate: 2}}\n"
	"  - {vorticity: {strength: 1}}\n"
	"  - {custom: [3, 1, 1], sphere: {center: [0.4, 0.4, 0.4], radius: 0.2}, falloff: 0.2}\n",
};

/* What its method alone has: how liquid, or velocity, is carried. */
static const char *method_text(const struct variant *v, char text[160])
{
	if (v->grid)
		snprintf(text, 160, "method: grid\ngrid: {velocity_advection: %s%s}\n", v->transfer,
			 v->surface ? v->surface : "");
	else if (v->sph)
		snprintf(text, 160, "method: sph\nsph: {solver: %s, kernel: %s}\n", v->transfer,
			 v->solver);
	else
		snprintf(text, 160, "liquid: {transfer: %s%s}\n", v->transfer,
			 v->surface ? v->surface : "");
	return text;
}

/* Of the solve on the grid. */
static const char *solver_text(const struct variant *v, char text[96])
{
	if (v->sph)
		return "";
	snprintf(text, 96, "pressure: %s%s%s, advection: %s, separation: %s, ", v->solver,
		 v->drift ? ", drift: " : "", v->drift ? v->drift : "", v->advection,
		 v->separation);
	return text;
}

struct scene *doctor_read_variant(const struct variant *v, int dim)
{
	char method[160], solver[96], text[3072];
	snprintf(
		text, sizeof(text),
		"version: 1\nname: doctor\n%s%s%s%s%s%s%s%s%stime: {frames: 9, fps: 50, dt: 0.01}\n"
		"%ssolver: {%smax_iterations: 10}\n",
		(v->sealed ? sealed_scene : open_scene)[dim == 3],
		v->sealed || v->bare ? "" : (v->moves ? moving_ball : ball)[dim == 3],
		v->sealed || v->bare || v->uncut ? "" : (v->moves ? moving_plate : plate)[dim == 3],
		v->moves ? bodies[dim == 3] : "",
		v->sealed && !v->grid && !v->sph ? excess[dim == 3] : "",
		v->inflow ? jet[dim == 3] : "", v->forces ? fields[dim == 3] : "",
		v->anisotropic ? "output: {surface: {method: anisotropic}}\n" : "",
		!v->rolls ? "" : "frame: {roll: {amplitude: 0.3, frequency: 2}}\n",
		method_text(v, method), solver_text(v, solver));
	static const char *const mixed[] = {"liquids.1.transfer=pic", "liquids.0.transfer=apic",
					    "domain.wall_law=smooth"};
	static const char *const near[] = {"liquid.kernel=stiff", "liquid.vortex_boost=1",
					   "solver.collision_distance=0.5", "solver.resample=true",
					   "solver.reposition=true"};
	return scene_read_text_with(text, strlen(text), "doctor", v->near ? near : mixed,
				    v->near	? 5
				    : v->forces ? 3
						: 0);
}
