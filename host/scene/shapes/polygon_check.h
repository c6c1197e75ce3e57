/* Whether a closed line of points is the outline of something. */
#ifndef FRESHET_POLYGON_CHECK_H
#define FRESHET_POLYGON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

enum polygon_fault { POLYGON_SOUND, POLYGON_FLAT, POLYGON_CROSSES, POLYGON_NO_MEMORY };

/* Of `count` points (x, y).  Edge i leads from point i to the next; edges may touch, so that slits
 * can lead to holes.  edges[]: two that cross. */
enum polygon_fault polygon_check(const float *points, size_t count, size_t edges[2]);

#endif
