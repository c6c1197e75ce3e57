/*
 * Pictures of a subject, drawn on its device.
 *
 * 2D: particles, or a field on the plane.  3D: particles as water or coloured by speed, seen by
 * the scene's camera; the other fields on the middle slice of constant z.  Nothing of the
 * subject is written, so drawing never changes a run.  All arithmetic is correctly rounded or
 * integer: an image has the same bytes on every device.
 */
#ifndef FRESHET_RENDER_H
#define FRESHET_RENDER_H

#include "image.h"
#include "subject.h"

struct surface; /* surface.h */
struct render;	/* opaque: device buffers and constants of one picture size and view */

/*
 * Prepares pictures of size[0] x size[1] pixels; the box keeps its aspect ratio, centred.  Device
 * memory is allocated here, and per picture only where spheres reach more tiles than before: 2D 8
 * to 20 bytes per pixel and 8 to 20 per density bin (a cell or larger), 3D 30 to 38 bytes per
 * working pixel (four per pixel up to a million pixels, where they pay for smooth edges) and 12 per
 * particle; the view of the surface what surface_init() takes, and 4 bytes per pixel.  The subject
 * must outlive the result.  shared: a surface of the subject for the view of it, made anew by each
 * picture, which then says that it is current; NULL: one of its own.  NULL after reporting.
 */
struct render *render_create(struct subject subject, const int size[2], enum scene_view view,
			     struct surface *shared);
void render_destroy(struct render *render); /* accepts NULL */

/* Bytes of device memory that render_create() will hold for a scene's output.png (0 without one),
 * with output.mesh less the surface, which a run's meshes share with it,
 * and room for so many particles, found without a device.  False after reporting what
 * render_create() would refuse. */
bool render_memory(const struct scene *scene, u32 particles, uint64_t *bytes);

/* Solids or camera of the subject are not what they were: what stands around the liquid is drawn
 * anew with the next picture.  Of solids that move this is known.  False after reporting. */
bool render_invalidate(struct render *render);

/*
 * Draws the present state of the subject.  What it shows beside liquid and shadows is that of the
 * picture before.  *image is allocated or reused (image_init) and belongs
 * to the caller. One read of the finished pixels; waits for all queued work.  False after
 * reporting.
 */
bool render_frame(struct render *render, struct image *image);

/* Writes onto a picture of that frame what the scene's output.png wants there: its time, a scale
 * bar. */
void render_stamp(const struct render *render, int frame, struct image *image);

#endif
