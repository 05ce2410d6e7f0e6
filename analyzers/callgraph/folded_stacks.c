/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folded_stacks.c - writes costs by call stack, one line each, for flame graphs
 *
 *	_start;(below main);main;qsort 1234
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/callgraph/call_run.h"
#include "analyzers/output_text.h"
#include "base/tables/array.h"
#include "base/text/escape.h"

enum {
	MAX_DEPTH = 1000, /* frames in a line of output; deeper frames count for
			   the last one */
	LL_MISSES = 1 << AN_ILMR | 1 << AN_DLMR | 1 << AN_DLMW,
	D1_MISSES = 1 << AN_D1MR | 1 << AN_D1MW,
};

/* A call stack: a function on top of another stack. Its key in `index`: name of
   the function, number of the stack below + 1 (0: none). */
struct stack {
	uint32_t depth;
	uint64_t cost;
};

struct folded {
	const struct an_env *env;
	struct an_callrun run;
	unsigned events; /* events that are counted: bits 1 << enum an_event */
	struct al_key_table index; /* assigns numbers to stacks */
	struct stack *stack;
	size_t size;
};

static unsigned event_mask_ir_by_default_or_0_if_unknown(const char *name)
{
	if (name == NULL)
		return 1 << AN_IR;
	if (strcmp(name, "D1m") == 0)
		return D1_MISSES;
	if (strcmp(name, "LLm") == 0)
		return LL_MISSES;
	for (int i = 0; i < AN_N_EVENTS; i++)
		if (strcmp(name, an_event_name[i]) == 0)
			return 1u << i;
	return 0;
}

/* Find the stack that consists of function @name on top of another stack, or
   add it with cost 0. @below_plus_1: number of the other stack + 1; 0: none.
   Return: the stack's number, or AL_KEY_TABLE_NO_MEMORY. */
static int64_t find_or_add_stack_number(struct folded *f, const char *name,
					uint64_t below_plus_1)
{
	struct al_key key = {{(uintptr_t)name, below_plus_1, 0}};
	uint32_t n = f->index.n;
	int64_t i = al_key_table_find_or_add_index(&f->index, &key);

	if (i < 0 || f->index.n == n)
		return i;
	if (al_array_reserve(f->stack, f->size, n + 1u) != 0)
		return AL_KEY_TABLE_NO_MEMORY;
	f->stack[i] = (struct stack){
		.depth =
			below_plus_1 ? f->stack[below_plus_1 - 1].depth + 1 : 1,
	};
	return i;
}

static int store_stack_number_in_new_frame(void *owner,
					   const struct an_frame *caller_frame,
					   struct an_frame *frame,
					   struct an_code_position target)
{
	struct folded *f = owner;
	int64_t i;

	(void)target;
	if (caller_frame != NULL &&
	    f->stack[caller_frame->user_data].depth == MAX_DEPTH) {
		frame->user_data = caller_frame->user_data;
		return 0;
	}
	i = find_or_add_stack_number(
		f, f->run.stacks.function[frame->function].name,
		caller_frame ? caller_frame->user_data + 1u : 0);
	frame->user_data = (uint32_t)i;
	return i < 0 ? -ENOMEM : 0;
}

static void ignore_pop(void *owner, const struct an_thread *t,
		       const struct an_frame *frame)
{
	(void)owner;
	(void)t;
	(void)frame;
}

static int add_selected_cost_to_stack(void *owner, const struct an_frame *frame,
				      struct an_code_position position,
				      const uint64_t cost[AN_N_EVENTS])
{
	struct folded *f = owner;

	(void)position;
	for (int i = 0; i < AN_N_EVENTS; i++)
		if (f->events >> i & 1)
			f->stack[frame->user_data].cost += cost[i];
	return 0;
}

static int folded_init_from_event_option(void *state, const struct an_env *env)
{
	struct folded *f = state;
	const unsigned counts = 1 << AN_IR | 1 << AN_DR | 1 << AN_DW;

	f->env = env;
	f->events = event_mask_ir_by_default_or_0_if_unknown(
		env->option(env->host, "event"));
	f->run.add_cost = add_selected_cost_to_stack;
	f->run.counts_only = (f->events & ~counts) == 0;
	f->run.stacks = (struct an_call_stacks){
		.env = env,
		.owner = f,
		.on_push = store_stack_number_in_new_frame,
		.on_pop = ignore_pop,
	};
	return f->events ? 0 : -EINVAL;
}

static int folded_add_block(void *state, const struct an_block *block)
{
	return an_callrun_lazy_init_add_block(&((struct folded *)state)->run,
					      block);
}

static int folded_simulate_batch_add_costs(void *state,
					   const struct an_batch *batch)
{
	return an_callrun_simulate_batch_and_add_costs(
		&((struct folded *)state)->run, batch);
}

static int folded_release_run(void *state)
{
	an_callrun_release_caches_and_stacks(&((struct folded *)state)->run);
	return 0;
}

/* Add the call stacks of another exec image. The number of a stack is higher
   than that of the stack below, so the latter was added before. */
static int folded_add_stacks_of_other_state(void *into, const void *from)
{
	const struct folded *source = from;
	struct folded *f = into;
	uint32_t *number = malloc((source->index.n + 1u) * sizeof(*number));
	int64_t i = 0;

	if (number == NULL)
		return -ENOMEM;
	number[0] = 0;
	for (uint32_t n = 0; n < source->index.n && i >= 0; n++) {
		const struct al_key *key = &source->index.key[n];

		i = find_or_add_stack_number(
			f, (const char *)(uintptr_t)key->word[0],
			number[key->word[1]]);
		number[n + 1] = (uint32_t)i + 1;
		if (i >= 0)
			f->stack[i].cost += source->stack[n].cost;
	}
	free(number);
	return i < 0 ? -ENOMEM : 0;
}

/* ---- the output ---- */

/* Write a name to *@out_end, escaped as al_escape_name_get_length() does, each
   ';' included; advance *@out_end to the NUL of the copy. */
static void append_escaped_name(char **out_end, const char *name)
{
	*out_end += al_escape_name_get_length(*out_end, name, ";");
}

static char *alloc_semicolon_separated_stack(const struct folded *f,
					     uint32_t stack_number)
{
	const char *name[MAX_DEPTH];
	uint64_t stack = stack_number + 1u, bytes = 1;
	unsigned depth = 0;
	char *line, *end;

	for (; stack != 0; stack = f->index.key[stack - 1].word[1]) {
		name[depth] = (const char *)(uintptr_t)f->index.key[stack - 1]
				      .word[0];
		bytes +=
			al_escape_name_get_length(NULL, name[depth++], ";") + 1;
	}
	line = end = malloc(bytes);
	while (line != NULL && depth-- > 0) {
		append_escaped_name(&end, name[depth]);
		*end++ = depth ? ';' : '\0';
	}
	return line;
}

struct line {
	char *text;
	uint64_t cost;
};

static int compare_lines_by_text(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->text,
		      ((const struct line *)b)->text);
}

static int fill_sorted_stack_lines(const struct folded *f,
				   struct line *lines_out, size_t *line_count)
{
	for (uint32_t i = 0; i < f->index.n; i++) {
		if (f->stack[i].cost == 0)
			continue;
		lines_out[*line_count].cost = f->stack[i].cost;
		lines_out[*line_count].text =
			alloc_semicolon_separated_stack(f, i);
		if (lines_out[*line_count].text == NULL)
			return -ENOMEM;
		++*line_count;
	}
	qsort(lines_out, *line_count, sizeof(*lines_out),
	      compare_lines_by_text);
	return 0;
}

static int folded_write_sorted_lines(const void *state)
{
	const struct folded *f = state;
	struct line *line = malloc((f->index.n + 1u) * sizeof(*line));
	struct an_output p = {.env = f->env};
	size_t n = 0;

	if (line == NULL)
		return -ENOMEM;
	p.error = fill_sorted_stack_lines(f, line, &n);
	an_output_write_string_unescaped(&p, "");
	for (size_t i = 0; i < n; i++) {
		an_output_write_string_unescaped(&p, line[i].text);
		an_output_write_string_unescaped(&p, " ");
		an_output_write_decimal(&p, line[i].cost);
		an_output_write_string_unescaped(&p, "\n");
		free(line[i].text);
	}
	free(line);
	return p.error;
}

static void free_calls_and_folded_stacks(void *state)
{
	struct folded *f = state;

	an_callrun_release_caches_and_stacks(&f->run);
	al_key_table_release(&f->index);
	free(f->stack);
}

static const struct an_option options[] = {
	{"event", "Ir|Dr|Dw|I1mr|D1mr|D1mw|ILmr|DLmr|DLmw|D1m|LLm",
	 "what is counted"},
	{"file", "PATH", "where to [standard output]"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_folded;

const struct an_class an_folded = {
	.name = "folded",
	.summary = "write costs by stack, for flame graphs",
	.options = options,
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
	.needs_names = true,
	.uses_caches = true,
	.accepts_warmup = true,
	.prints_output = true,
	.state_size = sizeof(struct folded),
	.open = folded_init_from_event_option,
	.block = folded_add_block,
	.batch = folded_simulate_batch_add_costs,
	.finish = folded_release_run,
	.merge = folded_add_stacks_of_other_state,
	.save = folded_write_sorted_lines,
	.close = free_calls_and_folded_stacks,
};
