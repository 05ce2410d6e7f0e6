/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ramulator.c - writes traces for memory simulators
 *
 *	LD 0x1ffeffe7e0		of=accesses: every data access; a modify is
 *	ST 0x1ffeffe7d8		both
 *
 *	0x1ffeffe7c0 R		of=memory: lines that the last level misses,
 *	0x4a5c80 W		and lines that it writes back to replace them
 *
 * format=ldst or format=rw selects the form of the lines for either.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/block_list.h"
#include "analyzers/cache/model/access_runs.h"
#include "analyzers/lru/set_assoc.h"
#include "analyzers/output_text.h"

struct ramulator {
	const struct an_env *env;
	struct an_block_list blocks;
	bool of_memory;
	bool as_letters;
	struct an_set_assoc ways[AN_MAX_LEVELS];
	unsigned smallest_line; /* [bytes]; 0: the levels are not initialised
				   yet */
};

static int ramulator_parse_options(void *state, const struct an_env *env)
{
	struct ramulator *r = state;
	const char *source = env->option(env->host, "of");
	const char *format = env->option(env->host, "format");

	r->env = env;
	r->of_memory = source != NULL && strcmp(source, "memory") == 0;
	r->as_letters = format ? strcmp(format, "rw") == 0 : r->of_memory;
	return 0;
}

static int init_levels_and_smallest_line(struct ramulator *r)
{
	const struct an_geometry *g = r->env->geometry;
	int err = 0;

	r->smallest_line = ~0u;
	for (int i = 0; i < g->n_levels && !err; i++) {
		err = an_set_assoc_init(&r->ways[i], &g->level[i]);
		if (g->level[i].line < r->smallest_line)
			r->smallest_line = g->level[i].line;
	}
	return err;
}

static int ramulator_init_once_store_block(void *state,
					   const struct an_block *block)
{
	struct ramulator *r = state;

	if (r->smallest_line == 0 && init_levels_and_smallest_line(r) != 0)
		return -ENOMEM;
	return an_block_list_append(&r->blocks, block);
}

/* Write one line of the trace to @p; do nothing if @p is NULL, as in warm-up
   batches. */
static void write_trace_line_unless_warmup(const struct ramulator *r,
					   struct an_output *p, bool is_write,
					   uint64_t addr)
{
	if (p == NULL)
		return;
	if (!r->as_letters)
		an_output_write_string_unescaped(p, is_write ? "ST " : "LD ");
	an_output_write_hex_with_0x(p, addr);
	an_output_write_string_unescaped(
		p, r->as_letters ? is_write ? " W\n" : " R\n" : "\n");
}

/* Simulate a use of a line in the last level. If it misses, also if it is a
   write, write to the trace that the line is read from memory, and then that
   the replaced line is written, if it is dirty. */
static void simulate_and_trace_last_level(struct ramulator *r,
					  struct an_output *p, int level,
					  uint64_t line, bool write)
{
	struct an_set_assoc *w = &r->ways[level];
	uint64_t written;

	if (!an_set_assoc_touch_is_miss(w, line, write))
		return;
	write_trace_line_unless_warmup(r, p, false, line << w->shift);
	written = an_set_assoc_written_back_line(w);
	if (written != UINT64_MAX)
		write_trace_line_unless_warmup(r, p, true, written << w->shift);
}

/* Simulate an access from @first_level down, as in
   analyzers/cache/model/hierarchy.h, and write to the trace the lines that it
   reads from memory and those that it writes back. */
static void simulate_and_trace_access(struct ramulator *r, struct an_output *p,
				      int first_level, struct an_ref ref)
{
	const struct an_geometry *g = r->env->geometry;
	uint64_t first, last;

	for (; g->level[first_level].next != AN_MEMORY;
	     first_level = g->level[first_level].next)
		if (!an_set_assoc_access_is_miss(&r->ways[first_level],
						 ref.addr, ref.size, ref.write))
			return;
	first = ref.addr >> r->ways[first_level].shift;
	last = (ref.addr + ref.size - 1) >> r->ways[first_level].shift;
	simulate_and_trace_last_level(r, p, first_level, first, ref.write);
	if (last != first)
		simulate_and_trace_last_level(r, p, first_level, last,
					      ref.write);
}

static void simulate_fetch_if_memory_trace(struct ramulator *r,
					   struct an_output *p,
					   const struct pt_instr *i)
{
	if (r->of_memory)
		simulate_and_trace_access(
			r, p, r->env->geometry->first_instruction,
			(struct an_ref){i->addr, i->len, false});
}

static void trace_data_access(struct ramulator *r, struct an_output *p,
			      const struct pt_access *a, struct an_ref ref)
{
	if (r->of_memory) {
		simulate_and_trace_access(r, p, r->env->geometry->first_data,
					  ref);
		return;
	}
	if (a->kind != PT_STORE)
		write_trace_line_unless_warmup(r, p, false, ref.addr);
	if (a->kind != PT_LOAD)
		write_trace_line_unless_warmup(r, p, true, ref.addr);
}

static void simulate_or_trace_execution(struct ramulator *r,
					struct an_output *p,
					const struct an_batch *batch,
					struct an_exec e)
{
	const struct an_block *b = r->blocks.block[e.block];
	const struct pt_exit *x = &b->exit[an_exec_exit_number(e)];
	struct an_ref ref;
	unsigned access = 0;

	for (unsigned i = 0; i < x->n_instrs; i++) {
		simulate_fetch_if_memory_trace(r, p, &b->instr[i]);
		for (; access < x->n_accesses && b->access[access].instr <= i;
		     access++)
			if (an_block_compute_access_ref(
				    b, r->smallest_line, access,
				    batch->slots +
					    an_exec_first_slot_word_index(e),
				    &ref))
				trace_data_access(r, p, &b->access[access],
						  ref);
	}
}

static int ramulator_trace_batch(void *state, const struct an_batch *batch)
{
	struct ramulator *r = state;
	struct an_output p = {.env = r->env};

	for (size_t i = 0; i < batch->n_execs && !p.error; i++)
		simulate_or_trace_execution(r, batch->warm ? NULL : &p, batch,
					    batch->exec[i]);
	return p.error;
}

static int ramulator_check_simulation_memory(void *state)
{
	struct ramulator *r = state;
	struct an_output p = {.env = r->env};

	an_output_write_string_unescaped(&p, "");
	for (int i = 0; i < AN_MAX_LEVELS && !p.error; i++)
		p.error = r->ways[i].failed ? -ENOMEM : 0;
	return p.error;
}

static void free_caches_and_block_list(void *state)
{
	struct ramulator *r = state;

	for (int i = 0; i < AN_MAX_LEVELS; i++)
		an_set_assoc_release(&r->ways[i]);
	an_block_list_free_array(&r->blocks);
}

static const struct an_option options[] = {
	{"of", "accesses|memory",
	 "every data access, or those that miss the last level"},
	{"format", "ldst|rw", "'LD 0x...', or '0x... R' [of memory: rw]"},
	{"file", "PATH", "where to [standard output]; %n: process number"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_ramulator;

const struct an_class an_ramulator = {
	.name = "ramulator",
	.summary = "write a trace for Ramulator",
	.options = options,
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES,
	.uses_caches = true,
	.accepts_warmup = true,
	.prints_output = true,
	.state_size = sizeof(struct ramulator),
	.open = ramulator_parse_options,
	.block = ramulator_init_once_store_block,
	.batch = ramulator_trace_batch,
	.finish = ramulator_check_simulation_memory,
	.close = free_caches_and_block_list,
};
