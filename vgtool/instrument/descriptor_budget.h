/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * descriptor_budget.h - limits on descriptions of code
 *
 * A program that makes ever new code makes ever new descriptions, which the
 * tool and the daemon store as long as it runs. The recording ends before they
 * fill the machine's memory; the program goes on.
 */
#ifndef VGTOOL_INSTRUMENT_DESCRIPTOR_BUDGET_H
#define VGTOOL_INSTRUMENT_DESCRIPTOR_BUDGET_H

#include "vgtool/core/prelude.h"

/* Limits given on the command line. */
extern Int vt_budget_mib;    /* [MiB] that descriptions may take; 0: a quarter
				of the machine's memory, or of its control
				group's */
extern Int vt_budget_routes; /* most routes */

/* Find out how much memory there is. Context: the program has not begun. */
void vt_budget_start(void);

/**
 * vt_budget_has() - Whether one more description is allowed.
 * @bytes: size of all present descriptions.
 *
 * If it is not, prints a message and ends the recording. False, too, when
 * nothing is being recorded. Context: no code is running.
 */
Bool vt_budget_has(ULong bytes);

/* Whether @n routes in all are allowed. */
Bool vt_budget_has_routes(UInt n);

#endif
