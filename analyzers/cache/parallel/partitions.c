/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partitions.c - assigns set groups to partitions; see partitions.h
 *
 * At first each partition has nearly the same number of adjacent groups. If a
 * program uses few groups most, one partition is slower than the others. So
 * every CHECK_CHUNKS chunks the loads of the partitions are compared, and if
 * one has much more than the mean, groups are reassigned by their numbers of
 * uses. The counts of a chunk arrive AN_INFLIGHT_SLOTS chunks later, when its
 * in-flight slot is reused.
 *
 * Two groups share no cache line of the host, so any assignment is equally
 * fast.
 */

#include "analyzers/cache/parallel/partitions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

enum {
	CHECK_CHUNKS = 8,     /* [chunks] between checks of the loads; doubled
				 after each of the first MAX_DOUBLINGS
				 reassignments */
	MAX_DOUBLINGS = 2,    /* maximum number of times that the interval
				 CHECK_CHUNKS is doubled */
	MIN_USES = 1 << 16,   /* line uses since the last check; fewer are no
				 measure of load */
	UNEVEN_PERCENT = 125, /* load of the busiest partition in percent of the
				 mean */
	BETTER_PERCENT = 90,  /* maximum of the busiest partition's load with
				 the new map, in percent of its load with the
				 old one */
};

int an_partitions_init(struct an_partitions *p, struct an_l1 *f,
		       unsigned n_partitions)
{
	p->n = n_partitions;
	if (n_partitions < 2)
		return 0;
	p->groups =
		(uint32_t)an_largest_pow2_divisor(f->sets, AN_MAX_SET_GROUPS);
	p->last_use_mask =
		an_largest_pow2_divisor(f->sets, AN_MAX_LAST_USES) - 1;
	for (uint32_t g = 0; g < p->groups; g++)
		p->map[g] = (uint8_t)(g * n_partitions / p->groups);
	for (unsigned i = 0; i < n_partitions; i++)
		p->part[i].clock = f->clock;
	p->inflight = calloc(AN_INFLIGHT_SLOTS, sizeof(*p->inflight));
	return p->inflight ? an_l1_empty_and_lay_out_by_groups(f, p->groups)
			   : -ENOMEM;
}

static void
free_partition_lists_of_inflight_slot(struct an_partition_inflight *l)
{
	for (unsigned i = 0; i < AN_MAX_PARTITIONS; i++) {
		free(l->uses[i].line);
		free(l->uses[i].position);
		free(l->misses[i].miss);
		an_write_back_log_release(&l->write_backs[i]);
	}
}

void an_partitions_free_inflight_lists(struct an_partitions *p)
{
	for (unsigned i = 0; p->inflight && i < AN_INFLIGHT_SLOTS; i++)
		free_partition_lists_of_inflight_slot(&p->inflight[i]);
	free(p->inflight);
	p->inflight = NULL;
}

/* Add the line uses counted in in-flight slot @l, of the chunk that had the
   slot before, to the loads of set groups and partitions, set them to 0, and
   count the chunk. */
static void move_slot_uses_to_loads_count_chunk(struct an_partitions *p,
						struct an_partition_inflight *l)
{
	for (uint32_t g = 0; g < p->groups; g++) {
		p->load[l->moves > 0][l->map[g]] += l->group_uses[g];
		p->group_uses[g] += l->group_uses[g];
		l->group_uses[g] = 0;
	}
	p->chunks++;
}

static void sum_uses_by_partition(const struct an_partitions *p,
				  const uint8_t *partition_of_group,
				  uint64_t *load_out)
{
	memset(load_out, 0, p->n * sizeof(*load_out));
	for (uint32_t g = 0; g < p->groups; g++)
		load_out[partition_of_group[g]] += p->group_uses[g];
}

static uint64_t max_load(const uint64_t *load, unsigned partition_count)
{
	uint64_t max = 0;

	for (unsigned i = 0; i < partition_count; i++)
		if (load[i] > max)
			max = load[i];
	return max;
}

static uint64_t sum_loads(const uint64_t *load, unsigned partition_count)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < partition_count; i++)
		total += load[i];
	return total;
}

/* Assign the set groups, in ascending order, to partitions with nearly equal
   numbers of line uses: if all uses, ordered by group, are divided into p->n
   equal parts, a group is assigned to the part that contains its middle use. */
static void assign_set_groups_to_even_partitions(const struct an_partitions *p,
						 uint8_t *map_out)
{
	uint64_t total = 0, before = 0;

	/* Each group counts as one use more than it has, so that unused groups
	   are divided evenly, too. */
	for (uint32_t g = 0; g < p->groups; g++)
		total += p->group_uses[g] + 1;
	for (uint32_t g = 0; g < p->groups; g++) {
		map_out[g] = (uint8_t)((2 * before + p->group_uses[g]) * p->n /
				       (2 * total));
		before += p->group_uses[g] + 1;
	}
}

/* Compare the loads (line uses) of the partitions if enough chunks have passed
   since the last time, and reassign set groups if they are uneven. Return:
   whether the map (partition of each group) has changed. */
static bool rebalance_if_due_is_map_changed(struct an_partitions *p)
{
	unsigned interval =
		CHECK_CHUNKS
		<< (p->moves < MAX_DOUBLINGS ? p->moves : MAX_DOUBLINGS);
	uint64_t load[AN_MAX_PARTITIONS], total, max;
	uint8_t map[AN_MAX_SET_GROUPS];

	sum_uses_by_partition(p, p->map, load);
	total = sum_loads(load, p->n);
	max = max_load(load, p->n);
	if (p->chunks < interval || total < MIN_USES)
		return false;
	p->chunks = 0;
	if (max * p->n * 100 > total * UNEVEN_PERCENT) {
		assign_set_groups_to_even_partitions(p, map);
		sum_uses_by_partition(p, map, load);
	}
	memset(p->group_uses, 0, sizeof(p->group_uses));
	if (max_load(load, p->n) * 100 > max * BETTER_PERCENT)
		return false;
	memcpy(p->map, map, sizeof(map));
	p->moves++;
	return true;
}

bool an_partitions_begin_chunk_is_rebalanced(struct an_partitions *p,
					     unsigned inflight_slot)
{
	struct an_partition_inflight *l = &p->inflight[inflight_slot];
	bool moved;

	move_slot_uses_to_loads_count_chunk(p, l);
	moved = rebalance_if_due_is_map_changed(p);
	l->moves = p->moves;
	memcpy(l->map, p->map, sizeof(l->map));
	memset(l->last_use, 0xff,
	       (p->last_use_mask + 1) * sizeof(*l->last_use));
	for (unsigned i = 0; i < p->n; i++)
		l->uses[i].n = 0;
	return moved;
}

struct an_partition_load
an_partitions_finish_sum_and_max_loads(struct an_partitions *p)
{
	struct an_partition_load sums = {.n = p->inflight ? p->n : 0,
					 .moves = p->moves,
					 .n_serial_batches =
						 p->n_serial_batches};

	for (unsigned i = 0; p->inflight && i < AN_INFLIGHT_SLOTS; i++)
		move_slot_uses_to_loads_count_chunk(p, &p->inflight[i]);
	for (int i = 0; p->inflight && i < 2; i++) {
		sums.uses[i] = sum_loads(p->load[i], p->n);
		sums.busiest[i] = max_load(p->load[i], p->n);
	}
	return sums;
}

void an_partition_load_add_of_all_partitions(struct an_partition_load *to,
					     const struct an_partition_load *s)
{
	if (s->n > to->n)
		to->n = s->n;
	to->moves += s->moves;
	to->n_serial_batches += s->n_serial_batches;
	for (int i = 0; i < 2; i++) {
		to->uses[i] += s->uses[i];
		to->busiest[i] += s->busiest[i];
	}
}

/* Write to @sink all uses, the sum over the exec images of the uses of the
   busiest partition of each, and this sum in percent of the partitions' mean;
   nothing if there are no uses.
   @is_after_first_move: 0: uses before the first reassignment of groups, 1:
   after it. */
static void
report_total_and_busiest_partition_uses(const struct an_partition_load *s,
					int is_after_first_move,
					struct an_sink *sink)
{
	static const char *const key[] = {"before_moves", "after_moves"};

	if (s->uses[is_after_first_move] == 0)
		return;
	sink->begin(sink, key[is_after_first_move]);
	sink->number(sink, "uses", s->uses[is_after_first_move]);
	sink->number(sink, "busiest", s->busiest[is_after_first_move]);
	sink->number(sink, "imbalance_percent",
		     100 * s->busiest[is_after_first_move] * s->n /
			     s->uses[is_after_first_move]);
	sink->end(sink);
}

void an_partition_load_report(const struct an_partition_load *s,
			      struct an_sink *sink)
{
	sink->number(sink, "parts", s->n);
	sink->number(sink, "moves", s->moves);
	sink->number(sink, "whole_batches", s->n_serial_batches);
	report_total_and_busiest_partition_uses(s, 0, sink);
	report_total_and_busiest_partition_uses(s, 1, sink);
}

int an_misses_grow(struct an_misses *m)
{
	return al_array_reserve(m->miss, m->size, m->size + 1);
}
