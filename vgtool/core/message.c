/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.c - prints messages for the user; see message.h */

#include "vgtool/core/message.h"

void vt_message_print(const HChar *text)
{
	VG_(fmsg)("alleria: %s\n", text);
}

void vt_message_print_with_reason(const HChar *text, const HChar *reason)
{
	VG_(fmsg)("alleria: %s: %s\n", text, reason);
}
