/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * standard_output.h - the standard output and error that the tool started with
 */
#ifndef VGTOOL_TRANSPORT_STANDARD_OUTPUT_H
#define VGTOOL_TRANSPORT_STANDARD_OUTPUT_H

#include "vgtool/core/prelude.h"

/* Copy the descriptors 1 and 2, for vt_print(); before the program runs. */
void vt_print_begin(void);

/**
 * vt_print() - Write the beginning of a text to the standard output (1) or
 * error (2) that the tool was started with, whatever the program has done to
 * them since.
 * @timeout_ms: to wait for a reader.
 *
 * Return: [bytes] written; 0 after the time; -1 when no more can be written.
 */
Int vt_print(Int which, const HChar *text, UInt bytes, UInt timeout_ms);

#endif
