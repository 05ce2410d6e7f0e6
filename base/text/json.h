/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - writes JSON
 *
 * The output is indented by two spaces. Real numbers have 15 significant
 * digits. Strings may hold any bytes; malformed UTF-8 becomes U+FFFD. Text
 * is passed to the file when the buffer is full and when the outermost value
 * ends. The caller checks ferror() then.
 */
#ifndef BASE_TEXT_JSON_H
#define BASE_TEXT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text/report_sink.h"

enum {
	AL_JSON_DEPTH = 32, /* 1 + maximum depth of nested objects and lists */
	AL_JSON_BUFFER = 1 << 14 /* [bytes] */
};

struct al_json {
	struct an_sink sink; /* interface for the caller; the outermost object
				has the key NULL */
	FILE *file;
	unsigned depth;
	bool is_empty;		     /* the innermost object or list has no
					member yet */
	bool is_list[AL_JSON_DEPTH]; /* for each depth, from 1: whether a list,
					not an object, is open there */
	int error; /* 0 or errno of the first write to `file` that failed */
	size_t n_buffered;	     /* bytes in the buffer */
	char buffer[AL_JSON_BUFFER]; /* text that follows what `file` has */
};

void al_json_init(struct al_json *, FILE *);

/* Write a string in quotes, escaped, without a key or a separator. */
void al_json_write_quoted_string(FILE *, const char *);

/* Write true or false; the sink is that of a struct al_json. */
void al_json_write_bool(struct an_sink *, const char *key, bool value);

/* Write null, or a finite number; the sink is that of a struct al_json. */
void al_json_write_null(struct an_sink *, const char *key);
void al_json_write_finite_real(struct an_sink *, const char *key,
			       double finite_value);

#endif
