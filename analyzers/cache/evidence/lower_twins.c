/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lower_twins.c - simulates a fully associative twin of each lower level of
 * data; see lower_twins.h
 */

#include "analyzers/cache/evidence/lower_twins.h"

#include <stdlib.h>
#include <string.h>

#include "analyzers/lru/fully_assoc.h"
#include "base/tables/array.h"

enum {
	COUNTS = 2, /* number of counts of a level: its misses, and those of
		       its twin */
	NO_TWIN = -1,
};

struct twin {
	const struct an_level *level;
	struct an_fully_assoc *lines;
	unsigned shift; /* log2 of the level's line size [bytes] */
};

struct block_counts {
	uint64_t *count; /* counts of the block's accesses: [n_accesses *
			    twins * COUNTS]; NULL: none has missed its first
			    level */
	unsigned n_accesses;
};

struct an_lower_twins {
	struct twin twin[AN_MAX_LEVELS];
	unsigned n;
	int on_path[2][AN_MAX_LEVELS]; /* [AN_INSTRUCTION or AN_DATA][n]: index
					  of the twin of the (n + 1)-th level
					  below the first; NO_TWIN */
	struct block_counts *block;    /* [size] counts of each block's
					  accesses, by block id */
	uint32_t size;
	bool no_memory;
};

const struct an_level *
an_nth_lower_level_with_fully_assoc_twin(const struct an_geometry *g,
					 unsigned n)
{
	int i = g->level[g->first_data].next;

	for (; i != AN_MEMORY; i = g->level[i].next)
		if (g->level[i].sets > 1 && n-- == 0)
			return &g->level[i];
	return NULL;
}

/* Return the index in t->twin of a level's twin; NO_TWIN if it has none. */
static int find_fully_assoc_twin_index_of_level(const struct an_lower_twins *t,
						const struct an_level *l)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->twin[i].level == l)
			return (int)i;
	return NO_TWIN;
}

/* Set twin_index_out[i] to the index in t->twin of the twin (the fully
   associative cache of the same size) of the level that misses reach after i +
   1 steps down from @first_level; to NO_TWIN if that level has no twin, or if
   there is no such level. @twin_index_out: [AN_MAX_LEVELS]. */
static void
list_fully_assoc_twins_below_first_level(const struct an_lower_twins *t,
					 const struct an_geometry *g,
					 int first_level, int *twin_index_out)
{
	int depth = 0;

	for (int i = 0; i < AN_MAX_LEVELS; i++)
		twin_index_out[i] = NO_TWIN;
	for (int i = g->level[first_level].next; i != AN_MEMORY;
	     i = g->level[i].next)
		twin_index_out[depth++] =
			find_fully_assoc_twin_index_of_level(t, &g->level[i]);
}

struct an_lower_twins *
an_lower_twins_new_fully_associative(const struct an_geometry *geometry)
{
	struct an_lower_twins *t = calloc(1, sizeof(*t));
	const struct an_level *l;

	while (t && (l = an_nth_lower_level_with_fully_assoc_twin(
			     geometry, t->n)) != NULL) {
		struct twin *twin = &t->twin[t->n++];

		twin->level = l;
		twin->shift = (unsigned)__builtin_ctz(l->line);
		twin->lines =
			an_fully_assoc_new(1, (uint32_t)(l->sets * l->assoc));
		if (twin->lines == NULL) {
			an_lower_twins_free(t);
			return NULL;
		}
	}
	if (t) {
		list_fully_assoc_twins_below_first_level(
			t, geometry, geometry->first_instruction,
			t->on_path[AN_INSTRUCTION]);
		list_fully_assoc_twins_below_first_level(
			t, geometry, geometry->first_data, t->on_path[AN_DATA]);
	}
	return t;
}

void an_lower_twins_free(struct an_lower_twins *t)
{
	if (t == NULL)
		return;
	for (unsigned i = 0; i < t->n; i++)
		if (t->twin[i].lines)
			an_fully_assoc_free(t->twin[i].lines);
	for (uint32_t i = 0; i < t->size; i++)
		free(t->block[i].count);
	free(t->block);
	free(t);
}

/* Simulate a use, in twin @t, of each line of bytes @addr to @addr + @size - 1.
   Return: whether any of these lines was missing. */
static bool use_access_lines_is_any_miss(struct twin *t, uint64_t addr,
					 unsigned size)
{
	uint64_t last = (addr + size - 1) >> t->shift, evicted;
	bool missed = false;

	for (uint64_t line = addr >> t->shift; line <= last; line++)
		missed |= an_fully_assoc_touch_is_miss(t->lines, 0, line, false,
						       &evicted);
	return missed;
}

/* Return the counts of access number @access of block @b, which are zeros if
   none of the block's accesses was counted before; NULL if memory is short. */
static uint64_t *find_or_add_access_counts(struct an_lower_twins *t,
					   const struct an_block *b,
					   unsigned access)
{
	size_t n = (size_t)t->n * COUNTS;
	struct block_counts *c;

	if (al_array_reserve_zeroed(t->block, t->size, b->id + 1) != 0)
		return NULL;
	c = &t->block[b->id];
	if (c->count == NULL) {
		c->count = calloc(b->n_accesses * n, sizeof(*c->count));
		c->n_accesses = b->n_accesses;
	}
	return c->count ? c->count + access * n : NULL;
}

void an_lower_twins_simulate_access(struct an_lower_twins *t,
				    const struct an_block *block,
				    const struct an_lower_access *access,
				    int missed_level_count)
{
	uint64_t *count = NULL;

	if (t->n == 0)
		return;
	if (access->path == AN_DATA && !access->warm) {
		count = find_or_add_access_counts(t, block, access->row);
		t->no_memory |= count == NULL;
	}
	for (int i = 0; i < missed_level_count && i < AN_MAX_LEVELS; i++) {
		int twin = t->on_path[access->path][i];
		bool missed;

		if (twin == NO_TWIN)
			continue;
		missed = use_access_lines_is_any_miss(
			&t->twin[twin], access->addr, access->size);
		if (count != NULL) {
			count[twin * COUNTS] += i + 1 < missed_level_count;
			count[twin * COUNTS + 1] += missed;
		}
	}
}

bool an_lower_twins_ran_out_of_memory(const struct an_lower_twins *t)
{
	return t->no_memory;
}

unsigned an_lower_twins_n_block_accesses(const struct an_lower_twins *t,
					 uint32_t block_id)
{
	return block_id < t->size && t->block[block_id].count
		       ? t->block[block_id].n_accesses
		       : 0;
}

void an_lower_twins_add_level_and_twin_misses(const struct an_lower_twins *t,
					      uint32_t block_id,
					      unsigned access,
					      uint64_t *site_counts)
{
	unsigned n = t->n * COUNTS;

	for (unsigned i = 0; i < n; i++)
		site_counts[AN_SITE_LOWER + i] +=
			t->block[block_id].count[access * n + i];
}
