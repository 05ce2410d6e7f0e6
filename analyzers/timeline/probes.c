/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probes.c - groups the accesses of a block by base and page; see probes.h */

#include "analyzers/timeline/probes.h"

#include <errno.h>
#include <string.h>

/* [bytes] upper bound of the distance from the first byte of a probe to its
   last */
enum { MAX_SPAN = 1 << 12 };

/* The probes of a block while they are being listed. */
struct list {
	const struct an_block *block;
	struct an_probe *probe[2]; /* by enum an_probe_kind: [n] */
	uint16_t n[2];
	uint16_t *access; /* the next free entry for an_probe.access */
};

static bool has_base(const struct pt_access *a)
{
	return a->slot != PT_NO_SLOT;
}

static bool is_guarded(const struct pt_access *a)
{
	return has_base(a) && (a->flags & PT_GUARDED);
}

/* Add an access to a probe, if it has the same base and lies near enough.
   Return: whether it was added. */
static bool extend_probe_if_near(struct an_probe *p, const struct pt_access *a)
{
	uint64_t before = p->delta - a->delta,
		 last = a->delta + a->size - 1 - p->delta;
	bool is_before = before < MAX_SPAN;

	if (p->span == AN_PROBE_GUARDED || is_guarded(a) ||
	    p->base_mask != -has_base(a) ||
	    (has_base(a) && p->slot != 2 * a->slot))
		return false;
	if (is_before && before > 0) {
		if (p->span + before >= MAX_SPAN || a->size > MAX_SPAN)
			return false;
		p->delta = a->delta;
		p->span = (uint16_t)(p->span + before);
		last = a->size - 1u;
	}
	if (last >= MAX_SPAN)
		return false;
	if (last > p->span)
		p->span = (uint16_t)last;
	p->n_accesses++;
	return true;
}

static struct an_probe make_probe_of_access(const struct pt_access *a)
{
	return (struct an_probe){
		.delta = a->delta,
		.span = is_guarded(a) ? AN_PROBE_GUARDED
				      : (uint16_t)(a->size - 1),
		.slot = has_base(a) ? (uint16_t)(2 * a->slot) : 0,
		.n_accesses = 1,
		.base_mask = (int8_t)-has_base(a),
	};
}

/* Return the index of the probe to which an access was added: one of the probes
   of its kind from index @first[kind] on, or a new one. */
static uint16_t add_access_to_probes(struct list *l, const uint16_t *first,
				     const struct pt_access *a)
{
	int kind = has_base(a);
	uint16_t i = first[kind];

	while (i < l->n[kind] && !extend_probe_if_near(&l->probe[kind][i], a))
		i++;
	if (i == l->n[kind])
		l->probe[kind][l->n[kind]++] = make_probe_of_access(a);
	return i;
}

/* Set `access` of probe @index of a kind to the numbers of its accesses. */
static void list_accesses_of_probe(struct list *l, int kind, unsigned index,
				   const uint16_t *probe_of_access,
				   unsigned first, unsigned end)
{
	l->probe[kind][index].access = l->access;
	for (unsigned i = first; i < end; i++)
		if (has_base(&l->block->access[i]) == kind &&
		    probe_of_access[i] == index)
			*l->access++ = (uint16_t)i;
}

/* Add the accesses @first to @end - 1, which lie between two exits, to new
   probes. */
static void add_probes_of_accesses(struct list *l, unsigned first, unsigned end)
{
	uint16_t first_probe[2] = {l->n[0], l->n[1]};
	uint16_t probe_of_access[PT_MAX_ACCESSES];

	for (unsigned i = first; i < end; i++)
		probe_of_access[i] = add_access_to_probes(l, first_probe,
							  &l->block->access[i]);
	for (int kind = 0; kind < 2; kind++)
		for (unsigned p = first_probe[kind]; p < l->n[kind]; p++)
			list_accesses_of_probe(l, kind, p, probe_of_access,
					       first, end);
}

static uint64_t sum_counts_before_exit(const struct an_block *b,
				       const struct pt_exit *exit)
{
	uint64_t counts = (uint64_t)exit->n_instrs << AN_COUNT_INSTRS;

	for (unsigned i = 0; i < exit->n_accesses; i++)
		counts += an_access_counts(&b->access[i]);
	return counts;
}

/* Return the smallest number of accesses, above @after, that an exit of the
   block has before it; @after if there is none. */
static unsigned find_next_exit_access_count(const struct an_block *b,
					    unsigned after)
{
	unsigned next = after;

	for (unsigned e = 0; e < b->n_exits; e++)
		if (b->exit[e].n_accesses > after &&
		    (next == after || b->exit[e].n_accesses < next))
			next = b->exit[e].n_accesses;
	return next;
}

/* Set the number of probes of all exits that have @n_accesses before them. */
static void set_probe_count_of_exits(const struct list *l,
				     struct an_probe_exit *exit,
				     unsigned n_accesses)
{
	for (unsigned e = 0; e < l->block->n_exits; e++)
		if (l->block->exit[e].n_accesses == n_accesses)
			memcpy(exit[e].n_probes, l->n, sizeof(l->n));
}

int an_block_probes_init(struct an_block_probes *probes_out,
			 const struct an_block *b, struct an_arena *arena)
{
	size_t n = b->n_accesses + 1u;
	struct an_probe_exit *exit =
		an_arena_alloc(arena, (b->n_exits + 1u) * sizeof(*exit));
	struct list l = {
		.block = b,
		.probe = {an_arena_alloc(arena, n * sizeof(**l.probe)),
			  an_arena_alloc(arena, n * sizeof(**l.probe))},
		.access = an_arena_alloc(arena, n * sizeof(*l.access)),
	};
	unsigned done = 0, next;

	if (exit == NULL || l.probe[0] == NULL || l.probe[1] == NULL ||
	    l.access == NULL)
		return -ENOMEM;
	for (unsigned e = 0; e < b->n_exits; e++)
		exit[e] = (struct an_probe_exit){
			.counts = sum_counts_before_exit(b, &b->exit[e])};
	while ((next = find_next_exit_access_count(b, done)) != done) {
		add_probes_of_accesses(&l, done, next);
		set_probe_count_of_exits(&l, exit, next);
		done = next;
	}
	*probes_out =
		(struct an_block_probes){{l.probe[0], l.probe[1]}, exit, b};
	return 0;
}
