/* Connected components of liquid and air, and the null spaces they bring
 * (kernels/pressure/components.cl).
 */
#ifndef FRESHET_COMPONENTS_H
#define FRESHET_COMPONENTS_H

#include "poisson.h"

/* Labels the components with the operator's current ties.  Counts go to lattice->host_scalars
 * (SCALAR_COMPONENTS, ..._SINGULAR_COMPONENTS, ..._AIR_REGIONS); p->component then holds
 * the number of a cell's singular component or SEALED_NONE. */
bool components_label(struct poisson *p);

/* After poisson_list_unknowns(): components and the rest of the operator, with one read of the
 * scalars for both. */
bool components_set_up(struct poisson *p);

/* Removes from the level-0 vector v its mean over every singular component; nothing to do when
 * there are none. */
bool components_project(struct poisson *p, union f32_buffer *v);
/* The same with cells shared out as told, which changes no bit. */
bool components_project_by(struct poisson *p, union f32_buffer *v, struct components_share share);
/* The sum of v over each singular component, as far as it is above 0, all together: what these
 * cannot give way by where v is their inflow. */
bool components_excess(struct poisson *p, union f32_buffer *v, double *sum);
/* The share on a device of so many compute units.  All work-items add to the same few words, and
 * cores wait for one another there: a CPU has a few of them, all others enough to be busy. */
struct components_share components_share_rows(const struct grid *g, enum clx_path path, u32 units);

#endif
