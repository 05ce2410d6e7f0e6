/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * descriptor_budget.h - limits the memory that descriptions of code take
 *
 * The tool and the daemon store the description of each block as long as the
 * program runs. A program that generates new code all the time would fill the
 * machine's memory. The recording ends before that; the program goes on.
 */
#ifndef VGTOOL_INSTRUMENT_DESCRIPTOR_BUDGET_H
#define VGTOOL_INSTRUMENT_DESCRIPTOR_BUDGET_H

#include "vgtool/core/prelude.h"

/* Limits that the user may set by options. */
extern Int
	vt_budget_max_mib; /* [MiB] limit of all descriptions; 0: a quarter of
				the machine's memory, or of the limit of the
				tool's control group if that is less */
extern Int vt_budget_max_routes; /* largest number of routes: exits of all
				    blocks together */

/* Set the limit of the memory of all descriptions: vt_budget_max_mib or, if
   that is 0, a quarter of the machine's memory, or of the limit of the tool's
   control group if that is less; no limit if neither can be read. Call before
   the program begins. */
void vt_budget_init_max_descriptor_bytes(void);

/**
 * vt_budget_allows_or_stops_recording() - Whether one more description may be
 * stored.
 * @total_descriptor_bytes: size of all present descriptions.
 *
 * If not, print a message and end the recording. Also False if nothing is
 * recorded. Context: no translated code is running.
 */
Bool vt_budget_allows_or_stops_recording(ULong total_descriptor_bytes);

/* Whether @exits_of_all_blocks routes (exits of all blocks together) are
   allowed. */
Bool vt_budget_allows_number_of_exits(UInt exits_of_all_blocks);

#endif
