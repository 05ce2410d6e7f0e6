/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_text.h - writes the text output of an analysis
 *
 * After the first error the functions write nothing more.
 */
#ifndef ANALYZERS_OUTPUT_TEXT_H
#define ANALYZERS_OUTPUT_TEXT_H

#include "analyzers/analyzer.h"

struct an_output {
	const struct an_env *env;
	int error; /* first error, 0 or -errno; returned by the analysis */
};

void an_output_write_string_unescaped(struct an_output *, const char *string);
void an_output_write_decimal(struct an_output *, uint64_t);
void an_output_write_hex_with_0x(
	struct an_output *, uint64_t); /* Write a number in hexadecimal, with 0x
					 before it. */

/**
 * an_output_write_escaped_name() - Write a name from the program, escaped as
 * al_escape_name_get_length() does.
 * @separators: characters that have a meaning in the output format and are
 *              escaped as well; "" for none.
 */
void an_output_write_escaped_name(struct an_output *, const char *name,
				  const char *separators);

/* Write the command line of the traced program, its words escaped and separated
   by spaces; "???" if it is unknown. A tabulator or line end in a word becomes
   a space. */
void an_output_write_program_and_arguments(struct an_output *);

/* Write a line "desc: ..." for each cache level, in Cachegrind's format. */
void an_output_write_cache_descriptions(struct an_output *);

#endif
