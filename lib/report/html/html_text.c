/* SPDX-License-Identifier: GPL-2.0-or-later */
/* html_text.c - writes text and numbers as HTML; see page_parts.h */

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/text/printable.h"
#include "base/text/utf8.h"
#include "lib/report/html/page_parts.h"

enum { MAX_TEXT = 4096 /* [bytes] of a text; the rest is cut */ };

#define BOX "\xe2\x96\xa1" /* U+25A1, for a character that is not printable */

/* Return the HTML entity of a character that must be escaped in text; NULL: it
   need not be escaped. */
static const char *entity_or_null(uint32_t code)
{
	switch (code) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void al_html_write_text(FILE *file, const char *text)
{
	const char *next = text, *entity;
	uint32_t code;
	size_t n;

	while (*next != '\0' && next - text < MAX_TEXT) {
		n = al_utf8_decode_get_length_or_0(next, &code);
		entity = n ? entity_or_null(code) : NULL;
		if (n == 0 || !al_is_printable(code) || code == 0xfeff)
			fputs(BOX, file);
		else if (entity != NULL)
			fputs(entity, file);
		else
			fwrite(next, 1, n, file);
		next += n ? n : 1;
	}
	if (*next != '\0')
		fputs("...", file);
}

void al_html_write_count(FILE *file, json_int_t count)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%" JSON_INTEGER_FORMAT,
			 count);
	int first = (n - 1) % 3 + 1;

	fwrite(digits, 1, (size_t)first, file);
	for (int i = first; i < n; i += 3)
		fprintf(file, "<i>%.3s</i>", digits + i);
}

void al_html_write_percent(FILE *file, json_int_t part, json_int_t whole,
			   int decimals)
{
	if (whole == 0)
		fputs("-", file);
	else
		fprintf(file, "%.*f %%", decimals,
			100 * (double)part / (double)whole);
}

void al_html_write_size_in_exact_unit(FILE *file, json_int_t bytes)
{
	static const char unit[] = "KMGT";
	int u = -1;

	while (bytes >= 1024 && bytes % 1024 == 0 && u < 3) {
		bytes /= 1024;
		u++;
	}
	fprintf(file, "%" JSON_INTEGER_FORMAT "%.*s", bytes, u >= 0,
		unit + (u < 0 ? 0 : u));
}
