#include "field_formats.h"

#define ROW(KIND, name) &field_format_##name,
const struct field_format *const field_formats[FIELD_FORMAT_COUNT] = {FIELD_FORMATS(ROW)};
