/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunk_counts.c - counts a chunk's instructions and accesses; see
 *                  chunk_counts.h
 *
 * The counts of a block's exit are computed once and packed into one word, four
 * counts of 16 bits. An execution then takes two additions.
 */
#include "lib/recover/chunk_counts.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/recover/page_index.h"

/* Lowest bit of each count in a packed word. */
enum { INSTRS = 0, WRITES = 16, READS = 32, MODIFIES = 48 };

#define EVEN_COUNTS 0x0000ffff0000ffffu

/* Return the packed counts of one access: a modify counts as a read, as a write
   and as a modify. */
static uint64_t pack_read_write_modify_counts(const struct pt_access *a)
{
	return (uint64_t)(a->kind != PT_STORE) << READS |
	       (uint64_t)(a->kind != PT_LOAD) << WRITES |
	       (uint64_t)(a->kind == PT_MODIFY) << MODIFIES;
}

/* Return the packed counts (four counts of 16 bits in a word) of an execution
   that leaves block @d by @exit. */
static uint64_t pack_exit_counts(const struct al_desc *d, unsigned exit)
{
	uint64_t sum = (uint64_t)d->exit[exit].n_instrs << INSTRS;

	for (unsigned i = 0; i < d->exit[exit].n_accesses; i++)
		sum += pack_read_write_modify_counts(&d->access[i]);
	return sum;
}

/* Allocate and set the packed counts of each exit, and set has_far_access to
   whether the block has a far access
   (al_access_is_over_a_page_from_slot_value()). Return: 0; -ENOMEM. */
static int init_packed_counts_and_far_access_flag(struct al_known_block *m)
{
	const struct al_desc *d = m->block->desc;

	m->packed_counts = malloc(d->n_exits * sizeof(*m->packed_counts));
	for (unsigned e = 0; m->packed_counts != NULL && e < d->n_exits; e++)
		m->packed_counts[e] = pack_exit_counts(d, e);
	for (unsigned i = 0; i < d->n_accesses; i++)
		m->has_far_access |=
			al_access_is_over_a_page_from_slot_value(&d->access[i]);
	return m->packed_counts ? 0 : -ENOMEM;
}

/* Return the packed counts of those accesses before @exit that the execution
   with slots @slots did not do, because their guard was false. */
static uint64_t pack_counts_of_skipped_accesses(const struct al_desc *d,
						unsigned exit,
						const uint32_t *slots)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < d->exit[exit].n_accesses; i++) {
		const struct pt_access *a = &d->access[i];

		if ((a->flags & PT_GUARDED) && a->slot != PT_NO_SLOT &&
		    pt_read_shared_unaligned_u64_once(slots + 2 * a->slot) ==
			    PT_NOT_DONE)
			sum += pack_read_write_modify_counts(a);
	}
	return sum;
}

/* Return the packed counts (four of 16 bits) of an execution stopped by a
   fault. Its block is not among the recoverer's known blocks. */
static uint64_t pack_counts_of_faulted_execution(const struct al_recoverer *r,
						 struct an_exec e,
						 const uint32_t *slots)
{
	struct al_recovery *all = r->recovery;
	const struct al_desc *d;

	pthread_mutex_lock(&all->lock);
	d = all->executed.block[e.block]->desc;
	pthread_mutex_unlock(&all->lock);
	return pack_exit_counts(d, 0) -
	       pack_counts_of_skipped_accesses(d, 0, slots);
}

/* Add the pages of the execution's far accesses, which may lie beyond the pages
   next to their slot value's (al_access_is_over_a_page_from_slot_value()), to
   p->far_pages, which is allocated if it is NULL. Return: 0; -ENOMEM. */
static int add_pages_beyond_those_of_slot_values(struct al_recovered_chunk *p,
						 const struct al_desc *d,
						 struct an_exec e)
{
	if (p->far_pages == NULL)
		p->far_pages = calloc(1, sizeof(*p->far_pages));
	if (p->far_pages == NULL)
		return -ENOMEM;
	al_page_index_add_access_pages(
		p->far_pages, d, an_exec_exit_number(e),
		p->base + an_exec_first_slot_word_index(e), false);
	return 0;
}

/* Set @packed_counts_out to the counts of execution @e (16 bits each, from the
   lowest: instructions, writes, reads, modifies), and add the pages of its far
   accesses to p->far_pages: those that may lie beyond the pages next to their
   slot value's (al_access_is_over_a_page_from_slot_value()). An execution that
   a fault stopped adds no pages. Return: 0; -ENOMEM. */
static int get_counts_and_add_far_pages(struct al_recoverer *r,
					struct an_exec e,
					struct al_recovered_chunk *p,
					uint64_t *packed_counts_out)
{
	const uint32_t *slots = p->base + an_exec_first_slot_word_index(e);
	struct al_known_block *m =
		e.block < r->n_known ? &r->known[e.block] : NULL;

	if (m == NULL || m->block == NULL) {
		*packed_counts_out =
			pack_counts_of_faulted_execution(r, e, slots);
		return 0;
	}
	if (m->packed_counts == NULL &&
	    init_packed_counts_and_far_access_flag(m) != 0)
		return -ENOMEM;
	*packed_counts_out = m->packed_counts[an_exec_exit_number(e)];
	if (m->skipped != NULL)
		*packed_counts_out -= pack_counts_of_skipped_accesses(
			m->block->desc, an_exec_exit_number(e), slots);
	return m->has_far_access ? add_pages_beyond_those_of_slot_values(
					   p, m->block->desc, e)
				 : 0;
}

int al_recoverer_set_counts_and_far_pages(struct al_recoverer *r,
					  struct al_recovered_chunk *p)
{
	/* Two counts of 32 bits in each: instructions and reads in `even`,
	   writes and modifies in `odd`. */
	uint64_t even = 0, odd = 0;

	if (p->far_pages != NULL)
		pf_pages_clear(p->far_pages);
	for (size_t i = 0; i < p->n_execs; i++) {
		uint64_t sum;

		if (get_counts_and_add_far_pages(r, p->exec[i], p, &sum) != 0)
			return -ENOMEM;
		even += sum & EVEN_COUNTS;
		odd += sum >> 16 & EVEN_COUNTS;
	}
	p->counts = (struct pf_counts){
		.instructions = (uint32_t)even,
		.reads = even >> 32,
		.writes = (uint32_t)odd,
		.modifies = odd >> 32,
	};
	return 0;
}
