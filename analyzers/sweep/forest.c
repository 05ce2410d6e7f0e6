/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forest.c - many LRU caches of one line size at a time; see forest.h */

#include "analyzers/sweep/forest.h"

#include <errno.h>
#include <stdlib.h>

enum { NONE = 0 }; /* entry */

static uint64_t set_of(const struct an_tier *t, uint64_t line)
{
	return t->mask || t->sets == 1 ? line & t->mask : line % t->sets;
}

/* The entry of a line, first in its chain afterwards; NONE. */
static uint32_t find(struct an_forest *f, uint32_t line)
{
	uint32_t *head = &f->bucket[line & f->buckets], *at = head;
	uint32_t found;

	while (*at != NONE && f->entry[*at].line != line)
		at = &f->entry[*at].next;
	found = *at;
	if (found == NONE || at == head)
		return found;
	*at = f->entry[found].next;
	f->entry[found].next = *head;
	*head = found;
	return found;
}

static uint32_t add(struct an_forest *f, uint32_t line)
{
	uint32_t *head = &f->bucket[line & f->buckets];
	uint32_t new = f->free;

	if (new != NONE)
		f->free = f->entry[new].next;
	else
		new = f->n_entries++;
	f->entry[new] = (struct an_entry){.line = line, .next = *head};
	*head = new;
	return new;
}

static void drop(struct an_forest *f, uint32_t old)
{
	struct an_entry *e = &f->entry[old];
	uint32_t *at = &f->bucket[e->line & f->buckets];

	while (*at != old)
		at = &f->entry[*at].next;
	*at = e->next;
	e->next = f->free;
	f->free = old;
}

/* Puts an entry into a small group. Return: the entry that has to leave, the
   one used longest ago. */
static uint32_t replace(const struct an_forest *f, uint32_t *member,
			uint32_t group, uint32_t entry)
{
	uint64_t least = f->used[member[0]];
	uint32_t at = 0, old;

	for (uint32_t i = 1; i < group; i++) {
		uint64_t used = f->used[member[i]];

		at = used < least ? i : at;
		least = used < least ? used : least;
	}
	old = member[at];
	member[at] = entry;
	return old;
}

/* The two least of some numbers. */
struct least {
	uint64_t first, second;
	uint32_t at; /* of the first */
};

static inline struct least note(struct least l, uint64_t n, uint32_t at)
{
	uint64_t more = n < l.first ? l.first : n;

	l.second = more < l.second ? more : l.second;
	l.at = n < l.first ? at : l.at;
	l.first = n < l.first ? n : l.first;
	return l;
}

static const struct least nothing = {UINT64_MAX, UINT64_MAX, 0};

/*
 * The same with a large group. Of blocks it is only known before when none of
 * their entries was used; the block for which that is earliest is looked at, and
 * unless its oldest entry is older than all others may be, we know more.
 */
static uint32_t replace_in_block(const struct an_forest *f, struct an_tier *t,
				 uint64_t set, uint32_t entry)
{
	uint32_t blocks = t->stride / AN_BLOCK, old;
	uint64_t *oldest = t->oldest + set * blocks;
	struct least block, member;
	uint32_t *in;

	for (;;) {
		block = member = nothing;
		for (uint32_t i = 0; i < blocks; i++)
			block = note(block, oldest[i], i);
		in = t->member + set * t->stride + block.at * AN_BLOCK;
		for (uint32_t i = 0; i < AN_BLOCK; i++)
			member = note(member, f->used[in[i]], i);
		if (member.first <= block.second)
			break;
		oldest[block.at] = member.first;
	}
	/* The one that comes may be alone in the block. */
	oldest[block.at] = member.second < f->clock ? member.second : f->clock;
	old = in[member.at];
	in[member.at] = entry;
	return old;
}

/* Brings an entry, of @line, into its group in tier @i. Return: where it was;
   @least: not above that. */
static struct an_depth enter(struct an_forest *f, unsigned i, uint32_t entry,
			     uint64_t line, uint32_t least)
{
	struct an_tier *t = &f->tier[i];
	uint64_t set = set_of(t, line);
	uint32_t old = t->oldest ? replace_in_block(f, t, set, entry)
				 : replace(f, t->member + set * t->stride,
					   t->group, entry);
	struct an_entry *e = &f->entry[old];
	uint32_t out = e->line;

	if (old == NONE)
		return (struct an_depth){t->n, t->group};
	e->top = 0;
	e->tiers &= ~(1u << i);
	if (e->tiers == 0)
		drop(f, old);
	return an_stack_exchange(&t->stack, set, out, f->entry[entry].line,
				 least);
}

/* Into its groups, where it is not. The fewer sets, the more lines are above
   it. */
static uint32_t ascend(struct an_forest *f, uint32_t entry, uint64_t line,
		       uint32_t missing, uint16_t *rank)
{
	struct an_depth d = {0, 0};
	uint32_t some = 0;

	for (unsigned i = f->grouped; i-- > 0;) {
		if (!(missing >> i & 1))
			continue;
		d = enter(f, i, entry, line, d.least);
		rank[i] = (uint16_t)d.rank;
		some |= (uint32_t)(d.rank != 0) << i;
	}
	return some;
}

/* Tiers without groups, until the line is first in its set. */
static uint32_t descend(struct an_forest *f, uint64_t line, uint32_t number,
			uint16_t *rank)
{
	uint32_t some = 0;

	for (unsigned i = f->grouped; i < f->n_tiers; i++) {
		struct an_tier *t = &f->tier[i];
		uint64_t set = set_of(t, line);
		struct an_depth d;

		if (an_stack_is_top(&t->stack, set, number))
			break;
		d = an_stack_exchange(&t->stack, set, number, number, 0);
		rank[i] = (uint16_t)d.rank;
		some |= (uint32_t)(d.rank != 0) << i;
	}
	return some;
}

/* The entry of a line; NONE: there are too many regions. */
static uint32_t entry_for(struct an_forest *f, uint64_t line)
{
	uint32_t number = an_lines_short(&f->lines, line), entry;

	if (number == 0)
		f->error = -EOVERFLOW;
	entry = number ? find(f, number) : NONE;
	return entry || !number ? entry : add(f, number);
}

/**
 * touch() - Use a line.
 * @rank: [AN_TIERS] receives its ranks.
 *
 * Return: bits of the tiers whose rank is not 0; of the others it is not set.
 */
static uint32_t touch(struct an_forest *f, uint64_t line, uint16_t *rank)
{
	uint32_t entry = entry_for(f, line), some, missing;
	struct an_entry *e = &f->entry[entry];

	if (entry == NONE)
		return 0;
	f->used[entry] = ++f->clock;
	missing = f->all & ~e->tiers;
	e->tiers = f->all;
	e->top = line + 1;
	some = ascend(f, entry, line, missing, rank);
	if (missing >> (f->grouped - 1) & 1)
		some |= descend(f, line, e->line, rank);
	return some;
}

static void count(struct an_forest *f, uint32_t tiers, const uint16_t *rank,
		  enum an_sweep_kind kind)
{
	if (f->warm)
		return;
	for (; tiers != 0; tiers &= tiers - 1) {
		unsigned i = (unsigned)__builtin_ctz(tiers);

		f->tier[i].missed[2 * rank[i] + kind]++;
	}
}

/* Each of two lines at its time; what counts is the one that is deeper. */
static void search_two(struct an_forest *f, uint64_t line, uint64_t last,
		       enum an_sweep_kind kind)
{
	uint16_t rank[AN_TIERS], other[AN_TIERS];
	uint32_t some = touch(f, line, rank), too = touch(f, last, other);

	for (uint32_t left = too; left != 0; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctz(left);

		if (!(some >> i & 1) || rank[i] < other[i])
			rank[i] = other[i];
	}
	count(f, some | too, rank, kind);
}

void an_forest_search(struct an_forest *f, uint64_t line, uint64_t last,
		      enum an_sweep_kind kind)
{
	uint16_t rank[AN_TIERS];

	if (line == last)
		count(f, touch(f, line, rank), rank, kind);
	else
		search_two(f, line, last, kind);
}

bool an_forest_misses(const struct an_forest *f, uint64_t sets, uint32_t assoc,
		      uint64_t misses[2])
{
	for (unsigned i = 0; i < f->n_tiers; i++)
		for (unsigned a = 0; a < f->tier[i].n; a++) {
			const struct an_tier *t = &f->tier[i];

			if (t->sets != sets || t->assoc[a] != assoc)
				continue;
			misses[AN_READ] = misses[AN_WRITE] = 0;
			for (unsigned rank = a + 1; rank <= t->n; rank++) {
				misses[AN_READ] += t->missed[2 * rank];
				misses[AN_WRITE] += t->missed[2 * rank + 1];
			}
			return true;
		}
	return false;
}
