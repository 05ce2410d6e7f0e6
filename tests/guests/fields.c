/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields.c - accesses members of structures in known ways; fields.test has the
 * numbers
 *
 * fields CASE
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

enum { LINES = 1 << 16, NODES = 1000 };

/* ---- one hot member in a line ---- */

struct line {
	long hot;
	char cold[56];
};

static volatile struct line lines[LINES] __attribute__((aligned(64)));
static volatile long hot_only[LINES] __attribute__((aligned(64)));
static volatile long sum;

static NOINLINE void read_hot(void)
{
	for (int i = 0; i < LINES; i++)
		sum += lines[i].hot;
}

static NOINLINE void read_split(void)
{
	for (int i = 0; i < LINES; i++)
		sum += hot_only[i];
}

static NOINLINE void read_heap_lines(void)
{
	struct line *p = aligned_alloc(64, LINES * sizeof(*p));

	for (struct line *l = p; l < p + LINES; l++)
		sum += *(volatile long *)&l->hot;
	free(p);
}

/* ---- nested members, and kinds of variables ---- */

struct outer {
	int a;
	char c;
	struct inner {
		double d;
		int b;
	} in;
};

struct bits {
	unsigned low : 3, high : 9;
	union {
		int word;
		short half;
	} u;
	struct {
		char x;
	};
	long list[2];
};

volatile struct outer arr[10];
volatile struct bits bits;

static NOINLINE void write_members(void)
{
	static volatile int counter;

	for (int i = 0; i < 10; i++) {
		arr[3].in.b = i;
		counter = i;
	}
	for (int i = 0; i < 5; i++)
		bits.u.word = i;
	bits.list[1] = 1;
	sum += counter;
}

/* ---- a list of nodes ---- */

struct node {
	struct node *next;
	long key;
	int count;
};

static struct node *node_at[NODES];

static NOINLINE struct node *make_list(void)
{
	uint32_t random = 1;
	struct node *list = NULL;

	for (int i = 0; i < NODES; i++)
		node_at[i] = malloc(sizeof(struct node));
	for (int i = NODES - 1; i > 0; i--) {
		struct node *other;
		int k;

		random = random * 1664525 + 1013904223;
		k = (int)((random >> 8) % (unsigned)(i + 1));
		other = node_at[k];
		node_at[k] = node_at[i];
		node_at[i] = other;
	}
	for (int i = 0; i < NODES; i++) {
		node_at[i]->next = list;
		list = node_at[i];
	}
	return list;
}

static NOINLINE void chase(struct node *n)
{
	for (; n; n = *(struct node *volatile *)&n->next)
		sum++;
}

static NOINLINE void chase_keys(struct node *n)
{
	for (; n; n = *(struct node *volatile *)&n->next)
		sum += *(volatile long *)&n->key;
}

/* ---- lines that are written back ---- */

enum { ARRAY = 1 << 20, STEP = 64 };

#define LINE_ALIGNED __attribute__((aligned(64)))

static volatile char a0[ARRAY] LINE_ALIGNED, a1[ARRAY] LINE_ALIGNED,
	a2[ARRAY] LINE_ALIGNED, a3[ARRAY] LINE_ALIGNED, a4[ARRAY] LINE_ALIGNED;
static volatile char scratch[ARRAY];

static NOINLINE void read_all(volatile char *p)
{
	for (int i = 0; i < ARRAY; i += STEP)
		sum += p[i];
}

/* Use each line of an array: write @quarters of four, read the others. */
static NOINLINE void use_lines(volatile char *p, int quarters)
{
	for (int i = 0; i < ARRAY; i += STEP) {
		if (i / STEP % 4 < quarters)
			p[i] = 1;
		else
			sum += p[i];
	}
}

static NOINLINE void use_arrays(void)
{
	volatile char *const array[] = {a0, a1, a2, a3, a4};

	read_all(scratch);
	for (int i = 0; i < 5; i++)
		use_lines(array[i], i);
	read_all(scratch);
}

/* ---- an array of elements ---- */

static NOINLINE void use_elements(void)
{
	volatile int *p = calloc(2000, 3 * sizeof(*p));

	for (int i = 0; i < 6000; i += 3)
		p[i + 1] = i;
	for (int i = 0; i < 6000; i += 3)
		sum += p[i + 2];
	free((void *)p);
}

/* Blocks of two sizes from one place have no element. */
static NOINLINE char *make_any(size_t size)
{
	char *p = malloc(size);

	*(volatile char *)p = 1;
	return p;
}

/* ---- one type on the heap and in a variable ---- */

enum { WIDES = 100 };

struct wide {
	long id;
	char text[48];
	char flag;
	struct {
		long first;
		int second;
	} in;
};

static volatile struct wide wide_table[WIDES];

static NOINLINE struct wide *make_wide(void)
{
	struct wide *p = malloc(WIDES * sizeof(*p));

	for (struct wide *w = p; w < p + WIDES; w++) {
		*(volatile long *)&w->id = 1;
		*(volatile char *)&w->flag = 1;
	}
	return p;
}

static NOINLINE void use_wides(void)
{
	struct wide *a = make_wide(), *b = make_wide();

	for (int i = 0; i < WIDES; i++) {
		wide_table[i].flag = 1;
		sum += wide_table[i].in.first;
	}
	free(a);
	free(b);
}

int main(int argc, char **argv)
{
	const char *which = argc > 1 ? argv[1] : "";

	if (!strcmp(which, "hot"))
		read_hot();
	else if (!strcmp(which, "split"))
		read_split();
	else if (!strcmp(which, "heap"))
		read_heap_lines();
	else if (!strcmp(which, "members"))
		write_members();
	else if (!strcmp(which, "chase"))
		chase(make_list());
	else if (!strcmp(which, "keys"))
		chase_keys(make_list());
	else if (!strcmp(which, "elements"))
		use_elements();
	else if (!strcmp(which, "arrays"))
		use_arrays();
	else if (!strcmp(which, "types"))
		use_wides();
	else if (!strcmp(which, "mixed"))
		sum += make_any(10) == make_any(20);
	return 0;
}
