/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prism.c - writes the execution as a stream of events in PRISM's terms
 *
 * Nilakantan et al., "PRISM: a framework for flexible event capture" (the
 * paper's section on primitives). doc/PROGRAM-RULES.md defines the lines.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/code/decoded_instr.h"
#include "analyzers/code/vector_width.h"
#include "analyzers/flow/flow.h"
#include "base/tables/array.h"

enum {
	BUFFER = 1 << 16,
	MAX_EVENT = 1 << 10, /* [bytes] maximum of an event's line */
	MAX_THREAD = (1 << 20) - 1,
};

/* Text of the event in PRISM's terms for the computation that an instruction
   does; one for each node of the code map (executed instruction). */
struct computation {
	bool is_known;
	char event[32]; /* "comp ...", or "" if there is none */
};

struct an_prism {
	struct computation *computation; /* [n_computations] computations of
					    instructions, by code node */
	size_t n_computations;
	bool *was_called; /* [n_threads] the thread's last execution ended with
			     a call */
	size_t n_threads;
	uint32_t running; /* number of the running thread, below n_threads */
	/* The last instruction of the last execution is a transfer of control
	   whose target is not known before the next execution; its event is
	   not written yet. Its number in the code map is pending_node. */
	bool is_transfer_pending;
	uint32_t pending_node;
	char buffer[BUFFER + MAX_EVENT];
	size_t used;
	int error;
};

int an_prism_alloc_state(struct an_flow *f)
{
	f->prism = calloc(1, sizeof(*f->prism));
	return f->prism ? 0 : -ENOMEM;
}

static void write_out_and_empty_event_buffer(struct an_flow *f)
{
	struct an_prism *p = f->prism;

	if (p->error == 0 && p->used > 0)
		p->error = f->env->write(f->env->host, p->buffer, p->used);
	p->used = 0;
}

static void __attribute__((format(printf, 2, 3)))
append_event_line_flush_if_full(struct an_flow *f, const char *format, ...)
{
	struct an_prism *p = f->prism;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(p->buffer + p->used, MAX_EVENT - 1, format, args);
	va_end(args);
	p->used += n < MAX_EVENT - 2 ? (size_t)n : MAX_EVENT - 2;
	p->buffer[p->used++] = '\n';
	if (p->used > BUFFER)
		write_out_and_empty_event_buffer(f);
}

/* ---- computation ---- */

/* Return the name of the operation in PRISM's terms for a mnemonic, without
   the v of AVX and one p or f after it; "other" if the rest begins with no
   known name. */
static const char *operation_name_or_other(const char *mnemonic)
{
	static const struct {
		const char *stem, *operation;
	} known[] = {
		{"add", "add"},	  {"adc", "add"},   {"inc", "add"},
		{"sub", "sub"},	  {"sbb", "sub"},   {"dec", "sub"},
		{"neg", "sub"},	  {"cmp", "sub"},   {"mul", "mult"},
		{"imul", "mult"}, {"div", "div"},   {"idiv", "div"},
		{"shl", "shift"}, {"shr", "shift"}, {"sar", "shift"},
		{"rol", "shift"}, {"ror", "shift"}, {"rcl", "shift"},
		{"rcr", "shift"}, {"sll", "shift"}, {"srl", "shift"},
		{"sra", "shift"}, {"mov", "mov"},   {"cmov", "mov"},
	};

	mnemonic += *mnemonic == 'v';
	mnemonic += *mnemonic == 'p' || *mnemonic == 'f';
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strncmp(mnemonic, known[i].stem, strlen(known[i].stem)))
			return known[i].operation;
	return "other";
}

static bool
is_x87_or_has_float_first_operand(const ZydisDecodedInstruction *in,
				  const ZydisDecodedOperand *operands)
{
	return in->meta.category == ZYDIS_CATEGORY_X87_ALU ||
	       operands[0].element_type == ZYDIS_ELEMENT_TYPE_FLOAT32 ||
	       operands[0].element_type == ZYDIS_ELEMENT_TYPE_FLOAT64 ||
	       operands[0].element_type == ZYDIS_ELEMENT_TYPE_FLOAT80;
}

static bool
has_operands_not_branch_stack_or_nop(const ZydisDecodedInstruction *in)
{
	switch (in->meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_PUSH:
	case ZYDIS_CATEGORY_POP:
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
		return false;
	default:
		return in->operand_count > 0;
	}
}

/* Return the size [bytes] of an element of the first operand. */
static unsigned first_operand_element_bytes(const char *mnemonic,
					    const ZydisDecodedOperand *operands)
{
	unsigned bits = an_vector_integer_bits(mnemonic);

	return (bits != 0 ? bits : operands[0].element_size) / 8;
}

static void
format_prism_computation_event_of_instr(struct computation *c,
					const struct an_instr_node *n)
{
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction in;
	const char *mnemonic;
	unsigned arity = 0;

	c->is_known = true;
	if (!an_instr_node_decode(n, &in, operand) ||
	    !has_operands_not_branch_stack_or_nop(&in))
		return;
	mnemonic = ZydisMnemonicGetString(in.mnemonic);
	for (int i = 0; i < in.operand_count; i++)
		arity += operand[i].visibility ==
				 ZYDIS_OPERAND_VISIBILITY_EXPLICIT &&
			 (operand[i].actions & ZYDIS_OPERAND_ACTION_MASK_READ);
	snprintf(c->event, sizeof(c->event), "comp %s %s %u %u",
		 is_x87_or_has_float_first_operand(&in, operand) ? "flop"
								 : "iop",
		 operation_name_or_other(mnemonic), arity,
		 first_operand_element_bytes(mnemonic, operand));
}

/* Return the event "comp ..." of the instruction with number @code_node in the
   code map, which is made at the first request; "" if the instruction computes
   nothing or cannot be decoded, or if memory is short, which sets p->error. */
static const char *prism_comp_event_of_instr_or_empty(struct an_flow *f,
						      uint32_t code_node)
{
	struct an_prism *p = f->prism;
	struct computation *c;

	if (al_array_reserve_zeroed(p->computation, p->n_computations,
				    (size_t)code_node + 1) != 0) {
		p->error = -ENOMEM;
		return "";
	}
	c = &p->computation[code_node];
	if (!c->is_known)
		format_prism_computation_event_of_instr(
			c, &f->code.node[code_node]);
	return c->event;
}

/* ---- executions ---- */

static void write_load_store_events_if_guard_true(struct an_flow *f,
						  const struct an_batch *batch,
						  struct an_exec e,
						  const struct pt_access *a)
{
	uint64_t base = a->slot == PT_NO_SLOT
				? 0
				: an_exec_slot_value(batch, e, a->slot);
	unsigned long long address = base + a->delta;

	if (a->slot != PT_NO_SLOT && (a->flags & PT_GUARDED) &&
	    base == PT_NOT_DONE)
		return;
	if (a->kind != PT_STORE)
		append_event_line_flush_if_full(f, "mem load %llx %u", address,
						a->size);
	if (a->kind != PT_LOAD)
		append_event_line_flush_if_full(f, "mem store %llx %u", address,
						a->size);
}

/* Write the events of the control transfer of @instr. @next_address_or_0:
   address of the instruction that is executed next, in the block or after its
   exit; 0: not known. */
static void write_control_transfer_events(struct an_flow *f,
					  const struct an_instr_node *instr,
					  unsigned long long next_address_or_0)
{
	static const char *const name[] = {
		[AN_BRANCH_CALL] = "call",
		[AN_BRANCH_RETURN] = "return",
		[AN_BRANCH_JUMP] = "jump",
		[AN_BRANCH_SYSTEM_CALL] = "suspend",
	};

	switch (instr->branch_kind) {
	case AN_BRANCH_NONE:
	case AN_BRANCH_REPEAT:
		return;
	case AN_BRANCH_CONDITIONAL:
		append_event_line_flush_if_full(
			f, "cf conditional %c %llx",
			next_address_or_0 ==
					an_instr_node_branch_target_or_0(instr)
				? 't'
				: 'f',
			next_address_or_0);
		return;
	case AN_BRANCH_CALL:
	case AN_BRANCH_JUMP:
		if (!instr->is_indirect)
			next_address_or_0 =
				an_instr_node_branch_target_or_0(instr);
	}
	append_event_line_flush_if_full(
		f, "cf %s %llx", name[instr->branch_kind], next_address_or_0);
	if (instr->branch_kind == AN_BRANCH_RETURN)
		append_event_line_flush_if_full(f, "cxt func-exit");
}

/* Write the events of a transfer of control that waits for its target.
   @next_address_or_0: as in write_control_transfer_events(). */
static void
write_pending_transfer_events_if_any(struct an_flow *f,
				     unsigned long long next_address_or_0)
{
	struct an_prism *p = f->prism;

	if (p->is_transfer_pending)
		write_control_transfer_events(f, &f->code.node[p->pending_node],
					      next_address_or_0);
	p->is_transfer_pending = false;
}

/* Write the events of the control transfer of the last instruction of an
   execution that left block @b by @exit: now if the target is known, else
   before the next event. Write none if a signal stopped the execution. */
static void write_or_defer_exit_transfer_events(struct an_flow *f,
						const struct an_flow_block *b,
						const struct pt_exit *exit)
{
	uint32_t node = b->node[exit->n_instrs - 1];

	if (exit->jump == PT_JUMP_SIGNAL)
		return;
	f->prism->is_transfer_pending = true;
	f->prism->pending_node = node;
	if (exit->target != 0)
		write_pending_transfer_events_if_any(f, exit->target);
}

static void write_instr_events(struct an_flow *f, const struct an_batch *batch,
			       struct an_exec e, unsigned instr_index,
			       unsigned *next_access_inout)
{
	const struct an_flow_block *b = &f->block[e.block];
	const struct pt_exit *x = &b->block->exit[an_exec_exit_number(e)];
	const char *comp =
		prism_comp_event_of_instr_or_empty(f, b->node[instr_index]);

	append_event_line_flush_if_full(
		f, "cxt instr %llx",
		(unsigned long long)b->block->instr[instr_index].addr);
	for (; *next_access_inout < x->n_accesses &&
	       b->block->access[*next_access_inout].instr == instr_index;
	     ++*next_access_inout)
		write_load_store_events_if_guard_true(
			f, batch, e, &b->block->access[*next_access_inout]);
	if (*comp)
		append_event_line_flush_if_full(f, "%s", comp);
	if (instr_index + 1u == x->n_instrs)
		write_or_defer_exit_transfer_events(f, b, x);
	else
		write_control_transfer_events(
			f, &f->code.node[b->node[instr_index]],
			b->block->instr[instr_index + 1].addr);
}

/* Whether the instruction before @instr_index, which is not 0, is a call, so
   that @instr_index begins a called function. */
static bool is_previous_instr_in_block_a_call(const struct an_flow *f,
					      const struct an_flow_block *b,
					      unsigned instr_index)
{
	return f->code.node[b->node[instr_index - 1]].branch_kind ==
	       AN_BRANCH_CALL;
}

static void write_function_entry_event(struct an_flow *f,
				       const struct an_flow_block *b,
				       unsigned entry_instr_index)
{
	struct an_symbol s;

	f->env->symbol(f->env->host, b->block, entry_instr_index, &s);
	append_event_line_flush_if_full(
		f, "cxt func-enter %llx %.800s",
		(unsigned long long)b->block->instr[entry_instr_index].addr,
		s.function);
}

static void write_all_prism_events_of_execution(struct an_flow *f,
						const struct an_batch *batch,
						struct an_exec e,
						bool was_called)
{
	const struct an_flow_block *b = &f->block[e.block];
	unsigned n = b->block->exit[an_exec_exit_number(e)].n_instrs;
	unsigned access = 0;

	if (n == 0)
		return;
	write_pending_transfer_events_if_any(f, b->block->instr[0].addr);
	append_event_line_flush_if_full(
		f, "cxt bb %llx", (unsigned long long)b->block->instr[0].addr);
	for (unsigned i = 0; i < n; i++) {
		if (i == 0 ? was_called
			   : is_previous_instr_in_block_a_call(f, b, i))
			write_function_entry_event(f, b, i);
		write_instr_events(f, batch, e, i, &access);
	}
}

/* Whether execution @e ended with a call, not with a signal. */
static bool has_execution_ended_with_call(const struct an_flow *f,
					  struct an_exec e)
{
	const struct an_flow_block *b = &f->block[e.block];
	const struct pt_exit *x = &b->block->exit[an_exec_exit_number(e)];

	return x->n_instrs > 0 && x->jump != PT_JUMP_SIGNAL &&
	       f->code.node[b->node[x->n_instrs - 1]].branch_kind ==
		       AN_BRANCH_CALL;
}

/* Make @thread_number the running thread, and add it to the table of threads if
   it is new. Set the error of the writer of PRISM events if memory is short. */
static void grow_prism_threads_and_set_running(struct an_flow *f,
					       uint32_t thread_number)
{
	struct an_prism *p = f->prism;

	if (al_array_reserve_zeroed(p->was_called, p->n_threads,
				    (size_t)thread_number + 1) != 0)
		p->error = -ENOMEM;
	else
		p->running = thread_number;
}

/* Whether the next execution after mark @m is not the target of the last one
   before it. */
static bool is_transfer_interrupted_by_mark(const struct an_mark *m)
{
	return m->kind == PT_THREAD || m->kind == PT_THREAD_END ||
	       m->kind == PT_SIGNAL || m->kind == PT_WINDOW_OPEN;
}

static void write_and_apply_only_thread_switches(struct an_flow *f,
						 const struct an_mark *m)
{
	if (is_transfer_interrupted_by_mark(m))
		write_pending_transfer_events_if_any(f, 0);
	if (m->kind != PT_THREAD)
		return;
	append_event_line_flush_if_full(f, "cxt thread %u", m->id);
	grow_prism_threads_and_set_running(f, m->id & MAX_THREAD);
}

int an_prism_write_events_of_batch(struct an_flow *f,
				   const struct an_batch *batch)
{
	struct an_prism *p = f->prism;
	size_t mark = 0;

	if (p->n_threads == 0)
		grow_prism_threads_and_set_running(f, 0);
	for (size_t i = 0; i < batch->n_execs && p->error == 0; i++) {
		for (; mark < batch->n_marks &&
		       batch->mark[mark].before_exec <= i;
		     mark++)
			write_and_apply_only_thread_switches(
				f, &batch->mark[mark]);
		write_all_prism_events_of_execution(f, batch, batch->exec[i],
						    p->was_called[p->running]);
		p->was_called[p->running] =
			has_execution_ended_with_call(f, batch->exec[i]);
	}
	for (; mark < batch->n_marks; mark++)
		write_and_apply_only_thread_switches(f, &batch->mark[mark]);
	return p->error;
}

int an_prism_flush_and_free(struct an_flow *f)
{
	int err = 0;

	if (f->prism == NULL)
		return 0;
	write_pending_transfer_events_if_any(f, 0);
	write_out_and_empty_event_buffer(f);
	err = f->prism->error;
	free(f->prism->computation);
	free(f->prism->was_called);
	free(f->prism);
	f->prism = NULL;
	return err;
}
