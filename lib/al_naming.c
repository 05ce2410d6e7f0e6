/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_naming.c - names of code, for a profile; see al_naming.h */

#include "lib/al_naming.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/al_executed.h"
#include "lib/al_symbols.h"

enum { MOST = 16384 }; /* names at once, but for a block's */

/* Object files larger than that have names told more than once. */
#define MOST_VALUE ((uint64_t)1 << 32)

/* What names are gathered into. */
struct naming {
	struct al_naming *told;
	struct al_symbols *symbols;
	struct pf_records *out; /* texts and objects */
	struct pf_code_name name[MOST + PT_MAX_INSTRS];
	size_t n;
};

void al_naming_release(struct al_naming *n)
{
	al_numbering_release(&n->objects);
	al_numbering_release(&n->texts);
	for (uint32_t i = 0; i < n->n_named; i++)
		free(n->named[i].bits);
	free(n->named);
}

/* ---- which have one ---- */

static struct al_named *find_named(struct al_naming *n, uint32_t object)
{
	void *bigger;

	if (object < n->n_named)
		return &n->named[object];
	bigger = realloc(n->named, (object + 1) * sizeof(*n->named));
	if (bigger == NULL)
		return NULL;
	n->named = bigger;
	for (; n->n_named <= object; n->n_named++)
		n->named[n->n_named] = (struct al_named){0};
	return &n->named[object];
}

static int make_bits(struct al_named *n, uint64_t most)
{
	uint64_t size = most + most / 4 + 1;
	uint64_t *bits = realloc(n->bits, size * sizeof(*bits));

	if (bits == NULL)
		return -ENOMEM;
	memset(bits + n->n, 0, (size - n->n) * sizeof(*bits));
	n->bits = bits;
	n->n = size;
	return 0;
}

/* 1: it has none yet, and gets one now; 0; -ENOMEM. */
static int take_value(struct al_naming *told, uint32_t object, uint64_t value)
{
	struct al_named *n = find_named(told, object);
	uint64_t bit = 1ull << value % 64;

	if (value >= MOST_VALUE)
		return 1;
	if (n == NULL || (value / 64 >= n->n && make_bits(n, value / 64) != 0))
		return -ENOMEM;
	if (n->bits[value / 64] & bit)
		return 0;
	n->bits[value / 64] |= bit;
	return 1;
}

/* ---- names ---- */

/* An interned string has one address. */
static int find_text(struct naming *n, const char *text, uint32_t *number)
{
	bool is_new;
	int err = al_numbering_find(&n->told->texts, (uintptr_t)text, 0, number,
				    &is_new);

	if (err || !is_new)
		return err;
	pf_add(n->out, PF_TEXT);
	pf_add_number(n->out, *number);
	pf_add_string(n->out, text);
	return 0;
}

static int find_object(struct naming *n, const char *path, uint32_t *number)
{
	char id[AL_BUILD_ID];
	bool is_new;
	int err = al_numbering_find(&n->told->objects, (uintptr_t)path, 0,
				    number, &is_new);

	if (err || !is_new)
		return err;
	al_symbols_build_id(path, id);
	pf_add(n->out, PF_OBJECT);
	pf_add_number(n->out, *number);
	pf_add_string(n->out, path);
	pf_add_string(n->out, id);
	return 0;
}

static int name_instr(struct naming *n, const char *path, uint32_t object,
		      uint64_t value)
{
	int err = take_value(n->told, object, value);
	struct pf_code_name *name;
	struct an_symbol s;

	if (err <= 0)
		return err;
	name = &n->name[n->n++];
	al_symbols_find(n->symbols, path, value, &s);
	*name = (struct pf_code_name){
		.value = value,
		.object = object,
		.line = s.line,
	};
	err = find_text(n, s.function, &name->function);
	return err ? err : find_text(n, s.path, &name->file);
}

/* Code in no object, or in one of which no more is known, has no names. */
static int name_block(struct naming *n, const struct al_desc *d)
{
	const struct al_mapping *m = d->mapping;
	uint32_t object;
	int err;

	if (m == NULL)
		return 0;
	err = find_object(n, m->path, &object);
	for (unsigned i = 0; !err && i < d->n_instrs; i++)
		if (d->instr[i].addr - m->start < m->size)
			err = name_instr(n, m->path, object,
					 d->instr[i].addr - m->bias);
	return err;
}

static int compare_names(const void *one, const void *other)
{
	const struct pf_code_name *a = one, *b = other;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

/* Behind the texts and objects that they use; sorted, which packs well. */
static void add_names(struct naming *n)
{
	if (n->n == 0)
		return;
	qsort(n->name, n->n, sizeof(*n->name), compare_names);
	pf_add(n->out, PF_CODE);
	pf_add_bytes(n->out, n->name, n->n * sizeof(*n->name));
}

int al_naming_add(struct al_naming *told, const struct al_executed *x,
		  uint32_t *at, struct al_symbols *symbols,
		  struct pf_records *records)
{
	struct naming *n = malloc(sizeof(*n));
	int err = 0;

	if (n == NULL)
		return -ENOMEM;
	n->told = told;
	n->symbols = symbols;
	n->out = records;
	n->n = 0;
	for (; !err && *at < x->n && n->n < MOST; ++*at)
		if (!x->block[*at]->pub.warm)
			err = name_block(n, x->block[*at]->desc);
	if (!err)
		add_names(n);
	free(n);
	return err ? err : *at < x->n;
}
