/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify.h - checks that a profile is valid, and copies what is intact of a damaged
 * one
 *
 * Threads: one.
 *
 * Rules for a profile:
 *
 *   file     every byte belongs to a block; blocks are numbered without a gap;
 *            checksums; the first is PF_RUN, the last PF_DONE
 *   streams  begin once, in order, with a process and a command, and end once;
 *            a fork is of a stream that had so much
 *   log      without a gap; block ids and routes without a gap, accesses and
 *            exits within their limits
 *   units    chunks without a gap; each unit of a block that was described
 *            before, and as long as its exit; control flow goes where exits
 *            lead; no code is executed of an object that, by the log, was
 *            unmapped before code that was executed already; threads start,
 *            run, end; heads say what the units amount to, and all pages
 *            that they touch
 *   times    never go back within a stream
 *   names    are of objects and texts that were told before
 *   status   is no better than that of the processes
 *
 * A profile that says that it is truncated or lossy may lack blocks of its
 * streams, and is then checked as far as that goes.
 */
#ifndef LIB_VERIFY_VERIFY_H
#define LIB_VERIFY_VERIFY_H

#include <stdio.h>

#include "base/text/message.h"

enum { AL_MAX_FAULTS = 10 }; /* faults printed, at most */

/**
 * al_verify() - Check a whole profile.
 * @out: receives a line for each of the first faults.
 * @message: [AL_MESSAGE] receives one line when it cannot be read.
 *
 * Return: the number of faults; -errno.
 */
int al_verify(const char *path, FILE *out, char *message);

/**
 * al_salvage() - Copy the undamaged blocks of a profile.
 * @path: path of the profile, damaged or not.
 * @out: path of the new profile, which does not exist yet.
 * @message: [AL_MESSAGE] receives one line: the numbers of blocks copied and
 *           missing, or the error.
 *
 * Return: 0; -errno, and @out is not there.
 */
int al_salvage(const char *path, const char *out, char *message);

#endif
