/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shard.c - simulates a partition's uses of lines, and merges all misses
 *
 * The two lines of an access that crosses a line border may be in different
 * partitions. Both are put on the list of misses, missed or not, and merged
 * into one miss if at least one of them missed, else into none.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/simulation.h"
#include "base/tables/array.h"

enum {
	EXEC_AHEAD = 32,  /* [misses] prefetch distance of executions while the
			     misses of a partition are completed */
	SLOTS_AHEAD = 16, /* [misses] prefetch distance of slots while the
			     misses of a partition are completed */
	MERGE_AHEAD = 8,  /* [misses] prefetch distance of misses while those of
			     all partitions are merged */
	PART_BITS = 6,
};

_Static_assert(AN_MAX_PARTITIONS == 1 << PART_BITS,
	       "a part's number has so many");

/* State of a partition that simulates a chunk: the first level of data, and the
   lists of misses and write-backs. They are copies, because other threads
   change the adjacent elements of the originals. */
struct shard {
	struct an_l1 l1;
	struct an_misses misses;
	struct an_write_back_log write_backs;
};

/* Return a copy of the first level of data for partition @partition: it shares
   the arrays of sets, has the partition's clock, and has 0 write-backs. */
static struct an_l1 copy_l1_with_clock_of_partition(struct an_cachesim *s,
						    unsigned partition)
{
	struct an_l1 l1 = s->hierarchy.l1[AN_DATA];

	l1.clock = s->partitions.part[partition].clock;
	l1.writebacks = 0;
	return l1;
}

/* Replace the last-use times of the sets that @inflight assigns to the
   partition by ranks, and set the clock to the greatest rank, so that it can
   tick AN_MAX_TICKS times. */
static void replace_partition_times_by_ranks(
	struct an_l1 *l1, const struct an_partitions *p,
	const struct an_partition_inflight *inflight, unsigned partition)
{
	for (uint32_t g = 0; g < p->groups; g++)
		if (inflight->map[g] == partition)
			an_l1_replace_times_by_ranks(l1, g, p->groups);
	l1->clock = an_l1_max_time_after_ranking(l1);
}

/* Append a line use to the list of misses, with only the members program_order
   and hit set. @hit_flag: the line did not miss; it is listed because the other
   line of its access may have missed. Return: 0 or -ENOMEM. */
static int append_use_to_miss_list(struct an_misses *missed,
				   uint32_t program_order, bool hit_flag)
{
	struct an_miss *next = an_misses_grow_append_unfilled(missed);

	if (next == NULL)
		return -ENOMEM;
	next->program_order = program_order;
	next->hit = hit_flag;
	return 0;
}

static struct an_exec
exec_of_packed_exec_and_access(const struct an_batch *chunk,
			       uint32_t packed_exec_and_access)
{
	return chunk->exec[packed_exec_and_access >> AN_ACCESS_BITS];
}

static void fill_listed_miss_from_access(const struct an_cachesim *s,
					 const struct an_batch *chunk,
					 struct an_miss *m)
{
	struct an_exec e =
		exec_of_packed_exec_and_access(chunk, m->program_order);
	unsigned access = m->program_order & ((1u << AN_ACCESS_BITS) - 1);
	const struct an_block *b =
		s->inflight[chunk->inflight_slot].plan[e.block].data->block;
	bool hit = m->hit;
	struct an_ref r;

	an_block_compute_access_ref(
		b, s->hierarchy.smallest_line, access,
		chunk->slots + an_exec_first_slot_word_index(e), &r);
	an_miss_fill(m, e, AN_DATA, access, b->access[access].instr, r);
	m->hit = hit;
}

/* Fill in the members of all listed misses, such as the address, from their
   accesses. Executions and their slots (recorded addresses) were probably last
   read by another thread, so they are prefetched. */
static void fill_listed_misses_from_accesses(const struct an_cachesim *s,
					     const struct an_batch *chunk,
					     struct an_misses *missed)
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
				an_exec_first_slot_word_index(
					exec_of_packed_exec_and_access(
						chunk,
						m[i + SLOTS_AHEAD]
							.program_order)));
		fill_listed_miss_from_access(s, chunk, &m[i]);
	}
}

/* Simulate the line uses from @start_index up to and without @end_index, at
   most AN_MAX_TICKS, and append to @misses each that missed or whose access
   crosses a line border. Return: 0 or -ENOMEM. */
static int simulate_uses_list_missed_or_straddling(
	struct an_l1 *l1, const struct an_line_uses *uses, size_t start_index,
	size_t end_index, struct an_misses *misses)
{
	int err = 0;

	for (; start_index < end_index && !err; start_index++) {
		uint64_t use = uses->line[start_index];
		bool missed = an_l1_touch_is_miss(l1, use >> AN_USE_LINE_SHIFT,
						  use & AN_USE_WRITES);

		if (missed || (use & AN_USE_STRADDLES))
			err = append_use_to_miss_list(
				misses, uses->position[start_index], !missed);
	}
	return err;
}

/* Copy the state of @partition at the beginning of a chunk to @shard, with
   empty lists, which the copy of the level refers to. */
static void load_shard_state(struct shard *shard, struct an_cachesim *s,
			     const struct an_partition_inflight *inflight,
			     unsigned partition)
{
	shard->l1 = copy_l1_with_clock_of_partition(s, partition);
	shard->misses = inflight->misses[partition];
	shard->misses.n = shard->misses.n_sent = 0;
	shard->write_backs = inflight->write_backs[partition];
	shard->write_backs.n = shard->write_backs.n_sent = 0;
	shard->l1.n_misses = &shard->misses.n;
	shard->l1.log = s->observer.count_write_back != NULL
				? &shard->write_backs
				: NULL;
	if (s->partitions.part[partition].moves != inflight->moves)
		replace_partition_times_by_ranks(&shard->l1, &s->partitions,
						 inflight, partition);
}

static void store_shard_state(const struct shard *shard, struct an_cachesim *s,
			      struct an_partition_inflight *inflight,
			      unsigned partition)
{
	inflight->misses[partition] = shard->misses;
	inflight->write_backs[partition] = shard->write_backs;
	s->partitions.part[partition].clock = shard->l1.clock;
	s->partitions.part[partition].moves = inflight->moves;
	s->partitions.part[partition].writebacks += shard->l1.writebacks;
}

int an_partition_simulate_chunk(struct an_cachesim *s,
				const struct an_batch *chunk,
				unsigned partition)
{
	struct an_partition_inflight *inflight =
		&s->partitions.inflight[chunk->inflight_slot];
	const struct an_line_uses *uses = &inflight->uses[partition];
	struct shard shard;
	size_t done = 0;
	int err = 0;

	load_shard_state(&shard, s, inflight, partition);
	while (done < uses->n && !err) {
		size_t end = uses->n - done < AN_MAX_TICKS
				     ? uses->n
				     : done + AN_MAX_TICKS;

		if (AN_MAX_TIME - shard.l1.clock <= AN_MAX_TICKS)
			replace_partition_times_by_ranks(
				&shard.l1, &s->partitions, inflight, partition);
		err = simulate_uses_list_missed_or_straddling(
			&shard.l1, uses, done, end, &shard.misses);
		done = end;
	}
	fill_listed_misses_from_accesses(s, chunk, &shard.misses);
	store_shard_state(&shard, s, inflight, partition);
	return err;
}

static uint64_t miss_program_order_key(const struct an_miss *m)
{
	return (uint64_t)m->program_order << 16 | m->row;
}

/* Return the merge key of a partition's next miss: its program order and the
   partition's number; UINT64_MAX if there is none. */
static uint64_t next_miss_order_or_uint64_max(const struct an_misses *m,
					      unsigned partition)
{
	return m->n_sent < m->n ? miss_program_order_key(&m->miss[m->n_sent])
						  << PART_BITS |
					  partition
				: UINT64_MAX;
}

static void merge_or_append_miss_drop_last_if_hit(struct an_inflight *in_flight,
						  const struct an_miss *m)
{
	struct an_misses *merged = &in_flight->data_misses;
	struct an_miss *last = merged->n ? &merged->miss[merged->n - 1] : NULL;

	if (last != NULL &&
	    miss_program_order_key(last) == miss_program_order_key(m)) {
		last->hit &= m->hit;
		return;
	}
	if (last != NULL && last->hit)
		merged->n--;
	merged->miss[merged->n++] = *m;
}

/* Append the next write-backs of @from, those that the partition's miss
   @miss_index caused, to in_flight->write_backs as caused by the last merged
   miss. */
static void append_write_backs_of_miss(struct an_inflight *in_flight,
				       struct an_write_back_log *from,
				       size_t miss_index)
{
	for (; from->n_sent < from->n &&
	       from->item[from->n_sent].miss == miss_index;
	     from->n_sent++)
		an_write_back_log_append_or_set_failed(
			&in_flight->write_backs, from->item[from->n_sent].addr,
			(uint32_t)(in_flight->data_misses.n - 1), 0);
	in_flight->write_backs.failed |= from->failed;
}

/* Set leaf @leaf of the tournament tree to @key and update its ancestors. Each
   inner node i is the lesser of its children 2i and 2i + 1, so node 1 is the
   least key of all partitions. */
static void set_tournament_tree_leaf(uint64_t *node, unsigned leaf,
				     uint64_t key)
{
	node[leaf] = key;
	for (; leaf > 1; leaf /= 2) {
		key = node[leaf ^ 1] < key ? node[leaf ^ 1] : key;
		node[leaf / 2] = key;
	}
}

/* Return the least key of all leaves except leaf @leaf. */
static uint64_t least_key_except_leaf(const uint64_t *tournament_tree,
				      unsigned leaf)
{
	uint64_t least = UINT64_MAX;

	for (; leaf > 1; leaf /= 2)
		least = tournament_tree[leaf ^ 1] < least
				? tournament_tree[leaf ^ 1]
				: least;
	return least;
}

/* Merge the misses of all partitions in program order. */
static void merge_misses_of_partitions(const struct an_cachesim *s,
				       struct an_inflight *in_flight,
				       struct an_partition_inflight *lists)
{
	uint64_t node[2 * AN_MAX_PARTITIONS];
	unsigned leaf = 1;

	while (leaf < s->partitions.n)
		leaf *= 2;
	memset(node, 0xff, sizeof(node));
	for (unsigned i = 0; i < s->partitions.n; i++)
		set_tournament_tree_leaf(
			node, leaf + i,
			next_miss_order_or_uint64_max(&lists->misses[i], i));
	while (node[1] != UINT64_MAX) {
		unsigned partition = node[1] % AN_MAX_PARTITIONS;
		uint64_t least_other =
				 least_key_except_leaf(node, leaf + partition),
			 next;
		struct an_misses *m = &lists->misses[partition];

		do {
			__builtin_prefetch(&m->miss[m->n_sent + MERGE_AHEAD]);
			merge_or_append_miss_drop_last_if_hit(
				in_flight, &m->miss[m->n_sent++]);
			append_write_backs_of_miss(
				in_flight, &lists->write_backs[partition],
				m->n_sent - 1);
			next = next_miss_order_or_uint64_max(m, partition);
		} while (next < least_other);
		set_tournament_tree_leaf(node, leaf + partition, next);
	}
}

int an_partitions_merge_miss_lists(struct an_cachesim *s,
				   const struct an_batch *chunk)
{
	struct an_partition_inflight *lists =
		&s->partitions.inflight[chunk->inflight_slot];
	struct an_inflight *in_flight = &s->inflight[chunk->inflight_slot];
	struct an_misses *merged = &in_flight->data_misses;
	size_t n = 0;

	for (unsigned i = 0; i < s->partitions.n; i++)
		n += lists->misses[i].n;
	if (al_array_reserve(merged->miss, merged->size, n) != 0)
		return -ENOMEM;
	merge_misses_of_partitions(s, in_flight, lists);
	if (merged->n > 0 && merged->miss[merged->n - 1].hit)
		merged->n--;
	an_inflight_segment_for_batch(in_flight, &in_flight->n_segments_begun,
				      false)
		->data_end = merged->n;
	return s->error;
}
