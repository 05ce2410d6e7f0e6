/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - what the rest of the tool asks of its main file
 */
#ifndef VGTOOL_CORE_MESSAGE_H
#define VGTOOL_CORE_MESSAGE_H

#include "vgtool/core/prelude.h"

/* One line to the user, without full stop or newline. */
void vt_message(const HChar *text);

/* "text: reason" */
void vt_message_about(const HChar *text, const HChar *reason);

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
