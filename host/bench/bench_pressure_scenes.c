/* The scenes of `freshet bench --pressure`, from formulas.  The box is the unit square or cube. */
#include <stdio.h>
#include <string.h>

#include "bench_pressure.h"

/* Five spheres, two of which overlap; discs in 2D.  Centre, radius. */
static const double balls[][4] = {{0.3, 0.2, 0.3, 0.12},
				  {0.7, 0.25, 0.6, 0.15},
				  {0.5, 0.35, 0.2, 0.08},
				  {0.2, 0.15, 0.75, 0.1},
				  {0.75, 0.1, 0.2, 0.09}};

static const char slabs_2d[] = "  - intersection:\n"
			       "    - half_space: {point: [0.411, 0.3], normal: [0.9, 0.43]}\n"
			       "    - half_space: {point: [0.389, 0.3], normal: [-0.9, -0.43]}\n"
			       "    - half_space: {point: [0.0, 0.62], normal: [0, 1]}\n"
			       "  - intersection:\n"
			       "    - half_space: {point: [0.705, 0.3], normal: [0.8, -0.6]}\n"
			       "    - half_space: {point: [0.695, 0.3], normal: [-0.8, 0.6]}\n"
			       "    - half_space: {point: [0.0, 0.7], normal: [0, 1]}\n";
static const char slabs_3d[] =
	"  - intersection:\n"
	"    - half_space: {point: [0.411, 0.3, 0], normal: [0.9, 0.43, 0]}\n"
	"    - half_space: {point: [0.389, 0.3, 0], normal: [-0.9, -0.43, 0]}\n"
	"    - half_space: {point: [0.0, 0.62, 0], normal: [0, 1, 0]}\n"
	"  - intersection:\n"
	"    - half_space: {point: [0.705, 0.3, 0], normal: [0.8, -0.6, 0]}\n"
	"    - half_space: {point: [0.695, 0.3, 0], normal: [-0.8, 0.6, 0]}\n"
	"    - half_space: {point: [0.0, 0.7, 0], normal: [0, 1, 0]}\n";

static const struct bench_scene scenes[] = {
	{"pool", "a dam at rest", LIQUID_POOL, WALLS_NONE, 0, false, false, true},
	{"row", "a dam at rest whose top row of cells is alone in every coarse one", LIQUID_ROW,
	 WALLS_NONE, 0, false, false, true},
	{"drops", "a wavy dam and up to 337 drops", LIQUID_DROPS, WALLS_NONE, 0, false, false,
	 true},
	{"wave", "a breaking wave of a dam break", LIQUID_WAVE, WALLS_NONE, 0, false, false, true},
	{"round", "a rippled pool with five spheres, cut cells", LIQUID_RIPPLED, WALLS_NONE, 0,
	 true, false, true},
	{"plate", "two pools and a plate without thickness between them", LIQUID_TWO, WALLS_PLATE,
	 0, false, false, true},
	{"plate-half", "the same, half a cell thick", LIQUID_TWO, WALLS_PLATE, 0.5, false, false,
	 true},
	{"plate-1", "the same, one cell thick", LIQUID_TWO, WALLS_PLATE, 1, false, false, false},
	{"plate-2", "the same, two cells thick", LIQUID_TWO, WALLS_PLATE, 2, false, false, false},
	{"slabs", "a pool with two tilted slabs, 0.02 and 0.008 of the box thick", LIQUID_POOL,
	 WALLS_NONE, 0, false, true, true},
	{"baffles", "walls and shelves without thickness, a hole of one cell", LIQUID_POOL,
	 WALLS_BAFFLES, 0, false, false, true},
	{"chambers", "a full tank of many chambers, holes of one cell", LIQUID_FULL, WALLS_CHAMBERS,
	 0, false, false, false},
	{"sealed", "a full closed box: singular", LIQUID_FULL, WALLS_NONE, 0, false, false, true},
};

const struct bench_scene *bench_scene(size_t scene)
{
	return scene < sizeof(scenes) / sizeof(scenes[0]) ? &scenes[scene] : NULL;
}

int bench_scene_find(const char *name)
{
	for (size_t i = 0; bench_scene(i); i++)
		if (strcmp(bench_scene(i)->name, name) == 0)
			return (int)i;
	return -1;
}

/* ---- the scene text ----------------------------------------------------------------------- */

struct scene *bench_scene_create(size_t scene, int dim, int cells)
{
	const struct bench_scene *d = bench_scene(scene);
	char text[4096];
	size_t at = 0;
	/* What does not fit is cut off, which the reader would notice. */
#define ADD(...)                                                                 \
	do {                                                                     \
		int added = snprintf(text + at, sizeof(text) - at, __VA_ARGS__); \
		at += added > 0 ? (size_t)added : 0;                             \
		at = at < sizeof(text) ? at : sizeof(text) - 1;                  \
	} while (0)
	ADD("version: 1\ndomain: {size: [1, 1%s], cells: %d, walls: {y+: %s}}\n"
	    "time: {frames: 1, fps: 1}\n"
	    "liquids:\n  - {name: unused, box: {min: [0, 0%s], max: [1, 1%s]}}\n",
	    dim == 3 ? ", 1" : "", cells, d->liquid == LIQUID_FULL ? "closed" : "open",
	    dim == 3 ? ", 0" : "", dim == 3 ? ", 1" : "");
	/* Walls are faces closed later; some solid, opened again, makes it a scene with solids. */
	if (d->walls != WALLS_NONE)
		ADD("solids:\n  - sphere: {center: [0, 0%s], radius: 0.1}\n",
		    dim == 3 ? ", 0" : "");
	if (d->slabs)
		ADD("solids:\n%s", dim == 3 ? slabs_3d : slabs_2d);
	if (d->balls) {
		ADD("solids:\n");
		for (size_t i = 0; i < sizeof(balls) / sizeof(balls[0]); i++) {
			const double *b = balls[i];
			ADD("  - sphere: {center: [%g, %g", b[0], b[1]);
			if (dim == 3)
				ADD(", %g", b[2]);
			ADD("], radius: %g}\n", b[3]);
		}
	}
#undef ADD
	return scene_read_text(text, at, "bench");
}
