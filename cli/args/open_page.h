/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open_page.h - opens a page in the user's browser: --open
 *
 * Threads: main.
 */
#ifndef CLI_ARGS_OPEN_PAGE_H
#define CLI_ARGS_OPEN_PAGE_H

#include <stdbool.h>

/* Check that a page is written, to @page_path, if @has_open_option is set.
   @message: [AL_MESSAGE] receives one line on error. Return: 0; -EINVAL. */
int cl_open_page_check_options(bool has_open_option, const char *page_path,
			       char *message);

/* Start xdg-open with the file @page_path, and do not wait for it. Print one
   line on standard error if it cannot be started. */
void cl_open_page(const char *page_path);

#endif
