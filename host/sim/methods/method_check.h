/* Whether the rows of a method fit each other. */
#ifndef FRESHET_METHOD_CHECK_H
#define FRESHET_METHOD_CHECK_H

#include "method.h"

/* Do stages list fields that there are, and the forces' kick where they need it?  Can what is saved
 * be saved?  False after reporting. */
bool method_check(const struct method *method);

#endif
