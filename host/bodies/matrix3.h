/* Vectors and matrices of three; matrices are handed over by FLAT3(), row by row. */
#ifndef FRESHET_MATRIX3_H
#define FRESHET_MATRIX3_H

#define FLAT3(matrix) (&(matrix)[0][0])

static inline double dot3(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross3(const double a[3], const double b[3], double c[3])
{
	for (int i = 0; i < 3; i++)
		c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* y = m x, y = m^T x; y is not x. */
static inline void times3(const double *m, const double x[3], double y[3])
{
	for (int i = 0; i < 3; i++)
		y[i] = m[3 * i] * x[0] + m[3 * i + 1] * x[1] + m[3 * i + 2] * x[2];
}

static inline void times3_transposed(const double *m, const double x[3], double y[3])
{
	for (int i = 0; i < 3; i++)
		y[i] = m[i] * x[0] + m[3 + i] * x[1] + m[6 + i] * x[2];
}

/* The inverse by cofactors, of a matrix that has one. */
static inline void invert3(const double *m, double *inverse)
{
	double c[3][3];
	for (int i = 0; i < 3; i++)
		cross3(m + 3 * ((i + 1) % 3), m + 3 * ((i + 2) % 3), c[i]);
	const double determinant = dot3(m, c[0]);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			inverse[3 * i + j] = c[j][i] / determinant;
}

#endif
