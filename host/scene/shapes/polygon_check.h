/* Whether a closed line of points is the outline of something. */
#ifndef FRESHET_POLYGON_CHECK_H
#define FRESHET_POLYGON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

enum polygon_fault { POLYGON_SOUND, POLYGON_FLAT, POLYGON_CROSSES, POLYGON_NO_MEMORY };

/*
 * Of `count` points (x, y), in O(count log count): the sweep of Shamos & Hoey 1976.  Edge i leads
 * from point i to the next.  Edges may touch and lie on one another, so that slits can lead to
 * holes; they may not pass to the other side where they meet, in a point of either or between.
 * edges[]: two that cross, the lower first.  Lines that change sides along a stretch that they
 * share are not found.
 */
enum polygon_fault polygon_check(const float *points, size_t count, size_t edges[2]);

#endif
