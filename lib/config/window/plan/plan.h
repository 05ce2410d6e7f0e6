/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - makes and checks recording plans of processes
 *
 * Threads: any.
 *
 * proto/window.h describes the bytes of a plan.
 */
#ifndef LIB_CONFIG_WINDOW_PLAN_PLAN_H
#define LIB_CONFIG_WINDOW_PLAN_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "lib/config/window/plan/arrays.h"

/**
 * al_plan_make() - Make the plan of a process.
 * @process_number: number in its tree, from 1.
 * @plan: receives the plan, to be freed with free().
 * @bytes: receives its size, at most PT_MAX_PLAN.
 *
 * The plan has all windows and events. A window has lanes only if it has an
 * entry with threads for the process. A process without any entry has a plan
 * that records nothing.
 *
 * Return: 0; -ENOMEM; -E2BIG: the plan would exceed PT_MAX_PLAN bytes.
 */
int al_plan_make(const struct al_windows *, uint32_t process_number,
		 void **plan, size_t *bytes);

/**
 * al_plan_check() - Check a plan that may be damaged or malicious.
 * @plan: aligned to 8 bytes.
 *
 * In a valid plan all references are within the plan, all kinds are known, and
 * no entry belongs to two others, so that a traversal visits no entry twice;
 * only a warm lane has the images of the normal lane that it repeats.
 *
 * Return: 0; -EINVAL if the plan is invalid; -ENOMEM.
 */
int al_plan_check(const void *plan, size_t bytes);

/**
 * al_plan_view_as_windows() - Set @view to the arrays of a plan.
 * @plan: valid by al_plan_check(); must outlive the view.
 * @view: read-only, not to be freed. It has no entries for processes; its
 *        windows have the lanes of the plan's process.
 */
void al_plan_view_as_windows(const void *plan, struct al_windows *view);

#endif
