/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site_names.h - numbers call stacks whose names are equal
 *
 * Sites with one number belong to one row of the report, so that their blocks
 * can be counted together, and the peak of the row is known. Code outside of
 * object files gets its names when the run ends; until then its address counts.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_SITE_NAMES_H
#define ANALYZERS_DATA_SITE_NAMES_H

#include "analyzers/analyzer.h"
#include "base/tables/key_table.h"

/* Numbers of names that call stacks have. Initialise with zeros and set `env`,
   `depth` and `has_lines`. */
struct an_site_names {
	const struct an_env *env;
	uint32_t depth; /* number of innermost callers that are compared */
	bool has_lines; /* the lines of callers are compared, too, not only
			   their functions */
	struct al_key_table names; /* numbers names, and sequences of them */
	struct al_key_table code; /* numbers pairs (address of code, n_unmapped)
				    */
	uint32_t *name_of_code;	  /* [code_size] number in `names` of the code's
				   name, by number in `code` */
	uint32_t code_size;
	uint32_t n_unmapped; /* number of object files that were unmapped: an
				address can have another name then */
};

/**
 * an_site_names_find_or_add_stack_number() - Set @stack_number to the number of
 * the names of a call stack's innermost callers.
 * @return_address: [@n] return addresses, innermost first.
 * @log_bytes: [bytes] length of the process's log (what the tool has written
 * about code) when the call stack was recorded.
 *
 * Call stacks with equal names have equal numbers. Return: 0; -ENOMEM.
 */
int an_site_names_find_or_add_stack_number(struct an_site_names *,
					   const uint64_t *return_address,
					   uint32_t n, uint64_t log_bytes,
					   uint32_t *stack_number);

/* Set @number to the number of the function at @entry_address and its object
   file. @log_bytes: as for an_site_names_find_or_add_stack_number(). Return: 0;
   -ENOMEM. */
int an_site_names_find_or_add_function(struct an_site_names *,
				       uint64_t entry_address,
				       uint64_t log_bytes, uint32_t *number);

void an_site_names_release(struct an_site_names *);

#endif
