/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * i1.c - simulates the first level of code
 *
 * If all lines of a batch's code are in the level, a batch changes only the
 * order of last use. This order follows from the last execution of each block,
 * so repeated executions need not be simulated.
 *
 * Otherwise the lines of the executions are copied to one list and then used
 * one by one: two loops whose branches do not depend on the blocks, except for
 * the few blocks with many lines. Misses are collected; see lower_levels.c.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/simulation.h"
#include "base/tables/array.h"

enum {
	LONG_BLOCK_LINES =
		4096, /* if more lines than this are listed, no block with more
			 than AN_INLINE_LINES lines is added to the list */
	MAX_LINES = LONG_BLOCK_LINES + 2 * PT_MAX_INSTRS +
		    AN_MAX_BATCH * AN_INLINE_LINES,
	EXEC_STRIDE = 1 << 16, /* factor of the execution's index in the
				  description of a listed line; more than any
				  block has lines */
};

/* Four line numbers, copied at once. */
typedef uint32_t vector4
	__attribute__((vector_size(AN_INLINE_LINES * sizeof(uint32_t))));

_Static_assert(AN_INLINE_LINES == 4, "so many has an_few where it is set");
_Static_assert(2 * (int)PT_MAX_INSTRS <= (int)EXEC_STRIDE,
	       "a block's lines fit");

/* The numbers of the lines of some executions, in order. line[MAX_LINES + i]
   describes line[i]: index of its execution in the list * EXEC_STRIDE + index
   of the line in its block. */
struct line_list {
	size_t n_execs;
	size_t n;
	uint32_t line[2 * MAX_LINES];
};

/* Write the first @line_count lines of a block, which has more than
   AN_INLINE_LINES, and their descriptions to the list at @list_position.
   @exec_index: index of the execution in the list. */
static void copy_long_block_lines_to_list(uint32_t *list_position,
					  const uint32_t *block_record,
					  unsigned line_count,
					  unsigned exec_index)
{
	memcpy(list_position, an_i1_index_record_line_ids(block_record),
	       line_count * sizeof(*list_position));
	for (unsigned i = 0; i < line_count; i++)
		list_position[MAX_LINES + i] = exec_index * EXEC_STRIDE + i;
}

/* Replace the contents of the list by the lines of the first executions of
   @exec, as many of the @n_execs as it has room for; set l->n_execs to their
   number. */
static void refill_line_list(const struct an_i1_index *c,
			     const struct an_exec *exec, size_t n_execs,
			     struct line_list *l)
{
	uint32_t *line = l->line;
	vector4 from = {0, 1, 2, 3};
	size_t i;

	for (i = 0; i < n_execs; i++, from += EXEC_STRIDE) {
		const uint32_t *block =
			an_i1_index_block_record(c, exec[i].block);
		unsigned n = an_i1_index_n_lines_to_exit(
			block, an_exec_exit_number(exec[i]));

		memcpy(line, block, sizeof(from));
		memcpy(line + MAX_LINES, &from, sizeof(from));
		if (n > AN_INLINE_LINES) {
			if (line > l->line + LONG_BLOCK_LINES)
				break;
			copy_long_block_lines_to_list(line, block, n,
						      (unsigned)i);
		}
		line += n;
	}
	l->n = (size_t)(line - l->line);
	l->n_execs = i;
}

/* Build the reference to the next level for an instruction that missed in line
   @line_index of its block: one byte, or two if the instruction crosses a line
   border; the whole instruction if a lower level has shorter lines. */
static struct an_ref
make_next_level_ref_of_code_miss(const struct an_cachesim *s, struct an_exec e,
				 unsigned line_index, uint32_t line_id,
				 unsigned row_flags)
{
	uint64_t number =
		an_i1_index_line_id_to_cache_line(&s->i1_index, line_id);
	uint32_t shift = s->hierarchy.l1[AN_INSTRUCTION].shift;
	bool ends = row_flags & AN_LINE_CODE_ENDS_AFTER;
	bool two = row_flags &
		   (AN_LINE_CODE_STARTS_BEFORE | AN_LINE_CODE_ENDS_AFTER);

	if (s->code_narrows) {
		const struct an_run *r =
			an_path_plan_runs(s->plan[e.block].code);

		return (struct an_ref){an_run_first_instr_addr(r + line_index),
				       an_run_first_instr_len(r + line_index),
				       false};
	}
	return (struct an_ref){((number + ends) << shift) - two, 1u + two,
			       false};
}

/* Record that the @line_index-th line of an execution missed. An instruction in
   two lines is recorded once, whichever line missed. Return: 0 or -ENOMEM. */
static int append_code_miss_unless_instr_has_one(struct an_cachesim *s,
						 struct an_misses *misses,
						 struct an_exec e,
						 unsigned line_index,
						 uint32_t line_id)
{
	const uint32_t *block = an_i1_index_block_record(&s->i1_index, e.block);
	unsigned missing =
		an_i1_index_line_first_instr_and_flags(block, line_index);
	unsigned row = missing & AN_LINE_CODE_ROW;
	const struct an_miss *last = misses->n > misses->batch_start
					     ? &misses->miss[misses->n - 1]
					     : NULL;
	struct an_miss *next;

	if (last && last->program_order == an_program_order_key(e, row) &&
	    last->block == e.block)
		return 0;
	next = an_misses_grow_append_unfilled(misses);
	if (next == NULL)
		return -ENOMEM;
	an_miss_fill(next, e, AN_INSTRUCTION, row, row,
		     make_next_level_ref_of_code_miss(s, e, line_index, line_id,
						      missing));
	return 0;
}

/* Use the listed lines in order: update last-use times, fill and record missing
   lines. Return: 0 or -ENOMEM. */
static int simulate_listed_code_lines(struct an_cachesim *s,
				      const struct an_exec *exec,
				      const struct line_list *l,
				      struct an_misses *misses)
{
	struct an_l1 *f = &s->hierarchy.l1[AN_INSTRUCTION];
	const uint32_t *way = s->i1_index.way_of_line;
	int32_t *used = f->used, clock = f->clock;
	int err = 0;

	for (const uint32_t *line = l->line; line < l->line + l->n; line++) {
		uint32_t way_index = way[*line];

		if (an_i1_index_is_line_absent(way_index)) {
			uint32_t from = line[MAX_LINES];

			way_index = an_i1_index_fill_lru_way_get_way_index(
				&s->i1_index, *line, f);
			err |= append_code_miss_unless_instr_has_one(
				s, misses, exec[from / EXEC_STRIDE],
				from % EXEC_STRIDE, *line);
		}
		used[way_index] = ++clock;
	}
	f->clock = clock;
	return err;
}

static int simulate_all_code_lines_of_batch(struct an_cachesim *s,
					    const struct an_batch *batch,
					    struct an_misses *misses)
{
	struct line_list l;
	int err = 0;

	for (size_t i = 0; i < batch->n_execs && !err; i += l.n_execs) {
		refill_line_list(&s->i1_index, batch->exec + i,
				 batch->n_execs - i, &l);
		err = simulate_listed_code_lines(s, batch->exec + i, &l,
						 misses);
	}
	return err;
}

/* The line lists of a batch's last executions, the latest first. A block is
   listed again only if an earlier execution used more of its lines. */
struct last_execs {
	unsigned n;
	struct {
		const uint32_t *line;
		unsigned n;
	} item[AN_MAX_BATCH];
};

/* Increment s->batch_number, and return it. It is not in s->last_listed[]: when
   the number wraps to 1, that array is cleared. */
static uint32_t increment_batch_number_and_wrap(struct an_cachesim *s)
{
	if (s->batch_number == UINT32_MAX >> AN_EXIT_BITS) {
		memset(s->last_listed, 0,
		       s->plans_size * sizeof(*s->last_listed));
		s->batch_number = 0;
	}
	return ++s->batch_number;
}

/* List in @l the code lines of the executions of the batch, from the last one
   to the first, without each execution whose block was listed already with all
   lines up to the same or a later exit. */
static void list_lines_of_last_execs_of_each_block(struct an_cachesim *s,
						   const struct an_batch *batch,
						   struct last_execs *l)
{
	uint32_t number = increment_batch_number_and_wrap(s) << AN_EXIT_BITS,
		 *seen = s->last_listed;

	l->n = 0;
	for (size_t i = batch->n_execs; i-- > 0;) {
		struct an_exec e = batch->exec[i];
		uint32_t key = number | an_exec_exit_number(e);
		const uint32_t *block;

		if (seen[e.block] >= key)
			continue;
		seen[e.block] = key;
		block = an_i1_index_block_record(&s->i1_index, e.block);
		l->item[l->n].n = an_i1_index_n_lines_to_exit(
			block, an_exec_exit_number(e));
		l->item[l->n++].line = an_i1_index_record_line_ids(block);
	}
}

static bool has_all_lines_of_last_execs(const struct an_i1_index *c,
					const struct last_execs *l)
{
	uint32_t missing = 0;

	for (unsigned i = 0; i < l->n; i++)
		for (unsigned k = 0; k < l->item[i].n; k++)
			missing |= c->way_of_line[l->item[i].line[k]];
	return !an_i1_index_is_line_absent(missing);
}

static void touch_lines_of_last_execs(struct an_l1 *first,
				      const struct an_i1_index *c,
				      const struct last_execs *l)
{
	for (unsigned i = l->n; i-- > 0;)
		for (unsigned k = 0; k < l->item[i].n; k++)
			first->used[c->way_of_line[l->item[i].line[k]]] =
				++first->clock;
}

/* Simulate a batch without misses by the last executions of its blocks. Return:
   whether that was done; if a line is missing, no line was used. */
static bool
try_simulate_batch_fetches_without_miss(struct an_cachesim *s,
					const struct an_batch *batch)
{
	struct last_execs l;

	list_lines_of_last_execs_of_each_block(s, batch, &l);
	if (!has_all_lines_of_last_execs(&s->i1_index, &l))
		return false;
	touch_lines_of_last_execs(&s->hierarchy.l1[AN_INSTRUCTION],
				  &s->i1_index, &l);
	return true;
}

/* Record in in-flight slot @l (data of one chunk) where the batch's code misses
   end. Return: 0 or -ENOMEM. */
static int add_or_extend_code_miss_segment(struct an_inflight *l,
					   bool is_warmup)
{
	struct an_miss_segment *segment;

	if (al_array_reserve(l->segment, l->segments_size, l->n_segments + 1) !=
	    0)
		return -ENOMEM;
	segment = an_inflight_segment_for_batch(l, &l->n_segments, is_warmup);
	segment->code_end = l->code_misses.n;
	segment->data_end = 0; /* set when the batch's data is simulated */
	return 0;
}

int an_i1_simulate_batch(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_inflight *l = &s->inflight[batch->inflight_slot];
	int err = 0;

	l->code_misses.batch_start = l->code_misses.n;
	an_l1_renumber_times_if_due(&s->hierarchy.l1[AN_INSTRUCTION]);
	if (!s->no_code_misses ||
	    !try_simulate_batch_fetches_without_miss(s, batch)) {
		err = simulate_all_code_lines_of_batch(s, batch,
						       &l->code_misses);
		s->no_code_misses =
			l->code_misses.n == l->code_misses.batch_start;
	}
	return err ? err : add_or_extend_code_miss_segment(l, batch->warm);
}
