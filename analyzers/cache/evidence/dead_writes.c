/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dead_writes.c - counts bytes that a site (an access of an instruction) writes
 * and nothing reads; see collectors.h
 *
 * For each byte of memory that was written and not read since, the site that
 * wrote it is stored: 4 bytes for each byte of the pages that the program
 * writes. A byte is dead if it is not read before it is written again or the
 * exec image ends. The memory epoch changes when something may have read memory
 * unobserved, such as a system call: bytes written in an earlier epoch are not
 * judged.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/evidence/collectors.h"
#include "base/tables/key_table.h"
#include "base/tables/array.h"

enum {
	PAGE = 4096,	   /* [bytes] */
	RECENT_PAGES = 64, /* entries of `recent`; a power of two */
	NOT_WRITTEN = 0,
};

struct page {
	uint32_t epoch;	       /* memory epoch of `writer` */
	uint32_t writer[PAGE]; /* for each byte: number of the site that wrote
				  it last, plus 1; NOT_WRITTEN: not written,
				  last written by AN_NO_SITE, or read since */
};

struct site_bytes {
	uint64_t written, overwritten, unread;
};

struct recent_page {
	uint64_t address;  /* address / PAGE + 1; 0: none */
	struct page *page; /* NULL: never written */
};

struct dead_writes {
	struct al_key_table numbers; /* numbers pages by address / PAGE */
	struct page **page;	     /* [size] pages by their number in
					`numbers`; NULL: never written */
	uint32_t size;
	struct recent_page recent[RECENT_PAGES]; /* by address / PAGE modulo
						    RECENT_PAGES */
	uint32_t epoch;		 /* memory epoch of the last access that was
				    collected */
	struct site_bytes *site; /* [n_sites] */
	uint32_t n_sites;
};

/* Return the number of the page with address @address_div_4096 * 4096, which
   gets the next number if it has none; -1: memory is short. */
static int64_t find_or_add_page_number(struct dead_writes *d,
				       uint64_t address_div_4096)
{
	struct al_key key = {{address_div_4096, 0, 0}};
	int64_t n = al_key_table_find_or_add_index(&d->numbers, &key);

	if (n < 0 || al_array_reserve_zeroed(d->page, d->size, d->numbers.n))
		return -1;
	return n;
}

/* Set @page_out to the page with address @address_div_4096 * 4096. A page that
   was never written is created if @create, else @page_out is set to NULL.
   Return: 0 or -ENOMEM. */
static int find_page_create_if_asked(struct dead_writes *d,
				     uint64_t address_div_4096, bool create,
				     struct page **page_out)
{
	struct recent_page *r = &d->recent[address_div_4096 % RECENT_PAGES];
	int64_t n;

	if (r->address != address_div_4096 + 1 || (r->page == NULL && create)) {
		n = find_or_add_page_number(d, address_div_4096);
		if (n < 0)
			return -ENOMEM;
		if (d->page[n] == NULL && create)
			d->page[n] = calloc(1, sizeof(*d->page[n]));
		*r = (struct recent_page){address_div_4096 + 1, d->page[n]};
	}
	*page_out = r->page;
	return create && *page_out == NULL ? -ENOMEM : 0;
}

/* Set the writer of bytes @first_offset to @end_offset - 1 of a page to
   @site_plus_1; NOT_WRITTEN: the new write has no site, as in a warm-up. Each
   byte that had a writer, and so was not read since, is counted as overwritten
   for the site that had written it. */
static void set_writer_count_overwritten(struct dead_writes *d, struct page *p,
					 unsigned first_offset,
					 unsigned end_offset,
					 uint32_t site_plus_1)
{
	for (unsigned i = first_offset; i < end_offset; i++) {
		if (p->writer[i] != NOT_WRITTEN)
			d->site[p->writer[i] - 1].overwritten++;
		p->writer[i] = site_plus_1;
	}
}

static void record_access_in_page(struct dead_writes *d, struct page *p,
				  unsigned first_offset, unsigned end_offset,
				  const struct an_observed_access *a)
{
	uint32_t writer = a->site == AN_NO_SITE ? NOT_WRITTEN : a->site + 1;

	if (p->epoch != a->memory_epoch) {
		memset(p->writer, 0, sizeof(p->writer));
		p->epoch = a->memory_epoch;
	}
	if (a->kind != PT_STORE)
		memset(p->writer + first_offset, 0,
		       (end_offset - first_offset) * sizeof(*p->writer));
	if (a->kind != PT_LOAD)
		set_writer_count_overwritten(d, p, first_offset, end_offset,
					     writer);
}

/* Record which bytes access @a reads and writes, page by page; do nothing if
   a->memory_epoch is 0, which means that not all accesses are recorded. Return:
   0 or -ENOMEM. */
static int record_access_in_all_its_pages(struct dead_writes *d,
					  const struct an_observed_access *a)
{
	uint64_t addr = a->addr, remaining = a->full_size;

	if (a->memory_epoch == 0)
		return 0;
	if (a->kind != PT_LOAD && a->site != AN_NO_SITE)
		d->site[a->site].written += a->full_size;
	while (remaining > 0) {
		unsigned first = (unsigned)(addr % PAGE);
		unsigned n = PAGE - first < remaining ? PAGE - first
						      : (unsigned)remaining;
		struct page *p;

		if (find_page_create_if_asked(d, addr / PAGE,
					      a->kind != PT_LOAD, &p) != 0)
			return -ENOMEM;
		if (p != NULL)
			record_access_in_page(d, p, first, first + n, a);
		addr += n;
		remaining -= n;
	}
	return 0;
}

static int
count_written_and_overwritten(void *state,
			      const struct an_observed_access *access,
			      size_t access_count, uint32_t n_sites)
{
	struct dead_writes *d = state;
	int err = al_array_reserve_zeroed(d->site, d->n_sites, n_sites);

	for (size_t i = 0; i < access_count && !err; i++)
		err = record_access_in_all_its_pages(d, &access[i]);
	if (access_count > 0)
		d->epoch = access[access_count - 1].memory_epoch;
	return err;
}

static void count_unread_bytes_of_page(struct dead_writes *d,
				       const struct page *p)
{
	for (unsigned i = 0; i < PAGE; i++)
		if (p->writer[i] != NOT_WRITTEN)
			d->site[p->writer[i] - 1].unread++;
}

static int count_last_epoch_unread_bytes(void *state)
{
	struct dead_writes *d = state;

	for (uint32_t i = 0; i < d->numbers.n; i++)
		if (d->page[i] && d->page[i]->epoch == d->epoch)
			count_unread_bytes_of_page(d, d->page[i]);
	return 0;
}

static void add_dead_write_counts(const void *state, uint32_t site,
				  struct an_site_counts *out)
{
	const struct dead_writes *d = state;

	if (site >= d->n_sites)
		return;
	out->count[AN_SITE_WRITTEN_BYTES] += d->site[site].written;
	out->count[AN_SITE_OVERWRITTEN_BYTES] += d->site[site].overwritten;
	out->count[AN_SITE_UNREAD_BYTES] += d->site[site].unread;
}

static void free_pages_and_access_site_counts(void *state)
{
	struct dead_writes *d = state;

	for (uint32_t i = 0; i < d->size; i++)
		free(d->page[i]);
	free(d->page);
	free(d->site);
	al_key_table_release(&d->numbers);
}

const struct an_collector an_collect_dead_writes = {
	.state_size = sizeof(struct dead_writes),
	.collect = count_written_and_overwritten,
	.finish = count_last_epoch_unread_bytes,
	.add_counts = add_dead_write_counts,
	.release = free_pages_and_access_site_counts,
};
