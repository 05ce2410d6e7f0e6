/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * types_test.c - tests types and interceptors of window files
 */
#include "tests/tap.h"

#include "lib/config/window/plan/plan.h"
#include "tests/fixtures/window_text.h"

static const struct pt_type *find_type(const struct al_windows *w,
				       const char *name)
{
	for (uint32_t i = 0; i < w->n[AL_TYPES]; i++)
		if (!strcmp(w->string + w->type[i].name, name))
			return &w->type[i];
	printf("Bail out! no type %s\n", name);
	exit(1);
}

static void test_listing(void)
{
	struct al_windows *w = good(
		CALL("string: {pointer: {element: ascii, sentinel: 0}}, "
		     "strings: {pointer: {element: string, count_var: argc}}",
		     "return: s4, params: [{name: argv, index: 1, type: "
		     "strings, in: true}, {name: argc, index: 0, type: s4}]"));
	const struct pt_intercept *c = w->intercept;
	const struct pt_parameter *p = w->parameter;
	const struct pt_type *t = find_type(w, "strings");

	ok(w->n[AL_INTERCEPTS] == 1 && w->function[0].intercept == 1 &&
		   !w->function[0].n_selects,
	   "a function with an interceptor, and no instructions");
	ok(c->result == (uint32_t)(find_type(w, "s4") - w->type) &&
		   c->n_parameters == 2 && !c->flags,
	   "its result and parameters");
	ok(!strcmp(w->string + p[0].name, "argc") && !p[0].index &&
		   p[1].index == 1,
	   "in the order of the declaration");
	ok(p[0].flags == PT_PARAMETER_IN && p[1].flags == PT_PARAMETER_IN,
	   "recorded at the call");
	ok(p[0].where[0].place == PT_IN_INTEGER && !p[0].where[0].slot &&
		   p[1].where[0].place == PT_IN_INTEGER &&
		   p[1].where[0].slot == 1,
	   "from the first registers");
	ok(t->kind == PT_TYPE_POINTER && t->bound == PT_BOUND_COUNT_VAR &&
		   !strcmp(w->string + t->variable, "argc") &&
		   &w->type[t->element] == find_type(w, "string"),
	   "an array of strings");
	t = find_type(w, "string");
	ok(t->bound == PT_BOUND_SENTINEL && !t->value && t->size == 8 &&
		   w->type[t->element].kind == PT_TYPE_ASCII,
	   "of characters");
	al_windows_free(w);
}

static void test_structs(void)
{
	struct al_windows *w = good(TYPES(
		"outer: {fields: [{name: a, type: u1}, {name: b, type: inner}, "
		"{name: c, type: u2}]}, "
		"inner: {fields: [{name: x, type: u4}, {name: y, type: u8}, "
		"{name: z, type: list}]}, "
		"list: {pointer: {element: inner, count: 3, direction: dec}}"));
	const struct pt_type *outer = find_type(w, "outer"),
			     *inner = find_type(w, "inner"),
			     *list = find_type(w, "list");
	const struct pt_field *f = &w->field[outer->first];

	ok(inner->kind == PT_TYPE_STRUCT && inner->n == 3 && inner->size == 24,
	   "a struct has the size that it has in C");
	ok(outer->size == 40 && !f[0].offset && f[1].offset == 8 &&
		   f[2].offset == 32,
	   "one that contains it, and stands before it");
	ok(list->bound == PT_BOUND_COUNT && list->value == 3 &&
		   list->flags == PT_TYPE_DOWN,
	   "a pointer back to it");
	al_windows_free(w);
}

static void test_bounds(void)
{
	struct al_windows *w = good(PARAMS(
		"a: {pointer: {element: s2, sentinel: -1}}, "
		"b: {pointer: {element: a, sentinel: 0}}, "
		"c: {pointer: {element: u1, end_var: e, end_valid: true}}, "
		"d: {pointer: {element: u1, start_var: e}}, "
		"s: {fields: [{name: p, type: q}, {name: n, type: u2}]}, "
		"q: {pointer: {element: u8, count_var: n}}, "
		"r: {pointer: {element: s, count: 1}}",
		"{index: 0, type: c}, {index: 1, type: d}, {name: e, index: 2, "
		"type: u8}, {index: 3, type: r}"));
	const struct pt_type *t = find_type(w, "a");

	ok(t->bound == PT_BOUND_SENTINEL && t->value == 0xffff,
	   "a sentinel has the bits of an element");
	t = find_type(w, "c");
	ok(t->bound == PT_BOUND_END_VAR && t->flags == PT_TYPE_END_VALID,
	   "an end that is an element");
	ok(find_type(w, "d")->bound == PT_BOUND_START_VAR &&
		   !find_type(w, "d")->flags,
	   "a start");
	ok(find_type(w, "q")->bound == PT_BOUND_COUNT_VAR,
	   "a variable that is a field beside the pointer");
	al_windows_free(w);
}

#define IN(type) "{fields: [{name: x, type: " type "}]}"

static void test_faults(void)
{
	static const struct bad bad[] = {
		{"types: []\nwindows: []\n", "1:8: 'types' is not 'key: value'",
		 "a list"},
		{TYPES("u4: {fields: []}"), "1:9: 'u4' is a type already",
		 "a type that there is"},
		{TYPES("a: 3"), "1:12: a type is not 'key: value'",
		 "a number for a type"},
		{TYPES("a: {}"), "1:12: a type has no 'fields' or 'pointer'",
		 "a type of nothing"},
		{TYPES("a: {fields: []}"),
		 "1:21: 'fields' is not a list of fields", "no fields"},
		{TYPES("a: {fields: [{name: x}]}"),
		 "1:22: a field has no 'type'", "a field without type"},
		{TYPES("a: {fields: [{name: x, type: u3}]}"),
		 "1:38: unknown type 'u3'; did you mean 'u1'?",
		 "a type that is almost right"},
		{TYPES("a: {fields: [{name: x, type: u4}, {name: x, type: "
		       "u4}]}"),
		 "1:50: two fields are named 'x'", "a field given twice"},
		{TYPES("a: {fields: [{name: x, type: b}]}, b: {fields: "
		       "[{name: y, type: a}]}"),
		 "1:9: 'a' contains itself", "structs that contain each other"},
		{TYPES("a: " IN("b") ", b: " IN("c") ", c: " IN("d") ", d: " IN("e") ", e: " IN("f") ", f: " IN("g") ", g: " IN("h") ", h: " IN("i") ", i: " IN(
			 "j") ", j: " IN("k") ", k: " IN("l") ", l: " IN("m") ", m: " IN("n") ", n: " IN("o") ", o: " IN("p") ", p: " IN("q") ", q: " IN("u1")),
		 "1:9: 'a' has more than 16 structs in each other",
		 "a struct in a struct in a struct"},
		{TYPES("a: {pointer: {count: 3}}"),
		 "1:22: a pointer has no 'element'", "a pointer to nothing"},
		{TYPES("a: {pointer: {element: u1}}"),
		 "1:22: a pointer has no 'count', 'sentinel', 'count_var', "
		 "'end_var' or 'start_var'",
		 "a pointer without bound"},
		{TYPES("a: {pointer: {element: u1, count: 1, sentinel: 2}}"),
		 "1:46: 'count' and 'sentinel' exclude each other",
		 "a pointer with two bounds"},
		{TYPES("a: {pointer: {element: u1, count: 1, end_valid: "
		       "true}}"),
		 "1:46: 'end_valid' and 'count' exclude each other",
		 "an end of a count"},
		{TYPES("a: {pointer: {element: u1, direction: up, count: 1}}"),
		 "1:47: unknown direction 'up'; valid: inc, dec",
		 "an unknown direction"},
		{TYPES("a: {pointer: {element: u1, sentinel: 256}}"),
		 "1:46: no element of type 'u1' is 256",
		 "a sentinel that cannot be"},
		{TYPES("a: {pointer: {element: u1, sentinel: -1}}"),
		 "1:46: no element of type 'u1' is -1", "a sentinel below 0"},
		{TYPES("a: {pointer: {element: f4, sentinel: 0}}"),
		 "1:46: no sentinel ends elements of type 'f4'",
		 "a sentinel of floating-point numbers"},
		{TYPES("a: {pointer: {element: u1, sentinel: x}}"),
		 "1:46: 'sentinel' is not a number", "a sentinel by a word"},
	};

	check(bad, N_OF(bad));
}

static void test_call_faults(void)
{
#define P "p: {pointer: {element: u1, count_var: n}}"
	static const struct bad bad[] = {
		{CALL("", "result: s4"),
		 "3:13: unknown key 'result'; valid: return, params, pure",
		 "an unknown key"},
		{CALL("", "return: s5"),
		 "3:21: unknown type 's5'; did you mean 's1'?",
		 "a result of an unknown type"},
		{PARAMS("", "{type: s4}"), "3:22: a parameter has no 'index'",
		 "a parameter without its place"},
		{PARAMS("", "{index: 0}"), "3:22: a parameter has no 'type'",
		 "a parameter without type"},
		{PARAMS("", "{index: 32, type: s4}"),
		 "3:30: index '32' is above 31", "a parameter too many"},
		{PARAMS("", "{index: 0, type: s4}, {index: 0, type: s4}"),
		 "3:52: index 0 is given twice", "a parameter given twice"},
		{PARAMS("", "{index: 0, type: s4, name: a}, {index: 1, type: "
			    "s4, name: a}"),
		 "3:80: two parameters are named 'a'", "a name given twice"},
		{PARAMS("", "{index: 0, type: s4, in: false}"),
		 "3:47: a parameter is neither 'in' nor 'out'",
		 "a parameter that is not recorded"},
		{PARAMS(P, "{index: 0, type: p}"),
		 "3:39: type 'p' needs a parameter 'n'", "no such variable"},
		{PARAMS(P, "{index: 0, type: p}, {index: 1, type: p, name: n}"),
		 "3:39: 'n', which type 'p' needs, is no integer",
		 "a count that is a pointer"},
		{PARAMS("p: {pointer: {element: u1, end_var: n}}",
			"{index: 0, type: p}, {index: 1, type: u4, name: n}"),
		 "3:39: 'n', which type 'p' needs, is no address",
		 "an end that is an integer of 4 bytes"},
		{"windows: [{profile: [{threads: [{images: [{functions: "
		 "[{intercept: {}}]}]}]}]}]\n",
		 "1:57: an interceptor's function has no 'name'",
		 "an interceptor of any function"},
	};

	check(bad, N_OF(bad));
}

/* ---- plans ---- */

static struct pt_plan *plan;

static bool is_plan_refused(uint32_t *field, uint32_t value)
{
	uint32_t was = *field;
	int rc;

	*field = value;
	rc = al_plan_check(plan, plan->bytes);
	*field = was;
	return rc == -EINVAL && !al_plan_check(plan, plan->bytes);
}

static void test_plans(void)
{
	struct al_windows *w = good(
		CALL("s: {fields: [{name: p, type: q}, {name: n, type: t}]}, "
		     "t: {fields: [{name: m, type: q}]}, "
		     "q: {pointer: {element: s, count: 1}}, "
		     "big: {fields: [{name: a, type: f10}, {name: b, type: "
		     "f10}]}",
		     "return: s8, params: [{index: 0, type: q}, {index: 1, "
		     "type: f8}]"));
	struct al_windows v;
	size_t bytes;

	ok(!al_plan_make(w, 1, (void **)&plan, &bytes) &&
		   !al_plan_check(plan, bytes),
	   "types and interceptors are in plans");
	al_plan_view_as_windows(plan, &v);
	ok(is_plan_refused(&v.function[0].intercept, 2),
	   "an interceptor that is not");
	ok(is_plan_refused(&v.intercept[0].result, v.n[AL_TYPES]),
	   "a result's type");
	ok(is_plan_refused(&v.intercept[0].n_parameters, 3),
	   "parameters that are not");
	ok(is_plan_refused(&v.parameter[0].type, v.n[AL_TYPES]),
	   "a parameter's type");
	ok(is_plan_refused(&v.parameter[0].where[0].place, PT_IN_X87) &&
		   is_plan_refused(&v.parameter[0].where[0].place, 0) &&
		   is_plan_refused(&v.parameter[0].where[0].slot, 6) &&
		   is_plan_refused(&v.parameter[1].where[0].slot, 8) &&
		   is_plan_refused(&v.parameter[1].where[1].place, PT_ON_STACK),
	   "a parameter's place");
	ok(is_plan_refused(&v.intercept[0].where[0].slot, 2) &&
		   is_plan_refused(&v.intercept[0].where[0].place,
				   PT_ON_STACK) &&
		   is_plan_refused(&v.intercept[0].where[0].place, PT_IN_X87) &&
		   is_plan_refused(&v.intercept[0].result,
				   (uint32_t)(find_type(&v, "big") - v.type)),
	   "a result's place");
	ok(is_plan_refused(&v.field[0].type, v.n[AL_TYPES]) &&
		   is_plan_refused(&v.field[0].offset, 9),
	   "a field that is not in its struct");
	ok(is_plan_refused(&v.type[v.field[0].type - 2].n, 0),
	   "a struct of nothing");
	ok(is_plan_refused(&v.field[2].type,
			   (uint32_t)(find_type(&v, "t") - v.type)),
	   "a struct that contains itself");
	ok(is_plan_refused(&v.type[v.n[AL_TYPES] - 2].element, v.n[AL_TYPES]) &&
		   is_plan_refused(&v.type[v.n[AL_TYPES] - 2].bound, 6),
	   "a pointer's element and bound");
	ok(is_plan_refused(&v.type[0].size, 3) &&
		   is_plan_refused(&v.type[0].n, 1),
	   "a number of another size");
	free(plan);
	al_windows_free(w);
}

int main(void)
{
	test_listing();
	test_structs();
	test_bounds();
	test_faults();
	test_call_faults();
	test_plans();
	return done_testing();
}
