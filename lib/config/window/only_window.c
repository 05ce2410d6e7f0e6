/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * only_window.c - makes a window from --only and --calls; see only_window.h
 */
#include "lib/config/window/only_window.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json.h"
#include "base/text/message.h"
#include "base/text/number.h"

static const char digits[] = "0123456789";

int al_only_parse_two_numbers_any_separator(const char *text, uint64_t *first,
					    uint64_t *last)
{
	size_t n = strspn(text, digits), gap;
	char number[24];

	if (!n || n >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, n);
	number[n] = '\0';
	gap = strcspn(text + n, digits);
	if (!gap || al_number_parse_digits_only(number, first))
		return -EINVAL;
	return al_number_parse_digits_only(text + n + gap, last) ? -EINVAL : 0;
}

/* Set @out->first and @out->last from "A-B", "A" (last is A) or "A-" (last is
   0). Return: 0; -EINVAL with @message. */
static int parse_call_number_range(const char *range_text, struct al_only *out,
				   char *message)
{
	size_t n = strspn(range_text, digits);
	char number[24] = "";
	bool ok = !al_only_parse_two_numbers_any_separator(
		range_text, &out->first, &out->last);

	if (!ok && n < sizeof(number)) {
		memcpy(number, range_text, n);
		ok = !al_number_parse_digits_only(number, &out->first) &&
		     (!range_text[n] || !strcmp(range_text + n, "-"));
		out->last = range_text[n] ? 0 : out->first;
	}
	if (!ok || !out->first)
		return al_message_return_einval(
			message,
			"'--calls=%.60s' is not A-B, the first and "
			"last call, from 1; nor A, nor A-",
			range_text);
	if (out->last && out->last < out->first)
		return al_message_return_einval(
			message, "'--calls=%.60s' ends before it begins",
			range_text);
	return 0;
}

int al_only_parse_options(const char *function_at_image, const char *call_range,
			  struct al_only *out, char *message)
{
	const char *at_sign =
		function_at_image ? strrchr(function_at_image, '@') : NULL;

	*out = (struct al_only){.function = function_at_image};
	if (!function_at_image)
		return al_message_return_einval(
			message, "'--calls=%.60s' requires '--only=FUNCTION'",
			call_range);
	out->function_length = (int)(at_sign ? at_sign - function_at_image
					     : (int)strlen(function_at_image));
	if (!out->function_length || (at_sign && !at_sign[1]))
		return al_message_return_einval(
			message,
			"'--only=%.200s' is not FUNCTION or "
			"FUNCTION@IMAGE",
			function_at_image);
	if (at_sign && strchr(at_sign, '/'))
		return al_message_return_einval(
			message,
			"'--only=%.200s': '%.100s' is a path, not a "
			"file's name",
			function_at_image, at_sign + 1);
	out->image = at_sign ? at_sign + 1 : NULL;
	return call_range ? parse_call_number_range(call_range, out, message)
			  : 0;
}

static void write_call_event_line(const struct al_only *o, const char *function,
				  const char *yaml_key_and_colon,
				  const char *event_name, uint64_t nth, FILE *f)
{
	fprintf(f, "    %s {%s: {function: ", yaml_key_and_colon, event_name);
	al_json_write_quoted_string(f, function);
	fprintf(f, ", nth: %" PRIu64, nth);
	if (o->image) {
		fputs(", image_name: ", f);
		al_json_write_quoted_string(f, o->image);
	}
	fputs("}}\n", f);
}

/* Write the window file for @o. @function: its o->function, NUL-terminated. */
static void write_window_file(const struct al_only *o, const char *function,
			      FILE *f)
{
	fputs("windows:\n"
	      "  - name: only\n",
	      f);
	if (o->first)
		write_call_event_line(o, function, "on:  ", "call", o->first,
				      f);
	if (o->first && o->last)
		write_call_event_line(o, function, "till:", "return", o->last,
				      f);
	fputs("    profile:\n"
	      "      - threads:\n"
	      "          - images:\n"
	      "              - ",
	      f);
	if (o->image) {
		fputs("name: ", f);
		al_json_write_quoted_string(f, o->image);
		fputs("\n                ", f);
	}
	fputs("functions:\n"
	      "                  - name: ",
	      f);
	al_json_write_quoted_string(f, function);
	fputc('\n', f);
}

char *al_only_format_window_file(const struct al_only *o)
{
	char *function = strndup(o->function, (size_t)o->function_length);
	char *text = NULL;
	size_t size;
	FILE *f = function ? open_memstream(&text, &size) : NULL;
	bool failed = !f;

	if (f) {
		write_window_file(o, function, f);
		failed = ferror(f);
		failed |= fclose(f) != 0;
	}
	free(function);
	if (!failed)
		return text;
	free(text);
	return NULL;
}
