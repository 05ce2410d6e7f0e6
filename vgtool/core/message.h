/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - lines for the user
 */
#ifndef VGTOOL_CORE_MESSAGE_H
#define VGTOOL_CORE_MESSAGE_H

#include "vgtool/core/prelude.h"

/* One line to the user, without full stop or newline. */
void vt_message(const HChar *text);

/* "text: reason" */
void vt_message_about(const HChar *text, const HChar *reason);

#endif
