/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vt_objects.h - the object files that are mapped, told to the daemon
 *
 * Room:    vgtool.
 * Used by: vt_log.c, vt_flip.c, vt_calls.c, vt_names.c, vt_outcome.c.
 */
#ifndef VT_OBJECTS_H
#define VT_OBJECTS_H

#include <pub_tool_debuginfo.h>

#include "vgtool/vt_room.h"

/* Who else wants to know of objects; before the first is followed. */
void vt_objects_watch(void (*came)(const DebugInfo *),
		      void (*went)(const HChar *path, Addr start, SizeT size));

/* Tells the daemon of objects that were mapped or unmapped since the last
   call. */
void vt_objects_follow(void);

/* Tells it where the next block's code lies, if in none of these. */
void vt_objects_log_file(Addr code);

/* [bytes] of a log record. */
static inline UInt vt_padded(UInt bytes)
{
	return (bytes + 7) & ~7u;
}

#endif
