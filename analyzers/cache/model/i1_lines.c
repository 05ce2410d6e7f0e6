/* SPDX-License-Identifier: GPL-2.0-or-later */
/* i1_lines.c - where lines of code are; see i1_lines.h */

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

/* Room for @n in an array of 32 bits each. */
static bool has_room(uint32_t **array, size_t *size, size_t n)
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

/* The short number of a line. */
static int number(struct an_codelines *c, uint64_t line,
		  const struct an_first *f, uint32_t *out)
{
	uint32_t before = c->index.n;
	int64_t n = an_index_find(&c->index, &(struct an_key){{line}});

	if (n < 0 || !has_room(&c->way, &c->ways_size, c->index.n))
		return -ENOMEM;
	if (n == before)
		c->way[n] = AN_NOWHERE | an_first_place(f, line);
	*out = (uint32_t)n;
	return 0;
}

static uint16_t missing(const struct an_run *r, uint32_t shift)
{
	uint64_t line = r->delta >> shift, first = an_run_addr(r);
	uint64_t last = first + an_run_len(r) - 1;
	unsigned begun = first >> shift != line ? AN_CODE_BEGUN : 0;
	unsigned ends = last >> shift != line ? AN_CODE_ENDS : 0;

	return (uint16_t)(r->first | begun | ends);
}

/* Room for a block's piece, zeroed; NULL: there is none. */
static uint32_t *new_block(struct an_codelines *c, unsigned n_exits, unsigned n)
{
	size_t size =
		an_codelines_head(n_exits, n) + (n > AN_LINES_AT_ONCE ? n : 0);
	size_t end = c->n_words + size;
	uint32_t *block;

	if (!has_room(&c->begin, &c->begins_size, c->n_begins + 1) ||
	    !has_room(&c->word, &c->words_size, end) || end > UINT32_MAX)
		return NULL;
	block = memset(c->word + c->n_words, 0, size * sizeof(*block));
	c->begin[c->n_begins++] = (uint32_t)c->n_words;
	c->n_words = end;
	return block;
}

/* The numbers of a block, behind its first lines. */
static void fill_halves(uint16_t *half, const struct an_path *p, uint32_t shift)
{
	const struct an_run *r = an_path_runs(p);
	unsigned n_exits = p->block->n_exits, n = p->n[n_exits - 1];

	*half++ = (uint16_t)n_exits;
	memcpy(half, p->n, n_exits * sizeof(*half));
	half += n_exits;
	for (unsigned i = 0; i < n; i++)
		half[i] = missing(&r[i], shift);
}

int an_codelines_add(struct an_codelines *c, const struct an_path *p,
		     const struct an_first *f)
{
	const struct an_run *r = an_path_runs(p);
	unsigned n_exits = p->block->n_exits, n = p->n[n_exits - 1];
	uint32_t *block = new_block(c, n_exits, n), *list;

	if (block == NULL)
		return -ENOMEM;
	fill_halves((uint16_t *)an_codelines_halves(block), p, f->shift);
	list = (uint32_t *)an_codelines_list(block);
	for (unsigned i = 0; i < n; i++)
		if (number(c, r[i].delta >> f->shift, f, &list[i]) < 0)
			return -ENOMEM;
	if (list != block)
		memcpy(block, list, AN_LINES_AT_ONCE * sizeof(*block));
	return 0;
}

uint32_t an_codelines_take(struct an_codelines *c, uint32_t line,
			   const struct an_first *f)
{
	uint32_t place = c->way[line] & ~AN_NOWHERE;
	uint32_t at = an_first_oldest(f, place);

	if (c->line[at] != AN_NOWHERE)
		c->way[c->line[at]] = AN_NOWHERE | place;
	c->line[at] = line;
	c->way[line] = at;
	return at;
}
