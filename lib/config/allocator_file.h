/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocator_file.h - reads and describes the allocator functions that
 *                    --allocators names
 */
#ifndef LIB_CONFIG_ALLOCATOR_FILE_H
#define LIB_CONFIG_ALLOCATOR_FILE_H

#include <stdio.h>

#include "proto/allocator.h"

enum { AL_MAX_ALLOCATOR_OPTIONS = 16 }; /* options --allocators, at most */

/**
 * al_allocators_read_all() - Read what the options --allocators name.
 * @file_or_set: [n] paths of files, "python" (the functions of CPython) or
 *               "none" (the standard functions are no allocators).
 * @data: receives the data of the PT_MSG_ALLOCATORS packet, @data_bytes long,
 *        which the caller frees; NULL on error.
 * @message: [AL_MESSAGE] on error: for a file FILE:LINE:COLUMN and the fault.
 *
 * Return: 0; -EINVAL with @message.
 */
int al_allocators_read_all(const char *const *file_or_set, unsigned n,
			   struct pt_allocators **data, uint32_t *data_bytes,
			   char *message);

/* Write to @file what each function does and which arguments it has, in a line
   each. @path: of the file that lists them. Defined in allocator_explain.c. */
void al_allocators_explain(const struct pt_allocators *, const char *path,
			   FILE *file);

#endif
