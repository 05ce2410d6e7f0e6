/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_outcome.h - logs which parts of the plan have taken effect
 *
 * Log records (PT_LOG_OUTCOME) state the counts of events, and which images and
 * functions were not found. They explain to the user why a window did not open.
 */
#ifndef VGTOOL_WINDOW_REPORT_OUTCOME_H
#define VGTOOL_WINDOW_REPORT_OUTCOME_H

#include "vgtool/core/prelude.h"

/* Log the outcome when the image ends or may end. Context: no translated code
   is running. */
void vt_outcome_log(void);

#endif
