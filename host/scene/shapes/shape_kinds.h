/* What the host knows of each kind of shape: a row for each of the lists of shared.h. */
#ifndef FRESHET_SHAPE_KINDS_H
#define FRESHET_SHAPE_KINDS_H

#include "keys/scene_key_rows.h"
#include "scene_shape.h"

/* A shape program under construction. */
struct shape_builder {
	struct scene_reader *reader;
	struct shape_program *program;
	size_t op_capacity, point_capacity;
	int depth; /* values on the stack after the ops so far */
	bool plates;
};

struct shape_primitive {
	/* Fills *op from the mapping, whose keys are checked.  False after reporting. */
	bool (*read)(struct shape_builder *b, const struct scene_node *node, struct shape_op *op);
	/* The members of the mapping; reading them back gives the same instruction. */
	void (*write)(struct json_writer *json, const struct shape_program *program,
		      const struct shape_op *op, int dim);
	/* The box around it. */
	void (*bound)(const struct shape_program *program, const struct shape_op *op,
		      struct scene_bounds *bounds);
	/* Along its thinnest axis, m; infinite where that says nothing. */
	double (*thickness)(const struct shape_op *op, int dim);
};

struct shape_pair {
	/* *bounds, that of the first shape, becomes that of the pair. */
	void (*bound)(struct scene_bounds *bounds, const struct scene_bounds *other);
	bool keeps_thickness; /* is as thick as the thinner of the two */
};

/* The keys of its mapping stand beside it, in a section of their own. */
#define SHAPE_PRIMITIVE_ROW(KIND, name, arguments)                  \
	extern const struct shape_primitive shape_primitive_##name; \
	extern const struct scene_section_keys shape_section_##name;
SHAPE_PRIMITIVES(SHAPE_PRIMITIVE_ROW)
#define SHAPE_PAIR_ROW(KIND, name) extern const struct shape_pair shape_pair_##name;
SHAPE_PAIRS(SHAPE_PAIR_ROW)

/* By enum shape_kind; pairs from SHAPE_PRIMITIVE_KINDS on. */
extern const char *const shape_names[SHAPE_PRIMITIVE_KINDS + SHAPE_PAIR_KINDS];
extern const struct shape_primitive *const shape_primitives[SHAPE_PRIMITIVE_KINDS];
extern const struct shape_pair *const shape_pairs[SHAPE_PAIR_KINDS];

/* ---- shape_values.c: what rows are made of ------------------------------------------------ */

/* Reports "'PATH' TEXT".  Returns false. */
bool shape_fail(struct shape_builder *b, const struct scene_node *node, const char *text);

/* Rows of required keys. */
#define SHAPE_LEAST_RADIUS 1e-6 /* m */
#define SHAPE_POINT(key) OWN(key, "vector", COORDINATES, .unit = "m", .otherwise = "required")
#define SHAPE_RADIUS                                                                            \
	OWN("radius", "number", BETWEEN(SHAPE_LEAST_RADIUS, SCENE_MAX_COORDINATE), .unit = "m", \
	    .otherwise = "required")

/* Reads them.  False after reporting. */
bool shape_read_point(struct shape_builder *b, const struct scene_node *node, const char *key,
		      float point[3]);
bool shape_read_radius(struct shape_builder *b, const struct scene_node *node, float *radius);

void shape_write_point(struct json_writer *json, const char *key, const float *value, int count);
void shape_write_radius(struct json_writer *json, float radius);

bool shape_are_equal(float a, float b);
/* For kinds of which it says nothing. */
double shape_thickness_unknown(const struct shape_op *op, int dim);

#endif
