/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warmup.c - builds batches of a warm-up's executions from the history of
   executions; see warmup.h */

#include "lib/pipeline/warmup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/recover/blocks.h"
#include "lib/recover/memory_bounds.h"
#include "proto/unit.h"

/* Part of an execution that is simulated: its instructions [from, end) that at
   least one of `lanes` selects. */
struct exec_part {
	const struct al_history_exec *exec;
	const uint32_t *words; /* words of the execution's unit, without the
				    header */
	uint16_t from;	       /* index of the first instruction of the part */
	uint16_t end;	/* index after the last instruction of the part */
	uint64_t lanes; /* lanes to simulate, as bits */
};

/* ---- blocks ---- */

/* Return the position at which a fault stopped the execution, as encoded by
   pt_encode_block_cut_position(): the last 8 bytes of its unit. Call only for
   an execution that a fault stopped. */
static uint64_t read_fault_position_of_exec(const struct exec_part *p)
{
	return pt_read_shared_unaligned_u64_once(p->words + p->exec->n_words -
						 2);
}

/* Set @number to the number of a part of an execution. Parts with the same
   route or fault, instructions and lanes have the same number. @is_new:
   receives whether this call assigned the number. Return: 0; -ENOMEM;
   -AL_E_PARTIAL_BYTES: AL_MAX_WARMUP_BLOCKS parts have numbers. */
static int find_or_add_exec_part_number(struct al_warmup *w,
					const struct exec_part *p,
					uint32_t *number, bool *is_new)
{
	const struct al_history_exec *e = p->exec;
	uint64_t route = e->desc->first_route + e->exit,
		 is_partial = e->exit == AL_EXIT_FAULT;
	uint32_t mask, partial;
	int err = al_key_table_find_or_add_pair(&w->masks, p->lanes, 0, &mask,
						is_new);

	if (!err && is_partial) {
		err = al_key_table_find_or_add_pair(
			&w->cuts, e->desc->first_route,
			read_fault_position_of_exec(p), &partial, is_new);
		route = partial;
	}
	if (!err && w->partial_blocks.n >= AL_MAX_WARMUP_BLOCKS)
		err = -AL_E_PARTIAL_BYTES;
	if (err)
		return err;
	return al_key_table_find_or_add_pair(
		&w->partial_blocks,
		route << 32 | (uint32_t)p->from << 16 | p->end,
		is_partial << 32 | mask, number, is_new);
}

/* Return a new descriptor with the instructions of @d that are in the part, and
   with exit @only_exit_index alone. NULL with errno ENOMEM, or with errno 0 if
   there are no such instructions. */
static struct al_desc *
new_desc_of_part_instrs_or_null(const struct al_desc *d,
				const struct exec_part *p,
				unsigned only_exit_index)
{
	uint64_t lanes[PT_MAX_INSTRS] = {0}, any = 0;
	struct al_desc filtered = *d, *own;

	for (unsigned i = p->from; i < p->end && i < d->n_instrs; i++) {
		lanes[i] = al_desc_lanes_of_instr(d, i) & p->lanes;
		any |= lanes[i];
	}
	errno = 0;
	if (any == 0)
		return NULL;
	filtered.instr_lanes = lanes;
	own = al_desc_new_of_selected_instrs(&filtered, p->lanes);
	if (own == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	own->exit += only_exit_index;
	own->n_exits = 1;
	return own;
}

/* Return a new descriptor of the part; if a fault stopped the execution, only
   with the instructions begun before the fault. NULL with errno ENOMEM, or with
   errno 0 if there are no such instructions. */
static struct al_desc *new_part_desc_or_null_if_empty(const struct exec_part *p)
{
	const struct al_desc *d = p->exec->desc;
	struct al_desc *partial, *own;
	uint64_t word;

	if (p->exec->exit != AL_EXIT_FAULT)
		return new_desc_of_part_instrs_or_null(d, p, p->exec->exit);
	word = read_fault_position_of_exec(p);
	partial = al_desc_new_partial(d, pt_decode_cut_accesses_done(word),
				      pt_decode_cut_instrs_begun(word),
				      pt_decode_cut_modify_load_done(word));
	if (partial == NULL) {
		errno = errno == ENOMEM ? ENOMEM : 0;
		return NULL;
	}
	own = new_desc_of_part_instrs_or_null(partial, p, 0);
	free(partial);
	return own;
}

static struct al_block *
add_warm_block_under_lock(const struct al_warmup_target *ctx,
			  struct al_desc *own_desc)
{
	struct al_block *b;

	if (ctx->lock)
		pthread_mutex_lock(ctx->lock);
	b = al_executed_add_warmup_block(ctx->executed, own_desc);
	if (ctx->lock)
		pthread_mutex_unlock(ctx->lock);
	return b;
}

/* Add a warm block, whose executions are not counted, for a part of an
   execution. @block_id_plus_1_or_0_if_unusable: receives 1 + id of the block;
   0: no block is added, because the part has no instructions or needs more
   slots than the unit has. Return: 0; -errno. */
static int add_warm_block_of_exec_part_if_usable(
	const struct al_warmup_target *ctx, const struct exec_part *p,
	uint32_t *block_id_plus_1_or_0_if_unusable)
{
	struct al_desc *own = new_part_desc_or_null_if_empty(p);
	struct al_block *b;

	*block_id_plus_1_or_0_if_unusable = 0;
	if (own == NULL)
		return -errno;
	if (own->exit[0].bytes / 4u > p->exec->n_words + 1u) {
		free(own);
		return 0;
	}
	b = add_warm_block_under_lock(ctx, own);
	if (b == NULL) {
		int err = -errno;

		free(own);
		return err;
	}
	*block_id_plus_1_or_0_if_unusable = b->pub.id + 1;
	return 0;
}

/* Find the warm block, whose executions are not counted, for a part of an
   execution, or add it. @block_id_plus_1_or_0: receives 1 + id of the block; 0:
   the part has none. Return: 0; -errno. */
static int find_or_add_block_of_exec_part(struct al_warmup *w,
					  const struct al_warmup_target *ctx,
					  const struct exec_part *p,
					  uint32_t *block_id_plus_1_or_0)
{
	uint32_t number;
	bool is_new;
	int err = find_or_add_exec_part_number(w, p, &number, &is_new);

	if (!err && is_new)
		err = al_array_reserve(w->block, w->blocks_size, number + 1);
	if (!err && is_new)
		err = add_warm_block_of_exec_part_if_usable(ctx, p,
							    &w->block[number]);
	if (!err)
		*block_id_plus_1_or_0 = w->block[number];
	return err;
}

/* ---- executions ---- */

/* The warm-up of a window that starts to record. */
struct start {
	uint64_t first_instret; /* number of instructions that the process had
				   executed before the first of the warm-up */
	uint64_t lanes;		/* warm lanes of the window, as bits */
};

struct starts {
	struct start start[PT_MAX_WINDOWS];
	unsigned n;
};

/* Return the number of instructions that the process had executed before
   instruction @instr of the execution. */
static uint64_t instret_before_instr(const struct al_history_exec *e,
				     unsigned instr)
{
	return e->instret + e->desc->instr[instr].before;
}

/* Append a part of an execution to the warm batches, unless it has no selected
   instruction. Return: 0; -errno. */
static int append_exec_part_to_warm_batch(struct al_warmup *w,
					  const struct al_warmup_target *ctx,
					  struct exec_part *p)
{
	uint32_t block;
	int err;

	while (p->end > p->from &&
	       !(al_desc_lanes_of_instr(p->exec->desc, p->end - 1u) & p->lanes))
		p->end--;
	if (p->from == p->end)
		return 0;
	w->simulated_end = instret_before_instr(p->exec, p->end - 1u) + 1;
	err = find_or_add_block_of_exec_part(w, ctx, p, &block);
	if (err || block == 0)
		return err;
	return al_consumer_chunk_append_warm_exec(
		ctx->share, ctx->before, block - 1, p->words, p->exec->n_words);
}

/* Return the warm lanes, as bits, of the warm-ups that have begun when the
   process has executed @instret instructions. @next_instret: receives the
   number of instructions after which the next warm-up begins; UINT64_MAX if
   none does. */
static uint64_t find_lanes_of_begun_warmups(const struct starts *s,
					    uint64_t instret,
					    uint64_t *next_instret)
{
	uint64_t lanes = 0;

	*next_instret = UINT64_MAX;
	for (unsigned i = 0; i < s->n; i++)
		if (s->start[i].first_instret <= instret)
			lanes |= s->start[i].lanes;
		else if (s->start[i].first_instret < *next_instret)
			*next_instret = s->start[i].first_instret;
	return lanes;
}

/* Return 1 + the index of the last instruction of the execution that a lane of
   its thread records; 0 if none is recorded. */
static uint16_t
first_instr_after_recorded_instrs(const struct al_lanes *lanes,
				  const struct al_history_exec *e)
{
	uint64_t recording = lanes->class[e->class].lanes & e->desc->lanes;
	uint16_t i = recording ? e->n_instrs : 0;

	while (i > 0 && !(al_desc_lanes_of_instr(e->desc, i - 1u) & recording))
		i--;
	return i;
}

/* Append to the warm batches the instructions of an execution that the warm-ups
   select. Where another warm-up begins, another part of the execution begins.
   Return: 0; -errno. */
static int append_exec_to_warm_batches(struct al_warmup *w,
				       const struct al_warmup_target *ctx,
				       const struct starts *starts,
				       const struct al_history_exec *e,
				       const uint32_t *words)
{
	struct exec_part p = {.exec = e, .words = words};
	uint16_t i = ctx->leaves_out_recorded
			     ? first_instr_after_recorded_instrs(ctx->lanes, e)
			     : 0;
	int err = 0;

	while (i < e->n_instrs && !err) {
		uint64_t next;

		p.lanes = ctx->lanes->class[e->class].warm &
			  find_lanes_of_begun_warmups(
				  starts, instret_before_instr(e, i), &next);
		p.from = i;
		for (i++; i < e->n_instrs && instret_before_instr(e, i) < next;)
			i++;
		p.end = i;
		if (e->desc->lanes & p.lanes)
			err = append_exec_part_to_warm_batch(w, ctx, &p);
	}
	return err;
}

/* Set @s to the warm-ups of the windows in w->windows. Return: the number of
   instructions after which the first of these begins. */
static uint64_t list_warmup_starts_get_first_instret(
	const struct al_warmup *w, const struct al_lanes *lanes,
	const struct al_history *history, struct starts *s)
{
	uint64_t first = UINT64_MAX;

	s->n = 0;
	for (uint64_t all = w->windows; all != 0; all &= all - 1) {
		unsigned window = (unsigned)__builtin_ctzll(all);
		struct start *start = &s->start[s->n++];

		start->first_instret = w->simulated_end;
		if (w->instret > w->simulated_end &&
		    w->instret - w->simulated_end > history->warmup[window])
			start->first_instret =
				w->instret - history->warmup[window];
		start->lanes =
			al_lanes_warmup_lane_bits_of_window(lanes, window);
		if (start->first_instret < first)
			first = start->first_instret;
	}
	return first;
}

/* Whether it is certain that no instruction of the chunk is simulated: all were
   executed before the process had executed @first_instret instructions, or
   before an execution that the consumer has received. This check saves time
   when a window opens often and the history is long. */
static bool is_chunk_before_warmups(const struct al_warmup_target *ctx,
				    const struct al_history_chunk *p,
				    uint64_t first_instret)
{
	const struct al_history_exec *last = &p->exec[p->n - 1];

	return last->n_recorded < ctx->recorded_end ||
	       (last->instret < first_instret &&
		first_instret - last->instret >= PT_MAX_INSTRS);
}

int al_warmup_append_warm_batches(struct al_warmup *w,
				  const struct al_warmup_target *ctx,
				  const struct al_history *history)
{
	struct starts starts;
	uint64_t first = list_warmup_starts_get_first_instret(w, ctx->lanes,
							      history, &starts);
	int err = 0;

	for (const struct al_history_chunk *p = history->first; p; p = p->next)
		for (size_t i = is_chunk_before_warmups(ctx, p, first) ? p->n
								       : 0;
		     i < p->n && !err; i++)
			if (p->exec[i].n_recorded >= ctx->recorded_end &&
			    p->exec[i].instret < w->instret)
				err = append_exec_to_warm_batches(
					w, ctx, &starts, &p->exec[i],
					p->words + p->exec[i].slots_index);
	w->windows = 0;
	return err;
}

void al_warmup_release(struct al_warmup *w)
{
	al_key_table_release(&w->masks);
	al_key_table_release(&w->cuts);
	al_key_table_release(&w->partial_blocks);
	free(w->block);
	*w = (struct al_warmup){0};
}
