/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_title.h - the title that the program gives its process
 *
 * A program sets it by PR_SET_NAME in its first thread or, as setproctitle()
 * does, by writing over argv[0]. The tool's page has the title that was set
 * last.
 */
#ifndef VGTOOL_PROCESS_PROCESS_TITLE_H
#define VGTOOL_PROCESS_PROCESS_TITLE_H

#include "vgtool/core/prelude.h"

/* Find argv[0] on the program's initial stack and copy it, so that a later
   change is detected. Call it once, before the program starts. */
void vt_title_copy_argv0_to_detect_change(void);

/* Update the title in the tool's page if the program has written over argv[0]
   since the last call. */
void vt_title_update_from_argv0(void);

/* Use the name given by PR_SET_NAME as the title. @name_addr: its address in
   the program. */
void vt_title_record_from_program_string(Addr name_addr);

/* Copy the title to the tool's page of the ring; do nothing without a ring.
   Call after a fork, when the page is new. */
void vt_title_copy_to_tool_page(void);

#endif
