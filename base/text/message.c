/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.c - formats one-line error messages; see message.h
 */
#include "base/text/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text/printable.h"

int al_message_return_einval(char *message, const char *format, ...)
{
	char text[AL_MESSAGE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	al_copy_printable_cut_to_fit(message, AL_MESSAGE, text);
	return -EINVAL;
}
