/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_read.c - checks and copies recording plans that callers have read from
 *               profiles, and checks names of windows; see process_plan.h
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config/window/plan/plan.h"
#include "lib/config/window/plan/process_plan.h"

bool al_is_valid_window_name(const char *name)
{
	static const char valid[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_.-";
	size_t len = strlen(name);

	return len > 0 && len <= AL_MAX_NAME && strspn(name, valid) == len;
}

struct pt_plan *al_process_plan_copy_if_valid(const void *plan, size_t bytes)
{
	struct pt_plan *copy = malloc(bytes + 1);
	int err;

	if (!copy)
		return NULL;
	memcpy(copy, plan, bytes);
	err = al_plan_check(copy, bytes);
	if (!err)
		return copy;
	free(copy);
	errno = -err;
	return NULL;
}
