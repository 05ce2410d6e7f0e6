/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_fields.c - parses the fields of --record; see settings.h */

#include "lib/config/settings.h"

#include <stdio.h>
#include <string.h>

#include "base/text/suggest.h"
#include "lib/config/options.h"
#include "proto/hello.h"

enum { N_WORDS = 7, MAX_WORD = 32 };

static const char *const words[N_WORDS + 1] = {
	"routine", "timestamp", "address", "value",
	"bytes",   "core",	"data",	   NULL,
};

/* Fields that each word of words[] adds, bits of enum pt_fields. A value is
   recorded with its address. 0: the field is always recorded. */
static const uint32_t word_fields[N_WORDS] = {
	0,
	PT_FIELD_STAMPS,
	PT_FIELD_ADDRESSES,
	PT_FIELD_ADDRESSES | PT_FIELD_VALUES,
	0,
	PT_FIELD_CORES,
	PT_FIELD_DATA,
};

static int report_unknown_field(const char *record_option, const char *word,
				char *message)
{
	char what[140];

	snprintf(what, sizeof(what), "'--record=%.100s': unknown field",
		 record_option);
	return al_suggest_and_report_bad_word(what, word, words, message);
}

int al_fields_parse_record_option(const char *comma_list, uint32_t *field_bits,
				  char *message)
{
	char word[MAX_WORD];
	unsigned i;

	*field_bits = PT_FIELD_ACCESSES;
	for (const char *next = comma_list;; next++) {
		size_t len = strcspn(next, ",");

		snprintf(word, sizeof(word), "%.*s", (int)len, next);
		for (i = 0; i < N_WORDS && strcmp(word, words[i]) != 0; i++)
			;
		if (i == N_WORDS)
			return report_unknown_field(comma_list, word, message);
		*field_bits |= word_fields[i];
		next += len;
		if (!*next)
			return 0;
	}
}
