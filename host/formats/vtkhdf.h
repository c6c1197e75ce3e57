/*
 * VTKHDF files: what VTK 9.1 and later and ParaView read (format version 1.0), and with steps in
 * time what they read from VTK 9.3 and ParaView 5.12 on (version 2.0).
 *
 * A file is built in memory by the HDF5 library and handed out as bytes, so that an error of the
 * disk never meets the library.  Functions are silent; the first error is kept, makes the rest do
 * nothing and comes out of vtkhdf_finish().  The same calls give the same bytes.  From
 * vtkhdf_begin() to vtkhdf_finish() no other thread gets into HDF5 (hdf5_lock.h).
 */
#ifndef FRESHET_VTKHDF_H
#define FRESHET_VTKHDF_H

#include <stddef.h>
#include <stdint.h>

enum vtkhdf_type { VTKHDF_U8, VTKHDF_U32, VTKHDF_I64, VTKHDF_F32, VTKHDF_F64 };

struct vtkhdf;

/* `type`: "ImageData" or "UnstructuredGrid".  `bytes`: about how long it will get.  NULL = out of
 * memory, which all functions accept. */
struct vtkhdf *vtkhdf_begin(const char *type, size_t bytes);

/* A vector of `count` numbers as an attribute of the group VTKHDF. */
void vtkhdf_attribute(struct vtkhdf *file, const char *name, enum vtkhdf_type type, size_t count,
		      const void *values);

/* An array of `rank` dimensions, the last one fastest.  `name` is relative to the group VTKHDF,
 * which has the groups PointData, CellData and FieldData. */
void vtkhdf_array(struct vtkhdf *file, const char *name, enum vtkhdf_type type, int rank,
		  const size_t *shape, const void *values);
/* Texts, UTF-8. */
void vtkhdf_texts(struct vtkhdf *file, const char *name, const char *const *texts, size_t count);
/* Cells for an UnstructuredGrid: a vertex for each of `count` points.  They say nothing that the
 * points do not, and are stored compressed. */
void vtkhdf_vertices(struct vtkhdf *file, size_t count);

/* ---- steps in time: the data of several files as those of one ------------------------------- */

/* The same as vtkhdf_begin() for `count` steps at these times, s. */
struct vtkhdf *vtkhdf_begin_steps(const char *type, size_t bytes, size_t count,
				  const double *times);
void vtkhdf_group(struct vtkhdf *file, const char *name);

/* An array [sum of rows][columns] (columns 0: [sum of rows]) whose rows are those of the same array
 * in the files names[i], rows[i] each, one after the other: a virtual dataset (HDF5 1.10), which
 * finds the files beside its own. */
void vtkhdf_virtual(struct vtkhdf *file, const char *name, enum vtkhdf_type type, size_t columns,
		    size_t count, const char *const *names, const int64_t *rows);

/* ---- the end ------------------------------------------------------------------------------- */

/* Frees `file`.  0 and its bytes (malloc'ed, the caller's), or an errno value. */
int vtkhdf_finish(struct vtkhdf *file, unsigned char **bytes, size_t *length);
/* The same into a file that appears whole or not at all, sealed (file_seal.h). */
int vtkhdf_write(struct vtkhdf *file, const char *path);

#endif
