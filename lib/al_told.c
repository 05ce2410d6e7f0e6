/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_told.c - names that somebody else has found out; see al_told.h */

#include "lib/al_told.h"

#include <errno.h>
#include <stdlib.h>

enum { FIRST = 256 };

void al_told_release(struct al_told *t)
{
	free(t->name);
	*t = (struct al_told){0};
}

int al_told_add(struct al_told *t, const struct al_told_name *name)
{
	size_t size = t->size ? 2 * t->size : FIRST;
	void *bigger;

	if (t->n == t->size) {
		bigger = realloc(t->name, size * sizeof(*t->name));
		if (!bigger)
			return -ENOMEM;
		t->name = bigger;
		t->size = size;
	}
	t->name[t->n++] = *name;
	return 0;
}

static int compare(const void *one, const void *other)
{
	uint64_t a = ((const struct al_told_name *)one)->value;
	uint64_t b = ((const struct al_told_name *)other)->value;

	return (a > b) - (a < b);
}

const struct al_told_name *al_told_find(struct al_told *t, uint64_t value)
{
	const struct al_told_name key = {.value = value};

	if (t->sorted != t->n)
		qsort(t->name, t->n, sizeof(key), compare);
	t->sorted = t->n;
	return t->n ? bsearch(&key, t->name, t->n, sizeof(key), compare) : NULL;
}
