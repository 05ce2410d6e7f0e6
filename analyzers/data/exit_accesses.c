/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exit_accesses.c - accesses of the executions that leave a block by each exit;
   see exit_accesses.h */

#include "analyzers/data/exit_accesses.h"

#include <stdlib.h>
#include <string.h>

static bool do_accesses_share_slot(const struct pt_access *a,
				   const struct pt_access *b)
{
	return a->slot == b->slot && a->slot != PT_NO_SLOT &&
	       (a->flags & PT_GUARDED) == (b->flags & PT_GUARDED);
}

/* Insert access @number into the list of accesses of the last slot (recorded
   base address) of @e, before those at greater addresses. */
static void insert_access_into_last_slot_by_address(struct an_exit_accesses *e,
						    unsigned number)
{
	struct an_slot_accesses *s = &e->slot[e->n_slots - 1];
	const struct pt_access *access = s->block->access;
	uint16_t *list = s->access;
	unsigned i = s->n_accesses++;

	while (i > 0 && (int64_t)(access[list[i - 1]].delta -
				  access[number].delta) > 0) {
		list[i] = list[i - 1];
		i--;
	}
	list[i] = (uint16_t)number;
}

/* Set `lowest` to the least offset of the accesses of @s from the value of
   their slot (recorded base address), and `distance` to the distance from that
   offset to the greatest one. */
static void compute_slot_offset_span(struct an_slot_accesses *s)
{
	const struct pt_access *access = s->block->access;
	const uint16_t *list = s->access;

	s->lowest = access[list[0]].delta;
	s->distance = access[list[s->n_accesses - 1]].delta - s->lowest;
}

static void add_up_reads_writes_and_bytes_of_slot(struct an_slot_accesses *s)
{
	for (unsigned i = 0; i < s->n_accesses; i++) {
		const struct pt_access *a = &s->block->access[s->access[i]];
		bool reads = a->kind != PT_STORE, writes = a->kind != PT_LOAD;

		s->sums.reads += reads;
		s->sums.writes += writes;
		s->sums.read_bytes += reads ? a->size : 0;
		s->sums.written_bytes += writes ? a->size : 0;
	}
}

/* Append to @e the slot (recorded base address) of access @first of block @b
   with all of the exit's accesses that share it. @list: receives their
   numbers. */
static void append_slot_with_accesses_sharing_it(struct an_exit_accesses *e,
						 const struct an_block *b,
						 unsigned first,
						 unsigned n_accesses,
						 uint16_t *list)
{
	const struct pt_access *access = b->access;
	bool is_read = access[first].slot != PT_NO_SLOT;

	e->range[e->n_slots] = (struct an_slot_range){
		.word = is_read ? 2u * access[first].slot : 0};
	e->n_slots++;
	e->slot[e->n_slots - 1] = (struct an_slot_accesses){
		.block = b,
		.access = list,
		.is_guarded = is_read && (access[first].flags & PT_GUARDED),
		.last_excluded = UINT64_MAX,
		.exit = e,
		.object.range = &e->range[e->n_slots - 1],
		.object.constant_exit = is_read ? NULL : e,
	};
	e->n_read += is_read;
	insert_access_into_last_slot_by_address(e, first);
	for (unsigned i = first + 1; i < n_accesses; i++)
		if (do_accesses_share_slot(&access[first], &access[i]))
			insert_access_into_last_slot_by_address(e, i);
	compute_slot_offset_span(&e->slot[e->n_slots - 1]);
	add_up_reads_writes_and_bytes_of_slot(&e->slot[e->n_slots - 1]);
}

/* Whether an access before @access of the block shares its slot (recorded base
   address). */
static bool does_earlier_access_share_slot(const struct an_block *b,
					   unsigned access)
{
	unsigned i = 0;

	if (b->access[access].slot == PT_NO_SLOT)
		return false;
	while (i < access &&
	       !do_accesses_share_slot(&b->access[i], &b->access[access]))
		i++;
	return i < access;
}

/* Append to @e the slots (recorded base addresses) that the first @n_accesses
   accesses of block @b depend on; if not @with_slot, instead the accesses that
   depend on none. @access_numbers: receives the numbers of these accesses, by
   slot. Return: its end. */
static uint16_t *append_slots_of_accesses(struct an_exit_accesses *e,
					  const struct an_block *b,
					  unsigned n_accesses, bool with_slot,
					  uint16_t *access_numbers)
{
	for (unsigned i = 0; i < n_accesses; i++) {
		if ((b->access[i].slot != PT_NO_SLOT) != with_slot ||
		    does_earlier_access_share_slot(b, i))
			continue;
		append_slot_with_accesses_sharing_it(e, b, i, n_accesses,
						     access_numbers);
		access_numbers += e->slot[e->n_slots - 1].n_accesses;
	}
	return access_numbers;
}

/* Return the accesses of executions of @b that leave by @exit, with no data
   object found for them yet. NULL: memory is short. */
static struct an_exit_accesses *
create_exit(struct an_exit_table *t, const struct an_block *b, unsigned exit)
{
	unsigned n = b->exit[exit].n_accesses, n_slots = 0;
	struct an_slot_accesses *slot;
	struct an_exit_accesses *e;
	uint16_t *list;

	for (unsigned i = 0; i < n; i++)
		n_slots += !does_earlier_access_share_slot(b, i);
	e = an_arena_alloc(&t->exits, sizeof(*e) + n_slots * sizeof(*e->range));
	slot = an_arena_alloc(&t->slots, n_slots * sizeof(*slot) +
						 (n + 1) * sizeof(*list));
	if (e == NULL || slot == NULL)
		return NULL;
	*e = (struct an_exit_accesses){.slot = slot};
	list = append_slots_of_accesses(e, b, n, true,
					(uint16_t *)(slot + n_slots));
	append_slots_of_accesses(e, b, n, false, list);
	e->n_compared = e->n_slots;
	return e;
}

static struct an_block_exits *
alloc_block_exits_without_accesses(struct an_arena *arena,
				   const struct an_block *b)
{
	size_t size = sizeof(struct an_block_exits) +
		      b->n_exits * sizeof(struct an_exit_accesses *);
	struct an_block_exits *exits = an_arena_alloc(arena, size);

	if (exits != NULL) {
		memset(exits, 0, size);
		exits->n_exits = b->n_exits;
	}
	return exits;
}

static bool grow_to_hold_block_id(struct an_exit_table *t, uint32_t id)
{
	uint32_t n = t->n_blocks ? t->n_blocks : 1024;
	struct an_block_exits **bigger;

	while (n <= id)
		n *= 2;
	bigger = reallocarray(t->block, n, sizeof(*bigger));
	if (bigger == NULL)
		return false;
	memset(bigger + t->n_blocks, 0, (n - t->n_blocks) * sizeof(*bigger));
	t->block = bigger;
	t->n_blocks = n;
	return true;
}

struct an_exit_accesses *an_exit_table_add(struct an_exit_table *t,
					   const struct an_block *b,
					   unsigned exit)
{
	struct an_block_exits **exits;

	if (b->id >= t->n_blocks && !grow_to_hold_block_id(t, b->id))
		return NULL;
	exits = &t->block[b->id];
	if (*exits == NULL)
		*exits = alloc_block_exits_without_accesses(&t->exits, b);
	if (*exits == NULL)
		return NULL;
	return (*exits)->exit[exit] = create_exit(t, b, exit);
}

void an_exit_table_release(struct an_exit_table *t)
{
	free(t->block);
	an_arena_free_all_and_reset(&t->exits);
	an_arena_free_all_and_reset(&t->slots);
	*t = (struct an_exit_table){0};
}
