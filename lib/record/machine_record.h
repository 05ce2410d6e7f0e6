/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_machine.h - what a profile says of the machine, and of who recorded it
 *
 * Threads: any.
 */
#ifndef AL_MACHINE_H
#define AL_MACHINE_H

#include "profile/format/records.h"

/* Adds the facts of PF_RUN. */
void al_machine_describe(struct pf_records *);

#endif
