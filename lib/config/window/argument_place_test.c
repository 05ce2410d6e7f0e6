/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * argument_place_test.c - tests registers and stack slots of arguments and
 *                         results
 */
#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

static bool is_at_place(const struct pt_where *w, uint32_t place, uint32_t slot)
{
	return w->place == place && w->slot == slot;
}

static void test_places(void)
{
	struct al_windows *w = good(PARAMS(
		"p: {pointer: {element: u1, count: 1}}",
		"{index: 2, type: f8}, {index: 3, type: p, out: true}, "
		"{index: 4, type: f4, in: true, out: true}, {index: 6, type: "
		"u2}, {index: 7, type: u4}, {index: 9, type: s8}, "
		"{index: 12, type: f8}"));
	const struct pt_parameter *p = w->parameter;

	ok(is_at_place(p[0].where, PT_IN_VECTOR, 0) &&
		   is_at_place(p[2].where, PT_IN_VECTOR, 1),
	   "floating-point numbers have registers of their own");
	ok(is_at_place(p[1].where, PT_IN_INTEGER, 2),
	   "what is not told is an integer");
	ok(is_at_place(p[3].where, PT_IN_INTEGER, 4) &&
		   is_at_place(p[4].where, PT_IN_INTEGER, 5),
	   "six registers");
	ok(is_at_place(p[5].where, PT_ON_STACK, 1),
	   "then the stack, for what is not told, too");
	ok(is_at_place(p[6].where, PT_IN_VECTOR, 2),
	   "but not for what has registers left");
	ok(p[1].flags == PT_PARAMETER_OUT &&
		   p[2].flags == (PT_PARAMETER_IN | PT_PARAMETER_OUT),
	   "at the return, or both");
	al_windows_free(w);
}

#define STRUCTS                                                                \
	"mixed: {fields: [{name: a, type: f4}, {name: b, type: u2}, {name: "   \
	"c, "                                                                  \
	"type: f8}]}, "                                                        \
	"pair: {fields: [{name: a, type: u8}, {name: b, type: s1}]}, "         \
	"outer: {fields: [{name: a, type: inner}, {name: b, type: f4}]}, "     \
	"inner: {fields: [{name: a, type: f4}, {name: b, type: f8}]}, "        \
	"big: {fields: [{name: a, type: pair}, {name: b, type: u1}]}, "        \
	"wide: {fields: [{name: a, type: f10}]}"

static void test_by_value(void)
{
	struct al_windows *w = good(CALL(
		STRUCTS,
		"return: pair, params: [{index: 0, type: mixed}, {index: 1, "
		"type: big}, {index: 2, type: s4}, {index: 3, type: wide}, "
		"{index: 7, type: pair}, {index: 8, type: u4}, {index: 9, "
		"type: "
		"outer}, {index: 10, type: f10}, {index: 11, type: u1}, "
		"{index: 12, type: u1}]"));
	const struct pt_parameter *p = w->parameter;
	const struct pt_intercept *c = w->intercept;

	ok(is_at_place(&p[0].where[0], PT_IN_INTEGER, 0) &&
		   is_at_place(&p[0].where[1], PT_IN_VECTOR, 0),
	   "8 bytes with an integer are in an integer register, doubles not");
	ok(is_at_place(p[1].where, PT_ON_STACK, 0) && !p[1].where[1].place,
	   "more than 16 bytes are on the stack");
	ok(is_at_place(p[2].where, PT_IN_INTEGER, 1),
	   "which takes no register");
	ok(is_at_place(p[3].where, PT_ON_STACK, 4),
	   "a long double is there, at a multiple of its size");
	ok(is_at_place(p[4].where, PT_ON_STACK, 6) && !p[4].where[1].place,
	   "what needs two registers is not in the last one");
	ok(is_at_place(p[5].where, PT_IN_INTEGER, 5), "which the next one has");
	ok(is_at_place(p[6].where, PT_ON_STACK, 8), "a struct in a struct");
	ok(is_at_place(p[7].where, PT_ON_STACK, 12) &&
		   is_at_place(p[8].where, PT_ON_STACK, 14) &&
		   is_at_place(p[9].where, PT_ON_STACK, 15),
	   "each where the one before it ends");
	ok(is_at_place(&c->where[0], PT_IN_INTEGER, 0) &&
		   is_at_place(&c->where[1], PT_IN_INTEGER, 1),
	   "a result has registers of its own");
	al_windows_free(w);
}

/* Check the places of a result, and of a parameter with it. */
static bool is_result_at(const char *type, uint32_t first, uint32_t second,
			 uint32_t slot)
{
	char text[1024];
	struct al_windows *w;
	bool right;

	snprintf(text, sizeof(text),
		 CALL(STRUCTS, "return: %s, params: [{index: 0, type: s4}]"),
		 type);
	w = good(text);
	right = w->intercept[0].where[0].place == first &&
		w->intercept[0].where[1].place == second &&
		is_at_place(w->parameter[0].where, PT_IN_INTEGER, slot);
	al_windows_free(w);
	return right;
}

static void test_results(void)
{
	ok(is_result_at("mixed", PT_IN_INTEGER, PT_IN_VECTOR, 0),
	   "a result in two kinds of registers");
	ok(is_result_at("inner", PT_IN_VECTOR, PT_IN_VECTOR, 0),
	   "one in two vector registers");
	ok(is_result_at("f10", PT_IN_X87, 0, 0) &&
		   is_result_at("wide", PT_IN_X87, 0, 0),
	   "one in x87's");
	ok(is_result_at("big", PT_IN_MEMORY, 0, 1) &&
		   is_result_at("outer", PT_IN_MEMORY, 0, 1),
	   "one in memory, whose address is an argument");
}

int main(void)
{
	test_places();
	test_by_value();
	test_results();
	return done_testing();
}
