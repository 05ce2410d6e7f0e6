/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * toyrules.h - which records of toyrun.h pass a filter, by its definition
 *
 * For tests.
 */
#ifndef TOYRULES_H
#define TOYRULES_H

#include "tests/toyrun.h"

static struct alleria_profile *profile;

static inline struct alleria_cursor *open_cursor(enum alleria_what what,
						 const struct alleria_filter *f)
{
	struct alleria_cursor *c;
	int err = alleria_cursor_open(profile, what, f, &c);

	if (!err)
		return c;
	printf("Bail out! no cursor: %s\n", alleria_error_text(err));
	exit(99);
}

static inline bool code_passes(const struct alleria_filter *f, uint64_t code)
{
	const char *slash;

	if ((f->code_from && code < f->code_from) ||
	    (f->code_to && code >= f->code_to))
		return false;
	if (f->function && strcmp(f->function, toy_function(code)))
		return false;
	if (!f->object)
		return true;
	slash = strrchr(toy_object(code), '/');
	return !strcmp(f->object, toy_object(code)) ||
	       (!strchr(f->object, '/') && slash &&
		!strcmp(f->object, slash + 1));
}

static inline bool is_listed(const uint32_t *list, uint32_t n, uint32_t x)
{
	for (uint32_t i = 0; i < n; i++)
		if (list[i] == x)
			return true;
	return n == 0;
}

/* Whether an instruction passes the conditions that do not concern accesses. */
static inline bool place_passes(const struct alleria_filter *f,
				const struct alleria_instruction *i)
{
	uint64_t ns = toy.ns[i->number];

	return is_listed(f->process, f->n_processes, i->process) &&
	       is_listed(f->thread, f->n_threads, i->thread) &&
	       i->number >= f->instruction_from &&
	       (!f->instruction_to || i->number < f->instruction_to) &&
	       ns >= f->time_from && (!f->time_to || ns < f->time_to) &&
	       code_passes(f, i->address);
}

static inline bool data_passes(const struct alleria_filter *f,
			       const struct alleria_access *a)
{
	return (!f->data_from || a->address + a->size > f->data_from) &&
	       (!f->data_to || a->address < f->data_to) &&
	       (!f->kinds || f->kinds >> a->kind & 1);
}

static inline bool number_passes(const struct alleria_filter *f,
				 uint64_t access)
{
	return access >= f->access_from &&
	       (!f->access_to || access < f->access_to);
}

static inline bool instruction_passes(const struct alleria_filter *f, size_t n)
{
	const struct alleria_instruction *i = &toy.instruction[n];
	bool on_data = f->kinds || f->data_from || f->data_to;
	bool any = false, in_range = false;

	for (unsigned k = 0; k < i->n_accesses; k++) {
		any |= data_passes(f, &toy.access[i->first_access + k]);
		in_range |= number_passes(f, i->first_access + k);
	}
	/* an instruction without an access belongs to the access before it */
	if (!i->n_accesses)
		in_range = number_passes(
			f, i->first_access ? i->first_access - 1 : 0);
	return place_passes(f, i) && in_range && (!on_data || any);
}

static inline bool passes(const struct alleria_filter *f,
			  enum alleria_what what, size_t n)
{
	const struct alleria_execution *x = &toy.execution[n];
	const struct alleria_access *a = &toy.access[n];

	if (what == ALLERIA_ACCESSES)
		return place_passes(f, &toy.instruction[a->instruction]) &&
		       data_passes(f, a) && number_passes(f, n);
	if (what == ALLERIA_INSTRUCTIONS)
		return instruction_passes(f, n);
	for (unsigned i = 0; i < x->n_instructions; i++)
		if (instruction_passes(f, x->instruction + i))
			return true;
	return false;
}

#endif
