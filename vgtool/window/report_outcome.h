/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_outcome.h - tells the daemon what became of the plan
 *
 * How far the events came, and which images and functions were not there, for
 * those who ask why a window did not open (PT_LOG_OUTCOME).
 */
#ifndef VGTOOL_WINDOW_REPORT_OUTCOME_H
#define VGTOOL_WINDOW_REPORT_OUTCOME_H

#include "vgtool/core/prelude.h"

/* The image ends, or may. Context: no code is running. */
void vt_outcome_tell(void);

#endif
