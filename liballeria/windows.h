/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - reads the windows of a run, and numbers sets of windows
 */
#ifndef LIBALLERIA_WINDOWS_H
#define LIBALLERIA_WINDOWS_H

#include "liballeria/profile.h"
#include "profile/format/facts.h"

/* Read the recording plan of an image, or the counts of its windows from its
   end. Return: 0; -EBADMSG: malformed; -ENOMEM. Context: the profile is not
   shared yet, or is being refreshed. */
int ap_windows_read_plan(struct ap_stream *, const struct pf_image *);
int ap_windows_read_counts(struct ap_stream *, const struct pf_end *);

/* Compute the profile's list of windows from the counts of all images. Return:
   0; -ENOMEM. Context: as above. */
int ap_windows_build_list(struct alleria_profile *);

/* Find the number of the set of windows that @lanes of an image belong to; a
   new set gets the next number. @number: receives it, from 1; 0 if the image
   was recorded without windows. Return: 0; -ENOMEM. Context: lock held. */
int ap_windows_find_set(struct ap_stream *, uint64_t lanes, uint32_t *number);

/* Return a block for threads without a lane that records block @id: exits with
   the lengths of their units, but no instructions or accesses. NULL: out of
   memory. Context: lock held. */
const struct ap_block *ap_windows_unrecorded_block(struct ap_stream *,
						   uint32_t id);

/* Free the stream's plan, window counts and blocks of ap_windows_unrecorded_block(). */
void ap_windows_release(struct ap_stream *);

#endif
