/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objects.h - logs the object files that are mapped, and numbers them
 */
#ifndef VGTOOL_TRANSPORT_OBJECTS_H
#define VGTOOL_TRANSPORT_OBJECTS_H

#include <pub_tool_debuginfo.h>

#include "vgtool/core/prelude.h"

/* Functions that are called for each object file that is mapped or unmapped. */
struct vt_object_listener {
	void (*mapped)(const DebugInfo *);
	/* @start, @size: range of the object's code */
	void (*unmapped)(const HChar *path, Addr start, SizeT size);
};

/* Add a listener, unless it was added before; two at most. Call before the
   first vt_objects_update_and_log_changes(). */
void vt_objects_add_listener(const struct vt_object_listener *);

/* Log the object files that were mapped or unmapped since the last call, and
   call the listeners for each of them. */
void vt_objects_update_and_log_changes(void);

/* Log the path of the file that @code_addr is mapped from, if no object's text
   contains it. The record belongs to the block that is logged next. */
void vt_objects_log_file_if_no_object(Addr code_addr);

/* Return the number of the object file that @code_addr lies in, or else of the
   file that it is mapped from, or else 0. The number of an object or a file
   does not change while the object is mapped. No other object or file ever has
   it, nor the same object when it is mapped again. Call
   vt_objects_update_and_log_changes() first. */
UInt vt_objects_find_or_assign_number_or_0(Addr code_addr);

/*
 * The object file that some code belongs to. Code outside the text of every
 * object that Valgrind knows, such as .plt, belongs to the file that is mapped
 * there; code generated at run time belongs to no object. Valid until memory is
 * mapped or unmapped.
 */
struct vt_code_object {
	const DebugInfo *object; /* NULL: no object's text contains the code */
	Addr code_addr;		 /* address for which the object file was looked
				    up */
	Addr start; /* start of the object's text, or of the mapping if that has
		       no file; 0: not known */
	SizeT size; /* [bytes] of the text or mapping; 0: not known */
};

/* Set the struct to describe the object file that the code at an address
   belongs to. */
void vt_objects_find_object_range_of_code(struct vt_code_object *, Addr addr);

/* Whether the code at @addr belongs to the same object file as the given code,
   or both belong to none. False also if an object's text contains the code at
   @addr, but not the given code. */
Bool vt_objects_is_in_same_object_file(const struct vt_code_object *,
				       Addr addr);

/* Return @bytes, the size of a log record, rounded up to a multiple of 8. */
static inline UInt vt_record_bytes_padded_to_8(UInt bytes)
{
	return (bytes + 7) & ~7u;
}

#endif
