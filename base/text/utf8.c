/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8.c - decodes one character of UTF-8
 */
#include "base/text/utf8.h"

/* Return the length of the sequence that begins with byte @first; 0 if no
   sequence begins with it. */
static size_t utf8_length_from_first_byte_or_0(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2)
		return 0;
	if (first < 0xe0)
		return 2;
	if (first < 0xf0)
		return 3;
	return first < 0xf5 ? 4 : 0;
}

size_t al_utf8_decode_get_length_or_0(const char *s, uint32_t *code_out)
{
	static const uint32_t min_code[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *u = (const unsigned char *)s;
	size_t n = utf8_length_from_first_byte_or_0(u[0]);
	uint32_t c = n > 1 ? u[0] & (0x7fu >> n) : u[0];

	if (n == 0)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (u[i] & 0x3f);
	}
	if (c < min_code[n] || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
		return 0;
	*code_out = c;
	return n;
}
