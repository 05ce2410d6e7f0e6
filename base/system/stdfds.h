/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stdfds.h - opens standard input, output and error if they are closed
 */
#ifndef BASE_SYSTEM_STDFDS_H
#define BASE_SYSTEM_STDFDS_H

/**
 * al_stdfds_open_missing() - Open descriptors 0, 1 and 2 if they are closed.
 *
 * Otherwise a file opened later would get one of these numbers, and receive
 * text that was meant for standard output or standard error. Writing to the
 * descriptors still fails, and in programs that are started from here they are
 * closed. Context: before any other file is opened.
 */
void al_stdfds_open_missing(void);

#endif
