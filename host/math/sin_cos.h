/* sine and cosine in double from + - * / only, so that every host gives the same bits. */
#ifndef FRESHET_SIN_COS_H
#define FRESHET_SIN_COS_H

/* sin x and cos x, x in rad: to about 2e-16 for |x| < 1e6, beyond to about 1e-22 |x|. */
void exact_sin_cos(double x, double *sine, double *cosine);

#endif
