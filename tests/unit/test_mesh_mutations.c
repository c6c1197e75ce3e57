/* Broken mesh files: each is read or refused with a reason, in time, and what is read makes a shape
 * whose values are numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "clock.h"
#include "full.h"
#include "mesh/mesh_file.h"
#include "mesh_scene.h"

#define MOST_BYTES 20000
#define MOST_SECONDS 60.0 /* of a file; the reader gives up after 40 */

struct sample {
	const char *name;
	char bytes[MOST_BYTES];
	size_t length;
};
static struct sample samples[4];

static void keep_sample(struct sample *sample, const char *name)
{
	FILE *file = fopen(name, "rb");
	assert_non_null(file);
	sample->name = name;
	sample->length = fread(sample->bytes, 1, MOST_BYTES, file);
	assert_true(feof(file));
	fclose(file);
	remove(name);
}

static void make_samples(void)
{
	struct made ball = made_icosphere(1);
	made_write_obj(&ball, "a.obj");
	keep_sample(&samples[0], "a.obj");
	made_write_ply(&ball, "a.ply");
	keep_sample(&samples[1], "a.ply");
	made_write_stl(&ball, "a.stl");
	keep_sample(&samples[2], "a.stl");
	made_free(&ball);
	FILE *file = made_open("b.stl");
	fputs("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
	      "endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\n"
	      "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n",
	      file);
	made_close(file);
	keep_sample(&samples[3], "b.stl");
}

static const char *const words[] = {
	"nan", "inf", "-1", "4294967295",   "1e38",	 "99999999999", "\n",
	" ",   "/",   "-0", "end_header\n", "f 1 1 1\n", "solid ",	"list uchar uint "};

static size_t pick(uint32_t *random, size_t most)
{
	return (size_t)(made_random(random) * (double)most) % (most > 0 ? most : 1);
}

/* One to four changes. */
static size_t mutate(const struct sample *sample, uint32_t *random, char *bytes)
{
	size_t length = sample->length;
	memcpy(bytes, sample->bytes, length);
	for (size_t change = 1 + pick(random, 4); change > 0 && length > 0; change--) {
		const size_t at = pick(random, length), n = pick(random, length - at);
		const char *word = words[pick(random, sizeof(words) / sizeof(*words))];
		switch (pick(random, 5)) {
		case 0:
			bytes[at] ^= (char)(1 << pick(random, 8));
			break;
		case 1:
			length = at;
			break;
		case 2: /* a piece is missing */
			memmove(bytes + at, bytes + at + n / 8, length - at - n / 8);
			length -= n / 8;
			break;
		case 3: /* is there twice */
			memmove(bytes + at + n / 8, bytes + at, length - at);
			length += n / 8;
			break;
		default:
			memmove(bytes + at + strlen(word), bytes + at, length - at);
			memcpy(bytes + at, word, strlen(word));
			length += strlen(word);
		}
	}
	return length;
}

static bool read_one(const char *path, unsigned *shapes)
{
	struct mesh_surface surface = {0};
	struct mesh_shape shape;
	char reason[FILE_READ_REASON] = "", why[MESH_SHAPE_REASON] = "";
	const struct mesh_request request = {.scale = {1, 1, 1}, .h = 0.25, .size = {1, 1, 1}};
	const double start = clock_seconds();
	const bool good = mesh_file_read(path, &surface, reason);
	assert_true(clock_seconds() - start < MOST_SECONDS);
	if (!good) {
		assert_true(strlen(reason) > 4);
		return false;
	}
	size_t count;
	f32 *w = mesh_shape_words(&surface, &request, &shape, &count, why);
	assert_true(w || strlen(why) > 4);
	const struct shape_op op = {.kind = SHAPE_MESH, .count = (i32)(count / 2)};
	for (int n = 0; w && n < 27; n++) {
		const f32 p[3] = {(f32)(n % 3) - 1.0f, (f32)(n / 3 % 3) - 1.0f,
				  (f32)(n / 9) - 1.0f};
		assert_true(isfinite(shape_mesh(&op, w, p).distance) != 0);
	}
	*shapes += w != NULL;
	free(w);
	mesh_surface_free(&surface);
	mesh_shape_free(&shape);
	return true;
}

static void test_mutations(void **state)
{
	(void)state;
	static char bytes[10 * MOST_BYTES];
	const unsigned count = tests_are_full() ? 10000 : 800;
	uint32_t random = 2026;
	unsigned read = 0, shapes = 0;
	make_samples();
	for (unsigned n = 0; n < count; n++) {
		const struct sample *sample = &samples[n % 4];
		const size_t length = mutate(sample, &random, bytes);
		FILE *file = made_open(sample->name);
		fwrite(bytes, 1, length, file);
		made_close(file);
		read += read_one(sample->name, &shapes);
		remove(sample->name);
	}
	print_message("%u of %u are read, %u are shapes\n", read, count, shapes);
	assert_true(read > count / 20 && read < count - count / 20 && shapes > count / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutations)};
	return cmocka_run_group_tests_name("mesh_mutations", tests, fixture_enter, fixture_leave);
}
