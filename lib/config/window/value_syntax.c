/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_syntax.c - reads words, numbers and names of a window file
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/number.h"
#include "lib/config/window/read_state.h"

enum { MAX_SIGNAL = 64 };

int al_value_report_no_memory_return_einval(const struct al_window_reader *r)
{
	return al_message_return_einval(
		r->message, "cannot read '%.200s': out of memory", r->path);
}

const char *al_value_text_or_null(const struct al_node *node)
{
	return node && node->kind == AL_TEXT ? node->text : NULL;
}

static const char *node_key_text_or_placeholder(const struct al_node *node)
{
	return node->key ? node->key->text : "value";
}

static int report_not_a_word(const struct al_window_reader *r,
			     const struct al_node *node)
{
	return al_yaml_error_at_node(node, r->message, "'%.60s' is not a word",
				     node_key_text_or_placeholder(node));
}

static int report_above_limit(const struct al_window_reader *r,
			      const struct al_node *node, uint64_t max)
{
	return al_yaml_error_at_node(
		node, r->message, "%.60s '%.60s' is above %" PRIu64,
		node_key_text_or_placeholder(node), node->text, max);
}

int al_value_parse_count(const struct al_window_reader *r,
			 const struct al_node *node, uint64_t min, uint64_t max,
			 uint64_t *out)
{
	const char *text = al_value_text_or_null(node);
	int rc;

	if (!text)
		return report_not_a_word(r, node);
	rc = al_size_parse_optional_kmg(text, out);
	if (rc == -EINVAL || (!rc && *out < min))
		return al_yaml_error_at_node(
			node, r->message,
			"%.60s '%.60s' is not a number%s, with K, "
			"M or G or without",
			node_key_text_or_placeholder(node), text,
			min ? " above 0" : "");
	return rc || *out > max ? report_above_limit(r, node, max) : 0;
}

int al_value_read_process_or_thread(const struct al_window_reader *r,
				    const struct al_node *map, const char *key,
				    uint32_t *number_if_present)
{
	const struct al_node *node = al_yaml_get(map, key);
	uint64_t number;
	int rc;

	if (!node)
		return 0;
	if (!al_value_text_or_null(node))
		return report_not_a_word(r, node);
	rc = al_number_parse_digits_only(node->text, &number);
	if (rc == -EINVAL)
		return al_yaml_error_at_node(node, r->message,
					     "%s '%.60s' is not a number", key,
					     node->text);
	if (rc || number > AL_MAX_PROCESS)
		return report_above_limit(r, node, AL_MAX_PROCESS);
	*number_if_present = (uint32_t)number;
	return 0;
}

int al_value_read_bool_or_false(const struct al_window_reader *r,
				const struct al_node *map, const char *key,
				bool *out)
{
	static const char *const words[] = {"false", "true", NULL};
	const struct al_node *node = al_yaml_get(map, key);

	*out = false;
	if (!node)
		return 0;
	if (!al_value_text_or_null(node))
		return report_not_a_word(r, node);
	*out = !strcmp(node->text, words[1]);
	return *out || !strcmp(node->text, words[0])
		       ? 0
		       : al_yaml_report_bad_word(node, words, r->message);
}

int al_value_parse_time(const struct al_window_reader *r,
			const struct al_node *node, uint64_t default_unit_ns,
			uint64_t *ns)
{
	static const struct {
		const char *suffix;
		uint64_t ns;
	} units[] = {
		{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
	const char *text = al_value_text_or_null(node);
	char digits[32] = "";
	size_t n;
	int rc;

	if (!text)
		return report_not_a_word(r, node);
	n = strspn(text, "0123456789");
	memcpy(digits, text, n < sizeof(digits) ? n : sizeof(digits) - 1);
	rc = al_number_parse_digits_only(digits, ns);
	if (text[n]) {
		default_unit_ns = 0;
		for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
			if (!strcmp(text + n, units[i].suffix))
				default_unit_ns = units[i].ns;
	}
	if (rc == -EINVAL || !default_unit_ns || (!rc && !*ns))
		return al_yaml_error_at_node(
			node, r->message,
			"%.60s '%.60s' is not a time above 0 "
			"such as 20, 20ms, 5us or 2s",
			node_key_text_or_placeholder(node), text);
	if (rc || __builtin_mul_overflow(*ns, default_unit_ns, ns))
		return al_yaml_error_at_node(
			node, r->message, "%.60s '%.60s' is too long",
			node_key_text_or_placeholder(node), text);
	return 0;
}

int al_value_append_nonempty_string(const struct al_window_reader *r,
				    const struct al_node *node,
				    uint32_t *string_offset)
{
	const char *text = al_value_text_or_null(node);

	if (!text)
		return report_not_a_word(r, node);
	if (!*text)
		return al_yaml_error_at_node(
			node, r->message, "'%.60s' is empty",
			node_key_text_or_placeholder(node));
	return al_arrays_append_string(r->windows, text, string_offset)
		       ? al_value_report_no_memory_return_einval(r)
		       : 0;
}

int al_value_report_unknown_word(const struct al_window_reader *r,
				 const struct al_node *node,
				 const char *value_kind,
				 const char *const *known_words)
{
	struct al_node key = {.text = (char *)(uintptr_t)value_kind},
		       word = *node;

	word.key = &key;
	return al_yaml_report_bad_word(&word, known_words, r->message);
}

static int report_unknown_signal(const struct al_window_reader *r,
				 const struct al_node *node)
{
	char names[MAX_SIGNAL][12];
	const char *words[MAX_SIGNAL + 1] = {NULL};
	int n = 0;

	for (int i = 1; i < MAX_SIGNAL; i++)
		if (sigabbrev_np(i)) {
			snprintf(names[n], sizeof(names[n]), "SIG%s",
				 sigabbrev_np(i));
			words[n] = names[n];
			n++;
		}
	return al_value_report_unknown_word(r, node, "signal", words);
}

int al_value_parse_signal(const struct al_window_reader *r,
			  const struct al_node *node, uint64_t *signal_number)
{
	const char *text = al_value_text_or_null(node);

	if (!text)
		return report_not_a_word(r, node);
	if (*text >= '0' && *text <= '9')
		return al_value_parse_count(r, node, 1, MAX_SIGNAL,
					    signal_number);
	for (int i = 1; i <= MAX_SIGNAL; i++) {
		const char *name = sigabbrev_np(i);

		if (!name || (strcmp(text, name) && (strncmp(text, "SIG", 3) ||
						     strcmp(text + 3, name))))
			continue;
		*signal_number = (uint64_t)i;
		return 0;
	}
	return report_unknown_signal(r, node);
}

int al_value_check_exclusive_and_find_node(
	const struct al_window_reader *r, const struct al_node *map,
	const char *const *keys, const struct al_node **found_node_or_null)
{
	*found_node_or_null = NULL;
	for (; *keys; keys++) {
		const struct al_node *node = al_yaml_get(map, *keys);

		if (node && *found_node_or_null)
			return al_yaml_error_at_node(
				node->key, r->message,
				"'%s' and '%s' exclude each other",
				(*found_node_or_null)->key->text, *keys);
		if (node)
			*found_node_or_null = node;
	}
	return 0;
}

int al_value_check_and_append_image_name(const struct al_window_reader *r,
					 const struct al_node *node,
					 bool is_path, uint32_t *string_offset)
{
	const char *text = al_value_text_or_null(node);

	if (text && is_path && *text != '/')
		return al_yaml_error_at_node(
			node, r->message, "%s '%.60s' does not begin with '/'",
			node_key_text_or_placeholder(node), text);
	if (text && !is_path && strchr(text, '/'))
		return al_yaml_error_at_node(
			node, r->message,
			"%s '%.60s' is a path, not a file's name",
			node_key_text_or_placeholder(node), text);
	return al_value_append_nonempty_string(r, node, string_offset);
}
