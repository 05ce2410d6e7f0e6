/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place_counts.c - adds up counts by function and source line; see
   place_counts.h */

#include "analyzers/place_counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t get_address_of_string_as_u64(const char *s)
{
	return (uintptr_t)s;
}

static const char *string_at_address_word(uint64_t word)
{
	return (const char *)(uintptr_t)word;
}

/* Make room for the counts and the path of the line with index @line_index,
   which is at most p->size. New elements are undefined. Return: 0 or
   -ENOMEM. */
static int reserve_room_for_counts_and_path(struct an_place_counts *p,
					    uint32_t line_index)
{
	uint32_t size = p->size ? 2 * p->size : 256;
	uint64_t *count;
	const char **path;

	if (line_index < p->size)
		return 0;
	count = realloc(p->count, (size_t)size * p->n_counts * sizeof(*count));
	if (count == NULL)
		return -ENOMEM;
	p->count = count;
	path = realloc(p->path, size * sizeof(*path));
	if (path == NULL)
		return -ENOMEM;
	p->path = path;
	p->size = size;
	return 0;
}

/* Return the index in p->lines of the function and source line of @symbol. A
   new line is added with counts of 0 and no path. Return AL_KEY_TABLE_NO_MEMORY
   if memory is short. */
static int64_t find_or_add_line_index_of_symbol(struct an_place_counts *p,
						const struct an_symbol *symbol)
{
	const struct al_key key = {
		{get_address_of_string_as_u64(symbol->function),
		 get_address_of_string_as_u64(symbol->file),
		 get_address_of_string_as_u64(symbol->object)}};
	int64_t function = al_key_table_find_or_add_index(&p->functions, &key);
	uint32_t n = p->lines.n;
	int64_t line;

	if (function < 0 || reserve_room_for_counts_and_path(p, n))
		return AL_KEY_TABLE_NO_MEMORY;
	line = al_key_table_find_or_add_index(
		&p->lines,
		&(struct al_key){{(uint64_t)function, symbol->line}});
	if (line >= 0 && p->lines.n > n) {
		memset(p->count + (size_t)n * p->n_counts, 0,
		       p->n_counts * sizeof(*p->count));
		p->path[n] = NULL;
	}
	return line;
}

int an_place_counts_add_to_line(struct an_place_counts *p,
				const struct an_symbol *symbol,
				const uint64_t *added_counts)
{
	int64_t line = find_or_add_line_index_of_symbol(p, symbol);
	const char **path;

	if (line < 0)
		return -ENOMEM;
	path = &p->path[line];
	if (symbol->path != NULL &&
	    (*path == NULL || strcmp(symbol->path, *path) < 0))
		*path = symbol->path;
	for (unsigned i = 0; i < p->n_counts; i++)
		p->count[(size_t)line * p->n_counts + i] += added_counts[i];
	return 0;
}

struct an_symbol
an_place_counts_symbol_at_index(const struct an_place_counts *p,
				uint32_t line_index)
{
	const uint64_t *key = p->lines.key[line_index].word;
	const uint64_t *function = p->functions.key[key[0]].word;

	return (struct an_symbol){.function =
					  string_at_address_word(function[0]),
				  .file = string_at_address_word(function[1]),
				  .object = string_at_address_word(function[2]),
				  .line = (uint32_t)key[1],
				  .path = p->path[line_index]};
}

int an_place_counts_add_all(struct an_place_counts *to,
			    const struct an_place_counts *from)
{
	int err = 0;

	for (uint32_t i = 0; i < from->lines.n && !err; i++) {
		struct an_symbol s = an_place_counts_symbol_at_index(from, i);

		err = an_place_counts_add_to_line(
			to, &s, from->count + (size_t)i * from->n_counts);
	}
	return err;
}

void an_place_counts_release(struct an_place_counts *p)
{
	al_key_table_release(&p->functions);
	al_key_table_release(&p->lines);
	free(p->path);
	free(p->count);
	*p = (struct an_place_counts){.n_counts = p->n_counts};
}
