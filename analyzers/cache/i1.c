/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * i1.c - code, in its first level
 *
 * While every line of a batch's code is there, all that the batch changes is
 * the order in which lines were used last; that follows from the last execution
 * of each block, and loops need not be gone through.
 *
 * Otherwise the lines of executions are put into one list, and then used one by
 * one: two loops without a jump that depends on which blocks those are, but for
 * the few of many lines. What misses is gathered, see lower_levels.c.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/simulation.h"

enum {
	SPARE = 4096, /* lines of blocks that have many */
	MOST_LINES = SPARE + 2 * PT_MAX_INSTRS + AN_BATCH * AN_LINES_AT_ONCE,
	OF_EXEC = 1 << 16, /* more than a block has */
};

/* Numbers side by side. */
typedef uint32_t an_few
	__attribute__((vector_size(AN_LINES_AT_ONCE * sizeof(uint32_t))));

_Static_assert(AN_LINES_AT_ONCE == 4, "so many has an_few where it is set");
_Static_assert(2 * (int)PT_MAX_INSTRS <= (int)OF_EXEC, "a block's lines fit");

/* Some executions' lines, one behind the other; and MOST_LINES further on, for
   each the number of its execution * OF_EXEC + its own among that one's. */
struct list {
	size_t n_execs;
	size_t n;
	uint32_t line[2 * MOST_LINES];
};

/* Of a block that has many. */
static void list_many(uint32_t *line, const uint32_t *block, unsigned n,
		      unsigned exec)
{
	memcpy(line, an_codelines_list(block), n * sizeof(*line));
	for (unsigned i = 0; i < n; i++)
		line[MOST_LINES + i] = exec * OF_EXEC + i;
}

/* Of as many executions as there is room for. */
static void list_lines(const struct an_codelines *c, const struct an_exec *exec,
		       size_t n_execs, struct list *l)
{
	uint32_t *line = l->line;
	an_few from = {0, 1, 2, 3};
	size_t i;

	for (i = 0; i < n_execs; i++, from += OF_EXEC) {
		const uint32_t *block = an_codelines_block(c, exec[i].block);
		unsigned n = an_codelines_count(block, an_exit(exec[i]));

		memcpy(line, block, sizeof(from));
		memcpy(line + MOST_LINES, &from, sizeof(from));
		if (n > AN_LINES_AT_ONCE) {
			if (line > l->line + SPARE)
				break;
			list_many(line, block, n, (unsigned)i);
		}
		line += n;
	}
	l->n = (size_t)(line - l->line);
	l->n_execs = i;
}

/* What a line's first instruction sends on: where no level behind has shorter
   lines, a byte of it, and one of the other line that it is in. */
static struct an_ref ref_of(const struct an_cachesim *s, struct an_exec e,
			    unsigned i, uint32_t line, unsigned missing)
{
	uint64_t number = an_codelines_number(&s->codelines, line);
	uint32_t shift = s->hierarchy.first[AN_INSTRUCTION].shift;
	bool ends = missing & AN_CODE_ENDS;
	bool two = missing & (AN_CODE_BEGUN | AN_CODE_ENDS);

	if (s->code_narrows) {
		const struct an_run *r = an_path_runs(s->plan[e.block].code);

		return (struct an_ref){an_run_addr(r + i), an_run_len(r + i),
				       false};
	}
	return (struct an_ref){((number + ends) << shift) - two, 1u + two,
			       false};
}

/* The @i-th line of an execution is missing. An instruction in two lines misses
   once, in whichever line. 0 or -ENOMEM. */
static int miss(struct an_cachesim *s, struct an_misses *misses,
		struct an_exec e, unsigned i, uint32_t line)
{
	const uint32_t *block = an_codelines_block(&s->codelines, e.block);
	unsigned missing = an_codelines_missing(block, i);
	unsigned row = missing & AN_CODE_ROW;
	const struct an_miss *last =
		misses->n > misses->from ? &misses->miss[misses->n - 1] : NULL;
	struct an_miss *next;

	if (last && last->when == an_when(e, row) && last->block == e.block)
		return 0;
	next = an_misses_next(misses);
	if (next == NULL)
		return -ENOMEM;
	an_miss_fill(next, e, AN_INSTRUCTION, row, row,
		     ref_of(s, e, i, line, missing));
	return 0;
}

/* 0 or -ENOMEM. */
static int use_lines(struct an_cachesim *s, const struct an_exec *exec,
		     const struct list *l, struct an_misses *misses)
{
	struct an_first *f = &s->hierarchy.first[AN_INSTRUCTION];
	const uint32_t *way = s->codelines.way;
	int32_t *used = f->used, clock = f->clock;
	int err = 0;

	for (const uint32_t *line = l->line; line < l->line + l->n; line++) {
		uint32_t at = way[*line];

		if (an_codelines_is_nowhere(at)) {
			uint32_t from = line[MOST_LINES];

			at = an_codelines_take(&s->codelines, *line, f);
			err |= miss(s, misses, exec[from / OF_EXEC],
				    from % OF_EXEC, *line);
		}
		used[at] = ++clock;
	}
	f->clock = clock;
	return err;
}

static int use_all(struct an_cachesim *s, const struct an_batch *batch,
		   struct an_misses *misses)
{
	struct list l;
	int err = 0;

	for (size_t i = 0; i < batch->n_execs && !err; i += l.n_execs) {
		list_lines(&s->codelines, batch->exec + i, batch->n_execs - i,
			   &l);
		err = use_lines(s, batch->exec + i, &l, misses);
	}
	return err;
}

/* What a batch executes last: each list once, last one first. */
struct last {
	unsigned n;
	struct {
		const uint32_t *line;
		unsigned n;
	} item[AN_BATCH];
};

/* Never one that seen[] may have from long ago. */
static uint32_t next_number(struct an_cachesim *s)
{
	if (s->n_listed == UINT32_MAX >> AN_EXIT_BITS) {
		memset(s->seen, 0, s->plans_size * sizeof(*s->seen));
		s->n_listed = 0;
	}
	return ++s->n_listed;
}

static void list_last(struct an_cachesim *s, const struct an_batch *batch,
		      struct last *l)
{
	uint32_t number = next_number(s) << AN_EXIT_BITS, *seen = s->seen;

	l->n = 0;
	for (size_t i = batch->n_execs; i-- > 0;) {
		struct an_exec e = batch->exec[i];
		uint32_t now = number | an_exit(e);
		const uint32_t *block;

		if (seen[e.block] >= now)
			continue;
		seen[e.block] = now;
		block = an_codelines_block(&s->codelines, e.block);
		l->item[l->n].n = an_codelines_count(block, an_exit(e));
		l->item[l->n++].line = an_codelines_list(block);
	}
}

static bool all_present(const struct an_codelines *c, const struct last *l)
{
	uint32_t missing = 0;

	for (unsigned i = 0; i < l->n; i++)
		for (unsigned k = 0; k < l->item[i].n; k++)
			missing |= c->way[l->item[i].line[k]];
	return !an_codelines_is_nowhere(missing);
}

static void use_last(struct an_first *first, const struct an_codelines *c,
		     const struct last *l)
{
	for (unsigned i = l->n; i-- > 0;)
		for (unsigned k = 0; k < l->item[i].n; k++)
			first->used[c->way[l->item[i].line[k]]] =
				++first->clock;
}

/* Return: whether it is done, which it is not when some line is missing. */
static bool run_last(struct an_cachesim *s, const struct an_batch *batch)
{
	struct last l;

	list_last(s, batch, &l);
	if (!all_present(&s->codelines, &l))
		return false;
	use_last(&s->hierarchy.first[AN_INSTRUCTION], &s->codelines, &l);
	return true;
}

static bool has_room(struct an_lane *l)
{
	size_t size = l->stretches_size ? 2 * l->stretches_size : 16;
	void *p;

	if (l->n_stretches < l->stretches_size)
		return true;
	p = realloc(l->stretch, size * sizeof(*l->stretch));
	if (p == NULL)
		return false;
	l->stretch = p;
	l->stretches_size = size;
	return true;
}

/* Tells the tail where the batch's misses end. */
static int note_end(struct an_lane *l, bool warm)
{
	struct an_stretch *stretch;

	if (!has_room(l))
		return -ENOMEM;
	stretch = an_lane_stretch(l, &l->n_stretches, warm);
	stretch->code = l->code.n;
	stretch->data = 0; /* until it is run */
	return 0;
}

int an_cachecode_prepare(struct an_cachesim *s, const struct an_batch *batch)
{
	struct an_lane *l = &s->lane[batch->lane];
	int err = 0;

	l->code.from = l->code.n;
	an_first_wind(&s->hierarchy.first[AN_INSTRUCTION]);
	if (!s->calm || !run_last(s, batch)) {
		err = use_all(s, batch, &l->code);
		s->calm = l->code.n == l->code.from;
	}
	return err ? err : note_end(l, batch->warm);
}
