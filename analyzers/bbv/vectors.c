/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vectors.c - writes the vectors of intervals
 *
 *	T:1:120   :7:15		T, then for each basic block that the interval
 *				executed its number, from 1, and how many of its
 *				instructions were executed
 *	M:1073:4   :9:1		memory=yes: lines of data, number and accesses
 *	# block 7 0x401136 5 main
 *				at the end, for each basic block that was
 *				executed: number, address, length [instructions]
 *				and function
 *
 * The lines that begin with T are those of Valgrind's exp-bbv.
 */
#include <errno.h>
#include <stdlib.h>

#include "analyzers/bbv/bbv.h"
#include "base/tables/array.h"

/* Append ":NUMBER:COUNT" and three spaces to the line: the number of a basic
   block and how many instructions were executed in it, or the number of a line
   of memory and how many accesses touched it. */
static void write_number_and_count(struct an_output *o, uint64_t number,
				   uint64_t count)
{
	an_output_write_string_unescaped(o, ":");
	an_output_write_decimal(o, number);
	an_output_write_string_unescaped(o, ":");
	an_output_write_decimal(o, count);
	an_output_write_string_unescaped(o, "   ");
}

/* Add the instructions of the executions that left a block by one exit to the
   sums of their basic blocks, and set the count of the exit to 0. */
static void move_exit_to_basic_block_sums(struct an_bbv *s,
					  struct an_exit_count *x)
{
	const struct an_bbv_block *b = &s->block[x->block];

	for (size_t i = b->first_part; i < b->end_part; i++) {
		const struct an_block_part *p = &s->blocks.part[i];
		unsigned end =
			p->end_instr < x->n_instrs ? p->end_instr : x->n_instrs;

		if (end <= p->first_instr)
			break;
		s->sum[an_basic_blocks_find_or_add_number(&s->blocks,
							  p->basic_block) -
		       1] += x->count * (end - p->first_instr);
	}
	x->count = 0;
}

static int write_basic_blocks_line_clear_counts(struct an_bbv *s)
{
	if (al_array_reserve_zeroed(s->sum, s->max_sums, s->blocks.known.n) !=
		    0 ||
	    an_basic_blocks_reserve_number_arrays(&s->blocks) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < s->n_used; i++)
		move_exit_to_basic_block_sums(s, &s->exit[s->used[i]]);
	s->n_used = 0;
	an_output_write_string_unescaped(&s->output, "T");
	for (uint32_t i = 0; i < s->blocks.n_numbered; i++)
		if (s->sum[i] != 0) {
			write_number_and_count(&s->output, i + 1u, s->sum[i]);
			s->sum[i] = 0;
		}
	an_output_write_string_unescaped(&s->output, "\n");
	return 0;
}

static void write_touched_lines_line_and_clear(struct an_bbv *s)
{
	an_output_write_string_unescaped(&s->output, "M");
	for (uint32_t i = 0; i < s->lines.line.n; i++)
		write_number_and_count(&s->output, s->lines.line.key[i].word[0],
				       s->lines.count[i]);
	an_output_write_string_unescaped(&s->output, "\n");
	an_touched_lines_release(&s->lines);
}

int an_bbv_write_and_end_interval(struct an_bbv *s)
{
	int err = write_basic_blocks_line_clear_counts(s);

	if (err)
		return err;
	if (s->has_lines)
		write_touched_lines_line_and_clear(s);
	s->n_intervals++;
	s->n_instrs += s->instrs;
	s->instrs = 0;
	return s->output.error;
}

int an_bbv_write_list_of_basic_blocks(struct an_bbv *s)
{
	struct an_symbol symbol;

	for (uint32_t i = 0; i < s->blocks.n_numbered; i++) {
		const uint64_t *key =
			s->blocks.known.key[s->blocks.numbered[i]].word;
		const struct an_instr_node *n = &s->blocks.code.node[key[0]];

		s->env->symbol(s->env->host, n->block, n->instr, &symbol);
		an_output_write_string_unescaped(&s->output, "# block ");
		an_output_write_decimal(&s->output, i + 1u);
		an_output_write_string_unescaped(&s->output, " ");
		an_output_write_hex_with_0x(&s->output, n->address);
		an_output_write_string_unescaped(&s->output, " ");
		an_output_write_decimal(&s->output, key[1]);
		an_output_write_string_unescaped(&s->output, " ");
		an_output_write_escaped_name(&s->output, symbol.function, "");
		an_output_write_string_unescaped(&s->output, "\n");
	}
	return s->output.error;
}
