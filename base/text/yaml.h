/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml.h - a plain subset of YAML, as a tree that knows its lines
 *
 * Threads: any; a tree is read-only once read.
 *
 * Maps, lists and text, nothing more: anchors, aliases, tags and merge keys
 * are refused, so are keys given twice, a second document, more than
 * AL_YAML_DEPTH levels, AL_YAML_KEYS keys in a map or AL_YAML_BYTES bytes.
 * No text is anything but text here: "yes", "012" and "1:30" are what the
 * reader of the key makes of them.
 */
#ifndef BASE_TEXT_YAML_H
#define BASE_TEXT_YAML_H

#include <stdbool.h>
#include <stddef.h>

enum {
	AL_YAML_BYTES = 1 << 20,
	AL_YAML_REPORT = 64 << 20,
	AL_YAML_DEPTH = 16,
	AL_YAML_KEYS = 64,
};

enum al_node_kind { AL_TEXT, AL_LIST, AL_MAP };

struct al_node {
	enum al_node_kind kind;
	const char *path; /* as given to al_yaml_read() */
	size_t line;	  /* from 1 */
	size_t column;	  /* from 1 [characters] */
	char *text;	  /* of AL_TEXT; else NULL */

	struct al_node *child; /* first member of a list or map */
	struct al_node *next;  /* next member of the same */
	struct al_node *key;   /* of a member of a map; else NULL */
};

/**
 * al_yaml_read() - Read a file.
 * @path: outlives the tree.
 * @message: [AL_MESSAGE] on error.
 *
 * Return: 0 and the tree, for al_yaml_free(); -EINVAL.
 */
int al_yaml_read(const char *path, struct al_node **out, char *message);
/* Read @text as the content of a file; @path is what messages name. */
int al_yaml_parse(const char *path, const char *text, struct al_node **out,
		  char *message);
/* The same for a JSON report, of AL_YAML_REPORT bytes at most. */
int al_yaml_read_report(const char *path, struct al_node **out, char *message);
void al_yaml_free(struct al_node *);

/* FILE:LINE:COLUMN: and the formatted text. Return: -EINVAL. */
__attribute__((format(printf, 3, 4))) int
al_yaml_error(const struct al_node *, char *message, const char *format, ...);

/**
 * al_yaml_check_map() - Refuse what is no map of @keys.
 * @keys: NULL-terminated.
 * @what: to name it in the message: "a level".
 */
int al_yaml_check_map(const struct al_node *, const char *const *keys,
		      const char *what, char *message);

/* The value of a key, or NULL; of what is no map too. */
const struct al_node *al_yaml_get(const struct al_node *map, const char *key);

/* The same; NULL with @message when there is none or it is not of @kind. */
const struct al_node *al_yaml_need(const struct al_node *map, const char *key,
				   enum al_node_kind kind, const char *what,
				   char *message);

/* The value of @node is none of @words: says so with the nearest. */
int al_yaml_bad_word(const struct al_node *node, const char *const *words,
		     char *message);

#endif
