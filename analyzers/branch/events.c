/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.c - finds the branches of a block; see events.h */

#include "analyzers/branch/events.h"

#include <errno.h>

/* Return the address after instruction number @instr_number of block @b. */
static uint64_t address_after_instr(const struct an_block *b,
				    unsigned instr_number)
{
	return b->instr[instr_number].addr + b->instr[instr_number].len;
}

/* Whether an exit leads to code of the program by a jump, a call or a return,
   after at least one instruction. */
static bool is_exit_by_branch_call_or_return(const struct pt_exit *x)
{
	return (x->jump == PT_JUMP_BORING || x->jump == PT_JUMP_CALL ||
		x->jump == PT_JUMP_RET) &&
	       x->n_instrs > 0;
}

/* Whether the instruction @code, of @len bytes, is a call, direct or indirect.
   Prefixes are skipped, except those of the segments es, ss, fs and gs. */
static bool is_call_instruction(const uint8_t *code, unsigned len)
{
	unsigned i = 0;

	while (i + 1 < len &&
	       (code[i] == 0x66 || code[i] == 0x67 || code[i] == 0xf2 ||
		code[i] == 0xf3 || code[i] == 0x3e || code[i] == 0x2e ||
		(code[i] & 0xf0) == 0x40))
		i++;
	if (code[i] == 0xe8)
		return true;
	return code[i] == 0xff && i + 1 < len &&
	       ((code[i + 1] >> 3 & 7) == 2 || (code[i + 1] >> 3 & 7) == 3);
}

static void append_branch_event(struct an_branch_block *to,
				enum an_branch_kind kind, unsigned instr,
				unsigned first_exit_number)
{
	const struct an_block *b = to->chained.block;

	to->event[to->n++] = (struct an_branch_event){
		.ip = b->instr[instr].addr,
		.return_to = address_after_instr(b, instr),
		.instr = (uint16_t)instr,
		.first_exit = (uint16_t)first_exit_number,
		.kind = (uint8_t)kind};
}

/* Append side exit @x, number @exit_number, as a conditional branch if it leads
   to code of the program. */
static void append_conditional_if_exit_is_branch(struct an_branch_block *to,
						 const struct pt_exit *x,
						 unsigned exit_number,
						 bool no_execution_left_by_exit)
{
	struct an_branch_event *e;

	if (!is_exit_by_branch_call_or_return(x) ||
	    x->n_instrs > to->chained.block->n_instrs)
		return;
	append_branch_event(to, AN_CONDITIONAL, x->n_instrs - 1u, exit_number);
	e = &to->event[to->n - 1];
	e->is_inverted = x->target == e->return_to;
	e->never_leaves = no_execution_left_by_exit;
}

/* Append the last exit of a block if it is a call, a return or an indirect
   jump. */
static void append_last_exit_if_call_ret_indirect(struct an_branch_block *to,
						  bool is_call)
{
	const struct an_block *b = to->chained.block;
	unsigned exit = b->n_exits - 1u;
	const struct pt_exit *x = &b->exit[exit];

	if (!is_exit_by_branch_call_or_return(x))
		return;
	if (x->jump == PT_JUMP_RET)
		append_branch_event(to, AN_RETURN, x->n_instrs - 1u, exit);
	else if (x->target == 0)
		append_branch_event(to,
				    x->jump == PT_JUMP_CALL ? AN_INDIRECT_CALL
							    : AN_INDIRECT_JUMP,
				    x->n_instrs - 1u, exit);
	else if (is_call)
		append_branch_event(to, AN_DIRECT_CALL, x->n_instrs - 1u, exit);
}

int an_branch_block_init_with_branches(struct an_branch_block *to,
				       const struct an_block *b,
				       uint32_t first_number,
				       struct an_arena *arena)
{
	unsigned n = b->n_exits + b->n_passed_exits + b->n_instrs;
	unsigned exit = 0, passed = 0;
	const uint8_t *code = b->code;

	*to = (struct an_branch_block){.chained.block = b};
	to->event = an_arena_alloc(arena, n * sizeof(*to->event));
	if (to->event == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < b->n_instrs; i++) {
		bool is_call =
			code && is_call_instruction(code, b->instr[i].len);

		for (; passed < b->n_passed_exits &&
		       b->passed_exit[passed].n_instrs <= i + 1;
		     passed++)
			append_conditional_if_exit_is_branch(
				to, &b->passed_exit[passed], 0, true);
		for (;
		     exit + 1u < b->n_exits && b->exit[exit].n_instrs <= i + 1;
		     exit++)
			append_conditional_if_exit_is_branch(to, &b->exit[exit],
							     exit, false);
		if (is_call && i + 1u < b->n_instrs)
			append_branch_event(to, AN_DIRECT_CALL, i, exit);
		else if (i + 1u == b->n_instrs)
			append_last_exit_if_call_ret_indirect(to, is_call);
		if (code != NULL)
			code += b->instr[i].len;
	}
	for (unsigned i = 0; i < to->n; i++)
		to->event[i].number = first_number + i;
	return 0;
}

uint64_t an_branch_event_exec_count(const struct an_block *b,
				    const struct an_branch_event *e)
{
	uint64_t times = 0;

	for (unsigned i = e->first_exit; i < b->n_exits; i++)
		times += b->exit_count[i];
	return times;
}
