/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arrays.h - the arrays of struct al_windows while they grow
 *
 * Threads: one.
 *
 * Adding moves an array: entries are told by their index.
 */
#ifndef LIB_CONFIG_WINDOW_PLAN_ARRAYS_H
#define LIB_CONFIG_WINDOW_PLAN_ARRAYS_H

#include <stddef.h>

#include "lib/config/window/windows.h"

/* [bytes] of an entry */
size_t al_part_size(enum al_part);

/* Adds @n zeroed entries behind @first. Return: 0; -ENOMEM. */
int al_parts_add(struct al_windows *, enum al_part, uint32_t n,
		 uint32_t *first);

/* The offset of a copy of @text. Return: 0; -ENOMEM. */
int al_parts_add_string(struct al_windows *, const char *text, uint32_t *at);

#endif
