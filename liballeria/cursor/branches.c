/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * branches.c - makes records of branches from the last positions of threads
 */
#include "liballeria/cursor/cursor.h"
#include "liballeria/descriptors.h"

/* Return the kind of branch by which a thread with last position @t reached the
   instruction at @address, where a new execution begins; -1: it fell through,
   it repeats a string instruction, or its last position is unknown. */
static int branch_kind_of_arrival_or_minus_1(const struct ap_thread_position *t,
					     uint64_t address)
{
	if (t->is_new)
		return ALLERIA_START;
	if (!t->block)
		return -1;
	if (t->in_signal)
		return ALLERIA_HANDLER;
	if (t->kind == ALLERIA_JUMP &&
	    (t->next == address ||
	     ap_is_rep_string_instr_repeated_at(&t->block->pub.code[t->index],
						address)))
		return -1;
	return t->kind;
}

/* Whether a branch lies within c->bounds, by the numbers of its instruction and
   access, and passes the filter, whose conditions on code apply to its source:
   instruction @source_index of block @source_block. */
static bool branch_passes_bounds_and_source_filter(
	const struct alleria_cursor *c, const struct alleria_branch *r,
	const struct ap_block *source_block, unsigned source_index)
{
	const struct ap_bounds *b = &c->bounds;

	if (r->number < b->instruction_from || r->number >= b->instruction_to ||
	    r->access < b->access_from || r->access >= b->access_to)
		return false;
	if (!c->filter.on_code)
		return true;
	return source_block &&
	       ap_filter_passes_instr(&c->filter, c->profile, source_block,
				      source_index);
}

/* If it passes the filter, append the branch from position @t to instruction
   @target_index of an execution of block @target_block. @prior_accesses: number
   of accesses of this execution before that instruction. */
static void append_branch_if_passing(struct alleria_cursor *c,
				     const struct ap_thread_position *t,
				     int kind,
				     const struct ap_block *target_block,
				     unsigned target_index,
				     unsigned prior_accesses)
{
	struct ap_batch *out = &c->batch[ALLERIA_BRANCHES];
	struct alleria_branch *r = (struct alleria_branch *)out->record;

	r += out->n;
	*r = (struct alleria_branch){
		.number = c->instruction + target_index,
		.to = target_block->pub.code[target_index].address,
		.from = t->block ? t->block->pub.code[t->index].address : 0,
		.from_number = t->block ? t->number : ALLERIA_NOT,
		.access = c->access + prior_accesses,
		.thread = c->thread,
		.process = c->stream->pub.process,
		.kind = (uint8_t)kind,
		.image = (uint16_t)c->stream->pub.number,
	};
	if (branch_passes_bounds_and_source_filter(c, r, t->block, t->index))
		out->n++;
}

/* Set a thread's position to instruction @instr_index of the current execution,
   with `in_signal` false and `kind` ALLERIA_JUMP. */
static void set_position_to_current_exec_instr(const struct alleria_cursor *c,
					       struct ap_thread_position *t,
					       const struct ap_block *b,
					       unsigned instr_index)
{
	*t = (struct ap_thread_position){
		.block = b,
		.number = c->instruction + instr_index,
		.next = b->pub.code[instr_index].address +
			b->pub.code[instr_index].size,
		.index = (uint16_t)instr_index,
	};
}

/* Append the branches from one instruction of an execution to the next that
   pass the filter; there are some because Valgrind continues a block through
   direct calls and jumps. @t changes to the source of the last one. */
static void append_calls_and_jumps_inside_block(struct alleria_cursor *c,
						struct ap_thread_position *t,
						const struct ap_execution *f)
{
	const struct ap_block *b = f->exit->block;

	for (unsigned i = 1; i < f->exit->n_instrs; i++) {
		struct ap_exit before = *f->exit;

		if (!b->inner_branch[i])
			continue;
		while (before.n_accesses > 0 &&
		       f->exit->access[before.n_accesses - 1].instr >= i)
			before.n_accesses--;
		set_position_to_current_exec_instr(c, t, b, i - 1);
		append_branch_if_passing(
			c, t, b->inner_branch[i] - 1, b, i,
			ap_count_performed_accesses(&before, f->slots));
	}
}

int ap_emit_branches_update_position(struct alleria_cursor *c,
				     const struct ap_execution *f)
{
	const struct ap_block *b = f->exit->block;
	struct ap_thread_position *t;
	int kind, err = ap_position_find_or_add_or_dummy(c, c->thread, &t);

	if (err)
		return err;
	kind = branch_kind_of_arrival_or_minus_1(t, b->pub.code[0].address);
	if (kind >= 0)
		append_branch_if_passing(c, t, kind, b, 0, 0);
	if (b->has_inner_branches)
		append_calls_and_jumps_inside_block(c, t, f);
	set_position_to_current_exec_instr(c, t, b, f->exit->n_instrs - 1u);
	t->kind = b->pub.exit[f->exit->index].kind;
	return 0;
}
