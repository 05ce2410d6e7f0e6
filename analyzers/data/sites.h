/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sites.h - stores the call stacks of allocations, and names them
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_SITES_H
#define ANALYZERS_DATA_SITES_H

#include "analyzers/analyzer.h"
#include "analyzers/arena.h"
#include "analyzers/data/site_names.h"

enum {
	AN_MAX_SITES = 1 << 20,
	AN_MAX_SITE_DEPTH = 64, /* callers of a site that are stored; outer ones
				   are dropped */
};

/* The call stack of an allocation. */
struct an_site {
	uint64_t log_bytes;    /* [bytes] length of the process's log (what the
			          tool has written about code) when the site was
			          recorded */
	uint32_t same_callers; /* number of the first site whose callers have
				  the same names as those of this one */
	uint32_t function;     /* number of the name of the allocator's function
				  in an_site_names.names */
	uint32_t group[2]; /* number of the group of the heap blocks, and of the
			      blocks of pools, of the sites that have this one
			      as `same_callers`, set by the caller of
			      an_sites_allocation_group_or_unknown(); 0: none */
	bool is_of_block;  /* an_sites_allocation_group_or_unknown() was called
			     for it */
	uint32_t n_callers;
	uint64_t *addr; /* entry of the allocator's function, or the address
			   after a client request or a system call, then
			   n_callers return addresses, innermost first */
};

/* All sites (call stacks of allocations). Initialise with zeros. */
struct an_sites {
	struct an_site *site; /* [n] by number - 1 */
	uint32_t n, size;
	uint32_t unknown_group[2]; /* `group` of all sites that are not stored
				    */
	struct an_arena addresses;
	struct an_site_names names; /* `env` NULL: all sites have other names */
	bool has_one_caller; /* of the callers only the innermost one with a
				name is compared */
	struct al_key_table callers; /* numbers the sequences of callers'
					names */
	uint32_t *first_site; /* [first_site_size] number of the first site with
				 such callers, by number in `callers` */
	uint32_t first_site_size;
};

/* Append the site of a PT_SITE event whose number is 1 more than the number of
   stored sites. Ignore the event if it has another number or no address, or if
   AN_MAX_SITES are stored. Return: 0, also if it was ignored; -ENOMEM. */
int an_sites_add_if_event_number_is_next(struct an_sites *,
					 const struct an_batch *,
					 const struct an_stream_event *);

/* Whether a site (call stack of an allocation) with this number, from 1, is
   stored. */
bool an_sites_has_site_with_number(const struct an_sites *,
				   uint32_t site_number);

/* Return the number of the first site (call stack of an allocation) whose
   callers have the same names as those of site @site_number. There must be a
   site with this number, see an_sites_has_site_with_number(). */
uint32_t an_sites_first_site_with_same_callers(const struct an_sites *,
					       uint32_t site_number);

/* Return a pointer to the number of the group of the heap blocks, or of the
   blocks of pools, of site @site_number (call stack of an allocation); the
   caller reads and sets it. Sites whose callers have equal names share one
   number, and so do all sites that are not stored. Valid until the next site is
   added. */
uint32_t *an_sites_allocation_group_or_unknown(struct an_sites *,
					       uint32_t site_number,
					       bool is_of_pool);

void an_sites_release(struct an_sites *);

/* Set @symbol_out to the name of address @address_index of a site (call stack
   of an allocation): 0 is the allocator's function, 1 and above its callers,
   innermost first. Its names are "???" and its lines 0 if they are not known.
   Return: whether the code lies in an object file; if not, its name is known in
   finish() only. */
bool an_site_find_symbol_is_in_object_file(const struct an_site *,
					   uint32_t address_index,
					   const struct an_env *,
					   struct an_symbol *symbol_out);

/* Return the index, from 1, of the innermost caller in a site (call stack of an
   allocation) whose function is known or whose code lies in no object file; 1
   if there is none. */
uint32_t an_site_innermost_named_caller(const struct an_site *,
					const struct an_env *);

#endif
