/* SPDX-License-Identifier: GPL-2.0-or-later */
/* escape.c - escapes names of unknown origin; see escape.h */
#include "base/text/escape.h"

#include <stdbool.h>
#include <string.h>

#include "base/text/printable.h"
#include "base/text/utf8.h"

/* Whether the character @code at @s, @length bytes long, needs an escape.
   @length: 0 for malformed UTF-8. @name: the string that contains @s. */
static bool needs_escape(const char *name, const char *s, size_t length,
			 uint32_t code, const char *separators)
{
	if (length == 0 || !al_is_printable(code))
		return true;
	if (length == 1 && strchr(separators, *s) != NULL)
		return true;
	if (*s == ' ')
		return s == name || s[1] == '\0';
	return *s == '\\' && s[1] == 'x';
}

static void write_hex_escape(char *out, unsigned char byte)
{
	static const char digit[] = "0123456789abcdef";

	out[0] = '\\';
	out[1] = 'x';
	out[2] = digit[byte >> 4];
	out[3] = digit[byte & 15];
}

size_t al_escape_name_get_length(char *out, const char *name,
				 const char *separators)
{
	const char *s = name;
	size_t length = 0;

	while (*s != '\0') {
		uint32_t code = 0;
		size_t n = al_utf8_decode_get_length_or_0(s, &code);
		bool escape = needs_escape(name, s, n, code, separators);

		for (n += n == 0; n > 0; n--, s++) {
			if (out != NULL && escape)
				write_hex_escape(out + length,
						 (unsigned char)*s);
			else if (out != NULL)
				out[length] = *s;
			length += escape ? AL_MAX_ESCAPE : 1;
		}
	}
	if (out != NULL)
		out[length] = '\0';
	return length;
}

/* Return the value of a digit that write_hex_escape() writes, or -1. */
static int hex_digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *al_unescape_in_place(char *name)
{
	char *to = name;
	int high, low;

	for (const char *s = name; *s != '\0';) {
		high = s[0] == '\\' && s[1] == 'x' ? hex_digit_value(s[2]) : -1;
		low = high < 0 ? -1 : hex_digit_value(s[3]);
		*to++ = low < 0 ? *s : (char)(high << 4 | low);
		s += low < 0 ? 1 : AL_MAX_ESCAPE;
	}
	*to = '\0';
	return name;
}
