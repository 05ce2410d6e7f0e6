/* SPDX-License-Identifier: GPL-2.0-or-later */
/* name_table.c - appends names of code to a profile; see name_table.h */

#include "lib/record/name_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/recover/executed_blocks.h"
#include "lib/recover/site_code.h"
#include "lib/symbols/file_facts.h"
#include "lib/symbols/symbols.h"

/* A call of this file names no further block or site once it has appended so
   many names, or records of so many bytes. */
enum {
	MAX_NAMES = 16384,  /* names of instructions */
	MAX_BYTES = 8 << 20 /* [bytes] of records */
};

enum {
	MAX_TEXT = 16 << 10, /* [bytes] of the longest stored text, with its
				NUL */
	MAX_PATH = PT_MAX_RECORD,
	RECORD_OVERHEAD = 128, /* [bytes] upper bound on the sum of the sizes of
				  a PF_TEXT record without its text and of a
				  PF_SOURCE record */
};

_Static_assert(MAX_BYTES + MAX_PATH +
			       PT_MAX_INSTRS * 3 *
				       (MAX_TEXT + RECORD_OVERHEAD) +
			       2 * (MAX_NAMES + PT_MAX_INSTRS) *
				       sizeof(struct pf_code_name) <
		       PF_MAX_BYTES,
	       "all of it fits in a block of the profile");

/* State of one call that appends names. */
struct naming {
	struct al_name_table *written;
	struct al_symbols *symbols;
	struct pf_records *out; /* receives records of texts and objects, then
				   of names */
	struct pf_code_name name[MAX_NAMES + PT_MAX_INSTRS];
	size_t n;
	/* [n_calls] for each instruction in `name` that belongs to an inlined
	   function: the line of the call that was replaced by the function */
	struct pf_code_name call[MAX_NAMES + PT_MAX_INSTRS];
	size_t n_calls;
};

void al_name_table_release(struct al_name_table *n)
{
	al_key_table_release(&n->objects);
	al_key_table_release(&n->texts);
	al_key_table_release(&n->sources);
	al_key_table_release(&n->ranges);
	free(n->bitmap);
}

/* ---- named instructions ---- */

/* Mark an instruction as named. @object_number, @instr_address: the number of
   its object in the table, and its address as in the object's symbols. Return:
   1: it was not marked before; 0: it was; -ENOMEM. */
static int mark_instr_named_return_1_if_new(struct al_name_table *n,
					    uint32_t object_number,
					    uint64_t instr_address)
{
	uint64_t byte = instr_address % AL_NAME_BITMAP_BYTES,
		 bit = 1ull << byte % 64;
	uint64_t *bits;
	uint32_t number;
	bool is_new;

	if (al_array_reserve(n->bitmap, n->bitmaps_size, n->ranges.n + 1) !=
		    0 ||
	    al_key_table_find_or_add_pair(&n->ranges, object_number,
					  instr_address / AL_NAME_BITMAP_BYTES,
					  &number, &is_new) != 0)
		return -ENOMEM;
	if (is_new)
		n->bitmap[number] = (struct al_name_bitmap){{0}};
	bits = &n->bitmap[number].bits[byte / 64];
	if (*bits & bit)
		return 0;
	*bits |= bit;
	return 1;
}

/* ---- names ---- */

/* Append the text, cut after at most MAX_TEXT - 1 bytes but not within a UTF-8
   character, and a NUL. */
static void append_text_cut_to_max_with_nul(struct pf_records *out,
					    const char *text)
{
	size_t bytes = strnlen(text, MAX_TEXT - 1);

	/* cut before a character of UTF-8, whose bytes after the first are
	   10xxxxxx */
	while (bytes > 0 && (text[bytes] & 0xc0) == 0x80)
		bytes--;
	pf_records_append_raw_to_fact(out, text, bytes);
	pf_records_append_raw_to_fact(out, "", 1);
}

/* Set @number to the number of a text, and append its record if it is new.
   @interned_text: interned, so that equal texts have one address. Return: 0;
   -ENOMEM. */
static int find_or_append_text_record(struct naming *n,
				      const char *interned_text,
				      uint32_t *number)
{
	bool is_new;
	int err = al_key_table_find_or_add_pair(&n->written->texts,
						(uintptr_t)interned_text, 0,
						number, &is_new);

	if (err || !is_new)
		return err;
	pf_records_begin_fact(n->out, PF_TEXT);
	pf_records_append_u64_to_fact(n->out, *number);
	append_text_cut_to_max_with_nul(n->out, interned_text);
	return 0;
}

/* Set @number to the number of an object, and append its record if it is new.
   @interned_path: interned. Return: 0; -ENOMEM. */
static int find_or_append_object_record(struct naming *n,
					const char *interned_path,
					uint32_t *number)
{
	char id[AL_BUILD_ID];
	bool is_new;
	int err = al_key_table_find_or_add_pair(&n->written->objects,
						(uintptr_t)interned_path, 0,
						number, &is_new);

	if (err || !is_new)
		return err;
	al_file_facts_get_or_read_build_id(al_symbols_file_facts(n->symbols),
					   interned_path, id);
	pf_records_begin_fact(n->out, PF_OBJECT);
	pf_records_append_u64_to_fact(n->out, *number);
	pf_records_append_string_to_fact(n->out, interned_path);
	pf_records_append_string_to_fact(n->out, id);
	return 0;
}

/* Set @number to the number of a source file's path, and if it is new append
   its record and, if the file can be read, its hash. @interned_path: interned.
   Return: 0; -ENOMEM. */
static int find_or_append_source_record(struct naming *n,
					const char *interned_path,
					uint32_t *number)
{
	struct al_source_hash h;
	uint32_t unused;
	bool is_new;
	int err = find_or_append_text_record(n, interned_path, number);

	if (!err)
		err = al_key_table_find_or_add_pair(&n->written->sources,
						    (uintptr_t)interned_path, 0,
						    &unused, &is_new);
	if (err || !is_new ||
	    !al_file_facts_get_or_hash_source(al_symbols_file_facts(n->symbols),
					      interned_path, &h))
		return err;
	pf_records_begin_fact(n->out, PF_SOURCE);
	pf_records_append_u64_to_fact(n->out, *number);
	pf_records_append_u64_to_fact(n->out, h.hash);
	pf_records_append_u64_to_fact(n->out, h.lines);
	return 0;
}

/* Append to the array n->call a copy of @name, which is an instruction of an
   inlined function, but with the file and line of the call that was replaced by
   the inlined code. Return: 0; -ENOMEM. */
static int add_line_of_inlined_call_of_instr(struct naming *n,
					     const struct pf_code_name *name,
					     const struct an_symbol *s)
{
	struct pf_code_name *call = &n->call[n->n_calls++];

	*call = *name;
	call->line = s->call_line;
	return find_or_append_source_record(n, s->call_path, &call->file);
}

static int name_instruction_if_unnamed(struct naming *n,
				       const char *object_path,
				       uint32_t object_number,
				       uint64_t symbol_value)
{
	int err = mark_instr_named_return_1_if_new(n->written, object_number,
						   symbol_value);
	struct pf_code_name *name;
	struct an_symbol s;

	if (err <= 0)
		return err;
	name = &n->name[n->n++];
	al_symbols_fill_symbol_at_address(n->symbols, object_path, symbol_value,
					  &s);
	*name = (struct pf_code_name){
		.value = symbol_value,
		.object = object_number,
		.line = s.line,
	};
	err = find_or_append_text_record(n, s.function, &name->function);
	if (!err)
		err = find_or_append_source_record(n, s.path, &name->file);
	return err || !s.call_line
		       ? err
		       : add_line_of_inlined_call_of_instr(n, name, &s);
}

/* Add a name for each instruction of the block that lies in the block's mapped
   object and has none yet. Code outside of mapped objects gets no names, but
   its file gets an object record, so that the build id is known. Return: 0;
   -ENOMEM. */
static int name_mapped_instrs_of_block(struct naming *n,
				       const struct al_desc *d)
{
	const struct al_mapping *m = d->mapping;
	const char *path = m ? m->path : d->path;
	uint32_t object;
	int err = path ? find_or_append_object_record(n, path, &object) : 0;

	for (unsigned i = 0; m && !err && i < d->n_instrs; i++)
		if (d->instr[i].addr - m->start < m->size)
			err = name_instruction_if_unnamed(
				n, path, object, d->instr[i].addr - m->bias);
	return err;
}

static int compare_names_by_object_and_value(const void *one, const void *other)
{
	const struct pf_code_name *a = one, *b = other;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

/* Sort the array @name by object and value, which makes it compress well, and
   append it as one record of kind @fact_kind; append nothing if it is empty.
   The texts and objects that it refers to have been appended before. */
static void append_names_as_one_sorted_fact(struct pf_records *out,
					    unsigned fact_kind,
					    struct pf_code_name *name,
					    size_t name_count)
{
	if (name_count == 0)
		return;
	qsort(name, name_count, sizeof(*name),
	      compare_names_by_object_and_value);
	pf_records_begin_fact(out, fact_kind);
	pf_records_append_raw_to_fact(out, name, name_count * sizeof(*name));
}

static int name_code_at_alloc_site_address(struct naming *n,
					   const struct al_key *address)
{
	const char *path = (const char *)(uintptr_t)address->word[0];
	uint32_t object;
	int err = find_or_append_object_record(n, path, &object);

	return err ? err
		   : name_instruction_if_unnamed(n, path, object,
						 address->word[1]);
}

/* Name the instructions of the next block (of none if it is a warm-up's), or if
   no block is left the next address in a call stack of an allocation. Return:
   1; 0: no code is left; -ENOMEM. */
static int
name_next_code_return_1_if_any(struct naming *n,
			       struct al_unnamed_code *unnamed_code_inout)
{
	const struct al_block *block;
	int err = 0;

	if (unnamed_code_inout->next_block < unnamed_code_inout->executed->n) {
		block = unnamed_code_inout->executed
				->block[unnamed_code_inout->next_block++];
		if (!block->pub.warm)
			err = name_mapped_instrs_of_block(n, block->desc);
	} else if (unnamed_code_inout->sites != NULL &&
		   unnamed_code_inout->next_address <
			   unnamed_code_inout->sites->addresses.n) {
		err = name_code_at_alloc_site_address(
			n, &unnamed_code_inout->sites->addresses
				    .key[unnamed_code_inout->next_address++]);
	} else {
		return 0;
	}
	return err ? err : 1;
}

int al_name_table_append_names_return_more(struct al_name_table *written,
					   struct al_unnamed_code *code,
					   struct al_symbols *symbols,
					   struct pf_records *records)
{
	struct naming *n = malloc(sizeof(*n));
	int more = 1;

	if (n == NULL)
		return -ENOMEM;
	n->written = written;
	n->symbols = symbols;
	n->out = records;
	n->n = n->n_calls = 0;
	while (more > 0 && n->n < MAX_NAMES && records->bytes < MAX_BYTES)
		more = name_next_code_return_1_if_any(n, code);
	if (more >= 0) {
		append_names_as_one_sorted_fact(records, PF_CODE, n->name,
						n->n);
		append_names_as_one_sorted_fact(records, PF_CALL, n->call,
						n->n_calls);
	}
	free(n);
	return more;
}
