/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fully_assoc.h - sets of very many ways: LRU order in a list, found by hashing
 */
#ifndef ANALYZERS_LRU_FULLY_ASSOC_H
#define ANALYZERS_LRU_FULLY_ASSOC_H

#include <stdbool.h>
#include <stdint.h>

struct an_wide;

/* NULL when memory is short. */
struct an_wide *an_wide_new(uint64_t sets, uint32_t assoc);
void an_wide_free(struct an_wide *);

/**
 * an_wide_touch() - Use a line of a set.
 * @thrown: set, if it was missing, to what was thrown out: a way as in
 *          set_assoc.h, or 0.
 *
 * Return: whether it was missing.
 */
bool an_wide_touch(struct an_wide *, uint64_t set, uint64_t line, bool write,
		   uint64_t *thrown);

#endif
