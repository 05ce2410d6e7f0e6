/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwritten_code.c - finds names of code that are in no block of the file
 *
 * Names are written when an image ends. If an image has no end, in a profile
 * that is being written or was left unfinished, the names of the code in its
 * descriptors are read from the object files, if these still exist.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/tables/array.h"
#include "base/tables/key_table.h"
#include "liballeria/descriptors.h"
#include "liballeria/names.h"

struct search {
	struct alleria_profile *profile;
	struct ap_names *names;	  /* names that are in the file, sorted */
	struct al_key_table seen; /* pairs of path and value that were looked
				      up already */
	struct al_key_table objects;
	struct ap_name *found;
	size_t n;
	size_t size;
};

/* Find the name of the instruction at @elf_address in the object file @path,
   and append it to x->found; "???" if it is not known. @path: interned by the
   profile. Return: 0; -ENOMEM. */
static int find_name_and_append_to_found(struct search *x, const char *path,
					 uint64_t elf_address)
{
	struct alleria_profile *p = x->profile;
	struct an_symbol s;

	if (al_array_reserve(x->found, x->size, x->n + 1))
		return -ENOMEM;
	al_symbols_fill_symbol_at_address(
		p->symbols,
		al_symbols_intern_or_question_marks(p->symbols, path),
		elf_address, &s);
	x->found[x->n++] = (struct ap_name){
		.object = path,
		.value = elf_address,
		.function = ap_intern_or_question_marks(p, s.function),
		.file = ap_intern_or_question_marks(p, s.path),
		.line = s.line,
		.call_line = s.call_line,
	};
	return 0;
}

/* Count the object at @path if its file cannot be read; each object is counted
   once. Return: 0; -ENOMEM. */
static int count_object_once_if_unreadable(struct search *x, const char *path)
{
	uint32_t number;
	bool is_new;
	int err = al_key_table_find_or_add_pair(&x->objects, (uintptr_t)path, 0,
						&number, &is_new);

	if (!err && is_new && access(path, R_OK))
		x->names->missing++;
	return err;
}

/* Find the name of the instruction at @elf_address in the object file @path,
   and append it to x->found, unless the profile has a name for this address or
   an earlier call has looked it up. Return: 0; -ENOMEM. */
static int append_name_unless_known(struct search *x, const char *path,
				    uint64_t elf_address)
{
	const struct ap_name *known =
		ap_names_find_at_or_before(x->names, path, elf_address);
	uint32_t number;
	bool is_new;
	int err;

	if (known && known->value == elf_address)
		return 0;
	err = al_key_table_find_or_add_pair(&x->seen, (uintptr_t)path,
					    elf_address, &number, &is_new);
	if (!err && is_new)
		err = count_object_once_if_unreadable(x, path);
	return err || !is_new
		       ? err
		       : find_name_and_append_to_found(x, path, elf_address);
}

static int append_missing_names_of_block(struct search *x,
					 const struct al_desc *d)
{
	const struct al_mapping *m = d->mapping;
	int err = 0;

	for (unsigned i = 0; m && !err && i < d->n_instrs; i++)
		if (d->instr[i].addr - m->start < m->size)
			err = append_name_unless_known(
				x, m->path, d->instr[i].addr - m->bias);
	return err;
}

/* Read the whole log of a stream, and append the missing names of the code that
   it describes; if the log is damaged, of the code before the damage. Return:
   0; -errno. */
static int read_log_and_append_missing_names(struct search *x,
					     struct ap_stream *s)
{
	int err = ap_stream_read_log_before_entry(s, UINT32_MAX);

	if (err == -EBADMSG)
		err = 0;
	for (uint32_t i = 0; !err && i < s->blocks.n; i++)
		err = append_missing_names_of_block(x, s->blocks.desc[i]);
	return err;
}

/* Append the missing names of the streams without an end; of all streams if
   names in the profile are damaged. Return: 0; -errno. */
static int append_missing_code_names_of_streams(struct search *x)
{
	struct alleria_profile *p = x->profile;
	int err = 0;

	for (uint32_t i = 0; !err && i < p->n_streams; i++)
		if (p->stream[i] && (!p->stream[i]->ended || x->names->damaged))
			err = read_log_and_append_missing_names(x,
								p->stream[i]);
	return err;
}

static int append_found_names_to_profile_names(struct search *x)
{
	struct ap_names *names = x->names;
	void *bigger = reallocarray(names->name, names->n + x->n + 1,
				    sizeof(*names->name));

	if (!bigger)
		return -ENOMEM;
	names->name = bigger;
	for (size_t i = 0; i < x->n; i++)
		names->name[names->n++] = x->found[i];
	return 0;
}

int ap_names_add_missing_from_object_files(struct alleria_profile *p,
					   struct ap_names *names)
{
	struct search x = {.profile = p, .names = names};
	int err = 0;

	if (!p->symbols)
		p->symbols = al_symbols_new();
	if (!p->symbols)
		return -ENOMEM;
	err = append_missing_code_names_of_streams(&x);
	if (!err)
		err = append_found_names_to_profile_names(&x);
	al_key_table_release(&x.seen);
	al_key_table_release(&x.objects);
	free(x.found);
	return err;
}

uint64_t alleria_names_missing(struct alleria_profile *p)
{
	uint64_t n;

	pthread_mutex_lock(&p->lock);
	n = p->names.missing;
	pthread_mutex_unlock(&p->lock);
	return n;
}
