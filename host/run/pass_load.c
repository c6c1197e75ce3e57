/* The state of a frame, from its file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint/checkpoint.h"
#include "field_formats.h"
#include "file_read.h"
#include "message.h"
#include "moving/motion.h"
#include "particles_load.h"
#include "pass.h"
#include "read_particles.h"
#include "scene_compare.h"
#include "sim_copies.h"
#include "state.h"
#include "state_hash.h"

/* Fields of the grid that a view is drawn from, which particles do not give. */
static unsigned fields_of_view(enum scene_view view)
{
	switch (view) {
	case VIEW_PRESSURE:
		return FIELD_PRESSURE | FIELD_LEVELSET | FIELD_CELLS;
	case VIEW_LEVELSET:
		return FIELD_LEVELSET;
	case VIEW_CELLS:
		return FIELD_CELLS;
	case VIEW_PARTICLES:
	case VIEW_SPEED:
	case VIEW_SURFACE:
		break;
	}
	return 0;
}

bool pass_needs_fields(const struct pass_options *options, const struct scene *scene)
{
	return options->kind == PASS_RENDER && fields_of_view(scene->output.png_view) != 0;
}

/* ---- the simulation ----------------------------------------------------------------------- */

/* A simulation without particles, with room for ids below `ids`.  The pictures' buffers are as
 * large as it. */
static bool make_room(struct pass *pass, u32 ids)
{
	if (pass->sim && sim_particle_room(pass->sim) >= ids)
		return true;
	picture_files_release(&pass->pictures);
	mesh_files_release(&pass->mesh);
	sim_destroy(pass->sim);
	const struct sim_particles none = {.capacity = ids ? ids : 1};
	pass->sim = sim_create_from_particles(pass->scene, pass->cl, &none);
	return pass->sim && picture_files_init(&pass->pictures, subject_of(pass->sim), NULL) &&
	       mesh_files_init(&pass->mesh, subject_of(pass->sim));
}

/* ---- is it that state? -------------------------------------------------------------------- */

static const struct published_frame *find_frame(const struct published_frame *frames, size_t count,
						int frame)
{
	for (size_t i = 0; i < count; i++)
		if (frames[i].frame == frame)
			return &frames[i];
	return NULL;
}

/* What a file holds, to be hashed on the host: one of them. */
struct file_state {
	const struct particle_snapshot *particles;
	const struct checkpoint *checkpoint;
};

static bool hash_on_host(const struct pass *pass, int frame, struct file_state state, u64 *hash)
{
	const size_t count = pass->scene->body_count;
	if (state.particles) {
		if (!state_hash_snapshot(pass->scene->dim, frame, state.particles, hash))
			return false;
		if (count > 0)
			*hash = bodies_hash(*hash, bodies_table_find(&pass->bodies, count, frame),
					    count);
		return true;
	}
	return checkpoint_hash(state.checkpoint, hash);
}

/* A run that goes on, or was killed, has its latest hashes in stats.csv only. */
static bool check_hash(struct pass *pass, int frame, const char *path, struct file_state state)
{
	u64 hash, on_host;
	const struct published_run *run = &pass->published;
	const struct published_frame *known = find_frame(pass->rows, pass->row_count, frame);
	if (!known)
		known = find_frame(run->frames, run->frame_count, frame);
	if (!known)
		return true;
	if (!sim_hash(pass->sim, frame, &hash))
		return false;
	if (hash == known->hash)
		return true;
	if (!hash_on_host(pass, frame, state, &on_host))
		return false;
	if (on_host == known->hash)
		return state_hash_blame_device(pass->sim, frame, hash, on_host);
	if (pass->same_version)
		return message_error(
			"'%s' is damaged, or not of frame %d of this run: its state has "
			"the hash %016" PRIx64 ", the run's had %016" PRIx64,
			path, frame, on_host, known->hash);
	message_warning("'%s' has the hash %016" PRIx64 ", freshet %s (%s) wrote %016" PRIx64, path,
			on_host, run->version, run->git, known->hash);
	return true;
}

/* Solids to where they are in a frame. */
static bool place_solids(struct pass *pass, int frame)
{
	const size_t count = pass->scene->body_count;
	const struct body *bodies = bodies_table_find(&pass->bodies, count, frame);
	if (count > 0 && !bodies)
		return message_error("'%s' has no bodies.csv with frame %d, which tells where "
				     "bodies are",
				     pass->options->run, frame);
	return motion_place(pass->sim, frame / pass->scene->time.fps, bodies);
}

/* ---- files -------------------------------------------------------------------------------- */

static bool load_particles(struct pass *pass, const struct pass_frame *frame, const char *path)
{
	struct particle_snapshot particles;
	char reason[FILE_READ_REASON];
	if (!read_particles(path, (enum scene_particle_format)(frame->file - NUMBERED_PARTICLES),
			    pass->scene, &particles, reason))
		return file_refuse(path, reason);
	const u32 ids = particles.count > 0 ? particle_ids(&particles)[particles.count - 1] + 1 : 0;
	const bool ok =
		make_room(pass, ids) && place_solids(pass, frame->frame) &&
		particles_load_snapshot(pass->sim, &particles) &&
		check_hash(pass, frame->frame, path, (struct file_state){.particles = &particles});
	particle_snapshot_finish(&particles);
	return ok;
}

static bool is_of_run(const struct pass *pass, const struct checkpoint *checkpoint)
{
	struct scene_differences differences;
	return scene_compare(pass->published.scene, checkpoint->scene, &differences) &&
	       differences.count == 0;
}

static bool load_checkpoint(struct pass *pass, const struct pass_frame *frame, const char *path)
{
	struct checkpoint checkpoint = {0};
	char reason[FILE_READ_REASON];
	if (!checkpoint_read(path, true, &checkpoint, reason))
		return file_refuse(path, reason);
	const u32 ids = checkpoint.state.ids.end;
	bool ok = true;
	if (!is_of_run(pass, &checkpoint))
		ok = message_error("'%s' is of another scene than the run", path);
	else if (checkpoint.frame != frame->frame || checkpoint.substep != 0)
		ok = message_error("'%s' is not the state of frame %d", path, frame->frame);
	else if (ids > SIM_MAX_PARTICLES)
		ok = message_error("'%s' is damaged (its contents make no sense)", path);
	ok = ok && make_room(pass, ids) && checkpoint_load_particles(&checkpoint, pass->sim) &&
	     motion_place(pass->sim, checkpoint.time, NULL) &&
	     check_hash(pass, frame->frame, path, (struct file_state){.checkpoint = &checkpoint});
	checkpoint_free(&checkpoint);
	return ok;
}

static bool load_fields(struct pass *pass, const struct pass_frame *frame, const char *path)
{
	const struct field_format *format = field_formats[frame->file - NUMBERED_FIELDS];
	const unsigned wanted = fields_of_view(pass->scene->output.png_view);
	struct grid_copy fields = {0};
	char reason[FILE_READ_REASON];
	const bool ok = make_room(pass, 1) && place_solids(pass, frame->frame) &&
			(format->read(path, pass->scene, wanted, &fields, reason) ||
			 file_refuse(path, reason)) &&
			(grid_copy_load(&fields, pass->sim) ||
			 file_refuse(path, "could not be given to the device"));
	grid_copy_free(&fields);
	return ok;
}

bool pass_load(struct pass *pass, const struct pass_frame *frame)
{
	bool ok = false;
	char *path = pass_frame_path(pass->options->run, frame);
	if (!path)
		return false;
	if (frame->file < NUMBERED_FIELDS)
		ok = load_particles(pass, frame, path);
	else if (frame->file < NUMBERED_PICTURES)
		ok = load_fields(pass, frame, path);
	else if (frame->file == NUMBERED_CHECKPOINTS)
		ok = load_checkpoint(pass, frame, path);
	free(path);
	return ok;
}
