/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chunk_scan.c - counts instructions, accesses, pages and threads of the
   executions in a chunk of the ring by bin; see timeline.h */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/timeline/timeline.h"
#include "base/tables/array.h"

enum {
	PAGE_OFFSET = (1 << AN_PAGE_SHIFT) - 1,
	MAX_USED_LINES = 1 << 12, /* number of listed lines above which they
				     are counted before the bin ends */
	USUAL_INSTRS = 8,	  /* usual number of instructions of an
				     execution */
};

_Static_assert((int)AN_MAX_L1_LINE <= 1 << AN_PAGE_SHIFT,
	       "a line of the first level is in one page");
_Static_assert((int)AN_PAGE_SHIFT == (int)AN_COUNTED_PAGE_SHIFT,
	       "the first level counts accesses by page");

struct an_chunk_scan *an_chunk_scan_new(struct an_time_counts *counts)
{
	struct an_chunk_scan *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return NULL;
	s->counts = counts;
	s->generation = 1;
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
	an_exec_counts_release(&s->exec_counts);
	an_used_lines_release(&s->used_lines);
	for (unsigned i = 0; i < AN_INFLIGHT_SLOTS; i++)
		free(s->starts[i].item);
	free(s);
}

/* ---- uses ---- */

/* Return the time of the last instruction of the current bin. */
static uint64_t last_time_of_current_bin(const struct an_chunk_scan *s)
{
	return s->bin_end - 1;
}

static void count_page_or_thread_use_in_bin(struct an_chunk_scan *s,
					    struct an_seen_table *t,
					    unsigned use_set,
					    uint64_t page_or_thread_number)
{
	uint64_t previous = an_seen_table_set_get_previous_plus_1(
		t, page_or_thread_number, last_time_of_current_bin(s));

	if (previous == UINT64_MAX)
		s->error = -ENOMEM;
	else
		an_bins_count_use_for_distinct_count(&s->counts->bins, use_set,
						     s->bin, previous);
}

static void add_accesses_to_heat_map(struct an_chunk_scan *s, uint64_t addr,
				     uint64_t count)
{
	if (an_heat_map_add(&s->counts->heat, AN_HEAT_ACCESSES, addr, s->bin,
			    count) != 0)
		s->error = -ENOMEM;
}

/* Move the accesses of a recent page to the heat map. */
static void flush_recent_page_to_heat_map(struct an_chunk_scan *s,
					  struct an_recent_page *p)
{
	if (p->n_accesses > 0 && s->counts->has_heat)
		add_accesses_to_heat_map(s, p->tag, p->n_accesses);
	p->n_accesses = 0;
}

static void flush_all_recent_pages_to_heat_map(struct an_chunk_scan *s)
{
	for (size_t i = 0; i < s->n_used; i++)
		flush_recent_page_to_heat_map(s, &s->recent[s->used[i]]);
	s->n_used = 0;
}

static struct an_recent_page *recent_page_slot_of_addr(struct an_chunk_scan *s,
						       uint64_t addr)
{
	return &s->recent[addr >> AN_PAGE_SHIFT & (AN_RECENT_PAGES - 1)];
}

static uint64_t page_tag_of_addr_and_generation(const struct an_chunk_scan *s,
						uint64_t addr)
{
	return (addr & ~(uint64_t)PAGE_OFFSET) | s->generation;
}

/* Count the page of @addr as used in the current bin, and store it in entry @p
   of s->recent, the pages that this bin used recently. */
static __attribute__((noinline)) void
count_page_use_in_bin_and_make_recent(struct an_chunk_scan *s,
				      struct an_recent_page *p, uint64_t addr)
{
	if (s->counts->has_heat && (p->tag & PAGE_OFFSET) == s->generation)
		flush_recent_page_to_heat_map(s, p);
	else if (s->counts->has_heat)
		s->used[s->n_used++] = (uint16_t)(p - s->recent);
	p->tag = page_tag_of_addr_and_generation(s, addr);
	count_page_or_thread_use_in_bin(s, &s->pages, AN_USED_PAGES,
					addr >> AN_PAGE_SHIFT);
}

/* Count the page of @addr as used in the current bin, if it is not yet, and add
   @n_accesses to its accesses. */
static inline void count_page_and_accesses(struct an_chunk_scan *s,
					   uint64_t addr, uint64_t n_accesses)
{
	struct an_recent_page *p = recent_page_slot_of_addr(s, addr);

	if (p->tag != page_tag_of_addr_and_generation(s, addr))
		count_page_use_in_bin_and_make_recent(s, p, addr);
	p->n_accesses += n_accesses;
}

/* ---- accesses that are looked at one by one ---- */

static void count_pages_of_access(struct an_chunk_scan *s, uint64_t addr,
				  unsigned size)
{
	uint64_t pages = ((addr & PAGE_OFFSET) + size - 1) >> AN_PAGE_SHIFT;

	count_page_and_accesses(s, addr, s->l1 == NULL);
	for (uint64_t i = 1; i <= pages; i++)
		count_page_and_accesses(s, addr + (i << AN_PAGE_SHIFT), 0);
}

/* Count the pages of those accesses of execution @e that its block lists as
   guarded or too long (struct an_listed_accesses), and, if no first level lists
   used lines (s->l1 is NULL), the accesses as well. A guarded access that did
   not happen is subtracted from s->packed instead. */
static void count_listed_access_pages(struct an_chunk_scan *s,
				      const struct an_batch *batch,
				      struct an_exec e)
{
	const struct an_listed_accesses *l = &s->exec_counts.listed[e.block];
	const struct pt_exit *exit = &l->block->exit[an_exec_exit_number(e)];

	for (unsigned i = 0; i < l->n && l->access[i] < exit->n_accesses; i++) {
		const struct pt_access *a = &l->block->access[l->access[i]];
		uint64_t base = a->slot == PT_NO_SLOT
					? 0
					: an_exec_slot_value(batch, e, a->slot);

		if (an_access_is_guarded(a) && base == PT_NOT_DONE)
			s->packed -= an_access_packed_read_write_counts(a);
		else
			count_pages_of_access(s, base + a->delta, a->size);
	}
}

static void
count_pages_of_listed_accesses_of_execs(struct an_chunk_scan *s,
					const struct an_batch *batch,
					const struct an_exec *exec, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s->exec_counts.listed[exec[i].block].n > 0)
			count_listed_access_pages(s, batch, exec[i]);
}

/* ---- lines that the first level lists ---- */

/* Count, in the current bin, the pages of the lines that the first level has
   listed, and the accesses of these lines; empty the list. */
static void count_bin_pages_of_used_lines_and_clear(struct an_chunk_scan *s)
{
	const struct an_used_lines *l = &s->used_lines;

	for (size_t i = 0; i < l->n; i++)
		count_page_and_accesses(s, l->item[i].line << s->l1->shift,
					l->item[i].n_accesses);
	if (l->failed)
		s->error = -ENOMEM;
	s->used_lines.n = 0;
}

static void count_pages_of_lines_used_in_bin(struct an_chunk_scan *s)
{
	if (s->l1 == NULL)
		return;
	an_l1_append_lines_used_since_last_list(s->l1);
	count_bin_pages_of_used_lines_and_clear(s);
}

/* ---- bins ---- */

/* Add the packed counts to the current bin. */
static void add_packed_counts_to_current_bin(struct an_chunk_scan *s)
{
	static const unsigned shift[] = {
		[AN_TIME_INSTRUCTIONS] = AN_COUNT_INSTRS,
		[AN_TIME_READS] = AN_COUNT_READS,
		[AN_TIME_WRITES] = AN_COUNT_WRITES,
	};

	for (unsigned i = 0; i < AN_TIME_LEVELS; i++)
		an_bins_series(&s->counts->bins, i)[s->bin] +=
			s->packed >> shift[i] & AN_COUNT_MASK;
	if (s->open_windows != 0 &&
	    an_time_counts_add_window_instrs(s->counts, s->open_windows,
					     last_time_of_current_bin(s),
					     s->packed & AN_COUNT_MASK) != 0)
		s->error = -ENOMEM;
	s->packed = 0;
}

/* Invalidate all recent pages by a new generation number. When the numbers are
   used up, clear all recent pages and start again at 1. */
static void begin_recent_page_generation(struct an_chunk_scan *s)
{
	if (++s->generation <= PAGE_OFFSET)
		return;
	s->generation = 1;
	for (unsigned i = 0; i < AN_RECENT_PAGES; i++)
		s->recent[i].tag = 0;
}

static void append_bin_start(struct an_chunk_scan *s, unsigned inflight_slot,
			     uint32_t program_order, uint64_t time)
{
	struct an_bin_starts *l = &s->starts[inflight_slot];

	if (al_array_reserve(l->item, l->size, l->n + 1) != 0)
		s->error = -ENOMEM;
	else
		l->item[l->n++] = (struct an_bin_start){program_order, time};
}

/* ---- executions ---- */

/* End the current bin, and begin the one in which execution @e ends. */
static __attribute__((noinline)) void
end_bin_and_begin_bin_of_exec(struct an_chunk_scan *s, const struct an_batch *b,
			      struct an_exec e)
{
	uint64_t instrs =
		an_exec_counts_packed(&s->exec_counts, e) & AN_COUNT_MASK;
	uint64_t time = s->time + instrs - 1;
	int64_t bin;

	add_packed_counts_to_current_bin(s);
	count_pages_of_lines_used_in_bin(s);
	flush_all_recent_pages_to_heat_map(s);
	bin = an_time_counts_begin_bin_of_time(s->counts, time);
	if (bin < 0) {
		s->error = (int)bin;
		return;
	}
	s->bin = (uint32_t)bin;
	s->bin_end = (uint64_t)(s->bin + 1) << s->counts->bins.shift;
	begin_recent_page_generation(s);
	append_bin_start(s, b->inflight_slot, an_program_order_key(e, 0), time);
	count_page_or_thread_use_in_bin(s, &s->threads, AN_USED_THREADS,
					s->thread);
}

/* The sum of the packed counts of consecutive executions. */
struct sum {
	size_t n;	 /* executions */
	uint64_t packed; /* sum of the packed counts of the executions */
	uint64_t flags;	 /* bitwise OR of the packed counts of the executions */
};

static struct sum sum_packed_counts_of_execs(const struct an_chunk_scan *s,
					     const struct an_exec *exec,
					     size_t n)
{
	const struct an_exec_counts *c = &s->exec_counts;
	uint64_t packed = 0, flags = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t counts = an_exec_counts_packed(c, exec[i]);

		packed += counts;
		flags |= counts;
	}
	return (struct sum){n, packed, flags};
}

/* Sum up the counts of the first executions of @n that end in the current
   bin. */
static struct sum sum_counts_up_to_bin_end(const struct an_chunk_scan *s,
					   const struct an_exec *exec, size_t n)
{
	uint64_t remaining = s->bin_end - s->time;
	struct sum sum = {0};

	for (; sum.n < n; sum.n++) {
		uint64_t counts =
			an_exec_counts_packed(&s->exec_counts, exec[sum.n]);

		if (((sum.packed + counts) & AN_COUNT_MASK) > remaining)
			break;
		sum.packed += counts;
		sum.flags |= counts;
	}
	return sum;
}

/* Count the first executions of @n that end in the current bin. If the bin
   seems to have room for all of them, add up their counts first, and look for
   the end of the bin only if that is wrong: this is faster. Return: their
   number. */
static size_t add_counts_of_execs_up_to_bin_end(struct an_chunk_scan *s,
						const struct an_batch *batch,
						const struct an_exec *exec,
						size_t n)
{
	uint64_t remaining = s->bin_end - s->time;
	struct sum sum = {0};

	if (remaining >= n * USUAL_INSTRS)
		sum = sum_packed_counts_of_execs(s, exec, n);
	if (sum.n == 0 || (sum.packed & AN_COUNT_MASK) > remaining)
		sum = sum_counts_up_to_bin_end(s, exec, n);
	s->time += sum.packed & AN_COUNT_MASK;
	s->packed += sum.packed;
	if (sum.flags & AN_COUNT_HAS_LISTED)
		count_pages_of_listed_accesses_of_execs(s, batch, exec, sum.n);
	return sum.n;
}

/* Simulate @n executions of a batch in the first cache level of data, which
   lists the lines they use; no-op if s->l1 is NULL. */
static void simulate_execs_in_l1d(struct an_chunk_scan *s,
				  const struct an_batch *batch,
				  const struct an_exec *exec, size_t n)
{
	struct an_batch part = *batch;
	int err;

	if (s->l1 == NULL || n == 0)
		return;
	part.first_exec += (size_t)(exec - batch->exec);
	part.exec = exec;
	part.n_execs = n;
	err = an_d1_simulate_batch(s->sim, &part);
	if (err)
		s->error = err;
	if (s->used_lines.n > MAX_USED_LINES)
		count_bin_pages_of_used_lines_and_clear(s);
}

/* Count executions of one thread, at most AN_MAX_BATCH, and simulate them. */
static void count_in_bins_and_simulate_execs(struct an_chunk_scan *s,
					     const struct an_batch *batch,
					     const struct an_exec *exec,
					     size_t n)
{
	for (size_t done = 0, more; done < n && !s->error; done += more) {
		more = add_counts_of_execs_up_to_bin_end(s, batch, exec + done,
							 n - done);
		simulate_execs_in_l1d(s, batch, exec + done, more);
		if (done + more < n)
			end_bin_and_begin_bin_of_exec(s, batch,
						      exec[done + more]);
	}
	add_packed_counts_to_current_bin(s);
}

/* Count and simulate executions of one thread. Count a use of the thread in the
   current bin, unless the first execution begins a new bin:
   end_bin_and_begin_bin_of_exec() then counts the use in the new bin. */
static void count_and_simulate_execs_of_thread(struct an_chunk_scan *s,
					       const struct an_batch *batch,
					       size_t first, size_t end)
{
	if (first < end &&
	    sum_counts_up_to_bin_end(s, batch->exec + first, 1).n == 1)
		count_page_or_thread_use_in_bin(s, &s->threads, AN_USED_THREADS,
						s->thread);
	for (size_t i = first; i < end && !s->error; i += AN_MAX_BATCH)
		count_in_bins_and_simulate_execs(
			s, batch, batch->exec + i,
			end - i < AN_MAX_BATCH ? end - i : AN_MAX_BATCH);
}

void an_mark_changes_add_thread_or_window(struct an_mark_changes *c,
					  const struct an_mark *m)
{
	uint32_t window = m->id < AN_TIME_WINDOWS ? 1u << m->id : 0;

	switch (m->kind) {
	case PT_THREAD:
		c->thread = m->id;
		break;
	case PT_WINDOW_OPEN:
		c->opened |= window;
		c->closed &= ~window;
		break;
	case PT_WINDOW_CLOSE:
		c->closed |= window;
		c->opened &= ~window;
		break;
	}
}

void an_chunk_scan_apply_and_clear_changes(struct an_chunk_scan *s,
					   struct an_mark_changes *c)
{
	if (c->thread != 0)
		s->thread = c->thread;
	s->open_windows = (s->open_windows | c->opened) & ~c->closed;
	*c = (struct an_mark_changes){0};
}

static void count_and_simulate_execs_between_marks(struct an_chunk_scan *s,
						   const struct an_batch *batch)
{
	struct an_mark_changes changes = {0};
	size_t exec = 0;

	for (size_t i = 0; i < batch->n_marks; i++) {
		if (batch->mark[i].kind != PT_THREAD &&
		    batch->mark[i].kind != PT_WINDOW_OPEN &&
		    batch->mark[i].kind != PT_WINDOW_CLOSE)
			continue;
		count_and_simulate_execs_of_thread(s, batch, exec,
						   batch->mark[i].before_exec);
		exec = batch->mark[i].before_exec;
		an_mark_changes_add_thread_or_window(&changes, &batch->mark[i]);
		an_chunk_scan_apply_and_clear_changes(s, &changes);
	}
	count_and_simulate_execs_of_thread(s, batch, exec, batch->n_execs);
}

/* ---- chunks ---- */

/* Add to s->exec_counts the code blocks that the simulation has received since
   the last call. Return: 0 or -ENOMEM. */
static int add_new_blocks(struct an_chunk_scan *s, const struct an_inflight *l)
{
	struct an_exec_counts *c = &s->exec_counts;
	unsigned max_unlisted_size =
		s->l1 ? (unsigned)s->sim->hierarchy.smallest_line : 0;
	int err = 0;

	while (c->n_blocks < l->n_plans && !err)
		err = an_exec_counts_add_block(
			c, l->plan[c->n_blocks].data->block, max_unlisted_size);
	return err;
}

static void attach_cache_simulation(struct an_chunk_scan *s,
				    struct an_cachesim *sim)
{
	s->sim = sim;
	if (!an_cachesim_has_unpartitioned_l1d(sim) || s->l1 != NULL)
		return;
	s->l1 = &sim->hierarchy.l1[AN_DATA];
	an_l1_begin_to_list_used_lines(s->l1, &s->used_lines,
				       s->counts->has_heat);
}

/* Simulate a warm-up batch; the lines that it uses are not counted. */
static int simulate_warmup_batch(struct an_chunk_scan *s,
				 const struct an_batch *batch)
{
	int err;

	count_pages_of_lines_used_in_bin(s);
	err = an_d1_simulate_batch(s->sim, batch);
	an_l1_append_lines_used_since_last_list(s->l1);
	s->used_lines.n = 0;
	return err ? err : s->error;
}

int an_chunk_scan_count_and_simulate_batch(struct an_chunk_scan *s,
					   struct an_cachesim *sim,
					   const struct an_batch *batch)
{
	attach_cache_simulation(s, sim);
	if (batch->warm)
		return simulate_warmup_batch(s, batch);
	s->n_execs += batch->n_execs;
	if (!s->error)
		s->error =
			add_new_blocks(s, &sim->inflight[batch->inflight_slot]);
	if (s->l1 == NULL || batch->first_exec == 0) {
		s->starts[batch->inflight_slot].n = 0;
		append_bin_start(s, batch->inflight_slot, 0,
				 last_time_of_current_bin(s));
	}
	if (!s->error)
		count_and_simulate_execs_between_marks(s, batch);
	return s->error;
}

void an_chunk_scan_finish_after_last_chunk(struct an_chunk_scan *s)
{
	if (s->sim == NULL)
		return;
	count_pages_of_lines_used_in_bin(s);
	flush_all_recent_pages_to_heat_map(s);
	an_time_counts_double_window_bin_width(s->counts);
	s->sim = NULL;
	s->l1 = NULL;
}
