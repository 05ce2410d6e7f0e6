/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compiled.c - source text for benchmarks in which the compiler is the recorded
 * program; it is never run
 *
 * The file includes itself once for each of the first TYPES element types. A
 * greater TYPES makes the compiler do more work of the same kind.
 */
#ifndef ELEMENT

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME(verb) JOIN(verb, ELEMENT)

#if TYPES > 0
#define ELEMENT int
#include "compiled.c"
#undef ELEMENT
#endif
#if TYPES > 1
#define ELEMENT double
#include "compiled.c"
#undef ELEMENT
#endif
#if TYPES > 2
typedef unsigned char byte;
#define ELEMENT byte
#include "compiled.c"
#undef ELEMENT
#endif
#if TYPES > 3
typedef long long wide;
#define ELEMENT wide
#include "compiled.c"
#undef ELEMENT
#endif
#if TYPES > 4
#define ELEMENT float
#include "compiled.c"
#undef ELEMENT
#endif
#if TYPES > 5
#define ELEMENT short
#include "compiled.c"
#undef ELEMENT
#endif

int main(void)
{
	return 0;
}

#else

struct NAME(tree) {
	struct NAME(tree) * child[2];
	ELEMENT key;
	unsigned priority;
};

struct NAME(table) {
	ELEMENT *slot;
	unsigned char *used;
	size_t size; /* number of slots, a power of two */
	size_t n;
};

static inline void NAME(swap)(ELEMENT *a, ELEMENT *b)
{
	ELEMENT t = *a;

	*a = *b;
	*b = t;
}

void NAME(sort)(ELEMENT *v, size_t n)
{
	size_t i, last = 0;

	if (n < 2)
		return;
	NAME(swap)(v, v + n / 2);
	for (i = 1; i < n; i++)
		if (v[i] < v[0])
			NAME(swap)(v + ++last, v + i);
	NAME(swap)(v, v + last);
	NAME(sort)(v, last);
	NAME(sort)(v + last + 1, n - last - 1);
}

static struct NAME(tree) * NAME(rotate)(struct NAME(tree) * t, int side)
{
	struct NAME(tree) *up = t->child[side];

	t->child[side] = up->child[!side];
	up->child[!side] = t;
	return up;
}

struct NAME(tree) * NAME(insert)(struct NAME(tree) * t, ELEMENT key)
{
	int side;

	if (!t) {
		t = calloc(1, sizeof(*t));
		if (t) {
			t->key = key;
			t->priority = (unsigned)rand();
		}
		return t;
	}
	side = t->key < key;
	t->child[side] = NAME(insert)(t->child[side], key);
	if (t->child[side] && t->child[side]->priority > t->priority)
		t = NAME(rotate)(t, side);
	return t;
}

static size_t NAME(hash)(ELEMENT key)
{
	unsigned char bytes[sizeof(key)];
	size_t i, h = 14695981039346656037u;

	memcpy(bytes, &key, sizeof(key));
	for (i = 0; i < sizeof(key); i++)
		h = (h ^ bytes[i]) * 1099511628211u;
	return h;
}

int NAME(put)(struct NAME(table) * t, ELEMENT key)
{
	size_t i = NAME(hash)(key);

	if (t->n * 4 >= t->size * 3)
		return -1;
	for (;; i++) {
		i &= t->size - 1;
		if (!t->used[i])
			break;
		if (t->slot[i] == key)
			return 0;
	}
	t->used[i] = 1;
	t->slot[i] = key;
	t->n++;
	return 1;
}

ELEMENT NAME(evaluate)(const char *code, ELEMENT *stack, const ELEMENT *in)
{
	ELEMENT *top = stack;

	*top = 0;
	for (; *code; code++) {
		switch (*code) {
		case 'a' ... 'z':
			*++top = in[*code - 'a'];
			break;
		case '+':
			top--;
			top[0] = (ELEMENT)(top[0] + top[1]);
			break;
		case '-':
			top--;
			top[0] = (ELEMENT)(top[0] - top[1]);
			break;
		case '*':
			top--;
			top[0] = (ELEMENT)(top[0] * top[1]);
			break;
		case '<':
			top--;
			top[0] = (ELEMENT)(top[0] < top[1]);
			break;
		case '?':
			top -= 2;
			top[0] = top[0] != 0 ? top[1] : top[2];
			break;
		default:
			printf("what is '%c'?\n", *code);
		}
	}
	return *top;
}

void NAME(smooth)(ELEMENT *out, const ELEMENT *in, size_t rows, size_t columns)
{
	size_t y, x, dy, dx;
	ELEMENT sum;

	for (y = 1; y + 1 < rows; y++)
		for (x = 1; x + 1 < columns; x++) {
			sum = 0;
			for (dy = 0; dy < 3; dy++)
				for (dx = 0; dx < 3; dx++)
					sum = (ELEMENT)(sum + in[(y + dy -
								  1) * columns +
								 x + dx - 1]);
			out[y * columns + x] = (ELEMENT)(sum / 9);
		}
}

#endif
