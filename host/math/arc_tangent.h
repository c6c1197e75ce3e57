/* The arc tangent in double from + - * / sqrt only, so that every host gives the same bits. */
#ifndef FRESHET_ARC_TANGENT_H
#define FRESHET_ARC_TANGENT_H

/* The angle of (x,y) from the x axis, -pi ... pi, to about 1e-15; 0 for (0,0). */
double exact_arc_tangent(double y, double x);

#endif
