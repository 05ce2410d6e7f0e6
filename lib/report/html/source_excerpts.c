/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_excerpts.c - collects the source lines around those with the largest
 * shares of any count
 */
#include "lib/report/html/page_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text/path.h"
#include "base/text/utf8.h"
#include "lib/report/html/columns.h"
#include "proto/shared/hash.h"

enum {
	AROUND = 20,	      /* lines before and after a line with counts */
	MAX_HOT_LINES = 2000, /* lines with counts whose source is collected */
	MAX_BYTES = 300 * 1000, /* [bytes] of source in all excerpts */
	MAX_FILE = 8 << 20,	/* [bytes] of a file that is read */
	MAX_LINE = 400,		/* [bytes] of a line; the rest is cut */
	REPLACEMENT_BYTES = 3,	/* [bytes] of U+FFFD */
};

/* A source file that the report names. Its text is set only if its hash is that
   of the report. */
struct source {
	const char *path; /* in the report */
	uint64_t hash;
	char *text; /* [bytes] and a NUL; NULL: not readable, or changed */
	size_t bytes;
	const char **line; /* [n_lines + 1] start of each line; the last
			      entry is the end of the text */
	bool *is_selected; /* [n_lines] whether the excerpts contain the
			      source line */
	size_t n_lines;
};

struct sources {
	struct source *file; /* [n] one for each file of the report */
	size_t n;
	size_t selected_bytes;
};

/* ---- files ---- */

/* Set the text of a source to the bytes of the regular file @path. Return: 0;
   -ENOENT if it cannot be read, memory is short, or it has more than MAX_FILE
   bytes or another hash. */
static int store_file_text_return_0_if_hash_equal(void *source,
						  const char *path)
{
	struct source *s = source;
	struct stat st;
	char *text = NULL;
	FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode)
			  ? fopen(path, "re")
			  : NULL;

	if (f == NULL)
		return -ENOENT;
	if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size <= MAX_FILE)
		text = malloc((size_t)st.st_size + 1);
	if (text != NULL) {
		s->bytes = fread(text, 1, (size_t)st.st_size, f);
		text[s->bytes] = '\0';
		if (pt_hash_update_with_bytes(PT_HASH_START, text, s->bytes) !=
		    s->hash) {
			free(text);
			text = NULL;
		}
	}
	fclose(f);
	s->text = text;
	return text ? 0 : -ENOENT;
}

static size_t count_lines(const char *text, size_t bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += text[i] == '\n' || i + 1 == bytes;
	return n;
}

/* Set s->line to the beginnings of the lines. Free the text if memory is
   short. */
static void find_line_beginnings(struct source *s)
{
	size_t n = 0;

	s->n_lines = count_lines(s->text, s->bytes);
	s->line = calloc(s->n_lines + 1, sizeof(*s->line));
	s->is_selected = calloc(s->n_lines + 1, sizeof(*s->is_selected));
	if (s->line == NULL || s->is_selected == NULL) {
		free(s->text);
		s->text = NULL;
		return;
	}
	for (size_t i = 0; i < s->bytes; i++)
		if (i == 0 || s->text[i - 1] == '\n')
			s->line[n++] = s->text + i;
	s->line[n] = s->text + s->bytes;
}

static void read_sources_with_equal_hash(struct sources *all,
					 const json_t *files,
					 const char *source_folder)
{
	size_t n = json_array_size(files);

	all->file = calloc(n + 1, sizeof(*all->file));
	for (size_t i = 0; all->file && i < n; i++) {
		const json_t *f = json_array_get(files, i);
		struct source *s = &all->file[all->n++];
		const char *hash =
			json_string_value(json_object_get(f, "hash"));
		s->path = json_string_value(json_object_get(f, "path"));
		if (s->path == NULL || hash == NULL ||
		    sscanf(hash, "%" SCNx64, &s->hash) != 1)
			continue;
		if (al_path_read_here_or_in_folder(
			    s->path, source_folder,
			    store_file_text_return_0_if_hash_equal, s) == 0)
			find_line_beginnings(s);
	}
}

static void free_sources(struct sources *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->file[i].text);
		free(all->file[i].line);
		free(all->file[i].is_selected);
	}
	free(all->file);
}

static struct source *find_source(struct sources *all, const char *path)
{
	for (size_t i = 0; path && i < all->n; i++)
		if (all->file[i].text && strcmp(all->file[i].path, path) == 0)
			return &all->file[i];
	return NULL;
}

/* ---- lines ---- */

/* Select the line @number, from 1, and the AROUND lines before and after it,
   except those whose bytes, not yet cut to MAX_LINE, would make the excerpts
   longer than MAX_BYTES. */
static void select_lines_around(struct sources *all, struct source *s,
				size_t number)
{
	size_t first = number > AROUND ? number - 1 - AROUND : 0;
	size_t bytes;

	for (size_t i = first; i < number + AROUND && i < s->n_lines; i++) {
		bytes = (size_t)(s->line[i + 1] - s->line[i]);
		if (s->is_selected[i] ||
		    all->selected_bytes + bytes > MAX_BYTES)
			continue;
		s->is_selected[i] = true;
		all->selected_bytes += bytes < MAX_LINE ? bytes : MAX_LINE;
	}
}

/* Select source lines around the rows of @lines, those with the largest shares
   of any count first. */
static void select_lines_with_largest_shares(struct sources *all,
					     const json_t *lines)
{
	size_t *index = calloc(json_array_size(lines) + 1, sizeof(*index));
	size_t n =
		index ? al_list_rank_rows_by_share(lines, MAX_HOT_LINES, index)
		      : 0;

	for (size_t i = 0; i < n; i++) {
		const json_t *row = json_array_get(lines, index[i]);
		struct source *s = find_source(
			all, json_string_value(json_object_get(row, "path")));
		json_int_t line =
			json_integer_value(json_object_get(row, "line"));

		if (s != NULL && line > 0 && (uint64_t)line <= s->n_lines)
			select_lines_around(all, s, (size_t)line);
	}
	free(index);
}

/* Return a line without its newline, cut to MAX_LINE bytes, and then with
   U+FFFD for each NUL and each byte that is no UTF-8. */
static json_t *new_source_line_string(const char *text, const char *end)
{
	char line[MAX_LINE + 1], out[MAX_LINE * REPLACEMENT_BYTES + 1];
	size_t bytes = (size_t)(end - text), n = 0, length;
	uint32_t code;

	while (bytes > 0 &&
	       (text[bytes - 1] == '\n' || text[bytes - 1] == '\r'))
		bytes--;
	bytes = bytes < MAX_LINE ? bytes : MAX_LINE;
	memcpy(line, text, bytes);
	line[bytes] = '\0';
	for (size_t i = 0; i < bytes; i += length ? length : 1) {
		length = line[i] ? al_utf8_decode_get_length_or_0(line + i,
								  &code)
				 : 0;
		memcpy(out + n, length ? line + i : "\xef\xbf\xbd",
		       length ? length : REPLACEMENT_BYTES);
		n += length ? length : REPLACEMENT_BYTES;
	}
	return json_stringn(out, n);
}

/* Return the selected lines of a source as a list of {from, text: [...]}. */
static json_t *new_list_of_selected_line_texts(const struct source *s)
{
	json_t *ranges = json_array(), *text = NULL, *range;

	for (size_t i = 0; i < s->n_lines; i++) {
		if (!s->is_selected[i])
			continue;
		if (i == 0 || !s->is_selected[i - 1]) {
			range = json_object();
			text = json_array();
			json_object_set_new(range, "from",
					    json_integer((json_int_t)i + 1));
			json_object_set_new(range, "text", text);
			json_array_append_new(ranges, range);
		}
		json_array_append_new(
			text,
			new_source_line_string(s->line[i], s->line[i + 1]));
	}
	return ranges;
}

json_t *al_page_new_source_excerpt_list(const json_t *report,
					const char *source_folder)
{
	const json_t *cache =
		json_object_get(json_object_get(report, "analyses"), "cache");
	struct sources all = {.n = 0};
	json_t *list = json_array(), *item, *ranges;

	read_sources_with_equal_hash(&all, json_object_get(report, "files"),
				     source_folder);
	select_lines_with_largest_shares(&all, json_object_get(cache, "lines"));
	for (size_t i = 0; i < all.n; i++) {
		if (all.file[i].text == NULL)
			continue;
		ranges = new_list_of_selected_line_texts(&all.file[i]);
		item = json_object();
		json_object_set_new(item, "path",
				    json_string(all.file[i].path));
		json_object_set_new(item, "ranges", ranges);
		if (json_array_size(ranges) > 0)
			json_array_append(list, item);
		json_decref(item);
	}
	free_sources(&all);
	return list;
}
