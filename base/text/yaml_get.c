/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml_get.c - checks and reads keys and values of a tree of YAML; see yaml.h
 */
#include "base/text/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/suggest.h"

int al_yaml_error_at_node(const struct al_node *node, char *message,
			  const char *format, ...)
{
	char what[AL_MESSAGE];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	return al_message_return_einval(message, "%.200s:%zu:%zu: %s",
					node->path, node->line, node->column,
					what);
}

static int report_bad_word(const struct al_node *node, const char *what,
			   const char *const *words, char *message)
{
	char place_and_what[AL_MESSAGE];

	snprintf(place_and_what, sizeof(place_and_what),
		 "%.200s:%zu:%zu: %.200s", node->path, node->line, node->column,
		 what);
	return al_suggest_and_report_bad_word(place_and_what, node->text, words,
					      message);
}

int al_yaml_report_bad_word(const struct al_node *node,
			    const char *const *words, char *message)
{
	char what[AL_MESSAGE];

	snprintf(what, sizeof(what), "unknown %s",
		 node->key ? node->key->text : "word");
	return report_bad_word(node, what, words, message);
}

static bool is_listed(const char *word, const char *const *words)
{
	while (*words && strcmp(word, *words))
		words++;
	return *words;
}

int al_yaml_check_known_keys(const struct al_node *map, const char *const *keys,
			     const char *what, char *message)
{
	if (map->kind != AL_MAP)
		return al_yaml_error_at_node(map, message,
					     "%s is not 'key: value'", what);
	for (const struct al_node *n = map->child; n; n = n->next)
		if (!is_listed(n->key->text, keys))
			return report_bad_word(n->key, "unknown key", keys,
					       message);
	return 0;
}

const struct al_node *al_yaml_get(const struct al_node *map, const char *key)
{
	const struct al_node *n = map->kind == AL_MAP ? map->child : NULL;

	while (n && strcmp(n->key->text, key))
		n = n->next;
	return n;
}

const struct al_node *al_yaml_get_required(const struct al_node *map,
					   const char *key,
					   enum al_node_kind kind,
					   const char *what, char *message)
{
	static const char *const kinds[] = {
		[AL_TEXT] = "a word",
		[AL_LIST] = "a list",
		[AL_MAP] = "'key: value'",
	};
	const struct al_node *n = al_yaml_get(map, key);

	if (!n) {
		al_yaml_error_at_node(map, message, "%s has no '%s'", what,
				      key);
		return NULL;
	}
	if (n->kind != kind) {
		al_yaml_error_at_node(n, message, "'%s' is not %s", key,
				      kinds[kind]);
		return NULL;
	}
	return n;
}
