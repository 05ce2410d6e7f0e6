/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine_record.h - describes the machine and the recording command
 *
 * Threads: any.
 */
#ifndef LIB_RECORD_MACHINE_RECORD_H
#define LIB_RECORD_MACHINE_RECORD_H

#include "profile/format/records.h"

/* Append the records of block PF_RUN. */
void al_machine_describe(struct pf_records *);

#endif
