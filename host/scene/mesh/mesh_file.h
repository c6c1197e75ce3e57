/* Reading a mesh file. */
#ifndef FRESHET_MESH_FILE_H
#define FRESHET_MESH_FILE_H

#include <stdbool.h>

#include "file_read.h"
#include "mesh_surface.h"

/*
 * The triangles of an OBJ, PLY or STL file, which its ending tells apart.  It is parsed in a child
 * process with bounds on its time and memory, so that what a parser does to itself is only a reason
 * here.  Zeroed *surface is filled and is then the caller's; false with a reason, a phrase whose
 * subject is the file, errno ENOMEM if, and only if, it is for lack of memory.  Reports nothing.
 */
bool mesh_file_read(const char *path, struct mesh_surface *surface, char reason[FILE_READ_REASON]);

/* The same of a file in memory, with a NUL behind its `length` bytes; `kind`: "obj", "ply" or
 * "stl". */
bool mesh_bytes_read(const char *bytes, size_t length, const char *kind,
		     struct mesh_surface *surface, char reason[FILE_READ_REASON]);

#endif
