/* The bytes of a mesh file to triangles, by assimp (https://www.assimp.org), whose parsers may
 * crash or never end: mesh_file.c calls this in a process of its own. */
#ifndef FRESHET_MESH_PARSE_H
#define FRESHET_MESH_PARSE_H

#include <stdbool.h>

#include "mesh_surface.h"

#define MESH_PARSE_REASON 160

/* `kind`: "obj", "ply" or "stl".  False with a reason, a phrase whose subject is the file. */
bool mesh_parse(const char *bytes, size_t length, const char *kind, struct mesh_surface *surface,
		char reason[MESH_PARSE_REASON]);

#endif
