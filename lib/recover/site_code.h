/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site_code.h - lists the code in the call stacks of allocations
 *
 * A profile names this code even if no window records it.
 *
 * Threads: one at a time.
 */
#ifndef LIB_RECOVER_SITE_CODE_H
#define LIB_RECOVER_SITE_CODE_H

#include "base/tables/key_table.h"

struct al_blocks;
struct al_recovered_chunk;

/* The addresses in object files from all PT_SITE events, call stacks of
   allocations, of an exec image. Initialise with zeros. */
struct al_site_code {
	/* Keys: path of the object file, interned, as an integer; address as in
	   the file's symbols of the code that a PT_SITE begins with (the
	   allocator's function, or the instruction after a request or a system
	   call), or of the byte before a return address. */
	struct al_key_table addresses;
};

/* Add the addresses of the chunk's PT_SITE events. @blocks: blocks and mappings
   of the exec image. Return: 0; -ENOMEM. */
int al_site_code_add_allocation_call_stacks(struct al_site_code *,
					    const struct al_blocks *blocks,
					    const struct al_recovered_chunk *);

void al_site_code_release(struct al_site_code *);

#endif
