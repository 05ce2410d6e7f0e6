/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_events.c - marks, in the plans of the processes of a tree, the events
 *                    that have happened in the tree
 */
#include "lib/config/window/plan/process_plan.h"
#include "lib/run/state.h"

static void mark_plan_event_happened(struct pt_plan *p, uint32_t event)
{
	struct pt_event *all = (struct pt_event *)al_plan_events(p);

	if (event < p->events.n)
		all[event].flags |= PT_EVENT_HAPPENED;
}

static bool has_event_happened(const struct al_process *root, uint32_t event)
{
	return root->happened[event / 8] >> event % 8 & 1;
}

void al_process_mark_past_events(struct al_process *p)
{
	for (uint32_t i = 0; p->plan && i < p->plan->events.n; i++)
		if (has_event_happened(p->root, i))
			mark_plan_event_happened(p->plan, i);
}

bool al_process_set_new_event_in_tree(struct al_process *p, uint32_t event)
{
	struct al_run *run = p->run;

	if (event >= PT_MAX_EVENTS || has_event_happened(p->root, event))
		return false;
	p->root->happened[event / 8] |= (uint8_t)(1u << event % 8);
	for (size_t i = 0; i < run->n_processes; i++)
		if (run->process[i]->root == p->root && run->process[i]->plan)
			mark_plan_event_happened(run->process[i]->plan, event);
	return true;
}
