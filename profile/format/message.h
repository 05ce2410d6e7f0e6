/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message.h - formats one line about an error of a file
 */
#ifndef PROFILE_FORMAT_MESSAGE_H
#define PROFILE_FORMAT_MESSAGE_H

/**
 * pf_format_message_and_return() - Format one line about an error of a file.
 * @message: [PF_MESSAGE] receives the line. Control characters, which can only
 *           come from a path, become '?', so there is no second line.
 * @err: -errno.
 *
 * Return: @err.
 */
__attribute__((format(printf, 3, 4))) int
pf_format_message_and_return(char *message, int err, const char *format, ...);

#endif
