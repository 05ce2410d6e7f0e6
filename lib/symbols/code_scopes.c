/* SPDX-License-Identifier: GPL-2.0-or-later */
/* code_scopes.c - finds the scopes of an address of code; see code_scopes.h */

#include "lib/symbols/code_scopes.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions of a unit ---- */

static int append_code(struct al_unit_functions *f, uint64_t start,
		       uint64_t end, const Dwarf_Die *function)
{
	size_t capacity = f->capacity ? 2 * f->capacity : 64;
	struct al_function_code *bigger;

	if (f->n == f->capacity) {
		bigger = reallocarray(f->code, capacity, sizeof(*bigger));
		if (bigger == NULL)
			return -ENOMEM;
		f->code = bigger;
		f->capacity = capacity;
	}
	f->code[f->n] = (struct al_function_code){
		.start = start, .end = end, .number = f->n, .die = *function};
	f->n++;
	return 0;
}

static int append_code_of_function(struct al_unit_functions *f,
				   Dwarf_Die *function)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	int err = 0;

	while (!err &&
	       (at = dwarf_ranges(function, at, &base, &start, &end)) > 0)
		err = append_code(f, start, end, function);
	return err;
}

static int compare_start_then_number(const void *va, const void *vb)
{
	const struct al_function_code *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* List the code of the functions that are entries directly below @unit. Return:
   0; -ENOMEM. */
static int list_functions_of_unit(struct al_unit_functions *f, Dwarf_Die *unit)
{
	uint64_t furthest_end = 0;
	Dwarf_Die die;
	int err = 0, more = dwarf_child(unit, &die);

	for (; !more && !err; more = dwarf_siblingof(&die, &die))
		if (dwarf_tag(&die) == DW_TAG_subprogram)
			err = append_code_of_function(f, &die);
	if (f->n > 0)
		qsort(f->code, f->n, sizeof(*f->code),
		      compare_start_then_number);
	for (size_t i = 0; i < f->n; i++) {
		if (f->code[i].end > furthest_end)
			furthest_end = f->code[i].end;
		f->code[i].furthest_end = furthest_end;
	}
	return err;
}

/* Return the functions of @unit, listed at the first call for it; NULL: memory
   is short. */
static struct al_unit_functions *
find_or_list_functions(struct al_code_scopes *s, Dwarf_Die *unit)
{
	size_t capacity = s->units_capacity ? 2 * s->units_capacity : 16;
	Dwarf_Off offset = dwarf_dieoffset(unit);
	struct al_unit_functions *bigger;

	for (size_t i = s->n_units; i-- > 0;)
		if (s->unit[i].unit == offset)
			return &s->unit[i];
	if (s->n_units == s->units_capacity) {
		bigger = reallocarray(s->unit, capacity, sizeof(*bigger));
		if (bigger == NULL)
			return NULL;
		s->unit = bigger;
		s->units_capacity = capacity;
	}
	s->unit[s->n_units] = (struct al_unit_functions){.unit = offset};
	return list_functions_of_unit(&s->unit[s->n_units++], unit) == 0
		       ? &s->unit[s->n_units - 1]
		       : NULL;
}

/* Return the first function, by order of the entries, that contains @pc; NULL:
   there is none. */
static struct al_function_code *find_function(const struct al_unit_functions *f,
					      uint64_t pc)
{
	struct al_function_code *found = NULL;
	size_t low = 0, high = f->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (f->code[middle].start <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low > 0 && f->code[low - 1].furthest_end > pc; low--)
		if (f->code[low - 1].end > pc &&
		    (found == NULL || f->code[low - 1].number < found->number))
			found = &f->code[low - 1];
	return found;
}

/* ---- scopes in a function ---- */

/* Whether an entry with tag @tag can contain code. */
static bool can_tag_contain_code(int tag)
{
	return tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block ||
	       tag == DW_TAG_with_stmt || tag == DW_TAG_entry_point;
}

/* Set @inner to the first entry directly below @outer that contains @pc.
   Return: whether there is one. */
static bool find_inner_scope(Dwarf_Die *outer, Dwarf_Addr pc, Dwarf_Die *inner)
{
	int more = dwarf_child(outer, inner);

	while (!more && !(can_tag_contain_code(dwarf_tag(inner)) &&
			  dwarf_haspc(inner, pc) > 0))
		more = dwarf_siblingof(inner, inner);
	return !more;
}

/* Whether the function that was inlined at @call is defined within @function,
   as functions in functions and those of local classes are. */
static bool is_defined_within(Dwarf_Die *call, Dwarf_Die *function)
{
	Dwarf_Off start = dwarf_dieoffset(function);
	Dwarf_Attribute attribute;
	Dwarf_Die origin, next;

	return dwarf_formref_die(
		       dwarf_attr(call, DW_AT_abstract_origin, &attribute),
		       &origin) &&
	       dwarf_dieoffset(&origin) > start &&
	       (dwarf_siblingof(function, &next) != 0 ||
		dwarf_dieoffset(&origin) < dwarf_dieoffset(&next));
}

/* Copy the scopes that dwarf_getscopes() finds, as al_code_scopes_list(). */
static unsigned copy_scopes_of_libdw(Dwarf_Die *unit, Dwarf_Addr pc,
				     Dwarf_Die scope[static AL_MAX_SCOPES])
{
	Dwarf_Die *found = NULL;
	int n = dwarf_getscopes(unit, pc, &found);

	if (n > AL_MAX_SCOPES)
		n = AL_MAX_SCOPES;
	if (n > 0)
		memcpy(scope, found, (size_t)n * sizeof(*found));
	free(found);
	return n > 0 ? (unsigned)n : 0;
}

unsigned al_code_scopes_list(struct al_code_scopes *s, Dwarf_Die *unit,
			     Dwarf_Addr pc,
			     Dwarf_Die scope[static AL_MAX_SCOPES])
{
	const struct al_unit_functions *f = find_or_list_functions(s, unit);
	struct al_function_code *function = f ? find_function(f, pc) : NULL;
	Dwarf_Die path[AL_MAX_SCOPES];
	unsigned n = 0, outermost = 0;

	if (function == NULL)
		return 0;
	path[n++] = function->die;
	while (n < AL_MAX_SCOPES &&
	       find_inner_scope(&path[n - 1], pc, &path[n])) {
		if (dwarf_tag(&path[n]) == DW_TAG_inlined_subroutine)
			outermost = n;
		n++;
	}
	if (outermost > 0 && is_defined_within(&path[outermost], &path[0]))
		return copy_scopes_of_libdw(unit, pc, scope);
	for (unsigned i = outermost; i < n; i++)
		scope[n - 1 - i] = path[i];
	return n - outermost;
}

void al_code_scopes_release(struct al_code_scopes *s)
{
	for (size_t i = 0; i < s->n_units; i++)
		free(s->unit[i].code);
	free(s->unit);
	*s = (struct al_code_scopes){0};
}
