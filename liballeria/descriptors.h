/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * descriptors.h - reads the block descriptors of an image when they are needed
 *
 * Threads: the profile's lock is held.
 */
#ifndef LIBALLERIA_DESCRIPTORS_H
#define LIBALLERIA_DESCRIPTORS_H

#include "liballeria/profile.h"

/* Read those block descriptors of the stream that were inherited at a fork, or
   precede file block @entry_index in the file, and were not read yet. Return:
   0; -EBADMSG: some are missing or damaged; -ENOMEM; another -errno of reading.
   */
int ap_stream_read_log_before_entry(struct ap_stream *, uint32_t entry_index);

/* Return the length [bytes] of the stream's log in the file blocks that precede
   file block @entry_index, by their heads. */
uint64_t ap_stream_log_bytes_before_entry(const struct ap_stream *,
					  uint32_t entry_index);

/* Find the public block of the route (block and exit) @block_and_exit_route, as
   recorded for the threads of @thread_class, which have the same thread filters
   (lib/recover/thread_filter.h); make it if it is new. If no window records it
   for them, the block has exits but no instructions. Return: 0; -EPROTO: no
   such route; -ENOMEM. */
int ap_block_find_or_make_by_route(struct ap_stream *,
				   uint32_t block_and_exit_route,
				   unsigned thread_class,
				   const struct ap_block **);

/* Find the partial block for the instructions of block @block_id that were
   executed before a fault (an exception of the processor) stopped it, and make
   it if it is new. @fault_position (of the fault in the block), @thread_class:
   see al_executed_find_or_add_faulted_part(). *@out is NULL if no window
   records it. Return: 0; -ENOMEM; an error of
   al_executed_find_or_add_faulted_part(). */
int ap_block_find_or_make_partial(struct ap_stream *, uint32_t block_id,
				  uint64_t fault_position,
				  unsigned thread_class,
				  const struct ap_block **out);

/* Whether an instruction that is followed by the one at @next_address repeats
   itself: it is a string instruction with a rep prefix, and each iteration is
   an execution. That is no branch. */
bool ap_is_rep_string_instr_repeated_at(const struct alleria_code *,
					uint64_t next_address);

#endif
