/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_file.c - reads the sweep of a cache file; see sweep_file.h
 *
 * Every combination of a line size, a size and an associativity is a cache,
 * except for impossible ones: 128 ways of 64 bytes do not fit into 4K. A value
 * that is in no possible combination is an error.
 */
#include "lib/config/cache/sweep_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/number.h"
#include "lib/config/cache/cache_geometry.h"
#include "base/text/suggest.h"

static const char what[] = "the sweep";

/* The values of a key of the sweep. */
struct values {
	const struct al_node *node; /* node for messages: the key's value, or
				       the sweep if the key is missing */
	const char *key;
	unsigned n;
	uint64_t value[AL_MAX_VALUES];
	bool used[AL_MAX_VALUES]; /* used[i]: at least one cache of the sweep
				     has value[i] */
};

static int read_swept_level_index_by_name(const struct al_node *map,
					  const struct an_geometry *g,
					  struct an_sweep *s, char *message)
{
	const char *words[AN_MAX_LEVELS + 1] = {NULL};
	const struct al_node *n =
		al_yaml_get_required(map, "level", AL_TEXT, what, message);

	if (!n)
		return -EINVAL;
	for (s->level = 0; s->level < g->n_levels; s->level++) {
		words[s->level] = g->level[s->level].name;
		if (!strcmp(words[s->level], n->text))
			return 0;
	}
	return al_yaml_report_bad_word(n, words, message);
}

static int check_policy_is_lru(const struct al_node *n, char *message)
{
	static const char *const words[] = {"LRU", NULL};

	if (n->kind == AL_LIST && n->child && !n->child->next)
		n = n->child;
	if (n->kind != AL_TEXT)
		return al_yaml_error_at_node(n, message,
					     "'policy' is not a word");
	if (!strcmp(n->text, words[0]) || !strcmp(n->text, "lru"))
		return 0;
	return al_yaml_error_at_node(
		n, message,
		al_suggest_word(n->text, words)
			? "unknown policy '%.60s'; did you mean "
			  "'%s'?"
			: "unknown policy '%.60s'; valid: %s",
		n->text, words[0]);
}

static int append_value_if_room(const struct al_node *error_node,
				struct values *v, uint64_t value, char *message)
{
	if (v->n == AL_MAX_VALUES)
		return al_yaml_error_at_node(error_node, message,
					     "more than %d values of '%s'",
					     AL_MAX_VALUES, v->key);
	v->value[v->n++] = value;
	return 0;
}

static int
report_value_is_no_number_or_range(const struct al_node *n,
				   const struct values *swept_key_values,
				   char *message)
{
	return al_yaml_error_at_node(
		n, message,
		"%s '%.60s' is neither a number above 0 nor a "
		"range such as 4..64",
		swept_key_values->key, n->text);
}

/* Parse the first @len characters of @text as a number above 0, with or without
   K, M or G. Return: 0; -EINVAL. */
static int parse_positive_kmg_number(const char *text, size_t len,
				     uint64_t *out)
{
	char word[64] = "";

	if (len >= sizeof(word))
		return -EINVAL;
	memcpy(word, text, len);
	return al_size_parse_optional_kmg(word, out) || !*out ? -EINVAL : 0;
}

/* Append the values of "4K" or "4K..512K"; in a range each value is twice its
   predecessor. Return: 0; -EINVAL with @message. */
static int append_value_or_doubling_range(const struct al_node *n,
					  struct values *v, char *message)
{
	const char *dots = strstr(n->text, "..");
	size_t len = dots ? (size_t)(dots - n->text) : strlen(n->text);
	uint64_t from = 0, to, value;
	int rc = parse_positive_kmg_number(n->text, len, &from);

	to = from;
	if (!rc && dots)
		rc = parse_positive_kmg_number(dots + 2, strlen(dots + 2), &to);
	if (rc)
		return report_value_is_no_number_or_range(n, v, message);
	for (value = from; value < to && value <= UINT64_MAX / 2; value *= 2)
		;
	if (value != to)
		return al_yaml_error_at_node(
			n, message,
			"%s '%.60s': doubling the first does not "
			"lead to the last",
			v->key, n->text);
	for (value = from; value <= to && !rc; value *= 2)
		rc = append_value_if_room(n, v, value, message);
	return rc;
}

static int append_value_range_or_word_full(const struct al_node *n,
					   struct values *v, char *message)
{
	static const char *const words[] = {"full", NULL};

	if (n->kind != AL_TEXT)
		return al_yaml_error_at_node(n, message, "'%s' is not a word",
					     v->key);
	if (strcmp(v->key, "assoc"))
		return append_value_or_doubling_range(n, v, message);
	if (!strcmp(n->text, words[0]))
		return append_value_if_room(n, v, AL_ASSOC_FULL, message);
	if (al_suggest_word(n->text, words))
		return al_yaml_error_at_node(
			n, message,
			"unknown assoc '%.60s'; did you mean "
			"'%s'?",
			n->text, words[0]);
	return append_value_or_doubling_range(n, v, message);
}

/* Read the values of @key. @default_value: value of the swept level, used if
   the key is missing. Return: 0; -EINVAL with @message. */
static int read_key_values_or_default(const struct al_node *map,
				      const char *key, uint64_t default_value,
				      struct values *v, char *message)
{
	const struct al_node *n = al_yaml_get(map, key);
	int rc = 0;

	*v = (struct values){.node = n ? n : map, .key = key};
	if (!n)
		return append_value_if_room(map, v, default_value, message);
	if (n->kind != AL_LIST)
		return append_value_range_or_word_full(n, v, message);
	if (!n->child)
		return al_yaml_error_at_node(n, message, "'%s' has no values",
					     key);
	for (n = n->child; n && !rc; n = n->next)
		rc = append_value_range_or_word_full(n, v, message);
	return rc;
}

static bool is_level_one_of_swept_shapes(const struct an_sweep *s,
					 const struct an_level *l)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->shape[i].line == l->line &&
		    s->shape[i].size == l->size &&
		    s->shape[i].assoc == l->assoc)
			return true;
	return false;
}

/* Append the size, sets, associativity and line size of @l to the caches of the
   sweep, unless it already has such a cache. @l: checked by
   al_level_check_and_derive_sets(). Return: 0; -EINVAL with @message: more than
   AL_MAX_SWEEP caches, or more than AL_MAX_LINES lines in all of them. */
static int append_cache_to_sweep_if_new(const struct al_node *map_for_error,
					struct an_sweep *s,
					const struct an_level *l, char *message)
{
	uint64_t lines = l->size / l->line;

	if (is_level_one_of_swept_shapes(s, l))
		return 0;
	if (s->n == AL_MAX_SWEEP)
		return al_yaml_error_at_node(map_for_error, message,
					     "more than %d caches",
					     AL_MAX_SWEEP);
	for (unsigned i = 0; i < s->n; i++)
		lines += s->shape[i].size / s->shape[i].line;
	if (lines > AL_MAX_LINES)
		return al_yaml_error_at_node(
			map_for_error, message,
			"the caches have more than %d lines "
			"together",
			AL_MAX_LINES);
	s->shape[s->n++] =
		(struct an_shape){l->size, l->sets, l->assoc, l->line};
	return 0;
}

/* Append the cache with value number @value_index[k] of each key in
   @line_size_assoc (line size, size and associativity), and mark these values
   as used; do nothing if such a cache is impossible. Return: 0; -EINVAL with
   @message: the line size is invalid, or the sweep is too large. */
static int
append_cache_if_possible_mark_used(struct values *const line_size_assoc[3],
				   const unsigned value_index[3],
				   struct an_sweep *s, char *message)
{
	struct an_level level = {
		.size = line_size_assoc[1]->value[value_index[1]]};
	char why[AL_MESSAGE];
	enum al_fault fault;
	int k;

	if (line_size_assoc[0]->value[value_index[0]] > UINT32_MAX ||
	    line_size_assoc[2]->value[value_index[2]] > UINT32_MAX)
		return 0;
	level.line = (uint32_t)line_size_assoc[0]->value[value_index[0]];
	level.assoc = (uint32_t)line_size_assoc[2]->value[value_index[2]];
	fault = al_level_check_and_derive_sets(&level, why);
	if (fault == AL_FAULT_LINE)
		return al_yaml_error_at_node(line_size_assoc[0]->node, message,
					     "%s", why);
	if (fault)
		return 0;
	for (k = 0; k < 3; k++)
		line_size_assoc[k]->used[value_index[k]] = true;
	return append_cache_to_sweep_if_new(line_size_assoc[0]->node, s, &level,
					    message);
}

static int check_each_swept_number_is_in_some_cache(const struct values *v,
						    char *message)
{
	for (unsigned i = 0; i < v->n; i++)
		if (!v->used[i])
			return al_yaml_error_at_node(
				v->node, message,
				"no cache of the sweep can have "
				"%s %" PRIu64,
				v->key, v->value[i]);
	return 0;
}

/* Append a cache for each possible combination of values, in the order in which
   these are listed; line sizes vary slowest, associativities fastest. Return:
   0; -EINVAL with @message, also if a value is in no possible combination. */
static int append_possible_caches_check_all_used(struct values *line,
						 struct values *size,
						 struct values *assoc,
						 struct an_sweep *s,
						 char *message)
{
	struct values *const v[3] = {line, size, assoc};
	unsigned i[3];
	int rc = 0;

	for (i[0] = 0; i[0] < line->n && !rc; i[0]++)
		for (i[1] = 0; i[1] < size->n && !rc; i[1]++)
			for (i[2] = 0; i[2] < assoc->n && !rc; i[2]++)
				rc = append_cache_if_possible_mark_used(
					v, i, s, message);
	if (!rc)
		rc = check_each_swept_number_is_in_some_cache(size, message);
	if (!rc)
		rc = check_each_swept_number_is_in_some_cache(assoc, message);
	if (!rc)
		rc = check_each_swept_number_is_in_some_cache(line, message);
	return rc;
}

static int read_sweep(const struct al_node *map, const struct an_geometry *g,
		      struct an_sweep *s, char *message)
{
	static const char *const keys[] = {"level", "size",   "assoc",
					   "line",  "policy", NULL};
	const struct al_node *policy;
	const struct an_level *level;
	struct values line, size, assoc;
	int rc = al_yaml_check_known_keys(map, keys, what, message);

	if (!rc)
		rc = read_swept_level_index_by_name(map, g, s, message);
	if (rc)
		return rc;
	policy = al_yaml_get(map, "policy");
	level = &g->level[s->level];
	if (policy)
		rc = check_policy_is_lru(policy, message);
	if (!rc)
		rc = read_key_values_or_default(map, "line", level->line, &line,
						message);
	if (!rc)
		rc = read_key_values_or_default(map, "size", level->size, &size,
						message);
	if (!rc)
		rc = read_key_values_or_default(map, "assoc",
						level->sets == 1 ? AL_ASSOC_FULL
								 : level->assoc,
						&assoc, message);
	return rc ? rc
		  : append_possible_caches_check_all_used(&line, &size, &assoc,
							  s, message);
}

int al_sweep_read(const struct al_node *map, struct an_geometry *geometry,
		  char *message)
{
	struct an_sweep *s =
		calloc(1, sizeof(*s) + AL_MAX_SWEEP * sizeof(struct an_shape));
	int rc;

	if (!s)
		return al_message_return_einval(message, "out of memory");
	rc = read_sweep(map, geometry, s, message);
	if (rc)
		free(s);
	else
		geometry->sweep = s;
	return rc;
}
