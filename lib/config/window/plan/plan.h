/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - plans of processes: bytes that tell a tool what to record
 *
 * Threads: any.
 *
 * proto/window.h describes the bytes.
 */
#ifndef LIB_CONFIG_WINDOW_PLAN_PLAN_H
#define LIB_CONFIG_WINDOW_PLAN_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "lib/config/window/plan/arrays.h"

/**
 * al_plan_make() - Make the plan of a process.
 * @process: number in its tree, from 1.
 * @plan: receives @bytes, at most PT_MAX_PLAN, for free().
 *
 * All windows and events are in it; a window has lanes only when it has an
 * entry with threads for the process. A process that al_windows_follows() not
 * has a plan, too, for nothing.
 *
 * Return: 0; -ENOMEM; -E2BIG.
 */
int al_plan_make(const struct al_windows *, uint32_t process, void **plan,
		 size_t *bytes);

/**
 * al_plan_check() - Check bytes from a stranger.
 * @plan: aligned to 8 bytes.
 *
 * Return: 0: whatever refers to something, does so within the plan, kinds are
 *         known, and nothing belongs to two, so that a walk through it ends
 *         soon; -EINVAL; -ENOMEM.
 */
int al_plan_check(const void *plan, size_t bytes);

/**
 * al_plan_view() - The arrays of a plan.
 * @plan: checked; outlives the view.
 * @view: must only be read, and not be freed. It has no profiles and follows;
 *        its windows have the lanes of the plan's process.
 */
void al_plan_view(const void *plan, struct al_windows *view);

#endif
