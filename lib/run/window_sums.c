/* SPDX-License-Identifier: GPL-2.0-or-later */
/* window_sums.c - adds up the counts of each window over a process or a run;
   see window_sums.h */

#include "lib/run/window_sums.h"

#include "lib/config/window/plan/process_plan.h"

const struct pt_plan *
al_run_find_first_plan_with_windows(const struct al_run *run)
{
	for (size_t i = 0; i < run->n_processes; i++) {
		const struct pt_plan *p = run->process[i]->plan;

		if (p && p->windows.n)
			return p;
	}
	return NULL;
}

static void add_window_counts(struct al_window_counts *to,
			      const struct al_window_counts *c)
{
	to->openings += c->openings;
	to->instructions += c->instructions;
	to->reads += c->reads;
	to->writes += c->writes;
	to->modifies += c->modifies;
}

struct al_window_counts al_process_window_counts(const struct al_process *p,
						 uint32_t window_index)
{
	struct al_window_counts sum = {0};

	for (size_t i = 0; i < p->n_images; i++)
		if (window_index < p->image[i].summary->n_windows)
			add_window_counts(
				&sum,
				&p->image[i]
					 .summary->window_counts[window_index]);
	return sum;
}

struct al_window_counts al_run_window_counts(const struct al_run *run,
					     uint32_t window_index)
{
	struct al_window_counts sum = {0};

	for (size_t i = 0; i < run->n_processes; i++) {
		struct al_window_counts c =
			al_process_window_counts(run->process[i], window_index);

		add_window_counts(&sum, &c);
	}
	return sum;
}

bool al_run_has_opened_all_windows(const struct al_run *run)
{
	const struct pt_plan *plan = al_run_find_first_plan_with_windows(run);
	bool opened = plan || !run->settings->windows;

	for (uint32_t w = 0; plan && opened && w < plan->windows.n; w++)
		opened = al_run_window_counts(run, w).openings;
	return opened;
}
