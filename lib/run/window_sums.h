/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window_sums.h - adds up the counts of each window over a process or a run
 */
#ifndef LIB_RUN_WINDOW_SUMS_H
#define LIB_RUN_WINDOW_SUMS_H

#include "lib/run/state.h"

/* Return the recording plan of the first process whose plan has windows (parts
   of the run that are recorded); NULL: there is none. */
const struct pt_plan *
al_run_find_first_plan_with_windows(const struct al_run *);

/* Return the sums of the counts of window @window_index of the recording plan
   over all ended images of the process or of the run. */
struct al_window_counts al_process_window_counts(const struct al_process *,
						 uint32_t window_index);

struct al_window_counts al_run_window_counts(const struct al_run *,
					     uint32_t window_index);

/* Whether each window (a part of the run that is to be recorded) has opened in
   at least one process. True if the settings have no windows; false if they
   have some but no process has a plan with windows. */
bool al_run_has_opened_all_windows(const struct al_run *);

#endif
