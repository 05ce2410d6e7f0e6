/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites.c - stores the call stacks of allocations; see sites.h */

#include "analyzers/data/sites.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

enum { FIRST_ADDRESS = 1 /* index among a PT_SITE event's words */ };

int an_sites_add_if_event_number_is_next(
	struct an_sites *s, const struct an_batch *batch,
	const struct an_stream_event *site_event)
{
	uint32_t n = site_event->n_words - FIRST_ADDRESS;
	uint64_t *addr;

	if (site_event->id != s->n + 1 || s->n == AN_MAX_SITES ||
	    site_event->n_words <= FIRST_ADDRESS)
		return 0;
	if (n > 1 + AN_MAX_SITE_DEPTH)
		n = 1 + AN_MAX_SITE_DEPTH;
	addr = an_arena_alloc(&s->addresses, n * sizeof(*addr));
	if (addr == NULL || al_array_reserve(s->site, s->size, s->n + 1) != 0)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		addr[i] = an_stream_event_word_or_0(batch, site_event,
						    FIRST_ADDRESS + i);
	s->site[s->n++] = (struct an_site){
		.log_bytes = an_stream_event_word_or_0(batch, site_event, 0),
		.n_callers = n - 1,
		.addr = addr,
	};
	return 0;
}

bool an_sites_has_site_with_number(const struct an_sites *s,
				   uint32_t site_number)
{
	return site_number > 0 && site_number <= s->n;
}

uint32_t *an_sites_allocation_group_or_unknown(struct an_sites *s,
					       uint32_t site_number)
{
	return an_sites_has_site_with_number(s, site_number)
		       ? &s->site[site_number - 1].group
		       : &s->unknown_group;
}

void an_sites_release(struct an_sites *s)
{
	free(s->site);
	an_arena_free_all_and_reset(&s->addresses);
	*s = (struct an_sites){0};
}

void an_site_find_symbol(const struct an_site *site, uint32_t address_index,
			 const struct an_env *env, struct an_symbol *symbol_out)
{
	/* the byte before a return address belongs to the call */
	env->symbol_in_site(env->host,
			    site->addr[address_index] - (address_index > 0),
			    site->log_bytes, symbol_out);
}
