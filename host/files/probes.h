/*
 * Measurements at a point or in a column: the few values they need are read from the device.
 */
#ifndef FRESHET_PROBES_H
#define FRESHET_PROBES_H

#include "subject.h"

struct probe_value {
	bool known;	 /* false: there is no value there (inside a solid, no liquid around) */
	int count;	 /* numbers: 3 for a velocity, else 1 */
	double value[3]; /* Pa, m/s or m */
	double farthest; /* front: greatest x of any particle, m */
};

/*
 * pressure  multilinear between the centres of the cells around the point, extrapolated within half
 *           a cell of the box's walls; solid cells are left out;
 * velocity  each component multilinear between its faces; in 2D the third is 0; faces without a
 *           value are left out;
 * height    y at which phi, interpolated linearly across and along the column, first rises through
 *           0 on the way up from the floor (the top of the box if it never does); 0 in a dry
 *           column;
 * front     far side of the farthest slab of one cell along x that holds a layer of the probe's
 *           depth.
 *
 * measure.h defines them exactly.
 * Fields are those of the last substep; its phi is of the substep's beginning.  Waits for the
 * device.  False after reporting.
 */
bool probe_sample(struct subject subject, const struct scene_probe *probe,
		  struct probe_value *value);

#endif
