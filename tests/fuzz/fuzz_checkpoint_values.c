/*
 * The reader of checkpoints on whole HDF5 files with forged contents: objects that lack, of other
 * types and shapes than expected, and any values.  The input is a list of changes to a good file.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint/checkpoint_format.h"
#include "crc64.h"
#include "fuzz.h"
#include "fuzz_hdf5.h"
#include "ledger.h"
#include "scene.h"
#include "scene_compare.h"

#define PARTICLES 5
#define FRAMES 4
#define MOST_CHANGES 12

static const char good_scene[] = "{\"domain\": {\"size\": [2, 1], \"cells\": [8, 4]}, \"name\": 1}";
static char *good; /* a file that is taken */
static size_t good_bytes;

/* ---- the good file ------------------------------------------------------------------------ */

static void make_good(void)
{
	f32 vectors[4 * PARTICLES] = {0.5f};
	u32 id[PARTICLES] = {4, 3, 2, 1, 0};
	struct frame_record frames[FRAMES] = {
		{.frame = 0}, {.frame = 1}, {.frame = 2}, {.frame = 3}};
	int resumed[2] = {1, 2};
	char version[] = "1", git[] = "unknown", scene[sizeof(good_scene)], warnings[] = "one\n";
	strcpy(scene, good_scene);
	struct checkpoint c = {
		.version = version,
		.git = git,
		.scene = scene,
		.dim = 2,
		.frame = FRAMES - 1,
		.summary = {.frames = frames, .frame_count = FRAMES},
		.warnings = warnings,
		.resumed_at = resumed,
		.resumed_count = 2,
	};
	struct id_range range = {0, 1};
	checkpoint_state_outline(&c.state, method_find("flip"), 2, PARTICLES, 0);
	for (size_t i = 0; i < c.state.array_count; i++)
		c.state.arrays[i].data = vectors;
	checkpoint_array(&c.state, "particles/id")->data = id;
	c.state.ids = (struct id_ranges){&range, 1, 1, PARTICLES};
	char path[400];
	const char *folder = fuzz_folder("good.h5", false);
	fuzz_expect(checkpoint_write(&c, folder, "good.h5"), "a checkpoint can be written");
	snprintf(path, sizeof(path), "%s/good.h5", folder);
	FILE *file = fopen(path, "rb");
	fuzz_expect(file && fseek(file, 0, SEEK_END) == 0, "it is there");
	good_bytes = (size_t)ftell(file);
	good = malloc(good_bytes);
	rewind(file);
	fuzz_expect(good && fread(good, 1, good_bytes, file) == good_bytes, "it can be read");
	fclose(file);
}

static void free_good(void)
{
	free(good);
	H5close();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_be_silent();
	atexit(free_good);
	fuzz_hdf5_begin();
	make_good();
	return 0;
}

/* ---- changes ------------------------------------------------------------------------------ */

static const char *const sets[] = {
	"scene",
	"particles/position",
	"particles/velocity",
	"particles/affine",
	"particles/id",
	"ids/first",
	"ids/liquid",
	"ids",
	"frames/frame",
	"frames/substeps",
	"frames/time",
	"frames/seconds",
	"frames/hash",
	"run/warnings",
	"run/resumed_at",
	"particles",
	"run",
	"frames",
	"ledger/accounts",
	"ledger/drained",
	"ledger/missed",
	"ledger",
	"ledger/flown",
	"outflows/owed",
	"outflows/turn",
	"outflows",
};
#define SETS (sizeof(sets) / sizeof(sets[0]))

static void replace_attribute(hid_t file, const char *group, const char *name, hid_t type,
			      hid_t space, struct input *input)
{
	H5Adelete_by_name(file, group, name, H5P_DEFAULT);
	const hid_t attribute = H5Acreate_by_name(file, group, name, type, space, H5P_DEFAULT,
						  H5P_DEFAULT, H5P_DEFAULT);
	uint8_t *values = attribute < 0 ? NULL : take_values(input, type, space);
	if (values)
		H5Awrite(attribute, type, values);
	free(values);
	if (attribute >= 0)
		H5Aclose(attribute);
}

/* An attribute becomes another, of its own type or of any. */
static void change_attribute(hid_t file, bool any, struct input *input)
{
	static const char *const others[] = {"version",	     "git",	     "dim",	   "method",
					     "limit_warned", "parts_warned", "tiny_warned"};
	const size_t count = checkpoint_number_count + sizeof(others) / sizeof(others[0]);
	const size_t which = take(input) % count;
	const bool number = which < checkpoint_number_count;
	const char *group = number ? checkpoint_numbers[which].group : ".";
	const char *name =
		number ? checkpoint_numbers[which].name : others[which - checkpoint_number_count];
	hid_t type, space;
	if (any) {
		type = take_type(input);
		space = take_space(input);
	} else {
		type = H5Tcopy(number ? checkpoint_file_type(checkpoint_numbers[which].type)
				      : H5T_STD_I32LE);
		space = H5Screate(H5S_SCALAR);
	}
	replace_attribute(file, group, name, type, space, input);
	H5Sclose(space);
	H5Tclose(type);
}

static void change(hid_t file, struct input *input)
{
	const unsigned kind = take(input) % 8;
	const char *name = kind < 3 || kind > 4 ? sets[take(input) % SETS] : NULL;
	const char *other = sets[(kind == 6 || kind == 7) ? take(input) % SETS : 0];
	if (kind == 0) {
		H5Ldelete(file, name, H5P_DEFAULT);
	} else if (kind == 1) {
		replace_set(file, name, input);
	} else if (kind == 2) {
		change_values(file, name, input);
	} else if (kind == 3 || kind == 4) {
		change_attribute(file, kind == 4, input);
	} else if (kind == 5) {
		change_text(file, take(input) & 1 ? name : "scene", input);
	} else {
		change_link(file, name, other, kind == 6);
	}
}

/* Puts a right checksum in front.  Returns the path. */
static const char *seal(hid_t file, hid_t access)
{
	size_t bytes;
	char *image = fuzz_hdf5_image(file, access, &bytes);
	checkpoint_block(image, CHECKPOINT_FORMAT, bytes, 0);
	checkpoint_block(image, CHECKPOINT_FORMAT, bytes, crc64(0, image, bytes));
	return fuzz_file(image, bytes);
}

/* ---- what is taken ------------------------------------------------------------------------ */

static void check_taken(const struct checkpoint *c)
{
	const struct checkpoint_state *state = &c->state;
	const u32 *id = checkpoint_ids(state);
	const size_t d = (size_t)c->dim;
	struct scene_differences differences;
	fuzz_expect(c->frame >= 0 && c->summary.frame_count == (size_t)c->frame + 1,
		    "a record of every frame");
	fuzz_expect(d == 2 || d == 3, "two or three dimensions");
	fuzz_expect(c->version && c->git && c->scene && c->warnings, "texts");
	for (size_t a = 0; a < state->array_count; a++)
		for (size_t i = 0; state->arrays[a].field->type == FIELD_F32 &&
				   i < state->arrays[a].components * state->particles;
		     i++)
			fuzz_expect(isfinite(((f32 *)state->arrays[a].data)[i]), "finite");
	fuzz_expect(state->particles <= SIM_MAX_PARTICLES &&
			    ledger_created(&c->ledger) <= SIM_MAX_PARTICLES,
		    "as many particles as there may be");
	for (size_t i = 0; i < state->particles; i++)
		fuzz_expect(id[i] < state->ids.end, "ids that were given");
	scene_compare(c->scene, good_scene, &differences);
	scene_free(scene_read_text(c->scene, strlen(c->scene), "scene"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = {data, size};
	hid_t access;
	const hid_t file = fuzz_hdf5_open(good, good_bytes, &access);
	for (int i = 0; i < MOST_CHANGES && input.left > 0; i++)
		change(file, &input);
	const char *path = seal(file, access);
	H5Fclose(file);
	H5Pclose(access);

	struct checkpoint c;
	char reason[FILE_READ_REASON] = "";
	const bool taken = checkpoint_read(path, true, &c, reason);
	fuzz_expect(taken || (size > 0 && reason[0]), "the good file is taken");
	if (taken)
		check_taken(&c);
	checkpoint_free(&c);
	return 0;
}
