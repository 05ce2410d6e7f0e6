/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tls_segment.h - reads from an ELF file its segment of thread-local variables
 *
 * This is necessary because Valgrind's symbol tables have no thread-local
 * variables.
 */
#ifndef VGTOOL_HEAP_TLS_SEGMENT_H
#define VGTOOL_HEAP_TLS_SEGMENT_H

#include "vgtool/core/prelude.h"

/* A thread-local variable. */
struct vt_tls_variable {
	ULong offset; /* [bytes] from the start of a thread's copy of the
			 segment */
	ULong bytes;
	HChar *name; /* demangled name of the variable; allocated for this
			entry */
};

/* The thread-local segment (PT_TLS); each thread has a copy of it. */
struct vt_tls_segment {
	ULong bytes;
	ULong align;			  /* a power of 2 */
	ULong address_remainder;	  /* address of a copy modulo `align` */
	struct vt_tls_variable *variable; /* [n] in the file's order, at
					     different offsets */
	UInt n, variables_size;
};

/* Read the segment of the ELF file @path, with the variables of its symbol
   table, or of that for dynamic linking if there is no other. Return: False,
   with nothing allocated, if the file has no such segment or cannot be read. */
Bool vt_tls_segment_read_with_variables(struct vt_tls_segment *,
					const HChar *path);

/* Free the variables. */
void vt_tls_segment_release(struct vt_tls_segment *);

#endif
