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
   useless. Call it right after printing: on the first failure it stores errno,
   which al_stdout_flush_or_report_failure() reports. */
bool al_stdout_has_failed(void);

/**
 * al_stdout_flush_or_report_failure() - Flush standard output and, if some
 * output was not written, print a line on standard error.
 * @program_name: first word of the line: "alleria" or "alleriad".
 * @status_if_written: exit status if all output was written.
 *
 * Return: @status_if_written; 2 if some output was not written.
 */
int al_stdout_flush_or_report_failure(const char *program_name,
				      int status_if_written);

#endif
