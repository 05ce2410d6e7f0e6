/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * level_links.c - resolves which level is below which; see level_links.h
 *
 * A level that is no other's `next` is a first level. There is one for
 * instructions and one for data, or a unified one for both. Without loops,
 * every other level is then below a first level.
 */
#include "lib/config/cache/level_links.h"

#include <string.h>

enum { NONE = -2 }; /* no level, not even memory */

static const struct al_node *map_of(const struct al_node *list, int level)
{
	const struct al_node *n = list->child;

	while (level--)
		n = n->next;
	return n;
}

static int find_level(const struct an_geometry *g, const char *name)
{
	for (int i = 0; i < g->n_levels; i++)
		if (!strcmp(g->level[i].name, name))
			return i;
	return strcmp(name, AL_MEMORY_WORD) ? NONE : AN_MEMORY;
}

static int unknown_level(const struct al_node *next,
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

/* Return the next level of level @i if `next` is missing: the first unified
   level after it in the file. */
static int default_next(const struct an_geometry *g, int i)
{
	while (++i < g->n_levels)
		if (g->level[i].kind == AN_UNIFIED)
			return i;
	return AN_MEMORY;
}

static int link_level(const struct al_node *map, struct an_geometry *g, int i,
		      char *message)
{
	struct an_level *level = &g->level[i];
	const struct al_node *next = al_yaml_get(map, "next");
	const struct an_level *next_level;

	if (!next) {
		level->next = default_next(g, i);
		return 0;
	}
	if (next->kind != AL_TEXT)
		return al_yaml_error(next, message, "'next' is not a word");
	level->next = find_level(g, next->text);
	if (level->next == NONE)
		return unknown_level(next, g, message);
	if (level->next == AN_MEMORY)
		return 0;
	next_level = &g->level[level->next];
	if (next_level->kind != AN_UNIFIED && next_level->kind != level->kind)
		return al_yaml_error(next, message,
				     "'%s' cannot take the misses of '%s': "
				     "another kind",
				     next_level->name, level->name);
	return 0;
}

static int check_loops(const struct al_node *list, const struct an_geometry *g,
		       char *message)
{
	for (int i = 0; i < g->n_levels; i++) {
		int current = i;

		for (int steps = 0; current != AN_MEMORY; steps++) {
			if (steps == g->n_levels)
				return al_yaml_error(map_of(list, i), message,
						     "the levels below '%s' "
						     "form a loop",
						     g->level[i].name);
			current = g->level[current].next;
		}
	}
	return 0;
}

static bool is_first_level(const struct an_geometry *g, int level)
{
	for (int i = 0; i < g->n_levels; i++)
		if (g->level[i].next == level)
			return false;
	return true;
}

/* Make level @i the first level of its kind. Return: 0; -1 if there is one. */
static int set_first_level(struct an_geometry *g, int i)
{
	enum an_cache_kind kind = g->level[i].kind;

	if (kind != AN_DATA && g->first_instruction != NONE)
		return -1;
	if (kind != AN_INSTRUCTION && g->first_data != NONE)
		return -1;
	if (kind != AN_DATA)
		g->first_instruction = i;
	if (kind != AN_INSTRUCTION)
		g->first_data = i;
	return 0;
}

static int find_first_levels(const struct al_node *list, struct an_geometry *g,
			     char *message)
{
	g->first_instruction = g->first_data = NONE;
	for (int i = 0; i < g->n_levels; i++)
		if (is_first_level(g, i) && set_first_level(g, i))
			return al_yaml_error(map_of(list, i), message,
					     "nothing reaches '%s': it is no "
					     "level's next, and its accesses "
					     "enter elsewhere",
					     g->level[i].name);
	if (g->first_instruction == NONE)
		return al_yaml_error(list, message,
				     "no level takes instruction fetches");
	if (g->first_data == NONE)
		return al_yaml_error(list, message,
				     "no level takes data accesses");
	return 0;
}

int al_levels_link(const struct al_node *list, struct an_geometry *geometry,
		   char *message)
{
	const struct al_node *map = list->child;
	int rc = 0;

	for (int i = 0; i < geometry->n_levels && !rc; i++, map = map->next)
		rc = link_level(map, geometry, i, message);
	if (!rc)
		rc = check_loops(list, geometry, message);
	return rc ? rc : find_first_levels(list, geometry, message);
}
