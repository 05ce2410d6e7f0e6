/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - writes JSON
 *
 * Indented by two spaces; numbers are integers. Any string is taken: what is
 * not UTF-8 becomes U+FFFD. The caller looks at ferror() when it is done.
 */
#ifndef BASE_TEXT_JSON_H
#define BASE_TEXT_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text/report_sink.h"

enum { AL_JSON_DEPTH = 32 }; /* objects and lists within each other */

struct al_json {
	struct an_sink sink; /* what to write with; key NULL at the top */
	FILE *file;
	unsigned depth;
	bool is_empty;		     /* the innermost has no member yet */
	bool is_list[AL_JSON_DEPTH]; /* by depth, from 1 */
};

void al_json_init(struct al_json *, FILE *);

/* A string alone, in quotes. */
void al_json_string(FILE *, const char *);

/* Writes true or false to a sink of this kind. */
void al_json_truth(struct an_sink *, const char *key, bool value);

#endif
