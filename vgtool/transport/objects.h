/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objects.h - logs the object files that are mapped
 */
#ifndef VGTOOL_TRANSPORT_OBJECTS_H
#define VGTOOL_TRANSPORT_OBJECTS_H

#include <pub_tool_debuginfo.h>

#include "vgtool/core/prelude.h"

/* Who else wants to know of objects; before the first is followed. */
void vt_objects_watch(void (*came)(const DebugInfo *),
		      void (*went)(const HChar *path, Addr start, SizeT size));

/* Tells the daemon of objects that were mapped or unmapped since the last
   call. */
void vt_objects_follow(void);

/* Tells it where the next block's code lies, if in none of these. */
void vt_objects_log_file(Addr code);

/* Return the number of the object, or else of the file, that code lies in; 0:
   none. The number stays the same while it is mapped and belongs to no other.
   Call vt_objects_follow() first. */
UInt vt_objects_number(Addr code);

/*
 * The object that code lies in. Code outside the text of every object that
 * Valgrind knows, such as .plt, belongs to the file that is mapped there; code
 * that was made at run time belongs to none. Valid until something is mapped or
 * unmapped.
 */
struct vt_text {
	const DebugInfo *object; /* NULL: @first lies in no object's text */
	Addr first;
	Addr start; /* start of the object's text, or of memory without a
		       file */
	SizeT size; /* [bytes] of that memory; 0: not known */
};

/* Find the object of the code at @addr. */
void vt_objects_find_text(struct vt_text *, Addr addr);

/* Whether the code at @addr belongs to the same object. */
Bool vt_objects_is_in_text(const struct vt_text *, Addr addr);

/* [bytes] of a log record. */
static inline UInt vt_padded(UInt bytes)
{
	return (bytes + 7) & ~7u;
}

#endif
