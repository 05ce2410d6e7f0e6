/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_select.c - finds which instructions a recording plan records; see
 *                 process_plan.h
 */
#include "lib/config/window/plan/process_plan.h"

/* Return the largest set of instructions that one of the selects of function
   entry @f selects; AL_ALL_INSTRUCTIONS if it has no selects. */
static enum al_instructions
largest_selected_instr_set(const struct pt_plan *p, const struct pt_function *f)
{
	const struct pt_select *s = pt_plan_selects(p);
	enum al_instructions largest =
		f->n_selects ? AL_CHOSEN_INSTRUCTIONS : AL_ALL_INSTRUCTIONS;

	for (uint32_t i = 0; i < f->n_selects; i++) {
		uint32_t kind = s[f->first_select + i].kind;

		if (kind == PT_SELECT_ANY)
			return AL_ALL_INSTRUCTIONS;
		if (kind == PT_SELECT_ANY_MEM)
			largest = AL_MEMORY_INSTRUCTIONS;
	}
	return largest;
}

enum al_instructions
al_plan_smallest_function_instr_set(const struct pt_plan *p)
{
	enum al_instructions smallest = AL_ALL_INSTRUCTIONS, set;

	for (uint32_t i = 0; p && i < p->functions.n; i++) {
		set = largest_selected_instr_set(p, &pt_plan_functions(p)[i]);
		if (set < smallest)
			smallest = set;
	}
	return smallest;
}

bool al_plan_has_address_in_each_record(const struct pt_plan *p)
{
	const struct pt_select *s;

	if (!p)
		return true;
	s = pt_plan_selects(p);
	for (uint32_t i = 0; i < p->selects.n; i++)
		if (!(s[i].record & PT_RECORD_ADDRESS))
			return false;
	return true;
}
