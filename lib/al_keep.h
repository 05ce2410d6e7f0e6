/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_keep.h - what the record of a run tells its profile
 *
 * Room:    lib, not for others; al_run.h is the door.
 * Used by: al_run.c.
 */
#ifndef AL_KEEP_H
#define AL_KEEP_H

#include "lib/al_record.h"

/* A new image of a process is to be kept. 0; -ENOMEM. */
int al_process_keep(struct al_process *, const struct al_image *,
		    const struct al_fork *, struct al_stream *);

/* Ends the profile, if there is one. */
void al_run_keep_end(struct al_run *);

#endif
