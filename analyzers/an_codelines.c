/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_codelines.c - where lines of code are; see an_codelines.h */

#include "analyzers/an_codelines.h"

#include <errno.h>
#include <stdlib.h>

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

/* How many 32 bits @n numbers of 16 bits need. */
static size_t halves(size_t n)
{
	return (n + 1) / 2;
}

int an_codelines_add(struct an_codelines *c, const struct an_path *p,
		     const struct an_first *f)
{
	const struct an_run *r = an_path_runs(p);
	unsigned n_exits = p->block->n_exits;
	unsigned n = p->n[n_exits - 1];
	size_t at = c->n_words + halves(n_exits + 1), end = at + n + halves(n);
	uint16_t *count, *rows;
	int err = 0;

	if (!has_room(&c->begin, &c->begins_size, c->n_begins + 1) ||
	    !has_room(&c->word, &c->words_size, end + AN_LINES_AT_ONCE) ||
	    end > UINT32_MAX)
		return -ENOMEM;
	count = (uint16_t *)(c->word + at);
	count[-1] = (uint16_t)n;
	for (unsigned e = 0; e < n_exits; e++)
		count[-2 - (int)e] = p->n[e];
	rows = (uint16_t *)(c->word + at + n);
	for (unsigned i = 0; i < n && !err; i++) {
		err = number(c, r[i].delta >> f->shift, f, &c->word[at + i]);
		rows[i] = missing(&r[i], f->shift);
	}
	if (err)
		return err;
	c->begin[c->n_begins++] = (uint32_t)at;
	c->n_words = end;
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
