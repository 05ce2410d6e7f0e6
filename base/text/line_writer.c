/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_writer.c - writes lines for a terminal
 */
#include "base/text/line_writer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text/number.h"
#include "base/text/printable.h"

void al_text_write(struct al_text *t, enum al_style style, const char *s)
{
	static const char *const on[] = {"", "\033[1m", "\033[1;32m",
					 "\033[1;31m"};
	bool styled = t->colour && style != AL_PLAIN;

	if (styled)
		fputs(on[style], t->file);
	al_write_unprintable_as_question_marks(t->file, s, SIZE_MAX);
	if (styled)
		fputs("\033[0m", t->file);
}

void al_text_printf_line_cut_to_columns(struct al_text *t, const char *format,
					...)
{
	size_t columns = t->text.columns ? t->text.columns : SIZE_MAX;
	char *text;
	va_list ap;
	int n;

	va_start(ap, format);
	n = vasprintf(&text, format, ap);
	va_end(ap);
	if (n < 0)
		return;
	al_write_unprintable_as_question_marks(t->file, text, columns);
	putc('\n', t->file);
	free(text);
}

/* Return how many bytes of @s to print in a line of @columns: all if they fit,
   else those before the last blank at index 1 to @columns, or @columns if there
   is none. */
static size_t count_bytes_of_line_wrapped_at_blank(const char *s,
						   size_t columns)
{
	size_t n = strlen(s), end = columns;

	if (n <= columns)
		return n;
	while (end > 0 && s[end] != ' ')
		end--;
	return end ? end : columns;
}

void al_text_print_wrapped(struct al_text *t, const char *first_prefix,
			   unsigned indent, const char *words)
{
	size_t used = strlen(first_prefix), n;

	for (bool is_first = true; *words; is_first = false) {
		n = count_bytes_of_line_wrapped_at_blank(words,
							 AL_COLUMNS - used);
		al_text_printf_line_cut_to_columns(
			t, "%*s%s%.*s", is_first ? 0 : (int)indent, "",
			is_first ? first_prefix : "", (int)n, words);
		words += n;
		words += strspn(words, " ");
		used = indent;
	}
}

static void write_printable_line_to_file(struct an_text *text, const char *s)
{
	struct al_text *t = (struct al_text *)text;

	al_text_write(t, AL_PLAIN, s);
	putc('\n', t->file);
}

static void write_heading(struct an_text *text, const char *s)
{
	struct al_text *t = (struct al_text *)text;

	putc('\n', t->file);
	al_text_write(t, AL_BOLD, s);
	putc('\n', t->file);
}

static enum al_colour_use colour_use;

void al_display_set_colour(enum al_colour_use use)
{
	colour_use = use;
}

unsigned al_display_flags_of_fd(int fd)
{
	unsigned display = isatty(fd) ? AL_TERMINAL : 0;

	if (colour_use == AL_COLOUR_ALWAYS)
		return display | AL_COLOUR;
	if (colour_use == AL_COLOUR_AUTO && display && !getenv("NO_COLOR"))
		display |= AL_COLOUR;
	return display;
}

unsigned al_display_columns(int fd)
{
	const char *given = getenv("COLUMNS");
	struct winsize size = {0};
	uint64_t columns = 0;

	if (!given || al_number_parse_digits_only(given, &columns))
		columns = ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
	if (columns < AL_COLUMNS)
		return AL_COLUMNS;
	return columns < AL_MAX_COLUMNS ? (unsigned)columns : AL_MAX_COLUMNS;
}

void al_text_init(struct al_text *t, FILE *file, unsigned display_flags)
{
	*t = (struct al_text){
		.text = {display_flags & AL_TERMINAL
				 ? al_display_columns(fileno(file))
				 : 0,
			 write_printable_line_to_file, write_heading},
		.file = file,
		.colour = display_flags & AL_COLOUR,
	};
}

char *al_number_format_grouped(char out[AL_NUMBER_BYTES], uint64_t n)
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
