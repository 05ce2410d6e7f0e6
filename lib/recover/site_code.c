/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_code.c - lists code in the call stacks of allocations; see site_code.h
 */

#include "lib/recover/site_code.h"

#include "lib/recover/blocks.h"
#include "lib/recover/code_file.h"
#include "lib/recover/recovered_chunk.h"

/* Index of the first return address in the words of a PT_SITE event. */
enum { FIRST_RETURN_ADDRESS = 2 };

/* Add the addresses of a site whose event has the @n words @site_event_words.
   Return: 0; -ENOMEM. */
static int add_addresses_of_alloc_call_stack(struct al_site_code *s,
					     const struct al_blocks *blocks,
					     const uint64_t *site_event_words,
					     uint32_t n)
{
	int err = 0;

	for (uint32_t i = 1; i < n && !err; i++) {
		uint64_t addr =
			site_event_words[i] - (i >= FIRST_RETURN_ADDRESS);
		struct al_code_file file;
		uint32_t number;
		bool is_new;

		if (al_code_file_find_path_and_bias(
			    blocks, addr, site_event_words[0], &file) &&
		    file.is_bias_known)
			err = al_key_table_find_or_add_pair(
				&s->addresses, (uintptr_t)file.path,
				addr - file.bias, &number, &is_new);
	}
	return err;
}

int al_site_code_add_allocation_call_stacks(struct al_site_code *s,
					    const struct al_blocks *blocks,
					    const struct al_recovered_chunk *c)
{
	int err = 0;

	for (size_t i = 0; i < c->n_events && !err; i++)
		if (c->event[i].kind == PT_SITE)
			err = add_addresses_of_alloc_call_stack(
				s, blocks,
				c->event_word + c->event[i].first_word,
				c->event[i].n_words);
	return err;
}

void al_site_code_release(struct al_site_code *s)
{
	al_key_table_release(&s->addresses);
}
