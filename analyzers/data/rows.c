/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.c - adds up groups of data objects by name; see rows.h */

#include "analyzers/data/rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_NAME = 64 /* [bytes] buffer for the name of a row that is composed
			of words and numbers */
};

/* A group whose row is being made, and memory for the row's name and site (call
   stack). */
struct row_source {
	const struct an_data_group *group;
	const struct an_site *site; /* of the allocation; NULL: unknown */
	const struct an_env *env;
	const struct an_data_options *options;
	struct an_symbol row_site[AN_MAX_SITE_DEPTH];
	char row_name[MAX_NAME];
};

static uint64_t extend_hash_with_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (hash ^ 0xff) * UINT64_C(0x100000001b3);
}

static uint64_t hash_row_identity_ignoring_type(const struct an_data_row *r)
{
	uint64_t h = extend_hash_with_text(
		extend_hash_with_text(r->kind, r->name), r->object);

	for (uint32_t i = 0; i < r->n_site; i++)
		h = extend_hash_with_text(h, r->site[i].function) ^
		    (uint64_t)r->site[i].call_line << 32 ^ r->site[i].line ^
		    r->site[i].unnamed_address;
	h ^= (r->number ^ (uint64_t)r->thread << 32) *
	     UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 32;
}

static bool is_same_name_of_code(const struct an_symbol *a,
				 const struct an_symbol *b)
{
	return a->line == b->line && a->call_line == b->call_line &&
	       a->unnamed_address == b->unnamed_address &&
	       !strcmp(a->function, b->function) && !strcmp(a->file, b->file) &&
	       !strcmp(a->object, b->object);
}

/* Whether rows have the same kind, name, object file, call stack (site), number
   of the heap block and thread. Two such rows have equal hashes. */
static bool is_same_identity_ignoring_type(const struct an_data_row *a,
					   const struct an_data_row *b)
{
	if (a->kind != b->kind || a->n_site != b->n_site ||
	    a->number != b->number || a->thread != b->thread ||
	    strcmp(a->name, b->name) != 0 || strcmp(a->object, b->object) != 0)
		return false;
	for (uint32_t i = 0; i < a->n_site; i++)
		if (!is_same_name_of_code(&a->site[i], &b->site[i]))
			return false;
	return true;
}

/* Return the bucket of the stored row that equals @row but for its counts; if
   there is none, the free bucket for @row. */
static uint32_t *find_row_bucket_or_free_one(const struct an_data_rows *t,
					     const struct an_data_row *row)
{
	uint64_t mask = 2 * (uint64_t)t->size - 1,
		 i = hash_row_identity_ignoring_type(row) & mask;

	for (; t->bucket[i] != 0; i = (i + 1) & mask) {
		const struct an_data_row *stored = &t->row[t->bucket[i] - 1];

		if (stored->members_hash == row->members_hash &&
		    is_same_identity_ignoring_type(stored, row))
			break;
	}
	return &t->bucket[i];
}

/* If rows of other types have the name of row @index, which has a bucket, mark
   them and it. */
static void mark_rows_of_same_name_but_other_type(struct an_data_rows *t,
						  uint32_t index)
{
	struct an_data_row *row = &t->row[index], *other;
	uint64_t mask = 2 * (uint64_t)t->size - 1,
		 i = hash_row_identity_ignoring_type(row) & mask;

	for (; t->bucket[i] != 0; i = (i + 1) & mask) {
		other = &t->row[t->bucket[i] - 1];
		if (other != row && is_same_identity_ignoring_type(other, row))
			other->has_namesake = row->has_namesake = true;
	}
}

static int double_rows_and_rehash_buckets(struct an_data_rows *t)
{
	uint32_t size = t->size ? 2 * t->size : 64;
	struct an_data_row *row = reallocarray(t->row, size, sizeof(*row));
	uint32_t *bucket = calloc(2 * (size_t)size, sizeof(*bucket));

	if (row != NULL)
		t->row = row;
	if (row == NULL || bucket == NULL) {
		free(bucket);
		return -ENOMEM;
	}
	free(t->bucket);
	t->bucket = bucket;
	t->size = size;
	for (uint32_t i = 0; i < t->n; i++)
		*find_row_bucket_or_free_one(t, &t->row[i]) = i + 1;
	return 0;
}

static const char *copy_text_to_rows_arena(struct an_data_rows *t,
					   const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = an_arena_alloc(&t->memory, bytes);

	return copy ? memcpy(copy, text, bytes) : NULL;
}

/* Replace the name, object file and call stack (site) of @row by copies in the
   memory of @t, and clear its fields. Return: 0; -ENOMEM. */
static int copy_row_strings_and_site(struct an_data_rows *t,
				     struct an_data_row *row)
{
	struct an_symbol *site = an_arena_alloc(
		&t->memory, (row->n_site + 1) * sizeof(*row->site));

	row->name = copy_text_to_rows_arena(t, row->name);
	row->object = copy_text_to_rows_arena(t, row->object);
	if (site == NULL || row->name == NULL || row->object == NULL)
		return -ENOMEM;
	if (row->n_site > 0)
		memcpy(site, row->site, row->n_site * sizeof(*site));
	row->site = site;
	row->fields = (struct an_group_fields){0};
	return 0;
}

/* Add the counts and fields of @row to the stored row that equals it otherwise;
   if there is none, append a copy of @row. @row_field_pool: pool of the fields
   of @row. Return: 0; -ENOMEM. */
static int
merge_into_same_row_or_add(struct an_data_rows *t,
			   const struct an_data_row *row,
			   const struct an_field_pool *row_field_pool)
{
	struct an_data_row *same;
	uint32_t *bucket;

	if (t->n == t->size && double_rows_and_rehash_buckets(t) != 0)
		return -ENOMEM;
	bucket = find_row_bucket_or_free_one(t, row);
	if (*bucket != 0) {
		same = &t->row[*bucket - 1];
		an_data_counts_add(&same->counts, &row->counts);
		return an_group_fields_merge(&t->fields, &same->fields,
					     row_field_pool, &row->fields);
	}
	t->row[t->n] = *row;
	if (copy_row_strings_and_site(t, &t->row[t->n]) != 0)
		return -ENOMEM;
	*bucket = ++t->n;
	if (row->members_hash != 0)
		mark_rows_of_same_name_but_other_type(t, t->n - 1);
	return an_group_fields_merge(&t->fields, &t->row[t->n - 1].fields,
				     row_field_pool, &row->fields);
}

/* ---- allocators ---- */

static int compare_function_then_object_names(const struct an_symbol *a,
					      const struct an_symbol *b)
{
	int difference = strcmp(a->function, b->function);

	return difference ? difference : strcmp(a->object, b->object);
}

/* Make room for a function at index @index, which the caller sets. Return: 0 or
   -ENOMEM. */
static int insert_uninitialized_function(struct an_data_functions *list,
					 uint32_t index)
{
	if (list->n == list->size) {
		uint32_t size = 2 * list->size + 16;
		void *p = reallocarray(list->function, size,
				       sizeof(*list->function));

		if (p == NULL)
			return -ENOMEM;
		list->function = p;
		list->size = size;
	}
	memmove(list->function + index + 1, list->function + index,
		(list->n++ - index) * sizeof(*list->function));
	return 0;
}

/* Add a function unless the list has it. Borrows its names. Return: 0 or
   -ENOMEM. */
static int add_function_unless_listed(struct an_data_functions *list,
				      const struct an_symbol *f)
{
	uint32_t i = 0;
	int err;

	while (i < list->n &&
	       compare_function_then_object_names(&list->function[i], f) < 0)
		i++;
	if (i < list->n &&
	    compare_function_then_object_names(&list->function[i], f) == 0)
		return 0;
	err = insert_uninitialized_function(list, i);
	if (!err)
		list->function[i] = *f;
	return err;
}

/* Add @program_path to t->without_allocator, the list of programs in which no
   allocator was found. */
static int add_to_programs_without_allocator(struct an_data_rows *t,
					     const char *program_path)
{
	struct an_symbol program = {.function = "", .file = ""};

	program.object = copy_text_to_rows_arena(t, program_path);
	return program.object ? add_function_unless_listed(
					&t->without_allocator, &program)
			      : -ENOMEM;
}

/* Add function @name, which the user has named as an allocator, to @list, a
   list of the rows @t. */
static int add_named_function(struct an_data_rows *t,
			      struct an_data_functions *list, const char *name)
{
	struct an_symbol f = {.file = "", .object = ""};

	f.function = copy_text_to_rows_arena(t, name);
	return f.function ? add_function_unless_listed(list, &f) : -ENOMEM;
}

static int add_named_allocators_to_found_or_missing(struct an_data_rows *t,
						    const struct an_owners *o)
{
	int err = 0;

	for (uint32_t i = 0; i < o->n_named && !err; i++)
		err = add_named_function(t,
					 o->named[i].is_found
						 ? &t->found_named
						 : &t->missing_named,
					 o->named[i].name);
	return err;
}

static int merge_user_named_allocators(struct an_data_rows *into,
				       const struct an_data_rows *from)
{
	int err = 0;

	for (uint32_t i = 0; i < from->found_named.n && !err; i++)
		err = add_named_function(
			into, &into->found_named,
			from->found_named.function[i].function);
	for (uint32_t i = 0; i < from->missing_named.n && !err; i++)
		err = add_named_function(
			into, &into->missing_named,
			from->missing_named.function[i].function);
	return err;
}

bool an_data_rows_has_user_named_allocator(
	const struct an_data_rows *t,
	const struct an_symbol *allocator_function)
{
	uint32_t i = 0;

	while (i < t->found_named.n &&
	       compare_function_then_object_names(&t->found_named.function[i],
						  allocator_function) != 0)
		i++;
	return i < t->found_named.n;
}

/* ---- an image ---- */

bool an_data_options_has_one_caller(const struct an_data_options *o)
{
	return o->by != AN_BY_SITE && o->by != AN_BY_OBJECT;
}

/* Remove the line, the file and the address from @place if @by is
   AN_BY_FUNCTION, so that all lines of a function are equal. */
static void clear_line_file_address_if_by_function(struct an_symbol *place,
						   enum an_data_by by)
{
	if (by == AN_BY_FUNCTION) {
		place->line = place->call_line = 0;
		place->unnamed_address = 0;
		place->file = place->path = "???";
	}
}

/* Set the site of a row to the innermost callers of the allocator. */
static void set_row_site_to_innermost_callers(struct an_data_row *row,
					      struct row_source *source)
{
	const struct an_data_options *options = source->options;
	const struct an_site *s = source->site;
	bool has_one_caller = an_data_options_has_one_caller(options);
	uint32_t depth = has_one_caller ? 1 : options->depth;
	uint32_t first =
		has_one_caller ? an_site_innermost_named_caller(s, source->env)
			       : 1;

	row->site = source->row_site;
	row->n_site = s->n_callers < depth ? s->n_callers : depth;
	for (uint32_t i = 0; i < row->n_site; i++) {
		an_site_find_symbol_is_in_object_file(s, first + i, source->env,
						      &source->row_site[i]);
		clear_line_file_address_if_by_function(&source->row_site[i],
						       options->by);
	}
}

/* Set name and site (call stack) of a row of mapped memory. A row of memory
   that an allocator mapped has no site: its name and object file are those of
   the function that mapped it. */
static void name_mapping_row(struct an_data_row *row, struct row_source *source)
{
	const struct an_data_group *g = source->group;
	const struct an_site *s = source->site;
	struct an_symbol *mapper = source->row_site;

	row->name = *g->name ? g->name : "[anon]";
	if (g->kind == AN_DATA_ALLOCATOR) {
		if (s != NULL)
			an_site_find_symbol_is_in_object_file(s, 0, source->env,
							      mapper);
		row->name = s != NULL ? mapper->function : "???";
		row->object = s != NULL ? mapper->object : "";
	} else if (s != NULL) {
		set_row_site_to_innermost_callers(row, source);
	}
}

/* Set number, name and site (call stack) of a row of heap or pool blocks. Their
   name is the function that called the allocator. */
static void name_block_row(struct an_data_row *row, struct row_source *source)
{
	const struct an_data_group *g = source->group;

	row->number = g->is_single_block ? g->number : 0;
	if (source->site == NULL)
		return;
	set_row_site_to_innermost_callers(row, source);
	row->name = row->n_site > 0 ? row->site[0].function : "???";
}

static void name_variable_row(struct an_data_row *row,
			      const struct an_data_group *g)
{
	row->name = g->name;
	row->object = g->object;
	row->thread = g->thread;
}

/* Set name, site and number of a row that objects of its kind or type do not
   all share. */
static void name_row_by_data_object(struct an_data_row *row,
				    struct row_source *source)
{
	const struct an_data_group *g = source->group;

	if (an_data_kind_is_heap_or_pool_block(g->kind)) {
		name_block_row(row, source);
	} else if (an_data_kind_is_static_or_tls_variable(g->kind)) {
		name_variable_row(row, g);
	} else if (g->kind == AN_DATA_STACK) {
		snprintf(source->row_name, sizeof(source->row_name),
			 "stack of thread %u", g->thread);
		row->name = source->row_name;
	} else if (g->kind != AN_DATA_UNKNOWN) {
		name_mapping_row(row, source);
	}
}

const struct an_type_vote *
an_data_row_type_of_blocks_with_votes(const struct an_data_row *r)
{
	return r->type ? an_group_fields_find_votes_for_type(&r->fields,
							     r->type)
		       : an_group_fields_choose_type_of_blocks(
				 &r->fields, r->counts.objects);
}

const struct an_type *
an_data_row_static_or_voted_type(const struct an_data_row *r)
{
	const struct an_type_vote *best;

	if (an_data_kind_is_static_or_tls_variable(r->kind))
		return r->type;
	best = an_data_row_type_of_blocks_with_votes(r);
	return best ? best->type : r->type;
}

/* Make @row the one row of its kind: without a name, with fields of no common
   element. */
static void clear_row_name_and_fields(struct an_data_row *row)
{
	row->fields = (struct an_group_fields){.element = AN_ELEMENT_MIXED};
	row->name = "";
}

static void name_row_by_type(struct an_data_row *row,
			     const struct an_type *type)
{
	row->name = type->name;
	row->members_hash = type->members_hash;
	row->type = type;
}

static int add_group_counts_to_its_row(struct an_data_rows *t,
				       const struct an_owners *owners,
				       const struct an_data_group *group,
				       const struct an_env *env,
				       const struct an_data_options *options)
{
	struct row_source source;
	struct an_data_row row = {
		.kind = group->kind,
		.name = "unknown",
		.object = "",
		.counts = group->counts,
		.fields = group->fields,
		.type = group->type,
	};
	const struct an_type *type = an_data_row_static_or_voted_type(&row);

	source.group = group;
	source.site =
		group->site > 0 ? &owners->sites.site[group->site - 1] : NULL;
	source.env = env;
	source.options = options;
	if (options->by == AN_BY_KIND)
		clear_row_name_and_fields(&row);
	else if (options->by == AN_BY_TYPE && type)
		name_row_by_type(&row, type);
	else
		name_row_by_data_object(&row, &source);
	return merge_into_same_row_or_add(t, &row, &owners->fields);
}

/* Whether a group has anything to report: counted accesses, misses or
   write-backs, a site, or the kind heap, pool or unknown; not if it is the
   group of a site all of whose blocks have groups of their own. Most variables
   and mapped files have nothing. */
static bool has_group_anything_to_report(const struct an_data_group *g)
{
	const struct an_data_counts *c = &g->counts;
	uint64_t sum = c->reads | c->writes;

	/* a site whose heap blocks all have groups of their own */
	if (!g->is_single_block && g->number > 0 && c->objects == 0)
		return false;
	for (int i = 0; i < AN_MAX_LEVELS; i++)
		sum |= c->misses[i][0] | c->misses[i][1] | c->write_backs[i];
	return sum != 0 || g->site > 0 ||
	       an_data_kind_is_heap_or_pool_block(g->kind) ||
	       g->kind == AN_DATA_UNKNOWN;
}

/* Add the functions that allocated a block to lists_out->allocators; if no
   allocator was found in the program, add the program to
   lists_out->without_allocator. */
static int
list_functions_that_allocate_heap_blocks(struct an_data_rows *lists_out,
					 const struct an_owners *o,
					 const struct an_env *env)
{
	bool has_allocators = o->has_allocators;
	struct an_symbol allocator;
	int err = 0;

	for (uint32_t i = 0; i < o->sites.n && !err; i++) {
		if (!o->sites.site[i].is_of_block)
			continue;
		has_allocators = true;
		an_site_find_symbol_is_in_object_file(&o->sites.site[i], 0, env,
						      &allocator);
		err = add_function_unless_listed(&lists_out->allocators,
						 &allocator);
	}
	if (!err && !has_allocators && o->program != NULL)
		err = add_to_programs_without_allocator(lists_out, o->program);
	return err;
}

/* Raise peak_bytes, the greatest number of bytes that existed at once, of rows
   to which the counts of several groups were added. With by=kind, set it to the
   peak of all groups of the kind; else raise it to the number of bytes that
   exist at the end, which is exact for variables of files that are not
   unmapped. @t: rows of one exec image. */
static void
raise_peaks_to_kind_peaks_or_live_bytes(struct an_data_rows *t,
					const struct an_owners *owners,
					enum an_data_by by)
{
	for (uint32_t i = 0; i < t->n; i++) {
		struct an_data_counts *c = &t->row[i].counts;

		if (by == AN_BY_KIND)
			c->peak_bytes = owners->kind[t->row[i].kind].peak;
		else if (c->live_bytes > c->peak_bytes)
			c->peak_bytes = c->live_bytes;
	}
}

int an_data_rows_add_groups_of_owners(struct an_data_rows *t,
				      const struct an_owners *owners,
				      const struct an_env *env,
				      const struct an_data_options *options)
{
	int err = 0;

	for (uint32_t i = 0; i < owners->n_groups && !err; i++)
		if (options->by == AN_BY_KIND ||
		    has_group_anything_to_report(&owners->group[i]))
			err = add_group_counts_to_its_row(
				t, owners, &owners->group[i], env, options);
	raise_peaks_to_kind_peaks_or_live_bytes(t, owners, options->by);
	if (!err)
		err = list_functions_that_allocate_heap_blocks(t, owners, env);
	if (!err)
		err = add_named_allocators_to_found_or_missing(t, owners);
	t->has_events |= owners->program != NULL;
	t->bad_frees += owners->bad_frees;
	t->overlaps += owners->overlaps;
	t->unrecorded += owners->unrecorded;
	t->fields.n_undivided += owners->fields.n_undivided;
	return err;
}

int an_data_rows_merge(struct an_data_rows *into,
		       const struct an_data_rows *from)
{
	int err = 0;

	for (uint32_t i = 0; i < from->n && !err; i++)
		err = merge_into_same_row_or_add(into, &from->row[i],
						 &from->fields);
	for (uint32_t i = 0; i < from->allocators.n && !err; i++)
		err = add_function_unless_listed(&into->allocators,
						 &from->allocators.function[i]);
	for (uint32_t i = 0; i < from->without_allocator.n && !err; i++)
		err = add_to_programs_without_allocator(
			into, from->without_allocator.function[i].object);
	if (!err)
		err = merge_user_named_allocators(into, from);
	into->has_events |= from->has_events;
	into->bad_frees += from->bad_frees;
	into->overlaps += from->overlaps;
	into->unrecorded += from->unrecorded;
	into->fields.n_undivided += from->fields.n_undivided;
	return err;
}

void an_data_rows_release(struct an_data_rows *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		an_group_fields_release(&t->row[i].fields);
	an_field_pool_release(&t->fields);
	free(t->row);
	free(t->bucket);
	free(t->allocators.function);
	free(t->without_allocator.function);
	free(t->found_named.function);
	free(t->missing_named.function);
	an_arena_free_all_and_reset(&t->memory);
	*t = (struct an_data_rows){0};
}
