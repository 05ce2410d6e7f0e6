/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_types.c - finds the structure that an access implies; see
   access_types.h */

#include "analyzers/data/access_types.h"

#include <stdlib.h>
#include <string.h>

/* Its address marks an access whose type was not yet inferred. */
static const struct an_type not_asked;

static bool grow_block_array_to_hold_id(struct an_access_types *t,
					uint32_t block_id)
{
	uint32_t n = t->n_blocks ? t->n_blocks : 1024;
	const struct an_type ***bigger;

	while (n <= block_id)
		n *= 2;
	bigger = reallocarray(t->block, n, sizeof(*bigger));
	if (bigger == NULL)
		return false;
	memset(bigger + t->n_blocks, 0, (n - t->n_blocks) * sizeof(*bigger));
	t->block = bigger;
	t->n_blocks = n;
	return true;
}

/* Return the array of types of a block's accesses; it is allocated with
   &not_asked in all elements if the block is new. NULL: memory is short. */
static const struct an_type **
find_or_alloc_types_of_block(struct an_access_types *t,
			     const struct an_block *b)
{
	const struct an_type **types;

	if (b->id >= t->n_blocks && !grow_block_array_to_hold_id(t, b->id))
		return NULL;
	types = t->block[b->id];
	if (types != NULL)
		return types;
	types = malloc((b->n_accesses + 1u) * sizeof(struct an_type *));
	for (unsigned i = 0; types && i < b->n_accesses; i++)
		types[i] = &not_asked;
	return t->block[b->id] = types;
}

const struct an_type *an_access_types_find_or_infer_structure(
	struct an_access_types *t, const struct an_block *b, unsigned access)
{
	const struct an_type **types = find_or_alloc_types_of_block(t, b);

	if (types == NULL)
		return NULL;
	if (types[access] == &not_asked)
		types[access] = t->env->accessed_type(t->env->host, b,
						      b->access[access].instr);
	return types[access];
}

void an_access_types_release(struct an_access_types *t)
{
	for (uint32_t i = 0; i < t->n_blocks; i++)
		free(t->block[i]);
	free(t->block);
	*t = (struct an_access_types){.env = t->env};
}
