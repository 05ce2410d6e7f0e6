/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap_types.h - infers the types of heap blocks and elements from the accesses
 *
 * The blocks of one kind (heap or pool) of all sites with equal names have, of
 * the types that accesses to them imply, the one that
 * al_compare_types_by_block_fit() puts first; of equal ones, the first by name.
 * An access implies the structure that al_symbols_find_accessed_structure()
 * returns for its instruction. --analyze=data infers types in this way, too.
 *
 * Threads: any.
 */
#ifndef LIBALLERIA_DATA_HEAP_TYPES_H
#define LIBALLERIA_DATA_HEAP_TYPES_H

#include "liballeria/data/data_map.h"

struct ap_heap_types;

/* Return an object for the types of the heap blocks of one data map, which are
   not inferred yet; NULL: memory is short. */
struct ap_heap_types *ap_heap_types_new(void);
void ap_heap_types_free(struct ap_heap_types *); /* does nothing for NULL */

/* Return the type of a heap block or element (block of a named allocator or
   pool) of an image of the map; "": it is not known. The first call reads all
   executions of the profile. Damaged parts are left out; if memory is short or
   a read fails, no type is known. */
const char *ap_heap_types_find_or_empty(struct ap_heap_types *,
					const struct alleria_data_map *,
					const struct ap_image_data *,
					const struct ap_data_object *);

#endif
