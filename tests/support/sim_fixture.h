/*
 * Shared by the invariant tests: simulations from scene texts, their particles and grid fields as
 * host arrays, and bars that report what was measured.
 *
 * A test measures with expect(), which prints value and bar and goes on; fixture_main() fails the
 * test afterwards if any bar was missed.  `PROGRAM NAME` runs the tests whose name matches NAME
 * (with * and ?); `--full`, or FRESHET_TEST_FULL=1, asks for the long forms.
 */
#ifndef FRESHET_SIM_FIXTURE_H
#define FRESHET_SIM_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim.h"

#ifdef __GNUC__
#define FIXTURE_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define FIXTURE_PRINTF(f, a)
#endif

/* ---- the program ------------------------------------------------------------------------ */

struct fixture_case {
	const char *name;
	void (*run)(void);
};
/* clang-format off */
#define CASE(function) {#function, function}
/* clang-format on */

/* Runs the cases, returns the exit code of main(). */
int fixture_main(int argc, char **argv, const struct fixture_case *cases, size_t count);
#define FIXTURE_MAIN(argc, argv, cases) \
	fixture_main((argc), (argv), (cases), sizeof(cases) / sizeof((cases)[0]))

/* Appends keys of a motion along x that begins at rest: x = rate t^2 / 2, 41 times up to 0.8 s. */
void fixture_append_push(char *text, size_t room, int dim, double rate);
/* Long forms wanted? */
bool fixture_full(void);
/* The value for this form of the test. */
double fixture_pick(double quick, double full);

/* ---- bars ------------------------------------------------------------------------------- */

/* Prints a heading for the bars that follow. */
void fixture_note(const char *format, ...) FIXTURE_PRINTF(1, 2);
/* Passes if low <= value <= high; NaN never does. */
void expect(const char *what, double value, double low, double high);
/* |value| <= bar. */
void expect_small(const char *what, double value, double bar);

/* ---- simulations ------------------------------------------------------------------------ */

/* Reads the scene that `format` makes, 2D or 3D, and creates its simulation, measured at t = 0.
 * Fails the test on any error.  Freed by fixture_free(). */
struct sim *fixture_sim(const char *format, ...) FIXTURE_PRINTF(1, 2);
void fixture_free(struct sim *sim); /* accepts NULL */

/* Number of warnings since the last fixture_sim(). */
int fixture_warnings(void);

/* Fails the test when the substep fails. */
void fixture_step(struct sim *sim);
/* Substeps until t (a multiple of 1/fps), calling `after` (may be NULL) after each. */
void fixture_run(struct sim *sim, double t, void (*after)(struct sim *sim, void *user), void *user);

/* Readies the scalars and the time step for stages that a test calls one by one. */
void fixture_begin(struct sim *sim, double dt);
/* A stage must succeed. */
void fixture_stage(bool ok);

/* ---- particles -------------------------------------------------------------------------- */

/* Particles on the host, in the order of their ids.  x, v: f32 [3][count], m and m/s, 0 beyond dim;
 * affine: f32 [dim*dim][count], 1/s, row = component, NULL without APIC. */
struct cloud {
	int dim;
	u32 count;
	u32 *id;
	f32 *x[3], *v[3], *affine;
};

/* A copy of the living particles.  Freed by cloud_free(). */
struct cloud cloud_read(const struct sim *sim);
/* Replaces the particles; at most as many as the simulation was created with. */
void cloud_write(struct sim *sim, const struct cloud *cloud);
/* `count` particles at 0, at rest, with ids 0, 1, ... */
struct cloud cloud_make(int dim, u32 count, bool affine);
void cloud_free(struct cloud *cloud);

/* Root mean square speed. */
double cloud_vrms(const struct cloud *cloud);
/* Mean of a component. */
double cloud_mean(const struct cloud *cloud, const f32 *component);

/* ---- fields ----------------------------------------------------------------------------- */

/* A copy of a whole buffer, malloc'ed. */
#define fixture_read(sim, buffer) fixture_read_raw((sim), &(buffer)->raw)
void *fixture_read_raw(const struct sim *sim, const struct clx_buffer *buffer);
#define fixture_write(sim, buffer, data, bytes) \
	fixture_write_raw((sim), &(buffer)->raw, (data), (bytes))
void fixture_write_raw(struct sim *sim, struct clx_buffer *buffer, const void *data, size_t bytes);

/* Lattice index of (i,j,k), as shared.h defines it. */
size_t lattice_at(const struct grid *g, i32 i, i32 j, i32 k);
/* Do they exist? */
bool has_cell(const struct grid *g, i32 i, i32 j, i32 k);
bool has_face(const struct grid *g, int c, i32 i, i32 j, i32 k);
/* Particles per cell, u32 [L], malloc'ed. */
u32 *count_particles(const struct sim *sim, const struct cloud *cloud);

/* ---- random numbers --------------------------------------------------------------------- */

/* Uniform in [0, 1): a splitmix64 sequence. */
double fixture_random(u64 *state);

#endif
