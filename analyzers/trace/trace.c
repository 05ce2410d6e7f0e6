/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.c - writes every access as a line of text
 *
 * format=lackey prints the lines of `valgrind --tool=lackey --trace-mem=yes`:
 *
 *	I  04001090,3          an instruction: address, length
 *	 L 1ffeffe7e0,8        a load;  S a store;  M a modify
 *
 * format=text prints a line for each access with the address of its
 * instruction; thread switches and signals are comments:
 *
 *	0x4001090: W 0x1ffeffe7d8 8        R, W or M; address, size
 *	# thread 2
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/analyzer.h"
#include "analyzers/block_list.h"

enum {
	BUFFER = 1 << 16, /* [bytes] lines of the trace that are collected
			     before they are written */
	MAX_LINE = 80,	  /* [bytes] maximum length of a line */
};

struct trace {
	const struct an_env *env;
	struct an_block_list blocks;
	bool as_text;
	char *buffer;
	size_t used;
	int error;
};

static int trace_parse_format_alloc_buffer(void *state,
					   const struct an_env *env)
{
	struct trace *t = state;
	const char *format = env->option(env->host, "format");

	t->env = env;
	t->as_text = format != NULL && strcmp(format, "text") == 0;
	t->buffer = malloc(BUFFER + MAX_LINE);
	return t->buffer ? 0 : -ENOMEM;
}

static int trace_store_block(void *state, const struct an_block *block)
{
	return an_block_list_append(&((struct trace *)state)->blocks, block);
}

static void write_out_and_empty_buffer(struct trace *t)
{
	if (t->error == 0 && t->used > 0)
		t->error = t->env->write(t->env->host, t->buffer, t->used);
	t->used = 0;
}

static void append_bytes_unchecked(struct trace *t, const char *s, size_t len)
{
	memcpy(t->buffer + t->used, s, len);
	t->used += len;
}

/* Append a number in lower-case hexadecimal, with at least @min_digits digits.
   */
static void append_hex_unchecked(struct trace *t, uint64_t value,
				 int min_digits)
{
	char digits[16];
	int n = 16;

	do {
		digits[--n] = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value != 0 || 16 - n < min_digits);
	append_bytes_unchecked(t, digits + n, (size_t)(16 - n));
}

static void append_decimal_unchecked(struct trace *t, uint64_t value)
{
	char digits[20];
	int n = 20;

	do
		digits[--n] = (char)('0' + value % 10);
	while ((value /= 10) != 0);
	append_bytes_unchecked(t, digits + n, (size_t)(20 - n));
}

static void end_line_flush_if_full(struct trace *t)
{
	t->buffer[t->used++] = '\n';
	if (t->used > BUFFER)
		write_out_and_empty_buffer(t);
}

static void append_lackey_line_flush_if_full(struct trace *t,
					     const char *kind_3_chars,
					     uint64_t addr, unsigned size)
{
	append_bytes_unchecked(t, kind_3_chars, 3);
	append_hex_unchecked(t, addr, 8);
	t->buffer[t->used++] = ',';
	append_decimal_unchecked(t, size);
	end_line_flush_if_full(t);
}

static void append_text_line_flush_if_full(struct trace *t, uint64_t pc,
					   char kind, uint64_t addr,
					   unsigned size)
{
	const char middle[] = {':', ' ', kind, ' ', '0', 'x'};

	append_bytes_unchecked(t, "0x", 2);
	append_hex_unchecked(t, pc, 1);
	append_bytes_unchecked(t, middle, sizeof(middle));
	append_hex_unchecked(t, addr, 1);
	t->buffer[t->used++] = ' ';
	append_decimal_unchecked(t, size);
	end_line_flush_if_full(t);
}

static void write_access_if_done(struct trace *t, const struct an_block *b,
				 unsigned access_index,
				 const struct an_batch *batch, struct an_exec e)
{
	static const char *const lackey[] = {" L ", " S ", " M "};
	const struct pt_access *a = &b->access[access_index];
	uint64_t value = 0;

	if (a->slot != PT_NO_SLOT) {
		value = an_exec_slot_value(batch, e, a->slot);
		if ((a->flags & PT_GUARDED) && value == PT_NOT_DONE)
			return;
	}
	if (t->as_text)
		append_text_line_flush_if_full(t, b->instr[a->instr].addr,
					       "RWM"[a->kind], value + a->delta,
					       a->size);
	else
		append_lackey_line_flush_if_full(t, lackey[a->kind],
						 value + a->delta, a->size);
}

static void write_trace_lines_of_execution(struct trace *t,
					   const struct an_batch *batch,
					   struct an_exec e)
{
	const struct an_block *b = t->blocks.block[e.block];
	const struct pt_exit *exit = &b->exit[an_exec_exit_number(e)];
	unsigned next = 0;

	for (unsigned i = 0; i < exit->n_instrs; i++) {
		if (!t->as_text)
			append_lackey_line_flush_if_full(
				t, "I  ", b->instr[i].addr, b->instr[i].len);
		for (; next < exit->n_accesses && b->access[next].instr == i;
		     next++)
			write_access_if_done(t, b, next, batch, e);
	}
}

static void write_thread_or_signal_comment_if_text(struct trace *t,
						   const struct an_mark *m)
{
	if (!t->as_text || (m->kind != PT_THREAD && m->kind != PT_SIGNAL))
		return;
	append_bytes_unchecked(
		t, m->kind == PT_THREAD ? "# thread " : "# signal ", 9);
	append_decimal_unchecked(t, m->id);
	end_line_flush_if_full(t);
}

static int trace_write_batch(void *state, const struct an_batch *batch)
{
	struct trace *t = state;
	size_t mark = 0;

	for (size_t i = 0; i < batch->n_execs; i++) {
		for (; mark < batch->n_marks &&
		       batch->mark[mark].before_exec <= i;
		     mark++)
			write_thread_or_signal_comment_if_text(
				t, &batch->mark[mark]);
		write_trace_lines_of_execution(t, batch, batch->exec[i]);
	}
	for (; mark < batch->n_marks; mark++)
		write_thread_or_signal_comment_if_text(t, &batch->mark[mark]);
	return t->error;
}

static int trace_flush_at_finish(void *state)
{
	struct trace *t = state;

	write_out_and_empty_buffer(t);
	return t->error;
}

static void trace_free_buffers(void *state)
{
	struct trace *t = state;

	an_block_list_free_array(&t->blocks);
	free(t->buffer);
}

static const struct an_option options[] = {
	{"format", "lackey|text", "Lackey's lines, or one line per access"},
	{"file", "PATH", "where to [standard output]; %n: process number"},
	{NULL, NULL, NULL},
};

extern const struct an_class an_trace;

const struct an_class an_trace = {
	.name = "trace",
	.summary = "write every access as text",
	.options = options,
	.needs = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES | PT_FIELD_UNUSED_LOADS,
	.prints_output = true,
	.state_size = sizeof(struct trace),
	.open = trace_parse_format_alloc_buffer,
	.block = trace_store_block,
	.batch = trace_write_batch,
	.finish = trace_flush_at_finish,
	.close = trace_free_buffers,
};
