/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * known_descriptors_test.c - descriptors are found by their contents
 *
 * The functions of Valgrind's core that known_descriptors.c calls are defined
 * here, by those of the C library.
 */
#include "vgtool/instrument/known_descriptors.h"

#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

/* A record whose words follow its head in one object. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wgnu-variable-sized-type-not-at-end"
#endif

/* ---- the core ---- */

void *VG_(malloc)(const HChar *cc, SizeT bytes)
{
	(void)cc;
	return malloc(bytes);
}

void *VG_(realloc)(const HChar *cc, void *p, SizeT bytes)
{
	(void)cc;
	return realloc(p, bytes);
}

void VG_(free)(void *p)
{
	free(p);
}

void *VG_(memset)(void *to, Int c, SizeT bytes)
{
	return memset(to, c, bytes);
}

void *VG_(memcpy)(void *to, const void *from, SizeT bytes)
{
	return memcpy(to, from, bytes);
}

Int VG_(memcmp)(const void *a, const void *b, SizeT bytes)
{
	return memcmp(a, b, bytes);
}

/* ---- descriptions ---- */

enum { MANY = 20000, BASE = 0x400000, APART = 64 };

static struct {
	struct pt_log_block block;
	struct pt_instr instr;
	uint8_t code[8];
} record;
static struct {
	struct pt_log_lanes head;
	uint64_t lanes;
} lanes_record;
static struct pt_log_values values;

/* Return the description of block number @i. */
static struct vt_descriptor describe(UInt i)
{
	record.block = (struct pt_log_block){
		.head = {PT_LOG_BLOCK, sizeof(record)},
		.id = vt_known_n_descriptors(),
		.route = 2 * vt_known_n_descriptors(),
		.n_instrs = 1,
		.n_code = 4,
	};
	record.instr =
		(struct pt_instr){.addr = BASE + APART * (Addr)i, .len = 4};
	return (struct vt_descriptor){.block = &record.block, .object = 1};
}

static UInt find(UInt i)
{
	struct vt_descriptor d = describe(i);

	return vt_known_find_discarded_equal_or_none(&d);
}

static void discard(UInt i, UInt bytes)
{
	VexGuestExtents x = {.n_used = 1};

	x.base[0] = BASE + APART * (Addr)i;
	x.len[0] = (UShort)bytes;
	vt_known_note_code_pages_discarded(x.base[0], x);
}

static void test_single_descriptions(void)
{
	struct vt_descriptor d = describe(0), other;
	const struct pt_log_block *copy;

	ok(vt_known_n_descriptors() == 0 && find(0) == VT_NO_DESCRIPTOR,
	   "nothing is known");
	copy = vt_known_add_descriptor_copy(&d);
	ok(copy != d.block && !memcmp(copy, &record, sizeof(record)) &&
		   vt_known_descriptor_by_id(0)->block == copy &&
		   vt_known_n_descriptors() == 1,
	   "a description is copied");
	is_u64(vt_known_descriptor_bytes(), sizeof(record),
	       "and its size counted");
	is_u64(find(0), VT_NO_DESCRIPTOR, "code that stays is not looked for");
	discard(0, 4);
	is_u64(find(0), 0, "discarded code is found, whatever its number");
	other = describe(0);
	other.object = 2;
	is_u64(vt_known_find_discarded_equal_or_none(&other), VT_NO_DESCRIPTOR,
	       "not of another object");
	other = describe(0);
	record.code[3] = 1;
	is_u64(vt_known_find_discarded_equal_or_none(&other), VT_NO_DESCRIPTOR,
	       "nor other code");
	record.code[3] = 0;
}

static void test_lanes_and_values(void)
{
	struct vt_descriptor d = describe(0);

	lanes_record.head.head =
		(struct pt_log_head){PT_LOG_LANES, sizeof(lanes_record)};
	lanes_record.lanes = 5;
	values.head = (struct pt_log_head){PT_LOG_VALUES, sizeof(values)};
	d.lanes = &lanes_record.head;
	is_u64(vt_known_find_discarded_equal_or_none(&d), VT_NO_DESCRIPTOR,
	       "nor for other lanes");
	vt_known_add_descriptor_copy(&d);
	is_u64(vt_known_find_discarded_equal_or_none(&d), 1,
	       "they have a description of their own");
	lanes_record.lanes = 6;
	is_u64(vt_known_find_discarded_equal_or_none(&d), VT_NO_DESCRIPTOR,
	       "each");
	d.lanes = NULL;
	d.values = &values;
	is_u64(vt_known_find_discarded_equal_or_none(&d), VT_NO_DESCRIPTOR,
	       "so have values");
	vt_known_add_descriptor_copy(&d);
	values.n_values = 1;
	is_u64(vt_known_find_discarded_equal_or_none(&d), VT_NO_DESCRIPTOR,
	       "each");
	values.n_values = 0;
	is_u64(vt_known_find_discarded_equal_or_none(&d), 2, "and are found");
	is_u64(find(0), 0, "the first one is found still");
	is_u64(vt_known_descriptor_bytes(),
	       3 * sizeof(record) + sizeof(lanes_record) + sizeof(values),
	       "all of it is counted");
}

static void test_many(void)
{
	UInt before = vt_known_n_descriptors(), wrong = 0;

	for (UInt i = 1; i < MANY; i++) {
		struct vt_descriptor d = describe(i);

		vt_known_add_descriptor_copy(&d);
	}
	for (UInt i = 1; i < MANY; i += 50)
		discard(i, 50 * APART);
	for (UInt i = 1; i < MANY; i++)
		wrong += find(i) != before + i - 1;
	is_u64(wrong, 0, "many are found as well");
	is_u64(find(MANY + 1000), VT_NO_DESCRIPTOR, "others are not");
	vt_known_clear_descriptor_search_index();
	ok(find(0) == VT_NO_DESCRIPTOR && find(MANY - 1) == VT_NO_DESCRIPTOR &&
		   vt_known_n_descriptors() == before + MANY - 1,
	   "all are excluded for another plan, and stay");
}

int main(void)
{
	test_single_descriptions();
	test_lanes_and_values();
	test_many();
	return done_testing();
}
