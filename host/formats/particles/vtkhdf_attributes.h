/* Particles in VTKHDF files: how their attributes are called and stored there. */
#ifndef FRESHET_VTKHDF_ATTRIBUTES_H
#define FRESHET_VTKHDF_ATTRIBUTES_H

#include "particle_attributes.h"
#include "vtkhdf.h"

/* Name of its array below the group VTKHDF. */
#define VTKHDF_NAME 64
const char *vtkhdf_attribute_name(enum particle_attribute attribute, char name[VTKHDF_NAME]);
enum vtkhdf_type vtkhdf_attribute_type(enum particle_attribute attribute);

#endif
