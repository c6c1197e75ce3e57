/* The readers of a scene's sections.  Each takes the root of the document, reports what is wrong
 * in its section and fills the scene with what is right, defaults included. */
#ifndef FRESHET_SCENE_PARTS_H
#define FRESHET_SCENE_PARTS_H

#include "scene_value.h"

/* Sets reader->dim; the others need it. */
void scene_read_domain(struct scene_reader *reader, const struct scene_node *root);

/* Under the key `wall_law` of a mapping; what is there already is the default. */
void scene_read_wall_law(struct scene_reader *reader, const struct scene_node *mapping,
			 struct scene_wall_law *law);
/* Of `domain`, after its wall law. */
void scene_read_side_walls(struct scene_reader *reader, const struct scene_node *domain);

/* Before the sections whose defaults depend on it. */
void scene_read_preset(struct scene_reader *reader, const struct scene_node *root);
void scene_read_time(struct scene_reader *reader, const struct scene_node *root);
void scene_read_gravity(struct scene_reader *reader, const struct scene_node *root);
void scene_read_motion(struct scene_reader *reader, const struct scene_node *root);
void scene_read_grid(struct scene_reader *reader, const struct scene_node *root);
void scene_read_sph(struct scene_reader *reader, const struct scene_node *root);
void scene_read_solver(struct scene_reader *reader, const struct scene_node *root);
void scene_read_output(struct scene_reader *reader, const struct scene_node *root);
void scene_read_camera(struct scene_reader *reader, const struct scene_node *root);

/* The defaults in `liquid`, then the entries of `liquids`. */
void scene_read_liquids(struct scene_reader *reader, const struct scene_node *root);
void scene_read_solids(struct scene_reader *reader, const struct scene_node *root);
/* motion/, after its shape. */
void scene_read_solid_motion(struct scene_reader *reader, const struct scene_node *node,
			     struct scene_solid *solid);
/* bodies/, after the solids. */
void scene_read_bodies(struct scene_reader *reader, const struct scene_node *root);
/* Where bodies that are good are at the start: in the box, and apart from each other and solids. */
void scene_check_places(struct scene_reader *reader, const struct scene_node *list);
/* After `frame` and `solver`: what bodies do not go with. */
void scene_check_bodies(struct scene_reader *reader, const struct scene_node *root);
/* sources/: of an entry of `liquids`. */
void scene_read_points(struct scene_reader *reader, const struct scene_node *entry,
		       struct scene_points *points);
/* sources/, after the liquids. */
void scene_read_inflows(struct scene_reader *reader, const struct scene_node *root);
void scene_read_outflows(struct scene_reader *reader, const struct scene_node *root);
void scene_read_emitters(struct scene_reader *reader, const struct scene_node *root);
/* After those: what is neither there at the start nor comes in is a mistake. */
void scene_check_liquids(struct scene_reader *reader, const struct scene_node *root);
void scene_read_drains(struct scene_reader *reader, const struct scene_node *root);
/* transfers/, after `liquids` and `solver`: keys that need each other. */
void scene_check_particles(struct scene_reader *reader, const struct scene_node *root);
/* forces/ */
void scene_read_forces(struct scene_reader *reader, const struct scene_node *root);
/* The name given, or KIND INDEX. */
void scene_read_name(struct scene_reader *reader, const struct scene_node *mapping,
		     const char *kind, size_t index, char **name);

#endif
