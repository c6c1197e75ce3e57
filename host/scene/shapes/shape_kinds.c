#include "shape_kinds.h"

#define PRIMITIVE_NAME(KIND, name, arguments) #name,
#define PAIR_NAME(KIND, name) #name,
#define PRIMITIVE(KIND, name, arguments) &shape_primitive_##name,
#define PAIR(KIND, name) &shape_pair_##name,

const char *const shape_names[SHAPE_PRIMITIVE_KINDS + SHAPE_PAIR_KINDS] = {
	SHAPE_PRIMITIVES(PRIMITIVE_NAME) /* "box", ... */
	SHAPE_PAIRS(PAIR_NAME)		 /* "union", ... */
};
const struct shape_primitive *const shape_primitives[SHAPE_PRIMITIVE_KINDS] = {
	SHAPE_PRIMITIVES(PRIMITIVE)};
const struct shape_pair *const shape_pairs[SHAPE_PAIR_KINDS] = {SHAPE_PAIRS(PAIR)};
