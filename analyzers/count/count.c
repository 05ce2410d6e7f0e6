/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count.c - counts instructions, reads, writes and modifies
 *
 * Needs no addresses: the counts follow from how often each block was left by
 * each exit, which the host counts, and from guards that were false.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzers/analyzer.h"
#include "analyzers/grouped_number.h"

struct count {
	const struct an_block **block;
	size_t n_blocks;
	size_t size;
	uint64_t instructions;
	uint64_t blocks;
	uint64_t by_kind[3]; /* by enum pt_access_kind: accesses */
};

static int count_add_block(void *state, const struct an_block *block)
{
	struct count *c = state;

	if (c->n_blocks == c->size) {
		size_t size = c->size ? 2 * c->size : 1024;
		void *p = realloc(c->block, size * sizeof(*c->block));

		if (p == NULL)
			return -ENOMEM;
		c->block = p;
		c->size = size;
	}
	c->block[c->n_blocks++] = block;
	return 0;
}

static void add_exit_counts(struct count *c, const struct an_block *b,
			    unsigned exit)
{
	uint64_t times = b->exit_count[exit];

	c->blocks += times;
	c->instructions += times * b->exit[exit].n_instrs;
	for (unsigned i = 0; i < b->exit[exit].n_accesses; i++)
		c->by_kind[b->access[i].kind] += times;
}

static int count_finish(void *state)
{
	struct count *c = state;

	for (size_t i = 0; i < c->n_blocks; i++) {
		const struct an_block *b = c->block[i];

		for (unsigned e = 0; e < b->n_exits; e++)
			add_exit_counts(c, b, e);
		for (unsigned a = 0; b->skip_count && a < b->n_accesses; a++)
			c->by_kind[b->access[a].kind] -= b->skip_count[a];
	}
	free(c->block);
	c->block = NULL;
	c->n_blocks = c->size = 0;
	return 0;
}

static int count_merge(void *into, const void *from)
{
	struct count *a = into;
	const struct count *b = from;

	a->instructions += b->instructions;
	a->blocks += b->blocks;
	for (int i = 0; i < 3; i++)
		a->by_kind[i] += b->by_kind[i];
	return 0;
}

/* Return the number of reads. A modify counts as a read and also as a write. */
static uint64_t count_reads(const struct count *c)
{
	return c->by_kind[PT_LOAD] + c->by_kind[PT_MODIFY];
}

static uint64_t count_writes(const struct count *c)
{
	return c->by_kind[PT_STORE] + c->by_kind[PT_MODIFY];
}

static void count_report(const void *state, struct an_sink *sink)
{
	const struct count *c = state;

	sink->number(sink, "instructions", c->instructions);
	sink->number(sink, "reads", count_reads(c));
	sink->number(sink, "writes", count_writes(c));
	sink->number(sink, "modifies", c->by_kind[PT_MODIFY]);
	sink->number(sink, "blocks", c->blocks);
}

static void print_count(struct an_text *text, const char *name, uint64_t n)
{
	char line[80], number[AN_GROUPED_SIZE];

	snprintf(line, sizeof(line), "  %-16s %20s", name,
		 an_format_grouped(number, n));
	text->line(text, line);
}

static void count_print(const void *state, struct an_text *text)
{
	const struct count *c = state;

	text->heading(text, "Counts");
	print_count(text, "instructions", c->instructions);
	print_count(text, "reads", count_reads(c));
	print_count(text, "writes", count_writes(c));
	print_count(text, "modifies", c->by_kind[PT_MODIFY]);
	print_count(text, "block executions", c->blocks);
}

static void count_close(void *state)
{
	free(((struct count *)state)->block);
}

extern const struct an_class an_count;

const struct an_class an_count = {
	.name = "count",
	.summary = "count instructions and accesses; records no addresses",
	.needs = PT_FIELD_ACCESSES,
	.state_size = sizeof(struct count),
	.block = count_add_block,
	.finish = count_finish,
	.merge = count_merge,
	.report = count_report,
	.print = count_print,
	.close = count_close,
};
