/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - formats one-line messages about errors in the user's input
 */
#ifndef BASE_TEXT_MESSAGE_H
#define BASE_TEXT_MESSAGE_H

enum { AL_MESSAGE = 512 }; /* [bytes] of a line with its NUL */

/**
 * al_message_format_einval() - Format a message and return -EINVAL.
 * @message: [AL_MESSAGE]; receives the message, cut to fit. Control characters,
 *         which come only from quoted input, become '?', so that the message is
 *         one line.
 *
 * Return: -EINVAL, for "return al_message_format_einval(...)".
 */
__attribute__((format(printf, 2, 3))) int
al_message_return_einval(char *message, const char *format, ...);

#endif
