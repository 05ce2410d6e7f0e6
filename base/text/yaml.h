/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml.h - reads a subset of YAML into a tree with line numbers
 *
 * The subset has maps, lists and text. A file is refused if it has anchors,
 * aliases, tags, merge keys, duplicate keys, a second document, more than
 * AL_YAML_DEPTH levels, AL_YAML_KEYS keys in a map or AL_YAML_BYTES bytes
 * (AL_YAML_REPORT_BYTES in a report). A text is never converted: the code that
 * reads a key interprets "yes", "012" or "1:30".
 *
 * Threads: any; a tree is read-only after it was read.
 */
#ifndef BASE_TEXT_YAML_H
#define BASE_TEXT_YAML_H

#include <stdbool.h>
#include <stddef.h>

enum {
	AL_YAML_BYTES = 1 << 20,
	AL_YAML_REPORT_BYTES = 64 << 20,
	AL_YAML_DEPTH = 16,
	AL_YAML_KEYS = 64,
};

enum al_node_kind { AL_TEXT, AL_LIST, AL_MAP };

struct al_node {
	enum al_node_kind kind;
	const char *path; /* path, or name in messages, that the caller gave */
	size_t line;	  /* line in the file, from 1 */
	size_t column;	  /* column in the line, from 1 [characters] */
	char *text;	  /* text of a node of kind AL_TEXT; else NULL */

	struct al_node *child; /* first member of a list or map */
	struct al_node *next;  /* next member of the same list or map */
	struct al_node *key;   /* key of a member of a map; else NULL */
};

/**
 * al_yaml_read() - Read a file of at most AL_YAML_BYTES bytes, and protect
 * it from being replaced by an output.
 * @path: must outlive the tree.
 * @out: receives the tree, for al_yaml_free_with_siblings(); NULL on error.
 * @message: [AL_MESSAGE] receives the message on error.
 *
 * Return: 0; -EINVAL.
 */
int al_yaml_read(const char *path, struct al_node **out, char *message);
/* Parse @text like the content of a file. @name_in_messages: stands for the
   path; must outlive the tree. */
int al_yaml_parse(const char *name_in_messages, const char *text,
		  struct al_node **out, char *message);
/* Read a JSON report of at most AL_YAML_REPORT_BYTES bytes, like
   al_yaml_read(). */
int al_yaml_read_json_report_with_max_bytes(const char *path,
					    struct al_node **out,
					    char *message);
void al_yaml_free_with_siblings(struct al_node *);

/* Format "FILE:LINE:COLUMN: " of a node and a text into @message, [AL_MESSAGE].
   Return: -EINVAL. */
__attribute__((format(printf, 3, 4))) int
al_yaml_error_at_node(const struct al_node *, char *message, const char *format,
		      ...);

/**
 * al_yaml_check_known_keys() - Check that a node is a map that has no keys but
 * those of @keys.
 * @keys: NULL-terminated.
 * @what: name of the node in the message: "a level".
 *
 * Return: 0; -EINVAL with @message.
 */
int al_yaml_check_known_keys(const struct al_node *, const char *const *keys,
			     const char *what, char *message);

/* Return the value of a key; NULL if there is none, or @map is not a map. */
const struct al_node *al_yaml_get(const struct al_node *map, const char *key);

/* Return the value of a key; NULL with @message if there is none or it is not
   of @kind. @what: name of @map in the message. */
const struct al_node *al_yaml_get_required(const struct al_node *map,
					   const char *key,
					   enum al_node_kind kind,
					   const char *what, char *message);

/* Format an error that the text of @node is none of @words (NULL-terminated),
   with the most similar word, or all words if none is similar. Return:
   -EINVAL. */
int al_yaml_report_bad_word(const struct al_node *node,
			    const char *const *words, char *message);

#endif
