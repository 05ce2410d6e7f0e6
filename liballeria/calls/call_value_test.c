/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_value_test.c - values of calls: well-formed and malformed ones
 */
#include <stdlib.h>
#include <string.h>

#include "liballeria/calls/calls.h"
#include "tests/tap.h"

enum { MOST_TYPES = PT_MAX_TYPES, MOST_POINTERS = 100 };

static struct pt_type type[MOST_TYPES];
static struct pt_field field[MOST_TYPES];
static struct pt_parameter parameter;
static char no_name[1];
static uint32_t when = ALLERIA_AT_CALL; /* of each value that is decoded */

static struct {
	struct pt_log_call call;
	struct pt_call_value value;
	uint8_t bytes[MOST_POINTERS * PT_POINTER_BYTES];
} record;

/* Decode the value of the only parameter, of type @type_index, whose @n bytes
   and @state are in the record. */
static int decode_record(uint32_t type_index, uint32_t n, uint16_t state,
			 struct alleria_value **out)
{
	struct pt_intercept intercept = {.n_parameters = 1,
					 .result = PT_NO_TYPE};
	struct ap_intercepted function = {.plan = &intercept};
	struct ap_intercepts by = {.view = {.parameter = &parameter,
					    .type = type,
					    .field = field,
					    .string = no_name}};
	struct ap_call call = {.pub.of = &function.pub,
			       .intercepts = &by,
			       .call = &record.call};

	record.value.state = state;
	record.value.bytes = n;
	record.call.head.bytes =
		(uint32_t)(sizeof(record.call) + sizeof(record.value) +
			   (n + 7) / 8 * 8);
	parameter.type = type_index;
	return alleria_call_value(&call.pub, 0, when, out);
}

/* Decode the only parameter, of type @type_index: @n pointers in a row, each to
   one element; @last is the element of the last one. */
static int decode(uint32_t type_index, uint32_t n, uint32_t last,
		  struct alleria_value **out)
{
	const uint32_t one = 1;

	memset(&record, 0, sizeof(record));
	for (uint32_t i = 0; i < n; i++)
		memcpy(record.bytes + i * PT_POINTER_BYTES + 8,
		       i + 1 < n ? &one : &last, sizeof(one));
	return decode_record(type_index, n * PT_POINTER_BYTES, PT_CALL_WHOLE,
			     out);
}

/* ---- well-formed values ---- */

static void is_number(uint16_t kind, uint32_t size, const void *bytes,
		      uint64_t want, const char *fact)
{
	struct alleria_value *v = NULL;

	memset(&record, 0, sizeof(record));
	memcpy(record.bytes, bytes, size);
	type[0] = (struct pt_type){.kind = kind, .size = size};
	ok(decode_record(0, size, PT_CALL_WHOLE, &v) == 0 && v &&
		   v->number == want && v->kind == kind && v->size == size &&
		   !v->flags && !memcmp(v->bytes, bytes, size),
	   fact);
	alleria_value_free(v);
}

static uint64_t bits(double x)
{
	uint64_t n;

	memcpy(&n, &x, sizeof(n));
	return n;
}

static void test_numbers(void)
{
	static const uint8_t ones[8] = {255, 255, 255, 255, 255, 255, 255, 255};
	static const uint8_t some[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	const float single = -1.5f;
	const double wide = 0.1;
	const long double x87 = 3.25L;
	uint8_t ten[PT_X87_BYTES] = {0};

	memcpy(ten, &x87, 10);
	is_number(PT_TYPE_UNSIGNED, 1, ones, 255, "an unsigned byte");
	is_number(PT_TYPE_UNSIGNED, 2, some, 0x201, "of two bytes");
	is_number(PT_TYPE_UNSIGNED, 8, some, 0x0807060504030201, "of eight");
	is_number(PT_TYPE_SIGNED, 1, ones, UINT64_MAX, "a sign is extended");
	is_number(PT_TYPE_SIGNED, 4, some, 0x04030201, "if there is one");
	is_number(PT_TYPE_SIGNED, 8, ones, UINT64_MAX, "of eight bytes, too");
	is_number(PT_TYPE_FLOAT, 4, &single, bits(-1.5), "a float");
	is_number(PT_TYPE_FLOAT, 8, &wide, bits(0.1), "a double");
	is_number(PT_TYPE_FLOAT, PT_X87_BYTES, ten, bits(3.25),
		  "a long double as the nearest double");
	is_number(PT_TYPE_ASCII, 1, "x", 'x', "a character");
}

/* Write a pointer to @n elements at @offset. */
static void put_pointer(uint32_t offset, uint64_t address, uint32_t n)
{
	memcpy(record.bytes + offset, &address, sizeof(address));
	memcpy(record.bytes + offset + 8, &n, sizeof(n));
}

static struct alleria_value *pointer(uint16_t flags, uint32_t bound, uint32_t n,
				     uint32_t bytes)
{
	struct alleria_value *v = NULL;

	memset(&record, 0, sizeof(record));
	put_pointer(0, 0x1000, n);
	for (uint32_t i = 0; i < bytes; i++)
		record.bytes[PT_POINTER_BYTES + i] = (uint8_t)i;
	type[0] = (struct pt_type){.kind = PT_TYPE_POINTER,
				   .size = 8,
				   .element = 1,
				   .flags = flags,
				   .bound = bound};
	type[1] = (struct pt_type){.kind = PT_TYPE_UNSIGNED, .size = 4};
	if (decode_record(0, PT_POINTER_BYTES + bytes, PT_CALL_WHOLE, &v))
		return NULL;
	return v;
}

static void is_pointer(uint16_t flags, uint32_t bound, uint32_t elements,
		       uint32_t n, uint64_t first, uint32_t want,
		       const char *fact)
{
	struct alleria_value *v = pointer(flags, bound, elements, 4 * n);

	ok(v && v->number == 0x1000 && v->n == n && v->first == first &&
		   v->flags == want && v->element_size == 4 &&
		   v->element_kind == ALLERIA_UNSIGNED && !v->element &&
		   (n == 0 || v->bytes[4 * n - 1] == 4 * n - 1),
	   fact);
	alleria_value_free(v);
}

static void test_pointers(void)
{
	is_pointer(0, PT_BOUND_COUNT, 3, 3, 0x1000, 0, "elements of a pointer");
	is_pointer(0, PT_BOUND_COUNT, 0, 0, 0x1000, 0, "or none");
	is_pointer(0, PT_BOUND_SENTINEL, 2, 2, 0x1000, ALLERIA_TERMINATED,
		   "up to a sentinel");
	is_pointer(0, PT_BOUND_SENTINEL, 2 | PT_MORE, 2, 0x1000, ALLERIA_CUT,
		   "or not so far");
	is_pointer(PT_TYPE_DOWN, PT_BOUND_COUNT, 2, 2, 0x1000,
		   ALLERIA_DOWNWARDS, "downwards");
	is_pointer(0, PT_BOUND_START_VAR, 2, 2, 0x1000 - 8, 0,
		   "from their start to the pointer");
	is_pointer(PT_TYPE_END_VALID, PT_BOUND_START_VAR, 2, 2, 0x1000 - 4, 0,
		   "where there is one, too");
	is_pointer(PT_TYPE_DOWN, PT_BOUND_START_VAR, 2, 2, 0x1000 + 8,
		   ALLERIA_DOWNWARDS, "and down to it");
	is_pointer(0, PT_BOUND_START_VAR, 2 | PT_MORE, 2, ALLERIA_NOT,
		   ALLERIA_CUT, "which is not known if there are more");
	is_pointer(0, PT_BOUND_START_VAR, PT_UNREADABLE, 0, ALLERIA_NOT,
		   ALLERIA_UNREADABLE, "and of elements that are unreadable");
	is_pointer(0, PT_BOUND_COUNT, PT_UNREADABLE, 0, 0x1000,
		   ALLERIA_UNREADABLE, "where there is no memory");
	is_pointer(0, PT_BOUND_COUNT, 5 | PT_NOT_FOLLOWED, 0, 0x1000,
		   ALLERIA_UNFOLLOWED, "or it was not followed");
	ok(!pointer(0, PT_BOUND_COUNT, 3, 8), "with too few bytes it is none");
	ok(!pointer(0, PT_BOUND_COUNT, 1, 8), "nor with too many");
}

/* Decode a struct of two bytes and a pointer to two structs of one byte. */
static void test_structs(void)
{
	struct alleria_value *v = NULL;

	memset(&record, 0, sizeof(record));
	record.bytes[0] = 7;
	put_pointer(1, 0x2000, 2);
	record.bytes[13] = 8;
	record.bytes[14] = 9;
	type[0] = (struct pt_type){.kind = PT_TYPE_STRUCT, .size = 16, .n = 2};
	type[1] = (struct pt_type){.kind = PT_TYPE_UNSIGNED, .size = 1};
	type[2] = (struct pt_type){.kind = PT_TYPE_POINTER,
				   .size = 8,
				   .element = 3,
				   .bound = PT_BOUND_COUNT};
	type[3] = (struct pt_type){
		.kind = PT_TYPE_STRUCT, .size = 1, .first = 2, .n = 1};
	field[0] = (struct pt_field){.type = 1, .offset = 0};
	field[1] = (struct pt_field){.type = 2, .offset = 8};
	field[2] = (struct pt_field){.type = 1, .offset = 0};
	ok(decode_record(0, 15, PT_CALL_WHOLE, &v) == 0 && v->n == 2 &&
		   v->element[0].number == 7 && v->element[1].offset == 8 &&
		   v->element[1].n == 2 &&
		   v->element[1].element[1].element[0].number == 9,
	   "structs have their fields, and pointers their structs");
	alleria_value_free(v);
}

static void test_states(void)
{
	struct alleria_value *v = NULL;

	type[0] = (struct pt_type){.kind = PT_TYPE_UNSIGNED, .size = 4};
	memset(&record, 0, sizeof(record));
	ok(decode_record(0, 0, PT_CALL_UNREADABLE, &v) == 0 &&
		   v->flags == (ALLERIA_MISSING | ALLERIA_UNREADABLE),
	   "a value may lie where nothing can be read");
	alleria_value_free(v);
	ok(decode_record(0, 0, PT_CALL_NO_ROOM, &v) == 0 &&
		   v->flags == (ALLERIA_MISSING | ALLERIA_UNFOLLOWED),
	   "or there was no room for it");
	alleria_value_free(v);
	record.value.parameter = 1;
	ok(decode_record(0, 4, PT_CALL_WHOLE, &v) == 0 && !v,
	   "what is not in the record is not there");
	record.value.parameter = 0;
	ok(decode_record(PT_NO_TYPE, 4, PT_CALL_WHOLE, &v) == 0 && !v,
	   "nor what was not to be recorded");
	ok(decode_record(0, 3, PT_CALL_WHOLE, &v) == ALLERIA_E_DAMAGED && !v,
	   "a number has all its bytes");
}

/* ---- malformed values ---- */

/* Structs within each other, the innermost of which points to the outermost. */
static int chain(uint32_t structs, uint32_t pointers)
{
	struct alleria_value *v;
	int err;

	for (uint32_t i = 0; i < structs; i++) {
		type[i] = (struct pt_type){
			.kind = PT_TYPE_STRUCT, .size = 8, .first = i, .n = 1};
		field[i].type = i + 1;
	}
	type[structs] = (struct pt_type){
		.kind = PT_TYPE_POINTER, .size = 8, .bound = PT_BOUND_COUNT};
	err = decode(structs, pointers, 0, &v);
	alleria_value_free(v);
	return err;
}

static void test_when(void)
{
	struct alleria_value *v;

	when = 0;
	ok(decode(1, 1, 0, &v) == ALLERIA_E_ARGUMENT && !v,
	   "neither at the call nor at the return");
	when = ALLERIA_AT_CALL;
}

static void test_empty(void)
{
	enum { MANY = 50000 };
	struct alleria_value *v;

	type[0] = (struct pt_type){.kind = PT_TYPE_STRUCT, .size = 8};
	type[1] = (struct pt_type){
		.kind = PT_TYPE_POINTER, .size = 8, .bound = PT_BOUND_COUNT};
	ok(decode(1, 1, MANY, &v) == ALLERIA_E_DAMAGED && !v,
	   "more structs than there are bytes are not believed");
	alleria_value_free(v);
}

int main(void)
{
	test_numbers();
	test_pointers();
	test_structs();
	test_states();
	ok(chain(1, PT_MAX_FOLLOWED) == 0,
	   "as many pointers as a tool follows are read");
	ok(chain(4, PT_MAX_FOLLOWED) == 0, "through some structs, too");
	ok(chain(200, 1) == 0, "or many structs in one value");
	ok(chain(200, PT_MAX_FOLLOWED) == ALLERIA_E_DAMAGED,
	   "but not many behind each of many pointers");
	test_empty();
	test_when();
	return done_testing();
}
