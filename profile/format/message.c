/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.c - formats one line about an error of a file
 */
#include "profile/format/message.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text/printable.h"
#include "profile/format/writer.h"

int pf_format_message_and_return(char *message_out, int err, const char *format,
				 ...)
{
	char text[PF_MESSAGE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	al_copy_printable_cut_to_fit(message_out, PF_MESSAGE, text);
	return err;
}
