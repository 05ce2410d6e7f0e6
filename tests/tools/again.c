/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * again.c - calls the pure functions of a profile again, from what it holds
 *
 * Room: tests.
 *
 * again PROFILE: prints for each function how many calls were recorded, and how
 * many gave the same when its code was run here with the same arguments.
 * Arguments are integers, doubles and pointers, structs and pointers in them;
 * what a pointer leads to is laid out anew.
 */
#include <alleria/alleria.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { INTEGERS = 6, DOUBLES = 8 };

struct arguments {
	uint64_t integer[INTEGERS];
	double vector[DOUBLES];
	unsigned integers;
	unsigned vectors;
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

/* What a pointer leads to. */
static char *lay_elements(const struct alleria_value *v)
{
	char *at = room(size_of(v));

	if (!v->element)
		memcpy(at, v->bytes, size_of(v));
	for (uint32_t i = 0; v->element && i < v->n; i++)
		lay(&v->element[i], at + (size_t)i * v->element_size);
	return at;
}

static void lay(const struct alleria_value *v, char *at)
{
	char *elements;

	if (v->kind == ALLERIA_STRUCT) {
		for (uint32_t i = 0; i < v->n; i++)
			lay(&v->element[i], at + v->element[i].offset);
	} else if (v->kind == ALLERIA_POINTER) {
		elements = v->number ? lay_elements(v) : NULL;
		memcpy(at, &elements, sizeof(elements));
	} else {
		memcpy(at, v->bytes, v->size);
	}
}

/* Whether memory holds what a value of the return did. */
static bool holds(const struct alleria_value *v, const char *at)
{
	const char *elements;

	if (v->kind != ALLERIA_POINTER)
		return memcmp(at, v->bytes, v->size) == 0;
	memcpy(&elements, at, sizeof(elements));
	return !v->element && v->n > 0 &&
	       memcmp(elements, v->bytes, size_of(v)) == 0;
}

static struct alleria_value *value(const struct alleria_call *c,
				   uint32_t parameter, uint32_t when)
{
	struct alleria_value *v;
	int error = alleria_call_value(c, parameter, when, &v);

	if (error)
		errx(1, "%s", alleria_error_text(error));
	return v;
}

/* Returns where the argument lies. */
static char *take(struct arguments *a, const struct alleria_call *c, uint32_t i)
{
	struct alleria_value *v = value(c, i, ALLERIA_AT_CALL);
	struct alleria_value *out = v ? NULL : value(c, i, ALLERIA_AT_RETURN);
	char *at;

	if ((v ? v : out)->kind == ALLERIA_FLOAT) {
		at = (char *)&a->vector[a->vectors++];
		lay(v, at);
	} else {
		at = (char *)&a->integer[a->integers++];
		if (v && v->kind == ALLERIA_SIGNED)
			memcpy(at, &v->number, sizeof(v->number));
		else
			lay(v ? v : out, at);
	}
	if (out && out->kind == ALLERIA_POINTER)
		memset(*(char **)at, 0x55, size_of(out));
	alleria_value_free(v);
	alleria_value_free(out);
	return at;
}

typedef uint64_t integer_fn(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
			    uint64_t, double, double, double, double, double,
			    double, double, double);
typedef double double_fn(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
			 uint64_t, double, double, double, double, double,
			 double, double, double);

#define ARGUMENTS(a)                                                           \
	(a)->integer[0], (a)->integer[1], (a)->integer[2], (a)->integer[3],    \
		(a)->integer[4], (a)->integer[5], (a)->vector[0],              \
		(a)->vector[1], (a)->vector[2], (a)->vector[3],                \
		(a)->vector[4], (a)->vector[5], (a)->vector[6], (a)->vector[7]

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
		       const struct alleria_value *result)
{
	union {
		void *code;
		integer_fn *integer;
		double_fn *real;
	} f = {code};
	double d;
	uint64_t n;

	if (result && result->kind == ALLERIA_FLOAT) {
		d = f.real(ARGUMENTS(a));
		return holds(result, (const char *)&d);
	}
	n = f.integer(ARGUMENTS(a));
	return !result || holds(result, (const char *)&n);
}

static bool is_the_same(const struct alleria_call *c)
{
	struct alleria_value *result =
		value(c, ALLERIA_RESULT, ALLERIA_AT_RETURN);
	struct arguments a = {.integers = 0};
	char *at[INTEGERS + DOUBLES];
	void *code = place_body(c);
	bool same;

	for (uint32_t i = 0; i < c->of->n_parameters; i++)
		at[i] = take(&a, c, i);
	same = call_again(code, &a, result);
	for (uint32_t i = 0; i < c->of->n_parameters; i++) {
		struct alleria_value *out = value(c, i, ALLERIA_AT_RETURN);

		same &= !out || holds(out, at[i]);
		alleria_value_free(out);
	}
	munmap(code, c->n_body);
	alleria_value_free(result);
	return same;
}

int main(int argc, char **argv)
{
	const struct alleria_call *const *call;
	char message[ALLERIA_MESSAGE];
	struct alleria_profile *p;
	long n, same = 0, pure = 0;

	if (argc != 2 || alleria_open(argv[1], &p, message))
		errx(1, "%s", argc != 2 ? "usage: again PROFILE" : message);
	n = alleria_calls(p, 0, &call);
	for (long i = 0; i < n; i++) {
		if (!call[i]->body || !(call[i]->flags & ALLERIA_CALL_RETURNED))
			continue;
		pure++;
		same += is_the_same(call[i]);
	}
	printf("%ld calls, %ld pure, %ld the same\n", n, pure, same);
	alleria_close(p);
	free_pieces();
	return 0;
}
