/* SPDX-License-Identifier: GPL-2.0-or-later */
/* owner_variables.c - applies events of variables and stacks; see
   owner_variables.h */

#include "analyzers/data/owner_variables.h"

#include <errno.h>

/* ---- variables of object files ---- */

int an_owners_add_object_file(struct an_owners *o, const struct an_batch *b,
			      const struct an_stream_event *e)
{
	if (e->id != o->n_files + 1 || o->n_files == AN_MAX_DATA_GROUPS)
		return 0;
	if (an_owners_double_array_if_full(&o->file, o->n_files, &o->files_size,
					   sizeof(*o->file)) != 0)
		return -ENOMEM;
	o->file[o->n_files++] = (struct an_data_file){
		.path = an_owners_copy_event_text_or_empty(o, b, e, 2),
		.code_start = an_stream_event_word_or_0(b, e, 0)};
	return 0;
}

/* Return the object file with number @number, from 1; NULL: there is none. */
static struct an_data_file *find_object_file_by_number(struct an_owners *o,
						       uint32_t number)
{
	return number > 0 && number <= o->n_files ? &o->file[number - 1] : NULL;
}

/* Whether a variable contains any address from @start to @last, inclusive. */
static bool does_variable_overlap_range(struct an_owners *o, uint64_t start,
					uint64_t last)
{
	struct an_range old;

	if (!an_ranges_remove_last_overlapping(&o->statics, start, last, &old))
		return false;
	return an_ranges_insert_unchecked(&o->statics, old.start, old.last,
					  old.value) == 0;
}

int an_owners_add_variable_unless_overlap(struct an_owners *o,
					  const struct an_batch *b,
					  const struct an_stream_event *e)
{
	uint64_t start = an_stream_event_word_or_0(b, e, 0);
	uint64_t last = an_owners_last_address(
		start, an_stream_event_word_or_0(b, e, 1));
	struct an_data_file *f = find_object_file_by_number(o, e->id);
	int64_t group;

	if (f == NULL || o->n_groups == AN_MAX_DATA_GROUPS ||
	    does_variable_overlap_range(o, start, last))
		return 0;
	if (an_owners_double_array_if_full(&o->variable, o->n_variables,
					   &o->variables_size,
					   sizeof(*o->variable)) != 0)
		return -ENOMEM;
	group = an_owners_add_group(
		o,
		&(struct an_data_group){
			.kind = AN_DATA_STATIC,
			.name = an_owners_copy_event_text_or_empty(o, b, e, 2),
			.file = e->id,
			.start = start,
			.object = f->path});
	if (group <= 0)
		return (int)group;
	if (an_ranges_insert_unchecked(&o->statics, start, last,
				       (uint32_t)group) != 0)
		return -ENOMEM;
	o->variable[o->n_variables++] =
		(struct an_variable){start, f->first_variable};
	f->first_variable = o->n_variables;
	an_owners_count_birth_invalidate_hints(
		o, &(struct an_range){.start = start,
				      .last = last,
				      .value = (uint32_t)group});
	return 0;
}

void an_owners_remove_variables_of_file(struct an_owners *o,
					uint32_t file_number)
{
	struct an_data_file *f = find_object_file_by_number(o, file_number);
	struct an_range old;

	while (f != NULL && f->first_variable != 0) {
		const struct an_variable *v =
			&o->variable[f->first_variable - 1];

		if (an_ranges_remove_by_exact_start(&o->statics, v->start,
						    &old))
			an_owners_subtract_live_bytes(o, &old);
		f->first_variable = v->next;
	}
}

/* ---- thread-local variables ---- */

void an_owners_remove_tls_variables(struct an_owners *o, uint64_t start,
				    uint64_t last)
{
	struct an_range old;

	while (an_ranges_remove_last_overlapping(&o->thread_variables, start,
						 last, &old))
		an_owners_subtract_live_bytes(o, &old);
}

/* Return the number of the group of a thread-local variable, which is added if
   it is new. Return AN_UNKNOWN_GROUP if its object file is not known or there
   are too many groups; -ENOMEM if memory is short. */
static int64_t
find_or_add_group_of_thread_variable(struct an_owners *o,
				     const struct an_batch *b,
				     const struct an_stream_event *e)
{
	uint64_t thread = an_stream_event_word_or_0(b, e, 2);
	uint64_t offset = an_stream_event_word_or_0(b, e, 3);
	const struct an_data_file *f = find_object_file_by_number(o, e->id);
	uint32_t *number;
	int64_t group;

	if (thread > AN_MAX_TLS_THREADS)
		thread = 0;
	if (f == NULL)
		return AN_UNKNOWN_GROUP;
	number = an_owners_find_or_add_group_number(
		o, &(struct al_key){{AN_DATA_TLS,
				     (uint64_t)e->id << 32 | thread, offset}});
	if (number == NULL)
		return -ENOMEM;
	if (*number != 0)
		return *number;
	if (o->n_groups == AN_MAX_DATA_GROUPS)
		return AN_UNKNOWN_GROUP;
	group = an_owners_add_group(
		o,
		&(struct an_data_group){
			.kind = AN_DATA_TLS,
			.name = an_owners_copy_event_text_or_empty(o, b, e, 4),
			.file = e->id,
			.start = offset,
			.thread = (uint32_t)thread,
			.object = f->path});
	if (group > 0)
		*number = (uint32_t)group;
	return group;
}

int an_owners_add_thread_variable(struct an_owners *o, const struct an_batch *b,
				  const struct an_stream_event *e)
{
	uint64_t start = an_stream_event_word_or_0(b, e, 0);
	uint64_t last = an_owners_last_address(
		start, an_stream_event_word_or_0(b, e, 1));
	int64_t group = find_or_add_group_of_thread_variable(o, b, e);

	if (group <= 0)
		return (int)group;
	an_owners_remove_tls_variables(o, start, last);
	if (an_ranges_insert_unchecked(&o->thread_variables, start, last,
				       (uint32_t)group) != 0) {
		o->unrecorded++;
		return 0;
	}
	an_owners_count_birth_invalidate_hints(
		o, &(struct an_range){.start = start,
				      .last = last,
				      .value = (uint32_t)group});
	return 0;
}

/* ---- stacks ---- */

static void remove_stacks_overlapping(struct an_owners *o, uint64_t start,
				      uint64_t last)
{
	struct an_range old;

	while (an_ranges_remove_last_overlapping(&o->stacks, start, last, &old))
		an_owners_subtract_live_bytes(o, &old);
}

void an_owners_remove_stack_at(struct an_owners *o, uint64_t addr)
{
	remove_stacks_overlapping(o, addr, addr);
}

int an_owners_add_stack_remove_overlapped(struct an_owners *o, uint32_t thread,
					  uint64_t start, uint64_t size)
{
	uint64_t last = an_owners_last_address(start, size);
	int64_t group = an_owners_add_group(
		o, &(struct an_data_group){.kind = AN_DATA_STACK,
					   .thread = thread});

	if (group <= 0)
		return (int)group;
	remove_stacks_overlapping(o, start, last);
	if (an_ranges_insert_unchecked(&o->stacks, start, last,
				       (uint32_t)group) != 0)
		return -ENOMEM;
	an_owners_count_birth_invalidate_hints(
		o, &(struct an_range){.start = start,
				      .last = last,
				      .value = (uint32_t)group});
	return 0;
}
