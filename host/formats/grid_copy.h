/* Fields of the grid on the host, as files hold them. */
#ifndef FRESHET_GRID_COPY_H
#define FRESHET_GRID_COPY_H

#include "scene.h"
#include "shared.h"

/* Those at cell centres, in the order that files have. */
#define CENTRE_FIELD(KIND, name, type) CENTRE_##KIND,
#define CENTRE_FIELD_ONE(KIND, name, type) +1
#define CENTRE_FIELD_NONE(KIND, name)
enum centre_field { GRID_FIELDS(CENTRE_FIELD_NONE, CENTRE_FIELD) };
#define CENTRE_FIELDS (0 GRID_FIELDS(CENTRE_FIELD_NONE, CENTRE_FIELD_ONE))

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
	u32 *volume;		     /* [L], share of cells in units of 2^-30, as i32 */
};
void grid_copy_free(struct grid_copy *copy); /* leaves it empty */

#endif
