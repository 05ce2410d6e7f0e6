/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mix.c - counts instructions by class, and the arithmetic that they do
 *
 * Each instruction of a block is decoded once, when the block is new. How often
 * it was executed follows from how often the block was left by each exit.
 *
 * Threads: executions of all threads but the first of the process are counted
 * one by one; the remaining executions are the first thread's.
 */

#include "analyzers/mix/mix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/arena.h"
#include "analyzers/block_list.h"
#include "analyzers/mix/instr_kind.h"
#include "analyzers/result_table.h"
#include "base/tables/array.h"

/* Counts of one execution of a block that leaves it by a certain exit. */
struct exec_counts {
	uint32_t count[AN_N_MIX_THREAD_COUNTS];
};

/* A decoded block. */
struct mix_block {
	const uint32_t *kind;		/* [n_instrs] number of each
					   instruction's kind in result.kinds */
	const struct exec_counts *exit; /* [n_exits] counts of one execution
					   that leaves by the exit */
};

struct mix {
	struct an_mix_result result;
	const struct an_env *env;
	struct an_block_list blocks;
	struct mix_block *block; /* [size] by id of the block */
	size_t size;
	struct an_arena arena;
	struct al_key_table codes; /* bytes of the instructions that were
				      decoded */
	uint32_t *kind_of_code;	   /* [codes.n] number in result.kinds of the
				      kind of each element of codes */
	size_t max_codes;
	unsigned running; /* index in result.thread of the running thread;
			     executions of thread 0 are not counted one by one:
			     its counts are the totals less those of the
			     others */
};

static int mix_open(void *state, const struct an_env *env)
{
	struct mix *m = state;

	m->env = env;
	m->result.places.n_counts = AN_N_MIX_COUNTS;
	return 0;
}

/* ---- blocks ---- */
void an_mix_add_arithmetic_operations(uint64_t count[AN_N_MIX_COUNTS],
				      const struct al_key *kind_key,
				      uint64_t times)
{
	struct an_operations o = an_instr_kind_arithmetic_of_key(kind_key);
	uint64_t n = o.count * times;

	switch (o.type) {
	case AN_INTEGER:
		count[AN_MIX_INTEGER] += n;
		return;
	case AN_X87:
		count[AN_MIX_X87] += n;
		break;
	case AN_FLOAT:
		if (o.width == 32)
			count[AN_MIX_SINGLE] += n;
		else if (o.width == 64)
			count[AN_MIX_DOUBLE] += n;
		if (o.elements > 1)
			count[AN_MIX_VECTOR] += n;
		break;
	default:
		return;
	}
	count[AN_MIX_FLOPS] += n;
}

/* Decode an instruction and return the number of its kind, which is added if it
   is new; -1 if memory is short. */
static int64_t decode_to_kind_number(struct mix *m, const uint8_t *code,
				     unsigned code_bytes)
{
	struct al_key kind = an_instr_kind_decode_to_key(code, code_bytes);

	return al_key_table_find_or_add_index(&m->result.kinds, &kind);
}

/* Return the number of an instruction's kind; -1 if memory is short.
   Instructions of equal bytes are decoded only once. @code: NULL: unknown. */
static int64_t find_or_add_kind_of_code_or_minus_1(struct mix *m,
						   const uint8_t *code,
						   unsigned code_bytes)
{
	struct al_key key = {{0}};
	uint32_t known = m->codes.n;
	int64_t i, kind;

	if (code == NULL || code_bytes >= sizeof(key))
		return decode_to_kind_number(m, code, code_bytes);
	memcpy(&key, code, code_bytes);
	((uint8_t *)&key)[sizeof(key) - 1] = (uint8_t)code_bytes;
	i = al_key_table_find_or_add_index(&m->codes, &key);
	if (i < 0 || i < known)
		return i < 0 ? -1 : (int64_t)m->kind_of_code[i];
	kind = decode_to_kind_number(m, code, code_bytes);
	if (kind < 0 ||
	    al_array_reserve(m->kind_of_code, m->max_codes, m->codes.n) != 0)
		return -1;
	m->kind_of_code[i] = (uint32_t)kind;
	return kind;
}

/* Return an array, in the arena, of the number of each instruction's kind; new
   kinds are added. NULL if memory is short. */
static uint32_t *decode_instr_kinds_in_arena(struct mix *m,
					     const struct an_block *b)
{
	uint32_t *kind =
		an_arena_alloc(&m->arena, (b->n_instrs + 1) * sizeof(*kind));
	const uint8_t *code = b->code;

	for (unsigned i = 0; kind && i < b->n_instrs; i++) {
		int64_t n = find_or_add_kind_of_code_or_minus_1(
			m, code, b->instr[i].len);

		if (n < 0)
			return NULL;
		kind[i] = (uint32_t)n;
		if (code != NULL)
			code += b->instr[i].len;
	}
	return kind;
}

/* Set @one_exec_out to the counts of one execution of a block that ends at exit
   @x. The bytes of accesses are not counted here, because they depend on
   guards. */
static void sum_one_exec_up_to_exit(const struct mix *m, const uint32_t *kind,
				    const struct pt_exit *x,
				    struct exec_counts *one_exec_out)
{
	uint64_t count[AN_N_MIX_COUNTS] = {[AN_MIX_INSTRUCTIONS] = x->n_instrs};

	for (unsigned i = 0; i < x->n_instrs; i++)
		an_mix_add_arithmetic_operations(
			count, &m->result.kinds.key[kind[i]], 1);
	for (unsigned i = 0; i < AN_N_MIX_THREAD_COUNTS; i++)
		one_exec_out->count[i] = (uint32_t)count[i];
}

static int mix_add_block(void *state, const struct an_block *b)
{
	struct mix *m = state;
	struct exec_counts *exit =
		an_arena_alloc(&m->arena, b->n_exits * sizeof(*exit));
	uint32_t *kind = decode_instr_kinds_in_arena(m, b);

	if (exit == NULL || kind == NULL ||
	    al_array_reserve(m->block, m->size, m->blocks.n + 1) != 0)
		return -ENOMEM;
	for (unsigned e = 0; e < b->n_exits; e++)
		sum_one_exec_up_to_exit(m, kind, &b->exit[e], &exit[e]);
	m->block[m->blocks.n] = (struct mix_block){kind, exit};
	return an_block_list_append(&m->blocks, b);
}

/* ---- threads ---- */

/* Return the thread with a number, which is added if it is new; NULL if memory
   is short. */
static struct an_mix_thread *find_or_add_thread(struct an_mix_result *r,
						uint32_t number)
{
	struct an_mix_thread *t;

	for (unsigned i = 0; i < r->n_threads; i++)
		if (r->thread[i].number == number)
			return &r->thread[i];
	t = realloc(r->thread, (r->n_threads + 1) * sizeof(*t));
	if (t == NULL)
		return NULL;
	r->thread = t;
	r->thread[r->n_threads] = (struct an_mix_thread){.number = number};
	return &r->thread[r->n_threads++];
}

static int find_or_add_and_set_running_thread(struct mix *m,
					      uint32_t thread_number)
{
	struct an_mix_thread *t = find_or_add_thread(&m->result, thread_number);

	if (t == NULL)
		return -ENOMEM;
	m->running = (unsigned)(t - m->result.thread);
	return 0;
}

static void add_exec_counts_to_running_thread(struct mix *m, struct an_exec e)
{
	const struct exec_counts *x =
		&m->block[e.block].exit[an_exec_exit_number(e)];

	for (unsigned i = 0; i < AN_N_MIX_THREAD_COUNTS; i++)
		m->result.thread[m->running].count[i] += x->count[i];
}

static int mix_count_execs_of_non_first_threads(void *state,
						const struct an_batch *batch)
{
	struct mix *m = state;
	size_t exec = 0;

	for (size_t i = 0; i <= batch->n_marks; i++) {
		size_t end = i < batch->n_marks ? batch->mark[i].before_exec
						: batch->n_execs;

		for (; m->running && exec < end; exec++)
			add_exec_counts_to_running_thread(m, batch->exec[exec]);
		exec = end;
		if (i < batch->n_marks && batch->mark[i].kind == PT_THREAD &&
		    find_or_add_and_set_running_thread(m, batch->mark[i].id))
			return -ENOMEM;
	}
	return 0;
}

/* ---- end ---- */
static int grow_zeroed_kind_counts(struct an_mix_result *r, uint32_t min_count)
{
	uint64_t *count;

	if (min_count <= r->n_kind_counts)
		return 0;
	count = realloc(r->kind_count, min_count * sizeof(*count));
	if (count == NULL)
		return -ENOMEM;
	memset(count + r->n_kind_counts, 0,
	       (min_count - r->n_kind_counts) * sizeof(*count));
	r->kind_count = count;
	r->n_kind_counts = min_count;
	return 0;
}

/* Add the bytes that instruction @instr_index read and wrote in all executions
   to the totals of @r and to @count. @first_access: index of the first access
   that may belong to it. Return: index of the first access of a later
   instruction. */
static unsigned add_instr_bytes_return_next_access(
	struct an_mix_result *r, const struct an_block *b, unsigned instr_index,
	unsigned first_access, uint64_t count[AN_N_MIX_COUNTS])
{
	for (; first_access < b->n_accesses &&
	       b->access[first_access].instr == instr_index;
	     first_access++) {
		const struct pt_access *a = &b->access[first_access];
		uint64_t bytes =
			an_access_performed_count(b, first_access) * a->size;

		if (a->kind != PT_STORE)
			r->bytes_read += bytes;
		if (a->kind != PT_LOAD)
			r->bytes_written += bytes;
		count[AN_MIX_BYTES] += a->kind == PT_MODIFY ? 2 * bytes : bytes;
	}
	return first_access;
}

/* Add the counts of all executions of block @b to the totals, kinds and source
   lines of the result. Return: 0 or -ENOMEM. */
static int add_block_counts_to_result(struct mix *m, const struct an_block *b)
{
	struct an_mix_result *r = &m->result;
	unsigned access = 0;
	int err = 0;

	for (unsigned i = 0; i < b->n_instrs && !err; i++) {
		uint64_t times = an_instr_exec_count(b, i);
		uint64_t count[AN_N_MIX_COUNTS] = {times};
		uint32_t kind = m->block[b->id].kind[i];
		struct an_symbol place;

		access = add_instr_bytes_return_next_access(r, b, i, access,
							    count);
		if (times == 0)
			continue;
		r->kind_count[kind] += times;
		an_mix_add_arithmetic_operations(count, &r->kinds.key[kind],
						 times);
		for (unsigned k = 0; k < AN_N_MIX_COUNTS; k++)
			r->total[k] += count[k];
		m->env->symbol(m->env->host, b, i, &place);
		err = an_place_counts_add_to_line(&r->places, &place, count);
	}
	return err;
}

/* Set the counts of the first thread, which is added as number 1 if there is
   none, to the totals less the counts of all other threads. Return: 0 or
   -ENOMEM. */
static int set_first_thread_counts_to_remainder(struct an_mix_result *r)
{
	if (r->n_threads == 0 && !find_or_add_thread(r, 1))
		return -ENOMEM;
	for (unsigned k = 0; k < AN_N_MIX_THREAD_COUNTS; k++) {
		r->thread[0].count[k] = r->total[k];
		for (unsigned i = 1; i < r->n_threads; i++)
			r->thread[0].count[k] -= r->thread[i].count[k];
	}
	return 0;
}

static void free_blocks_arena_and_decoded_codes(struct mix *m)
{
	an_block_list_free_array(&m->blocks);
	an_arena_free_all_and_reset(&m->arena);
	al_key_table_release(&m->codes);
	free(m->kind_of_code);
	free(m->block);
	m->kind_of_code = NULL;
	m->block = NULL;
}

static int mix_sum_blocks_and_free_them(void *state)
{
	struct mix *m = state;
	int err = grow_zeroed_kind_counts(&m->result, m->result.kinds.n);

	for (size_t i = 0; i < m->blocks.n && !err; i++)
		err = add_block_counts_to_result(m, m->blocks.block[i]);
	if (!err)
		err = set_first_thread_counts_to_remainder(&m->result);
	free_blocks_arena_and_decoded_codes(m);
	return err;
}

static int add_kind_counts_of_other_result(struct an_mix_result *to,
					   const struct an_mix_result *from)
{
	for (uint32_t i = 0; i < from->n_kind_counts; i++) {
		int64_t n = al_key_table_find_or_add_index(&to->kinds,
							   &from->kinds.key[i]);

		if (n < 0 || grow_zeroed_kind_counts(to, to->kinds.n))
			return -ENOMEM;
		to->kind_count[n] += from->kind_count[i];
	}
	return 0;
}

static int mix_merge_results(void *into, const void *from)
{
	struct an_mix_result *to = &((struct mix *)into)->result;
	const struct an_mix_result *r = &((const struct mix *)from)->result;

	to->bytes_read += r->bytes_read;
	to->bytes_written += r->bytes_written;
	for (unsigned k = 0; k < AN_N_MIX_COUNTS; k++)
		to->total[k] += r->total[k];
	for (unsigned i = 0; i < r->n_threads; i++) {
		struct an_mix_thread *t =
			find_or_add_thread(to, r->thread[i].number);

		if (t == NULL)
			return -ENOMEM;
		for (unsigned k = 0; k < AN_N_MIX_THREAD_COUNTS; k++)
			t->count[k] += r->thread[i].count[k];
	}
	if (add_kind_counts_of_other_result(to, r))
		return -ENOMEM;
	return an_place_counts_add_all(&to->places, &r->places);
}

static void mix_add_result_to_model(const void *state, struct al_model *model)
{
	an_mix_add_result_to_model(&((const struct mix *)state)->result, model);
}

static int mix_write_csv_if_requested(const void *state)
{
	return an_result_write_csv_if_requested(
		((const struct mix *)state)->env, state,
		mix_add_result_to_model, "classes");
}

static void mix_free_all(void *state)
{
	struct mix *m = state;

	free_blocks_arena_and_decoded_codes(m);
	al_key_table_release(&m->result.kinds);
	an_place_counts_release(&m->result.places);
	free(m->result.kind_count);
	free(m->result.thread);
}

static const struct an_option mix_options[] = {
	{"table", "classes|operations|threads|functions|lines",
	 "write this table as CSV"},
	{"file", "PATH", "write it there; default standard output"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_mix;

const struct an_class an_mix = {
	.name = "mix",
	.summary = "count instructions by class, and arithmetic",
	.options = mix_options,
	.needs = PT_FIELD_ACCESSES,
	.needs_names = true,
	.state_size = sizeof(struct mix),
	.open = mix_open,
	.block = mix_add_block,
	.batch = mix_count_execs_of_non_first_threads,
	.finish = mix_sum_blocks_and_free_them,
	.merge = mix_merge_results,
	.result = mix_add_result_to_model,
	.save = mix_write_csv_if_requested,
	.close = mix_free_all,
};
