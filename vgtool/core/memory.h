/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.h - whether the program's memory can be read
 */
#ifndef VGTOOL_CORE_MEMORY_H
#define VGTOOL_CORE_MEMORY_H

#include "vgtool/core/prelude.h"

/* Memory that is known to be readable. Zeroed: none is. Context: holds as long
   as the program does not run. */
struct vt_memory {
	Addr from, to;
};

/* Whether [at, at + bytes) can be read; a range that wraps around cannot. */
Bool vt_memory_can_read(struct vt_memory *, Addr at, ULong bytes);

/* How much of it, before something cannot. */
ULong vt_memory_readable(struct vt_memory *, Addr at, ULong bytes);

#endif
