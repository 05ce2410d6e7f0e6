/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * again.c - calls the pure functions of a profile again, from what it holds
 *
 * again PROFILE: prints for each function how many calls were recorded, and how
 * many gave the same when its code was run here with the same arguments.
 * Arguments are integers, doubles and pointers, and structs of them; what a
 * pointer leads to is laid out anew.
 */
#include <alleria/alleria.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { INTEGERS = 6, DOUBLES = 8, WORDS = 8, MOST = 32 };

/* Contents of registers and stack at a call. */
struct arguments {
	uint64_t integer[INTEGERS];
	double vector[DOUBLES];
	uint64_t stack[WORDS];
	unsigned integers;
	unsigned vectors;
	unsigned words;
};

static void lay(const struct alleria_value *v, char *at);

static size_t size_of(const struct alleria_value *v)
{
	return (size_t)v->n * v->element_size;
}

/* Memory that calls may look at, kept to the end. */
static struct piece {
	struct piece *next;
	_Alignas(16) char bytes[];
} * pieces;

static char *room(size_t bytes)
{
	struct piece *piece = calloc(1, sizeof(*piece) + bytes + 1);

	if (!piece)
		err(1, "no memory");
	piece->next = pieces;
	pieces = piece;
	return piece->bytes;
}

static void free_pieces(void)
{
	while (pieces) {
		struct piece *next = pieces->next;

		free(pieces);
		pieces = next;
	}
}

/* Return a copy in memory of the elements that a pointer leads to. */
static char *lay_elements(const struct alleria_value *v)
{
	char *bytes = room(size_of(v));

	if (!v->element)
		memcpy(bytes, v->bytes, size_of(v));
	for (uint32_t i = 0; v->element && i < v->n; i++)
		lay(&v->element[i], bytes + (size_t)i * v->element_size);
	return bytes;
}

static void lay(const struct alleria_value *v, char *bytes)
{
	char *elements;

	if (v->kind == ALLERIA_STRUCT) {
		for (uint32_t i = 0; i < v->n; i++)
			lay(&v->element[i], bytes + v->element[i].offset);
	} else if (v->kind == ALLERIA_POINTER) {
		elements = v->number ? lay_elements(v) : NULL;
		memcpy(bytes, &elements, sizeof(elements));
	} else {
		memcpy(bytes, v->bytes, v->size);
	}
}

/* Whether memory holds what a value of the return did. */
static bool holds(const struct alleria_value *v, const char *bytes)
{
	const char *elements;
	bool same = true;

	for (uint32_t i = 0; v->kind == ALLERIA_STRUCT && i < v->n; i++)
		same &= holds(&v->element[i], bytes + v->element[i].offset);
	if (v->kind == ALLERIA_STRUCT)
		return same;
	if (v->kind != ALLERIA_POINTER)
		return memcmp(bytes, v->bytes, v->size) == 0;
	memcpy(&elements, bytes, sizeof(elements));
	return !v->element && v->n > 0 &&
	       memcmp(elements, v->bytes, size_of(v)) == 0;
}

static struct alleria_value *value(const struct alleria_call *c,
				   uint32_t parameter, uint32_t when)
{
	struct alleria_value *v, *none;
	int error = alleria_call_value(c, parameter, when, &v);

	if (error)
		errx(1, "%s", alleria_error_text(error));
	if (alleria_call_value(c, c->of->n_parameters, when, &none) !=
	    ALLERIA_E_RANGE)
		errx(1, "a parameter that there is not has a value");
	return v;
}

/* Return the halves of 8 bytes that hold an integer: bit 0, bit 1. */
static unsigned integers_in(const struct alleria_value *v, uint32_t offset)
{
	unsigned bits = 0;

	if (v->kind == ALLERIA_FLOAT)
		return 0;
	if (v->kind != ALLERIA_STRUCT)
		return 1u << offset / 8;
	for (uint32_t i = 0; i < v->n; i++)
		bits |= integers_in(&v->element[i],
				    offset + v->element[i].offset);
	return bits;
}

/* Pass a value by the calling convention. */
static void place(struct arguments *a, const struct alleria_value *v,
		  const uint64_t *bytes)
{
	unsigned n = (v->size + 7) / 8, bits = n < 3 ? integers_in(v, 0) : 0;
	unsigned integers = (bits & 1) + (bits >> 1 & 1);

	if (n > 2 || a->integers + integers > INTEGERS ||
	    a->vectors + n - integers > DOUBLES) {
		memcpy(&a->stack[a->words], bytes, n * 8u);
		a->words += n;
		return;
	}
	for (unsigned i = 0; i < n; i++)
		if (bits >> i & 1)
			a->integer[a->integers++] = bytes[i];
		else
			memcpy(&a->vector[a->vectors++], &bytes[i], 8);
}

/* @places: receives it. */
static void take(struct arguments *a, const struct alleria_call *c, uint32_t i,
		 uint64_t *places)
{
	struct alleria_value *v = value(c, i, ALLERIA_AT_CALL);
	struct alleria_value *out = v ? NULL : value(c, i, ALLERIA_AT_RETURN);

	if (v && v->kind == ALLERIA_SIGNED)
		*places = v->number;
	else
		lay(v ? v : out, (char *)places);
	if (out && out->kind == ALLERIA_POINTER)
		memset(*(char **)places, 0x55, size_of(out));
	place(a, v ? v : out, places);
	alleria_value_free(v);
	alleria_value_free(out);
}

/* Results in each pair of registers. */
struct both_integers {
	uint64_t a, b;
};
struct both_doubles {
	double a, b;
};
struct integer_double {
	uint64_t a;
	double b;
};
struct double_integer {
	double a;
	uint64_t b;
};

#define PARAMETERS                                                             \
	uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, double,    \
		double, double, double, double, double, double, double,        \
		uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,    \
		uint64_t, uint64_t
#define ARGUMENTS(a)                                                           \
	(a)->integer[0], (a)->integer[1], (a)->integer[2], (a)->integer[3],    \
		(a)->integer[4], (a)->integer[5], (a)->vector[0],              \
		(a)->vector[1], (a)->vector[2], (a)->vector[3],                \
		(a)->vector[4], (a)->vector[5], (a)->vector[6],                \
		(a)->vector[7], (a)->stack[0], (a)->stack[1], (a)->stack[2],   \
		(a)->stack[3], (a)->stack[4], (a)->stack[5], (a)->stack[6],    \
		(a)->stack[7]

union function {
	void *code;
	struct both_integers (*integers)(PARAMETERS);
	struct both_doubles (*doubles)(PARAMETERS);
	struct integer_double (*integer_double)(PARAMETERS);
	struct double_integer (*double_integer)(PARAMETERS);
};

/* Code that is called at another address than it had. */
static void *place_body(const struct alleria_call *c)
{
	void *code = mmap(NULL, c->n_body, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		err(1, "mmap");
	memcpy(code, c->body, c->n_body);
	if (mprotect(code, c->n_body, PROT_READ | PROT_EXEC))
		err(1, "mprotect");
	return code;
}

static bool call_again(void *code, const struct arguments *a,
		       const struct alleria_value *result, const char *memory)
{
	unsigned bits = result && !memory ? integers_in(result, 0) : 1;
	bool is_pair = result && result->size > 8;
	union function f = {code};
	union {
		struct both_integers integers;
		struct both_doubles doubles;
		struct integer_double integer_double;
		struct double_integer double_integer;
	} got;

	if (bits == 3 || (bits == 1 && !is_pair) || memory)
		got.integers = f.integers(ARGUMENTS(a));
	else if (bits == 0)
		got.doubles = f.doubles(ARGUMENTS(a));
	else if (bits == 1)
		got.integer_double = f.integer_double(ARGUMENTS(a));
	else
		got.double_integer = f.double_integer(ARGUMENTS(a));
	return !result || holds(result, memory ? memory : (const char *)&got);
}

static bool is_the_same(const struct alleria_call *c)
{
	struct alleria_value *result =
		value(c, ALLERIA_RESULT, ALLERIA_AT_RETURN);
	char *memory = result && result->size > 16 ? room(result->size) : NULL;
	struct arguments a = {.integers = memory ? 1 : 0};
	uint64_t places[INTEGERS + DOUBLES][MOST] = {0};
	void *code = place_body(c);
	bool same;

	memcpy(&a.integer[0], &memory, sizeof(memory));
	for (uint32_t i = 0; i < c->of->n_parameters; i++)
		take(&a, c, i, places[i]);
	same = call_again(code, &a, result, memory);
	for (uint32_t i = 0; i < c->of->n_parameters; i++) {
		struct alleria_value *out = value(c, i, ALLERIA_AT_RETURN);

		same &= !out || holds(out, (const char *)places[i]);
		alleria_value_free(out);
	}
	munmap(code, c->n_body);
	alleria_value_free(result);
	return same;
}

int main(int argc, char **argv)
{
	const struct alleria_call *call;
	char message[ALLERIA_MESSAGE];
	struct alleria_calls *calls;
	struct alleria_profile *p;
	long n = 0, same = 0, pure = 0;
	int error;

	if (argc != 2 || alleria_open(argv[1], &p, message))
		errx(1, "%s", argc != 2 ? "usage: again PROFILE" : message);
	error = alleria_calls_open(p, 1, NULL, &calls);
	for (; !error && (error = alleria_next_call(calls, &call)) > 0; n++) {
		error = 0;
		if (!call->body || !(call->flags & ALLERIA_CALL_RETURNED))
			continue;
		pure++;
		same += is_the_same(call);
	}
	if (error)
		errx(1, "%s", alleria_error_text(error));
	printf("%ld calls, %ld pure, %ld the same\n", n, pure, same);
	alleria_calls_close(calls);
	alleria_close(p);
	free_pieces();
	return 0;
}
