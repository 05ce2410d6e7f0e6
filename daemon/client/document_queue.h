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

/* Make the JSON document of a process that has ended, free the process's
   results, and queue the document to be saved. No-op without --json-each or if
   the process is NULL. Context: lock held. */
void dm_documents_queue_process_json(struct dm_daemon *, struct al_process *);

/* Whether no document (the JSON report of an ended process, --json-each) is
   queued or being saved. Context: lock held. */
bool dm_documents_is_queue_empty(const struct dm_daemon *);

/* Write the oldest queued document to its file, store an error in the run, and
   free the document. This is a turn of the queue's task, see dm_turn_fn.
   Return: whether more documents are queued. */
bool dm_save_oldest_document_are_more_queued(struct dm_task *,
					     struct dm_worker *);

#endif
