/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_table.c - sums the evidence of sites; see site_table.h */

#include "analyzers/cache/evidence/site_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	PAGE_MASK = 4095, /* of an address: its offset in a page, which is the
			     same wherever an object is mapped */
};

/* Return the number of a row; AN_KEY_TABLE_NO_MEMORY. */
static int64_t find_or_add_row_number(struct an_site_table *t,
				      const struct an_site_position *p)
{
	const struct an_symbol *s = &p->symbol;
	struct an_key function = {{(uintptr_t)s->function, (uintptr_t)s->file,
				   (uintptr_t)s->object}};
	int64_t n = an_key_table_find_or_add(&t->functions, &function);
	struct an_key site = {{(uint64_t)n, s->line,
			       (p->addr & PAGE_MASK) << 32 |
				       (uint64_t)p->access << 16 | p->kind}};

	return n < 0 ? n : an_key_table_find_or_add(&t->sites, &site);
}

int an_site_table_add(struct an_site_table *t, const struct an_site_position *p,
		      const struct an_site_counts *counts)
{
	int64_t n = find_or_add_row_number(t, p);
	struct an_site_row *row;

	if (n < 0)
		return -ENOMEM;
	if (n >= t->size) {
		row = realloc(t->row, t->sites.size * sizeof(*row));
		if (row == NULL)
			return -ENOMEM;
		memset(row + t->size, 0,
		       (t->sites.size - t->size) * sizeof(*row));
		t->row = row;
		t->size = t->sites.size;
	}
	row = &t->row[n];
	if (row->position.symbol.function == NULL)
		row->position = *p;
	row->position.addr &= PAGE_MASK;
	for (int i = 0; i < AN_N_SITE_COUNTS; i++)
		row->counts.count[i] += counts->count[i];
	return 0;
}

int an_site_table_merge(struct an_site_table *to,
			const struct an_site_table *from)
{
	int err = 0;

	for (uint32_t i = 0; i < from->sites.n && !err; i++)
		err = an_site_table_add(to, &from->row[i].position,
					&from->row[i].counts);
	return err;
}

void an_site_table_release(struct an_site_table *t)
{
	an_key_table_release(&t->functions);
	an_key_table_release(&t->sites);
	free(t->row);
	*t = (struct an_site_table){0};
}
