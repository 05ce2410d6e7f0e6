/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - reads the windows of a run (the parts of it that were recorded),
 * and assigns numbers to sets of windows
 */
#ifndef LIBALLERIA_WINDOWS_H
#define LIBALLERIA_WINDOWS_H

#include "liballeria/profile.h"
#include "profile/format/facts.h"

/* Copy the recording plan of an image, with its windows, to its stream, and add
   the flags of enum alleria_has that follow from it; copy the counts of the
   image's windows from its end to its stream. Return: 0; -EBADMSG: malformed;
   -ENOMEM. Context: the profile is not shared yet, or is being refreshed. */
int ap_windows_copy_plan_and_set_has_flags(struct ap_stream *,
					   const struct pf_image *);
int ap_windows_copy_end_counts(struct ap_stream *, const struct pf_end *);

/* Set the counts of each window of the profile (a part of the run that was
   recorded) to the sums over all images. Return: 0; -ENOMEM. Context: the
   profile is not shared yet, or is being refreshed. */
int ap_windows_rebuild_totals(struct alleria_profile *);

/* Find the number of the set of windows that have the thread filters @lane_mask
   of an image; filters for warm-up are ignored. Add the set if it is new.
   @lane_mask: a bit for each thread filter, an entry of the list `threads` of a
   window. @set_number: receives the number, from 1; 0 if the image was recorded
   without windows. Return: 0; -ENOMEM. Context: lock held. */
int ap_find_or_add_window_set_of_lanes(struct ap_stream *, uint64_t lane_mask,
				       uint32_t *set_number);

/* Return the placeholder for block @block_id in threads for which no window
   records that block; allocate it at the first call. A placeholder has the
   exits of the block, with the length of a unit for each, but no instructions
   or accesses. NULL: memory is short. Context: lock held. */
const struct ap_block *ap_unrecorded_block_placeholder(struct ap_stream *,
						       uint32_t block_id);

/* Free the stream's recording plan, the counts of its windows, and the
   placeholders returned by ap_unrecorded_block_placeholder(). */
void ap_windows_free_stream_data(struct ap_stream *);

#endif
