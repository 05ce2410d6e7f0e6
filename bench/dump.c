/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump.c - reading dumps; see dump.h */

#include "bench/dump.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return the content of a file, for free(), and its length in @bytes. Return
   NULL if it cannot be read (see errno), is empty, or memory is short. */
static char *read_whole_file(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	long size;

	if (!f)
		return NULL;
	if (!fseek(f, 0, SEEK_END) && (size = ftell(f)) > 0) {
		rewind(f);
		text = malloc((size_t)size);
		*bytes = text ? fread(text, 1, (size_t)size, f) : 0;
	}
	fclose(f);
	return text;
}

static void append_part_to_log_or_chunks(struct dump *d,
					 const struct dump_part *p,
					 const char *data)
{
	struct dump_buffer piece = {data, p->bytes};

	if (p->kind == DUMP_LOG) {
		d->log[d->n_log++] = piece;
	} else {
		d->chunk[d->n_chunks++] = piece;
		d->bytes += p->bytes;
	}
}

/* Count the parts of the file in @part_count. If @d->log is allocated, also
   append each part to @d->log or @d->chunk. Return false if the last part is
   incomplete.
   @file_bytes: length of the file. */
static bool count_and_store_parts_is_whole(struct dump *d, size_t file_bytes,
					   size_t *part_count)
{
	size_t offset = sizeof(d->head);
	struct dump_part p;

	for (*part_count = 0; offset + sizeof(p) <= file_bytes;
	     offset += p.bytes, ++*part_count) {
		memcpy(&p, d->file + offset, sizeof(p));
		offset += sizeof(p);
		if (p.bytes > file_bytes - offset)
			return false;
		if (d->log)
			append_part_to_log_or_chunks(d, &p, d->file + offset);
	}
	return offset == file_bytes;
}

int dump_read(struct dump *d, const char *path, char *message)
{
	size_t bytes = 0, n;

	*d = (struct dump){.file = read_whole_file(path, &bytes)};
	if (!d->file) {
		snprintf(message, DUMP_MESSAGE, "cannot read '%s': %s", path,
			 errno ? strerror(errno) : "it is empty");
		return -1;
	}
	if (bytes >= sizeof(d->head))
		memcpy(&d->head, d->file, sizeof(d->head));
	if (d->head.magic != DUMP_MAGIC ||
	    !count_and_store_parts_is_whole(d, bytes, &n)) {
		snprintf(message, DUMP_MESSAGE, "'%s' is no whole dump", path);
		return -1;
	}
	d->log = calloc(n + 1, sizeof(*d->log));
	d->chunk = calloc(n + 1, sizeof(*d->chunk));
	if (!d->log || !d->chunk) {
		snprintf(message, DUMP_MESSAGE, "out of memory");
		return -1;
	}
	count_and_store_parts_is_whole(d, bytes, &n);
	if (d->n_chunks)
		return 0;
	snprintf(message, DUMP_MESSAGE, "'%s' has no chunks", path);
	return -1;
}

void dump_release(struct dump *d)
{
	free(d->file);
	free(d->log);
	free(d->chunk);
	*d = (struct dump){0};
}
