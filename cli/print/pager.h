/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pager.h - shows standard output in a pager
 *
 * Threads: main.
 */
#ifndef CLI_PRINT_PAGER_H
#define CLI_PRINT_PAGER_H

#include <stdbool.h>

/**
 * cl_pager_start_if_stdout_is_terminal() - Send standard output to a pager from
 * now on.
 *
 * The pager is $ALLERIA_PAGER, else $PAGER, else "less -FRX". Nothing happens
 * with --no-pager, when standard output is no terminal, when TERM is unset or
 * "dumb", or when the pager is "", "cat" or cannot be found or started.
 */
void cl_pager_start_if_stdout_is_terminal(void);

/* Whether a pager was started and cl_pager_close_stdout_and_wait() was not
   called since. Async-signal-safe. */
bool cl_pager_is_on(void);

/* Close standard output, which ends the pager's input, and wait until the pager
   has ended. No-op if no pager was started. Text that the caller has not
   flushed is not shown. Async-signal-safe; errno is preserved. */
void cl_pager_close_stdout_and_wait(void);

#endif
