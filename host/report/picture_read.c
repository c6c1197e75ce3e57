#include "picture_read.h"

#include <limits.h>

#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STB_IMAGE_STATIC /* Debian's libstb exports the same names */
#define STB_IMAGE_IMPLEMENTATION
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-function" /* told at the end of the file */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#endif
#include <stb_image.h>
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

unsigned char *picture_read(const void *data, size_t length, int channels, int *width, int *height)
{
	int found;
	return length > INT_MAX
		       ? NULL
		       : stbi_load_from_memory(data, (int)length, width, height, &found, channels);
}

void picture_free(unsigned char *pixels)
{
	stbi_image_free(pixels);
}
