/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - formats one-line messages about errors
 */
#ifndef BASE_TEXT_MESSAGE_H
#define BASE_TEXT_MESSAGE_H

enum { AL_MESSAGE = 512 }; /* [bytes] of a line with its NUL */

/**
 * al_message_return_einval() - Format a message and return -EINVAL.
 * @message: [AL_MESSAGE]; receives the message, cut to fit. Control characters,
 *         which come only from quoted input or paths, become '?', so that the
 *         message is one line.
 *
 * Return: -EINVAL, for "return al_message_return_einval(...)".
 */
__attribute__((format(printf, 2, 3))) int
al_message_return_einval(char *message, const char *format, ...);

/**
 * al_message_return_err() - Format a message as al_message_return_einval()
 * does, and return another error.
 * @err: -errno.
 *
 * Return: @err.
 */
__attribute__((format(printf, 3, 4))) int
al_message_return_err(char *message, int err, const char *format, ...);

#endif
