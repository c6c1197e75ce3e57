#include "launch_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "message.h"
#include "native/native_kernels.h"
#include "shared.h"

/* ---- memory of a launch ------------------------------------------------------------------- */

static void forget_memory(struct launch_check *check)
{
	for (size_t i = 0; i < check->memory_count; i++)
		free(check->memory[i].host);
	check->memory_count = 0;
	check->active = false;
}

/* A copy of the buffer of argument n, the same one for the same buffer. */
static bool take_buffer(struct launch_check *check, const struct clx_arg *arg, size_t n)
{
	struct launch_check_memory *m = &check->memory[check->memory_count];
	struct clx_buffer buffer;
	check->arguments[n] = NULL;
	if (!clx_argument_buffer(check->cl, arg, &buffer))
		return false;
	if (!buffer.mem)
		return true;
	for (size_t i = 0; i < check->memory_count; i++)
		if (check->memory[i].buffer.mem == buffer.mem) {
			check->arguments[n] = check->memory[i].host;
			return true;
		}
	*m = (struct launch_check_memory){
		.buffer = buffer, .host = malloc(buffer.bytes), .argument = n};
	if (!m->host)
		return message_memory(buffer.bytes, "a copy of a buffer");
	check->memory_count++;
	check->arguments[n] = m->host;
	return clx_read_raw(check->cl, &buffer, 0, buffer.bytes, m->host);
}

/* Local memory starts with anything. */
static bool take_local(struct launch_check *check, const struct clx_arg *arg, size_t n)
{
	struct launch_check_memory *m = &check->memory[check->memory_count];
	*m = (struct launch_check_memory){.host = malloc(arg->size), .argument = n};
	if (!m->host)
		return message_memory(arg->size, "local memory");
	memset(m->host, 0xa5, arg->size);
	check->memory_count++;
	check->arguments[n] = m->host;
	return true;
}

static bool take_arguments(struct launch_check *check, const struct clx_launch_info *launch)
{
	const struct native_kernel *native = native_kernel(clx_dim(check->cl), launch->kernel);
	if (launch->count > LAUNCH_CHECK_ARGUMENTS || launch->count != native->count)
		return message_error("kernel %s: %zu arguments cannot be checked",
				     kernel_names[launch->kernel], launch->count);
	for (size_t n = 0; n < launch->count; n++) {
		const struct clx_arg *arg = &launch->args[n];
		const char kind = native->arguments[n].kind;
		if (kind == 'v')
			memcpy(&check->arguments[n], &arg->value, sizeof(arg->value));
		else if (!(kind == 'g' ? take_buffer(check, arg, n) : take_local(check, arg, n)))
			return false;
	}
	return true;
}

/* ---- comparison --------------------------------------------------------------------------- */

static size_t element_bytes(char element)
{
	return element == 'b' ? 1 : element == 'h' ? 2 : element == 'q' ? 8 : 4;
}

/* The element, as a number. */
static void print_element(char element, const unsigned char *at, char *text, size_t size)
{
	uint64_t bits = 0;
	float value;
	memcpy(&bits, at, element_bytes(element)); /* little-endian, as every device so far */
	memcpy(&value, at, element == 'f' ? sizeof(value) : 0);
	if (element == 'f')
		snprintf(text, size, "%.9g (0x%08" PRIx64 ")", (double)value, bits);
	else if (element == 'q')
		snprintf(text, size, "%" PRId64, (int64_t)bits);
	else if (element == 'w')
		snprintf(text, size, "%" PRIu64 " (0x%08" PRIx64 ")", bits, bits);
	else
		snprintf(text, size, "%" PRIu64, bits);
}

/* Says how the device's memory differs from the host's; false if it does not. */
static bool differs(const struct native_argument *argument, const unsigned char *device,
		    const unsigned char *host, size_t bytes, char text[LAUNCH_CHECK_TEXT])
{
	const size_t size = element_bytes(argument->element), count = bytes / size;
	size_t first = count, different = 0;
	char got[48], expected[48];
	if (memcmp(device, host, bytes) == 0)
		return false;
	for (size_t i = 0; i < count; i++)
		if (memcmp(device + i * size, host + i * size, size) != 0) {
			first = different ? first : i;
			different++;
		}
	if (first == count) /* in a rest smaller than an element */
		first = 0;
	print_element(argument->element, device + first * size, got, sizeof(got));
	print_element(argument->element, host + first * size, expected, sizeof(expected));
	snprintf(text, LAUNCH_CHECK_TEXT,
		 "%s[%zu] is %s but must be %s; %zu of %zu elements differ", argument->name, first,
		 got, expected, different, count);
	return true;
}

/* ---- memory whose contents are not the same everywhere --------------------------------- */

static int by_value(const void *a, const void *b)
{
	const u32 x = *(const u32 *)a, y = *(const u32 *)b;
	return (x > y) - (x < y);
}

/* The same numbers in any order. */
static void sort_words(u32 *words, size_t count)
{
	qsort(words, count, sizeof(*words), by_value);
}

/* Trees of labels, each the index of one that is not greater: the roots are what counts. */
static void find_roots(u32 *label, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (label[i] < i)
			label[i] = label[label[i]];
}

/* Devices without 64-bit atomics leave it alone; the self-test looks at it. */
static void forget(u32 *words, size_t count)
{
	memset(words, 0, count * sizeof(*words));
}

static const struct {
	enum kernel_id kernel;
	const char *argument;
	void (*order)(u32 *words, size_t count); /* what is left is the same for every order */
} unordered[] = {
	{K_probe_atomics, "sum64", forget},
	{K_particles_count, "rank", sort_words},
	{K_components_join, "label", find_roots},
	{K_components_flatten, "label", find_roots},
	{K_render_list_spheres, "spheres", sort_words},
};

static void put_in_order(enum kernel_id kernel, const char *argument, unsigned char *memory,
			 size_t bytes)
{
	for (size_t i = 0; i < sizeof(unordered) / sizeof(unordered[0]); i++)
		if (unordered[i].kernel == kernel && strcmp(unordered[i].argument, argument) == 0)
			unordered[i].order((void *)memory, bytes / sizeof(u32));
}

static bool compare_results(struct launch_check *check, const struct clx_launch_info *launch)
{
	const struct native_kernel *native = native_kernel(clx_dim(check->cl), launch->kernel);
	struct launch_check_kernel *kernel = &check->kernels[launch->kernel];
	char text[LAUNCH_CHECK_TEXT] = "";
	for (size_t i = 0; i < check->memory_count && !text[0]; i++) {
		const struct launch_check_memory *m = &check->memory[i];
		if (!m->buffer.mem)
			continue;
		unsigned char *device = malloc(m->buffer.bytes);
		if (!device)
			return message_memory(m->buffer.bytes, "a copy of a buffer");
		const bool read = clx_read_raw(check->cl, &m->buffer, 0, m->buffer.bytes, device);
		const struct native_argument *argument = &native->arguments[m->argument];
		if (read && memcmp(device, m->host, m->buffer.bytes) != 0) {
			put_in_order(launch->kernel, argument->name, device, m->buffer.bytes);
			put_in_order(launch->kernel, argument->name, m->host, m->buffer.bytes);
			differs(argument, device, m->host, m->buffer.bytes, text);
		}
		free(device);
		if (!read)
			return false;
	}
	kernel->checked++;
	kernel->recent++;
	if (!text[0])
		return true;
	if (kernel->different++ == 0) {
		kernel->order = ++check->differences;
		memcpy(kernel->where, check->where, sizeof(kernel->where));
		memcpy(kernel->difference, text, sizeof(kernel->difference));
	}
	return true;
}

/* ---- the observer ------------------------------------------------------------------------- */

static bool before_launch(void *user, const struct clx_launch_info *launch)
{
	struct launch_check *check = user;
	const struct launch_check_kernel *kernel = &check->kernels[launch->kernel];
	forget_memory(check);
	if (kernel->recent >= check->most ||
	    !native_kernel(clx_dim(check->cl), launch->kernel)->call)
		return true;
	if (!take_arguments(check, launch))
		return false;
	check->active = true;
	check->start = 1e3 * clock_seconds();
	return true;
}

static bool after_launch(void *user, const struct clx_launch_info *launch)
{
	struct launch_check *check = user;
	struct launch_check_kernel *kernel = &check->kernels[launch->kernel];
	kernel->launches++;
	if (!check->active)
		return true;
	bool ok = clx_wait(check->cl);
	if (ok && kernel->launches == 1)
		kernel->first_ms = 1e3 * clock_seconds() - check->start;
	if (ok) {
		native_run(clx_dim(check->cl), launch->kernel, launch->global, launch->local,
			   check->arguments);
		ok = compare_results(check, launch);
	}
	forget_memory(check);
	return ok;
}

void launch_check_start(struct launch_check *check, struct clx *cl, unsigned most)
{
	check->cl = cl;
	check->most = most;
	check->observer = (struct clx_observer){
		.before = before_launch, .after = after_launch, .user = check};
	clx_observe(cl, &check->observer);
}

void launch_check_begin(struct launch_check *check, const char *where)
{
	snprintf(check->where, sizeof(check->where), "%s", where);
	for (int k = 0; k < KERNEL_COUNT; k++)
		check->kernels[k].recent = 0;
}

void launch_check_end(struct launch_check *check)
{
	clx_observe(check->cl, NULL);
	forget_memory(check);
}
