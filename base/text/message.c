/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.c - formats one-line error messages; see message.h
 */
#include "base/text/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text/printable.h"

__attribute__((format(printf, 2, 0))) static void
format_cut_and_printable(char *message, const char *format, va_list args)
{
	char text[AL_MESSAGE];

	vsnprintf(text, sizeof(text), format, args);
	al_copy_unprintable_as_question_marks(message, AL_MESSAGE, text);
}

int al_message_return_einval(char *message, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_cut_and_printable(message, format, args);
	va_end(args);
	return -EINVAL;
}

int al_message_return_err(char *message, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_cut_and_printable(message, format, args);
	va_end(args);
	return err;
}
