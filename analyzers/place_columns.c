/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place_columns.c - names functions and source lines in tables; see
   place_columns.h */

#include "analyzers/place_columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/printable.h"

enum {
	NUMBER = 24, /* [bytes] of a number's digits */
};

/* Return a copy of @s without default template arguments. If it is longer than
   @most bytes, it is cut and ends in "...". The caller frees it; NULL if memory
   is short. */
static char *copy_shortened_name(const char *s, size_t most)
{
	char *copy = strdup(s);

	if (copy == NULL)
		return NULL;
	al_template_drop_defaults(copy);
	if (strlen(copy) > most)
		strcpy(copy + most - 3, "...");
	return copy;
}

/* Return "function  [object]" of at most @most bytes. The object is left out if
   it needs more than half of @most. The caller frees the string; NULL if memory
   is short. */
static char *label_function(const union al_cell *row, size_t most)
{
	const char *object = row[AN_FUNCTION_OBJECT].text;
	size_t suffix_size = strlen(object) + strlen("  []");
	bool has_object = suffix_size <= most / 2;
	char *name, *function;

	function = copy_shortened_name(row[AN_FUNCTION_NAME].text,
				       has_object ? most - suffix_size : most);
	name = function ? malloc(strlen(function) + suffix_size + 1) : NULL;
	if (name != NULL && has_object)
		snprintf(name, strlen(function) + suffix_size + 1, "%s  [%s]",
			 function, object);
	else if (name != NULL)
		strcpy(name, function);
	free(function);
	return name;
}

/* Return "file:line", or "no line known  [object]" if the line is 0. A name
   longer than @most bytes is cut at its beginning. The caller frees the string;
   NULL if memory is short. */
static char *label_line(const union al_cell *row, size_t most)
{
	const char *file = row[AN_LINE_FILE].text;
	const char *object = row[AN_LINE_OBJECT].text;
	size_t n = strlen(file) + strlen(object) + NUMBER + 20;
	char *name = malloc(n);
	size_t len;

	if (name == NULL)
		return NULL;
	if (row[AN_LINE_NUMBER].number != 0)
		len = (size_t)snprintf(
			name, n, "%s:%llu", file,
			(unsigned long long)row[AN_LINE_NUMBER].number);
	else
		len = (size_t)snprintf(name, n, "no line known  [%s]", object);
	if (len > most) {
		memmove(name, name + len - most, most + 1);
		memcpy(name, "...", 3);
	}
	return name;
}

const struct al_column an_function_columns[AN_NAMES + 1] = {
	[AN_FUNCTION_NAME] = {.key = "name", .title = "function"},
	[AN_FUNCTION_FILE] = {.key = "file", .title = "file"},
	[AN_FUNCTION_OBJECT] = {.key = "object", .title = "object"},
	[AN_NAMES] = {.title = "function",
		      .kind = AL_COLUMN_LABEL,
		      .label = label_function},
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
	[AN_NAMES] = {.title = "source line",
		      .kind = AL_COLUMN_LABEL,
		      .label = label_line},
};
