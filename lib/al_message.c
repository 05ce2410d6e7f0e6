/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_message.c - one line that says what is wrong with what the user gave
 *
 * Room:    lib.
 */
#include "lib/al_message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int al_message(char *message, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(message, AL_MESSAGE, format, args);
	va_end(args);
	for (char *c = message; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	return -EINVAL;
}
