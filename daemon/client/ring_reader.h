/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring_reader.h - executes the turns of a client's ring reader, the task that
 * reads the log and the chunks of its ring
 */
#ifndef DAEMON_CLIENT_RING_READER_H
#define DAEMON_CLIENT_RING_READER_H

#include <stdbool.h>

struct dm_client;
struct dm_task;
struct dm_worker;

/* Create the client's stream if the client is in DM_STARTING, then read the new
   part of the log and one chunk; if nothing is left to analyse, end the
   recording of its exec image. Return: whether there is more to do now. The
   type of this function is dm_turn_fn. */
bool dm_ring_reader_run_turn(struct dm_task *, struct dm_worker *);

/* Read the new part of the ring's log (descriptors of code blocks, mappings and
   calls) into the client's stream. @scratch: [DM_LOG_BYTES]. Return: 0; -errno.
   Context: a turn of the client's ring reader; or its task is held; or the
   child process that makes a live report. */
int dm_ring_reader_read_new_log(struct dm_client *, void *scratch);

/* Analyse on this thread everything that a live client's ring holds: log,
   published chunks and unpublished units. Used only in a forked copy of the
   daemon; the tool continues to use the ring. @scratch: [DM_LOG_BYTES]. Return:
   0; -errno: only the units before the error were analysed. */
int dm_ring_reader_analyse_live_ring(struct dm_client *, void *scratch);

#endif
