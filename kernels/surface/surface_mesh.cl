/*
 * The mesh of a level set at nodes: marching cubes (Lorensen & Cline 1987) with a case table that
 * leaves no hole and no edge or vertex that is not two-manifold (host/surface/surface_table.h says why); in
 * 2D outlines by marching squares.
 *
 * A vertex lies on each lattice edge whose ends differ in sign.  Vertices are numbered by node,
 * then axis, faces (triangles; in 2D edges) by cube, then table row: by prefix sums, so that the
 * order never varies.  The outermost nodes are outside of the liquid (surface_params.h), so every
 * mesh is closed.
 */
#pragma OPENCL FP_CONTRACT OFF

#include "common.h"
#include "surface_lattice.h"

/* Crossed edges from a node: bit a = along axis a.  Node numbers may not exceed nx + 1, ... */
int surface_crossings(const struct surface_grid s, global const float *phi, int i, int j, int k)
{
	int at = surface_index(s, i, j, k);
	int inside = phi[at] < 0.0f;
	int bits = 0;
	if (i <= s.nx && (phi[at + 1] < 0.0f) != inside)
		bits |= 1;
	if (j <= s.ny && (phi[at + s.px] < 0.0f) != inside)
		bits |= 2;
	if (DIM == 3 && k <= s.nz && (phi[at + s.px * s.py] < 0.0f) != inside)
		bits |= 4;
	return bits;
}

int surface_bits(int bits)
{
	return (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1);
}

/* A level set as the mesh needs it: outside on the outermost layer, nowhere too near 0 for vertices
 * and triangles to keep apart, nowhere too great, NaN outside.  phi: f32 [count], m, in place.  One
 * work-item per node. */
kernel void surface_mesh_condition(const struct surface_grid s, global float *phi)
{
	int i, j, k;
	if (!surface_item(s, -1, 1, &i, &j, &k))
		return;
	int at = surface_index(s, i, j, k);
	float most = SURFACE_MOST * s.spacing, least = SURFACE_LEAST * s.spacing;
	int inner = i >= 0 && j >= 0 && k >= 0 && i <= s.nx && j <= s.ny && k <= s.nz;
	float value = inner && phi[at] < most ? phi[at] : most;
	value = value > -most ? value : -most;
	phi[at] = fabs(value) < least ? least : value;
}

/* crossed: u8 [count], edges from each node; vertices, faces: u32 [count+1], how many each node
 * starts.  table: u8 [SURFACE_CASES][SURFACE_ROW].  One work-item per node. */
kernel void surface_mesh_count(const struct surface_grid s, global const float *phi,
			       global const uchar *table, global uchar *crossed,
			       global uint *vertices, global uint *faces)
{
	int i, j, k;
	if (!surface_item(s, -1, 1, &i, &j, &k))
		return;
	int at = surface_index(s, i, j, k);
	int bits = surface_crossings(s, phi, i, j, k);
	uint count = 0;
	if (i <= s.nx && j <= s.ny && k <= s.nz)
		count = table[surface_case(s, phi, at) * SURFACE_ROW];
	crossed[at] = (uchar)bits;
	vertices[at] = (uint)surface_bits(bits);
	faces[at] = count;
}

/* Difference of phi along an axis at a node, per spacing; one-sided at walls, where the layer
 * outside says nothing. */
float surface_slope(const struct surface_grid s, global const float *phi, int at, int axis, int n,
		    int last)
{
	int stride = surface_stride(s, axis);
	int low = n > 0 ? 1 : 0, high = n < last ? 1 : 0;
	return (phi[at + high * stride] - phi[at - low * stride]) / (float)(low + high);
}

/*
 * Vertices: f32 [vertices][9], place (m), outward unit normal, velocity (left as it is).  `first`:
 * u32 [count+1], the number of each node's first vertex.  One work-item per node.
 */
kernel void surface_mesh_vertices(const struct surface_grid s, global const float *phi,
				  global const uchar *crossed, global const uint *first,
				  global float *vertex)
{
	int i, j, k;
	if (!surface_item(s, -1, 1, &i, &j, &k))
		return;
	int at = surface_index(s, i, j, k);
	int bits = crossed[at];
	uint number = first[at];
	const int node[3] = {i, j, k}, last[3] = {s.nx, s.ny, s.nz};
	for (int axis = 0; axis < DIM; axis++) {
		if (!(bits >> axis & 1))
			continue;
		float low = phi[at], high = phi[at + surface_stride(s, axis)];
		float part = low / (low - high);
		float normal[3] = {0.0f, 0.0f, 0.0f}, square = 0.0f;
		global float *out = vertex + 9 * (size_t)number++;
		int outside = node[axis] < 0 || node[axis] >= last[axis];
		out[2] = 0.0f;
		for (int a = 0; a < DIM; a++) {
			out[a] = surface_place(s, s.size[a], last[a], node[a],
					       a == axis ? part : 0.0f);
			if (outside)
				continue;
			float slope = surface_slope(s, phi, at, a, node[a], last[a]);
			float next = surface_slope(s, phi, at + surface_stride(s, axis), a,
						   node[a] + (a == axis), last[a]);
			normal[a] = slope + part * (next - slope);
			square += normal[a] * normal[a];
		}
		/* On a wall, or where phi is as steep one way as the other. */
		if (square < 1e-12f * s.spacing * s.spacing) {
			for (int a = 0; a < 3; a++)
				normal[a] = a != axis ? 0.0f : low < high ? 1.0f : -1.0f;
			square = 1.0f;
		}
		float scale = 1.0f / sqrt(square);
		for (int a = 0; a < 3; a++)
			out[3 + a] = normal[a] * scale;
	}
}

/* Faces: u32 [faces][DIM], vertex numbers: triangles, anticlockwise seen from outside; in 2D edges,
 * with the liquid to their left.  first_vertex, first_face: u32 [count+1].  One work-item per node.
 */
kernel void surface_mesh_faces(const struct surface_grid s, global const float *phi,
			       global const uchar *table, global const uchar *crossed,
			       global const uint *first_vertex, global const uint *first_face,
			       global uint *face)
{
	int i, j, k;
	if (!surface_item(s, -1, 0, &i, &j, &k))
		return;
	int at = surface_index(s, i, j, k);
	uint out = first_face[at], count = first_face[at + 1] - out;
	if (count == 0)
		return;
	global const uchar *row = table + surface_case(s, phi, at) * SURFACE_ROW + 1;
	for (uint n = 0; n < DIM * count; n++) {
		int axis = row[n] / 4, one = row[n] & 1, two = row[n] >> 1 & 1;
		int node = at + one * surface_stride(s, axis == 0 ? 1 : 0) +
			   two * surface_stride(s, axis == 2 ? 1 : 2);
		int before = crossed[node] & ((1 << axis) - 1);
		face[DIM * out + n] = first_vertex[node] + (uint)surface_bits(before);
	}
}
