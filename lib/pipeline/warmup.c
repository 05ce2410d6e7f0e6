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

/* Part of an execution that is simulated: its instructions [from,
   exec->end_instr) that at least one of `lanes` and none of `excluded_lanes`
   selects. */
struct exec_part {
	const struct al_history_exec *exec;
	const uint32_t *words;	 /* words of the execution's unit, without the
				    header */
	uint16_t from;		 /* index of the first instruction of the
				    part */
	uint64_t lanes;		 /* lanes to simulate, as bits */
	uint64_t excluded_lanes; /* lanes whose instructions are left out, as
				    bits */
};

/* ---- blocks ---- */

/* Return the position at which a fault stopped the execution, as encoded by
   pt_encode_block_cut_position(): the last slot of its unit. Call only for an
   execution that a fault stopped. */
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
	int err = al_key_table_find_or_add_pair(
		&w->masks, p->lanes, p->excluded_lanes, &mask, is_new);

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
		route << 32 | (uint32_t)p->from << 16 | e->end_instr,
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

	for (unsigned i = p->from; i < p->exec->end_instr && i < d->n_instrs;
	     i++) {
		uint64_t selecting = al_desc_lanes_of_instr(d, i);

		lanes[i] = selecting & p->excluded_lanes ? 0
							 : selecting & p->lanes;
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
	b = al_executed_add_warm_block(ctx->executed, own_desc);
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

static int append_exec_part_to_warm_batch(struct al_warmup *w,
					  const struct al_warmup_target *ctx,
					  const struct exec_part *p)
{
	uint32_t block;
	int err = find_or_add_block_of_exec_part(w, ctx, p, &block);

	if (err || block == 0)
		return err;
	return al_consumer_chunk_append_warm_exec(
		ctx->share, ctx->before, block - 1, p->words, p->exec->n_words);
}

/* Return the index of the first instruction of the execution, from
   e->first_instr on, before which the process had executed at least
   @min_instret instructions; e->end_instr if there is none. */
static uint16_t
first_instr_with_instret_at_least(const struct al_history_exec *e,
				  uint64_t min_instret)
{
	uint16_t i = e->first_instr;

	while (i < e->end_instr &&
	       e->instret + e->desc->instr[i].before < min_instret)
		i++;
	return i;
}

/* Append to the warm batches the instructions of execution @exec_index that
   @window_warm_lanes select and before which the process had executed at least
   @warmup_start_instret instructions. For consumer 0, which receives all
   windows, if this leaves out a first part of the execution, only divide the
   execution there; the caller then calls this for the rest, which is now
   execution @exec_index + 1. Return: 0; -errno. */
static int append_warm_exec_or_split_off_cold_part(
	struct al_warmup *w, const struct al_warmup_target *target,
	struct al_history *history, struct al_history_chunk *chunk,
	size_t exec_index, uint64_t warmup_start_instret,
	uint64_t window_warm_lanes)
{
	struct al_history_exec *e = &chunk->exec[exec_index];
	struct exec_part p = {
		.exec = e,
		.words = chunk->words + e->slots_index,
		.from = first_instr_with_instret_at_least(e,
							  warmup_start_instret),
		.lanes =
			target->lanes->class[e->class].warm & window_warm_lanes,
	};

	if (p.from >= e->end_instr || !(e->desc->lanes & p.lanes))
		return 0;
	if (p.from > e->first_instr && target->has_all_windows)
		return al_history_split_execution(history, chunk, exec_index,
						  p.from);
	if (target->has_all_windows) {
		p.excluded_lanes = target->lanes->class[e->class].lanes |
				   e->simulated_lanes;
		e->simulated_lanes |= p.lanes;
	}
	return append_exec_part_to_warm_batch(w, target, &p);
}

/* Whether it is certain that every instruction of the chunk was executed before
   the process had executed @first_instret instructions. This check saves time
   when a window opens often and the history is long. */
static bool is_chunk_before_instret(const struct al_history_chunk *p,
				    uint64_t first_instret)
{
	uint64_t last_instret = p->exec[p->n - 1].instret;

	return last_instret < first_instret &&
	       first_instret - last_instret >= PT_MAX_INSTRS;
}

int al_warmup_append_warm_batches(struct al_warmup *w,
				  const struct al_warmup_target *ctx,
				  struct al_history *history,
				  const struct al_warmup_start *window_start)
{
	uint64_t lanes =
		al_lanes_warm_bits_of_window(ctx->lanes, window_start->window);
	uint64_t first_instret = w->last_opening[window_start->window];
	int err = 0;

	if (window_start->instret > first_instret &&
	    window_start->instret - first_instret >
		    history->warmup[window_start->window])
		first_instret = window_start->instret -
				history->warmup[window_start->window];
	w->last_opening[window_start->window] = window_start->instret;
	for (struct al_history_chunk *p = history->first; p; p = p->next)
		for (size_t i = is_chunk_before_instret(p, first_instret) ? p->n
									  : 0;
		     i < p->n && !err; i++)
			if (p->exec[i].instret < window_start->instret)
				err = append_warm_exec_or_split_off_cold_part(
					w, ctx, history, p, i, first_instret,
					lanes);
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
