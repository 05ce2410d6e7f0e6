/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cached_names.c - stores names of instructions; see cached_names.h */

#include "lib/symbols/cached_names.h"

#include <errno.h>
#include <stdlib.h>

enum { FIRST_SIZE = 256 };

void al_cached_names_release(struct al_cached_names *t)
{
	al_key_table_release(&t->sources);
	al_key_table_release(&t->names);
	free(t->code);
	*t = (struct al_cached_names){0};
}

static int reserve_element_for_one_code(struct al_cached_names *t)
{
	size_t size = t->size ? t->size + t->size / 4 : FIRST_SIZE;
	void *bigger;

	if (t->n < t->size)
		return 0;
	bigger = realloc(t->code, size * sizeof(*t->code));
	if (!bigger)
		return -ENOMEM;
	t->code = bigger;
	t->size = size;
	return 0;
}

/* Set @name_number to the number of a name, which is added if it is new.
   Return: 0; -ENOMEM. */
static int find_or_add_name_number(struct al_cached_names *t,
				   const struct al_cached_name *name,
				   uint32_t *name_number)
{
	uint32_t source;
	bool is_new;
	int err = al_key_table_find_or_add_pair(
		&t->sources, (uintptr_t)name->function, (uintptr_t)name->file,
		&source, &is_new);

	return err ? err
		   : al_key_table_find_or_add_pair(&t->names, source,
						   name->line, name_number,
						   &is_new);
}

static struct al_cached_code make_code_without_name(uint64_t address)
{
	return (struct al_cached_code){
		.value_low = (uint32_t)address,
		.value_high = (uint32_t)(address >> 32),
	};
}

static uint64_t code_address(const struct al_cached_code *code)
{
	return (uint64_t)code->value_high << 32 | code->value_low;
}

int al_cached_names_add_interned_at_address(
	struct al_cached_names *t, const struct al_cached_name *interned_name)
{
	struct al_cached_code code =
		make_code_without_name(interned_name->value);
	int err = find_or_add_name_number(t, interned_name, &code.name);

	if (!err)
		err = reserve_element_for_one_code(t);
	if (!err)
		t->code[t->n++] = code;
	return err;
}

static int compare_codes_by_address(const void *one, const void *other)
{
	uint64_t a = code_address(one), b = code_address(other);

	return (a > b) - (a < b);
}

/* Return the last element whose address is at most @address, or NULL. Elements
   that were appended since the last call are sorted first. */
static const struct al_cached_code *
sort_and_find_code_at_or_before(struct al_cached_names *t, uint64_t address)
{
	size_t low = 0, high = t->n;

	if (t->n_sorted != t->n)
		qsort(t->code, t->n, sizeof(*t->code),
		      compare_codes_by_address);
	t->n_sorted = t->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (code_address(&t->code[middle]) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &t->code[low - 1] : NULL;
}

/* Set the members of @name but `value` to the name of @code. */
static void fill_name_of_code(const struct al_cached_names *t,
			      const struct al_cached_code *code,
			      struct al_cached_name *name)
{
	const struct al_key *name_key = &t->names.key[code->name];
	const struct al_key *source_key = &t->sources.key[name_key->word[0]];

	name->line = (uint32_t)name_key->word[1];
	name->function = (const char *)(uintptr_t)source_key->word[0];
	name->file = (const char *)(uintptr_t)source_key->word[1];
}

bool al_cached_names_find_by_exact_address(struct al_cached_names *t,
					   struct al_cached_name *name)
{
	const struct al_cached_code *code =
		sort_and_find_code_at_or_before(t, name->value);

	if (!code || code_address(code) != name->value)
		return false;
	fill_name_of_code(t, code, name);
	return true;
}

bool al_cached_names_find_by_inner_address(struct al_cached_names *t,
					   struct al_cached_name *name)
{
	const struct al_cached_code *code =
		sort_and_find_code_at_or_before(t, name->value);

	if (!code || name->value - code_address(code) >= AL_MAX_INSTR_BYTES)
		return false;
	name->value = code_address(code);
	fill_name_of_code(t, code, name);
	return true;
}
