/* Fields of the grid on the host, as files hold them. */
#ifndef FRESHET_GRID_COPY_H
#define FRESHET_GRID_COPY_H

#include "scene.h"
#include "shared.h"

/* Those at cell centres, in the order that files have. */
enum centre_field { CENTRE_PRESSURE, CENTRE_LEVELSET, CENTRE_CELLS, CENTRE_FIELDS };
struct centre_field_kind {
	enum scene_field bit;
	const char *name;
	size_t size; /* bytes of a value: 4 = f32, 1 = enum cell_type */
};
extern const struct centre_field_kind centre_fields[CENTRE_FIELDS];

/* Arrays over the lattice (shared.h), owned; NULL = not there. */
struct grid_copy {
	f32 *u_face;		     /* [D][L], m/s */
	uint8_t *valid;		     /* [L], which faces hold a value, as state.h has it */
	void *centre[CENTRE_FIELDS]; /* [L]; Pa, m, enum cell_type */
};
void grid_copy_free(struct grid_copy *copy); /* leaves it empty */

#endif
