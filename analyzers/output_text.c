/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output_text.c - writes the text output of an analysis; see output_text.h */

#include "analyzers/output_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/escape.h"

enum { MAX_DIGITS = 24, /* [bytes] buffer for a number */ MAX_LINE = 160 };

static void write_bytes_unless_error(struct an_output *p, const char *data,
				     size_t len)
{
	if (!p->error)
		p->error = p->env->write(p->env->host, data, len);
}

void an_output_write_string_unescaped(struct an_output *p, const char *string)
{
	write_bytes_unless_error(p, string, strlen(string));
}

void an_output_write_decimal(struct an_output *p, uint64_t value)
{
	char digits[MAX_DIGITS];
	int n = MAX_DIGITS;

	do
		digits[--n] = (char)('0' + value % 10);
	while ((value /= 10) != 0);
	write_bytes_unless_error(p, digits + n, (size_t)(MAX_DIGITS - n));
}

void an_output_write_hex_with_0x(struct an_output *p, uint64_t value)
{
	char digits[MAX_DIGITS];
	int n = MAX_DIGITS;

	do
		digits[--n] = "0123456789abcdef"[value & 15];
	while ((value >>= 4) != 0);
	digits[--n] = 'x';
	digits[--n] = '0';
	write_bytes_unless_error(p, digits + n, (size_t)(MAX_DIGITS - n));
}

void an_output_write_escaped_name(struct an_output *p, const char *name,
				  const char *separators)
{
	size_t length = al_escape_name_get_length(NULL, name, separators);
	char *text;

	if (length == strlen(name)) {
		write_bytes_unless_error(p, name, length);
		return;
	}
	text = malloc(length + 1);
	if (text == NULL) {
		p->error = p->error ? p->error : -ENOMEM;
		return;
	}
	al_escape_name_get_length(text, name, separators);
	write_bytes_unless_error(p, text, length);
	free(text);
}

static void write_escaped_arg_breaks_as_spaces(struct an_output *p,
					       const char *argument)
{
	char *s = strdup(argument);

	if (s == NULL) {
		p->error = p->error ? p->error : -ENOMEM;
		return;
	}
	for (char *c = s; (c = strpbrk(c, "\n\r\t")) != NULL;)
		*c = ' ';
	an_output_write_escaped_name(p, s, "");
	free(s);
}

void an_output_write_program_and_arguments(struct an_output *p)
{
	char *const *argv = p->env->command;

	if (argv == NULL || argv[0] == NULL)
		an_output_write_string_unescaped(p, "???");
	for (size_t i = 0; argv != NULL && argv[i] != NULL; i++) {
		if (i > 0)
			write_bytes_unless_error(p, " ", 1);
		write_escaped_arg_breaks_as_spaces(p, argv[i]);
	}
}

void an_output_write_cache_descriptions(struct an_output *p)
{
	const struct an_geometry *g = p->env->geometry;
	char line[MAX_LINE];

	for (int i = 0; i < g->n_levels; i++) {
		const struct an_level *l = &g->level[i];

		snprintf(line, sizeof(line),
			 "desc: %s cache: %llu B, %u B, %u-way associative\n",
			 l->name, (unsigned long long)l->size, l->line,
			 l->assoc);
		an_output_write_string_unescaped(p, line);
	}
}
