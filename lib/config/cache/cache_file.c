/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_file.c - reads the levels of a cache file, and its sweep
 *
 * Each level is checked separately, then link_levels_set_first_levels()
 * resolves `next`.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzers/geometry.h"
#include "base/text/message.h"
#include "base/text/number.h"
#include "base/text/suggest.h"
#include "base/text/yaml.h"
#include "lib/config/cache/cache_file.h"
#include "lib/config/cache/cache_geometry.h"
#include "lib/config/cache/sweep_file.h"

/* Value of `next` of the level that is directly above memory. No level may have
   this name. */
#define AL_MEMORY_WORD "memory"

enum { NONE = -2 }; /* index that means neither a level nor AN_MEMORY */
static const struct al_node *
yaml_node_of_level(const struct al_node *level_list, int level_index)
{
	const struct al_node *n = level_list->child;

	while (level_index--)
		n = n->next;
	return n;
}

static int find_level_index_memory_or_unknown(const struct an_geometry *g,
					      const char *name)
{
	for (int i = 0; i < g->n_levels; i++)
		if (!strcmp(g->level[i].name, name))
			return i;
	return strcmp(name, AL_MEMORY_WORD) ? NONE : AN_MEMORY;
}

static int report_unknown_next_level(const struct al_node *next,
				     const struct an_geometry *g, char *message)
{
	const char *words[AN_MAX_LEVELS + 2];
	int n = 0;

	for (; n < g->n_levels; n++)
		words[n] = g->level[n].name;
	words[n++] = AL_MEMORY_WORD;
	words[n] = NULL;
	return al_yaml_report_bad_word(next, words, message);
}

/* Return the level below level @level_index if `next` is missing: the first
   unified level after it in the file, or AN_MEMORY. */
static int first_later_unified_level_or_memory(const struct an_geometry *g,
					       int level_index)
{
	while (++level_index < g->n_levels)
		if (g->level[level_index].kind == AN_UNIFIED)
			return level_index;
	return AN_MEMORY;
}

static int read_which_level_is_next_or_set_default(const struct al_node *map,
						   struct an_geometry *g,
						   int level_index,
						   char *message)
{
	struct an_level *level = &g->level[level_index];
	const struct al_node *next = al_yaml_get(map, "next");
	const struct an_level *next_level;

	if (!next) {
		level->next =
			first_later_unified_level_or_memory(g, level_index);
		return 0;
	}
	if (next->kind != AL_TEXT)
		return al_yaml_error_at_node(next, message,
					     "'next' is not a word");
	level->next = find_level_index_memory_or_unknown(g, next->text);
	if (level->next == NONE)
		return report_unknown_next_level(next, g, message);
	if (level->next == AN_MEMORY)
		return 0;
	next_level = &g->level[level->next];
	if (next_level->kind != AN_UNIFIED && next_level->kind != level->kind)
		return al_yaml_error_at_node(
			next, message,
			"'next' of '%s' must be unified or of its own kind, "
			"not '%s'",
			level->name, next_level->name);
	return 0;
}

static int check_levels_have_no_loop(const struct al_node *level_list,
				     const struct an_geometry *g, char *message)
{
	for (int i = 0; i < g->n_levels; i++) {
		int current = i;

		for (int steps = 0; current != AN_MEMORY; steps++) {
			if (steps == g->n_levels)
				return al_yaml_error_at_node(
					yaml_node_of_level(level_list, i),
					message,
					"the levels below '%s' "
					"form a loop",
					g->level[i].name);
			current = g->level[current].next;
		}
	}
	return 0;
}

static bool is_next_of_no_level(const struct an_geometry *g, int level_index)
{
	for (int i = 0; i < g->n_levels; i++)
		if (g->level[i].next == level_index)
			return false;
	return true;
}

/* Make level @level_index the first level for instructions, for data, or for
   both, by its kind. Return: 0; -1 if there is one already. */
static int set_first_level_of_kind_if_none(struct an_geometry *g,
					   int level_index)
{
	enum an_cache_kind kind = g->level[level_index].kind;

	if (kind != AN_DATA && g->first_instruction != NONE)
		return -1;
	if (kind != AN_INSTRUCTION && g->first_data != NONE)
		return -1;
	if (kind != AN_DATA)
		g->first_instruction = level_index;
	if (kind != AN_INSTRUCTION)
		g->first_data = level_index;
	return 0;
}

static int
set_and_check_first_levels(const struct al_node *level_nodes_for_errors,
			   struct an_geometry *g, char *message)
{
	g->first_instruction = g->first_data = NONE;
	for (int i = 0; i < g->n_levels; i++)
		if (is_next_of_no_level(g, i) &&
		    set_first_level_of_kind_if_none(g, i))
			return al_yaml_error_at_node(
				yaml_node_of_level(level_nodes_for_errors, i),
				message,
				"'%s' receives no accesses: it is no level's "
				"'next', and another level is the first of its "
				"kind",
				g->level[i].name);
	if (g->first_instruction == NONE)
		return al_yaml_error_at_node(
			level_nodes_for_errors, message,
			"no level receives instruction fetches");
	if (g->first_data == NONE)
		return al_yaml_error_at_node(level_nodes_for_errors, message,
					     "no level receives data accesses");
	return 0;
}

/**
 * link_levels_set_first_levels() - Resolve `next`, and find the first levels.
 * @level_list: YAML maps of the levels, in the order of @geometry's levels.
 * @geometry: its levels are complete except for next; receives next,
 *            first_instruction and first_data.
 *
 * Return: 0; -EINVAL with @message if the levels form no hierarchy.
 */
static int link_levels_set_first_levels(const struct al_node *level_list,
					struct an_geometry *geometry,
					char *message)
{
	const struct al_node *map = level_list->child;
	int rc = 0;

	for (int i = 0; i < geometry->n_levels && !rc; i++, map = map->next)
		rc = read_which_level_is_next_or_set_default(map, geometry, i,
							     message);
	if (!rc)
		rc = check_levels_have_no_loop(level_list, geometry, message);
	return rc ? rc
		  : set_and_check_first_levels(level_list, geometry, message);
}

static const char a_level[] = "a level";

static int read_level_name(const struct al_node *map, struct an_geometry *g,
			   struct an_level *level, char *message)
{
	static const char valid[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_.-";
	const struct al_node *n =
		al_yaml_get_required(map, "name", AL_TEXT, a_level, message);
	size_t len;

	if (!n)
		return -EINVAL;
	len = strlen(n->text);
	if (!len || len >= AN_LEVEL_NAME || strspn(n->text, valid) != len)
		return al_yaml_error_at_node(
			n, message,
			"name '%.60s' is not 1 to %d letters, "
			"digits, '_', '.' or '-'",
			n->text, AN_LEVEL_NAME - 1);
	if (!strcmp(n->text, AL_MEMORY_WORD))
		return al_yaml_error_at_node(
			n, message, "no level can be named '%s'", n->text);
	for (int i = 0; i < g->n_levels; i++)
		if (!strcmp(g->level[i].name, n->text))
			return al_yaml_error_at_node(
				n, message, "two levels are named '%s'",
				n->text);
	memcpy(level->name, n->text, len);
	return 0;
}

static int read_level_kind(const struct al_node *map, struct an_level *level,
			   char *message)
{
	static const char *const kinds[] = {
		[AN_INSTRUCTION] = "instruction",
		[AN_DATA] = "data",
		[AN_UNIFIED] = "unified",
		NULL,
	};
	const struct al_node *n =
		al_yaml_get_required(map, "kind", AL_TEXT, a_level, message);

	if (!n)
		return -EINVAL;
	for (int i = 0; kinds[i]; i++)
		if (!strcmp(n->text, kinds[i])) {
			level->kind = (enum an_cache_kind)i;
			return 0;
		}
	return al_yaml_report_bad_word(n, kinds, message);
}

/* Read the number that is the value of @key, from 1 to @max. Return: 0; -EINVAL
   with @message. */
static int read_level_number_1_to_max(const struct al_node *map,
				      const char *key, uint64_t max,
				      uint64_t *out, char *message)
{
	const struct al_node *n =
		al_yaml_get_required(map, key, AL_TEXT, a_level, message);
	int rc;

	if (!n)
		return -EINVAL;
	rc = al_size_parse_optional_kmg(n->text, out);
	if (rc == -EINVAL || (!rc && !*out))
		return al_yaml_error_at_node(
			n, message,
			"%s '%.60s' is not a number above 0, "
			"with K, M or G or without",
			key, n->text);
	if (rc || *out > max)
		return al_yaml_error_at_node(
			n, message, "%s '%.60s' is too large", key, n->text);
	return 0;
}

static int read_associativity(const struct al_node *map, uint64_t *out,
			      char *message)
{
	static const char *const words[] = {"full", NULL};
	const struct al_node *n = al_yaml_get(map, "assoc");

	if (n && n->kind == AL_TEXT && !strcmp(n->text, words[0])) {
		*out = AL_ASSOC_FULL;
		return 0;
	}
	if (n && n->kind == AL_TEXT && al_suggest_word(n->text, words))
		return al_yaml_report_bad_word(n, words, message);
	return read_level_number_1_to_max(map, "assoc", UINT32_MAX, out,
					  message);
}

static int read_and_check_size_assoc_line(const struct al_node *map,
					  struct an_level *level, char *message)
{
	static const char *const keys[] = {
		[AL_FAULT_SIZE] = "size",
		[AL_FAULT_ASSOC] = "assoc",
		[AL_FAULT_LINE] = "line",
	};
	uint64_t assoc, line;
	char why[AL_MESSAGE];
	enum al_fault fault;
	int rc = read_level_number_1_to_max(map, "size", UINT64_MAX,
					    &level->size, message);

	if (!rc)
		rc = read_associativity(map, &assoc, message);
	if (!rc)
		rc = read_level_number_1_to_max(map, "line", UINT32_MAX, &line,
						message);
	if (rc)
		return rc;
	level->assoc = (uint32_t)assoc;
	level->line = (uint32_t)line;
	fault = al_level_check_and_derive_sets(level, why);
	if (!fault)
		return 0;
	return al_yaml_error_at_node(al_yaml_get(map, keys[fault]), message,
				     "'%s': %s", level->name, why);
}

static int read_and_append_level(const struct al_node *map,
				 struct an_geometry *g, char *message)
{
	static const char *const keys[] = {"name", "kind", "size", "assoc",
					   "line", "next", NULL};
	struct an_level level = {.next = AN_MEMORY};
	int rc = al_yaml_check_known_keys(map, keys, a_level, message);

	if (!rc)
		rc = read_level_name(map, g, &level, message);
	if (!rc)
		rc = read_level_kind(map, &level, message);
	if (!rc)
		rc = read_and_check_size_assoc_line(map, &level, message);
	if (!rc)
		g->level[g->n_levels++] = level;
	return rc;
}

static int read_levels_and_sweep(const struct al_node *root,
				 struct an_geometry *g, char *message)
{
	static const char *const keys[] = {"levels", "sweep", NULL};
	static const char what[] = "the file";
	const struct al_node *level_list, *sweep;
	int rc = al_yaml_check_known_keys(root, keys, what, message);

	if (rc)
		return rc;
	level_list =
		al_yaml_get_required(root, "levels", AL_LIST, what, message);
	if (!level_list)
		return -EINVAL;
	if (!level_list->child)
		return al_yaml_error_at_node(level_list, message, "no levels");
	for (const struct al_node *n = level_list->child; n && !rc; n = n->next)
		rc = g->n_levels < AN_MAX_LEVELS
			     ? read_and_append_level(n, g, message)
			     : al_yaml_error_at_node(n, message,
						     "more than %d levels",
						     AN_MAX_LEVELS);
	if (!rc)
		rc = link_levels_set_first_levels(level_list, g, message);
	sweep = al_yaml_get(root, "sweep");
	return rc || !sweep ? rc : al_sweep_read(sweep, g, message);
}

/* Whether file @name exists in ../share/alleria/cache, relative to the
   directory of the running program; a build tree has this directory, too.
   @path_out: receives the path of the file, valid if the result is true. */
static bool find_cache_file_in_share_folder(const char *name,
					    char path_out[PATH_MAX])
{
	char exe[PATH_MAX], *slash;
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (n <= 0)
		return false;
	exe[n] = '\0';
	slash = strrchr(exe, '/');
	if (slash)
		*slash = '\0';
	n = snprintf(path_out, PATH_MAX, "%s/../share/alleria/cache/%s", exe,
		     name);
	return n < PATH_MAX && access(path_out, F_OK) == 0;
}

/* Return the path of cache file @name: @name itself, or, if it has no '/' and
   does not exist in the current directory, that of the installed file with this
   name, if there is one. */
static const char *
find_cache_file_path_or_return_name(const char *name,
				    char path_buffer[PATH_MAX])
{
	if (strchr(name, '/') || access(name, F_OK) == 0)
		return name;
	if (find_cache_file_in_share_folder(name, path_buffer))
		return path_buffer;
	snprintf(path_buffer, PATH_MAX, "%s/%s", ALLERIA_CACHEDIR, name);
	return access(path_buffer, F_OK) == 0 ? path_buffer : name;
}

int al_cachefile_read(const char *path_or_installed_name,
		      struct an_geometry *out, char *message)
{
	char path[PATH_MAX];
	struct al_node *root;
	int rc = al_yaml_read(find_cache_file_path_or_return_name(
				      path_or_installed_name, path),
			      &root, message);

	if (rc)
		return rc;
	memset(out, 0, sizeof(*out));
	rc = read_levels_and_sweep(root, out, message);
	al_yaml_free_with_siblings(root);
	return rc;
}
