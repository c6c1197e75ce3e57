#include "particle_attributes.h"

#include "particle_set.h"

#define SIZE_F32 sizeof(f32)
#define SIZE_U32 sizeof(u32)
#define SIZE_U8 sizeof(uint8_t)
#define IN_FILES true
#define IN_CHECKPOINTS false

#define ON_HOST(KIND, name_, plural_, type_, shape_, unit_, quantity_, with_, in_)          \
	.name = #name_, .plural = plural_, .type = ATTRIBUTE_##type_, .size = SIZE_##type_, \
	.shape = ATTRIBUTE_##shape_, .with = WITH_##with_, .in_files = IN_##in_
#define HOST_ROW(KIND, ...) [ATTRIBUTE_##KIND] = {ON_HOST(KIND, __VA_ARGS__)},
#define DEVICE_ROW(KIND, name_, ...)                                                \
	[ATTRIBUTE_##KIND] = {ON_HOST(KIND, name_, __VA_ARGS__), .on_device = true, \
			      .member = offsetof(struct particle_set, name_)},
const struct attribute_row attribute_rows[ATTRIBUTE_COUNT] = {
	PARTICLE_ATTRIBUTES(DEVICE_ROW, HOST_ROW)};

size_t attribute_columns(enum particle_attribute attribute, size_t dim)
{
	switch (attribute_rows[attribute].shape) {
	case ATTRIBUTE_VECTOR:
		return dim;
	case ATTRIBUTE_MATRIX:
		return dim * dim;
	case ATTRIBUTE_PARTICLE:
		break;
	}
	return 1;
}

size_t attribute_place(size_t dim, size_t column)
{
	return 3 * (column / dim) + column % dim;
}

size_t attribute_bytes(u32 attributes)
{
	size_t bytes = 0;
	for (enum particle_attribute a = 0; a < ATTRIBUTE_COUNT; a++)
		if (attributes & ATTRIBUTE_BIT(a))
			bytes += attribute_width(a) * attribute_rows[a].size;
	return bytes;
}

bool attribute_is_needed(enum particle_attribute attribute)
{
	return attribute_rows[attribute].in_files && attribute_rows[attribute].with == WITH_ALWAYS;
}
