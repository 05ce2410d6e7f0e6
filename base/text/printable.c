/* SPDX-License-Identifier: GPL-2.0-or-later */
/* printable.c - makes names of unknown origin safe to print */
#include "base/text/printable.h"

#include <string.h>

#include "base/text/utf8.h"

static bool is_control_or_line_separator(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 ||
	       code == 0x2029;
}

/* Whether @code has Unicode's Bidi_Control property. */
static bool is_bidi_control_character(uint32_t code)
{
	return code == 0x061c || code == 0x200e || code == 0x200f ||
	       (code >= 0x202a && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

bool al_is_printable(uint32_t code)
{
	return !is_control_or_line_separator(code) &&
	       !is_bidi_control_character(code);
}

/* Decode the first character of @s. @shown: receives the bytes to print for it,
   which are in @s, or "?" if it is not printable or not well-formed.
   @shown_length: receives their number. Return: the number of bytes of @s that
   were decoded, at least 1. */
static size_t decode_char_or_question_mark(const char *s, const char **shown,
					   size_t *shown_length)
{
	uint32_t code;
	size_t n = al_utf8_decode_get_length_or_0(s, &code);
	bool printable = n && al_is_printable(code);

	*shown = printable ? s : "?";
	*shown_length = printable ? n : 1;
	return n ? n : 1;
}

void al_write_unprintable_as_question_marks(FILE *f, const char *s,
					    size_t max_columns)
{
	const char *shown;
	size_t length;

	for (; *s && max_columns; max_columns--) {
		s += decode_char_or_question_mark(s, &shown, &length);
		fwrite(shown, 1, length, f);
	}
}

size_t al_copy_unprintable_as_question_marks(char *out, size_t out_size,
					     const char *s)
{
	const char *shown;
	size_t length, used = 0;

	while (*s) {
		s += decode_char_or_question_mark(s, &shown, &length);
		if (used + length >= out_size)
			break;
		memcpy(out + used, shown, length);
		used += length;
	}
	out[used] = 0;
	return used;
}
