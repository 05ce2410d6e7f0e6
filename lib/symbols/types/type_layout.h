/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * type_layout.h - builds the layout of a type from its debug information
 *
 * Threads: the caller locks.
 */
#ifndef LIB_SYMBOLS_TYPES_TYPE_LAYOUT_H
#define LIB_SYMBOLS_TYPES_TYPE_LAYOUT_H

#include <elfutils/libdw.h>

#include "base/tables/intern.h"
#include "base/text/data_type.h"
#include "lib/symbols/types/type_definitions.h"

/* Members of a type beyond this number are left out. */
enum { AL_MAX_TYPE_MEMBERS = 4096 };

/**
 * al_type_layout_new() - Build the layout of a type.
 * @type: entry of the type. Typedefs are followed; of an array, the layout of
 *        its elements is built.
 * @prefix: text that the members' names begin with, or ""; copied.
 * @strings: table in which the names are stored.
 * @definitions: those of the type's file; declared structures are replaced by
 *               their definitions.
 *
 * Return: the layout, for free(); NULL if the type has no size, the type of an
 *         array's elements is not found, or memory is short.
 */
struct an_type *al_type_layout_new(Dwarf_Die *type, const char *prefix,
				   struct al_intern *strings,
				   struct al_type_definitions *definitions);

#endif
