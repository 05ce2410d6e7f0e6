/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_text.h - text for an analysis's output
 *
 * After the first error nothing more is written.
 */
#ifndef ANALYZERS_OUTPUT_TEXT_H
#define ANALYZERS_OUTPUT_TEXT_H

#include "analyzers/analyzer.h"

struct an_put {
	const struct an_env *env;
	int error; /* 0 or -errno: what the analysis returns */
};

void an_put(struct an_put *, const char *string);
void an_put_number(struct an_put *, uint64_t);
void an_put_hex(struct an_put *, uint64_t); /* with 0x */

/**
 * an_put_name() - Write a name of the program's, as al_escape() does.
 * @separators: what the format has a meaning for within a name; "" for none.
 */
void an_put_name(struct an_put *, const char *name, const char *separators);

/* Write program and arguments, a space between them; "???" when not known.
   Tabulators and line ends in them become spaces. */
void an_put_command(struct an_put *);

/* Lines that describe the levels, as Cachegrind has them. */
void an_put_levels(struct an_put *);

#endif
