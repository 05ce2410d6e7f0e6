/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocators.h - finds the allocator functions of mapped object files
 *
 * Functions are found by their symbols: in any object those of the malloc
 * family, with the prefixes of common allocators, C++'s operators new and
 * delete, and those of mimalloc and DPDK; in any object, or in one, those that
 * the user names. Several names at one address are one function.
 */
#ifndef VGTOOL_HEAP_ALLOCATORS_H
#define VGTOOL_HEAP_ALLOCATORS_H

#include <pub_tool_debuginfo.h>

#include "proto/allocator.h"
#include "vgtool/core/prelude.h"

/* An allocator function, and the indexes of its arguments, from 0. */
struct vt_allocator {
	const HChar *name;
	UChar kind;    /* enum pt_allocator_kind */
	UChar pointer; /* argument with a block's address */
	UChar size;    /* argument with the size [bytes], or of an element;
			  PT_NO_ARGUMENT: it is `bytes` */
	UChar count;   /* argument with the number of elements */
	Bool rounds_to_pages;  /* the size is rounded up to whole pages */
	Bool returns_string;   /* the block has the string that is returned,
				  and no more */
	Bool returns_size;     /* the block is resized in place, and its new
				  size is returned */
	Bool frees_at_failure; /* the block to resize is freed at failure */
	Bool is_users; /* the user has named it: its blocks are elements */
	SizeT bytes;
	const HChar *image; /* name or path of the object file of a user's
			       function; "": any */
};

/* Add the functions that the user has named, which must stay valid. Call before
   the first object is mapped. */
void vt_allocators_init_from_users_list(const struct pt_allocators *);

/* Add the allocator functions of an object that was mapped. */
void vt_allocators_add_from_object(const DebugInfo *);

/* Return the standard allocator function that the linker's symbol @symbol names
   with or without a version, as in "malloc@@GLIBC_2.2.5", or an allocator's
   prefix, as in "je_malloc"; NULL if it names none. Defined in
   allocator_names.c. */
const struct vt_allocator *
vt_allocators_find_standard_by_symbol(const HChar *symbol);

/* Whether the standard function @a comes before the standard function @b in the
   lists of allocator_names.c. */
Bool vt_allocators_is_before_in_standard_list(const struct vt_allocator *a,
					      const struct vt_allocator *b);

/* Write a PT_NAMED_ALLOCATOR unit for each function that the user has named, if
   its present state (found in a mapped object file, or not) was not written
   yet. Waits for room in the ring. */
void vt_allocators_write_changed_user_named(void);

/* Write a PT_NAMED_ALLOCATOR unit for each function that the user has named: in
   a forked child. */
void vt_allocators_write_all_user_named(void);

/* Remove the allocator functions that begin in [@start, @start + @size), which
   was unmapped. */
void vt_allocators_remove_in_range(Addr start, SizeT size);

/* Return the number of allocator functions that begin in [@start, @start +
   @size). */
UInt vt_allocators_count_in_range(Addr start, SizeT size);

/* Whether only functions that the user has named are allocators. */
Bool vt_allocators_has_only_user_named(void);

/* Return the allocator function whose first instruction is at @pc; NULL if
   there is none. */
const struct vt_allocator *vt_allocators_find_by_entry(Addr pc);

/* Return the size of the code of the allocator function whose first instruction
   is at @entry, in bytes; 0 if it is unknown or there is no such function. */
UInt vt_allocators_get_code_bytes(Addr entry);

#endif
