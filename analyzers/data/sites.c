/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites.c - stores the call stacks of allocations; see sites.h */

#include "analyzers/data/sites.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

enum { FIRST_ADDRESS = 1 /* index among a PT_SITE event's words */ };

/* Set site->same_callers of a site (call stack of an allocation) that gets the
   number @site_number. Return: 0; -ENOMEM. */
static int set_first_site_with_same_callers(struct an_sites *s,
					    struct an_site *site,
					    uint32_t site_number)
{
	uint32_t names, callers,
		first = s->has_one_caller ? an_site_innermost_named_caller(
						    site, s->names.env)
					  : 1;
	bool is_new;
	int err = an_site_names_find_or_add_stack_number(
		&s->names, site->addr + first,
		site->n_callers == 0 ? 0 : site->n_callers - first + 1,
		site->log_bytes, &names);

	if (!err)
		err = al_key_table_find_or_add_pair(&s->callers, names, 0,
						    &callers, &is_new);
	if (!err && is_new)
		err = al_array_reserve(s->first_site, s->first_site_size,
				       s->callers.n);
	if (err)
		return err;
	if (is_new)
		s->first_site[callers] = site_number;
	site->same_callers = s->first_site[callers];
	return 0;
}

/* Set same_callers and function, numbers that are equal for equal names, of a
   site (call stack of an allocation) that gets the number @site_number. Return:
   0; -ENOMEM. */
static int set_ids_equal_for_equal_frame_names(struct an_sites *s,
					       struct an_site *site,
					       uint32_t site_number)
{
	int err;

	site->same_callers = site->function = site_number;
	if (s->names.env == NULL)
		return 0;
	err = set_first_site_with_same_callers(s, site, site_number);
	return err ? err
		   : an_site_names_find_or_add_function(
			     &s->names, site->addr[0], site->log_bytes,
			     &site->function);
}

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
	s->site[s->n] = (struct an_site){
		.log_bytes = an_stream_event_word_or_0(batch, site_event, 0),
		.n_callers = n - 1,
		.addr = addr,
	};
	s->n++;
	return set_ids_equal_for_equal_frame_names(s, &s->site[s->n - 1], s->n);
}

bool an_sites_has_site_with_number(const struct an_sites *s,
				   uint32_t site_number)
{
	return site_number > 0 && site_number <= s->n;
}

uint32_t an_sites_first_site_with_same_callers(const struct an_sites *s,
					       uint32_t site_number)
{
	return s->site[site_number - 1].same_callers;
}

uint32_t *an_sites_allocation_group_or_unknown(struct an_sites *s,
					       uint32_t site_number,
					       bool is_of_pool)
{
	if (!an_sites_has_site_with_number(s, site_number))
		return &s->unknown_group[is_of_pool];
	s->site[site_number - 1].is_of_block = true;
	return &s->site[an_sites_first_site_with_same_callers(s, site_number) -
			1]
			.group[is_of_pool];
}

void an_sites_release(struct an_sites *s)
{
	free(s->site);
	free(s->first_site);
	al_key_table_release(&s->callers);
	an_site_names_release(&s->names);
	an_arena_free_all_and_reset(&s->addresses);
	*s = (struct an_sites){0};
}

bool an_site_find_symbol_is_in_object_file(const struct an_site *site,
					   uint32_t address_index,
					   const struct an_env *env,
					   struct an_symbol *symbol_out)
{
	/* the byte before a return address belongs to the call */
	return env->symbol_in_site(
		env->host, site->addr[address_index] - (address_index > 0),
		site->log_bytes, symbol_out);
}

uint32_t an_site_innermost_named_caller(const struct an_site *site,
					const struct an_env *env)
{
	struct an_symbol symbol;

	for (uint32_t i = 1; i <= site->n_callers; i++)
		if (!an_site_find_symbol_is_in_object_file(site, i, env,
							   &symbol) ||
		    strcmp(symbol.function, "???") != 0)
			return i;
	return 1;
}
