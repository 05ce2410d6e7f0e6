/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * d1.c - simulates the first level of data with as few lookups as possible
 *
 * Nearly every access hits a line of its first level, and then only the line's
 * last-use time, dirty flag and access count change. So one lookup is enough
 * for a whole run of accesses in one line. A guarded run is simulated access by
 * access; a run that crosses a line border may be, too.
 *
 * Code has a first level of its own and is simulated ahead, by i1.c. Misses are
 * collected and passed to the lower levels by lower_levels.c.
 */

#include <errno.h>

#include "analyzers/cache/model/l1_set.h"
#include "analyzers/cache/simulation.h"

enum {
	AHEAD = 256, /* [words of 4 bytes] distance from the slots being read to
			the later ones being prefetched */
};

/* Return the index in @f->hint of a line's hint, which is a guess of its way.
   @is_partitioned: the level is, so hints of sets that one partition simulates
   lie together. */
static inline __attribute__((always_inline)) uint64_t
get_hint_index_of_line(const struct an_l1 *f, uint64_t line,
		       bool is_partitioned)
{
	return is_partitioned ? an_l1_hint_index(f, line) : line & f->hint_mask;
}

/* Update the last-use time of @first_line and @last_line if both are in the
   ways that their hints (guesses of the way) name and, if @must_be_dirty, both
   are dirty already. The two lines are in different sets, so their order does
   not matter. Return: whether the times were updated; if not, nothing has
   changed. */
static inline __attribute__((always_inline)) bool
try_touch_two_hinted_lines(const struct an_l1 *f, uint64_t first_line,
			   uint64_t last_line, bool must_be_dirty,
			   int32_t *clock, bool is_partitioned)
{
	uint32_t pos =
		f->hint[get_hint_index_of_line(f, first_line, is_partitioned)];
	uint32_t pos_last =
		f->hint[get_hint_index_of_line(f, last_line, is_partitioned)];

	if (f->way[pos] != first_line || f->way[pos_last] != last_line ||
	    must_be_dirty > (f->dirty[pos] & f->dirty[pos_last]))
		return false;
	f->used[pos] = f->used[pos_last] = ++*clock;
	return true;
}

/* If run @r crosses a line border and is not guarded, do what
   try_touch_two_hinted_lines() does for its two lines, and count its accesses.
   A run that crosses from one page into another is left to the caller if
   accesses are counted by page. Return: whether the last-use times were
   updated; if not, nothing has changed. */
static inline __attribute__((always_inline)) bool
try_touch_hinted_crossing_run(struct an_l1 *f, const struct an_run *r,
			      const uint32_t *slots, int32_t *clock,
			      bool is_partitioned)
{
	uint64_t addr = an_run_read_base_or_0_if_absolute(r, slots) + r->delta;
	uint64_t line = addr >> f->shift;
	uint64_t last = (addr + r->span) >> f->shift;

	if (line == last || r->span == AN_SPAN_GUARDED ||
	    (f->n_accesses != NULL &&
	     (addr ^ (addr + r->span)) >> AN_COUNTED_PAGE_SHIFT != 0) ||
	    !try_touch_two_hinted_lines(f, line, last, r->writes, clock,
					is_partitioned))
		return false;
	an_l1_add_to_access_counter_of_line(f, line,
					    an_run_n_accesses_or_instrs(r));
	return true;
}

static __attribute__((noinline)) void
grow_list_and_append_data_miss(struct an_cachesim *s, struct an_exec e,
			       unsigned access, unsigned instr, struct an_ref r)
{
	struct an_miss *next = an_misses_grow_append_unfilled(s->gathered);

	if (next != NULL)
		an_miss_fill(next, e, AN_DATA, access, instr, r);
	else
		s->error = -ENOMEM;
}

static inline __attribute__((always_inline)) void
append_data_miss(struct an_cachesim *s, struct an_exec e, unsigned access,
		 unsigned instr, struct an_ref r)
{
	struct an_misses *m = s->gathered;

	if (m->n < m->size)
		an_miss_fill(&m->miss[m->n++], e, AN_DATA, access, instr, r);
	else
		grow_list_and_append_data_miss(s, e, access, instr, r);
}

/* Simulate the accesses of a run (consecutive accesses that usually need one
   lookup) one by one. */
static __attribute__((noinline)) void simulate_accesses_of_run_one_by_one(
	struct an_cachesim *s, struct an_exec e, const struct an_block *b,
	const struct an_run *r, const uint32_t *slots)
{
	struct an_l1 *first = &s->hierarchy.l1[AN_DATA];
	struct an_ref ref;

	for (unsigned i = r[0].first_row; i < r[1].first_row; i++) {
		if (!an_block_compute_access_ref(b, s->hierarchy.smallest_line,
						 i, slots, &ref))
			continue;
		if (an_l1_simulate_access_is_miss(first, ref.addr, ref.size,
						  ref.write))
			append_data_miss(s, e, i, b->access[i].instr, ref);
		an_l1_add_to_access_counter_of_line(
			first, ref.addr >> first->shift, 1);
	}
}

/* Simulate an access run that is guarded or crosses a line border, or whose
   line is not in the way that its hint names. In the last case, if the line is
   missing, fill it, and append one miss, of the run's first access, to
   s->gathered. In the other cases simulate the run access by access. */
static void simulate_run_not_at_hint(struct an_cachesim *s, struct an_exec e,
				     const struct an_block *b,
				     const struct an_run *r,
				     const uint32_t *slots)
{
	struct an_l1 *f = &s->hierarchy.l1[AN_DATA];
	uint64_t addr = an_run_read_base_or_0_if_absolute(r, slots) + r->delta;
	uint64_t line = addr >> f->shift;
	struct an_ref ref = {addr, r->span + 1u, r->writes};

	if (line != (addr + r->span) >> f->shift) {
		simulate_accesses_of_run_one_by_one(s, e, b, r, slots);
		return;
	}
	if (an_l1_search_or_fill_is_miss(f, line, r->writes, ++f->clock)) {
		if (an_run_n_accesses_or_instrs(r) > 1)
			an_block_compute_access_ref(b,
						    s->hierarchy.smallest_line,
						    r->first_row, slots, &ref);
		append_data_miss(s, e, r->first_row,
				 b->access[r->first_row].instr, ref);
	}
	an_l1_add_to_access_counter_of_line(f, line,
					    an_run_n_accesses_or_instrs(r));
}

/*
 * Simulate the data accesses of a batch by interpreting the plans (lists of
 * access runs) of its blocks. A run whose line is in the way that the hint
 * names changes only the last-use time, the dirty flag and the access count.
 * Inlined with constants for the usual line size of 64 bytes.
 */
static inline __attribute__((always_inline)) void
interpret_data_batch_with_shift(struct an_cachesim *s,
				const struct an_batch *batch, unsigned shift,
				bool is_partitioned)
{
	const struct an_plan *plan = s->inflight[batch->inflight_slot].plan;
	struct an_l1 *first = &s->hierarchy.l1[AN_DATA];
	const uint64_t *way = first->way;
	const uint32_t *hint = first->hint;
	int32_t *used = first->used, clock = first->clock;
	uint8_t *dirty = first->dirty;
	uint64_t *n_accesses = first->n_accesses;

	for (size_t i = 0; i < batch->n_execs; i++) {
		struct an_exec e = batch->exec[i];
		const struct an_path_plan *p = plan[e.block].data;
		const uint32_t *slots =
			batch->slots + an_exec_first_slot_word_index(e);
		const struct an_run *r = an_path_plan_runs(p);
		const struct an_run *end =
			r + p->n_runs[an_exec_exit_number(e)];

		__builtin_prefetch(slots + AHEAD);
		for (; r < end; r++) {
			uint64_t addr =
				an_run_read_base_or_0_if_absolute(r, slots) +
				r->delta;
			uint64_t line = addr >> shift;
			uint64_t last = (addr + r->span) >> shift;
			uint32_t pos = hint[get_hint_index_of_line(
				first, line, is_partitioned)];

			if (((way[pos] ^ line) | (line ^ last)) == 0) {
				used[pos] = ++clock;
				dirty[pos] |= r->writes;
				if (n_accesses != NULL)
					n_accesses[pos] +=
						an_run_n_accesses_or_instrs(r);
				continue;
			}
			if (try_touch_hinted_crossing_run(
				    first, r, slots, &clock, is_partitioned))
				continue;
			first->clock = clock;
			simulate_run_not_at_hint(s, e, p->block, r, slots);
			clock = first->clock;
		}
	}
	first->clock = clock;
}

/* Not inlined: if a compiler sees both calls of
   interpret_data_batch_with_shift() in one function, it merges them and loses
   the constant `shift`. */
static __attribute__((noinline)) void
simulate_data_batch_64_byte_line(struct an_cachesim *s,
				 const struct an_batch *batch)
{
	interpret_data_batch_with_shift(s, batch, 6, false);
}

static void interpret_data_batch_any_line_size(struct an_cachesim *s,
					       const struct an_batch *batch)
{
	if (s->hierarchy.l1[AN_DATA].shift == 6)
		simulate_data_batch_64_byte_line(s, batch);
	else
		interpret_data_batch_with_shift(
			s, batch, s->hierarchy.l1[AN_DATA].shift, false);
}

/* Simulate a run (of accesses) that its packed descriptor @run_desc does not
   describe fully: find the run in the block's plan. */
static __attribute__((noinline)) void
find_and_simulate_access_run_of_desc(struct an_jit_frame *frame,
				     struct an_exec e, uint32_t run_desc,
				     const uint32_t *slots)
{
	const struct an_path_plan *p = frame->plan[e.block].data;
	const struct an_run *r = an_run_desc_find_run(run_desc, p);
	struct an_l1 *first = frame->l1;

	if (try_touch_hinted_crossing_run(first, r, slots, &frame->clock,
					  false))
		return;
	first->clock = frame->clock;
	simulate_run_not_at_hint(frame->caller, e, p->block, r, slots);
	frame->clock = first->clock;
}

/* Simulate an access run whose first and last bytes are in different lines. */
static __attribute__((noinline)) void
simulate_line_crossing_run(struct an_jit_frame *frame, const struct an_exec *e,
			   uint32_t run_desc, const uint32_t *slots,
			   uint64_t line, uint64_t last)
{
	bool writes = an_run_desc_has_bit(run_desc, AN_RUN_DESC_WRITES);

	if (frame->l1->n_accesses != NULL ||
	    !try_touch_two_hinted_lines(frame->l1, line, last, writes,
					&frame->clock, false))
		find_and_simulate_access_run_of_desc(frame, *e, run_desc,
						     slots);
}

/* Simulate an access run that compiled code has not simulated: its line is not
   in the way that the hint names, or the run is guarded or crosses a line
   border. */
static void simulate_run_slow_path_any_ways(
	struct an_jit_frame *frame, const struct an_exec *e, uint32_t run_desc,
	const uint32_t *slots, uint64_t first_line, uint64_t last_line)
{
	struct an_l1 *f = frame->l1;
	struct an_ref ref = {
		first_line << f->shift, 1,
		an_run_desc_has_bit(run_desc, AN_RUN_DESC_WRITES_FIRST)};

	if (!an_run_desc_has_bit(run_desc, AN_RUN_DESC_PLAIN)) {
		find_and_simulate_access_run_of_desc(frame, *e, run_desc,
						     slots);
		return;
	}
	if (an_run_desc_has_bit(run_desc, AN_RUN_DESC_SPANS) &&
	    first_line != last_line) {
		simulate_line_crossing_run(frame, e, run_desc, slots,
					   first_line, last_line);
		return;
	}
	if (an_l1_search_or_fill_is_miss(
		    f, first_line,
		    an_run_desc_has_bit(run_desc, AN_RUN_DESC_WRITES),
		    ++frame->clock))
		append_data_miss(frame->caller, *e,
				 an_run_desc_first_access(run_desc),
				 an_run_desc_first_instr(run_desc), ref);
	an_l1_add_to_access_counter_of_line(f, first_line,
					    an_run_desc_n_accesses(run_desc));
}

/* Replace the least recently used way of the set of @line, in a level with
   an_l1.is_usual, by @line, and append the miss to the list. The caller ensures
   that the list has room. */
static __attribute__((noinline)) void
fill_8_way_append_miss_without_growing(struct an_jit_frame *frame,
				       const struct an_exec *e,
				       uint32_t run_desc, uint64_t line)
{
	struct an_l1 *f = frame->l1;
	struct an_misses *m = frame->misses;
	struct an_ref ref = {
		line << f->shift, 1,
		an_run_desc_has_bit(run_desc, AN_RUN_DESC_WRITES_FIRST)};

	an_l1_set_replace_lru_way(
		f, line, an_run_desc_has_bit(run_desc, AN_RUN_DESC_WRITES),
		++frame->clock, an_l1_first_way_of_8_way_set(f, line),
		line & f->hint_mask, AN_USUAL_WAYS);
	an_miss_fill(&m->miss[m->n++], *e, AN_DATA,
		     an_run_desc_first_access(run_desc),
		     an_run_desc_first_instr(run_desc), ref);
	an_l1_add_to_access_counter_of_line(f, line,
					    an_run_desc_n_accesses(run_desc));
}

/* Simulate an access run as simulate_run_slow_path_any_ways() does, for a level
   with an_l1.is_usual. Its only calls are tail calls, so that the frequent
   paths save no registers. */
static void simulate_run_slow_path_8_ways(
	struct an_jit_frame *frame, const struct an_exec *e, uint32_t run_desc,
	const uint32_t *slots, uint64_t first_line, uint64_t last_line)
{
	const struct an_misses *m = frame->misses;
	struct an_l1 *f = frame->l1;
	uint32_t set_start = an_l1_first_way_of_8_way_set(f, first_line), i;

	if (!an_run_desc_has_bit(run_desc, AN_RUN_DESC_PLAIN) ||
	    m->n == m->size) {
		simulate_run_slow_path_any_ways(frame, e, run_desc, slots,
						first_line, last_line);
		return;
	}
	if (an_run_desc_has_bit(run_desc, AN_RUN_DESC_SPANS) &&
	    first_line != last_line) {
		simulate_line_crossing_run(frame, e, run_desc, slots,
					   first_line, last_line);
		return;
	}
	i = an_l1_set_find_way_within_set(f, set_start, first_line,
					  AN_USUAL_WAYS);
	if (i == AN_MAX_ARRAY_WAYS) {
		fill_8_way_append_miss_without_growing(frame, e, run_desc,
						       first_line);
		return;
	}
	an_l1_set_record_hit(f, set_start + i,
			     an_run_desc_has_bit(run_desc, AN_RUN_DESC_WRITES),
			     ++frame->clock, first_line & f->hint_mask);
	an_l1_add_to_access_counter_of_line(f, first_line,
					    an_run_desc_n_accesses(run_desc));
}

static void interpret_exec_data_compile_if_hot(struct an_jit_frame *frame,
					       const struct an_exec *e)
{
	struct an_cachesim *s = frame->caller;
	struct an_l1 *first = &s->hierarchy.l1[AN_DATA];
	struct an_batch one = *frame->batch;

	one.exec = e;
	one.n_execs = 1;
	first->clock = frame->clock;
	interpret_data_batch_any_line_size(s, &one);
	frame->clock = first->clock;
	an_compiler_count_block_compile_if_hot(
		&s->compiler, e->block, frame->plan[e->block].data, first);
}

/* Simulate a batch: run the machine code that was generated for the data plans
   of hot blocks, and interpret the executions of other blocks. */
static void simulate_batch_with_jit(struct an_cachesim *s,
				    const struct an_batch *batch)
{
	struct an_l1 *first = &s->hierarchy.l1[AN_DATA];
	struct an_jit_frame frame = {
		.search = first->is_usual ? simulate_run_slow_path_8_ways
					  : simulate_run_slow_path_any_ways,
		.other = interpret_exec_data_compile_if_hot,
		.l1 = first,
		.batch = batch,
		.plan = s->inflight[batch->inflight_slot].plan,
		.caller = s,
		.misses = s->gathered,
	};

	an_compiler_simulate_batch(&s->compiler, &frame);
}

/* Simulate a batch of an unpartitioned chunk between partitioned ones. The
   clocks of partitions differ from the level's, so all times are replaced by
   ranks before and after. */
static void
interpret_batch_replacing_times_by_ranks(struct an_cachesim *s,
					 const struct an_batch *batch)
{
	struct an_l1 *first = &s->hierarchy.l1[AN_DATA];

	an_l1_replace_times_by_ranks(first, 0, 1);
	first->clock = an_l1_max_time_after_ranking(first);
	interpret_data_batch_with_shift(s, batch, first->shift, true);
	an_l1_replace_times_by_ranks(first, 0, 1);
	s->partitions.n_serial_batches++;
}

int an_d1_simulate_batch(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_inflight *in_flight = &s->inflight[batch->inflight_slot];

	if (batch->n_execs == 0)
		return 0;
	s->gathered = &in_flight->data_misses;
	if (s->observer.count_write_back != NULL) {
		s->hierarchy.l1[AN_DATA].log = &in_flight->write_backs;
		s->hierarchy.l1[AN_DATA].n_misses = &in_flight->data_misses.n;
	}
	an_l1_renumber_times_if_due(&s->hierarchy.l1[AN_DATA]);
	if (s->partitions.n > 1)
		interpret_batch_replacing_times_by_ranks(s, batch);
	else if (an_compiler_can_compile_ensure_entries(
			 &s->compiler, (uint32_t)in_flight->n_plans))
		simulate_batch_with_jit(s, batch);
	else
		interpret_data_batch_any_line_size(s, batch);
	an_inflight_segment_for_batch(in_flight, &in_flight->n_segments_begun,
				      batch->warm)
		->data_end = in_flight->data_misses.n;
	return s->error;
}
