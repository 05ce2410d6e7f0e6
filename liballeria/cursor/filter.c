/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.c - decides which records a cursor returns; see filter.h
 */
#include "liballeria/cursor/filter.h"

#include <stdlib.h>
#include <string.h>

#include "liballeria/names.h"

static int replace_array_by_own_copy(const uint32_t **array,
				     uint32_t element_count)
{
	uint32_t *copy;

	if (element_count == 0) {
		*array = NULL;
		return 0;
	}
	copy = *array ? calloc(element_count, sizeof(*copy)) : NULL;
	if (copy)
		memcpy(copy, *array, element_count * sizeof(*copy));
	*array = copy;
	return copy ? 0 : ALLERIA_E_MEMORY;
}

static int replace_string_by_own_copy(const char **string)
{
	if (!*string)
		return 0;
	*string = strdup(*string);
	return *string ? 0 : ALLERIA_E_MEMORY;
}

/* Return the mask of the threads that a filter lists, see
   pf_thread_mask_bit_64_and_above_shared(); 0: it lists none, so all pass. */
static uint64_t
mask_of_filter_threads_or_0_if_all(const struct alleria_filter *u)
{
	uint64_t mask = 0;

	for (uint32_t i = 0; i < u->n_threads; i++)
		mask |= pf_thread_mask_bit_64_and_above_shared(u->thread[i]);
	return mask;
}

static bool is_range_valid_or_unbounded(uint64_t from, uint64_t to)
{
	return to == 0 || from <= to;
}

static int check_filter_arguments(const struct alleria_profile *p,
				  const struct alleria_filter *u)
{
	if ((u->n_processes > 0 && !u->process) ||
	    (u->n_threads > 0 && !u->thread) ||
	    !is_range_valid_or_unbounded(u->code_from, u->code_to) ||
	    !is_range_valid_or_unbounded(u->data_from, u->data_to) ||
	    !is_range_valid_or_unbounded(u->access_from, u->access_to) ||
	    !is_range_valid_or_unbounded(u->instruction_from,
					 u->instruction_to) ||
	    !is_range_valid_or_unbounded(u->time_from, u->time_to))
		return ALLERIA_E_ARGUMENT;
	for (uint32_t i = 0; i < u->n_threads; i++)
		if (u->thread[i] == 0)
			return ALLERIA_E_ARGUMENT;
	for (uint32_t i = 0; i < u->n_processes; i++)
		if (!alleria_process(p, u->process[i]))
			return ALLERIA_E_RANGE;
	return 0;
}

int ap_filter_check_and_copy(struct ap_filter *f,
			     const struct alleria_profile *p,
			     const struct alleria_filter *user)
{
	struct alleria_filter *u = &f->user;
	int err;

	*f = (struct ap_filter){0};
	if (!user)
		return 0;
	err = check_filter_arguments(p, user);
	if (err)
		return err;
	*u = *user;
	err = replace_array_by_own_copy(&u->process, u->n_processes);
	err |= replace_array_by_own_copy(&u->thread, u->n_threads);
	err |= replace_string_by_own_copy(&u->object);
	err |= replace_string_by_own_copy(&u->function);
	if (err)
		return ALLERIA_E_MEMORY;
	f->threads = mask_of_filter_threads_or_0_if_all(u);
	f->on_code = u->object || u->function || u->code_from || u->code_to;
	f->on_data = u->kinds || u->data_from || u->data_to;
	f->on_time = u->time_from || u->time_to;
	return 0;
}

void ap_filter_release(struct ap_filter *f)
{
	free((void *)f->user.process);
	free((void *)f->user.thread);
	free((void *)f->user.object);
	free((void *)f->user.function);
}

bool ap_filter_passes_process(const struct ap_filter *f, uint32_t process_index)
{
	const struct alleria_filter *u = &f->user;

	for (uint32_t i = 0; i < u->n_processes; i++)
		if (u->process[i] == process_index)
			return true;
	return u->n_processes == 0;
}

bool ap_filter_passes_thread(const struct ap_filter *f, uint32_t thread_number)
{
	const struct alleria_filter *u = &f->user;

	for (uint32_t i = 0; i < u->n_threads; i++)
		if (u->thread[i] == thread_number)
			return true;
	return u->n_threads == 0;
}

/* Whether @wanted equals @path; if @wanted has no '/', whether it equals the
   file name at the end of @path. */
static bool equals_path_or_base_name(const char *wanted, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!strchr(wanted, '/') && slash)
		path = slash + 1;
	return !strcmp(wanted, path);
}

static bool is_address_in_code_range(const struct alleria_filter *u,
				     uint64_t address)
{
	return address >= u->code_from &&
	       (u->code_to == 0 || address < u->code_to);
}

static bool name_passes_object_and_function(const struct alleria_filter *u,
					    const struct alleria_name *name)
{
	return (!u->object ||
		equals_path_or_base_name(u->object, name->object)) &&
	       (!u->function || !strcmp(u->function, name->function));
}

bool ap_filter_passes_instr(const struct ap_filter *f,
			    struct alleria_profile *p, const struct ap_block *b,
			    unsigned instr_index)
{
	const struct alleria_filter *u = &f->user;
	struct alleria_name name;

	if (!is_address_in_code_range(u, b->pub.code[instr_index].address))
		return false;
	if (!u->object && !u->function)
		return true;
	return !alleria_name_block(p, &b->pub, instr_index, &name) &&
	       name_passes_object_and_function(u, &name);
}

bool ap_filter_passes_desc_instr(const struct ap_filter *f, struct ap_stream *s,
				 const struct al_desc *d, unsigned instr_index)
{
	const struct alleria_filter *u = &f->user;
	struct alleria_name name;

	return is_address_in_code_range(u, d->instr[instr_index].addr) &&
	       !ap_find_name_of_desc_instr_or_unknown(s, d, instr_index,
						      &name) &&
	       name_passes_object_and_function(u, &name);
}
