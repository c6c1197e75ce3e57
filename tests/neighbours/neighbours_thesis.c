/*
 * The scenes of a master's project on a PIC/FLIP plug-in (scenes/thesis): their particles are as
 * many as it tells, to 1 %, and what it shows of crater, viscous ball and vortex boost holds, at
 * half their resolution.  3D.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neighbours_support.h"

#define ROOM 8192

/* A scene's text, from its first key on; `from` becomes `to`, which is no longer, where it is
 * first. */
static void read_scene(const char *name, const char *from, const char *to, char text[ROOM])
{
	char path[512];
	const char *root = getenv("FRESHET_SOURCE");
	snprintf(path, sizeof(path), "%s/scenes/thesis/%s.yaml", root ? root : ".", name);
	FILE *file = fopen(path, "rb");
	const size_t length = file ? fread(text, 1, ROOM - 1, file) : 0;
	if (file)
		fclose(file);
	text[length] = '\0';
	char *at = from ? strstr(text, from) : NULL;
	expect("the scene is there", length > 0 && (!from || at), 1.0, 1.0);
	if (at) {
		memset(at, ' ', strlen(from));
		memcpy(at, to, strlen(to));
	}
}

static struct sim *open_scene(const char *name, const char *from, const char *to)
{
	char text[ROOM];
	read_scene(name, from, to, text);
	/* Their pictures are of no use here. */
	char *output = strstr(text, "output:");
	if (output)
		memcpy(output, "#", 1);
	char *cells = strstr(text, "cells: 40"), *many = strstr(text, "particles_per_cell: 64");
	if (cells && from)
		memcpy(cells, "cells: 20", 9);
	if (many && from)
		memcpy(many, "particles_per_cell:  8", 22);
	return fixture_sim("%s", text);
}

/* As told for scenarios 1 to 6; a scene with a solid figure counts it as if it were liquid. */
static void counts(void)
{
	static const struct {
		const char *scene;
		double particles;
	} cases[] = {
		{"sphere", 15894},	   {"boost", 15894},	   {"plane", 8048},
		{"crater", 15894 + 69216}, {"viscous_ball", 6547}, {"bullet", 55047},
	};
	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct sim *sim = open_scene(cases[n].scene, NULL, NULL);
		fixture_note("%s", cases[n].scene);
		expect("particles / those of the thesis", sim->particles.count / cases[n].particles,
		       0.99, 1.01);
		fixture_free(sim);
	}
}

/* The highest particle within 1.5 cells of the middle of the floor, m. */
static void follow_middle(struct sim *sim, void *lowest)
{
	struct cloud cloud = cloud_read(sim);
	double top = 0.0, *least = lowest;
	for (u32 p = 0; p < cloud.count; p++)
		if (hypot((double)cloud.x[0][p] - 0.5, (double)cloud.x[2][p] - 0.5) < 0.075)
			top = fmax(top, (double)cloud.x[1][p]);
	*least = fmin(*least, top);
	cloud_free(&cloud);
}

/* A ball makes a hole at the centre of the box that it falls into. */
static void crater(void)
{
	struct sim *sim = open_scene("crater", "cells: 40", "cells: 20");
	double lowest = 1.0;
	fixture_run(sim, 0.5, follow_middle, &lowest);
	expect("depth of the crater / height of the box", 1.0 - lowest / 0.1352, 0.3, 1.0);
	fixture_free(sim);
}

/* Of the cloud along x and along y. */
static void extent(struct sim *sim, double size[2])
{
	struct cloud cloud = cloud_read(sim);
	for (int a = 0; a < 2; a++) {
		double low = 1e9, high = -1e9;
		for (u32 p = 0; p < cloud.count; p++) {
			low = fmin(low, (double)cloud.x[a][p]);
			high = fmax(high, (double)cloud.x[a][p]);
		}
		size[a] = high - low;
	}
	cloud_free(&cloud);
}

/* When the ball with 5 % of PIC is twice as wide as at first, that of PIC alone has its size. */
static void viscous_ball_keeps_its_shape(void)
{
	struct sim *thin = open_scene("viscous_ball", "flip_ratio: 0.0,", "flip_ratio: .95,");
	struct sim *thick = open_scene("viscous_ball", "flip_ratio: 0.0,", "flip_ratio: 0.0,");
	double start[2], size[2], kept[2];
	extent(thin, start);
	do {
		fixture_step(thin);
		extent(thin, size);
	} while (size[0] < 2.0 * start[0] && thin->time < 1.0);
	while (thick->time < thin->time)
		fixture_step(thick);
	extent(thick, kept);
	expect("width of the thin one / at first", size[0] / start[0], 2.0, 3.0);
	expect("width of the viscous one / at first", kept[0] / start[0], 0.85, 1.15);
	expect("its height / at first", kept[1] / start[1], 0.85, 1.15);
	fixture_free(thin);
	fixture_free(thick);
}

/* The greatest kinetic energy so far, J. */
static void follow_energy(struct sim *sim, void *most)
{
	double *e = most;
	*e = fmax(*e, sim->stats.report.kinetic_energy);
}

static void boost_splashes_more(void)
{
	double with = 0.0, without = 0.0;
	struct sim *boosted = open_scene("boost", "cells: 40", "cells: 20");
	struct sim *plain = open_scene("sphere", "cells: 40", "cells: 20");
	fixture_run(boosted, 0.5, follow_energy, &with);
	fixture_run(plain, 0.5, follow_energy, &without);
	expect("kinetic energy, greatest, with the boost / without", with / without, 1.05, 10.0);
	fixture_free(boosted);
	fixture_free(plain);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {
		CASE(counts),
		CASE(crater),
		CASE(viscous_ball_keeps_its_shape),
		CASE(boost_splashes_more),
	};
	return FIXTURE_MAIN(argc, argv, cases);
}
