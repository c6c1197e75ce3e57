#include "output_kinds.h"

#include <stddef.h>

#define NAME(KIND, name) #name,
#define NAME_OF_FIELD(KIND, name, ...) #name,

const char *const picture_view_names[] = {PICTURE_VIEWS(NAME) NULL};
const char *const particle_format_names[] = {PARTICLE_FORMATS(NAME) NULL};
const char *const field_format_names[] = {FIELD_FORMATS(NAME) NULL};
const char *const mesh_format_names[] = {MESH_FORMATS(NAME) NULL};
const char *const grid_field_names[] = {GRID_FIELDS(NAME, NAME_OF_FIELD) NULL};

bool picture_view_is_flat(int dim, enum scene_view view)
{
	return dim == 2 || view == VIEW_PRESSURE || view == VIEW_LEVELSET || view == VIEW_CELLS;
}
