/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_select.c - finds which instructions a plan records; see process_plan.h
 */
#include "lib/config/window/plan/process_plan.h"

/* Return the largest set that a function's entry selects; all if it has no
   selects. */
static enum al_instructions instructions_of(const struct pt_plan *p,
					    const struct pt_function *f)
{
	const struct pt_select *s = al_plan_array(p, p->selects);
	enum al_instructions most =
		f->n_selects ? AL_CHOSEN_INSTRUCTIONS : AL_ALL_INSTRUCTIONS;

	for (uint32_t i = 0; i < f->n_selects; i++) {
		uint32_t kind = s[f->first_select + i].kind;

		if (kind == PT_SELECT_ANY)
			return AL_ALL_INSTRUCTIONS;
		if (kind == PT_SELECT_ANY_MEM)
			most = AL_MEMORY_INSTRUCTIONS;
	}
	return most;
}

enum al_instructions al_plan_instructions(const struct pt_plan *p)
{
	enum al_instructions least = AL_ALL_INSTRUCTIONS, own;

	for (uint32_t i = 0; p && i < p->functions.n; i++) {
		own = instructions_of(p, &al_plan_functions(p)[i]);
		if (own < least)
			least = own;
	}
	return least;
}

bool al_plan_has_addresses(const struct pt_plan *p)
{
	const struct pt_select *s;

	if (!p)
		return true;
	s = al_plan_array(p, p->selects);
	for (uint32_t i = 0; i < p->selects.n; i++)
		if (!(s[i].record & PT_RECORD_ADDRESS))
			return false;
	return true;
}
