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

/* ---- names ---- */

/* An instruction of a described block, with the address that it names: its own
   address if it is the entry of a function (is_entry), else the address after
   it, which is a return address. */
struct an_site_place {
	uint64_t addr;
	uint64_t log_end; /* as an_described.log_end */
	uint32_t block;	  /* id of the described block */
	uint16_t instr;
	bool is_entry;
};

static int compare_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int compare_address_then_block(const void *a, const void *b)
{
	const struct an_site_place *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->block > y->block) - (x->block < y->block);
}

/* List the addresses of all sites, sorted and with duplicates, in
   names->wanted. Return: 0; -ENOMEM. */
static int
list_sorted_site_addresses_with_duplicates(struct an_site_names *names,
					   const struct an_sites *s)
{
	size_t n = 0;

	for (uint32_t i = 0; i < s->n; i++)
		n += 1 + s->site[i].n_callers;
	names->wanted = malloc((n + 1) * sizeof(*names->wanted));
	if (names->wanted == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; k <= s->site[i].n_callers; k++)
			names->wanted[names->n_wanted++] = s->site[i].addr[k];
	if (n > 0)
		qsort(names->wanted, n, sizeof(*names->wanted),
		      compare_addresses);
	return 0;
}

/* Append @place to names->place if its address is in names->wanted. Return: 0;
   -ENOMEM. */
static int add_place_if_address_wanted(struct an_site_names *names,
				       struct an_site_place place)
{
	if (bsearch(&place.addr, names->wanted, names->n_wanted,
		    sizeof(*names->wanted), compare_addresses) == NULL)
		return 0;
	if (al_array_reserve(names->place, names->size, names->n + 1) != 0)
		return -ENOMEM;
	names->place[names->n++] = place;
	return 0;
}

/* Whether instruction @instr_index is the last one of the block, or the next
   one of the block does not begin where it ends. */
static bool is_last_or_next_not_adjacent(const struct pt_instr *instr,
					 unsigned instr_index,
					 unsigned instr_count)
{
	return instr_index + 1 == instr_count ||
	       instr[instr_index + 1].addr !=
		       instr[instr_index].addr + instr[instr_index].len;
}

/* Add those places of described block @block_id whose addresses are wanted: its
   first instruction as an entry, and as possible calls the instructions that
   end a sequence of adjacent ones. Return: 0; -ENOMEM. */
static int add_wanted_places_of_described_block(
	struct an_site_names *names, uint32_t block_id,
	const struct pt_instr *instr, const struct an_described *described)
{
	struct an_site_place place = {.log_end = described->log_end,
				      .block = block_id,
				      .is_entry = true};
	int err = 0;

	if (described->n_instrs == 0)
		return 0;
	place.addr = instr[0].addr;
	err = add_place_if_address_wanted(names, place);
	place.is_entry = false;
	for (unsigned i = 0; i < described->n_instrs && !err; i++) {
		place.addr = instr[i].addr + instr[i].len;
		place.instr = (uint16_t)i;
		if (is_last_or_next_not_adjacent(instr, i, described->n_instrs))
			err = add_place_if_address_wanted(names, place);
	}
	return err;
}

int an_site_names_init_find_instrs(struct an_site_names *names,
				   const struct an_sites *sites,
				   const struct an_env *env)
{
	struct an_described d;
	const struct pt_instr *instr;
	int err;

	*names = (struct an_site_names){.env = env};
	if (sites->n == 0)
		return 0;
	err = list_sorted_site_addresses_with_duplicates(names, sites);
	for (uint32_t id = 0; !err; id++) {
		instr = env->described_block(env->host, id, &d);
		if (instr == NULL)
			break;
		err = add_wanted_places_of_described_block(names, id, instr,
							   &d);
	}
	if (!err && names->n > 0)
		qsort(names->place, names->n, sizeof(*names->place),
		      compare_address_then_block);
	return err;
}

/* Return the index of the first place whose address is greater than @addr;
   names->n if there is none. */
static size_t first_place_index_above_address(const struct an_site_names *names,
					      uint64_t addr)
{
	size_t low = 0, high = names->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (names->place[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return the last place at @addr that had been described when the site was
   recorded, an entry if @is_entry, else a possible call; NULL: there is none.
   */
static const struct an_site_place *
find_place_described_before(const struct an_site_names *names,
			    const struct an_site *site, uint64_t addr,
			    bool is_entry)
{
	size_t k = first_place_index_above_address(names, addr);

	for (; k > 0 && names->place[k - 1].addr == addr; k--) {
		const struct an_site_place *p = &names->place[k - 1];

		if (p->log_end <= site->log_bytes && p->is_entry == is_entry)
			return p;
	}
	return NULL;
}

void an_site_names_symbol_or_unknown(const struct an_site_names *names,
				     const struct an_site *site,
				     uint32_t address_index,
				     struct an_symbol *symbol_out)
{
	uint64_t addr = site->addr[address_index];
	const struct an_site_place *p = find_place_described_before(
		names, site, addr, address_index == 0);

	/* The first address of a client request is the one after it, not a
	   function's entry. */
	if (p == NULL && address_index == 0)
		p = find_place_described_before(names, site, addr, false);
	*symbol_out = (struct an_symbol){.function = "???",
					 .file = "???",
					 .object = "???",
					 .path = "???"};
	if (p != NULL)
		names->env->described_symbol(names->env->host, p->block,
					     p->instr, symbol_out);
}

void an_site_names_release(struct an_site_names *names)
{
	free(names->place);
	free(names->wanted);
	*names = (struct an_site_names){0};
}
