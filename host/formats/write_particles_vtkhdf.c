/* Particles as a VTKHDF UnstructuredGrid of vertices. */
#include <errno.h>
#include <stdlib.h>

#include "file_stream.h"
#include "vtkhdf.h"
#include "write_particles_formats.h"

static void put_names(struct vtkhdf *vtk, const struct scene *scene, const char **names)
{
	for (size_t l = 0; l < scene->liquid_count; l++)
		names[l] = scene->liquids[l].name;
	vtkhdf_texts(vtk, "FieldData/liquid_names", names, scene->liquid_count);
}

int write_particles_vtkhdf(const char *path, const struct particle_file *file)
{
	const struct particle_snapshot *p = &file->particles;
	const size_t one = 1, vectors[2] = {p->count, 3}, matrices[2] = {p->count, 9};
	const char **names = calloc(file->scene->liquid_count + 1, sizeof(*names));
	if (!names)
		return ENOMEM;
	struct vtkhdf *vtk = vtkhdf_begin("UnstructuredGrid", p->count * (p->affine ? 66 : 30));
	vtkhdf_vertices(vtk, p->count);
	vtkhdf_array(vtk, "Points", VTKHDF_F32, 2, vectors, p->position);
	vtkhdf_array(vtk, "PointData/velocity", VTKHDF_F32, 2, vectors, p->velocity);
	if (p->affine)
		vtkhdf_array(vtk, "PointData/affine", VTKHDF_F32, 2, matrices, p->affine);
	vtkhdf_array(vtk, "PointData/id", VTKHDF_U32, 1, vectors, p->id);
	vtkhdf_array(vtk, "PointData/liquid", VTKHDF_U8, 1, vectors, p->liquid);
	put_names(vtk, file->scene, names);
	vtkhdf_attribute(vtk, "Time", VTKHDF_F64, 1, &file->time);
	vtkhdf_array(vtk, "FieldData/TimeValue", VTKHDF_F64, 1, &one, &file->time);
	free(names);
	return vtkhdf_write(vtk, path);
}
