/* The outcome of a validation as JUnit XML, for CI: a suite a case, a test a criterion. */
#ifndef FRESHET_VALIDATE_JUNIT_H
#define FRESHET_VALIDATE_JUNIT_H

#include "validate.h"

/*
 * Writes it to v->options->junit, whole or not at all.  A criterion that is missed is a failure; so
 * is one that is met though it is listed as missed.  A known miss is skipped, with its reason; one
 * without a band is left out.  A case that could not be run is an error, and so is one without a
 * criterion that has a band.  False after reporting.
 */
bool validate_write_junit(const struct validate *v);

#endif
