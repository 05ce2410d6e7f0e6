/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_text.c - writes lines for a terminal
 *
 * Room:    lib.
 */
#include "lib/al_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/al_printable.h"

void al_text_put(struct al_text *t, enum al_style style, const char *s)
{
	static const char *const on[] = {"", "\033[1m", "\033[1;32m",
					 "\033[1;31m"};
	bool styled = t->colour && style != AL_PLAIN;

	if (styled)
		fputs(on[style], t->file);
	al_put_printable(t->file, s, SIZE_MAX);
	if (styled)
		fputs("\033[0m", t->file);
}

void al_text_printf(struct al_text *t, const char *format, ...)
{
	char line[512]; /* 80 characters of 4 bytes, and some */
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	al_put_printable(t->file, line, AL_COLUMNS);
	putc('\n', t->file);
}

static void line(struct an_text *text, const char *s)
{
	struct al_text *t = (struct al_text *)text;

	al_text_put(t, AL_PLAIN, s);
	putc('\n', t->file);
}

static void heading(struct an_text *text, const char *s)
{
	struct al_text *t = (struct al_text *)text;

	putc('\n', t->file);
	al_text_put(t, AL_BOLD, s);
	putc('\n', t->file);
}

void al_text_init(struct al_text *t, FILE *file, bool colour)
{
	*t = (struct al_text){
		.text = {line, heading},
		.file = file,
		.colour = colour,
	};
}

char *al_grouped(char out[AL_GROUPED], uint64_t n)
{
	char digits[21];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);
	char *p = out;

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*p++ = ',';
		*p++ = digits[i];
	}
	*p = 0;
	return out;
}
