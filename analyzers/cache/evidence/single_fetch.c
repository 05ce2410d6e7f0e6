/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * single_fetch.c - counts the lines that the first level of data fetches once
 * in the exec image
 *
 * No lower level is asked for such a line again. A line is counted for the site
 * (access of an instruction) that fetched it. Takes about 300 bytes for every
 * 64 adjacent lines of which at least one was fetched.
 */
#include <errno.h>
#include <stdlib.h>

#include "analyzers/cache/evidence/collectors.h"
#include "base/tables/key_table.h"
#include "base/tables/array.h"

enum { PAGE_LINES = 64 };

#define NEVER 0		      /* the line was not fetched */
#define NOT_SINGLE UINT32_MAX /* the line was fetched again, or by AN_NO_SITE */

/* How often each of PAGE_LINES consecutive cache lines was fetched: NEVER;
   NOT_SINGLE; or, if once, the number plus 1 of the site (access of an
   instruction) that fetched it. */
struct page {
	uint32_t line[PAGE_LINES];
};

struct data_line_fetches {
	uint64_t *single; /* by site: lines fetched once; [size] */
	uint32_t size;
	struct al_key_table page_numbers; /* by line number / PAGE_LINES */
	struct page *page;		  /* [pages_size] by number in
					     page_numbers */
	uint32_t pages_size;
};

/* Return the page (PAGE_LINES adjacent cache lines) that contains @line, which
   is created if it is new; NULL if memory is short. */
static struct page *get_or_create_page_of_line(struct data_line_fetches *c,
					       uint64_t line)
{
	struct al_key key = {{line / PAGE_LINES, 0, 0}};
	int64_t n = al_key_table_find_or_add_index(&c->page_numbers, &key);

	if (n < 0 || al_array_reserve_zeroed(c->page, c->pages_size,
					     c->page_numbers.n) != 0)
		return NULL;
	return &c->page[n];
}

static int record_fetch_adjust_single_counts(struct data_line_fetches *c,
					     uint64_t line, uint32_t site)
{
	struct page *p = get_or_create_page_of_line(c, line);
	uint32_t *state = p ? &p->line[line % PAGE_LINES] : NULL;

	if (state == NULL)
		return -ENOMEM;
	if (*state == NEVER && site != AN_NO_SITE) {
		c->single[site]++;
		*state = site + 1;
		return 0;
	}
	if (*state != NEVER && *state != NOT_SINGLE)
		c->single[*state - 1]--;
	*state = NOT_SINGLE;
	return 0;
}

static int
count_lines_with_one_fetch_in_whole_run(void *state,
					const struct an_observed_access *access,
					size_t access_count, uint32_t n_sites)
{
	struct data_line_fetches *c = state;
	int err = al_array_reserve_zeroed(c->single, c->size, n_sites);

	for (size_t i = 0; i < access_count; i++)
		for (unsigned k = 0; k < access[i].n_touches && !err; k++)
			if (access[i].touch[k].missed)
				err = record_fetch_adjust_single_counts(
					c, access[i].touch[k].line,
					access[i].site);
	return err;
}

static void add_never_refetched_lines_of_site(const void *state, uint32_t site,
					      struct an_site_counts *out)
{
	const struct data_line_fetches *c = state;

	if (site < c->size)
		out->count[AN_SITE_SINGLE_LINES] += c->single[site];
}

static void free_single_fetch_counts_and_pages(void *state)
{
	struct data_line_fetches *c = state;

	al_key_table_release(&c->page_numbers);
	free(c->page);
	free(c->single);
}

const struct an_collector an_collect_single_fetches = {
	.state_size = sizeof(struct data_line_fetches),
	.collect = count_lines_with_one_fetch_in_whole_run,
	.add_counts = add_never_refetched_lines_of_site,
	.release = free_single_fetch_counts_and_pages,
};
