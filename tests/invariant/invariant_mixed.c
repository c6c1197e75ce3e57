/*
 * Liquids that differ in their transfer, in one scene: after a substep from the same state each has
 * what it has in a scene where all have its transfer, to the last bit.  2D and 3D.
 */
#include <stdio.h>
#include <string.h>

#include "sim_fixture.h"

#if DIM == 2
#define BOX "[1, 1]"
#define CELLS 24
#define A "box: {min: [0, 0], max: [0.5, 0.5]}, velocity: [1, 0]"
#define B "sphere: {center: [0.7, 0.6], radius: 0.15}, velocity: [-1, -2], angular_velocity: 9"
#else
#define BOX "[1, 1, 1]"
#define CELLS 12
#define A "box: {min: [0, 0, 0], max: [0.5, 0.5, 1]}, velocity: [1, 0, 0]"
#define B                                                                          \
	"sphere: {center: [0.7, 0.6, 0.5], radius: 0.15}, velocity: [-1, -2, 0], " \
	"angular_velocity: [0, 0, 9]"
#endif

static struct sim *make(const char *all, const char *a, const char *b)
{
	struct sim *sim = fixture_sim("domain: {size: " BOX ", cells: %d}\n"
				      "time: {fps: 100, frames: 40, dt: 0.005}\n"
				      "liquid: {%s}\nliquids: [{" A "%s}, {" B "%s}]\n",
				      CELLS, all, a, b);
	fixture_step(sim);
	return sim;
}

/* Values of the particles of a liquid that differ. */
static u32 differences(const struct sim *sim, const struct cloud *one, const struct cloud *other,
		       u32 liquid)
{
	u32 count = 0;
	for (u32 p = 0; p < one->count; p++) {
		if (id_ranges_liquid(&sim->particles.ids, one->id[p]) != liquid)
			continue;
		for (int a = 0; a < DIM; a++)
			count += memcmp(&one->x[a][p], &other->x[a][p], sizeof(f32)) != 0 ||
				 memcmp(&one->v[a][p], &other->v[a][p], sizeof(f32)) != 0;
		for (int e = 0; one->affine && other->affine && e < DIM * DIM; e++) {
			const size_t at = (size_t)e * one->count + p;
			count += memcmp(&one->affine[at], &other->affine[at], sizeof(f32)) != 0;
		}
	}
	return count;
}

static void check_pair(const char *a, const char *b)
{
	char of_a[80], of_b[80];
	snprintf(of_a, sizeof(of_a), ", %s", a);
	snprintf(of_b, sizeof(of_b), ", %s", b);
	struct sim *mixed = make("", of_a, of_b), *as_a = make(a, "", ""), *as_b = make(b, "", "");
	struct cloud m = cloud_read(mixed), one = cloud_read(as_a), other = cloud_read(as_b);
	fixture_note("%s and %s", a, b);
	expect("particles", m.count, one.count, one.count);
	expect_small("values of the first that differ", differences(mixed, &m, &one, 0), 0.0);
	expect_small("values of the second that differ", differences(mixed, &m, &other, 1), 0.0);
	/* They are not the same anyhow; PIC and APIC are in their first velocities. */
	const bool pic_and_apic = strstr(a, "pic") && strstr(b, "pic");
	expect("values of the second that the first's transfer changes",
	       pic_and_apic || differences(mixed, &m, &one, 1) > 0, 1.0, 1.0);
	cloud_free(&m);
	cloud_free(&one);
	cloud_free(&other);
	fixture_free(mixed);
	fixture_free(as_a);
	fixture_free(as_b);
}

static void one_substep(void)
{
	check_pair("transfer: apic", "transfer: flip");
	check_pair("transfer: pic", "transfer: apic");
	check_pair("flip_ratio: 1", "flip_ratio: 0.3");
	check_pair("transfer: flip", "transfer: pic");
}

/* What is not APIC's has no affine matrices, for good; and liquids that come in have their own. */
static void for_good(void)
{
	struct sim *sim =
		fixture_sim("domain: {size: " BOX ", cells: %d}\ntime: {fps: 20, frames: 40}\n"
			    "liquids: [{" A ", transfer: apic}, {name: pic, transfer: pic}]\n"
			    "inflows: [{wall: y+, velocity: [0, -1%s], liquid: pic}]\n",
			    CELLS, DIM == 3 ? ", 0" : "");
	fixture_run(sim, 0.3, NULL, NULL);
	struct cloud cloud = cloud_read(sim);
	double most[2] = {0.0, 0.0};
	u32 count[2] = {0, 0};
	for (u32 p = 0; p < cloud.count; p++) {
		const int l = id_ranges_liquid(&sim->particles.ids, cloud.id[p]);
		count[l]++;
		for (int e = 0; e < DIM * DIM; e++) {
			const double c = (double)cloud.affine[(size_t)e * cloud.count + p];
			most[l] = c * c > most[l] ? c * c : most[l];
		}
	}
	expect("particles of both", count[0] > 0 && count[1] > 0, 1.0, 1.0);
	expect("affine matrices of the first", most[0] > 0.0, 1.0, 1.0);
	expect_small("affine matrices of the second", most[1], 0.0);
	cloud_free(&cloud);
	fixture_free(sim);
}

int main(int argc, char **argv)
{
	static const struct fixture_case cases[] = {CASE(one_substep), CASE(for_good)};
	return FIXTURE_MAIN(argc, argv, cases);
}
