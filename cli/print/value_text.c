/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value_text.c - prints values of a program as text and JSON; see
   value_text.h */

#include "cli/print/value_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/printable.h"

/* ---- characters ---- */

/* Return the number of characters of a string, less one if the last one is the
   NUL that ends it. */
static uint32_t character_count_without_nul(const struct alleria_value *v)
{
	uint32_t n = v->n;
	uint32_t last = 1;

	if (n > 0 && (v->flags & ALLERIA_TERMINATED))
		memcpy(&last, v->bytes + (size_t)(n - 1) * v->element_size,
		       v->element_size);
	if (v->element_size < sizeof(last) && last != 1)
		last &= 0xff;
	return last == 0 ? n - 1 : n;
}

static uint32_t character_at(const struct alleria_value *v, uint32_t index)
{
	uint32_t c = 0;

	memcpy(&c, v->bytes + (size_t)index * v->element_size, v->element_size);
	return c;
}

static void print_c_escaped_character(FILE *f, uint32_t c, char quote)
{
	static const char escaped[] = "\n\r\t", letter[] = "nrt";
	const char *special = c && c < 0x80 ? strchr(escaped, (int)c) : NULL;

	if (special)
		fprintf(f, "\\%c", letter[special - escaped]);
	else if (c == (unsigned char)quote || c == '\\')
		fprintf(f, "\\%c", (int)c);
	else if (c >= 0x20 && c < 0x7f)
		fputc((int)c, f);
	else if (c < 0x100)
		fprintf(f, "\\x%02" PRIx32, c);
	else
		fprintf(f, "\\U%08" PRIx32, c);
}

/* Print a character as part of a JSON string, escaped as needed. @c above 126
   is a Unicode code point and printed as \uXXXX, or as two of them from 0x10000
   on; above 0x10ffff, as \ufffd. */
static void print_json_escaped_character(FILE *f, uint32_t c)
{
	if (c == '"' || c == '\\')
		fprintf(f, "\\%c", (int)c);
	else if (c >= 0x20 && c < 0x7f)
		fputc((int)c, f);
	else if (c < 0x10000)
		fprintf(f, "\\u%04" PRIx32, c);
	else if (c < 0x110000)
		fprintf(f, "\\u%04" PRIx32 "\\u%04" PRIx32,
			0xd800 + ((c - 0x10000) >> 10),
			0xdc00 + ((c - 0x10000) & 0x3ff));
	else
		fputs("\\ufffd", f);
}

void cl_json_print_quoted_string(FILE *f, const char *s)
{
	fputc('"', f);
	for (; *s; s++)
		print_json_escaped_character(f, (unsigned char)*s);
	fputc('"', f);
}

static bool is_pointer_to_characters(const struct alleria_value *v)
{
	return v->kind == ALLERIA_POINTER &&
	       (v->element_kind == ALLERIA_ASCII ||
		v->element_kind == ALLERIA_UNICODE);
}

/* ---- elements ---- */

/* Return element @index of an array of numbers as a value. Its number is
   sign-extended if the elements are signed, converted to a double if they are
   floats of 4 bytes, and 0 if they are longer than 8 bytes; its `bytes` point
   into the array. */
static struct alleria_value
copy_number_element_as_value(const struct alleria_value *v, uint32_t index)
{
	struct alleria_value x = {
		.kind = v->element_kind,
		.size = v->element_size,
		.name = "",
		.type = "",
		.bytes = v->bytes + (size_t)index * v->element_size,
	};
	unsigned unused = x.size < 8 ? 64 - 8 * x.size : 0;
	double wide;
	float narrow;

	if (x.size <= sizeof(x.number))
		memcpy(&x.number, x.bytes, x.size);
	if (x.kind == ALLERIA_SIGNED)
		x.number = (uint64_t)((int64_t)(x.number << unused) >> unused);
	if (x.kind == ALLERIA_FLOAT && x.size == sizeof(narrow)) {
		memcpy(&narrow, x.bytes, sizeof(narrow));
		wide = (double)narrow;
		memcpy(&x.number, &wide, sizeof(x.number));
	}
	return x;
}

static void print_elements_with_commas(
	FILE *f, const struct alleria_value *v,
	void (*print_element)(FILE *, const struct alleria_value *))
{
	for (uint32_t i = 0; i < v->n; i++) {
		struct alleria_value x;

		if (!v->element)
			x = copy_number_element_as_value(v, i);
		fputs(i ? ", " : "", f);
		print_element(f, v->element ? &v->element[i] : &x);
	}
}

static long double float_value_as_long_double(const struct alleria_value *v)
{
	long double wide;
	double x;

	if (v->size == sizeof(wide)) {
		memcpy(&wide, v->bytes, sizeof(wide));
		return wide;
	}
	memcpy(&x, &v->number, sizeof(x));
	return (long double)x;
}

static bool are_equal_at_value_precision(const struct alleria_value *v,
					 long double original,
					 long double reparsed)
{
	if (v->size == sizeof(float))
		return (float)reparsed == (float)original;
	if (v->size == sizeof(double))
		return (double)reparsed == (double)original;
	return reparsed == original;
}

/* Print a floating-point value rounded to as few significant digits, but at
   least 6, as needed to convert back to exactly that value. Zeros at the end of
   a fraction are not printed. */
static void print_shortest_exact_float(FILE *f, const struct alleria_value *v)
{
	enum { USUAL = 6 };
	int max_digits = v->size == sizeof(float)    ? 9
			 : v->size == sizeof(double) ? 17
						     : 21;
	long double x = float_value_as_long_double(v);
	char text[48];

	for (int digits = USUAL; digits <= max_digits; digits++) {
		snprintf(text, sizeof(text), "%.*Lg", digits, x);
		if (are_equal_at_value_precision(v, x, strtold(text, NULL)))
			break;
	}
	fputs(text, f);
}

/* ---- text ---- */

static void print_quoted_string_dots_if_cut(FILE *f,
					    const struct alleria_value *v)
{
	fputc('"', f);
	for (uint32_t i = 0; i < character_count_without_nul(v); i++)
		print_c_escaped_character(f, character_at(v, i), '"');
	fputc('"', f);
	if (v->flags & ALLERIA_CUT)
		fputs("...", f);
}

static void print_struct_in_braces(FILE *f, const struct alleria_value *v)
{
	fputc('{', f);
	for (uint32_t i = 0; i < v->n; i++) {
		fputs(i ? ", " : "", f);
		al_write_unprintable_as_question_marks(f, v->element[i].name,
						       SIZE_MAX);
		fputc('=', f);
		cl_value_print_text(f, &v->element[i]);
	}
	fputc('}', f);
}

static void print_pointer_or_its_target(FILE *f, const struct alleria_value *v)
{
	if (v->number == 0 && v->n == 0)
		fputs("NULL", f);
	else if (v->flags & (ALLERIA_UNREADABLE | ALLERIA_UNFOLLOWED))
		fprintf(f, "0x%" PRIx64 "%s", v->number,
			v->flags & ALLERIA_UNREADABLE ? " (unreadable)"
						      : " (not followed)");
	else if (is_pointer_to_characters(v))
		print_quoted_string_dots_if_cut(f, v);
	else {
		fputc('{', f);
		print_elements_with_commas(f, v, cl_value_print_text);
		fputs(v->flags & ALLERIA_CUT ? ", ...}" : "}", f);
	}
}

void cl_value_print_text(FILE *f, const struct alleria_value *v)
{
	if (v->flags & ALLERIA_MISSING) {
		fputs(v->flags & ALLERIA_UNREADABLE ? "(unreadable)"
						    : "(no room)",
		      f);
		return;
	}
	switch (v->kind) {
	case ALLERIA_SIGNED:
		fprintf(f, "%" PRId64, (int64_t)v->number);
		break;
	case ALLERIA_FLOAT:
		print_shortest_exact_float(f, v);
		break;
	case ALLERIA_ASCII:
	case ALLERIA_UNICODE:
		fputc('\'', f);
		print_c_escaped_character(f, (uint32_t)v->number, '\'');
		fputc('\'', f);
		break;
	case ALLERIA_STRUCT:
		print_struct_in_braces(f, v);
		break;
	case ALLERIA_POINTER:
		print_pointer_or_its_target(f, v);
		break;
	default:
		fprintf(f, "%" PRIu64, v->number);
	}
}

/* ---- JSON ---- */

static void print_struct_as_json_object(FILE *f, const struct alleria_value *v)
{
	fputc('{', f);
	for (uint32_t i = 0; i < v->n; i++) {
		fputs(i ? "," : "", f);
		cl_json_print_quoted_string(f, v->element[i].name);
		fputc(':', f);
		cl_value_print_json(f, &v->element[i]);
	}
	fputc('}', f);
}

static void
print_json_text_or_elements_of_pointer(FILE *f, const struct alleria_value *v)
{
	if (is_pointer_to_characters(v)) {
		fputs(",\"text\":\"", f);
		for (uint32_t i = 0; i < character_count_without_nul(v); i++)
			print_json_escaped_character(f, character_at(v, i));
		fputc('"', f);
	} else {
		fputs(",\"elements\":[", f);
		print_elements_with_commas(f, v, cl_value_print_json);
		fputc(']', f);
	}
	if (v->flags & ALLERIA_CUT)
		fputs(",\"cut\":true", f);
}

static void print_pointer_as_json_object(FILE *f, const struct alleria_value *v)
{
	fprintf(f, "{\"address\":\"0x%" PRIx64 "\"", v->number);
	if (v->flags & ALLERIA_UNREADABLE)
		fputs(",\"unreadable\":true", f);
	else if (v->flags & ALLERIA_UNFOLLOWED)
		fputs(",\"unfollowed\":true", f);
	else
		print_json_text_or_elements_of_pointer(f, v);
	fputc('}', f);
}

void cl_value_print_json(FILE *f, const struct alleria_value *v)
{
	if (v->flags & ALLERIA_MISSING)
		fputs("null", f);
	else if (v->kind == ALLERIA_STRUCT)
		print_struct_as_json_object(f, v);
	else if (v->kind == ALLERIA_POINTER)
		print_pointer_as_json_object(f, v);
	else if (v->kind == ALLERIA_FLOAT &&
		 !isfinite(float_value_as_long_double(v)))
		fprintf(f, "\"%Lg\"", float_value_as_long_double(v));
	else if (v->kind == ALLERIA_ASCII || v->kind == ALLERIA_UNICODE)
		fprintf(f, "%" PRIu64, v->number);
	else
		cl_value_print_text(f, v);
}
