/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shard.c - simulates a partition's uses of lines, and merges all misses
 *
 * Both halves of an access that crosses a line border are reported, missed or
 * not, because they may be in different partitions. The access is one miss if
 * at least one half missed, and none otherwise.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/simulation.h"

enum {
	EXEC_AHEAD =
		32, /* [misses] prefetch distances when misses are completed
		     ... */
	SLOTS_AHEAD = 16,
	MERGE_AHEAD = 8, /* ... and when they are merged */
	PART_BITS = 6,
};

_Static_assert(AN_MAX_PARTITIONS == 1 << PART_BITS,
	       "a part's number has so many");

/* Return the first level as partition @part sees it: all share the sets, but
   each has a clock of its own. */
static struct an_l1 make_view(struct an_cachesim *s, unsigned part)
{
	struct an_l1 f = s->hierarchy.l1[AN_DATA];

	f.clock = s->partitions.part[part].clock;
	f.writebacks = 0;
	return f;
}

/* Renumber the timestamps of the partition's set groups, so that the clock can
   tick AN_MAX_TICKS times. */
static void renumber_times(struct an_l1 *f, const struct an_partitions *p,
			   const struct an_partition_inflight *l, unsigned part)
{
	for (uint32_t g = 0; g < p->groups; g++)
		if (l->map[g] == part)
			an_l1_replace_times_by_ranks(f, g, p->groups);
	f->clock = an_l1_max_rank(f);
}

/* Append a use to be reported, with its position only. @hit: it did not miss.
   Return: 0 or -ENOMEM. */
static int add_reported(struct an_misses *missed, uint32_t where, bool hit)
{
	struct an_miss *next = an_misses_append(missed);

	if (next == NULL)
		return -ENOMEM;
	next->program_order = where;
	next->hit = hit;
	return 0;
}

static struct an_exec exec_at(const struct an_batch *chunk, uint32_t where)
{
	return chunk->exec[where >> AN_ACCESS_BITS];
}

static void fill_miss(const struct an_cachesim *s, const struct an_batch *chunk,
		      struct an_miss *m)
{
	struct an_exec e = exec_at(chunk, m->program_order);
	unsigned access = m->program_order & ((1u << AN_ACCESS_BITS) - 1);
	const struct an_block *b =
		s->inflight[chunk->inflight_slot].plan[e.block].data->block;
	bool hit = m->hit;
	struct an_ref r;

	an_block_ref(b, s->hierarchy.smallest_line, access,
		     chunk->slots + an_exec_slot_offset(e), &r);
	an_miss_fill(m, e, AN_DATA, access, b->access[access].instr, r);
	m->hit = hit;
}

/* Complete all misses with their accesses. These were probably last read by
   another thread, so they are prefetched. */
static void fill_misses(const struct an_cachesim *s,
			const struct an_batch *chunk, struct an_misses *missed)
{
	struct an_miss *m = missed->miss;

	for (size_t i = 0; i < missed->n; i++) {
		if (i + EXEC_AHEAD < missed->n)
			__builtin_prefetch(
				&chunk->exec[m[i + EXEC_AHEAD].program_order >>
					     AN_ACCESS_BITS]);
		if (i + SLOTS_AHEAD < missed->n)
			__builtin_prefetch(
				chunk->slots +
				an_exec_slot_offset(exec_at(
					chunk,
					m[i + SLOTS_AHEAD].program_order)));
		fill_miss(s, chunk, &m[i]);
	}
}

/* Simulate the uses from @i to @end, at most AN_MAX_TICKS. Return: 0 or -ENOMEM. */
static int use_lines(struct an_l1 *f, const struct an_line_uses *u, size_t i,
		     size_t end, struct an_misses *m)
{
	int err = 0;

	for (; i < end && !err; i++) {
		uint64_t use = u->line[i];
		bool missed = an_l1_touch(f, use >> AN_USE_LINE_SHIFT,
					  use & AN_USE_WRITES);

		if (missed || (use & AN_USE_STRADDLES))
			err = add_reported(m, u->position[i], !missed);
	}
	return err;
}

int an_partition_run(struct an_cachesim *s, const struct an_batch *chunk,
		     unsigned part)
{
	struct an_partition_inflight *l =
		&s->partitions.inflight[chunk->inflight_slot];
	struct an_l1 f = make_view(s, part);
	const struct an_line_uses *u = &l->uses[part];
	struct an_misses m = l->misses[part]; /* a copy: the list's neighbour in
						 memory is changed by another
						 thread */
	size_t done = 0;
	int err = 0;

	m.n = m.n_sent = 0;
	if (s->partitions.part[part].moves != l->moves)
		renumber_times(&f, &s->partitions, l, part);
	while (done < u->n && !err) {
		size_t end =
			u->n - done < AN_MAX_TICKS ? u->n : done + AN_MAX_TICKS;

		if (AN_MAX_TIME - f.clock <= AN_MAX_TICKS)
			renumber_times(&f, &s->partitions, l, part);
		err = use_lines(&f, u, done, end, &m);
		done = end;
	}
	fill_misses(s, chunk, &m);
	l->misses[part] = m;
	s->partitions.part[part].clock = f.clock;
	s->partitions.part[part].moves = l->moves;
	s->partitions.part[part].writebacks += f.writebacks;
	return err;
}

static uint64_t program_order(const struct an_miss *m)
{
	return (uint64_t)m->program_order << 16 | m->row;
}

/* Return the merge key of a partition's next miss: its program order and the
   partition; UINT64_MAX if there is none. */
static uint64_t next_key(const struct an_misses *m, unsigned part)
{
	return m->n_sent < m->n
		       ? program_order(&m->miss[m->n_sent]) << PART_BITS | part
		       : UINT64_MAX;
}

static void merge_miss(struct an_inflight *lane, const struct an_miss *m)
{
	struct an_misses *all = &lane->data_misses;
	struct an_miss *last = all->n ? &all->miss[all->n - 1] : NULL;

	if (last != NULL && program_order(last) == program_order(m)) {
		last->hit &= m->hit;
		return;
	}
	if (last != NULL && last->hit)
		all->n--;
	all->miss[all->n++] = *m;
}

/* Set leaf @i of the tournament tree to @next and update its ancestors. Each
   inner node is the lesser of its children 2i and 2i + 1, so node 1 is the
   least key of all partitions. */
static void update_tree(uint64_t *node, unsigned i, uint64_t next)
{
	node[i] = next;
	for (; i > 1; i /= 2) {
		next = node[i ^ 1] < next ? node[i ^ 1] : next;
		node[i / 2] = next;
	}
}

/* Return the least key of all leaves except @i. */
static uint64_t runner_up(const uint64_t *node, unsigned i)
{
	uint64_t least = UINT64_MAX;

	for (; i > 1; i /= 2)
		least = node[i ^ 1] < least ? node[i ^ 1] : least;
	return least;
}

/* Merge the misses of all partitions in program order. */
static void merge_misses(const struct an_cachesim *s, struct an_inflight *lane,
			 struct an_partition_inflight *l)
{
	uint64_t node[2 * AN_MAX_PARTITIONS];
	unsigned leaf = 1;

	while (leaf < s->partitions.n)
		leaf *= 2;
	memset(node, 0xff, sizeof(node));
	for (unsigned i = 0; i < s->partitions.n; i++)
		update_tree(node, leaf + i, next_key(&l->misses[i], i));
	while (node[1] != UINT64_MAX) {
		unsigned part = node[1] % AN_MAX_PARTITIONS;
		uint64_t other = runner_up(node, leaf + part), next;
		struct an_misses *m = &l->misses[part];

		do {
			__builtin_prefetch(&m->miss[m->n_sent + MERGE_AHEAD]);
			merge_miss(lane, &m->miss[m->n_sent++]);
			next = next_key(m, part);
		} while (next < other);
		update_tree(node, leaf + part, next);
	}
}

int an_partitions_gather(struct an_cachesim *s, const struct an_batch *chunk)
{
	struct an_partition_inflight *l =
		&s->partitions.inflight[chunk->inflight_slot];
	struct an_inflight *lane = &s->inflight[chunk->inflight_slot];
	struct an_misses *all = &lane->data_misses;
	size_t n = 0;

	for (unsigned i = 0; i < s->partitions.n; i++)
		n += l->misses[i].n;
	if (n > all->size) {
		void *p = realloc(all->miss, n * sizeof(*all->miss));

		if (p == NULL)
			return -ENOMEM;
		all->miss = p;
		all->size = n;
	}
	merge_misses(s, lane, l);
	if (all->n > 0 && all->miss[all->n - 1].hit)
		all->n--;
	an_inflight_segment(lane, &lane->n_segments_begun, false)->data_end =
		all->n;
	return s->error;
}
