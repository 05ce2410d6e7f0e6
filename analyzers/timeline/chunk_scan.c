/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chunk_scan.c - counts the executions of a chunk by bin; see timeline.h */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/timeline/timeline.h"
#include "base/tables/array.h"

enum { PAGE_OFFSET = (1 << AN_PAGE_SHIFT) - 1 };

struct an_chunk_scan *an_chunk_scan_new(struct an_time_counts *counts)
{
	struct an_chunk_scan *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return NULL;
	s->counts = counts;
	s->generation = s->bin_number = 1;
	if (an_bins_begin_bin_of_time(&counts->bins, 0) < 0) {
		free(s);
		return NULL;
	}
	s->bin_end = an_bins_width(&counts->bins);
	return s;
}

void an_chunk_scan_free(struct an_chunk_scan *s)
{
	if (s == NULL)
		return;
	an_seen_table_release(&s->pages);
	an_seen_table_release(&s->threads);
	an_arena_free_all_and_reset(&s->arena);
	free(s->probes);
	free(s->start);
	free(s);
}

/* ---- uses ---- */

/* Return some time in the current bin. */
static uint64_t time_in_bin(const struct an_chunk_scan *s)
{
	return s->bin_end - 1;
}

static void count_use_in_bin(struct an_chunk_scan *s, struct an_seen_table *t,
			     unsigned use_set, uint64_t key)
{
	uint64_t previous = an_seen_table_exchange_time(t, key, time_in_bin(s));

	if (previous == UINT64_MAX)
		s->error = -ENOMEM;
	else
		an_bins_count_use(&s->counts->bins, use_set, s->bin, previous);
}

static void add_to_heat(struct an_chunk_scan *s, uint64_t addr, uint64_t count)
{
	if (an_heat_map_add(&s->counts->heat, AN_HEAT_ACCESSES, addr, s->bin,
			    count) != 0)
		s->error = -ENOMEM;
}

/* Move the accesses of a recent page to the heat map. */
static void flush_recent_page(struct an_chunk_scan *s, struct an_recent_page *p)
{
	if (p->n_accesses > 0)
		add_to_heat(s, p->tag, p->n_accesses);
	p->n_accesses = 0;
}

void an_chunk_scan_flush_recent_pages(struct an_chunk_scan *s)
{
	for (size_t i = 0; i < s->n_used; i++)
		flush_recent_page(s, &s->recent[s->used[i]]);
	s->n_used = 0;
}

static struct an_recent_page *get_recent_page_slot(struct an_chunk_scan *s,
						   uint64_t addr)
{
	return &s->recent[addr >> AN_PAGE_SHIFT & (AN_RECENT_PAGES - 1)];
}

static uint64_t make_page_tag(const struct an_chunk_scan *s, uint64_t addr)
{
	return (addr & ~(uint64_t)PAGE_OFFSET) | s->generation;
}

/* Count a use of the page of @addr in the current bin, and set recent page @p
   to it. */
static __attribute__((noinline)) void
count_page_and_make_recent(struct an_chunk_scan *s, struct an_recent_page *p,
			   uint64_t addr)
{
	if (s->counts->has_heat && (p->tag & PAGE_OFFSET) == s->generation)
		flush_recent_page(s, p);
	else if (s->counts->has_heat)
		s->used[s->n_used++] = (uint16_t)(p - s->recent);
	p->tag = make_page_tag(s, addr);
	count_use_in_bin(s, &s->pages, AN_USED_PAGES, addr >> AN_PAGE_SHIFT);
}

/* Count a use of the page of @addr, and @n_accesses accesses of it. @has_heat:
   a constant; if it is false, the compiler leaves out the accesses. */
static inline __attribute__((always_inline)) void
count_page_and_accesses(struct an_chunk_scan *s, uint64_t addr,
			unsigned n_accesses, bool has_heat)
{
	struct an_recent_page *p = get_recent_page_slot(s, addr);

	if (p->tag != make_page_tag(s, addr))
		count_page_and_make_recent(s, p, addr);
	if (has_heat)
		p->n_accesses += n_accesses;
}

/* ---- accesses that are counted one by one ---- */

static void count_pages_of_access(struct an_chunk_scan *s, uint64_t addr,
				  unsigned size)
{
	uint64_t pages = ((addr & PAGE_OFFSET) + size - 1) >> AN_PAGE_SHIFT;

	count_page_and_accesses(s, addr, 1, true);
	for (uint64_t i = 1; i <= pages; i++)
		count_page_and_accesses(s, addr + (i << AN_PAGE_SHIFT), 0,
					true);
}

/* Count the accesses of a probe one by one, because they are in several pages
   or guarded. A guarded access that did not happen is subtracted from
   s->packed. */
static __attribute__((noinline)) void
count_pages_of_each_access(struct an_chunk_scan *s, const struct an_block *b,
			   const struct an_probe *p, uint64_t base)
{
	bool happened = p->span != AN_PROBE_GUARDED || base != PT_NOT_DONE;

	for (unsigned i = 0; i < p->n_accesses; i++) {
		const struct pt_access *a = &b->access[p->access[i]];

		if (happened)
			count_pages_of_access(s, base + a->delta, a->size);
		else
			s->packed -= an_access_counts(a);
	}
}

/* ---- bins ---- */

/* Add the packed counts to the current bin. */
static void flush_packed_counts(struct an_chunk_scan *s)
{
	static const unsigned shift[] = {
		[AN_TIME_INSTRUCTIONS] = AN_COUNT_INSTRS,
		[AN_TIME_READS] = AN_COUNT_READS,
		[AN_TIME_WRITES] = AN_COUNT_WRITES,
	};

	for (unsigned i = 0; i < AN_TIME_LEVELS; i++)
		an_bins_series(&s->counts->bins, i)[s->bin] +=
			s->packed >> shift[i] & AN_COUNT_MASK;
	s->packed = 0;
}

/* Invalidate all recent pages by a new generation number. When the numbers are
   used up, clear all recent pages and start again at 1. */
static void begin_generation(struct an_chunk_scan *s)
{
	s->bin_number++;
	if (++s->generation <= PAGE_OFFSET)
		return;
	s->generation = 1;
	for (unsigned i = 0; i < AN_RECENT_PAGES; i++)
		s->recent[i].tag = 0;
}

static void append_bin_start(struct an_chunk_scan *s, uint32_t program_order,
			     uint64_t time)
{
	if (al_array_reserve(s->start, s->starts_size, s->n_starts + 1) != 0)
		s->error = -ENOMEM;
	else
		s->start[s->n_starts++] =
			(struct an_bin_start){program_order, time};
}

/* ---- executions ---- */

/* Count the pages and accesses of @n probes of block @b, from @probe on.
   @slots: slots of the execution. The span of a guarded probe is longer than a
   page, so its accesses are counted one by one. */
static inline __attribute__((always_inline)) void
count_pages_of_probes(struct an_chunk_scan *s, const struct an_block *b,
		      const struct an_probe *probe, unsigned n,
		      const uint32_t *slots, bool has_heat)
{
	for (const struct an_probe *p = probe; p < probe + n; p++) {
		uint64_t base =
			pt_read_shared_unaligned_u64_once(slots + p->slot) &
			(uint64_t)p->base_mask;
		uint64_t addr = base + p->delta;

		if (((addr ^ (addr + p->span)) >> AN_PAGE_SHIFT) != 0)
			count_pages_of_each_access(s, b, p, base);
		else
			count_page_and_accesses(s, addr, p->n_accesses,
						has_heat);
	}
}

/* Count the pages and accesses of the absolute probes of exit @x. Without a
   heat map, once in each bin is enough. */
static __attribute__((noinline)) void
count_absolute_pages(struct an_chunk_scan *s, const struct an_block_probes *b,
		     struct an_probe_exit *x, const uint32_t *slots)
{
	x->bin_number = s->bin_number;
	count_pages_of_probes(s, b->block, b->probe[AN_PROBE_ABSOLUTE],
			      x->n_probes[AN_PROBE_ABSOLUTE], slots, true);
}

/* Count the pages and accesses of @n executions, which end in the current
   bin. */
static inline __attribute__((always_inline)) void
count_pages_of_execs(struct an_chunk_scan *s, const uint32_t *base_slots,
		     const struct an_exec *exec, size_t n, bool has_heat)
{
	uint32_t bin_number = s->bin_number;

	for (const struct an_exec *e = exec; e < exec + n; e++) {
		const struct an_block_probes *b = &s->probes[e->block];
		struct an_probe_exit *x = &b->exit[an_exec_exit_number(*e)];
		const uint32_t *slots = base_slots + an_exec_slot_offset(*e);

		if (has_heat ? x->n_probes[AN_PROBE_ABSOLUTE] > 0
			     : x->bin_number != bin_number)
			count_absolute_pages(s, b, x, slots);
		count_pages_of_probes(s, b->block, b->probe[AN_PROBE_BASED],
				      x->n_probes[AN_PROBE_BASED], slots,
				      has_heat);
	}
}

static inline uint64_t get_counts_of_exec(const struct an_chunk_scan *s,
					  struct an_exec e)
{
	return s->probes[e.block].exit[an_exec_exit_number(e)].counts;
}

/* End the current bin, and begin the one in which execution @e ends. */
static __attribute__((noinline)) void begin_bin_of_exec(struct an_chunk_scan *s,
							struct an_exec e)
{
	uint64_t time =
		s->time + (get_counts_of_exec(s, e) & AN_COUNT_MASK) - 1;
	struct an_bins *b = &s->counts->bins;
	unsigned shift = b->shift;

	flush_packed_counts(s);
	an_chunk_scan_flush_recent_pages(s);
	s->bin = (uint32_t)an_bins_begin_bin_of_time(b, time);
	for (; shift < b->shift; shift++)
		an_heat_map_double_columns(&s->counts->heat);
	s->bin_end = (uint64_t)(s->bin + 1) << b->shift;
	begin_generation(s);
	append_bin_start(s, an_program_order_key(e, 0), time);
	count_use_in_bin(s, &s->threads, AN_USED_THREADS, s->thread);
}

/* Add the counts of the first executions, at most @n, that end in the current
   bin. Return: their number. */
static size_t add_counts_up_to_bin_end(struct an_chunk_scan *s,
				       const struct an_exec *exec, size_t n)
{
	uint64_t packed = s->packed, time = s->time;
	size_t i;

	for (i = 0; i < n; i++) {
		uint64_t counts = get_counts_of_exec(s, exec[i]);

		if (time + (counts & AN_COUNT_MASK) > s->bin_end)
			break;
		time += counts & AN_COUNT_MASK;
		packed += counts;
	}
	s->packed = packed;
	s->time = time;
	return i;
}

/* Count executions of one thread, at most AN_MAX_BATCH. */
static void count_batch_of_thread(struct an_chunk_scan *s,
				  const uint32_t *base_slots,
				  const struct an_exec *exec, size_t n)
{
	for (size_t done = 0, more; done < n; done += more) {
		more = add_counts_up_to_bin_end(s, exec + done, n - done);
		if (s->counts->has_heat)
			count_pages_of_execs(s, base_slots, exec + done, more,
					     true);
		else
			count_pages_of_execs(s, base_slots, exec + done, more,
					     false);
		if (done + more < n)
			begin_bin_of_exec(s, exec[done + more]);
	}
	flush_packed_counts(s);
}

/* Count executions of one thread. Count a use of the thread in the current bin,
   unless the first execution begins a new bin, which counts it there. */
static void count_run_of_execs(struct an_chunk_scan *s,
			       const struct an_batch *batch, size_t first,
			       size_t end)
{
	if (first < end &&
	    s->time + (get_counts_of_exec(s, batch->exec[first]) &
		       AN_COUNT_MASK) <=
		    s->bin_end)
		count_use_in_bin(s, &s->threads, AN_USED_THREADS, s->thread);
	for (size_t i = first; i < end && !s->error; i += AN_MAX_BATCH)
		count_batch_of_thread(s, batch->slots, batch->exec + i,
				      end - i < AN_MAX_BATCH ? end - i
							     : AN_MAX_BATCH);
}

/* ---- chunks ---- */

/* List the probes of blocks that the simulation has received since the last
   call. */
static int add_probes_of_new_blocks(struct an_chunk_scan *s,
				    const struct an_inflight *l)
{
	int err = al_array_reserve(s->probes, s->probes_size, l->n_plans);

	for (; s->n_probes < l->n_plans && !err; s->n_probes++)
		err = an_block_probes_init(&s->probes[s->n_probes],
					   l->plan[s->n_probes].data->block,
					   &s->arena);
	return err;
}

void an_chunk_scan_apply_marks(struct an_chunk_scan *s,
			       const struct an_batch *batch)
{
	for (size_t i = 0; i < batch->n_marks; i++)
		if (batch->mark[i].kind == PT_THREAD)
			s->thread = batch->mark[i].id;
}

static void count_execs_between_marks(struct an_chunk_scan *s,
				      const struct an_batch *batch)
{
	size_t exec = 0;

	for (size_t i = 0; i < batch->n_marks; i++) {
		if (batch->mark[i].kind != PT_THREAD)
			continue;
		count_run_of_execs(s, batch, exec, batch->mark[i].before_exec);
		exec = batch->mark[i].before_exec;
		s->thread = batch->mark[i].id;
	}
	count_run_of_execs(s, batch, exec, batch->n_execs);
}

int an_chunk_scan_count_execs(struct an_chunk_scan *s,
			      const struct an_cachesim *sim,
			      const struct an_batch *batch)
{
	s->sim = sim;
	s->n_execs += batch->n_execs;
	s->n_starts = s->next_start = 0;
	if (!s->error)
		s->error = add_probes_of_new_blocks(
			s, &sim->inflight[batch->inflight_slot]);
	append_bin_start(s, 0, time_in_bin(s));
	if (!s->error)
		count_execs_between_marks(s, batch);
	return s->error;
}
