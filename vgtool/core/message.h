/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - prints messages for the user
 */
#ifndef VGTOOL_CORE_MESSAGE_H
#define VGTOOL_CORE_MESSAGE_H

#include "vgtool/core/prelude.h"

/* Print "alleria: TEXT" and a newline to Valgrind's log. @text has no full stop
   and no newline. */
void vt_message_print(const HChar *text);

/* Print "alleria: TEXT: REASON" and a newline to Valgrind's log. */
void vt_message_print_with_reason(const HChar *text, const HChar *reason);

#endif
