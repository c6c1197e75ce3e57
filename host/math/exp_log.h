/* exp and ln in double from + - * / only, so that every host gives the same bits. */
#ifndef FRESHET_EXP_LOG_H
#define FRESHET_EXP_LOG_H

/* ln x for x > 0, to about 1e-15 relative. */
double exact_log(double x);
/* e^x for |x| < 700. */
double exact_exp(double x);
/* x^y for x >= 0; 0^0 = 1. */
double exact_pow(double x, double y);

#endif
