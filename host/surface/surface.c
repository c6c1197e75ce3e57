#include "surface.h"

#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "message.h"
#include "scan.h"
#include "scene_grid.h"
#include "surface_table.h"

/* Vertices, three per node at most, are numbered in 32 bits. */
#define MOST_NODES (INT32_MAX / 4)

static bool set_grid(struct surface_grid *s, const struct scene *scene, const struct grid *g)
{
	const i32 fine = scene->output.surface.resolution;
	const int64_t nodes = ((int64_t)g->nx * fine + 3) * ((int64_t)g->ny * fine + 3) *
			      (scene->dim == 3 ? (int64_t)g->nz * fine + 3 : 1);
	if (nodes > MOST_NODES)
		return message_error("output.surface.resolution: a surface of %lld nodes is too "
				     "large (at most %d)",
				     (long long)nodes, MOST_NODES);
	surface_settings(s, scene->dim, fine, (i32)scene->output.surface.method,
			 scene->particles_per_cell);
	s->nx = g->nx * fine;
	s->ny = g->ny * fine;
	s->nz = scene->dim == 3 ? g->nz * fine : 0;
	s->px = s->nx + 3;
	s->py = s->ny + 3;
	s->pz = scene->dim == 3 ? s->nz + 3 : 1;
	s->count = (i32)nodes;
	s->has_solids = scene->solid_count > 0;
	s->spacing = (f32)(scene->h / fine);
	s->size[0] = g->size_x;
	s->size[1] = g->size_y;
	s->size[2] = scene->dim == 3 ? g->size_z : 0.0f;
	return true;
}

#define FIELDS 13

/* For s->grid that is set, and room for n particles. */
static void list_fields(struct surface *s, const struct lattice *lattice, size_t n,
			struct field fields[FIELDS])
{
	const size_t d = (size_t)lattice->dim, keys = (size_t)lattice->grid.keys;
	const size_t formed = s->grid.method == SURFACE_ANISOTROPIC ? n : 0;
	const size_t nodes = (size_t)s->grid.count;
	const struct field list[FIELDS] = {
		FIELD(&s->level, "surface level set", nodes + 1),
		FIELD(&s->work[0], "surface work 0", nodes + 1),
		FIELD(&s->work[1], "surface work 1", nodes + 1),
		FIELD(&s->crossed, "surface crossings", nodes),
		FIELD(&s->class_of, "surface classes", (size_t)lattice->grid.lattice),
		FIELD(&s->start, "surface cell starts", keys + 2),
		FIELD(&s->position, "surface positions", d * n),
		FIELD(&s->velocity, "surface velocities", d * n),
		FIELD(&s->id, "surface ids", n),
		FIELD(&s->toward, "surface displacements", d * formed),
		FIELD(&s->kernels, "surface kernels", SURFACE_KERNEL_FLOATS(d) * formed),
		FIELD(&s->table, "surface table", SURFACE_CASES * SURFACE_ROW),
		FIELD(&s->scan_scratch, "surface scan",
		      scan_scratch_bytes(nodes > keys + 1 ? nodes : keys + 1) / sizeof(u32)),
	};
	memcpy(fields, list, sizeof(list));
}

bool surface_init(struct surface *s, struct subject subject)
{
	const struct lattice *lattice = subject.lattice;
	uint8_t table[SURFACE_CASES][SURFACE_ROW];
	struct field fields[FIELDS];
	s->subject = subject;
	if (!set_grid(&s->grid, subject.scene, &lattice->grid))
		return false;
	s->capacity = subject.particles->capacity;
	list_fields(s, lattice, s->capacity, fields);
	if (!fields_allocate(lattice->cl, fields, FIELDS))
		return false;
	surface_table_make(lattice->dim, table);
	return clx_write(lattice->cl, &s->table, 0, sizeof(table), table);
}

bool surface_memory(const struct scene *scene, u32 particles, uint64_t *bytes)
{
	struct surface s = {0};
	const struct lattice lattice = {.dim = scene->dim, .grid = scene_grid(scene)};
	struct field fields[FIELDS];
	*bytes = 0;
	if (!set_grid(&s.grid, scene, &lattice.grid))
		return false;
	list_fields(&s, &lattice, particles ? particles : 1, fields);
	for (size_t i = 0; i < FIELDS; i++)
		*bytes += (uint64_t)(fields[i].count ? fields[i].count : 1) * fields[i].size;
	return true;
}

void surface_finish(struct surface *s)
{
	struct clx_buffer *const buffers[] = {
		&s->level.raw,	      &s->work[0].raw, &s->work[1].raw,	 &s->crossed.raw,
		&s->class_of.raw,     &s->start.raw,   &s->position.raw, &s->velocity.raw,
		&s->id.raw,	      &s->toward.raw,  &s->kernels.raw,	 &s->table.raw,
		&s->scan_scratch.raw, &s->vertex.raw,  &s->face.raw,
	};
	if (!s->subject.lattice)
		return;
	for (size_t b = 0; b < sizeof(buffers) / sizeof(buffers[0]); b++)
		clx_free_raw(s->subject.lattice->cl, buffers[b]);
}

/* ---- the level set ---------------------------------------------------------------------- */

/* Particles by the cells that they are in now, by id within; the simulation sorts at the start of
 * a substep, and they have moved since. */
static bool sort_particles(struct surface *s)
{
	const struct particles *p = s->subject.particles;
	struct clx *cl = s->subject.lattice->cl;
	const struct grid g = s->subject.lattice->grid;
	const i32 stride = (i32)p->capacity, n = (i32)p->count;
	const struct clx_range each = clx_range1(p->count);
	/* Ranks, keys and order lie in what is filled last, as in the sort of the simulation. */
	union u32_buffer *rank = CLX_AS(u32, &s->velocity), *order = &s->id;
	return clx_zero(cl, &s->start, 0, s->start.bytes) &&
	       LAUNCH(cl, particles_count, each, .g = &g, .position = &p->now.position,
		      .id = &p->now.id, .stride = I32(stride), .n = I32(n), .counts = &s->start,
		      .rank = rank) &&
	       scan_exclusive(cl, &s->start, (size_t)g.keys + 1, &s->scan_scratch) &&
	       LAUNCH(cl, particles_place, each, .stride = I32(stride), .n = I32(n),
		      .start = &s->start, .rank = rank, .order = order) &&
	       LAUNCH(cl, particles_canonical, clx_range1((size_t)g.keys), .g = &g,
		      .id = &p->now.id, .start = &s->start, .order = order) &&
	       LAUNCH(cl, particles_permute, each, .order = order, .n = I32(n),
		      .stride = I32(stride), .position = &p->now.position,
		      .velocity = &p->now.velocity, .id = &p->now.id, .position_out = &s->position,
		      .velocity_out = &s->velocity, .id_out = &s->id);
}

static struct clx_range all_nodes(const struct surface_grid *g)
{
	return clx_range3((size_t)g->px, (size_t)g->py, (size_t)g->pz);
}

/* Anew, where there is room for more particles than there was. */
static bool make_room(struct surface *s)
{
	const struct subject subject = s->subject;
	if (s->capacity == subject.particles->capacity)
		return true;
	surface_finish(s);
	*s = (struct surface){0};
	return surface_init(s, subject);
}

bool surface_update(struct surface *s)
{
	if (!make_room(s))
		return false;
	const struct lattice *lattice = s->subject.lattice;
	const struct solids *solids = s->subject.solids;
	struct clx *cl = lattice->cl;
	const struct grid g = lattice->grid;
	const i32 ppc = s->subject.scene->particles_per_cell;
	const i32 stride = (i32)s->subject.particles->capacity, ops = (i32)solids->op_count;
	const struct clx_range inner = surface_nodes(&s->grid);
	return sort_particles(s) &&
	       LAUNCH(cl, surface_fill, lattice_points(lattice), .g = &g, .ppc = I32(ppc),
		      .start = &s->start, .filled = CLX_AS(u8, &s->work[1])) &&
	       LAUNCH(cl, surface_classify, lattice_points(lattice), .g = &g,
		      .filled = CLX_AS(u8, &s->work[1]), .class_of = &s->class_of) &&
	       (s->grid.method != SURFACE_ANISOTROPIC || surface_anisotropic(s)) &&
	       LAUNCH(cl, surface_level, inner, .g = &g, .s = &s->grid, .class_of = &s->class_of,
		      .ops = &solids->ops, .op_count = I32(ops), .points = &solids->points,
		      .start = &s->start, .position = &s->position, .kernels = &s->kernels,
		      .stride = I32(stride), .phi = &s->level, .rho = &s->work[0]) &&
	       surface_make_smooth(s) && surface_volume(s) && surface_keep_particles(s) &&
	       (!s->grid.has_solids ||
		(LAUNCH(cl, surface_cut, inner, .s = &s->grid, .ops = &solids->ops,
			.op_count = I32(ops), .points = &solids->points, .phi = &s->level,
			.cut = &s->work[0]) &&
		 LAUNCH(cl, surface_meet, inner, .s = &s->grid, .ops = &solids->ops,
			.op_count = I32(ops), .points = &solids->points, .cut = &s->work[0],
			.phi = &s->level))) &&
	       LAUNCH(cl, surface_mesh_condition, all_nodes(&s->grid), .s = &s->grid,
		      .phi = &s->level);
}

/* ---- the mesh --------------------------------------------------------------------------- */

/* Room for `count` elements, and a quarter more when it has to grow. */
static bool reserve_buffer(struct clx *cl, struct clx_buffer *buffer, const char *name,
			   size_t count, size_t size)
{
	if (buffer->mem && buffer->bytes >= count * size)
		return true;
	clx_free_raw(cl, buffer);
	return clx_alloc_raw(cl, buffer, name, count + count / 4, size);
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

static bool make_mesh(struct surface *s, struct mesh *mesh)
{
	struct clx *cl = s->subject.lattice->cl;
	const struct grid g = s->subject.lattice->grid;
	const struct surface_grid *grid = &s->grid;
	const struct clx_range all = all_nodes(grid);
	const size_t nodes = (size_t)grid->count;
	union u32_buffer *vertices = CLX_AS(u32, &s->work[0]);
	union u32_buffer *faces = CLX_AS(u32, &s->work[1]);
	if (!LAUNCH(cl, surface_mesh_count, all, .s = grid, .phi = &s->level, .table = &s->table,
		    .crossed = &s->crossed, .vertices = vertices, .faces = faces) ||
	    !scan_exclusive(cl, vertices, nodes, &s->scan_scratch) ||
	    !scan_exclusive(cl, faces, nodes, &s->scan_scratch) ||
	    !clx_read(cl, vertices, nodes * sizeof(u32), sizeof(u32), &mesh->vertices) ||
	    !clx_read(cl, faces, nodes * sizeof(u32), sizeof(u32), &mesh->faces))
		return false;
	if (mesh->faces == 0)
		return read_mesh(s, cl, mesh);
	const i32 stride = (i32)s->subject.particles->capacity, count = (i32)mesh->vertices;
	return reserve_buffer(cl, &s->vertex.raw, "mesh vertices", mesh->vertices,
			      9 * sizeof(f32)) &&
	       reserve_buffer(cl, &s->face.raw, "mesh faces", mesh->faces,
			      mesh->corners * sizeof(u32)) &&
	       LAUNCH(cl, surface_mesh_vertices, all, .s = grid, .phi = &s->level,
		      .crossed = &s->crossed, .first = vertices, .vertex = &s->vertex) &&
	       LAUNCH(cl, surface_velocity, clx_range1(mesh->vertices), .g = &g, .start = &s->start,
		      .position = &s->position, .velocity = &s->velocity, .stride = I32(stride),
		      .vertices = I32(count), .vertex = &s->vertex) &&
	       LAUNCH(cl, surface_mesh_faces, all, .s = grid, .phi = &s->level, .table = &s->table,
		      .crossed = &s->crossed, .first_vertex = vertices, .first_face = faces,
		      .face = &s->face) &&
	       read_mesh(s, cl, mesh);
}

bool surface_mesh(struct surface *s, struct mesh *mesh)
{
	*mesh = (struct mesh){.corners = (u32)s->subject.lattice->dim};
	if (make_mesh(s, mesh))
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
