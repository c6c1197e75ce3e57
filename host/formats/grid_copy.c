#include "grid_copy.h"

#include <stdlib.h>

#define CENTRE_ROW(KIND, name, type) {FIELD_##KIND, #name, sizeof(type)},
const struct centre_field_kind centre_fields[CENTRE_FIELDS] = {
	GRID_FIELDS(CENTRE_FIELD_NONE, CENTRE_ROW)};

void grid_copy_free(struct grid_copy *copy)
{
	free(copy->u_face);
	free(copy->valid);
	free(copy->volume);
	for (int f = 0; f < CENTRE_FIELDS; f++)
		free(copy->centre[f]);
	*copy = (struct grid_copy){0};
}
