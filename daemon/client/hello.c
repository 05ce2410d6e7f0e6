/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hello.c - checks and decodes the first message of a tool
 */
#include "daemon/client/hello.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static int
format_reason_and_return_eproto(char *reason, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reason, PT_REASON, format, args);
	va_end(args);
	return -EPROTO;
}

/* Copy the fixed part of a hello to @h, and check its magic number, version and
   size. Only the members before `bytes` are common to all major versions, so
   the version is checked before the size. Return: 0; -EPROTO with a line in
   @reason. */
static int copy_and_check_fixed_hello(const void *packet, size_t bytes,
				      struct pt_hello *h, char *reason)
{
	if (bytes < offsetof(struct pt_hello, bytes))
		return format_reason_and_return_eproto(reason,
						       "hello is cut short");
	memcpy(h, packet, bytes < sizeof(*h) ? bytes : sizeof(*h));
	if (h->magic != PT_MAGIC)
		return format_reason_and_return_eproto(
			reason, "hello has a wrong magic number");
	if (h->major != PT_MAJOR)
		return format_reason_and_return_eproto(
			reason,
			"tool speaks protocol %u.%u, daemon %d.%d: use "
			"the same version of both",
			h->major, h->minor, PT_MAJOR, PT_MINOR);
	if (bytes < sizeof(*h) || h->bytes != bytes)
		return format_reason_and_return_eproto(
			reason, "hello has a wrong size");
	h->valgrind[sizeof(h->valgrind) - 1] = '\0';
	return 0;
}

/* Point h->directory to the first of the strings in h->text, and the elements
   of h->argv to the others. Return: 0; -EPROTO with a line in @reason if the
   number of strings is not that of the hello. */
static int split_directory_and_argv(struct dm_hello *h, size_t text_bytes,
				    char *reason)
{
	size_t i, n = h->fixed.n_strings;
	const char *p = h->text, *end = h->text + text_bytes;

	for (i = 0; i < n; i++) {
		if (p == end)
			return format_reason_and_return_eproto(
				reason, "hello lacks strings");
		if (i == 0)
			h->directory = p;
		else
			h->argv[i - 1] = p;
		p += strlen(p) + 1;
	}
	if (p != end)
		return format_reason_and_return_eproto(
			reason, "hello has unexpected bytes after its strings");
	return 0;
}

/* Copy the token if the hello has one, according to its flags. Return: offset
   of the strings in the packet [bytes]; 0 if the packet is too short. */
static size_t copy_token_get_strings_offset_or_0(const void *packet,
						 size_t bytes,
						 struct dm_hello *h)
{
	size_t offset = sizeof(h->fixed);

	if (!(h->fixed.flags & PT_HELLO_TOKEN))
		return offset;
	if (bytes - offset < sizeof(h->token))
		return 0;
	memcpy(&h->token, (const char *)packet + offset, sizeof(h->token));
	return offset + sizeof(h->token);
}

int dm_hello_parse_packet(const void *packet, size_t bytes, struct dm_hello *h,
			  char *reason)
{
	size_t text_bytes, offset;
	int err;

	*h = (struct dm_hello){0};
	err = copy_and_check_fixed_hello(packet, bytes, &h->fixed, reason);
	if (err)
		return err;
	offset = copy_token_get_strings_offset_or_0(packet, bytes, h);
	if (!offset)
		return format_reason_and_return_eproto(reason,
						       "hello lacks its token");
	text_bytes = bytes - offset;
	if (h->fixed.n_strings < 2 || h->fixed.n_strings > text_bytes ||
	    ((const char *)packet)[bytes - 1] != '\0')
		return format_reason_and_return_eproto(reason,
						       "hello lacks strings");
	h->text = malloc(text_bytes);
	h->argv = calloc(h->fixed.n_strings, sizeof(*h->argv));
	if (h->text && h->argv) {
		memcpy(h->text, (const char *)packet + offset, text_bytes);
		err = split_directory_and_argv(h, text_bytes, reason);
	} else {
		format_reason_and_return_eproto(reason,
						"daemon is out of memory");
		err = -ENOMEM;
	}
	if (err)
		dm_hello_free_strings(h);
	return err;
}

void dm_hello_free_strings(struct dm_hello *h)
{
	free(h->argv);
	free(h->text);
	*h = (struct dm_hello){.fixed = h->fixed};
}
