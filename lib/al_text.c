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

#include "lib/al_utf8.h"

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* At most @columns characters. */
static void put_clean(FILE *f, const char *s, size_t columns)
{
	uint32_t code;
	size_t n;

	for (; *s && columns; s += n ? n : 1, columns--) {
		n = al_utf8(s, &code);
		if (!n || is_control(code))
			putc('?', f);
		else
			fwrite(s, 1, n, f);
	}
}

void al_text_put(struct al_text *t, enum al_style style, const char *s)
{
	static const char *const on[] = {"", "\033[1m", "\033[1;32m",
					 "\033[1;31m"};
	bool styled = t->colour && style != AL_PLAIN;

	if (styled)
		fputs(on[style], t->file);
	put_clean(t->file, s, SIZE_MAX);
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
	put_clean(t->file, line, AL_COLUMNS);
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
