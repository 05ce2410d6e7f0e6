/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_names.c - reads the names of code from a profile; see replay_state.h
   */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/replay/replay_state.h"
#include "lib/symbols/file_facts.h"

/* Interned strings by their number in the profile. */
struct strings {
	const char **string;
	size_t n;
	size_t size;
};

struct names {
	struct al_symbols *symbols;
	struct strings texts;
	struct strings objects;
};

/* Read a number and a string, and append the string to @s. Return: 0; -EBADMSG
   if the number is not the index of the new element, or the record is
   truncated; -ENOMEM. */
static int read_numbered_string_and_append(struct names *n, struct strings *s,
					   struct pf_fact_reader *f)
{
	const char *string;
	uint64_t number;

	if (!pf_fact_read_u64(f, &number) || !pf_fact_read_string(f, &string) ||
	    number != s->n)
		return -EBADMSG;
	if (al_array_reserve(s->string, s->size, s->n + 1))
		return -ENOMEM;
	s->string[s->n++] =
		al_symbols_intern_or_question_marks(n->symbols, string);
	return 0;
}

/* Append the path of an object file, and store its build id if the record has
   one. Return: 0; -EBADMSG; -ENOMEM. */
static int append_object_and_store_build_id(struct names *n,
					    struct pf_fact_reader *f)
{
	int err = read_numbered_string_and_append(n, &n->objects, f);
	const char *id;

	if (!err && pf_fact_read_string(f, &id))
		al_file_facts_set_build_id(al_symbols_file_facts(n->symbols),
					   n->objects.string[n->objects.n - 1],
					   id);
	return err;
}

/* Store the hash and the number of lines of a source file. Return: 0; -EBADMSG
   if the record is truncated or the file's number is unknown. */
static int read_and_store_source_hash(struct names *n, struct pf_fact_reader *f)
{
	struct al_source_hash h;
	uint64_t text;

	if (!pf_fact_read_u64(f, &text) || !pf_fact_read_u64(f, &h.hash) ||
	    !pf_fact_read_u64(f, &h.lines) || text >= n->texts.n)
		return -EBADMSG;
	al_file_facts_set_source_hash(al_symbols_file_facts(n->symbols),
				      n->texts.string[text], &h);
	return 0;
}

/* Pass the function, file and line of code to @add_to_symbols, with the path of
   the object file. Return: 0; -EBADMSG: the number of a string is unknown;
   -ENOMEM. */
static int add_code_name_to_symbols(
	struct names *n, const struct pf_code_name *c,
	int (*add_to_symbols)(struct al_symbols *, const char *path,
			      const struct al_cached_name *))
{
	struct al_cached_name name = {.value = c->value, .line = c->line};

	if (c->object >= n->objects.n || c->function >= n->texts.n ||
	    c->file >= n->texts.n)
		return -EBADMSG;
	name.function = n->texts.string[c->function];
	name.file = n->texts.string[c->file];
	return add_to_symbols(n->symbols, n->objects.string[c->object], &name);
}

static int add_code_names(struct names *n, struct pf_fact_reader *f,
			  int (*add_to_symbols)(struct al_symbols *,
						const char *path,
						const struct al_cached_name *))
{
	struct pf_code_name name;
	int err = 0;

	for (; !err && (size_t)(f->end - f->pos) >= sizeof(name);
	     f->pos += sizeof(name)) {
		memcpy(&name, f->pos, sizeof(name));
		err = add_code_name_to_symbols(n, &name, add_to_symbols);
	}
	return err;
}

static int read_and_store_name_record(struct names *n, struct pf_fact_reader *f)
{
	switch (f->kind) {
	case PF_OBJECT:
		return append_object_and_store_build_id(n, f);
	case PF_TEXT:
		return read_numbered_string_and_append(n, &n->texts, f);
	case PF_SOURCE:
		return read_and_store_source_hash(n, f);
	case PF_CODE:
		return add_code_names(n, f,
				      al_symbols_add_name_stored_in_profile);
	case PF_CALL:
		return add_code_names(n, f, al_symbols_add_cached_inlined_call);
	}
	return 0;
}

/* Store the names in block @e. If the block is damaged, the rest of it is
   skipped, and the reader counts the damage. Return: 0; -ENOMEM. */
static int read_and_store_name_block(struct al_replay *r, struct names *n,
				     const struct pf_entry *e)
{
	const void *payload;
	size_t offset = 0;
	struct pf_fact_reader f;
	int err = al_replay_load_block_payload(r, e, &payload), more = 1;

	while (!err && more > 0) {
		more = pf_records_read_next_fact_or_0_at_end(
			payload, e->head.bytes, &offset, &f);
		err = more > 0 ? read_and_store_name_record(n, &f) : more;
	}
	if (err == -EBADMSG)
		pf_reader_count_damaged_once(r->reader, e);
	return err == -ENOMEM ? err : 0;
}

int al_replay_read_names_forbid_file_reading(struct al_replay *r)
{
	struct names n = {.symbols = r->symbols};
	const struct pf_entry *e;
	size_t n_entries;
	int err = 0;

	al_file_facts_forbid_reading(al_symbols_file_facts(r->symbols));
	e = pf_reader_entries(r->reader, &n_entries);
	for (size_t i = 0; !err && i < n_entries; i++)
		if (e[i].head.kind == PF_NAMES)
			err = read_and_store_name_block(r, &n, &e[i]);
	free(n.texts.string);
	free(n.objects.string);
	return err;
}
