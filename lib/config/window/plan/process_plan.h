/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_plan.h - makes and reads the recording plan of a process
 *
 * Threads: any.
 *
 * lib/run/run.h numbers the processes. Number 0 stands for a process without a
 * number, because the windows record nothing of an ancestor. With a plan
 * without windows, the Valgrind tool records nothing.
 */
#ifndef LIB_CONFIG_WINDOW_PLAN_PROCESS_PLAN_H
#define LIB_CONFIG_WINDOW_PLAN_PROCESS_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/plan.h"

struct al_windows;

/* Return the plan of process @process_number, to be freed with free(). The plan
   has no windows if the number is 0 or no window has an entry for the process.
   NULL if memory is short or the plan would exceed PT_MAX_PLAN. */
struct pt_plan *al_process_plan_make(const struct al_windows *,
				     unsigned process_number);

/* Return a checked copy of a recording plan from a profile, to be freed with
   free(); NULL with errno set: EINVAL if the plan is invalid, ENOMEM. */
struct pt_plan *al_process_plan_copy_if_valid(const void *plan, size_t bytes);

/* Set of instructions that a plan records in the functions that it has entries
   for. */
enum al_instructions {
	AL_CHOSEN_INSTRUCTIONS, /* only kinds of instructions that entries
				   name */
	AL_MEMORY_INSTRUCTIONS, /* at least the instructions that access
				   memory */
	AL_ALL_INSTRUCTIONS,
};

/* Return the smallest set of instructions that one of the plan's entries for
   functions (pt_function) records. The set that an entry records is the largest
   that one of its selects (kinds of instructions) selects; AL_ALL_INSTRUCTIONS
   if it has no selects. Return AL_ALL_INSTRUCTIONS if the plan has no such
   entries, or is NULL. */
enum al_instructions
al_plan_smallest_function_instr_set(const struct pt_plan *);

/* Whether a recording plan records the address of every access that it records;
   true for NULL. */
bool al_plan_has_address_in_each_record(const struct pt_plan *);

/* Whether @name is valid for a window of a window file. Windows of plans from
   profiles may have any name. */
bool al_is_valid_window_name(const char *name);

#endif
