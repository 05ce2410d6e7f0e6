/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * document_queue.h - queues the JSON documents of --json-each and saves them
 *
 * A worker saves the documents in the order in which their processes ended. No
 * thread waits for a disk with dm_daemon.lock held.
 */
#ifndef DAEMON_CLIENT_DOCUMENT_QUEUE_H
#define DAEMON_CLIENT_DOCUMENT_QUEUE_H

#include "daemon/client/state.h"

/* Queue the document of a process that has ended. Nothing is done without
   --json-each or if @p is NULL. Context: lock held. */
void dm_documents_queue_process_json(struct dm_daemon *, struct al_process *);

/* Whether no document (the JSON report of an ended process, --json-each) is
   queued or being saved. Context: lock held. */
bool dm_documents_are_saved(const struct dm_daemon *);

/* Save the oldest queued document. This is a turn of the queue's task, see
   dm_turn_fn. Return: whether more documents are queued. */
bool dm_documents_save_first_queued(struct dm_task *, struct dm_worker *);

#endif
