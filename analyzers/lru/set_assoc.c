/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set_assoc.c - simulates one cache level; see set_assoc.h */

#include "analyzers/lru/set_assoc.h"

#include <errno.h>
#include <stdlib.h>

#include "analyzers/lru/fully_assoc.h"

enum {
	HOST_LINE = 64, /* [bytes] of a line of the host's caches */
	PADDING = 8,	/* [ways] sets of more ways are padded to a multiple of
		      this */
};

/* Return the number of ways that a set takes in memory: @assoc, rounded up to a
   power of two if it is at most PADDING, else to a multiple of PADDING. */
static uint32_t pad_assoc_to_power_of_2_or_8s(uint32_t assoc)
{
	uint32_t n = 1;

	if (assoc > PADDING)
		return (assoc + PADDING - 1) / PADDING * PADDING;
	while (n < assoc)
		n *= 2;
	return n;
}

/* Allocate empty ways, aligned to a line of the host's caches. calloc() is used
   because memory that is never touched then takes no RAM. */
static void allocate_ways_aligned_to_host_line(struct an_set_assoc *w)
{
	size_t n = w->sets * w->stride + HOST_LINE / sizeof(*w->way);

	w->memory = calloc(n, sizeof(*w->way));
	if (w->memory != NULL)
		w->way = (void *)(((uintptr_t)w->memory + HOST_LINE - 1) &
				  ~(uintptr_t)(HOST_LINE - 1));
}

int an_set_assoc_init(struct an_set_assoc *w, const struct an_level *level)
{
	*w = (struct an_set_assoc){
		.sets = level->sets,
		.assoc = level->assoc,
		.stride = pad_assoc_to_power_of_2_or_8s(level->assoc),
	};
	while ((1u << w->shift) < level->line)
		w->shift++;
	if ((w->sets & (w->sets - 1)) == 0) {
		w->mask = w->sets - 1;
		w->tag_shift = (uint32_t)__builtin_ctzll(w->sets);
	}
	if (w->assoc > AN_MAX_ARRAY_WAYS)
		w->fully_assoc = an_fully_assoc_new(w->sets, w->assoc);
	else
		allocate_ways_aligned_to_host_line(w);
	w->is_plain = w->way && (w->mask || w->sets == 1);
	return w->fully_assoc || w->way ? 0 : -ENOMEM;
}

void an_set_assoc_release(struct an_set_assoc *w)
{
	free(w->memory);
	al_key_table_release(&w->far_tags);
	an_fully_assoc_free(w->fully_assoc);
	*w = (struct an_set_assoc){0};
}

/* Append the line that the last miss evicted to w->log if it was dirty. */
static void log_last_evicted_line_if_dirty(struct an_set_assoc *w)
{
	if (w->evicted & AN_DIRTY)
		an_write_back_log_append_or_set_failed(
			w->log, an_set_assoc_written_back_line(w) << w->shift,
			0, w->log_level);
}

static bool touch_in_sets_with_hash_table_is_miss(struct an_set_assoc *w,
						  uint64_t line, bool write)
{
	bool missed = an_fully_assoc_touch_is_miss(
		w->fully_assoc, an_set_assoc_set_index_of_line(w, line), line,
		write, &w->evicted);

	if (missed)
		w->writebacks += w->evicted >> 63;
	if (missed && w->log != NULL)
		log_last_evicted_line_if_dirty(w);
	return missed;
}

/* Return the value of a way, without the dirty bit, that stands for @tag, which
   is AN_FAR_TAG or above and so too large to be stored in a way; a new tag gets
   a number first. 0: memory is short, all numbers are used, or w->failed is
   set. */
static uint32_t encode_far_tag_as_way_value_0_on_error(struct an_set_assoc *w,
						       uint64_t tag)
{
	struct al_key key = {{tag}};
	int64_t number;

	if (w->last_far_way != 0 && tag == w->last_far_tag)
		return w->last_far_way;
	if (w->failed || w->far_tags.n >= INT32_MAX - AN_FAR_TAG)
		return 0;
	number = al_key_table_find_or_add_index(&w->far_tags, &key);
	if (number == AL_KEY_TABLE_NO_MEMORY)
		return 0;
	w->last_far_tag = tag;
	w->last_far_way = AN_FAR_TAG + (uint32_t)number + 1;
	return w->last_far_way;
}

/* Return the number of the line that a replaced way held, plus 1, with AN_DIRTY
   if it was dirty; 0 if the way was empty. */
static uint64_t way_value_to_evicted_code(const struct an_set_assoc *w,
					  uint32_t way_value,
					  uint64_t set_index)
{
	uint64_t tag = (way_value & INT32_MAX) - 1;

	if (way_value == 0)
		return 0;
	if (tag >= AN_FAR_TAG)
		tag = w->far_tags.key[tag - AN_FAR_TAG].word[0];
	return (tag * w->sets + set_index + 1) | (uint64_t)(way_value >> 31)
							 << 63;
}

/* Search the ways of a set, the most recently used first. Each way moves down
   by one, until the line is found, an empty way is filled, or the last way is
   replaced; the line is stored in the first way. */
bool an_set_assoc_search_or_fill_is_miss(struct an_set_assoc *w, uint64_t line,
					 bool write)
{
	uint64_t set = an_set_assoc_set_index_of_line(w, line),
		 tag = an_set_assoc_line_tag(w, line);
	uint32_t *ways, new_way, moved = 0;

	if (w->fully_assoc != NULL)
		return touch_in_sets_with_hash_table_is_miss(w, line, write);
	ways = w->way + set * w->stride;
	new_way = tag < AN_FAR_TAG
			  ? (uint32_t)tag + 1
			  : encode_far_tag_as_way_value_0_on_error(w, tag);
	if (new_way == 0) {
		w->failed = true;
		w->evicted = 0;
		return true;
	}
	for (uint32_t i = 0; i < w->assoc; i++) {
		uint32_t way = ways[i];

		ways[i] = moved;
		if ((way ^ new_way) << 1 == 0 && way != 0) {
			ways[0] = way | (uint32_t)write << 31;
			return false;
		}
		moved = way;
		if (way == 0)
			break;
	}
	w->evicted = way_value_to_evicted_code(w, moved, set);
	w->writebacks += moved >> 31;
	if (w->log != NULL)
		log_last_evicted_line_if_dirty(w);
	ways[0] = new_way | (uint32_t)write << 31;
	return true;
}
