/*
 * The keys of a scene, a row each: what it is called, what it fills, its default and range, what it
 * means.  Reading, the list of known keys, the echo, the comparison on --resume and the tables of
 * docs/scene.md come from the rows.
 */
#ifndef FRESHET_SCENE_KEY_H
#define FRESHET_SCENE_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "shared.h"
#include "solver_settings.h"

/* The kinds of mapping a scene has; each has its rows. */
enum scene_section {
	SECTION_NONE,
	SECTION_ROOT,
	SECTION_DOMAIN,
	SECTION_WALLS,
	SECTION_WALL_LAW,
	SECTION_TIME,
	SECTION_GRAVITY,
	SECTION_MOTION,
	SECTION_MOTION_KEY,
	SECTION_ROLL,
	SECTION_SWAY,
	SECTION_LIQUID,
	SECTION_GRID,
	SECTION_SPH,
	SECTION_SOLVER,
	SECTION_LIQUIDS,
	SECTION_POINTS,
	SECTION_SOLIDS,
	SECTION_SOLID_KEY,
	SECTION_BODIES,
	SECTION_INFLOWS,
	SECTION_OUTFLOWS,
	SECTION_EMITTERS,
	SECTION_DRAINS,
	SECTION_FORCES,
	SECTION_FORCE_TIME,
	SECTION_FORCE_CUSTOM,
	SECTION_FORCE_POINT,
	SECTION_FORCE_VORTEX,
	SECTION_FORCE_WIND,
	SECTION_FORCE_DRAG,
	SECTION_FORCE_VORTICITY,
	SECTION_OUTPUT,
	SECTION_PNG,
	SECTION_RANGES,
	SECTION_PARTICLES,
	SECTION_FIELDS,
	SECTION_MESH,
	SECTION_SURFACE,
	SECTION_PROBES,
	SECTION_CHECKPOINT,
	SECTION_CAMERA,
	SECTION_SHAPE,
	SECTION_PRIMITIVES, /* + enum shape_kind: the keys of a shape */
	SECTION_COUNT = SECTION_PRIMITIVES + SHAPE_PRIMITIVE_KINDS
};

enum scene_key_kind {
	KEY_NONE, /* of the row that ends a section */
	/* Plain: read and echoed by their rows. */
	KEY_NUMBER,   /* double */
	KEY_WHOLE,    /* int */
	KEY_UNSIGNED, /* uint32_t */
	KEY_SWITCH,   /* bool */
	KEY_WORD,     /* enum, by index into `words` */
	KEY_VECTOR,   /* double[3] */
	KEY_METHOD,   /* const char *, a name of scene_methods */
	/* With a reader of their own, which takes range and default from the row. */
	KEY_OWN,
	KEY_MAPPING,
	KEY_LIST,
	KEY_AS_LIQUID, /* as the row of the same name in `liquid` */
	/* Belongs to the format, but is refused. */
	KEY_PLANNED,
};

/* Where a default is `other` rather than `initial`. */
enum scene_key_case { KEY_ALWAYS, KEY_IN_3D, KEY_WITH_MULTIGRID, KEY_WITH_GRID, KEY_WITH_VOF };

enum scene_key_flag {
	KEY_MAY_CHANGE = 1,   /* on --resume: it cannot change what has been simulated */
	KEY_ZERO_ABSENT = 2,  /* 0 means that it was not given; no value is 0 */
	KEY_UNTOLD = 4,	      /* not in the echo, which says the same by other keys */
	KEY_ONE_VALUE = 8,    /* in `liquids`: must equal that of `liquid` */
	KEY_SHAPE = 16,	      /* of every mapping that holds a shape; documented once */
	KEY_TOLD_IF_SET = 64, /* in the echo only if it is not its default */
	KEY_PRESETS = 32,     /* its default is `initial` or one of `presets` */
};

struct scene_key {
	const char *name;
	enum scene_key_kind kind;
	size_t offset;	  /* of the member, in the struct that the section fills */
	double low, high; /* of numbers and of the parts of vectors; equal: no range */
	double initial, other, initial_vector[3];
	double presets[PRESETS]; /* by enum scene_preset, but the first */
	double with_sph;	 /* with `method: sph`, if has_sph */
	bool has_sph;
	enum scene_key_case other_when;
	enum scene_key_kind stored; /* KEY_AS_LIQUID: kind of the member, that of the other row */
	const char *const *words;   /* NULL-terminated */
	unsigned solvers;	    /* bits by enum scene_solver: those that read it; 0 = all */
	unsigned surfaces;   /* bits by enum scene_grid_surface: those it belongs to; 0 = all */
	const char *methods; /* that it belongs to, "flip, apic"; NULL = all */
	const char *not_yet; /* methods that do not support it yet */
	enum scene_section inside; /* of a mapping, or of the entries of a list */
	unsigned flags;		   /* enum scene_key_flag */
	/* For the documentation, in Markdown; NULL: follows from the rest. */
	const char *type, *unit;
	const char *otherwise; /* its default in words: `initial` is not used */
	const char *says;
};

/* Where the documentation has the rows of a section. */
enum scene_section_place {
	PLACE_TABLE,  /* in a table of their own */
	PLACE_PARENT, /* in the table of the mapping that holds it: `png.size` */
	PLACE_TYPE,   /* only their names, as the type of the key that holds it */
};

struct scene_section_keys {
	const char *title;	      /* for "it belongs in ..." */
	const struct scene_key *keys; /* the last has no name */
	size_t size;		      /* bytes of the struct that plain keys fill */
	enum scene_section_place place;
	const char *says; /* PLACE_TYPE: of keys that hold it, where their rows say nothing */
};

/* Those of shapes are in shapes/. */
extern const struct scene_section_keys *const scene_sections[SECTION_COUNT];

/* Most keys of a section. */
#define SECTION_KEYS_MOST 32

const struct scene_key *scene_key_find(enum scene_section section, const char *name); /* or NULL */
/* The same for a name that is in the table. */
const struct scene_key *scene_key(enum scene_section section, const char *name);

bool scene_key_is_plain(const struct scene_key *key);
/* The value of a plain key that is one number; 0 of others. */
double scene_key_value(const struct scene_key *key, const void *from);

/* Methods that a key belongs to, or NULL; and whether `method` is one of them. */
const char *scene_key_methods(const struct scene_key *key);
bool scene_key_belongs(const struct scene_key *key, const char *method);
/* Of keys of one way to carry the surface: is it the scene's? */
bool scene_key_of_surface(const struct scene_key *key, unsigned surface);
/* Does the method not support it yet? */
bool scene_key_comes_later(const struct scene_key *key, const char *method);

/* Prints the tables of docs/scene.md on standard output. */
void scene_keys_print(void);
/* Prints a JSON Schema (draft 7) of scenes, made from the rows.  False after reporting. */
bool scene_schema_print(void);

#endif
