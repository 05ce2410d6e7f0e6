/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - the windows of a run, and which of them wanted what
 */
#ifndef LIBALLERIA_WINDOWS_H
#define LIBALLERIA_WINDOWS_H

#include "liballeria/profile.h"
#include "profile/format/facts.h"

/* What an image was recorded by, and what its end says of it. 0; -EBADMSG:
   that is of no use; -ENOMEM. Context: nobody else is there. */
int ap_windows_take(struct ap_stream *, const struct pf_image *);
int ap_windows_count(struct ap_stream *, const struct pf_end *);

/* Adds up what images tell. 0; -ENOMEM. Context: the same. */
int ap_windows_order(struct alleria_profile *);

/* The number of a set of an image's lanes, as windows: from 1, or 0 where there
   are none. Context: lock held. -ENOMEM. */
int ap_windows_number(struct ap_stream *, uint64_t lanes, uint32_t *number);

/* A block that none of a thread's lanes wants: nothing but ways out. NULL: no
   memory. Context: lock held. */
const struct ap_block *ap_windows_unwanted(struct ap_stream *, uint32_t id);

void ap_windows_release(struct ap_stream *);

#endif
