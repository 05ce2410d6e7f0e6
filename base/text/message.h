/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - one line that says what is wrong with what the user gave
 */
#ifndef BASE_TEXT_MESSAGE_H
#define BASE_TEXT_MESSAGE_H

enum { AL_MESSAGE = 512 }; /* [bytes] room for one line with its NUL */

/**
 * al_message() - Format the line.
 * @message: [AL_MESSAGE]; control characters, which can only come from quoted
 *           input, become '?', so that it stays one line.
 *
 * Return: -EINVAL, for "return al_message(...)".
 */
__attribute__((format(printf, 2, 3))) int al_message(char *message,
						     const char *format, ...);

#endif
