/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stdfds.h - standard input, output and error that were closed
 */
#ifndef BASE_SYSTEM_STDFDS_H
#define BASE_SYSTEM_STDFDS_H

/**
 * al_standard_fill() - Keep the numbers 0, 1 and 2 from files opened later,
 * which would get what is printed.
 *
 * Writing to them still fails, and in programs that we start they are closed.
 * Context: before anything else is opened.
 */
void al_standard_fill(void);

#endif
