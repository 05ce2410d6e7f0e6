/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify.h - checks that a profile is valid, and copies the intact blocks of a
 *            damaged one
 *
 * Threads: one.
 *
 * Rules for a profile:
 *
 *   file every byte belongs to a block; block numbers have no gap; checksums
 *            are correct; the first block is PF_RUN, the last PF_DONE
 *   streams  each begins once, in order of numbers, with a process and a
 *            command, and ends once; the parent of a forked stream has at least
 *            the blocks and the log that the fork inherits
 *   log      no gap; block ids and routes have no gap; accesses and exits are
 *            within their limits
 *   units    chunks have no gap; each unit is of a block described before, and
 *            has the length that its exit states; control flow goes where exits
 *            lead; no code is executed whose object was unmapped, by the log,
 *            before the descriptor of a block executed earlier; threads start,
 *            run and end; the head of a chunk has the counts and all pages of
 *            its units
 *   times    the end times of a stream's blocks, without log blocks, never
 *            decrease
 *   names    refer to objects and texts that precede them
 *   status   the stated one is not better than that of any stream; the order is
 *            complete, lossy, truncated
 *
 * A profile whose status is truncated or lossy may lack blocks of its streams.
 * The blocks that it has are checked as far as possible.
 */
#ifndef LIB_VERIFY_VERIFY_H
#define LIB_VERIFY_VERIFY_H

#include <stdio.h>

#include "base/text/message.h"

enum { AL_MAX_FAULTS = 10 }; /* greatest number of faults that are printed */

/**
 * al_verify_print_and_count_faults() - Check a whole profile.
 * @out: receives a line for each of the first AL_MAX_FAULTS faults, and a line
 *       with the number of the others, if any.
 * @message: [AL_MESSAGE] receives one line if the profile cannot be read.
 *
 * Return: the number of all faults; -errno, with @message.
 */
int al_verify_print_and_count_faults(const char *path, FILE *out,
				     char *message);

/**
 * al_salvage_profile() - Copy the undamaged blocks of a profile.
 * @path: path of the profile, damaged or not.
 * @out_path: path of the new profile, which does not exist yet.
 * @summary_or_error: [AL_MESSAGE] receives one line: the numbers of blocks
 *                    copied and missing, or the error.
 *
 * Return: 0; -errno, and no new profile is left.
 */
int al_salvage_profile(const char *path, const char *out_path,
		       char *summary_or_error);

#endif
