/* SPDX-License-Identifier: GPL-2.0-or-later */
/* i1_lines.c - records the ways of lines of code; see i1_lines.h */

#include "analyzers/cache/model/i1_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int an_codelines_init(struct an_codelines *c, const struct an_first *f)
{
	*c = (struct an_codelines){0};
	c->line = malloc(f->pitch * sizeof(*c->line));
	if (c->line == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < f->pitch; i++)
		c->line[i] = AN_NOWHERE;
	return 0;
}

void an_codelines_release(struct an_codelines *c)
{
	an_index_release(&c->index);
	free(c->way);
	free(c->line);
	free(c->word);
	free(c->begin);
	*c = (struct an_codelines){0};
}

/* Make room for @n elements of 32 bits. Return: false if memory is short. */
static bool make_room(uint32_t **array, size_t *size, size_t n)
{
	size_t more = *size ? *size : 1024;
	void *p;

	while (more < n)
		more *= 2;
	if (more == *size)
		return true;
	p = realloc(*array, more * sizeof(**array));
	if (p == NULL)
		return false;
	*array = p;
	*size = more;
	return true;
}

/* Find or assign the number of a line (address / line size) into @out. Return:
   0 or -ENOMEM. */
static int number_line(struct an_codelines *c, uint64_t line,
		       const struct an_first *f, uint32_t *out)
{
	uint32_t before = c->index.n;
	int64_t n = an_index_find(&c->index, &(struct an_key){{line}});

	if (n < 0 || !make_room(&c->way, &c->ways_size, c->index.n))
		return -ENOMEM;
	if (n == before)
		c->way[n] = AN_NOWHERE | an_first_place(f, line);
	*out = (uint32_t)n;
	return 0;
}

static uint16_t line_code(const struct an_run *r, uint32_t shift)
{
	uint64_t line = r->delta >> shift, first = an_run_addr(r);
	uint64_t last = first + an_run_len(r) - 1;
	unsigned begun = first >> shift != line ? AN_CODE_BEGUN : 0;
	unsigned ends = last >> shift != line ? AN_CODE_ENDS : 0;

	return (uint16_t)(r->first | begun | ends);
}

/* Append a zeroed record for a block with @n lines. NULL if memory is short. */
static uint32_t *add_record(struct an_codelines *c, unsigned n_exits,
			    unsigned n)
{
	size_t size =
		an_codelines_head(n_exits, n) + (n > AN_LINES_AT_ONCE ? n : 0);
	size_t end = c->n_words + size;
	uint32_t *block;

	if (!make_room(&c->begin, &c->begins_size, c->n_begins + 1) ||
	    !make_room(&c->word, &c->words_size, end) || end > UINT32_MAX)
		return NULL;
	block = memset(c->word + c->n_words, 0, size * sizeof(*block));
	c->begin[c->n_begins++] = (uint32_t)c->n_words;
	c->n_words = end;
	return block;
}

/* Fill in the 16-bit values of a block's record. */
static void fill_halves(uint16_t *half, const struct an_path *p, uint32_t shift)
{
	const struct an_run *r = an_path_runs(p);
	unsigned n_exits = p->block->n_exits, n = p->n[n_exits - 1];

	*half++ = (uint16_t)n_exits;
	memcpy(half, p->n, n_exits * sizeof(*half));
	half += n_exits;
	for (unsigned i = 0; i < n; i++)
		half[i] = line_code(&r[i], shift);
}

int an_codelines_add(struct an_codelines *c, const struct an_path *p,
		     const struct an_first *f)
{
	const struct an_run *r = an_path_runs(p);
	unsigned n_exits = p->block->n_exits, n = p->n[n_exits - 1];
	uint32_t *block = add_record(c, n_exits, n), *list;

	if (block == NULL)
		return -ENOMEM;
	fill_halves((uint16_t *)an_codelines_halves(block), p, f->shift);
	list = (uint32_t *)an_codelines_list(block);
	for (unsigned i = 0; i < n; i++)
		if (number_line(c, r[i].delta >> f->shift, f, &list[i]) < 0)
			return -ENOMEM;
	if (list != block)
		memcpy(block, list, AN_LINES_AT_ONCE * sizeof(*block));
	return 0;
}

uint32_t an_codelines_take(struct an_codelines *c, uint32_t line,
			   const struct an_first *f)
{
	uint32_t set_start = c->way[line] & ~AN_NOWHERE;
	uint32_t way = an_first_oldest(f, set_start);

	if (c->line[way] != AN_NOWHERE)
		c->way[c->line[way]] = AN_NOWHERE | set_start;
	c->line[way] = line;
	c->way[line] = way;
	return way;
}
