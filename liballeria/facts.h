/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - reads the records about the run and its images, and orders them
 *
 * Threads: called only by alleria_open() and alleria_refresh(), which have the
 *          profile for themselves.
 */
#ifndef LIBALLERIA_FACTS_H
#define LIBALLERIA_FACTS_H

#include "liballeria/profile.h"

/* Read the records of file block @entry about the run into the profile. Return:
   0; -ENOMEM; -EBADMSG: malformed; also the next three functions: the records
   about an image, about the end of an image, and about the end of the run. */
int ap_read_run_block(struct alleria_profile *, uint32_t entry);
int ap_add_stream_from_image_block(struct alleria_profile *, uint32_t entry);
int ap_read_image_end_block(struct alleria_profile *, struct ap_stream *,
			    uint32_t entry);
int ap_read_run_end_block(struct alleria_profile *, uint32_t entry);

/* Free a stream and all that it owns; NULL: no-op. */
void ap_stream_free(struct ap_stream *);

/* Group images into processes, assign numbers to both and compute their counts.
   Return: 0; -ENOMEM, which leaves processes and images unchanged. */
int ap_regroup_images_and_windows(struct alleria_profile *);

#endif
