/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c - calls with arguments and results in logs of arbitrary bytes
 */
#include <stdlib.h>
#include <string.h>

#include "lib/config/window/plan/plan.h"
#include "liballeria/calls/calls.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_CALLS = 1000, BLOCKS = 2 };

/* A log in two blocks. */
struct parts {
	void *block[BLOCKS];
	size_t bytes[BLOCKS];
};

/* All that a value says; a sum, so that it is looked at. */
static uint64_t walk(const struct alleria_value *v)
{
	uint64_t sum = v->number + v->first + strlen(v->name) + strlen(v->type);
	bool is_number = v->kind <= ALLERIA_UNICODE;

	if (v->flags & ALLERIA_MISSING)
		return sum;
	for (size_t i = 0;
	     v->bytes &&
	     i < (is_number ? v->size : (size_t)v->n * v->element_size);
	     i++)
		sum += v->bytes[i];
	for (uint32_t i = 0; v->element && i < v->n; i++)
		sum += walk(&v->element[i]);
	return sum;
}

static uint64_t values_of(const struct alleria_call *call)
{
	uint32_t n = call->of->n_parameters;
	struct alleria_value *v;
	uint64_t sum = 0;

	for (uint32_t i = 0; i <= n; i++)
		for (uint32_t when = ALLERIA_AT_CALL; when <= ALLERIA_AT_RETURN;
		     when++) {
			if (alleria_call_value(call, i < n ? i : ALLERIA_RESULT,
					       when, &v) ||
			    !v)
				continue;
			sum += walk(v);
			alleria_value_free(v);
		}
	return sum;
}

/* Sum of all values that were read, so that no read is optimised away. */
static volatile uint64_t sum_of_all;

static void decode_call_log(struct ap_call_log *l, const struct parts *p)
{
	struct ap_call call;
	unsigned n = 0;

	for (int i = 0; i < BLOCKS; i++)
		if (ap_call_log_pair_calls_in_first_pass(l, p->block[i],
							 p->bytes[i]))
			break;
	ap_call_log_end_first_pass_sort_returns(l);
	for (int i = 0; i < BLOCKS; i++) {
		if (ap_call_log_open_block_and_list_returns(l, p->block[i],
							    p->bytes[i]))
			abort();
		while (n++ < MOST_CALLS &&
		       ap_call_log_read_next_call_if_any(l, &call) > 0)
			sum_of_all += values_of(&call.pub) + call.pub.n_body +
				      (call.pub.body ? *call.pub.body : 0u);
	}
}

/* The log of process 1 of a plan that was checked. */
static void read_log(const void *plan, const uint8_t *data, size_t bytes,
		     size_t first)
{
	struct ap_intercepts by;
	struct ap_call_log log;
	struct parts p = {.bytes = {first, bytes - first}};

	for (int i = 0; i < BLOCKS; i++) {
		p.block[i] = malloc(p.bytes[i] + 1);
		if (!p.block[i])
			abort();
		memcpy(p.block[i], data, p.bytes[i]);
		data += p.bytes[i];
	}
	if (!ap_intercepts_init_from_plan(&by, plan)) {
		ap_call_log_init(&log, &by, 1);
		decode_call_log(&log, &p);
		ap_call_log_release(&log);
		ap_intercepts_release(&by);
	}
	for (int i = 0; i < BLOCKS; i++)
		free(p.block[i]);
}

/* 32 bits: how many bytes of a plan, of which version and length are right; 32
   bits: how many of the first block of the log; these. */
void fuzz_calls(const uint8_t *data, size_t bytes)
{
	uint32_t n[2] = {0};
	struct pt_plan *plan;

	if (bytes < sizeof(n))
		return;
	memcpy(n, data, sizeof(n));
	data += sizeof(n);
	bytes -= sizeof(n);
	if (n[0] > bytes)
		n[0] = (uint32_t)bytes;
	if (n[1] > bytes - n[0])
		n[1] = (uint32_t)(bytes - n[0]);
	plan = calloc(1, n[0] + sizeof(*plan));
	if (!plan)
		abort();
	memcpy(plan, data, n[0]);
	plan->version = PT_PLAN_VERSION;
	plan->bytes = n[0];
	if (!al_plan_check(plan, n[0]))
		read_log(plan, data + n[0], bytes - n[0], n[1]);
	free(plan);
}
