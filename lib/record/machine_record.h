/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine_record.h - what a profile says of the machine, and of who recorded it
 *
 * Threads: any.
 */
#ifndef LIB_RECORD_MACHINE_RECORD_H
#define LIB_RECORD_MACHINE_RECORD_H

#include "profile/format/records.h"

/* Adds the facts of PF_RUN. */
void al_machine_describe(struct pf_records *);

#endif
