/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warmup.c - builds warm batches from the history; see warmup.h */

#include "lib/pipeline/warmup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/recover/blocks.h"
#include "lib/recover/memory_bounds.h"
#include "proto/unit.h"

/* Part of a block's execution: its instructions from @from to exec->to that
   some lane of @want records and no lane of @without does. */
struct part {
	const struct al_history_exec *exec;
	const uint32_t *words;	 /* of its unit */
	uint16_t from;		 /* index of the first instruction */
	uint64_t lanes;		 /* lanes */
	uint64_t excluded_lanes; /* lanes */
};

/* ---- blocks ---- */

/* Return the unit's last slot, which has the position of the fault
   (pt_cut_word()). The execution was stopped by a fault. */
static uint64_t fault_position(const struct part *p)
{
	return pt_slot(p->words + p->exec->n_words - 2);
}

/* Fetch the number of a part; parts that have one block have one number.
   @is_new: receives whether the number was assigned now. Return: 0; -ENOMEM;
   -AL_E_PARTIAL_BYTES. */
static int find_part(struct al_warmup *w, const struct part *p,
		     uint32_t *number, bool *is_new)
{
	const struct al_history_exec *e = p->exec;
	uint64_t route = e->desc->first_route + e->exit,
		 is_cut = e->exit == AL_EXIT_FAULT;
	uint32_t mask, cut;
	int err = al_pair_table_find_or_add(&w->masks, p->lanes,
					    p->excluded_lanes, &mask, is_new);

	if (!err && is_cut) {
		err = al_pair_table_find_or_add(&w->cuts, e->desc->first_route,
						fault_position(p), &cut,
						is_new);
		route = cut;
	}
	if (!err && w->partial_blocks.n >= AL_MAX_WARMUP_BLOCKS)
		err = -AL_E_PARTIAL_BYTES;
	if (err)
		return err;
	return al_pair_table_find_or_add(&w->partial_blocks,
					 route << 32 | (uint32_t)p->from << 16 |
						 e->end_instr,
					 is_cut << 32 | mask, number, is_new);
}

/* Return a new descriptor with the instructions of @d that are in the part, and
   exit @exit. NULL with errno ENOMEM; NULL with errno 0: there are none. */
static struct al_desc *narrow(const struct al_desc *d, const struct part *p,
			      unsigned exit)
{
	uint64_t lanes[PT_MAX_INSTRS] = {0}, any = 0;
	struct al_desc filtered = *d, *own;

	for (unsigned i = p->from; i < p->exec->end_instr && i < d->n_instrs;
	     i++) {
		uint64_t wants = al_desc_lanes(d, i);

		lanes[i] = wants & p->excluded_lanes ? 0 : wants & p->lanes;
		any |= lanes[i];
	}
	errno = 0;
	if (any == 0)
		return NULL;
	filtered.instr_lanes = lanes;
	own = al_desc_make_selected(&filtered, p->lanes);
	if (own == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	own->exit += exit;
	own->n_exits = 1;
	return own;
}

/* Return a new descriptor of the part, without the instructions after a fault
   that stopped the block. NULL: as narrow(). */
static struct al_desc *make_desc(const struct part *p)
{
	const struct al_desc *d = p->exec->desc;
	struct al_desc *cut, *own;
	uint64_t word;

	if (p->exec->exit != AL_EXIT_FAULT)
		return narrow(d, p, p->exec->exit);
	word = fault_position(p);
	cut = al_desc_make_partial(d, pt_cut_accesses(word),
				   pt_cut_instrs(word), pt_cut_half(word));
	if (cut == NULL) {
		errno = errno == ENOMEM ? ENOMEM : 0;
		return NULL;
	}
	own = narrow(cut, p, 0);
	free(cut);
	return own;
}

static struct al_block *add_block(const struct al_warmup_target *ctx,
				  struct al_desc *own)
{
	struct al_block *b;

	if (ctx->lock)
		pthread_mutex_lock(ctx->lock);
	b = al_executed_add_warm(ctx->executed, own);
	if (ctx->lock)
		pthread_mutex_unlock(ctx->lock);
	return b;
}

/* Create the block of a part. @out: receives 1 + id of the block; 0: the part
   has no instructions, or needs more slots than the unit has. Return: 0;
   -errno. */
static int make_block(const struct al_warmup_target *ctx, const struct part *p,
		      uint32_t *out)
{
	struct al_desc *own = make_desc(p);
	struct al_block *b;

	*out = 0;
	if (own == NULL)
		return -errno;
	if (own->exit[0].bytes / 4u > p->exec->n_words + 1u) {
		free(own);
		return 0;
	}
	b = add_block(ctx, own);
	if (b == NULL) {
		int err = -errno;

		free(own);
		return err;
	}
	*out = b->pub.id + 1;
	return 0;
}

static int grow_blocks(struct al_warmup *w, uint32_t n)
{
	uint32_t size = w->blocks_size ? 2 * w->blocks_size : 256;
	uint32_t *p;

	if (n <= w->blocks_size)
		return 0;
	p = realloc(w->block, size * sizeof(*p));
	if (p == NULL)
		return -ENOMEM;
	w->block = p;
	w->blocks_size = size;
	return 0;
}

/* Fetch the block of a part, created if it is new. @out: as make_block(). */
static int find_block(struct al_warmup *w, const struct al_warmup_target *ctx,
		      const struct part *p, uint32_t *out)
{
	uint32_t number;
	bool is_new;
	int err = find_part(w, p, &number, &is_new);

	if (!err && is_new)
		err = grow_blocks(w, number + 1);
	if (!err && is_new)
		err = make_block(ctx, p, &w->block[number]);
	if (!err)
		*out = w->block[number];
	return err;
}

/* ---- executions ---- */

static int add_part(struct al_warmup *w, const struct al_warmup_target *ctx,
		    const struct part *p)
{
	uint32_t block;
	int err = find_block(w, ctx, p, &block);

	if (err || block == 0)
		return err;
	return al_consumer_chunk_add_warm(ctx->share, ctx->before, block - 1,
					  p->words, p->exec->n_words);
}

/* Return the index of the first instruction of an execution that is not before
   @low, or e->to. @low: instructions that the process had executed. */
static uint16_t first_instr_from(const struct al_history_exec *e, uint64_t low)
{
	uint16_t i = e->first_instr;

	while (i < e->end_instr && e->instret + e->desc->instr[i].before < low)
		i++;
	return i;
}

/* Add execution @i of a piece, without its instructions before @low. View 0
   divides the execution there, and the caller adds the second half, which is
   execution @i + 1. Return: 0; -ENOMEM. */
static int add_execution(struct al_warmup *w,
			 const struct al_warmup_target *ctx,
			 struct al_history *past,
			 struct al_history_chunk *piece, size_t i, uint64_t low,
			 uint64_t lanes)
{
	struct al_history_exec *e = &piece->exec[i];
	struct part p = {
		.exec = e,
		.words = piece->words + e->slots_index,
		.from = first_instr_from(e, low),
		.lanes = ctx->lanes->class[e->class].warm & lanes,
	};

	if (p.from >= e->end_instr || !(e->desc->lanes & p.lanes))
		return 0;
	if (p.from > e->first_instr && ctx->has_all_windows)
		return al_history_split(past, piece, i, p.from);
	if (ctx->has_all_windows) {
		p.excluded_lanes =
			ctx->lanes->class[e->class].lanes | e->simulated_lanes;
		e->simulated_lanes |= p.lanes;
	}
	return add_part(w, ctx, &p);
}

/* Whether all of a piece is before @low. Saves time when a window opens often
   and the history is long. */
static bool is_too_old(const struct al_history_chunk *p, uint64_t low)
{
	uint64_t far = p->exec[p->n - 1].instret;

	return far < low && low - far >= PT_MAX_INSTRS;
}

int al_warmup_add(struct al_warmup *w, const struct al_warmup_target *ctx,
		  struct al_history *past, const struct al_warmup_start *t)
{
	uint64_t lanes = al_lanes_get_warm(ctx->lanes, t->window);
	uint64_t low = w->last_opening[t->window];
	int err = 0;

	if (t->instret > low && t->instret - low > past->warmup[t->window])
		low = t->instret - past->warmup[t->window];
	w->last_opening[t->window] = t->instret;
	for (struct al_history_chunk *p = past->first; p; p = p->next)
		for (size_t i = is_too_old(p, low) ? p->n : 0; i < p->n && !err;
		     i++)
			if (p->exec[i].instret < t->instret)
				err = add_execution(w, ctx, past, p, i, low,
						    lanes);
	return err;
}

void al_warmup_release(struct al_warmup *w)
{
	al_pair_table_release(&w->masks);
	al_pair_table_release(&w->cuts);
	al_pair_table_release(&w->partial_blocks);
	free(w->block);
	*w = (struct al_warmup){0};
}
