/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - one line that says what is wrong with a file
 */
#ifndef PROFILE_FORMAT_MESSAGE_H
#define PROFILE_FORMAT_MESSAGE_H

/**
 * pf_message() - Format the line.
 * @message: [PF_MESSAGE]; control characters, which can only come from a path,
 *           become '?', so that it stays one line.
 * @err: -errno.
 *
 * Return: @err.
 */
__attribute__((format(printf, 3, 4))) int pf_message(char *message, int err,
						     const char *format, ...);

#endif
