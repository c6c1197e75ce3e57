/*
 * The encoder of stb_image_write takes it for granted that its buffers can grow.  Here they come
 * from an allocator that leaves the encoder when they cannot, and frees what it held.
 */
#include "png_encode.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* In front of every block; a ring of all that are in use. */
struct link {
	struct link *next, *previous;
};
struct block {
	struct link link; /* the first member: a link is taken for its block */
	size_t bytes;
	_Alignas(max_align_t) unsigned char memory[];
};

/* One encoding, of this thread. */
static _Thread_local struct {
	struct link ring;
	jmp_buf out_of_memory;
} encoding;

static struct block *block_of(void *memory)
{
	return (struct block *)(void *)((unsigned char *)memory - offsetof(struct block, memory));
}

static void *take_block(size_t bytes)
{
	struct block *block = malloc(sizeof(*block) + bytes);
	if (!block)
		longjmp(encoding.out_of_memory, 1);
	block->bytes = bytes;
	struct link *link = &block->link;
	*link = (struct link){encoding.ring.next, &encoding.ring};
	link->next->previous = link->previous->next = link;
	return block->memory;
}

static void give_back(void *memory)
{
	if (!memory)
		return;
	struct block *block = block_of(memory);
	block->link.next->previous = block->link.previous;
	block->link.previous->next = block->link.next;
	free(block);
}

static void *grow_block(void *memory, size_t bytes)
{
	void *moved = take_block(bytes);
	if (memory) {
		const size_t before = block_of(memory)->bytes;
		memcpy(moved, memory, before < bytes ? before : bytes);
		give_back(memory);
	}
	return moved;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define STB_IMAGE_WRITE_STATIC /* Debian's libstb exports the same names */
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBIW_MALLOC(bytes) take_block(bytes)
#define STBIW_REALLOC(memory, bytes) grow_block(memory, bytes)
#define STBIW_FREE(memory) give_back(memory)
#include <stb_image_write.h>
#pragma GCC diagnostic pop

/* Differences from the left neighbour and a short search for repetitions: for pictures of liquid
 * half the time of the best of five filters per row and a long search, and as small within a
 * twentieth (docs/results/pictures.md). */
static void choose_speed(void)
{
	stbi_write_force_png_filter = 1;
	stbi_write_png_compression_level = 5;
}

static unsigned char *encode_rgb(const uint8_t *rgb, int width, int height, size_t *length)
{
	static pthread_once_t chosen = PTHREAD_ONCE_INIT;
	int bytes = 0;
	pthread_once(&chosen, choose_speed);
	const unsigned char *made = stbi_write_png_to_mem(rgb, width * 3, width, height, 3, &bytes);
	*length = (size_t)bytes;
	unsigned char *png = made ? malloc(*length) : NULL;
	if (png)
		memcpy(png, made, *length);
	return png;
}

unsigned char *png_encode(const uint8_t *rgb, int width, int height, size_t *length)
{
	unsigned char *png;
	struct link *const ring = &encoding.ring;
	*ring = (struct link){ring, ring};
	if (setjmp(encoding.out_of_memory) == 0)
		png = encode_rgb(rgb, width, height, length);
	else
		png = NULL;
	while (ring->next != ring)
		give_back(((struct block *)(void *)ring->next)->memory);
	return png;
}
