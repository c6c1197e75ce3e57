#include "write_particles.h"

#include "write_particles_formats.h"

/* Bytes per particle in binary formats: position, velocity, id, liquid; the affine matrix. */
#define BINARY_BYTES (12 + 12 + 4 + 1)
#define AFFINE_BYTES 36
/* What VTKHDF's compressed cells add, measured. */
#define CELL_BYTES 0.11
/* What lines of a .geo file take on average, measured: numbers of 9 digits, but for z in 2D. */
#define GEO_BYTES(dim) ((dim) == 2 ? 63 : 84)
#define GEO_AFFINE_BYTES(dim) ((dim) == 2 ? 57 : 105)
/* Beside the particles. */
#define TEXT_HEADER_BYTES 512
#define VTKHDF_HEADER_BYTES 20480

double write_particles_bytes(const struct scene *scene, double particles)
{
	const bool affine = scene->transfer == TRANSFER_APIC;
	const double binary = BINARY_BYTES + (affine ? AFFINE_BYTES : 0);
	const double text = GEO_BYTES(scene->dim) + (affine ? GEO_AFFINE_BYTES(scene->dim) : 0);
	switch (scene->output.particles_format) {
	case PARTICLES_GEO:
		return TEXT_HEADER_BYTES + particles * text;
	case PARTICLES_PLY:
		return TEXT_HEADER_BYTES + particles * binary;
	default:
		return VTKHDF_HEADER_BYTES + particles * (binary + CELL_BYTES);
	}
}

int write_particles(const char *path, const struct particle_file *file)
{
	switch (file->scene->output.particles_format) {
	case PARTICLES_PLY:
		return write_particles_ply(path, file);
	case PARTICLES_GEO:
		return write_particles_geo(path, file);
	default:
		return write_particles_vtkhdf(path, file);
	}
}
