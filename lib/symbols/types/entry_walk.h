/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entry_walk.h - visits the debug information entries of functions, variables
 *                and types
 *
 * Threads: the caller locks.
 *
 * The time is bounded: at most AL_MAX_DEBUG_ENTRIES entries are visited, and
 * none deeper than AL_MAX_ENTRY_DEPTH.
 */
#ifndef LIB_SYMBOLS_TYPES_ENTRY_WALK_H
#define LIB_SYMBOLS_TYPES_ENTRY_WALK_H

#include <elfutils/libdw.h>

enum {
	AL_MAX_DEBUG_ENTRIES = 4000000,
	AL_MAX_ENTRY_DEPTH = 128 /* nested entries, without the unit */
};

struct al_entry_visitor {
	/* called before the entries of each compilation unit; NULL: not */
	void (*begin_unit)(void *arg, Dwarf_Die *unit);
	/* called for each entry with its tag (DW_TAG_...); returns 0, or -errno
	   to stop */
	int (*visit)(void *arg, Dwarf_Die *entry, int tag);
	void *arg;
};

/**
 * al_debug_entries_visit() - Visit the entries of all compilation units, outer
 * ones first, that are in a unit, function, inlined call, block, namespace,
 * module, structure or class.
 *
 * Return: 0, or the first error of a visit.
 */
int al_debug_entries_visit(Dwarf *, const struct al_entry_visitor *);

#endif
