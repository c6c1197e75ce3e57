/*
 * Inflows.  docs/method.md, "Inflows".
 */
#ifndef FRESHET_SOURCES_H
#define FRESHET_SOURCES_H

#include "state.h"

/* sources_plan.c: finds the sites and faces of the scene's inflows, and makes their buffers; after
 * the solids.  Refuses inflows that solids close.  False after reporting. */
bool sources_create(struct sim *sim);
void sources_destroy(struct sim *sim); /* accepts zeros */

/* How far an inflow's liquid has come in by time t, m along its velocity's part across the wall. */
double sources_advance(const struct scene_inflow *inflow, double t);
/* The layers that have entered by then. */
double sources_layers(const struct scene_inflow *inflow, const struct inflow *own, double t);

/* Particles that come in until the scene's last frame, about, but for outflows and for what
 * emitters bring to stay full; no device is needed. */
double sources_estimate(const struct scene *scene);

/* Greatest speed of what comes in from t to t + dt, m/s. */
double sources_speed(const struct sim *sim, double t, double dt);
/* Particles that come in from time `start` to `end`, s. */
double sources_particles(const struct sim *sim, double start, double end);

/* Particles that may come in within a substep where nobody can tell how many: through outflows, and
 * by emitters. */
double sources_room(const struct sim *sim);

/* sources_plan.c: the cells beside the wall that a part of it touches along each axis, one across
 * it; and what of the face of one of them, from low[] to high[], no solid covers. */
void sources_cells(const struct sim *sim, const struct scene_opening *part, int first[3],
		   int end[3]);
double sources_open_part(const struct sim *sim, const struct scene_opening *part,
			 const double low[3], const double high[3]);
/* The root of n that the dimension has: places of particles along an axis of a cell. */
double sources_root(double n, int dim);

/* Stages: the flux through the walls in the substep; at its end drains, and the particles that have
 * come in. */
bool sources_flow(struct sim *sim);
bool sources_emit(struct sim *sim);
/* Enters what they did into the ledger, once the substep counts. */
bool sources_accept(struct sim *sim);

#endif
