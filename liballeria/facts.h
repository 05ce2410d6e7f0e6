/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - what records of a profile tell about the run and its images
 *
 * Threads: nobody else is there.
 */
#ifndef LIBALLERIA_FACTS_H
#define LIBALLERIA_FACTS_H

#include "liballeria/profile.h"

/* Take a block's records. 0; -ENOMEM; -EBADMSG: it is of no use. */
int ap_take_run(struct alleria_profile *, uint32_t entry);
int ap_take_image(struct alleria_profile *, uint32_t entry);
int ap_take_end(struct alleria_profile *, struct ap_stream *, uint32_t entry);
int ap_take_done(struct alleria_profile *, uint32_t entry);

void ap_stream_free(struct ap_stream *);

/* Puts processes and images in order and adds up. 0; -ENOMEM: all is as it was. */
int ap_order(struct alleria_profile *);

#endif
