/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forest.c - simulates many LRU caches of one line size; see forest.h */

#include "analyzers/sweep/forest.h"

#include <errno.h>
#include <stdlib.h>

enum { NONE = 0 }; /* entry number that means: no entry */
static uint64_t index_of_set_of_line(const struct an_tier *t,
				     uint64_t line_number)
{
	return t->mask || t->sets == 1 ? line_number & t->mask
				       : line_number % t->sets;
}

/* Return the number of the entry of a line, after moving it to the front of its
   bucket; NONE if the line has no entry. @line_id: number of the line, see
   line_ids.h. */
static uint32_t find_entry_move_to_bucket_front(struct an_forest *f,
						uint32_t line_id)
{
	uint32_t *head = &f->bucket[line_id & f->bucket_mask], *link = head;
	uint32_t found;

	while (*link != NONE && f->entry[*link].line != line_id)
		link = &f->entry[*link].next;
	found = *link;
	if (found == NONE || link == head)
		return found;
	*link = f->entry[found].next;
	f->entry[found].next = *head;
	*head = found;
	return found;
}

/* Create an entry for the line with number @line_id, at the front of its
   bucket, from the list of unused entries if it has one. Return: number of the
   entry. */
static uint32_t create_entry_at_bucket_front(struct an_forest *f,
					     uint32_t line_id)
{
	uint32_t *head = &f->bucket[line_id & f->bucket_mask];
	uint32_t new = f->free_entry;

	if (new != NONE)
		f->free_entry = f->entry[new].next;
	else
		new = f->n_entries++;
	f->entry[new] =
		(struct an_forest_entry){.line = line_id, .next = *head};
	*head = new;
	return new;
}

/* Remove the entry @entry_number from its bucket, and add it to the list of
   unused entries. */
static void move_entry_to_unused_list(struct an_forest *f,
				      uint32_t entry_number)
{
	struct an_forest_entry *e = &f->entry[entry_number];
	uint32_t *link = &f->bucket[e->line & f->bucket_mask];

	while (*link != entry_number)
		link = &f->entry[*link].next;
	*link = e->next;
	e->next = f->free_entry;
	f->free_entry = entry_number;
}

/* Put @new_entry into a small group in place of the least recently used entry.
   @unordered_entries: the entries of the group. @group_size: their number.
   Return: the replaced entry. */
static uint32_t overwrite_lru_entry_of_group(const struct an_forest *f,
					     uint32_t *unordered_entries,
					     uint32_t group_size,
					     uint32_t new_entry)
{
	uint64_t least = f->last_use[unordered_entries[0]];
	uint32_t pos = 0, old;

	for (uint32_t i = 1; i < group_size; i++) {
		uint64_t used = f->last_use[unordered_entries[i]];

		pos = used < least ? i : pos;
		least = used < least ? used : least;
	}
	old = unordered_entries[pos];
	unordered_entries[pos] = new_entry;
	return old;
}

/* The two smallest of the numbers added so far; UINT64_MAX: none. */
struct two_least {
	uint64_t first, second;
	/* position, passed to add_to_two_least_numbers(), of the smallest
	   number */
	uint32_t pos;
};

static inline struct two_least
add_to_two_least_numbers(struct two_least l, uint64_t number, uint32_t pos)
{
	uint64_t more = number < l.first ? l.first : number;

	l.second = more < l.second ? more : l.second;
	l.pos = number < l.first ? pos : l.pos;
	l.first = number < l.first ? number : l.first;
	return l;
}

static const struct two_least no_numbers = {UINT64_MAX, UINT64_MAX, 0};

/*
 * Do what overwrite_lru_entry_of_group() does, for the large group of set @set.
 * For each block of the group only a lower bound of the last-use times of its
 * entries is known. The block with the smallest bound is searched; if its
 * oldest entry could be newer than an entry of another block, its bound is
 * corrected, and the search is repeated.
 */
static uint32_t replace_lru_in_large_group(const struct an_forest *f,
					   struct an_tier *t, uint64_t set,
					   uint32_t new_entry)
{
	uint32_t blocks = t->stride / AN_GROUP_BLOCK, old;
	uint64_t *oldest = t->oldest + set * blocks;
	struct two_least block, member;
	uint32_t *block_entry;

	for (;;) {
		block = member = no_numbers;
		for (uint32_t i = 0; i < blocks; i++)
			block = add_to_two_least_numbers(block, oldest[i], i);
		block_entry = t->member + set * t->stride +
			      block.pos * AN_GROUP_BLOCK;
		for (uint32_t i = 0; i < AN_GROUP_BLOCK; i++)
			member = add_to_two_least_numbers(
				member, f->last_use[block_entry[i]], i);
		if (member.first <= block.second)
			break;
		oldest[block.pos] = member.first;
	}
	/* The new entry, whose last use is at time f->clock, may be the oldest
	   of its block of AN_GROUP_BLOCK entries. */
	oldest[block.pos] = member.second < f->clock ? member.second : f->clock;
	old = block_entry[member.pos];
	block_entry[member.pos] = new_entry;
	return old;
}

/* Put @entry, the entry of @line, into the group (the most recent lines) of its
   set in tier @tier_index (all caches with one number of sets), in place of the
   least recently used entry. Push the line of the replaced entry on the LRU
   stack of the set, which has the lines below the group, and free that entry if
   no tier has it in a group any more. @min_lines_above: lower bound of the
   number of lines above @line. Return: the depth of @line before. */
static struct an_stack_depth
insert_entry_in_group(struct an_forest *f, unsigned tier_index, uint32_t entry,
		      uint64_t line, uint32_t min_lines_above)
{
	struct an_tier *t = &f->tier[tier_index];
	uint64_t set = index_of_set_of_line(t, line);
	uint32_t old = t->oldest ? replace_lru_in_large_group(f, t, set, entry)
				 : overwrite_lru_entry_of_group(
					   f, t->member + set * t->stride,
					   t->group, entry);
	struct an_forest_entry *e = &f->entry[old];
	uint32_t out = e->line;

	if (old == NONE)
		return (struct an_stack_depth){t->n_assocs, t->group};
	e->top = 0;
	e->tiers &= ~(1u << tier_index);
	if (e->tiers == 0)
		move_entry_to_unused_list(f, old);
	return an_lru_stack_push_and_remove(
		&t->stack, set, out, f->entry[entry].line, min_lines_above);
}

/* Put the entry of @line into the group (the most recent lines) of its set in
   each tier (all caches with one number of sets) whose group lacks it.
   @absent_tier_bits: bits of these tiers, which are processed from the last to
   the first: a tier with fewer sets has at least as many lines above @line in
   the LRU stack of the set, so the depth of @line in one tier is a lower bound
   for the next.
   @missed_count_by_tier_out: receives, for each of these tiers, how many of its
   caches missed. Return: bits of the tiers in which some cache missed. */
static uint32_t
add_to_groups_return_missed_tiers(struct an_forest *f, uint32_t entry,
				  uint64_t line, uint32_t absent_tier_bits,
				  uint16_t *missed_count_by_tier_out)
{
	struct an_stack_depth d = {0, 0};
	uint32_t tiers = 0;

	for (unsigned i = f->n_grouped_tiers; i-- > 0;) {
		if (!(absent_tier_bits >> i & 1))
			continue;
		d = insert_entry_in_group(f, i, entry, line, d.min_depth);
		missed_count_by_tier_out[i] = (uint16_t)d.rank;
		tiers |= (uint32_t)(d.rank != 0) << i;
	}
	return tiers;
}

/* Move @line to the top of the LRU stack of its set in the tiers (all caches
   with one number of sets) that have no groups of most recent lines, up to the
   first tier in which it is on top already. @line_id: number of @line.
   @missed_count_by_tier_out: receives, for each tier in which the line was
   moved, how many of its caches missed. Return: bits of the tiers in which some
   cache missed. */
static uint32_t
move_to_top_of_ungrouped_tiers(struct an_forest *f, uint64_t line,
			       uint32_t line_id,
			       uint16_t *missed_count_by_tier_out)
{
	uint32_t tiers = 0;

	for (unsigned i = f->n_grouped_tiers; i < f->n_tiers; i++) {
		struct an_tier *t = &f->tier[i];
		uint64_t set = index_of_set_of_line(t, line);
		struct an_stack_depth d;

		if (an_lru_stack_is_line_on_top(&t->stack, set, line_id))
			break;
		d = an_lru_stack_push_and_remove(&t->stack, set, line_id,
						 line_id, 0);
		missed_count_by_tier_out[i] = (uint16_t)d.rank;
		tiers |= (uint32_t)(d.rank != 0) << i;
	}
	return tiers;
}

/* Return the number of the entry of a line, which is moved to the front of its
   bucket; a new entry is created if the line has none. Return NONE, with
   f->error set, if there are too many regions. */
static uint32_t find_or_create_entry_of_line(struct an_forest *f,
					     uint64_t line_number)
{
	uint32_t number = an_line_ids_find_or_add_id_or_0_if_full(&f->lines,
								  line_number),
		 entry;

	if (number == 0)
		f->error = -EOVERFLOW;
	entry = number ? find_entry_move_to_bucket_front(f, number) : NONE;
	return entry || !number ? entry
				: create_entry_at_bucket_front(f, number);
}

/**
 * simulate_line_return_missed_tier_bits() - Simulate a use of a line in all
 * tiers.
 * @missed_count_by_tier_out: [AN_MAX_TIERS] receives, for each tier in which
 *         some cache missed, how many of its caches missed; undefined for the
 *         other tiers.
 *
 * Return: bits of the tiers in which some cache missed.
 */
static uint32_t
simulate_line_return_missed_tier_bits(struct an_forest *f, uint64_t line,
				      uint16_t *missed_count_by_tier_out)
{
	uint32_t entry = find_or_create_entry_of_line(f, line), tiers, missing;
	struct an_forest_entry *e = &f->entry[entry];

	if (entry == NONE)
		return 0;
	f->last_use[entry] = ++f->clock;
	missing = f->grouped_tiers & ~e->tiers;
	e->tiers = f->grouped_tiers;
	e->top = line + 1;
	tiers = add_to_groups_return_missed_tiers(f, entry, line, missing,
						  missed_count_by_tier_out);
	if (missing >> (f->n_grouped_tiers - 1) & 1)
		tiers |= move_to_top_of_ungrouped_tiers(
			f, line, e->line, missed_count_by_tier_out);
	return tiers;
}

/* Count an access of @kind as a miss in the tiers of @tier_bits, except during
   warm-up. @missed_caches_by_tier: how many caches of each tier missed. */
static void count_missed_access(struct an_forest *f, uint32_t tier_bits,
				const uint16_t *missed_caches_by_tier,
				enum an_sweep_kind kind)
{
	if (f->warm)
		return;
	for (; tier_bits != 0; tier_bits &= tier_bits - 1) {
		unsigned i = (unsigned)__builtin_ctz(tier_bits);

		f->tier[i].missed[2 * missed_caches_by_tier[i] + kind]++;
	}
}

/* Simulate one access that uses two lines, and count its misses. In each tier
   it misses in as many caches as the one of the two lines that misses in
   more. */
static void simulate_and_count_two_line_access(struct an_forest *f,
					       uint64_t first_line,
					       uint64_t last_line,
					       enum an_sweep_kind kind)
{
	uint16_t rank[AN_MAX_TIERS], other_rank[AN_MAX_TIERS];
	uint32_t tiers = simulate_line_return_missed_tier_bits(f, first_line,
							       rank),
		 other_tiers = simulate_line_return_missed_tier_bits(
			 f, last_line, other_rank);

	for (uint32_t remaining = other_tiers; remaining != 0;
	     remaining &= remaining - 1) {
		unsigned i = (unsigned)__builtin_ctz(remaining);

		if (!(tiers >> i & 1) || rank[i] < other_rank[i])
			rank[i] = other_rank[i];
	}
	count_missed_access(f, tiers | other_tiers, rank, kind);
}

void an_forest_access_slow_path(struct an_forest *f, uint64_t first_line,
				uint64_t last_line, enum an_sweep_kind kind)
{
	uint16_t rank[AN_MAX_TIERS];

	if (first_line == last_line)
		count_missed_access(f,
				    simulate_line_return_missed_tier_bits(
					    f, first_line, rank),
				    rank, kind);
	else
		simulate_and_count_two_line_access(f, first_line, last_line,
						   kind);
}

bool an_forest_find_cache_miss_counts(const struct an_forest *f, uint64_t sets,
				      uint32_t assoc,
				      uint64_t read_write_misses_out[2])
{
	for (unsigned i = 0; i < f->n_tiers; i++)
		for (unsigned a = 0; a < f->tier[i].n_assocs; a++) {
			const struct an_tier *t = &f->tier[i];

			if (t->sets != sets || t->assoc[a] != assoc)
				continue;
			read_write_misses_out[AN_READ] =
				read_write_misses_out[AN_WRITE] = 0;
			for (unsigned rank = a + 1; rank <= t->n_assocs;
			     rank++) {
				read_write_misses_out[AN_READ] +=
					t->missed[2 * rank];
				read_write_misses_out[AN_WRITE] +=
					t->missed[2 * rank + 1];
			}
			return true;
		}
	return false;
}
