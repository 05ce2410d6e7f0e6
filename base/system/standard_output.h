/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * standard_output.h - reports failed writes to standard output
 *
 * Threads: main.
 */
#ifndef BASE_SYSTEM_STANDARD_OUTPUT_H
#define BASE_SYSTEM_STANDARD_OUTPUT_H

#include <stdbool.h>

/* Whether a write to standard output has failed, so that printing more is
   useless. Call it right after printing: it stores errno as the cause. */
bool al_stdout_has_failed(void);

/**
 * al_stdout_flush_and_report() - Flush standard output and report output that
 * was not written.
 * @program_name: first word of the message: "alleria".
 * @status_if_written: exit status so far.
 *
 * Return: @status_if_written; or 2, after one line on standard error, if some
 * output was not written.
 */
int al_stdout_flush_and_report(const char *program_name, int status_if_written);

#endif
