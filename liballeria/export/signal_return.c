/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signal_return.c - finds where a thread continues after a signal handler
 *
 * A profile does not record which instruction a signal interrupted. It is the
 * instruction that is executed after the handler, and all handlers nested in
 * it, have returned.
 */
#include "liballeria/export/signal_return.h"

#include <string.h>

/* Greatest number of instructions that are searched for the return from a
   signal handler. */
enum { MAX_SEARCH = 1 << 20 };

struct search {
	uint64_t number; /* number of the handler's first instruction, counted
			    over the profile */
	/* number of handlers that were entered, the first one included, and
	   have not returned */
	int depth;
	/* number of instructions still to be searched */
	long instrs_left;
	bool loads_sigreturn; /* the previous instruction loaded the number of
				 rt_sigreturn */
	uint64_t found;	      /* address of the instruction after the handler;
				 0: not found */
};

/* Compare the instruction with "mov $15, %eax" and "mov $15, %rax", which
   libraries use in the code to which signal handlers return. */
bool ex_is_load_of_sigreturn_number(const struct alleria_instruction *i)
{
	static const uint8_t eax[] = {0xb8, 15, 0, 0, 0};
	static const uint8_t rax[] = {0x48, 0xc7, 0xc0, 15, 0, 0, 0};

	return (i->size == sizeof(eax) &&
		memcmp(i->bytes, eax, sizeof(eax)) == 0) ||
	       (i->size == sizeof(rax) &&
		memcmp(i->bytes, rax, sizeof(rax)) == 0);
}

/* Search @instrs for the instruction after the handler and for returns from
   handlers. Return: 1 to stop: found, or enough was searched; 0. */
static int find_instr_after_handler_return(
	void *state, const struct alleria_instruction *instrs, long n_instrs)
{
	struct search *s = state;

	for (long i = 0; i < n_instrs; i++) {
		if (s->depth == 0) {
			s->found = instrs[i].address;
			return 1;
		}
		/* If the previous instruction loaded the number of
		   rt_sigreturn, this one is the system call that leaves a
		   handler. */
		if (s->loads_sigreturn)
			s->depth--;
		s->loads_sigreturn = ex_is_load_of_sigreturn_number(&instrs[i]);
		if (--s->instrs_left == 0)
			return 1;
	}
	return 0;
}

static int increment_depth_at_nested_signal(void *state,
					    const struct alleria_event *e)
{
	struct search *s = state;

	if (e->kind == ALLERIA_SIGNAL && e->instruction > s->number)
		s->depth++;
	return 0;
}

uint64_t
ex_find_address_after_handler(struct alleria_profile *p,
			      const struct alleria_filter *thread_filter,
			      uint64_t handler_first_instr_number)
{
	struct search s = {
		.number = handler_first_instr_number,
		.depth = 1,
		.instrs_left = MAX_SEARCH,
	};
	struct alleria_filter filter = *thread_filter;
	const struct alleria_executor executor = {
		.state = &s,
		.instructions = find_instr_after_handler_return,
		.event = increment_depth_at_nested_signal,
	};

	filter.instruction_from = handler_first_instr_number;
	if (alleria_replay(p, &filter, &executor, 1, NULL) < 0)
		return 0;
	return s.found;
}
