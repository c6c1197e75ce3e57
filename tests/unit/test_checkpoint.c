/* Files of checkpoints that are not whole and sensible are refused, with the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint/checkpoint.h"
#include "crc64.h"
#include "file_seal.h"
#include "full.h"
#include "temporary.h"

#define NAME "checkpoint_000003.h5"
#define PARTICLES 37

static char folder[TEMPORARY_PATH], path[TEMPORARY_PATH + 32];

static char *read_file(size_t *length)
{
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*length = (size_t)ftell(file);
	rewind(file);
	char *bytes = test_malloc(*length + 1);
	assert_int_equal(fread(bytes, 1, *length, file), *length);
	fclose(file);
	return bytes;
}

static void write_file(const char *bytes, size_t length)
{
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static void assert_refused(const char *word)
{
	struct checkpoint c;
	char reason[FILE_READ_REASON] = "";
	const bool taken = checkpoint_read(path, true, &c, reason);
	if (taken || !strstr(reason, word))
		fail_msg("%s, \"%s\"; expected \"%s\"", taken ? "taken" : "refused", reason, word);
	assert_null(c.scene);
	assert_int_equal(c.state.array_count, 0);
}

static void *array(size_t count, size_t size)
{
	void *memory = calloc(count, size);
	assert_non_null(memory);
	return memory;
}

/* 2D, with affine matrices. */
static struct checkpoint make(void)
{
	struct checkpoint c = {
		.version = strdup("1.2"),
		.git = strdup("unknown"),
		.scene = strdup("{}"),
		.dim = 2,
		.frame = 3,
		.substep = 2,
		.time = 0.125,
		.grid_speed = 1.5,
		.stats_bytes = -1,
		.warnings = strdup(""),
	};
	checkpoint_state_outline(&c.state, method_find("flip"), 2, PARTICLES, 0);
	for (size_t i = 0; i < c.state.array_count; i++)
		c.state.arrays[i].data =
			array(c.state.arrays[i].components * PARTICLES, sizeof(f32));
	for (u32 i = 0; i < PARTICLES; i++) {
		checkpoint_ids(&c.state)[i] = 3 * i;
		checkpoint_values(&c.state, "particles/position")[i] = (f32)i;
	}
	assert_true(id_ranges_add(&c.state.ids, PARTICLES, 0) &&
		    id_ranges_add(&c.state.ids, 2 * PARTICLES, 2));
	c.summary.frames = array(4, sizeof(*c.summary.frames));
	c.summary.frame_count = 4;
	for (int i = 0; i < 4; i++)
		c.summary.frames[i].frame = i;
	return c;
}

/* The checksum's own definition, a bit at a time. */
static uint64_t slow_crc(const uint8_t *data, size_t length)
{
	uint64_t crc = ~(uint64_t)0;
	for (size_t i = 0; i < length; i++)
		for (int bit = 0; bit < 8; bit++) {
			const uint64_t out = (crc ^ (uint64_t)(data[i] >> bit)) & 1;
			crc = crc >> 1 ^ (out ? 0xc96c5795d7870f42u : 0);
		}
	return ~crc;
}

static void test_checksum(void **state)
{
	(void)state;
	uint8_t data[100];
	uint32_t random = 5;
	/* check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms (Cook) */
	assert_true(crc64(0, "123456789", 9) == 0x995dc9bbdf1939fau);
	assert_true(crc64(0, "", 0) == 0);
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
	for (size_t n = 0; n <= sizeof(data); n++) {
		assert_true(crc64(0, data, n) == slow_crc(data, n));
		assert_true(crc64(crc64(0, data, n), data + n, sizeof(data) - n) ==
			    crc64(0, data, sizeof(data)));
	}
}

/* Of another program's format, and whole. */
static void write_format(char *bytes, size_t length, int format)
{
	char head[512] = "";
	const int used = snprintf(head, sizeof(head),
				  "freshet checkpoint\nformat %d\nbytes %zu\n"
				  "crc64 0000000000000000\n",
				  format, length);
	assert_true(used > 0);
	memcpy(bytes, head, sizeof(head));
	snprintf(head, sizeof(head), "%016llx", (unsigned long long)crc64(0, bytes, length));
	memcpy(strstr(bytes, "crc64 ") + 6, head, 16);
	write_file(bytes, length);
}

static void test_damage(void **state)
{
	(void)state;
	struct checkpoint c = make();
	size_t length;
	assert_true(checkpoint_write(&c, folder, NAME));
	checkpoint_free(&c);
	char *bytes = read_file(&length);
	const size_t stride = tests_are_full() ? 1 : 97;
	for (size_t i = 0; i < length; i += i < 600 ? 1 : stride) {
		bytes[i] ^= (char)(1 << i % 8);
		write_file(bytes, length);
		assert_refused("is ");
		bytes[i] ^= (char)(1 << i % 8);
	}
	for (size_t n = 0; n < length; n += n < 600 ? 7 : 10 * stride) {
		write_file(bytes, n);
		assert_refused(n == 0 ? "empty" : n < 512 ? "is " : "truncated");
	}
	bytes[length] = 0;
	write_file(bytes, length + 1);
	assert_refused("damaged");
	write_file("\x89HDF\r\n\x1a\n and more", 18);
	assert_refused("not a checkpoint");

	write_format(bytes, length, CHECKPOINT_FORMAT + 1);
	assert_refused("newer version (format 9");
	write_format(bytes, length, CHECKPOINT_OLDEST - 1);
	assert_refused("older version (format 1");
	test_free(bytes);

	assert_int_equal(remove(path), 0);
	assert_refused("No such file");
	assert_int_equal(mkdir(path, 0777), 0);
	assert_refused("not a file");
	assert_int_equal(rmdir(path), 0);
}

/* A right checksum over wrong contents. */
static void test_nonsense(void **state)
{
	(void)state;
	struct checkpoint c = make();
	const u32 count = c.state.particles;
	u32 *ids = checkpoint_ids(&c.state);
	f32 *position = checkpoint_values(&c.state, "particles/position");
	f32 *affine = checkpoint_values(&c.state, "particles/affine");
	for (int what = 0; what < 11; what++) {
		struct checkpoint bad = c;
		struct frame_record frame = c.summary.frames[0];
		const u32 id = ids[count / 2];
		const f32 x = position[count / 2], a = affine[count];
		bad.frame = what == 0 ? -1 : bad.frame + (what == 1);
		bad.substep = what == 2 ? -2 : bad.substep;
		bad.time = what == 3 ? (double)NAN : bad.time;
		bad.grid_speed = what == 4 ? -1.0 : bad.grid_speed;
		if (what == 5)
			ids[count / 2] = c.state.ids.end;
		if (what == 6)
			position[count / 2] = NAN;
		if (what == 7)
			affine[count] = INFINITY;
		if (what == 8)
			c.summary.frames[0].frame = 7;
		/* More than came in; likewise, with a sum beyond 32 bits. */
		if (what >= 9)
			bad.ledger.entered_outflows =
				what == 9 ? bad.ledger.entered + 1 : UINT32_MAX;
		if (what == 10)
			bad.ledger.entered_emitters = 1;
		assert_true(checkpoint_write(&bad, folder, NAME));
		assert_refused("make no sense");
		c.summary.frames[0] = frame;
		ids[count / 2] = id;
		position[count / 2] = x;
		affine[count] = a;
	}
	checkpoint_free(&c);
}

/* Of the seal of other HDF5 files: any bit that is wrong and any byte that lacks is found. */
static void test_seal(void **state)
{
	(void)state;
	char reason[FILE_READ_REASON], bytes[200 + FILE_SEAL] = "\x89HDF\r\n\x1a\n";
	for (size_t i = 8; i < 200; i++)
		bytes[i] = (char)(i * 37 % 251);
	file_seal(bytes + 200, bytes, 200);
	size_t length = sizeof(bytes);
	assert_true(file_seal_check(bytes, &length, reason));
	assert_int_equal(length, 200);
	for (size_t bit = 0; bit < 8 * sizeof(bytes); bit++) {
		length = sizeof(bytes);
		*reason = '\0';
		bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
		assert_false(file_seal_check(bytes, &length, reason));
		assert_true(*reason && length == sizeof(bytes));
		bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
	}
	for (size_t most = 0; most < sizeof(bytes); most++) {
		length = most;
		assert_false(file_seal_check(bytes, &length, reason));
	}
}

static int open_folder(void **state)
{
	(void)state;
	if (!temporary_folder(folder, "checkpoint"))
		return -1;
	snprintf(path, sizeof(path), "%s/" NAME, folder);
	return 0;
}

static int close_folder(void **state)
{
	(void)state;
	remove(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_checksum),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_seal),
	};
	return cmocka_run_group_tests(tests, open_folder, close_folder);
}
