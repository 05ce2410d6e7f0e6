/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owners_test.c - tests ranges against a list, and owners with events of a
 * hostile program
 */
#include <stdlib.h>
#include <string.h>

#include "analyzers/data/owners.h"
#include "tests/fixtures/random_below.h"
#include "tests/tap.h"

/* ---- ranges ---- */

enum { SPACE = 4096, STEPS = 200000 };

/* By address: 1 + value of the range that contains it; 0: none. */
static uint32_t owner[SPACE];
static uint64_t first_of[SPACE];

static void set_owner(uint64_t start, uint64_t last, uint32_t value)
{
	for (uint64_t a = start; a <= last; a++) {
		owner[a] = value;
		first_of[a] = start;
	}
}

static bool is_range_right(const struct an_range *r, uint64_t addr)
{
	if (owner[addr] == 0)
		return r == NULL;
	return r != NULL && r->value == owner[addr] - 1 &&
	       r->start == first_of[addr];
}

/* Insert a range over those that it overlaps. */
static void replace_ranges(struct an_ranges *r, uint64_t start, uint64_t last,
			   uint32_t value)
{
	struct an_range old;

	while (an_ranges_remove_last_overlapping(r, start, last, &old))
		set_owner(old.start, old.last, 0);
	an_ranges_insert_unchecked(r, start, last, value);
	set_owner(start, last, value + 1);
}

/* Long ranges and great addresses, which take more than a node. */
static void test_wide_ranges(void)
{
	static struct an_ranges r;
	struct an_range old;
	unsigned wrong = 0;

	for (unsigned round = 0; round < 3; round++) {
		for (uint64_t i = 0; i < 1000; i++)
			wrong += an_ranges_insert_unchecked(
					 &r, i << 54, (i << 54) + (i << 32),
					 AN_MAX_RANGE_VALUE - (uint32_t)i) != 0;
		for (uint64_t i = 1; i < 1000; i++) {
			const struct an_range *f = an_ranges_find_and_cache(
				&r, (i << 54) + (i << 32));

			wrong += f == NULL || f->start != i << 54 ||
				 f->value != AN_MAX_RANGE_VALUE - i ||
				 an_ranges_find_and_cache(
					 &r, (i << 54) + (i << 32) + 1) != NULL;
		}
		for (uint64_t i = 0; i < 1000; i++)
			wrong += !an_ranges_remove_by_exact_start(&r, i << 54,
								  &old) ||
				 old.last != (i << 54) + (i << 32);
	}
	is_u64(wrong, 0, "long ranges at any address");
	ok(r.n_wide <= 1000, "what they take is used again");
	an_ranges_release(&r);
}

/* Ranges whose addresses rise: the usual order of births. */
static void test_many_ranges(void)
{
	enum { MANY = 300000 };
	static struct an_ranges r;
	unsigned wrong = 0;

	for (uint64_t i = 0; i < MANY; i++)
		wrong += an_ranges_insert_unchecked(&r, i * 48, i * 48 + 31,
						    (uint32_t)i) != 0;
	for (uint64_t i = 0; i < MANY; i++) {
		const struct an_range *f =
			an_ranges_find_and_cache(&r, i * 48 + 31);

		wrong += f == NULL || f->value != i ||
			 an_ranges_find_and_cache(&r, i * 48 + 32) != NULL;
	}
	is_u64(wrong, 0, "many ranges");
	is_u64(sizeof(struct an_range_node), 20, "take 20 bytes each");
	an_ranges_release(&r);
}

static void test_ranges(void)
{
	static struct an_ranges r;
	struct an_range old;
	unsigned wrong = 0;

	for (unsigned i = 0; i < STEPS; i++) {
		uint64_t addr = random_below(SPACE), last;

		wrong += !is_range_right(an_ranges_find_and_cache(&r, addr),
					 addr);
		last = addr + random_below(40);
		if (last >= SPACE)
			last = SPACE - 1;
		if (random_below(3) == 0 &&
		    an_ranges_remove_by_exact_start(&r, first_of[addr], &old))
			set_owner(old.start, old.last, 0);
		else if (random_below(2) == 0)
			replace_ranges(&r, addr, last, i);
	}
	is_u64(wrong, 0, "ranges are found as in a list");
	ok(r.n_used < SPACE, "nodes are used again");
	an_ranges_release(&r);
}

/* ---- events ---- */

static struct an_owners owners;

/* Apply an event with up to 16 words. */
static int apply(uint32_t kind, uint32_t id, const uint64_t *word,
		 uint32_t n_words)
{
	struct an_batch b = {.event_word = word};
	struct an_stream_event e = {.kind = kind, .id = id, .n_words = n_words};

	return an_owners_apply_event(&owners, &b, &e);
}

static struct an_data_group *find_owner(uint64_t addr)
{
	uint64_t offset;

	return an_owners_find_group(&owners, addr,
				    (uint32_t)random_below(2) * 4095, &offset);
}

static struct an_data_counts counts_at(uint64_t addr)
{
	return find_owner(addr)->counts;
}

static void test_blocks(void)
{
	const uint64_t site[] = {0, 0x1000, 0x2000}, born[] = {0x8000, 100},
		       resized[] = {0x8000, 0x9000, 300}, died[] = {0x9000};

	apply(PT_SITE, 1, site, 3);
	ok(find_owner(0x8000)->kind == AN_DATA_UNKNOWN,
	   "memory that nothing owns is unknown");
	apply(PT_BORN, 1, born, 2);
	ok(find_owner(0x8063)->site == 1 &&
		   find_owner(0x8064)->kind == AN_DATA_UNKNOWN,
	   "a block has its bytes and no more");
	apply(PT_RESIZED, 0, resized, 3);
	ok(find_owner(0x8000)->kind == AN_DATA_UNKNOWN &&
		   find_owner(0x9000)->site == 1,
	   "a block that moves keeps its site");
	is_u64(counts_at(0x9000).bytes, 400, "all bytes are counted");
	is_u64(counts_at(0x9000).peak_bytes, 300, "and those at a time");
	apply(PT_DIED, 0, died, 1);
	apply(PT_DIED, 0, died, 1);
	is_u64(owners.bad_frees, 1, "a block dies once");
	apply(PT_BORN, 1, born, 2);
	apply(PT_BORN, 77, born, 2);
	ok(owners.overlaps == 1 && find_owner(0x8000)->kind == AN_DATA_HEAP &&
		   find_owner(0x8000)->site == 0,
	   "a block over another one ends it; its site may be unknown");
	an_owners_release(&owners);
}

/* An element lies in a heap block, owns its bytes before this one, and ends
   with it. */
static void test_elements(void)
{
	const uint64_t inner[] = {0, 0x1000, 0x2000}, outer[] = {0, 0x3000},
		       chunk[] = {0x8000, 0x1000},
		       element[] = {0x8000, 100, 0, 0},
		       pooled[] = {0x8100, 100, 10, 1}, end[] = {0x8064, 4},
		       grown[] = {0x8000, 0x8000, 200};

	apply(PT_SITE, 1, inner, 3);
	apply(PT_SITE, 2, outer, 2);
	apply(PT_SITE, 3, outer, 2);
	apply(PT_BORN, 2, chunk, 2);
	apply(PT_ELEMENT_BORN, 1, element, 4);
	apply(PT_ELEMENT_BORN, 3, pooled, 4);
	ok(find_owner(0x8063)->site == 1 && find_owner(0x8064)->site == 2 &&
		   find_owner(0x8063)->kind == AN_DATA_HEAP &&
		   find_owner(0x8100)->kind == AN_DATA_POOL,
	   "an element owns its bytes, its chunk the others");
	apply(PT_ELEMENT_RESIZED, 2, grown, 3);
	ok(find_owner(0x80c7)->site == 1 && find_owner(0x80c8)->site == 2,
	   "it is resized in its group");
	apply(PT_ELEMENT_DIED, 0, element, 1);
	ok(find_owner(0x8000)->site == 2 && owners.bad_frees == 0,
	   "it ends before its chunk");
	apply(PT_ELEMENT_BORN, 1, element, 4);
	apply(PT_DIED, 0, chunk, 1);
	ok(find_owner(0x8000)->kind == AN_DATA_UNKNOWN &&
		   find_owner(0x8100)->kind == AN_DATA_UNKNOWN &&
		   counts_at(0x8000).live_bytes == 0,
	   "or with it");
	apply(PT_ELEMENT_BORN, 1, element, 4);
	apply(PT_DIED, 0, element, 1);
	is_u64(owners.bad_frees, 0, "free() can end it");
	apply(PT_ELEMENT_BORN, 1, element, 4);
	apply(PT_MEMORY_UNMAPPED, 0, end, 2);
	ok(find_owner(0x8000)->site == 1, "other memory is unmapped");
	apply(PT_MEMORY_UNMAPPED, 0, chunk, 2);
	ok(find_owner(0x8000)->kind == AN_DATA_UNKNOWN && owners.overlaps == 0,
	   "it ends with its memory");
	an_owners_release(&owners);
}

static void test_variables(void)
{
	uint64_t file[3] = {0, 0}, variable[3] = {0x5000, 16};
	const uint64_t stack[] = {0x4000, 0x2000};

	memcpy(&file[2], "/lib/a\0", 8);
	memcpy(&variable[2], "counter", 8);
	apply(PT_STACK, 3, stack, 2);
	apply(PT_MAPPED, 1, file, 3);
	apply(PT_VARIABLE, 1, variable, 3);
	is_str(find_owner(0x500f)->name, "counter",
	       "a variable owns its bytes");
	is_str(find_owner(0x500f)->object, "/lib/a", "it knows its object");
	is_u64(find_owner(0x5010)->thread, 3, "the stack around it the others");
	apply(PT_UNMAPPED, 1, NULL, 0);
	is_u64(find_owner(0x5000)->thread, 3,
	       "a variable ends with its object");
	apply(PT_STACK, 3, (const uint64_t[]){0x4000, 0}, 2);
	is_u64(find_owner(0x5000)->thread, 0, "a stack of 0 bytes ends it");
	an_owners_release(&owners);
}

/* Add the copy that a thread has of variable "own" of object file 1. */
static void add_thread_variable(uint64_t start, uint64_t thread)
{
	uint64_t word[5] = {start, 8, thread, 16};

	memcpy(&word[4], "own", 3);
	apply(PT_THREAD_VARIABLE, 1, word, 5);
}

static void test_thread_variables(void)
{
	uint64_t file[3] = {0, 0};
	const uint64_t stack[] = {0x4000, 0x2000}, unmapped[] = {0x5000, 4096},
		       block[] = {0x5000, 64};
	uint32_t shared;

	memcpy(&file[2], "/lib/a\0", 8);
	apply(PT_STACK, 2, stack, 2);
	apply(PT_MAPPED, 1, file, 3);
	add_thread_variable(0x5000, 2);
	is_str(find_owner(0x5007)->name, "own", "a thread-local variable");
	ok(find_owner(0x5007)->kind == AN_DATA_TLS &&
		   find_owner(0x5008)->kind == AN_DATA_STACK,
	   "it takes precedence over the stack around it");
	add_thread_variable(0x5004, 3);
	is_u64(find_owner(0x5004)->thread, 3, "a new copy replaces it");
	ok(find_owner(0x5000)->kind == AN_DATA_STACK,
	   "its bytes before the new copy belong to the stack");
	apply(PT_MEMORY_UNMAPPED, 0, unmapped, 2);
	ok(find_owner(0x5004)->kind == AN_DATA_STACK,
	   "it is removed when its memory is unmapped");
	apply(PT_BORN, 0, block, 2);
	add_thread_variable(0x5008, 1);
	ok(find_owner(0x5008)->kind == AN_DATA_TLS &&
		   find_owner(0x5010)->kind == AN_DATA_HEAP,
	   "it can lie in a heap block");
	apply(PT_DIED, 0, block, 1);
	ok(find_owner(0x5008)->kind == AN_DATA_STACK,
	   "it is removed when that block is freed");
	add_thread_variable(0x5000, AN_MAX_TLS_THREADS + 1);
	shared = owners.n_groups;
	add_thread_variable(0x5010, AN_MAX_TLS_THREADS + 2);
	ok(find_owner(0x5000) == find_owner(0x5010) &&
		   owners.n_groups == shared && find_owner(0x5000)->thread == 0,
	   "threads above AN_MAX_TLS_THREADS share a group");
	an_owners_release(&owners);
}

/* Add memory of @size bytes that site 1 has mapped. */
static void map_memory(uint64_t start, uint64_t size, uint64_t extended_addr)
{
	const uint64_t word[] = {start, size, PT_MEMORY_WRITABLE,
				 extended_addr};

	apply(PT_MEMORY, 1, word, 4);
}

static void test_mappings(void)
{
	const uint64_t site[] = {0, 0x1000, 0x2000},
		       middle[] = {0x12000, 0x1000},
		       moved[] = {0x13000, 0x50000, 0x1000},
		       file[] = {0x10000, 0x1000, PT_MEMORY_READABLE, 0,
				 0x612f /* "/a" */};

	apply(PT_SITE, 1, site, 3);
	map_memory(0x10000, 0x4000, 0);
	apply(PT_MEMORY_UNMAPPED, 0, middle, 2);
	ok(find_owner(0x11fff)->site == 1 && find_owner(0x13000)->site == 1 &&
		   find_owner(0x12000)->kind == AN_DATA_UNKNOWN &&
		   find_owner(0x12fff)->kind == AN_DATA_UNKNOWN,
	   "unmapping the middle leaves both ends");
	apply(PT_MEMORY_MOVED, 0, moved, 3);
	map_memory(0x51000, 0x1000, 0x50000);
	ok(find_owner(0x13000)->kind == AN_DATA_UNKNOWN &&
		   find_owner(0x51fff) == find_owner(0x10000),
	   "memory that moves and grows stays in its group");
	is_u64(counts_at(0x10000).objects, 1, "as one data object");
	is_u64(counts_at(0x10000).live_bytes, 0x4000, "with what is mapped");
	apply(PT_MEMORY, 1, file, 5);
	is_str(find_owner(0x10fff)->name, "/a",
	       "a file replaces what it is "
	       "mapped over");
	ok(find_owner(0x10fff)->site == 0 && find_owner(0x11000)->site == 1,
	   "and no more");
	an_owners_release(&owners);
}

/* Return an address or a size as only a hostile program has it. */
static uint64_t hostile_number(void)
{
	static const uint64_t extreme[] = {
		0, 1, UINT64_MAX, UINT64_MAX - 1, 1ull << 63, 0x7fff00000000};

	if (random_below(3) == 0)
		return extreme[random_below(6)];
	return random_below(1 << 16);
}

/* Count for the field at an address. Return: whether the group's cells are
   within its bounds. */
static bool count_hostile_field(void)
{
	static const struct an_type types[] = {
		{.name = "a", .size = 1},
		{.name = "b", .size = 24},
		{.name = "c", .size = 1ull << 40}};
	uint64_t offset;
	struct an_data_group *g =
		an_owners_find_group(&owners, hostile_number(), 0, &offset);
	struct an_field_counts *f;

	if (an_data_kind_is_static_or_tls_variable(g->kind))
		an_group_fields_set_or_mix_element_size(&g->fields,
							g->counts.bytes);
	else if (random_below(4) == 0)
		an_group_fields_set_element_size_to_type(
			&owners.fields, &g->fields, &types[random_below(3)]);
	f = an_group_fields_find_or_add_counts(&owners.fields, &g->fields,
					       offset);
	if (f != NULL)
		f->reads++;
	return g->fields.cell == NULL ||
	       (g->fields.n_cells <= AN_MAX_EXACT_ELEMENT &&
		(g->fields.element - 1) / g->fields.cell_bytes <
			g->fields.n_cells);
}

/* Return the range of the owner of @addr; NULL: there is none. */
static const struct an_range *search_range(uint64_t addr)
{
	struct an_ranges *const by_precedence[] = {
		&owners.regions, &owners.elements, &owners.thread_variables,
		&owners.heap,	 &owners.statics,  &owners.stacks,
		&owners.mappings};
	const struct an_range *range = NULL;

	for (unsigned i = 0; i < 7 && range == NULL; i++)
		range = an_ranges_find_and_cache(by_precedence[i], addr);
	return range;
}

/* Whether an owner that hints help to find is that of a search. */
static bool is_owner_right(uint64_t addr)
{
	const struct an_range *range = search_range(addr);
	uint64_t offset;
	const struct an_data_group *g = an_owners_find_group(
		&owners, addr, (uint32_t)random_below(4), &offset);

	return g == &owners.group[range ? range->value : AN_UNKNOWN_GROUP] &&
	       offset == (range ? addr - range->start : 0);
}

/* ---- extents ---- */

static unsigned n_suspended, n_resumed;

static void count_suspended_use(struct an_extent_user *user)
{
	n_suspended += user->extent->is_suspended;
}

static void count_resumed_use(struct an_extent_user *user)
{
	n_resumed += !user->extent->is_suspended;
}

static struct an_owner_extent extent_number(unsigned i)
{
	return (struct an_owner_extent){
		.first = 16 * i, .last = 16 * i + 15, .group = i};
}

/* Use more extents than are stored. */
static void test_many_extents(struct an_owner_extents *x)
{
	enum { N = AN_MAX_EXTENTS + 1000 };
	struct an_extent_user *user = calloc(N, sizeof(*user));
	unsigned n_forgotten = 0, wrong = 0;

	for (unsigned i = 0; i < N; i++) {
		struct an_owner_extent e = extent_number(i);

		an_extent_user_change_extent(
			&user[i], an_owner_extents_add_or_resume(x, &e));
	}
	for (unsigned i = 0; i < N; i++) {
		struct an_owner_extent *e =
			an_owner_extents_find(x, 16 * i + 15);

		wrong += e != user[i].extent || (e != NULL && e->group != i);
		n_forgotten += e == NULL;
	}
	is_u64(wrong, 0, "extents are found");
	is_u64(n_forgotten, N - AN_MAX_EXTENTS, "one more forgets one");
	an_owner_extents_suspend_overlapping(x, 0, UINT64_MAX);
	for (unsigned i = 0; i < N; i++)
		wrong += an_owner_extents_find(x, 16 * i + 15) != NULL;
	is_u64(wrong, 0, "none is found after all were suspended");
	an_owner_extents_release(x);
	free(user);
}

static void test_extents(void)
{
	struct an_owner_extents *x = calloc(1, sizeof(*x));
	struct an_extent_user user[3] = {0};
	struct an_owner_extent e[3], over = {.first = 8, .last = 8};

	x->suspend_use = count_suspended_use;
	x->resume_use = count_resumed_use;
	for (unsigned i = 0; i < 3; i++) {
		e[i] = extent_number(i);
		an_extent_user_change_extent(
			&user[i], an_owner_extents_add_or_resume(x, &e[i]));
	}
	n_suspended = n_resumed = 0;
	an_extent_user_change_extent(&user[1], user[0].extent);
	an_owner_extents_suspend_overlapping(x, 3, 4);
	ok(n_suspended == 2 && an_owner_extents_find(x, 0) == NULL &&
		   an_owner_extents_find(x, 16) != NULL,
	   "an extent is suspended for all of its users");
	an_owner_extents_add_or_resume(x, &over);
	is_u64(n_resumed, 0, "other addresses do not resume it");
	ok(an_owner_extents_add_or_resume(x, &e[0]) == user[0].extent &&
		   n_resumed == 2 && n_suspended == 2 &&
		   an_owner_extents_find(x, 7) == user[1].extent,
	   "the same ones do");
	an_owner_extents_suspend_overlapping(x, 0, 0);
	e[0].group = 9;
	ok(an_owner_extents_add_or_resume(x, &e[0]) != user[0].extent &&
		   n_resumed == 2,
	   "those of another group do not");
	an_owner_extents_suspend_overlapping(x, 0, UINT64_MAX);
	test_many_extents(x);
	free(x);
}

/* Find the extents of some addresses, so that they exist before an event. */
static void find_extents(uint64_t addr[8])
{
	for (unsigned i = 0; i < 8; i++) {
		addr[i] = hostile_number();
		an_owners_find_or_add_extent(&owners, addr[i]);
	}
}

/* Whether the extents of addresses that are not suspended have the owners that
   a search finds. */
static bool are_extents_right(const uint64_t addr[8])
{
	for (unsigned i = 0; i < 8; i++) {
		const struct an_range *range = search_range(addr[i]);
		const struct an_owner_extent *e =
			an_owner_extents_find(owners.extents, addr[i]);

		if (e != NULL &&
		    (e->is_unknown != (range == NULL) ||
		     e->group != (range ? range->value : AN_UNKNOWN_GROUP) ||
		     (range != NULL && e->object_start != range->start)))
			return false;
	}
	return true;
}

/* @single: each block is a group. */
static void test_hostile(bool single)
{
	unsigned errors = 0;

	owners.has_fields = true;
	owners.has_single_blocks = single;
	errors += an_owners_alloc_extents(&owners, count_suspended_use,
					  count_resumed_use) != 0;
	for (unsigned i = 0; i < STEPS; i++) {
		uint64_t word[16], addr[8];

		errors += find_owner(hostile_number()) == NULL;
		for (unsigned k = 0; k < 16; k++)
			word[k] = hostile_number();
		find_extents(addr);
		errors += apply(PT_FIRST_EVENT +
					(uint32_t)random_below(
						PT_KINDS - PT_FIRST_EVENT + 1),
				(uint32_t)hostile_number() % 1000, word,
				(uint32_t)random_below(17)) != 0;
		errors += !are_extents_right(addr);
		errors += !count_hostile_field();
		errors += !is_owner_right(hostile_number());
	}
	is_u64(errors, 0, "any events with any words are applied");
	ok(owners.overlaps > 0 && owners.bad_frees > 0 && owners.sites.n > 0 &&
		   owners.n_files > 0 && owners.n_variables > 0 &&
		   owners.group_keys.n > 0 && owners.has_regions,
	   "of every kind");
	an_owners_release(&owners);
}

int main(void)
{
	test_ranges();
	test_wide_ranges();
	test_many_ranges();
	test_blocks();
	test_elements();
	test_variables();
	test_thread_variables();
	test_mappings();
	test_extents();
	test_hostile(false);
	test_hostile(true);
	return done_testing();
}
