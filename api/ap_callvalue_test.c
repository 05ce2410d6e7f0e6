/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ap_callvalue_test.c - values of calls that a stranger's profile may have
 *
 * Room:    api.
 */
#include <stdlib.h>
#include <string.h>

#include "api/ap_calls.h"
#include "tests/tap.h"

enum { MOST_TYPES = PT_MAX_TYPES, MOST_POINTERS = 100 };

static struct pt_type type[MOST_TYPES];
static struct pt_field field[MOST_TYPES];
static struct pt_parameter parameter;
static char no_name[1];

static struct {
	struct pt_log_call call;
	struct pt_call_value value;
	uint8_t bytes[MOST_POINTERS * PT_POINTER_BYTES];
} record;

/* The value of the only parameter, of type @of: @n pointers, one behind the
   other, each to one element, the last to @last. */
static int decode(uint32_t of, uint32_t n, uint32_t last,
		  struct alleria_value **out)
{
	struct pt_intercept intercept = {.n_parameters = 1};
	struct ap_intercepted function = {.plan = &intercept};
	struct ap_intercepts by = {.view = {.parameter = &parameter,
					    .type = type,
					    .field = field,
					    .string = no_name}};
	struct ap_call call = {
		.pub.of = &function.pub, .by = &by, .call = &record.call};
	const uint32_t one = 1;

	memset(&record, 0, sizeof(record));
	for (uint32_t i = 0; i < n; i++)
		memcpy(record.bytes + i * PT_POINTER_BYTES + 8,
		       i + 1 < n ? &one : &last, sizeof(one));
	record.value.bytes = n * PT_POINTER_BYTES;
	record.call.head.bytes =
		(uint32_t)(sizeof(record.call) + sizeof(record.value) +
			   (n * PT_POINTER_BYTES + 7) / 8 * 8);
	parameter.type = of;
	return alleria_call_value(&call.pub, 0, ALLERIA_AT_CALL, out);
}

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
	ok(chain(1, PT_MAX_FOLLOWED) == 0,
	   "as many pointers as a tool follows are read");
	ok(chain(4, PT_MAX_FOLLOWED) == 0, "through some structs, too");
	ok(chain(200, 1) == 0, "or many structs in one value");
	ok(chain(200, PT_MAX_FOLLOWED) == ALLERIA_E_DAMAGED,
	   "but not many behind each of many pointers");
	test_empty();
	return done_testing();
}
