/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_naming.c - names of code, for a profile; see al_naming.h */

#include "lib/al_naming.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/al_executed.h"
#include "lib/al_symbols.h"

/* What names are gathered into. */
struct naming {
	struct al_naming *told;
	struct al_symbols *symbols;
	struct pf_records *out; /* texts and objects */
	struct pf_code_name *name;
	size_t n;
	size_t size;
};

void al_naming_release(struct al_naming *n)
{
	al_numbering_release(&n->objects);
	al_numbering_release(&n->texts);
	al_numbering_release(&n->code);
}

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

static struct pf_code_name *add_name(struct naming *n)
{
	size_t size = n->size ? 2 * n->size : 1024;
	void *bigger;

	if (n->n == n->size) {
		bigger = realloc(n->name, size * sizeof(*n->name));
		if (bigger == NULL)
			return NULL;
		n->name = bigger;
		n->size = size;
	}
	return &n->name[n->n++];
}

static int name_instr(struct naming *n, const char *path, uint32_t object,
		      uint64_t value)
{
	struct pf_code_name *name;
	struct an_symbol s;
	uint32_t number;
	bool is_new;
	int err = al_numbering_find(&n->told->code, object, value, &number,
				    &is_new);

	if (err || !is_new)
		return err;
	name = add_name(n);
	if (name == NULL)
		return -ENOMEM;
	al_symbols_find(n->symbols, path, value, &s);
	*name = (struct pf_code_name){
		.value = value,
		.object = object,
		.line = s.line,
	};
	err = find_text(n, s.function, &name->function);
	return err ? err : find_text(n, s.file, &name->file);
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
	enum { MOST = 4096 }; /* in a record */

	if (n->n == 0)
		return;
	qsort(n->name, n->n, sizeof(*n->name), compare_names);
	for (size_t i = 0; i < n->n; i += MOST) {
		size_t most = n->n - i < MOST ? n->n - i : MOST;

		pf_add(n->out, PF_CODE);
		pf_add_bytes(n->out, n->name + i, most * sizeof(*n->name));
	}
}

int al_naming_add(struct al_naming *told, const struct al_executed *x,
		  struct al_symbols *symbols, struct pf_records *records)
{
	struct naming n = {.told = told, .symbols = symbols, .out = records};
	int err = 0;

	for (uint32_t i = 0; !err && i < x->n; i++)
		err = name_block(&n, x->block[i]->desc);
	if (!err)
		add_names(&n);
	free(n.name);
	return err;
}
