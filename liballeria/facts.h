/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts.h - reads the records about the run and its images, and orders them
 *
 * Threads: called only by alleria_open(), alleria_refresh() and
 *          alleria_close(), which have the profile for themselves.
 */
#ifndef LIBALLERIA_FACTS_H
#define LIBALLERIA_FACTS_H

#include "liballeria/profile.h"

/* Read the records of a block of the file into the profile.
   ap_read_block_of_run_facts(): of the PF_RUN block.
   ap_add_stream_from_image_block_once(): of a PF_IMAGE block, whose stream is
   added unless the profile has it. ap_read_image_end_block(): of a PF_END
   block. ap_read_run_end_block(): of the PF_DONE block. @entry_index: index of
   the block. Return: 0; -ENOMEM; -EBADMSG: malformed; another -errno of
   reading. */
int ap_read_block_of_run_facts(struct alleria_profile *, uint32_t entry_index);
int ap_add_stream_from_image_block_once(struct alleria_profile *,
					uint32_t entry_index);
int ap_read_image_end_block(struct alleria_profile *, struct ap_stream *,
			    uint32_t entry_index);
int ap_read_run_end_block(struct alleria_profile *, uint32_t entry_index);

/* Free a stream and all that it owns; NULL: no-op. */
void ap_stream_free(struct ap_stream *);

/* Group all images into processes again, assign numbers to both, and compute
   the counts of images, processes, run and windows. Return: 0; -ENOMEM. */
int ap_regroup_images_by_process(struct alleria_profile *);

#endif
