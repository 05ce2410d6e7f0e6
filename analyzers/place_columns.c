/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place_columns.c - names functions and source lines in tables; see
   place_columns.h */

#include "analyzers/place_columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/code_label.h"
#include "base/text/printable.h"

enum {
	NUMBER = 24, /* [bytes] room for the digits of a number */
};

/* Return a copy of @s without default arguments of the standard library's
   templates. If it is longer than @max_bytes bytes, it is cut to @max_bytes;
   the last three of these are "...". The caller frees it; NULL if memory is
   short. */
static char *copy_name_drop_defaults_and_shorten(const char *s,
						 size_t max_bytes)
{
	char *copy = strdup(s);

	if (copy == NULL)
		return NULL;
	al_template_drop_std_default_args(copy);
	if (strlen(copy) > max_bytes)
		strcpy(copy + max_bytes - 3, "...");
	return copy;
}

/* Return @object and then @suffix, such as "libz.so.1 (no symbols)", cut at the
   beginning if they do not fit in @max_bytes bytes. The caller frees the
   string; NULL if memory is short. */
static char *alloc_object_label_cut_at_front(const char *object,
					     const char *suffix,
					     size_t max_bytes)
{
	size_t n = strlen(object) + strlen(suffix) + 1;
	char *name = malloc(n);

	if (name == NULL)
		return NULL;
	snprintf(name, n, "%s%s", object, suffix);
	if (n - 1 > max_bytes) {
		memmove(name, name + n - 1 - max_bytes, max_bytes + 1);
		memcpy(name, "...", 3);
	}
	return name;
}

/* Return "function  [object]" of at most @max_bytes bytes, the NUL not counted;
   a longer function is cut. The object is left out if it needs more than half
   of @max_bytes. Code without symbols is named "object (no symbols)". The
   caller frees the string; NULL if memory is short. */
static char *alloc_function_label_up_to_max_bytes(const union al_cell *row,
						  size_t max_bytes)
{
	const char *object = row[AN_FUNCTION_OBJECT].text;
	size_t suffix_size = strlen(object) + strlen("  []");
	bool has_object = suffix_size <= max_bytes / 2;
	char *name, *function;

	if (an_code_label_is_unknown(row[AN_FUNCTION_NAME].text) &&
	    !an_code_label_is_unknown(object))
		return alloc_object_label_cut_at_front(object, " (no symbols)",
						       max_bytes);
	function = copy_name_drop_defaults_and_shorten(
		row[AN_FUNCTION_NAME].text,
		has_object ? max_bytes - suffix_size : max_bytes);
	name = function ? malloc(strlen(function) + suffix_size + 1) : NULL;
	if (name != NULL && has_object)
		snprintf(name, strlen(function) + suffix_size + 1, "%s  [%s]",
			 function, object);
	else if (name != NULL)
		strcpy(name, function);
	free(function);
	return name;
}

/* Return the name of a line, "file:line"; of code whose lines are not known,
   whether or not its functions are, "libz.so.1 (no line numbers)". A name
   longer than @max_bytes bytes is cut at its beginning. The caller frees the
   string; NULL if memory is short. */
static char *alloc_line_label_up_to_max_bytes(const union al_cell *row,
					      size_t max_bytes)
{
	const char *file = row[AN_LINE_FILE].text;
	size_t n = strlen(file) + NUMBER, len;
	char *name;

	if (row[AN_LINE_NUMBER].number == 0)
		return alloc_object_label_cut_at_front(row[AN_LINE_OBJECT].text,
						       " (no line numbers)",
						       max_bytes);
	name = malloc(n);
	if (name == NULL)
		return NULL;
	len = (size_t)snprintf(name, n, "%s:%llu", file,
			       (unsigned long long)row[AN_LINE_NUMBER].number);
	if (len > max_bytes) {
		memmove(name, name + len - max_bytes, max_bytes + 1);
		memcpy(name, "...", 3);
	}
	return name;
}

const struct al_column an_function_columns[AN_NAMES + 1] = {
	[AN_FUNCTION_NAME] = {.key = "name", .title = "function"},
	[AN_FUNCTION_FILE] = {.key = "file", .title = "file"},
	[AN_FUNCTION_OBJECT] = {.key = "object", .title = "object"},
	[AN_NAMES] = AL_LABEL_COLUMN("function",
				     alloc_function_label_up_to_max_bytes),
};

const struct al_column an_line_columns[AN_NAMES + 1] = {
	[AN_LINE_FILE] = {.key = "file", .title = "file"},
	[AN_LINE_NUMBER] = {.key = "line",
			    .title = "line",
			    .kind = AL_COLUMN_NUMBER,
			    .style = AL_STYLE_PLAIN},
	[AN_LINE_OBJECT] = {.key = "object", .title = "object"},
	[AN_LINE_PATH] = {.key = "path", .title = "path"},
	[AN_LINE_FUNCTION] = {.key = "function", .title = "function"},
	[AN_NAMES] = AL_LABEL_COLUMN("source line",
				     alloc_line_label_up_to_max_bytes),
};
