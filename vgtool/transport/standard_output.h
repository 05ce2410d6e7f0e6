/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * standard_output.h - writes to the standard output and error that the tool was
 * started with, even if the program closes or redirects them
 */
#ifndef VGTOOL_TRANSPORT_STANDARD_OUTPUT_H
#define VGTOOL_TRANSPORT_STANDARD_OUTPUT_H

#include "vgtool/core/prelude.h"

/* Duplicate the descriptors 1 and 2 for vt_print_part_to_standard_fd(), to
   descriptors that the program cannot use. Call before the program runs. */
void vt_print_dup_stdout_and_stderr(void);

/**
 * vt_print_part_to_standard_fd() - Write the beginning of a text.
 * @std_fd: 1 for standard output, 2 for standard error.
 * @bytes: length of @text.
 * @timeout_ms: longest wait for a reader.
 *
 * Return: number of bytes written, maybe less than @bytes; 0 after @timeout_ms
 *         or a signal; -1 if no more can be written. All of @text counts as
 *         written if the descriptor could not be duplicated, for instance
 *         because it was closed when the tool started.
 */
Int vt_print_part_to_standard_fd(Int std_fd, const HChar *text, UInt bytes,
				 UInt timeout_ms);

#endif
