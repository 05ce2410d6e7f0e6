/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pf_message.c - one line that says what is wrong with a file
 *
 * Room:    profile.
 */
#include "profile/pf_message.h"

#include <stdarg.h>
#include <stdio.h>

#include "profile/pf_writer.h"

int pf_message(char *message, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(message, PF_MESSAGE, format, args);
	va_end(args);
	for (char *c = message; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	return err;
}
