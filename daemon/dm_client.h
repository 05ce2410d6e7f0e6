/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_client.h - talking to a tool
 *
 * Room:    daemon.
 * Used by: dm_server.c, dm_image.c, dm_ending.c, dm_goodbye.c, dm_control.c,
 *          dm_admit.c, dm_daemon.c, dm_decode.c.
 * Threads: any, with dm_daemon.lock held.
 *
 * Nothing here blocks. A peer that does not read loses messages, which costs
 * nobody but itself: the tool never waits without a timeout.
 */
#ifndef DM_CLIENT_H
#define DM_CLIENT_H

#include "daemon/dm_state.h"

/* A connection that has been accepted; NULL when there is no memory. Takes
   @fd over then only. */
struct dm_client *dm_client_new(struct dm_daemon *, int fd, pid_t pid);

/* Not while it is in a list or on a worker. */
void dm_client_free(struct dm_client *);

void dm_client_send(struct dm_client *, enum pt_message_type, uint64_t value);

/* A packet, with a descriptor if @fd >= 0, which the caller keeps. */
void dm_client_send_fd(struct dm_client *, const void *packet, size_t bytes,
		       int fd);

/* It waits, or does not any more. Context: lock held. */
void dm_client_ask(struct dm_client *, bool asks);

/* Tells a tool that waits for room, of chunks or, when that has been taken, in
   the log. */
void dm_client_answer(struct dm_client *, bool log_taken);

/**
 * dm_client_welcome() - Accept the tool; hand over its ring and its plan.
 */
void dm_client_welcome(struct dm_client *);

/* Tell the tool why not, and close. */
void dm_client_refuse(struct dm_client *, const char *reason);

void dm_client_hang_up(struct dm_client *);

/* Read the names of code that the program has made at run time, where it leaves
   them: in /tmp as it sees it or, when it is gone, as we do. Before its stream
   finishes. Context: who has the intake; lock not held. */
void dm_client_read_names(struct dm_client *);

#endif
