#include "surface.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "scan.h"
#include "sim_fields.h"
#include "surface_table.h"

/* Vertices, three per node at most, are numbered in 32 bits. */
#define MOST_NODES (INT32_MAX / 4)

static bool set_grid(struct surface_grid *s, const struct sim *sim)
{
	const struct grid *g = &sim->lattice.grid;
	const struct scene *scene = sim->scene;
	const i32 fine = scene->output.surface.resolution;
	const int64_t nodes = ((int64_t)g->nx * fine + 3) * ((int64_t)g->ny * fine + 3) *
			      (sim->dim == 3 ? (int64_t)g->nz * fine + 3 : 1);
	if (nodes > MOST_NODES)
		return message_error("output.surface.resolution: a surface of %lld nodes is too "
				     "large (at most %d)",
				     (long long)nodes, MOST_NODES);
	surface_settings(s, sim->dim, fine, (i32)scene->output.surface.method,
			 scene->particles_per_cell);
	s->nx = g->nx * fine;
	s->ny = g->ny * fine;
	s->nz = sim->dim == 3 ? g->nz * fine : 0;
	s->px = s->nx + 3;
	s->py = s->ny + 3;
	s->pz = sim->dim == 3 ? s->nz + 3 : 1;
	s->count = (i32)nodes;
	s->has_solids = scene->solid_count > 0;
	s->spacing = (f32)(scene->h / fine);
	s->size[0] = g->size_x;
	s->size[1] = g->size_y;
	s->size[2] = sim->dim == 3 ? g->size_z : 0.0f;
	return true;
}

#define FIELDS 13

/* For s->grid that is set. */
static void list_fields(struct surface *s, const struct sim *sim, struct field fields[FIELDS])
{
	const size_t d = (size_t)sim->dim, n = sim->particles.capacity;
	const size_t formed = s->grid.method == SURFACE_ANISOTROPIC ? n : 0;
	const size_t nodes = (size_t)s->grid.count;
	const struct field list[FIELDS] = {
		{&s->level, "surface level set", nodes + 1, sizeof(f32)},
		{&s->work[0], "surface work 0", nodes + 1, sizeof(f32)},
		{&s->work[1], "surface work 1", nodes + 1, sizeof(f32)},
		{&s->crossed, "surface crossings", nodes, 1},
		{&s->class_of, "surface classes", (size_t)sim->lattice.grid.lattice, 1},
		{&s->start, "surface cell starts", (size_t)sim->lattice.grid.keys + 2, sizeof(u32)},
		{&s->position, "surface positions", d * n, sizeof(f32)},
		{&s->velocity, "surface velocities", d * n, sizeof(f32)},
		{&s->id, "surface ids", n, sizeof(u32)},
		{&s->toward, "surface displacements", d * formed, sizeof(f32)},
		{&s->kernels, "surface kernels", SURFACE_KERNEL_FLOATS(d) * formed, sizeof(f32)},
		{&s->table, "surface table", SURFACE_CASES * SURFACE_ROW, 1},
		{&s->scan_scratch, "surface scan",
		 scan_scratch_bytes(nodes > (size_t)sim->lattice.grid.keys + 1
					    ? nodes
					    : (size_t)sim->lattice.grid.keys + 1),
		 1},
	};
	memcpy(fields, list, sizeof(list));
}

bool surface_init(struct surface *s, const struct sim *sim)
{
	uint8_t table[SURFACE_CASES][SURFACE_ROW];
	struct field fields[FIELDS];
	if (!set_grid(&s->grid, sim))
		return false;
	list_fields(s, sim, fields);
	if (!fields_allocate(sim->cl, fields, FIELDS))
		return false;
	surface_table_make(sim->dim, table);
	return clx_write(sim->cl, &s->table, 0, sizeof(table), table);
}

bool surface_memory(const struct scene *scene, u32 particles, uint64_t *bytes)
{
	struct surface s = {0};
	struct sim sim = {0};
	struct field fields[FIELDS];
	*bytes = 0;
	sim_outline(&sim, scene, particles ? particles : 1);
	if (!set_grid(&s.grid, &sim))
		return false;
	list_fields(&s, &sim, fields);
	for (size_t i = 0; i < FIELDS; i++)
		*bytes += (uint64_t)(fields[i].count ? fields[i].count : 1) * fields[i].size;
	return true;
}

void surface_finish(struct surface *s, struct clx *cl)
{
	struct clx_buffer *buffers[] = {
		&s->level,   &s->work[0],  &s->work[1],	     &s->crossed, &s->class_of,
		&s->start,   &s->position, &s->velocity,     &s->id,	  &s->toward,
		&s->kernels, &s->table,	   &s->scan_scratch, &s->vertex,  &s->face,
	};
	for (size_t b = 0; b < sizeof(buffers) / sizeof(buffers[0]); b++)
		clx_free(cl, buffers[b]);
}

/* ---- the level set ---------------------------------------------------------------------- */

/* Particles by the cells that they are in now, by id within; the simulation sorts at the start of
 * a substep, and they have moved since. */
static bool sort_particles(struct surface *s, struct sim *sim)
{
	struct particles *p = &sim->particles;
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const struct clx_range each = clx_range1(p->count);
	/* Ranks and order lie in what is filled last, as in the sort of the simulation. */
	const struct clx_buffer *rank = &s->velocity, *order = &s->id;
	return clx_zero(cl, &s->start, 0, s->start.bytes) &&
	       LAUNCH(cl, K_PARTICLES_COUNT, each, ARG(g), BUF(p->now.position), BUF(p->now.id),
		      ARG(stride), ARG(n), BUF(s->start), BUF(*rank)) &&
	       scan_exclusive(cl, &s->start, (size_t)g.keys + 1, &s->scan_scratch) &&
	       LAUNCH(cl, K_PARTICLES_PLACE, each, ARG(g), BUF(p->now.position), BUF(p->now.id),
		      ARG(stride), ARG(n), BUF(s->start), BUF(*rank), BUF(*order)) &&
	       LAUNCH(cl, K_PARTICLES_CANONICAL, clx_range1((size_t)g.keys), ARG(g), BUF(p->now.id),
		      BUF(s->start), BUF(*order)) &&
	       LAUNCH(cl, K_PARTICLES_PERMUTE, each, BUF(*order), ARG(n), ARG(stride),
		      BUF(p->now.position), BUF(p->now.velocity), BUF(p->now.id), BUF(s->position),
		      BUF(s->velocity), BUF(s->id));
}

static struct clx_range all_nodes(const struct surface_grid *g)
{
	return clx_range3((size_t)g->px, (size_t)g->py, (size_t)g->pz);
}

bool surface_update(struct surface *s, struct sim *sim)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const i32 ppc = sim->scene->particles_per_cell, stride = (i32)sim->particles.capacity;
	const i32 ops = (i32)sim->solids.op_count;
	const struct clx_range inner = surface_nodes(&s->grid);
	return sort_particles(s, sim) &&
	       LAUNCH(cl, K_SURFACE_FILL, lattice_points(&sim->lattice), ARG(g), ARG(ppc),
		      BUF(s->start), BUF(s->work[1])) &&
	       LAUNCH(cl, K_SURFACE_CLASSIFY, lattice_points(&sim->lattice), ARG(g),
		      BUF(s->work[1]), BUF(s->class_of)) &&
	       (s->grid.method != SURFACE_ANISOTROPIC || surface_anisotropic(s, sim)) &&
	       LAUNCH(cl, K_SURFACE_LEVEL, inner, ARG(g), ARG(s->grid), BUF(s->class_of),
		      BUF(sim->solids.ops), ARG(ops), BUF(sim->solids.points), BUF(s->start),
		      BUF(s->position), BUF(s->kernels), ARG(stride), BUF(s->level),
		      BUF(s->work[0])) &&
	       surface_make_smooth(s, sim) && surface_volume(s, sim) &&
	       surface_keep_particles(s, sim) &&
	       (!s->grid.has_solids ||
		(LAUNCH(cl, K_SURFACE_CUT, inner, ARG(s->grid), BUF(sim->solids.ops), ARG(ops),
			BUF(sim->solids.points), BUF(s->level), BUF(s->work[0])) &&
		 LAUNCH(cl, K_SURFACE_MEET, inner, ARG(s->grid), BUF(sim->solids.ops), ARG(ops),
			BUF(sim->solids.points), BUF(s->work[0]), BUF(s->level)))) &&
	       LAUNCH(cl, K_SURFACE_MESH_CONDITION, all_nodes(&s->grid), ARG(s->grid),
		      BUF(s->level));
}

/* ---- the mesh --------------------------------------------------------------------------- */

/* Room for `count` elements, and a quarter more when it has to grow. */
static bool reserve(struct clx *cl, struct clx_buffer *buffer, const char *name, size_t count,
		    size_t size)
{
	if (buffer->mem && buffer->bytes >= count * size)
		return true;
	clx_free(cl, buffer);
	return clx_alloc(cl, buffer, name, count + count / 4, size);
}

static bool read_mesh(const struct surface *s, struct clx *cl, struct mesh *mesh)
{
	const size_t vertex_bytes = 9 * sizeof(f32) * (size_t)mesh->vertices;
	const size_t face_bytes = mesh->corners * sizeof(u32) * (size_t)mesh->faces;
	mesh->vertex = malloc(vertex_bytes + 1);
	mesh->face = malloc(face_bytes + 1);
	if (!mesh->vertex || !mesh->face)
		return message_error("out of memory for a mesh of %u faces", mesh->faces);
	return mesh->faces == 0 || (clx_read(cl, &s->vertex, 0, vertex_bytes, mesh->vertex) &&
				    clx_read(cl, &s->face, 0, face_bytes, mesh->face));
}

static bool make_mesh(struct surface *s, struct sim *sim, struct mesh *mesh)
{
	struct clx *cl = sim->cl;
	const struct grid g = sim->lattice.grid;
	const struct surface_grid *grid = &s->grid;
	const struct clx_range all = all_nodes(grid);
	const size_t nodes = (size_t)grid->count;
	struct clx_buffer *vertices = &s->work[0], *faces = &s->work[1];
	if (!LAUNCH(cl, K_SURFACE_MESH_COUNT, all, ARG(*grid), BUF(s->level), BUF(s->table),
		    BUF(s->crossed), BUF(*vertices), BUF(*faces)) ||
	    !scan_exclusive(cl, vertices, nodes, &s->scan_scratch) ||
	    !scan_exclusive(cl, faces, nodes, &s->scan_scratch) ||
	    !clx_read(cl, vertices, nodes * sizeof(u32), sizeof(u32), &mesh->vertices) ||
	    !clx_read(cl, faces, nodes * sizeof(u32), sizeof(u32), &mesh->faces))
		return false;
	if (mesh->faces == 0)
		return read_mesh(s, cl, mesh);
	const i32 stride = (i32)sim->particles.capacity, count = (i32)mesh->vertices;
	return reserve(cl, &s->vertex, "mesh vertices", mesh->vertices, 9 * sizeof(f32)) &&
	       reserve(cl, &s->face, "mesh faces", mesh->faces, mesh->corners * sizeof(u32)) &&
	       LAUNCH(cl, K_SURFACE_MESH_VERTICES, all, ARG(*grid), BUF(s->level), BUF(s->crossed),
		      BUF(*vertices), BUF(s->vertex)) &&
	       LAUNCH(cl, K_SURFACE_VELOCITY, clx_range1(mesh->vertices), ARG(g), BUF(s->start),
		      BUF(s->position), BUF(s->velocity), ARG(stride), ARG(count),
		      BUF(s->vertex)) &&
	       LAUNCH(cl, K_SURFACE_MESH_FACES, all, ARG(*grid), BUF(s->level), BUF(s->table),
		      BUF(s->crossed), BUF(*vertices), BUF(*faces), BUF(s->face)) &&
	       read_mesh(s, cl, mesh);
}

bool surface_mesh(struct surface *s, struct sim *sim, struct mesh *mesh)
{
	*mesh = (struct mesh){.corners = (u32)sim->dim};
	if (make_mesh(s, sim, mesh))
		return true;
	mesh_free(mesh);
	return false;
}

void mesh_free(struct mesh *mesh)
{
	free(mesh->vertex);
	free(mesh->face);
	*mesh = (struct mesh){0};
}
