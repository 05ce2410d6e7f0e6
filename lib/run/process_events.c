/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_events.c - marks, in the recording plans of the processes of a tree,
 * the window events that have happened in the tree
 */
#include "lib/config/window/plan/process_plan.h"
#include "lib/run/state.h"

static void mark_plan_event_happened(struct pt_plan *p, uint32_t event_index)
{
	struct pt_event *all = (struct pt_event *)pt_plan_events(p);

	if (event_index < p->events.n)
		all[event_index].flags |= PT_EVENT_HAPPENED;
}

static bool has_event_happened_in_tree(const struct al_process *root,
				       uint32_t event_index)
{
	return root->happened[event_index / 8] >> event_index % 8 & 1;
}

void al_process_mark_past_events_in_plan(struct al_process *p)
{
	for (uint32_t i = 0; p->plan && i < p->plan->events.n; i++)
		if (has_event_happened_in_tree(p->root, i))
			mark_plan_event_happened(p->plan, i);
}

bool al_process_mark_event_in_tree_if_new(struct al_process *p,
					  uint32_t event_index)
{
	struct al_run *run = p->run;

	if (event_index >= PT_MAX_EVENTS ||
	    has_event_happened_in_tree(p->root, event_index))
		return false;
	p->root->happened[event_index / 8] |= (uint8_t)(1u << event_index % 8);
	for (size_t i = 0; i < run->n_processes; i++)
		if (run->process[i]->root == p->root && run->process[i]->plan)
			mark_plan_event_happened(run->process[i]->plan,
						 event_index);
	return true;
}
