/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocators.c - fuzzes the reader of files with allocator functions
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text/message.h"
#include "lib/config/allocator_file.h"
#include "tests/fuzz/fuzz.h"

static bool is_argument(uint8_t index, bool can_be_none)
{
	return index < PT_MAX_ARGUMENTS ||
	       (can_be_none && index == PT_NO_ARGUMENT);
}

/* Whether the members of @f are in the ranges that the tool requires. */
static bool is_function_right(const struct pt_allocator *f,
			      uint32_t string_bytes)
{
	bool allocates = f->kind != PT_FREES;
	bool has_pointer =
		f->kind != PT_ALLOCATES && f->kind != PT_ALLOCATES_ARRAY;
	bool has_count =
		f->kind == PT_ALLOCATES_ARRAY || f->kind == PT_RESIZES_ARRAY;

	return f->kind < PT_ALLOCATOR_KINDS && f->name > 0 &&
	       f->name < string_bytes && f->image < string_bytes &&
	       is_argument(f->pointer, !has_pointer) &&
	       is_argument(f->size, !allocates || f->bytes > 0) &&
	       is_argument(f->count, !has_count);
}

/* Abort if the packet violates its description in proto/allocator.h. */
static void check_packet(const struct pt_allocators *a, uint32_t bytes)
{
	const struct pt_allocator *f = (const void *)(a + 1);
	const char *strings = (const char *)(f + a->n);

	if (a->n > PT_MAX_ALLOCATORS ||
	    a->string_bytes > PT_MAX_ALLOCATOR_STRINGS ||
	    bytes != sizeof(*a) + a->n * sizeof(*f) + a->string_bytes ||
	    (a->string_bytes > 0 &&
	     (strings[0] || strings[a->string_bytes - 1])))
		abort();
	for (uint32_t i = 0; i < a->n; i++)
		if (!is_function_right(&f[i], a->string_bytes))
			abort();
}

/* Abort unless @message is one line that begins with @path. */
static void check_message(const char *message, const char *path)
{
	if (strncmp(message, path, strlen(path)) != 0 ||
	    strchr(message, '\n') != NULL)
		abort();
}

void fuzz_allocators(const uint8_t *data, size_t bytes)
{
	char path[32], message[AL_MESSAGE] = "";
	const char *option[] = {path, "python"};
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct pt_allocators *a;
	uint32_t packet_bytes;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, bytes) != (ssize_t)bytes)
		abort();
	if (al_allocators_read_all(option, 1 + bytes % 2, &a, &packet_bytes,
				   message) == 0)
		check_packet(a, packet_bytes);
	else
		check_message(message, path);
	free(a);
	close(fd);
}
