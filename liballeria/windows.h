/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - reads the windows of a run, and assigns numbers to sets of
 * windows
 */
#ifndef LIBALLERIA_WINDOWS_H
#define LIBALLERIA_WINDOWS_H

#include "liballeria/profile.h"
#include "profile/format/facts.h"

/* Read the recording plan of an image. Return: 0; -EBADMSG: malformed; -ENOMEM;
   also ap_windows_copy_end_counts(), which reads the counts of the image's
   windows from its end. Context: the profile is not shared yet, or is being
   refreshed. */
int ap_windows_copy_plan_set_flags(struct ap_stream *, const struct pf_image *);
int ap_windows_copy_end_counts(struct ap_stream *, const struct pf_end *);

/* Compute the profile's list of windows from the counts of all images. Return:
   0; -ENOMEM. Context: the profile is not shared yet, or is being refreshed. */
int ap_windows_rebuild_totals(struct alleria_profile *);

/* Find the number of the set of windows to which the thread filters @lane_mask
   of an image belong; a new set gets the next number. @set_number: receives the
   number, from 1; 0 if the image was recorded without windows. Return: 0;
   -ENOMEM. Context: lock held. */
int ap_find_or_add_window_set_of_lanes(struct ap_stream *, uint64_t lane_mask,
				       uint32_t *set_number);

/* Return a block for threads that have no thread filter which records block
   @id: it has the exits with the lengths of their units, but no instructions or
   accesses. NULL: memory is short. Context: lock held. */
const struct ap_block *ap_get_or_make_placeholder_block(struct ap_stream *,
							uint32_t id);

/* Free the stream's plan, window counts and blocks of
   ap_get_or_make_placeholder_block(). */
void ap_windows_free_members_of_stream(struct ap_stream *);

#endif
