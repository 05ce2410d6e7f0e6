/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fields.c - counts by offset in an element; see fields.h */

#include "analyzers/data/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the pool ---- */

/* Add counts that are 0 to the pool. Return: their number, from 1; 0: memory is
   short. */
static uint32_t append_zero_counts_get_index_or_0(struct an_field_pool *p)
{
	uint32_t size = p->size ? 2 * p->size : 256;
	struct an_field_counts *bigger;

	if (p->n == 0)
		p->n = 1;
	if (p->n >= p->size) {
		bigger = reallocarray(p->counts, size, sizeof(*bigger));
		if (bigger == NULL)
			return 0;
		p->counts = bigger;
		p->size = size;
	}
	p->counts[p->n] = (struct an_field_counts){0};
	return p->n++;
}

void an_field_counts_add(struct an_field_counts *to,
			 const struct an_field_counts *from)
{
	for (int i = 0; i < AN_MAX_LEVELS; i++)
		for (int write = 0; write < 2; write++)
			to->misses[i][write] += from->misses[i][write];
	to->reads += from->reads;
	to->writes += from->writes;
	to->bytes += from->bytes;
	if (from->longest > to->longest)
		to->longest = from->longest;
}

void an_field_pool_release(struct an_field_pool *p)
{
	free(p->counts);
	*p = (struct an_field_pool){0};
}

/* ---- elements ---- */

static void free_cells_and_mark_mixed(struct an_group_fields *f)
{
	free(f->cell);
	f->cell = NULL;
	f->rest = 0;
	f->element = AN_ELEMENT_MIXED;
}

/* Set the size of the elements, and the size and number of the cells of each.
   If elements are so long that the size of a cell does not fit into 32 bits,
   mark them AN_ELEMENT_MIXED instead, so that they are not divided. */
static void set_element_cells(struct an_group_fields *f, uint64_t element_bytes)
{
	uint64_t cell = 1;

	if (element_bytes > AN_MAX_EXACT_ELEMENT)
		cell = (((element_bytes - 1) / AN_MAX_CELLS + 1) + 7) / 8 * 8;
	if (cell > UINT32_MAX) {
		free_cells_and_mark_mixed(f);
		return;
	}
	f->element = f->period = element_bytes;
	f->cell_bytes = (uint32_t)cell;
	f->n_cells = (uint32_t)((element_bytes - 1) / cell + 1);
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Record that the group has an element of another size, @bytes bytes, or of
   several other sizes with period @bytes. */
static void add_other_size_mark_mixed_if_period_1(struct an_group_fields *f,
						  uint64_t bytes)
{
	f->has_several_sizes = true;
	f->period = greatest_common_divisor(f->period, bytes);
	if (f->period == 1)
		free_cells_and_mark_mixed(f);
}

static bool
has_vote_for_type_that_divides_period(const struct an_group_fields *f)
{
	for (unsigned i = 0; f->vote && i < AN_MAX_TYPE_VOTES; i++)
		if (f->vote[i].type != NULL &&
		    an_group_fields_can_divide_sizes_by_type(f,
							     f->vote[i].type))
			return true;
	return false;
}

/* Record the birth of an element of another size. Without a limit, counting by
   offset would slow down the many groups of blocks that have no type. */
static void add_birth_of_other_size(struct an_group_fields *f, uint64_t bytes)
{
	add_other_size_mark_mixed_if_period_1(f, bytes);
	if (f->element != AN_ELEMENT_MIXED &&
	    !has_vote_for_type_that_divides_period(f) &&
	    ++f->n_untyped_sizes == AN_MAX_UNTYPED_SIZES)
		free_cells_and_mark_mixed(f);
}

void an_group_fields_set_or_mix_element_size(struct an_group_fields *f,
					     uint64_t bytes)
{
	if (bytes == 0)
		bytes = 1;
	if (f->element == bytes || f->element == AN_ELEMENT_MIXED)
		return;
	if (f->element == 0)
		set_element_cells(f, bytes);
	else if (!f->has_type_element)
		add_birth_of_other_size(f, bytes);
	else if (bytes % f->element != 0)
		free_cells_and_mark_mixed(f);
}

/* Add the counts of all cells to the counts with number @rest_counts_index,
   store this number in f->rest, and free the cells. */
static void add_cells_to_rest_and_free_cell_array(struct an_field_pool *p,
						  struct an_group_fields *f,
						  uint32_t rest_counts_index)
{
	for (uint32_t i = 0; i < f->n_cells; i++)
		if (f->cell[i] != 0)
			an_field_counts_add(&p->counts[rest_counts_index],
					    &p->counts[f->cell[i]]);
	free(f->cell);
	f->cell = NULL;
	f->rest = rest_counts_index;
}

bool an_group_fields_has_long_untyped_element(const struct an_group_fields *f)
{
	return f->element > AN_MAX_EXACT_ELEMENT &&
	       f->element != AN_ELEMENT_MIXED && !f->has_type_element;
}

bool an_group_fields_can_divide_sizes_by_type(const struct an_group_fields *f,
					      const struct an_type *type)
{
	return type->flexible_member == NULL && f->period % type->size == 0;
}

int an_group_fields_set_element_size_to_type(struct an_field_pool *p,
					     struct an_group_fields *f,
					     const struct an_type *type)
{
	uint32_t rest;

	if (!an_group_fields_has_long_untyped_element(f) ||
	    !an_group_fields_can_divide_sizes_by_type(f, type))
		return 0;
	if (f->cell != NULL) {
		rest = append_zero_counts_get_index_or_0(p);
		if (rest == 0)
			return -ENOMEM;
		add_cells_to_rest_and_free_cell_array(p, f, rest);
	}
	set_element_cells(f, type->size);
	f->has_several_sizes = false;
	f->has_type_element = true;
	return 0;
}

/* ---- cells ---- */

/* Allocate the cells of a group, with no counts. Return: whether that was
   possible; if not, the group is marked AN_ELEMENT_MIXED. */
static bool try_alloc_cells_else_mark_mixed(struct an_field_pool *p,
					    struct an_group_fields *f)
{
	if (p->n_cell_numbers + f->n_cells <= AN_MAX_CELL_NUMBERS)
		f->cell = calloc(f->n_cells, sizeof(*f->cell));
	if (f->cell == NULL) {
		p->n_undivided++;
		free_cells_and_mark_mixed(f);
		return false;
	}
	p->n_cell_numbers += f->n_cells;
	return true;
}

struct an_field_counts *
an_group_fields_find_or_add_counts(struct an_field_pool *p,
				   struct an_group_fields *f, uint64_t offset)
{
	uint32_t *cell;

	if (f->element == 0 || f->element == AN_ELEMENT_MIXED ||
	    (f->cell == NULL && !try_alloc_cells_else_mark_mixed(p, f)))
		return NULL;
	if (offset >= f->element)
		offset %= f->element;
	cell = &f->cell[f->cell_bytes == 1 ? offset : offset / f->cell_bytes];
	if (*cell == 0)
		*cell = append_zero_counts_get_index_or_0(p);
	return *cell ? &p->counts[*cell] : NULL;
}

/* ---- types ---- */

/* Compare types by name, then by declaration, then by size and members. Return
   a value below, equal to or above 0. */
static int compare_types_by_name_then_definition(const struct an_type *a,
						 const struct an_type *b)
{
	int difference = strcmp(a->name, b->name);

	if (!difference)
		difference = strcmp(an_type_declaration_or_empty(a),
				    an_type_declaration_or_empty(b));
	if (!difference)
		difference = (a->size > b->size) - (a->size < b->size);
	return difference ? difference
			  : (a->members_hash > b->members_hash) -
				    (a->members_hash < b->members_hash);
}

void an_group_fields_add_votes_for_type(struct an_group_fields *f,
					const struct an_type *type,
					uint64_t vote_count)
{
	unsigned i = 0;

	if (f->vote == NULL)
		f->vote = calloc(AN_MAX_TYPE_VOTES, sizeof(*f->vote));
	if (f->vote == NULL)
		return;
	while (i < AN_MAX_TYPE_VOTES && f->vote[i].type != NULL &&
	       !an_type_has_same_name_size_and_members(f->vote[i].type, type))
		i++;
	if (i == AN_MAX_TYPE_VOTES)
		return;
	if (f->vote[i].type == NULL ||
	    (f->vote[i].type != type &&
	     compare_types_by_name_then_definition(type, f->vote[i].type) < 0))
		f->vote[i].type = type;
	f->vote[i].n += vote_count;
}

/* Whether @a is rather the type of the blocks than @b. */
static bool precedes_as_type_of_blocks(const struct an_type_vote *a,
				       const struct an_type_vote *b,
				       const struct al_typed_blocks *blocks)
{
	int order = al_compare_types_by_block_fit(
		blocks, &(struct al_implied_type){a->type->size, a->n},
		&(struct al_implied_type){b->type->size, b->n});

	return order ? order > 0
		     : compare_types_by_name_then_definition(a->type, b->type) <
			       0;
}

const struct an_type_vote *
an_group_fields_choose_type_of_blocks(const struct an_group_fields *f,
				      uint64_t n_blocks)
{
	bool has_one_size = !f->has_type_element && !f->has_several_sizes;
	const struct al_typed_blocks blocks = {
		n_blocks, has_one_size ? f->element : AN_ELEMENT_MIXED};
	const struct an_type_vote *best = NULL;

	for (unsigned i = 0; f->vote && i < AN_MAX_TYPE_VOTES; i++)
		if (f->vote[i].type != NULL &&
		    (best == NULL ||
		     precedes_as_type_of_blocks(&f->vote[i], best, &blocks)))
			best = &f->vote[i];
	return best;
}

const struct an_type_vote *
an_group_fields_find_votes_for_type(const struct an_group_fields *f,
				    const struct an_type *type)
{
	for (unsigned i = 0; f->vote && i < AN_MAX_TYPE_VOTES; i++)
		if (f->vote[i].type != NULL &&
		    an_type_has_same_name_size_and_members(f->vote[i].type,
							   type))
			return &f->vote[i];
	return NULL;
}

/* ---- merge ---- */

/* Add the counts with number @number of @from_pool to those with number *@to of
   pool @p; if *@to is 0, first add counts to the pool and set *@to to their
   number. No-op if @number is 0. Return: 0; -ENOMEM. */
static int
merge_counts_create_if_number_0(struct an_field_pool *p, uint32_t *to,
				const struct an_field_pool *from_pool,
				uint32_t number)
{
	if (number == 0)
		return 0;
	if (*to == 0)
		*to = append_zero_counts_get_index_or_0(p);
	if (*to == 0)
		return -ENOMEM;
	an_field_counts_add(&p->counts[*to], &from_pool->counts[number]);
	return 0;
}

static int merge_cells_and_rest(struct an_field_pool *p,
				struct an_group_fields *f,
				const struct an_field_pool *from_pool,
				const struct an_group_fields *from)
{
	int err = 0;

	if (from->cell != NULL && f->cell == NULL &&
	    !try_alloc_cells_else_mark_mixed(p, f))
		return 0;
	for (uint32_t i = 0; from->cell && i < from->n_cells && !err; i++)
		err = merge_counts_create_if_number_0(
			p, &f->cell[i % f->n_cells], from_pool, from->cell[i]);
	return err ? err
		   : merge_counts_create_if_number_0(p, &f->rest, from_pool,
						     from->rest);
}

/* Let @f have the sizes of elements of @from, which has some. */
static void merge_element_sizes(struct an_group_fields *f,
				const struct an_group_fields *from)
{
	bool was_empty = f->element == 0;

	if (f->element == AN_ELEMENT_MIXED)
		return;
	if (was_empty)
		set_element_cells(f, from->element);
	if (from->element == AN_ELEMENT_MIXED ||
	    (f->element != from->element &&
	     (f->cell_bytes > 1 || from->cell_bytes > 1)))
		free_cells_and_mark_mixed(f);
	else if (f->element != from->element || from->has_several_sizes)
		add_other_size_mark_mixed_if_period_1(f, from->period);
}

int an_group_fields_merge(struct an_field_pool *p, struct an_group_fields *f,
			  const struct an_field_pool *from_pool,
			  const struct an_group_fields *from)
{
	for (unsigned i = 0; from->vote && i < AN_MAX_TYPE_VOTES; i++)
		if (from->vote[i].type != NULL)
			an_group_fields_add_votes_for_type(
				f, from->vote[i].type, from->vote[i].n);
	f->has_type_element |= from->has_type_element;
	if (from->element != 0)
		merge_element_sizes(f, from);
	if (f->element == AN_ELEMENT_MIXED || from->element == 0)
		return 0;
	return merge_cells_and_rest(p, f, from_pool, from);
}

void an_group_fields_release(struct an_group_fields *f)
{
	free(f->cell);
	free(f->vote);
	*f = (struct an_group_fields){0};
}
