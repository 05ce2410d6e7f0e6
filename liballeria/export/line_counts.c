/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_counts.c - instructions, reads and writes by source line
 *
 * Counted by instruction: where its code bytes are says which one it is, of a
 * process, and of what was mapped there at the time. Then named.
 */
#include "liballeria/export/line_counts.h"

#include <stdlib.h>
#include <string.h>

struct code {
	const uint8_t *bytes; /* NULL: the place is free */
	uint64_t address;
	uint64_t number; /* of the first that executed it */
	struct ex_count count;
};

/* An open hash table by `bytes` and process. */
struct codes {
	struct code *code;
	size_t n;
	size_t size; /* a power of two, or 0 */
};

static struct code *find(struct codes *t, const uint8_t *bytes,
			 uint32_t process)
{
	uint64_t h =
		((uintptr_t)bytes + process) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(h >> 20) & (t->size - 1);

	while (t->code[i].bytes != NULL &&
	       (t->code[i].bytes != bytes ||
		t->code[i].count.process != process))
		i = (i + 1) & (t->size - 1);
	return &t->code[i];
}

static int grow(struct codes *t)
{
	struct codes bigger = {.size = t->size ? 2 * t->size : 4096};

	bigger.code = calloc(bigger.size, sizeof(*bigger.code));
	if (bigger.code == NULL)
		return -1;
	for (size_t i = 0; i < t->size; i++)
		if (t->code[i].bytes != NULL)
			*find(&bigger, t->code[i].bytes,
			      t->code[i].count.process) = t->code[i];
	bigger.n = t->n;
	free(t->code);
	*t = bigger;
	return 0;
}

static int count(struct codes *t, const struct alleria_instruction *i)
{
	struct code *c;

	if (2 * t->n >= t->size && grow(t) != 0)
		return -1;
	c = find(t, i->bytes, i->process);
	if (c->bytes == NULL) {
		c->bytes = i->bytes;
		c->address = i->address;
		c->number = i->number;
		c->count.process = i->process;
		t->n++;
	}
	c->count.instructions++;
	for (unsigned a = 0; a < i->n_accesses; a++) {
		c->count.reads += i->access[a].kind != ALLERIA_WRITE;
		c->count.writes += i->access[a].kind != ALLERIA_READ;
	}
	return 0;
}

static int count_all(struct ex_job *job, struct codes *t)
{
	const struct alleria_instruction *in;
	struct alleria_cursor *c = NULL;
	int err = 0;
	long n = alleria_cursor_open(job->profile, ALLERIA_INSTRUCTIONS, NULL,
				     &c);

	while (n >= 0 && !err && (n = alleria_instructions(c, &in)) > 0)
		for (long i = 0; i < n && !err; i++)
			if (count(t, &in[i]) != 0)
				err = ex_fail(job, ALLERIA_E_MEMORY, NULL);
	if (n < 0 && !err)
		err = ex_fail(job, (int)n, c);
	alleria_cursor_close(c);
	return err;
}

static int name_all(struct ex_job *job, struct codes *t)
{
	size_t kept = 0;
	int rc = 0;

	for (size_t i = 0; i < t->size && rc >= 0; i++) {
		struct code *c = &t->code[i];

		if (c->bytes == NULL)
			continue;
		rc = alleria_name(job->profile, c->count.process, c->address,
				  c->number, &c->count.name);
		t->code[kept++] = *c;
	}
	t->n = kept;
	return rc < 0 ? ex_fail(job, rc, NULL) : 0;
}

static int compare(const void *x, const void *y)
{
	const struct ex_count *a = &((const struct code *)x)->count;
	const struct ex_count *b = &((const struct code *)y)->count;
	int d = (a->process > b->process) - (a->process < b->process);

	if (d == 0)
		d = strcmp(a->name.object, b->name.object);
	if (d == 0)
		d = strcmp(a->name.file, b->name.file);
	if (d == 0)
		d = strcmp(a->name.function, b->name.function);
	if (d == 0)
		d = (a->name.line > b->name.line) -
		    (a->name.line < b->name.line);
	return d;
}

static int hand_out(struct codes *t,
		    int (*put)(void *arg, const struct ex_count *), void *arg)
{
	int rc = 0;

	qsort(t->code, t->n, sizeof(*t->code), compare);
	for (size_t i = 0; i < t->n && rc == 0;) {
		struct ex_count sum = t->code[i].count;
		size_t next = i + 1;

		for (; next < t->n && compare(&t->code[i], &t->code[next]) == 0;
		     next++) {
			sum.instructions += t->code[next].count.instructions;
			sum.reads += t->code[next].count.reads;
			sum.writes += t->code[next].count.writes;
		}
		rc = put(arg, &sum);
		i = next;
	}
	return rc;
}

int ex_counts(struct ex_job *job,
	      int (*put)(void *arg, const struct ex_count *), void *arg)
{
	struct codes t = {0};
	int rc = count_all(job, &t);

	if (rc == 0)
		rc = name_all(job, &t);
	if (rc == 0 && t.n > 0)
		rc = hand_out(&t, put, arg);
	free(t.code);
	return rc;
}
