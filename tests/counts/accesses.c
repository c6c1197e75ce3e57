#include "accesses.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the linker: this program's code and static data. */
extern const char __executable_start[], _end[];
/* Of the C library: where the main thread's stack begins. */
extern void *__libc_stack_end;
/* Lies beside the variables of the thread that kernels have. */
static _Thread_local char of_thread;
#define OF_THREAD 1024

/* The different bytes of a launch: a hash table of blocks of 64, those of earlier launches void. */
#define BLOCKS (1u << 22)
struct block {
	uint64_t address, read, written;
	uint64_t launch;
};

static struct {
	bool active;
	uint64_t launch, used;
	uintptr_t local, local_end;
	struct block *blocks;
	struct accesses counts;
} now;

enum memory { GLOBAL, LOCAL, PRIVATE };

/* Kernels know what they are given, what is static, and what is on the stack. */
static enum memory memory_of(uintptr_t address)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	if (address >= now.local && address < now.local_end)
		return LOCAL;
	const uintptr_t beside = (uintptr_t)&of_thread;
	if ((address >= here && address <= (uintptr_t)__libc_stack_end) ||
	    (address >= beside - OF_THREAD && address < beside + OF_THREAD) ||
	    (address >= (uintptr_t)__executable_start && address < (uintptr_t)_end))
		return PRIVATE;
	return GLOBAL;
}

static struct block *find_block(uintptr_t address)
{
	const uint64_t name = address / 64;
	size_t at = (size_t)(name * 0x9e3779b97f4a7c15u >> 42);
	for (;; at = (at + 1) % BLOCKS) {
		struct block *b = &now.blocks[at];
		if (b->launch == now.launch && b->address == name)
			return b;
		if (b->launch == now.launch)
			continue;
		if (++now.used > BLOCKS / 2) {
			fprintf(stderr, "more memory in one launch than can be counted\n");
			abort();
		}
		*b = (struct block){.address = name, .launch = now.launch};
		return b;
	}
}

static uint64_t bytes_in(uint64_t mask)
{
	return (uint64_t)__builtin_popcountll(mask);
}

static void touch(uintptr_t address, size_t bytes, bool store)
{
	while (bytes > 0) {
		const size_t first = address % 64, most = 64 - first,
			     count = bytes < most ? bytes : most;
		const uint64_t mask = (count == 64 ? ~0ull : (1ull << count) - 1) << first;
		struct block *b = find_block(address);
		const uint64_t fresh = mask & ~(store ? b->written : b->read | b->written);
		if (store) {
			b->written |= mask;
			now.counts.written += bytes_in(fresh);
		} else {
			b->read |= fresh;
			now.counts.read += bytes_in(fresh);
		}
		address += count;
		bytes -= count;
	}
}

static void count_access(const volatile void *place, size_t bytes, bool store)
{
	const uintptr_t address = (uintptr_t)place;
	if (!now.active || memory_of(address) != GLOBAL)
		return;
	*(store ? &now.counts.stores : &now.counts.loads) += 1;
	*(store ? &now.counts.stored : &now.counts.loaded) += bytes;
	touch(address, bytes, store);
}

/* Called by kernels/common/native.h. */
void native_count_atomic(const volatile void *place);
void native_count_atomic(const volatile void *place)
{
	const enum memory memory = memory_of((uintptr_t)place);
	if (!now.active)
		return;
	now.counts.atomics += memory == GLOBAL;
	now.counts.local_atomics += memory != GLOBAL;
}

void accesses_begin(const void *local, size_t local_bytes)
{
	if (!now.blocks)
		now.blocks = calloc(BLOCKS, sizeof(*now.blocks));
	if (!now.blocks)
		abort();
	now.launch++;
	now.used = 0;
	now.local = (uintptr_t)local;
	now.local_end = now.local + local_bytes;
	memset(&now.counts, 0, sizeof(now.counts));
	now.active = true;
}

void accesses_end(struct accesses *total)
{
	now.active = false;
	total->loads += now.counts.loads;
	total->stores += now.counts.stores;
	total->loaded += now.counts.loaded;
	total->stored += now.counts.stored;
	total->read += now.counts.read;
	total->written += now.counts.written;
	total->atomics += now.counts.atomics;
	total->local_atomics += now.counts.local_atomics;
}

/* ---- what -fsanitize=thread calls ----------------------------------------------------------- */

#define ACCESSES(bytes)                                  \
	void __tsan_read##bytes(void *place);            \
	void __tsan_write##bytes(void *place);           \
	void __tsan_unaligned_read##bytes(void *place);  \
	void __tsan_unaligned_write##bytes(void *place); \
	void __tsan_volatile_read##bytes(void *place);   \
	void __tsan_volatile_write##bytes(void *place);  \
	void __tsan_read##bytes(void *place)             \
	{                                                \
		count_access(place, bytes, false);       \
	}                                                \
	void __tsan_write##bytes(void *place)            \
	{                                                \
		count_access(place, bytes, true);        \
	}                                                \
	void __tsan_unaligned_read##bytes(void *place)   \
	{                                                \
		count_access(place, bytes, false);       \
	}                                                \
	void __tsan_unaligned_write##bytes(void *place)  \
	{                                                \
		count_access(place, bytes, true);        \
	}                                                \
	void __tsan_volatile_read##bytes(void *place)    \
	{                                                \
		count_access(place, bytes, false);       \
	}                                                \
	void __tsan_volatile_write##bytes(void *place)   \
	{                                                \
		count_access(place, bytes, true);        \
	}
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *place, size_t bytes);
void __tsan_write_range(void *place, size_t bytes);
void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void *caller);
void __tsan_read_range(void *place, size_t bytes)
{
	count_access(place, bytes, false);
}
void __tsan_write_range(void *place, size_t bytes)
{
	count_access(place, bytes, true);
}
void __tsan_init(void)
{
}
void __tsan_func_entry(void *caller)
{
	(void)caller;
}
void __tsan_func_exit(void *caller)
{
	(void)caller;
}
