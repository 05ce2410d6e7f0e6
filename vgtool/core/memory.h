/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.h - checks whether the program's memory can be read
 */
#ifndef VGTOOL_CORE_MEMORY_H
#define VGTOOL_CORE_MEMORY_H

#include "vgtool/core/prelude.h"

/* Cache of the range that was last found readable, [@from, @to). Initialize
   with zeros; discard when the program runs. */
struct vt_readable_range {
	Addr start, end;
};

/* Whether all of [@addr, @addr + @bytes) can be read; False if the range wraps
   around. */
Bool vt_memory_can_read(struct vt_readable_range *, Addr addr, ULong bytes);

/* Return the number of bytes that can be read from @addr on, at most @bytes. */
ULong vt_memory_readable_bytes(struct vt_readable_range *, Addr addr,
			       ULong bytes);

#endif
