/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.h - checks whether the program's memory can be read
 */
#ifndef VGTOOL_CORE_MEMORY_H
#define VGTOOL_CORE_MEMORY_H

#include "vgtool/core/prelude.h"

/* The range [@start, @end) that was last found readable. Initialize with zeros;
   discard when the program runs, since it may unmap memory. */
struct vt_readable_range {
	Addr start, end;
};

/* Whether the program's memory [@addr, @addr + @bytes) can be read; False if
   the range wraps around. A range that lies in the stored one is not checked
   again. If another one can be read, its whole pages are stored. */
Bool vt_memory_is_readable_cached(struct vt_readable_range *, Addr addr,
				  ULong bytes);

/* Return how many bytes from @addr on, up to the first unreadable one, can be
   read; at most @max_bytes. The readable range that was found last is
   stored. */
ULong vt_memory_count_readable_bytes(struct vt_readable_range *, Addr addr,
				     ULong max_bytes);

/* Return the word at @addr of the program's memory; 0 if it cannot be read. */
Addr vt_memory_read_word_or_0(Addr addr);

#endif
