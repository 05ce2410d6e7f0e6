/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.c - adds up groups of data objects by name; see rows.h */

#include "analyzers/data/rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 64 /* [bytes] buffer for a composed name */ };

static uint64_t hash_text(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (h ^ 0xff) * UINT64_C(0x100000001b3);
}

static uint64_t hash_row(const struct an_data_row *r)
{
	uint64_t h = hash_text(hash_text(r->kind, r->name), r->object);

	for (uint32_t i = 0; i < r->n_site; i++)
		h = hash_text(h, r->site[i].function) ^ r->site[i].line;
	h ^= r->number * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 32;
}

static bool is_same_place(const struct an_symbol *a, const struct an_symbol *b)
{
	return a->line == b->line && !strcmp(a->function, b->function) &&
	       !strcmp(a->file, b->file) && !strcmp(a->object, b->object);
}

static bool is_same_row(const struct an_data_row *a,
			const struct an_data_row *b)
{
	if (a->kind != b->kind || a->n_site != b->n_site ||
	    a->number != b->number || strcmp(a->name, b->name) != 0 ||
	    strcmp(a->object, b->object) != 0)
		return false;
	for (uint32_t i = 0; i < a->n_site; i++)
		if (!is_same_place(&a->site[i], &b->site[i]))
			return false;
	return true;
}

static void add_counts_and_max_peak(struct an_data_counts *to,
				    const struct an_data_counts *c)
{
	for (int i = 0; i < AN_MAX_LEVELS; i++)
		for (int write = 0; write < 2; write++)
			to->misses[i][write] += c->misses[i][write];
	for (int i = 0; i < AN_MAX_LEVELS; i++)
		to->write_backs[i] += c->write_backs[i];
	to->reads += c->reads;
	to->writes += c->writes;
	to->read_bytes += c->read_bytes;
	to->written_bytes += c->written_bytes;
	to->objects += c->objects;
	to->bytes += c->bytes;
	to->live_bytes += c->live_bytes;
	if (c->peak_bytes > to->peak_bytes)
		to->peak_bytes = c->peak_bytes;
}

/* Return the bucket of the stored row that equals @row but for its counts; if
   there is none, the free bucket for @row. */
static uint32_t *find_bucket(const struct an_data_rows *t,
			     const struct an_data_row *row)
{
	uint64_t mask = 2 * (uint64_t)t->size - 1, i = hash_row(row) & mask;

	while (t->bucket[i] != 0 &&
	       !is_same_row(&t->row[t->bucket[i] - 1], row))
		i = (i + 1) & mask;
	return &t->bucket[i];
}

static int grow_table(struct an_data_rows *t)
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
		*find_bucket(t, &t->row[i]) = i + 1;
	return 0;
}

static const char *copy_text(struct an_data_rows *t, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = an_arena_alloc(&t->memory, bytes);

	return copy ? memcpy(copy, text, bytes) : NULL;
}

/* Replace the name, object and sites of @row by copies in the memory of @t, and
   clear its fields. Return: 0; -ENOMEM. */
static int copy_parts(struct an_data_rows *t, struct an_data_row *row)
{
	struct an_symbol *site = an_arena_alloc(
		&t->memory, (row->n_site + 1) * sizeof(*row->site));

	row->name = copy_text(t, row->name);
	row->object = copy_text(t, row->object);
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
static int add_row(struct an_data_rows *t, const struct an_data_row *row,
		   const struct an_field_pool *pool)
{
	struct an_data_row *same;
	uint32_t *bucket;

	if (t->n == t->size && grow_table(t) != 0)
		return -ENOMEM;
	bucket = find_bucket(t, row);
	if (*bucket != 0) {
		same = &t->row[*bucket - 1];
		add_counts_and_max_peak(&same->counts, &row->counts);
		return an_group_fields_merge(&t->fields, &same->fields, pool,
					     &row->fields);
	}
	t->row[t->n] = *row;
	if (copy_parts(t, &t->row[t->n]) != 0)
		return -ENOMEM;
	*bucket = ++t->n;
	return an_group_fields_merge(&t->fields, &t->row[t->n - 1].fields, pool,
				     &row->fields);
}

/* ---- allocators ---- */

static int compare_allocators(const struct an_symbol *a,
			      const struct an_symbol *b)
{
	int difference = strcmp(a->function, b->function);

	return difference ? difference : strcmp(a->object, b->object);
}

/* Insert @allocating_function into the list of allocators, sorted by the names
   of function and object, unless the list has it. Return: 0; -ENOMEM. */
static int add_allocator(struct an_data_rows *t, const struct an_symbol *f)
{
	uint32_t i = 0;

	while (i < t->n_allocators &&
	       compare_allocators(&t->allocator[i], f) < 0)
		i++;
	if (i < t->n_allocators && compare_allocators(&t->allocator[i], f) == 0)
		return 0;
	if (t->n_allocators == t->allocators_size) {
		uint32_t size = 2 * t->allocators_size + 16;
		void *p =
			reallocarray(t->allocator, size, sizeof(*t->allocator));

		if (p == NULL)
			return -ENOMEM;
		t->allocator = p;
		t->allocators_size = size;
	}
	memmove(t->allocator + i + 1, t->allocator + i,
		(t->n_allocators++ - i) * sizeof(*t->allocator));
	t->allocator[i] = *f;
	return 0;
}

/* ---- an image ---- */

/* Remove the line and the file from @place if @by is AN_BY_FUNCTION, so that
   all lines of a function are equal. */
static void reduce_place(struct an_symbol *place, enum an_data_by by)
{
	if (by == AN_BY_FUNCTION) {
		place->line = 0;
		place->file = "???";
	}
}

/* Set the site of a row. @site: has room for AN_MAX_SITE_DEPTH places. */
static void set_row_site(struct an_data_row *row, const struct an_site *s,
			 const struct an_site_names *names,
			 const struct an_data_options *options,
			 struct an_symbol *site)
{
	enum an_data_by by = options->by;
	uint32_t depth =
		by == AN_BY_SITE || by == AN_BY_OBJECT ? options->depth : 1;

	row->site = site;
	row->n_site = s->n_callers < depth ? s->n_callers : depth;
	for (uint32_t i = 0; i < row->n_site; i++) {
		an_site_names_find(names, s, i + 1, &site[i]);
		reduce_place(&site[i], by);
	}
}

/* Set name and site of a row of mapped memory. An allocator's is named by the
   function that mapped it. */
static void
name_mapping_row(struct an_data_row *row, const struct an_data_group *g,
		 const struct an_site *s, const struct an_site_names *names,
		 const struct an_data_options *options, struct an_symbol *site)
{
	row->name = *g->name ? g->name : "[anon]";
	if (g->kind == AN_DATA_ALLOCATOR) {
		if (s != NULL)
			an_site_names_find(names, s, 0, site);
		row->name = s != NULL ? site->function : "???";
		row->object = s != NULL ? site->object : "";
	} else if (s != NULL) {
		set_row_site(row, s, names, options, site);
	}
}

const struct an_type *an_data_row_type(const struct an_data_row *r)
{
	const struct an_type_vote *best;

	if (r->kind == AN_DATA_STATIC)
		return r->type;
	best = an_group_fields_best_type(&r->fields);
	return best ? best->type : NULL;
}

static int add_group(struct an_data_rows *t, const struct an_owners *o,
		     const struct an_data_group *g,
		     const struct an_site_names *names,
		     const struct an_data_options *options)
{
	const struct an_site *s =
		g->site > 0 ? &o->sites.site[g->site - 1] : NULL;
	struct an_symbol site[AN_MAX_SITE_DEPTH];
	char name[MAX_NAME] = "unknown";
	struct an_data_row row = {
		.kind = g->kind,
		.name = name,
		.object = "",
		.counts = g->counts,
		.fields = g->fields,
		.type = g->type,
	};

	if (options->by == AN_BY_KIND) {
		row.fields =
			(struct an_group_fields){.element = AN_ELEMENT_MIXED};
		name[0] = 0;
	} else if (options->by == AN_BY_TYPE && an_data_row_type(&row)) {
		row.name = an_data_row_type(&row)->name;
	} else if (g->kind == AN_DATA_HEAP) {
		row.number = options->by == AN_BY_OBJECT ? g->number : 0;
		if (s != NULL)
			set_row_site(&row, s, names, options, site);
		if (s != NULL)
			row.name = row.n_site > 0 ? site[0].function : "???";
	} else if (g->kind == AN_DATA_STATIC) {
		row.name = g->name;
		row.object = g->object;
	} else if (g->kind == AN_DATA_STACK) {
		snprintf(name, sizeof(name), "stack of thread %u", g->thread);
	} else if (g->kind != AN_DATA_UNKNOWN) {
		name_mapping_row(&row, g, s, names, options, site);
	}
	return add_row(t, &row, &o->fields);
}

/* Whether a group has anything to report: most variables and files are never
   missed. */
static bool has_accesses_or_site_or_is_unknown(const struct an_data_group *g)
{
	const struct an_data_counts *c = &g->counts;
	uint64_t sum = c->reads | c->writes;

	for (int i = 0; i < AN_MAX_LEVELS; i++)
		sum |= c->misses[i][0] | c->misses[i][1] | c->write_backs[i];
	return sum != 0 || g->site > 0 || g->kind == AN_DATA_HEAP ||
	       g->kind == AN_DATA_UNKNOWN;
}

int an_data_rows_add_owner_groups(struct an_data_rows *t,
				  const struct an_owners *o,
				  const struct an_site_names *names,
				  const struct an_data_options *options)
{
	struct an_symbol allocator;
	int err = 0;

	for (uint32_t i = 0; i < o->n_groups && !err; i++)
		if (has_accesses_or_site_or_is_unknown(&o->group[i]))
			err = add_group(t, o, &o->group[i], names, options);
	for (uint32_t i = 0; i < o->sites.n && !err; i++) {
		if (o->sites.site[i].group == 0)
			continue;
		an_site_names_find(names, &o->sites.site[i], 0, &allocator);
		err = add_allocator(t, &allocator);
	}
	t->bad_frees += o->bad_frees;
	t->overlaps += o->overlaps;
	t->unrecorded += o->unrecorded;
	t->fields.n_undivided += o->fields.n_undivided;
	return err;
}

int an_data_rows_merge(struct an_data_rows *t, const struct an_data_rows *from)
{
	int err = 0;

	for (uint32_t i = 0; i < from->n && !err; i++)
		err = add_row(t, &from->row[i], &from->fields);
	for (uint32_t i = 0; i < from->n_allocators && !err; i++)
		err = add_allocator(t, &from->allocator[i]);
	t->bad_frees += from->bad_frees;
	t->overlaps += from->overlaps;
	t->unrecorded += from->unrecorded;
	t->fields.n_undivided += from->fields.n_undivided;
	return err;
}

void an_data_rows_release(struct an_data_rows *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		an_group_fields_release(&t->row[i].fields);
	an_field_pool_release(&t->fields);
	free(t->row);
	free(t->bucket);
	free(t->allocator);
	an_arena_free_all_and_reset(&t->memory);
	*t = (struct an_data_rows){0};
}
