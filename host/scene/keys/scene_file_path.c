#define _XOPEN_SOURCE 700 /* realpath() */
#include "keys/scene_file_path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PATH 4096

bool scene_file_is_name(const char *file)
{
	for (const char *c = file; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f || c - file >= MOST_PATH)
			return false;
	return true;
}

char *scene_file_path(const struct scene_reader *reader, const char *file)
{
	const char *scene = reader->errors.path, *slash = strrchr(scene, '/');
	const size_t folder = slash && file[0] != '/' ? (size_t)(slash - scene) + 1 : 0;
	char *path = malloc(folder + strlen(file) + 1);
	if (!path)
		return NULL;
	memcpy(path, scene, folder);
	strcpy(path + folder, file);
	errno = 0;
	char *whole = realpath(path, NULL);
	if (!whole && errno != ENOMEM)
		return path;
	free(path);
	return whole;
}
