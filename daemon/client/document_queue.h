/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * document_queue.h - the queue of documents of --json-each
 *
 * A worker saves them in the order in which processes end; nobody waits for a
 * disk under dm_daemon.lock.
 */
#ifndef DAEMON_CLIENT_DOCUMENT_QUEUE_H
#define DAEMON_CLIENT_DOCUMENT_QUEUE_H

#include "daemon/client/state.h"

/* Queue the document of a process that has ended, if one is asked for. @p: NULL:
   nothing is done. Context: lock held. */
void dm_documents_add(struct dm_daemon *, struct al_process *);

/* Whether all documents have been saved. Context: lock held. */
bool dm_documents_are_saved(const struct dm_daemon *);

/* Save the next document: a task's turn, see dm_turn_fn. */
bool dm_documents_turn(struct dm_task *, struct dm_worker *);

#endif
