#include "vdb.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>
#include <string>

#include <openvdb/openvdb.h>
#include <openvdb/tools/Prune.h>

namespace {

const float HALF_WIDTH = 3.0f;	       /* of a level set, in cells: OpenVDB's own */
const float VOLUME_UNIT = 1.0f / (1 << 30);

/* Puts a file together in memory, so that the disk is not this library's matter. */
struct Writer : openvdb::io::Archive {
	std::string encode(const openvdb::GridCPtrVec &grids, const openvdb::MetaMap &meta)
	{
		std::ostringstream stream(std::ios_base::binary);
		stream.imbue(std::locale::classic());
		setCompression(openvdb::io::COMPRESS_ZIP | openvdb::io::COMPRESS_ACTIVE_MASK);
		write(stream, grids, true, meta);
		return stream.str();
	}
};

/* The file's identity is at random.  Behind it are the bytes that count: a hash of them instead (FNV-1a,
 * twice), as 36 characters like the others. */
void settle_identity(std::string &file)
{
	const size_t at = 8 + 4 + 4 + 4 + 1, characters = 36; /* magic, versions, offsets? */
	if (file.size() < at + characters || file[at + 8] != '-')
		return;
	uint64_t hash[2] = {0xcbf29ce484222325u, 0x84222325cbf29ce4u};
	for (size_t i = at + characters; i < file.size(); i++)
		for (uint64_t &h : hash)
			h = (h ^ static_cast<unsigned char>(file[i])) * 0x100000001b3u;
	for (size_t i = 0, digit = 0; i < characters; i++) {
		if (file[at + i] == '-')
			continue;
		file[at + i] = "0123456789abcdef"[hash[digit / 16] >> (4 * (digit % 16)) & 15];
		digit++;
	}
}

template <class Visit> void each_voxel(const vdb_grids &from, int more, Visit visit)
{
	openvdb::Coord at;
	for (int &i = at.x() = 0; i < from.cells[0] + more; i++)
		for (int &j = at.y() = 0; j < from.cells[1] + more; j++)
			for (int &k = at.z() = 0; k < from.cells[2] + more; k++)
				visit(at, (static_cast<size_t>(k) * from.stride[1] +
					   static_cast<size_t>(j)) * from.stride[0] +
						  static_cast<size_t>(i));
}

template <class Grid> typename Grid::Ptr new_grid(const vdb_grids &from, const char *name,
						  openvdb::GridClass kind,
						  const typename Grid::ValueType &background)
{
	typename Grid::Ptr grid = Grid::create(background);
	auto transform = openvdb::math::Transform::createLinearTransform(from.cell_size);
	transform->postTranslate(openvdb::Vec3d(0.5 * from.cell_size));
	grid->setTransform(transform);
	grid->setName(name);
	grid->setGridClass(kind);
	return grid;
}

openvdb::FloatGrid::Ptr level_set(const vdb_grids &from)
{
	const float band = HALF_WIDTH * static_cast<float>(from.cell_size);
	auto grid = new_grid<openvdb::FloatGrid>(from, "surface", openvdb::GRID_LEVEL_SET, band);
	auto access = grid->getAccessor();
	each_voxel(from, 0, [&](const openvdb::Coord &at, size_t place) {
		const float phi = from.level_set[place];
		if (phi > -band && phi < band)
			access.setValueOn(at, phi);
		else if (phi <= -band)
			access.setValueOff(at, -band);
	});
	openvdb::tools::pruneLevelSet(grid->tree());
	return grid;
}

template <class Grid, class Value>
typename Grid::Ptr values(const vdb_grids &from, const char *name, openvdb::GridClass kind, Value value)
{
	auto grid = new_grid<Grid>(from, name, kind, 0);
	auto access = grid->getAccessor();
	each_voxel(from, 0, [&](const openvdb::Coord &at, size_t place) {
		const auto x = value(place);
		if (x != 0)
			access.setValueOn(at, x);
	});
	openvdb::tools::prune(grid->tree());
	return grid;
}

/* A face that is not known has 0. */
openvdb::Vec3SGrid::Ptr velocity(const vdb_grids &from)
{
	auto grid = new_grid<openvdb::Vec3SGrid>(from, "velocity", openvdb::GRID_STAGGERED,
						 openvdb::Vec3s(0.0f));
	grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
	auto access = grid->getAccessor();
	each_voxel(from, 1, [&](const openvdb::Coord &at, size_t place) {
		openvdb::Vec3s u(0.0f);
		bool known = false;
		for (int a = 0; a < 3; a++) {
			/* the lower face of a voxel beyond the box along another axis is none */
			bool is_face = true;
			for (int b = 0; b < 3; b++)
				is_face = is_face && (a == b || at[b] < from.cells[b]);
			if (!is_face || !(from.known[place] & 9u << a))
				continue;
			u[a] = from.velocity[static_cast<size_t>(a) * from.lattice + place];
			known = true;
		}
		if (known)
			access.setValueOn(at, u);
	});
	openvdb::tools::prune(grid->tree());
	return grid;
}

std::string encode(const vdb_grids &from)
{
	openvdb::GridCPtrVec grids;
	if (from.level_set)
		grids.push_back(level_set(from));
	if (from.volume)
		grids.push_back(values<openvdb::FloatGrid>(
			from, "density", openvdb::GRID_FOG_VOLUME, [&](size_t place) {
				const auto units = static_cast<int32_t>(from.volume[place]);
				return static_cast<float>(units > 0 ? units : 0) * VOLUME_UNIT;
			}));
	if (from.pressure)
		grids.push_back(values<openvdb::FloatGrid>(
			from, "pressure", openvdb::GRID_UNKNOWN,
			[&](size_t place) { return from.pressure[place]; }));
	if (from.cell_type)
		grids.push_back(values<openvdb::FloatGrid>(
			from, "cells", openvdb::GRID_UNKNOWN,
			[&](size_t place) { return static_cast<float>(from.cell_type[place]); }));
	if (from.velocity)
		grids.push_back(velocity(from));
	openvdb::MetaMap meta;
	meta.insertMeta("creator", openvdb::StringMetadata("freshet"));
	meta.insertMeta("time", openvdb::DoubleMetadata(from.time));
	meta.insertMeta("frame", openvdb::Int32Metadata(from.frame));
	std::string file = Writer().encode(grids, meta);
	settle_identity(file);
	return file;
}

} // namespace

int vdb_encode(const vdb_grids *grids, unsigned char **bytes, size_t *length)
try {
	openvdb::initialize(); /* once, whoever calls it */
	const std::string file = encode(*grids);
	*bytes = static_cast<unsigned char *>(std::malloc(file.size() + 1));
	if (!*bytes)
		return ENOMEM;
	std::memcpy(*bytes, file.data(), file.size());
	*length = file.size();
	return 0;
} catch (const std::bad_alloc &) {
	return ENOMEM;
} catch (const std::exception &) {
	return EIO;
}
