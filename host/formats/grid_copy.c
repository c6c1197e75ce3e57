#include "grid_copy.h"

#include <stdlib.h>

const struct centre_field_kind centre_fields[CENTRE_FIELDS] = {
	[CENTRE_PRESSURE] = {FIELD_PRESSURE, "pressure", sizeof(f32)},
	[CENTRE_LEVELSET] = {FIELD_LEVELSET, "levelset", sizeof(f32)},
	[CENTRE_CELLS] = {FIELD_CELLS, "cells", 1},
};

void grid_copy_free(struct grid_copy *copy)
{
	free(copy->u_face);
	free(copy->valid);
	for (int f = 0; f < CENTRE_FIELDS; f++)
		free(copy->centre[f]);
	*copy = (struct grid_copy){0};
}
