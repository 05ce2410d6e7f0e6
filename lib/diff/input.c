/* SPDX-License-Identifier: GPL-2.0-or-later */
/* input.c - reads a report to be compared; see input.h */

#include "lib/diff/input.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/tables/array.h"
#include "base/text/message.h"

enum {
	MIN_TEXT = 1 << 16,   /* [bytes] of the smallest buffer for a file */
	MAX_BYTES = 1 << 30,  /* [bytes] of the largest buffer for a file */
	LARGE_PAGE = 1 << 21, /* [bytes] */
	MIN_LARGE_PAGES = 2,  /* [large pages] smallest buffer that uses large
				 pages */
};

const char *const al_diff_event_name[AL_DIFF_EVENTS] = {
	"Ir", "I1mr", "ILmr", "Dr", "D1mr", "DLmr", "Dw", "D1mw", "DLmw"};

int al_diff_find_event_index(const char *name, size_t bytes)
{
	for (int i = 0; i < AL_DIFF_EVENTS; i++)
		if (strlen(al_diff_event_name[i]) == bytes &&
		    memcmp(al_diff_event_name[i], name, bytes) == 0)
			return i;
	return -1;
}

struct al_diff_row *al_diff_rows_append_zeroed(struct al_diff_rows *r)
{
	if (al_array_reserve(r->row, r->size, r->n + 1))
		return NULL;
	r->row[r->n] = (struct al_diff_row){NULL, NULL, NULL, 0, {{0}}};
	return &r->row[r->n++];
}

/* Allocate @bytes bytes, large pages if there are many: a report of 50 MB then
   costs 25 page faults and not 12,000. Return: NULL if memory is short. */
static char *malloc_with_large_pages_if_many(size_t bytes)
{
	char *p;

	if (bytes < (size_t)MIN_LARGE_PAGES * LARGE_PAGE)
		return malloc(bytes);
	bytes = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
	p = aligned_alloc(LARGE_PAGE, bytes);
	if (p != NULL)
		(void)madvise(p, bytes, MADV_HUGEPAGE);
	return p;
}

/* Return the size of a file [bytes], at least MIN_TEXT; MIN_TEXT if it has no
   size, like a pipe, or is MAX_BYTES or larger. */
static size_t file_bytes_or_min_buffer_bytes(FILE *file)
{
	struct stat st;

	return fstat(fileno(file), &st) == 0 && st.st_size > MIN_TEXT &&
			       (uint64_t)st.st_size < MAX_BYTES
		       ? (size_t)st.st_size
		       : MIN_TEXT;
}

/* Return the bytes of @file up to its end, followed by a NUL, to be freed with
   free(); NULL with errno on error, EFBIG if the buffer would grow beyond
   MAX_BYTES. @bytes: receives the number of bytes without the NUL. */
static char *read_stream_to_end_with_nul(FILE *file, size_t *bytes)
{
	size_t size = file_bytes_or_min_buffer_bytes(file) + 1, n;
	char *text = malloc_with_large_pages_if_many(size + 1), *bigger;

	*bytes = 0;
	while (text && (n = fread(text + *bytes, 1, size - *bytes, file)) > 0) {
		*bytes += n;
		if (*bytes < size)
			continue;
		size *= 2;
		bigger = size <= MAX_BYTES ? realloc(text, size + 1) : NULL;
		if (bigger == NULL) {
			errno = size > MAX_BYTES ? EFBIG : ENOMEM;
			free(text);
			return NULL;
		}
		text = bigger;
	}
	if (text && ferror(file)) {
		free(text);
		return NULL;
	}
	if (text)
		text[*bytes] = '\0';
	return text;
}

static char *read_whole_file_or_report(const char *path, size_t *bytes,
				       char *message)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;

	if (file != NULL)
		text = read_stream_to_end_with_nul(file, bytes);
	if (text == NULL)
		al_message_return_einval(message, "cannot read '%.300s': %s",
					 path, strerror(errno));
	if (file != NULL)
		fclose(file);
	return text;
}

int al_diff_read_json_or_cachegrind(const char *path, struct al_intern *strings,
				    struct al_diff_input *input, char *message)
{
	size_t bytes, blank;
	char *text = read_whole_file_or_report(path, &bytes, message);
	int err;

	*input = (struct al_diff_input){.path = path, .strings = strings};
	if (text == NULL)
		return -EINVAL;
	blank = strspn(text, " \t\r\n");
	if (text[blank] == '{')
		err = al_diff_parse_json(input, text, bytes, message);
	else if (strstr(text, "\nevents:") || !strncmp(text, "events:", 7))
		err = al_diff_parse_cachegrind(input, text, message);
	else
		err = al_message_return_einval(
			message,
			"'%.300s' is neither a JSON report, a profile "
			"nor a cachegrind.out file",
			path);
	if (!err && input->kind == AL_DIFF_JSON) {
		input->text = text;
		input->bytes = bytes;
	} else {
		free(text);
	}
	if (err)
		al_diff_input_release(input);
	return err;
}

void al_diff_input_release(struct al_diff_input *in)
{
	free(in->functions.row);
	free(in->lines.row);
	free(in->data_row);
	free(in->object);
	free(in->file);
	free(in->text);
	*in = (struct al_diff_input){.path = NULL};
}
